using System.Text.Json;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace BelfrySample;

public sealed record WorkerOptions(string Servers, string App, string Key, string Group, string Node)
{
    public int Slots { get; init; } = 8;

    /// <summary>How long a shutdown waits for what runs; the host's ShutdownTimeout must be longer by 20 seconds.</summary>
    public TimeSpan Grace { get; init; } = TimeSpan.FromSeconds(30);

    public Dictionary<string, Func<Attempt, Task<object?>>> Handlers { get; } = [];
}

/// <summary>A Belfry worker as a hosted service: docs/worker-protocol.md says what is said and why.</summary>
public sealed class Worker(WorkerOptions options, ILogger<Worker> log, IHostApplicationLifetime host) : BackgroundService
{
    private const int MaxWaiting = 10_000; // items that wait; past it log lines and progress are dropped, nothing else
    private const int MaxLately = 1_000;

    private readonly Link link = new(options.Servers, options.Key);
    private readonly string incarnation = Guid.NewGuid().ToString("N");
    private readonly object gate = new(); // guards all that follows
    private readonly Dictionary<(string, int), Attempt> held = []; // run, or have a result that is not acknowledged
    private readonly Queue<(string, int)> lately = new(); // whose results were accepted
    private readonly SemaphoreSlim news = new(0, 1); // something waits to be reported
    private List<Item> outbox = []; // in order, until they are acknowledged
    private Settings? settings;
    private int running;
    private long lastSeq;
    private int streams;
    private bool paused; // a person drains this node
    private bool deaf; // the server sees no working stream
    private volatile bool ending;

    protected override async Task ExecuteAsync(CancellationToken stopping)
    {
        using var over = new CancellationTokenSource();
        try
        {
            await Repeat(Register, stopping);
            var loops = new[] { Receive(over.Token), Report(over.Token), Beat(stopping, over.Token) };
            var first = await Task.WhenAny(loops.Append(Until(stopping)));
            await first; // a loop ends only by an error: replaced, or a fault of ours
            await Drain(over.Token);
            over.Cancel();
            try
            {
                await Task.WhenAll(loops);
            }
            catch (OperationCanceledException)
            {
                // as they should
            }

            await Leave();
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
            // told to stop before the first registration
        }
        catch (Exception problem)
        {
            log.LogCritical(problem, "the worker cannot go on");
            over.Cancel();
            lock (gate)
            {
                foreach (var attempt in held.Values)
                {
                    attempt.Stop("lost");
                }

                held.Clear();
            }

            host.StopApplication();
        }
    }

    public override void Dispose()
    {
        link.Dispose();
        base.Dispose();
    }

    /// <summary>Waits for what runs, ends it after the grace, and waits until all results are acknowledged.</summary>
    private async Task Drain(CancellationToken ct)
    {
        ending = true;
        await Wait(() => running == 0, options.Grace, ct);
        lock (gate)
        {
            foreach (var attempt in held.Values)
            {
                attempt.Stop("shutdown");
            }
        }

        await Wait(() => held.Count == 0 && outbox.Count == 0, TimeSpan.FromSeconds(10), ct);
    }

    private async Task Wait(Func<bool> done, TimeSpan atMost, CancellationToken ct)
    {
        for (var waited = TimeSpan.Zero; waited < atMost; waited += TimeSpan.FromMilliseconds(50))
        {
            lock (gate)
            {
                if (done())
                {
                    return;
                }
            }

            await Task.Delay(50, ct);
        }
    }

    private static Task Until(CancellationToken ct)
    {
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        ct.Register(() => done.TrySetResult());
        return done.Task;
    }

    private async Task Leave()
    {
        try
        {
            await link.Post<JsonElement>("leave", new { node = options.Node, group = options.Group, incarnation }, CancellationToken.None);
        }
        catch (Exception problem) when (problem is HttpRequestException or RefusedException)
        {
            log.LogWarning("left without a word: {Problem}", problem.Message);
        }
    }

    /// <summary>Asks until there is an answer, with a growing random pause.</summary>
    private async Task<T> Repeat<T>(Func<CancellationToken, Task<T>> ask, CancellationToken ct)
    {
        for (var n = 0; ; n++)
        {
            try
            {
                return await ask(ct);
            }
            catch (HttpRequestException problem)
            {
                log.LogWarning("no answer, trying again: {Problem}", problem.Message);
            }
            catch (RefusedException refusal) when (refusal.Code == "NAME_IN_USE" || (settings is not null && refusal.Code is "NOT_REGISTERED" or "UNAUTHENTICATED"))
            {
                log.LogWarning("refused, trying again: {Refusal}", refusal.Message);
                if (refusal.Code == "NOT_REGISTERED")
                {
                    await Repeat(Register, ct);
                }
            }

            var ceiling = Math.Min(5_000, 100 * Math.Pow(2, Math.Min(n, 10)));
            await Task.Delay(TimeSpan.FromMilliseconds(ceiling * (0.5 + (Random.Shared.NextDouble() / 2))), ct);
        }
    }

