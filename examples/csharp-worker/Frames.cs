using System.Text.Json;
using System.Text.Json.Serialization;

namespace BelfrySample;

// What the server says, as docs/worker-protocol.openapi.yaml has it; only the fields that this worker reads.

public sealed record Settings(long HeartbeatMs, long OfflineMs, long ReportMs, long LogLimit, long KeepAliveMs, int ReportLimit, long MaxBodyBytes);

public sealed record Registered(string Server, Settings Settings, AttemptRef[]? Abandon, bool Draining);

public sealed record AttemptRef(string Task, int Attempt);

public sealed record Frame(string Kind, long Seq, Assignment[]? Assign, Cancel[]? Cancel, Settings? Settings);

public sealed record Assignment(
    string Task, int Attempt, int MaxAttempts, string Job, string Handler, DateTimeOffset ScheduledAt,
    JsonElement? Parameters, JsonElement? Checkpoint, long TimeoutMs, int Shard, int Shards);

public sealed record Cancel(string Task, int Attempt, string Cause, string? Reason);

public sealed record Reported(Ack[] Acks);

public sealed record Ack(string Status, string? Message);

public sealed record HeartbeatAnswer(Cancel[]? Cancel, bool Draining, bool Reconnect, Settings? Settings);

public sealed record ErrorBody(Error? Error);

public sealed record Error(string Code, string? Field, string? Message);

// What the worker says. What is null is left out.

/// <summary>One event of one attempt; exactly one of the others beside Task and Attempt is set.</summary>
public sealed class Item
{
    public required string Task { get; init; }
    public required int Attempt { get; init; }
    public object? Started { get; init; }
    public object? Progress { get; init; }
    public object? Log { get; init; }
    public object? Checkpoint { get; init; }
    public object? Refused { get; init; }
    public Result? Result { get; init; }
}

public sealed record Result(string Outcome)
{
    public DateTimeOffset StartedAt { get; init; }
    public DateTimeOffset FinishedAt { get; init; }
    [JsonPropertyName("result")]
    public JsonElement? Value { get; init; }
    public string? Error { get; init; }
    public string? Stack { get; init; }
    public bool? NoRetry { get; init; }
    public long? AfterMs { get; init; }
}
