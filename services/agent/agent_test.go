package agent

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/belfry-scheduler/belfry/services/agent/allow"
	"github.com/belfry-scheduler/belfry/services/agent/process"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
	"github.com/belfry-scheduler/belfry/worker-sdk/workertest"
)

// TestMain makes this test binary its own guard.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == process.GuardCommand {
		process.Watch(os.Stdin)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// anyShell allows every text for a shell.
const anyShell = "shell: [{any: true, environment: ['*'], directories: [/], users: [nobody]}]\n"

// agentWith makes an agent with an allow-list and an environment of its own.
func agentWith(t *testing.T, list string, env map[string]string) *Agent {
	t.Helper()
	path := filepath.Join(t.TempDir(), "allow.yaml")
	if err := os.WriteFile(path, []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := allow.Open(path, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	lookup := func(name string) (string, bool) {
		if value, ok := env[name]; ok {
			return value, true
		}
		return os.LookupEnv(name)
	}
	return New(Config{Allow: file, Logger: slog.New(slog.DiscardHandler), LookupEnv: lookup, Version: "test"})
}

type handler = func(context.Context, *worker.Task, json.RawMessage) error

// run runs a handler once; parameters are made JSON unless they are.
func run(t *testing.T, h handler, parameters any, options ...workertest.Option) workertest.Outcome {
	t.Helper()
	raw, ok := parameters.(string)
	if !ok {
		data, err := json.Marshal(parameters)
		if err != nil {
			t.Fatal(err)
		}
		raw = string(data)
	}
	return workertest.Run(t, h, json.RawMessage(raw), options...)
}

type object = map[string]any

func shell(t *testing.T, text string, options ...workertest.Option) workertest.Outcome {
	t.Helper()
	return run(t, agentWith(t, anyShell, nil).command, object{"shell": text}, options...)
}

func resultOf(t *testing.T, o workertest.Outcome) (r commandResult) {
	t.Helper()
	if err := o.DecodeResult(&r); err != nil {
		t.Fatalf("%v; error %q", err, o.Error)
	}
	return r
}

// messages are the lines of one stream.
func messages(o workertest.Outcome, stream string) []string {
	var out []string
	for _, line := range o.Logs {
		if line.Fields["stream"] == stream {
			out = append(out, line.Message)
		}
	}
	return out
}

// ended reports whether no process has this number, or only one that nobody has asked
// about yet.
func ended(t *testing.T, pid string) bool {
	t.Helper()
	pid = strings.TrimSpace(pid)
	if pid == "" {
		t.Fatal("no process id")
	}
	stat, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	if err != nil {
		return true
	}
	state := strings.TrimSpace(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	return strings.HasPrefix(state, "Z") || strings.HasPrefix(state, "X")
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