    private async Task<bool> Register(CancellationToken ct)
    {
        AttemptRef[] has;
        lock (gate)
        {
            has = Held();
        }

        var answer = await link.Post<Registered>("register", new
        {
            protocol = 1, app = options.App, node = options.Node, group = options.Group, incarnation, slots = options.Slots,
            handlers = options.Handlers.Keys, sdk = "csharp-example/1", host = Environment.MachineName, pid = Environment.ProcessId, running = has,
        }, ct);
        lock (gate)
        {
            (settings, paused) = (answer.Settings, answer.Draining);
        }

        End(answer.Abandon?.Select(a => new Cancel(a.Task, a.Attempt, "lost", null)));
        return true;
    }

    private AttemptRef[] Held() => held.Keys.Select(k => new AttemptRef(k.Item1, k.Item2)).ToArray();

    // What is heard

    private async Task Receive(CancellationToken ct)
    {
        var query = $"stream?group={Uri.EscapeDataString(options.Group)}&node={Uri.EscapeDataString(options.Node)}&incarnation={incarnation}";
        while (true)
        {
            ct.ThrowIfCancellationRequested();
            try
            {
                using var answer = await Repeat(c => link.Open(query, c), ct);
                using var reader = new StreamReader(await answer.Content.ReadAsStreamAsync(ct));
                lock (gate)
                {
                    (lastSeq, deaf) = (0, false);
                    streams++;
                }

                while (await Next(reader, ct) is { } frame)
                {
                    Follow(frame);
                    if (frame.Kind == "bye" || deaf)
                    {
                        link.Next();
                        break;
                    }
                }
            }
            catch (Exception problem) when (problem is IOException or HttpRequestException or JsonException ||
                (problem is OperationCanceledException && !ct.IsCancellationRequested))
            {
                log.LogWarning("the stream broke: {Problem}", problem.Message);
            }

            await Task.Delay(Random.Shared.Next(50, 500), ct);
        }
    }

    /// <summary>The next frame; null at the end. Silence for three keep-alives is an end, too.</summary>
    private async Task<Frame?> Next(StreamReader reader, CancellationToken ct)
    {
        using var silence = CancellationTokenSource.CreateLinkedTokenSource(ct);
        silence.CancelAfter(TimeSpan.FromMilliseconds(3 * settings!.KeepAliveMs));
        var line = await reader.ReadLineAsync(silence.Token);
        return line is null ? null : JsonSerializer.Deserialize<Frame>(line, Link.Json);
    }

    private void Follow(Frame frame)
    {
        lock (gate)
        {
            lastSeq = Math.Max(lastSeq, frame.Seq);
            settings = frame.Settings ?? settings;
            paused = frame.Kind switch { "drain" => true, "resume" => false, _ => paused };
        }

        foreach (var given in frame.Assign ?? [])
        {
            Begin(given);
        }

        End(frame.Cancel);
    }

    private void Begin(Assignment given)
    {
        var attempt = new Attempt(given, Say);
        lock (gate)
        {
            if (held.ContainsKey(attempt.Key) || lately.Contains(attempt.Key))
            {
                return;
            }

            var reason = paused || ending ? "draining"
                : !options.Handlers.ContainsKey(given.Handler) ? "no_handler"
                : running >= options.Slots ? "no_slot" : null;
            if (reason is not null)
            {
                attempt.Say(refused: new { reason });
                return;
            }

            held.Add(attempt.Key, attempt);
            running++;
        }

        _ = Task.Run(() => Run(attempt));
    }

    private void End(IEnumerable<Cancel>? cancels)
    {
        foreach (var cancel in cancels ?? [])
        {
            var key = (cancel.Task, cancel.Attempt);
            Attempt? attempt;
            lock (gate)
            {
                held.TryGetValue(key, out attempt);
                if (cancel.Cause == "lost")
                {
                    held.Remove(key); // nothing more is said about it
                    outbox = outbox.Where(item => (item.Task, item.Attempt) != key).ToList();
                }
            }

            attempt?.Stop(cancel.Cause);
        }
    }

    // What is done

    private async Task Run(Attempt attempt)
    {
        var began = DateTimeOffset.UtcNow;
        attempt.Say(started: new { at = began });
        Result result;
        using (var limit = new Timer(_ => attempt.Stop("time_limit")))
        {
            if (attempt.Given.TimeoutMs > 0)
            {
                limit.Change(Math.Min(attempt.Given.TimeoutMs, uint.MaxValue - 1), Timeout.Infinite);
            }

            try
            {
                var value = await options.Handlers[attempt.Given.Handler](attempt);
                result = new Result("succeeded") { Value = value is null ? null : JsonSerializer.SerializeToElement(value, Link.Json) };
            }
            catch (Exception) when (attempt.Cause is { } cause)
            {
                var outcome = cause switch { "time_limit" => "timed_out", "shutdown" => "released", _ => "cancelled" };
                result = new Result(outcome) { Error = "the attempt was stopped: " + cause };
            }
            catch (EndException end)
            {
                result = end.Result;
            }
            catch (Exception problem)
            {
                result = new Result("failed") { Error = $"{problem.GetType().Name}: {problem.Message}", Stack = problem.StackTrace };
            }
        }

        lock (gate)
        {
            running--;
            if (held.TryGetValue(attempt.Key, out var own) && own == attempt) // else it is another's by now
            {
                attempt.Say(result: result with { StartedAt = began, FinishedAt = DateTimeOffset.UtcNow });
            }
        }
    }

