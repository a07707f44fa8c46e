using System.Net;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace BelfrySample;

/// <summary>An error body of a server.</summary>
public sealed class RefusedException(string code, string? message) : Exception($"{code}: {message}")
{
    public string Code { get; } = code;
}

/// <summary>
/// Requests to whichever server of a list answers. What is not an answer of a Belfry server is an
/// HttpRequestException, and the next server's turn.
/// </summary>
public sealed class Link(string servers, string key) : IDisposable
{
    public static readonly JsonSerializerOptions Json = new(JsonSerializerDefaults.Web)
    {
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    };

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private readonly string[] bases = servers.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
    private readonly HttpClient http = new() { Timeout = Timeout.InfiniteTimeSpan }; // or it would cut the stream
    private int at;

    public async Task<T> Post<T>(string path, object body, CancellationToken ct)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(ct);
        limit.CancelAfter(Patience);
        try
        {
            using var answer = await Send(HttpMethod.Post, path, body, limit.Token);
            return await answer.Content.ReadFromJsonAsync<T>(Json, limit.Token) ?? throw new HttpRequestException("An empty answer to " + path);
        }
        catch (Exception problem) when (problem is JsonException or IOException || (problem is OperationCanceledException && !ct.IsCancellationRequested))
        {
            Next();
            throw new HttpRequestException("No whole answer to " + path, problem);
        }
    }

    /// <summary>Opens an answer that lasts; the caller disposes of it.</summary>
    public async Task<HttpResponseMessage> Open(string path, CancellationToken ct)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(ct);
        limit.CancelAfter(Patience);
        try
        {
            return await Send(HttpMethod.Get, path, null, limit.Token);
        }
        catch (OperationCanceledException problem) when (!ct.IsCancellationRequested)
        {
            Next();
            throw new HttpRequestException("No answer to " + path, problem);
        }
    }

    public void Next() => Interlocked.Increment(ref at);

    public void Dispose() => http.Dispose();

    private async Task<HttpResponseMessage> Send(HttpMethod method, string path, object? body, CancellationToken ct)
    {
        var server = bases[(Volatile.Read(ref at) & int.MaxValue) % bases.Length].TrimEnd('/');
        using var request = new HttpRequestMessage(method, $"{server}/worker/v1/{path}");
        request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", key);
        if (body is not null)
        {
            request.Content = new StringContent(JsonSerializer.Serialize(body, Json), Encoding.UTF8, "application/json");
        }

        HttpResponseMessage answer;
        try
        {
            answer = await http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, ct);
        }
        catch (HttpRequestException)
        {
            Next();
            throw;
        }

        if (answer.StatusCode == HttpStatusCode.OK)
        {
            return answer;
        }

        using (answer)
        {
            Error? error = null;
            try
            {
                error = JsonSerializer.Deserialize<ErrorBody>(await answer.Content.ReadAsStringAsync(ct), Json)?.Error;
            }
            catch (JsonException)
            {
                // a proxy's or another program's
            }

            if (error is { Code: not (null or "UNAVAILABLE") })
            {
                throw new RefusedException(error.Code, error.Message);
            }

            Next();
            throw new HttpRequestException($"{server} answered {(int)answer.StatusCode}: {error?.Message}");
        }
    }
}
