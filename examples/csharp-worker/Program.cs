using BelfrySample;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

static string Env(string name, string? otherwise = null) =>
    Environment.GetEnvironmentVariable(name) ?? otherwise ?? throw new InvalidOperationException($"Set {name}.");

var options = new WorkerOptions(
    Env("BELFRY_SERVER", "http://127.0.0.1:7000"), Env("BELFRY_APP"), Env("BELFRY_KEY"),
    Env("BELFRY_GROUP", "default"), Env("BELFRY_NODE", Environment.MachineName));

// {"name":"王芳"} → "hello 王芳"
options.Handlers["Greet"] = task =>
{
    var name = task.Parameters<Person>()?.Name ?? throw EndException.NoRetry("The parameters have no name.");
    task.Log("greeting", fields: new { name });
    return Task.FromResult<object?>("hello " + name);
};

// {"to":100} counts, and goes on where an earlier attempt stopped.
options.Handlers["Count"] = async task =>
{
    var start = task.Checkpoint<int>();
    var to = task.Parameters<Goal>()?.To ?? 10;
    for (var n = start; n < to; n++)
    {
        await Task.Delay(100, task.Stopped);
        task.Save(n + 1);
        task.Progress((n + 1.0) / to, $"{n + 1} of {to}");
    }

    return new { from = start, to };
};

var builder = Host.CreateApplicationBuilder(args);
builder.Services.Configure<HostOptions>(o => o.ShutdownTimeout = options.Grace + TimeSpan.FromSeconds(20));
builder.Services.AddSingleton(options);
builder.Services.AddHostedService<Worker>();
await builder.Build().RunAsync();

internal sealed record Person(string? Name);

internal sealed record Goal(int? To);
