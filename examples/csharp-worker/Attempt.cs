using System.Text.Json;

namespace BelfrySample;

/// <summary>Thrown by a handler to end its attempt as it says.</summary>
public sealed class EndException(string outcome, string? error = null, bool noRetry = false, TimeSpan? after = null) : Exception(error)
{
    public static EndException NoRetry(string error) => new("failed", error, noRetry: true);

    public static EndException RetryAfter(TimeSpan after, string error) => new("failed", error, after: after);

    public static EndException Snooze(TimeSpan after) => new("snoozed", after: after);

    internal Result Result { get; } = new(outcome)
    {
        Error = error, NoRetry = noRetry ? true : null, AfterMs = after is { } a ? (long)a.TotalMilliseconds : null,
    };
}

/// <summary>One attempt as its handler sees it. Safe for use by several threads.</summary>
public sealed class Attempt
{
    private readonly Action<Attempt, Item> say;
    private readonly CancellationTokenSource stop = new();
    private readonly object order = new(); // of lines; the worker's lock may be taken under it
    private long lines;

    internal Attempt(Assignment given, Action<Attempt, Item> say) => (Given, this.say) = (given, say);

    public Assignment Given { get; }

    internal (string Task, int Number) Key => (Given.Task, Given.Attempt);

    /// <summary>Ends when the attempt is cancelled, over its time, lost, or the process shuts down.</summary>
    public CancellationToken Stopped => stop.Token;

    /// <summary>Why it was stopped: cancelled, replaced, time_limit, lost or shutdown; null while it was not.</summary>
    public string? Cause { get; private set; }

    public T? Parameters<T>() => Given.Parameters is { } p ? p.Deserialize<T>(Link.Json) : default;

    public T? Checkpoint<T>() => Given.Checkpoint is { } c ? c.Deserialize<T>(Link.Json) : default;

    public void Log(string message, string level = "INFO", object? fields = null)
    {
        lock (order) // a line's number and its place go together
        {
            lines++;
            Say(log: new { lines = new[] { new { seq = lines, at = DateTimeOffset.UtcNow, level, message, fields } } });
        }
    }

    public void Progress(double fraction, string message = "") => Say(progress: new { fraction, message });

    /// <summary>Hands a value to later attempts.</summary>
    public void Save(object checkpoint) => Say(checkpoint: checkpoint);

    internal void Say(
        object? started = null, object? progress = null, object? log = null, object? checkpoint = null, object? refused = null, Result? result = null) =>
        say(this, new Item
        {
            Task = Given.Task, Attempt = Given.Attempt,
            Started = started, Progress = progress, Log = log, Checkpoint = checkpoint, Refused = refused, Result = result,
        });

    internal void Stop(string cause)
    {
        lock (stop)
        {
            Cause ??= cause;
        }

        _ = stop.CancelAsync(); // what waits on the token does not go on here, under the worker's lock
    }
}