    private void Say(Attempt attempt, Item item)
    {
        lock (gate)
        {
            if (outbox.Count < MaxWaiting || (item.Log is null && item.Progress is null))
            {
                outbox.Add(item);
            }

            if (news.CurrentCount == 0)
            {
                news.Release();
            }
        }
    }

    // What is said, again until it is heard

    private async Task Report(CancellationToken ct)
    {
        var most = settings!.ReportLimit;
        while (true)
        {
            await news.WaitAsync(TimeSpan.FromSeconds(1), ct);
            List<Item> batch;
            bool urgent;
            lock (gate)
            {
                urgent = outbox.Exists(item => item.Result is not null);
            }

            if (!urgent)
            {
                await Task.Delay(TimeSpan.FromMilliseconds(settings!.ReportMs), ct);
            }

            lock (gate)
            {
                batch = outbox.Take(most).ToList();
            }

            if (batch.Count == 0)
            {
                continue;
            }

            Ack[] acks;
            try
            {
                acks = (await Repeat(c => link.Post<Reported>("report", new
                {
                    node = options.Node, group = options.Group, incarnation, sentAt = DateTimeOffset.UtcNow, items = batch,
                }, c), ct)).Acks;
                most = settings!.ReportLimit;
            }
            catch (RefusedException refusal) when (refusal.Code is "TOO_LARGE" or "INVALID")
            {
                most = Math.Max(1, batch.Count / 2); // in parts; what alone is refused is dropped
                acks = Enumerable.Repeat(new Ack(batch.Count == 1 ? "invalid" : "retry", refusal.Message), batch.Count).ToArray();
            }

            if (Settle(batch, acks))
            {
                await Task.Delay(TimeSpan.FromSeconds(1), ct);
            }
        }
    }

    /// <summary>Follows acknowledgements and says whether something is to be sent again.</summary>
    private bool Settle(List<Item> batch, Ack[] acks)
    {
        List<Item> again = [];
        List<Cancel> stale = [];
        lock (gate)
        {
            foreach (var (item, ack) in batch.Zip(acks))
            {
                var key = (item.Task, item.Attempt);
                if (ack.Status == "retry")
                {
                    again.Add(item);
                }
                else if (ack.Status == "stale")
                {
                    stale.Add(new Cancel(item.Task, item.Attempt, "lost", null));
                }
                else if (ack.Status == "invalid" && item.Result is { NoRetry: not true } result)
                {
                    again.Add(new Item
                    {
                        Task = item.Task, Attempt = item.Attempt,
                        Result = new Result("failed")
                        {
                            Error = "the result was refused: " + ack.Message, NoRetry = true, StartedAt = result.StartedAt, FinishedAt = result.FinishedAt,
                        },
                    });
                }
                else if (item.Result is not null)
                {
                    held.Remove(key);
                    lately.Enqueue(key);
                    if (lately.Count > MaxLately)
                    {
                        lately.Dequeue();
                    }
                }
            }

            var sent = batch.ToHashSet<Item>(ReferenceEqualityComparer.Instance);
            outbox = again.Concat(outbox.Where(item => !sent.Contains(item))).ToList();
            if (outbox.Count > 0 && news.CurrentCount == 0)
            {
                news.Release();
            }
        }

        End(stale);
        return again.Count > 0;
    }

    private async Task Beat(CancellationToken stopping, CancellationToken ct)
    {
        while (true)
        {
            var opened = 0;
            var answer = await Repeat(c =>
            {
                lock (gate)
                {
                    opened = streams;
                    return link.Post<HeartbeatAnswer>("heartbeat", new
                    {
                        node = options.Node, group = options.Group, incarnation, lastSeq, slots = options.Slots,
                        held = Held(), draining = stopping.IsCancellationRequested,
                    }, c);
                }
            }, ct);
            lock (gate)
            {
                (settings, paused) = (answer.Settings ?? settings, answer.Draining);
                deaf = answer.Reconnect && opened == streams;
            }

            End(answer.Cancel);
            using var next = CancellationTokenSource.CreateLinkedTokenSource(ct);
            using var hurry = stopping.IsCancellationRequested ? default : stopping.Register(next.Cancel); // tell of a drain at once
            try
            {
                await Task.Delay(TimeSpan.FromMilliseconds(settings!.HeartbeatMs), next.Token);
            }
            catch (OperationCanceledException) when (!ct.IsCancellationRequested)
            {
                // the process is about to end
            }
        }
    }
}
