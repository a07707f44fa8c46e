package cmd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/services/agent"
	"github.com/belfry-scheduler/belfry/services/agent/allow"
	"github.com/belfry-scheduler/belfry/services/agent/process"
	"github.com/belfry-scheduler/belfry/services/config"
	"github.com/belfry-scheduler/belfry/services/config/secret"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

type agentCommand struct {
	Server       string            `env:"BELFRY_SERVER" default:"http://127.0.0.1:7000" placeholder:"URL" help:"Belfry server, or several separated by commas (${default})."`
	App          string            `env:"BELFRY_APP" required:"" placeholder:"APP" help:"App whose jobs are run."`
	Key          secret.Text       `env:"BELFRY_KEY" placeholder:"KEY" help:"The app's key. Better given as a variable or a file: flags are visible to others."`
	KeyFile      string            `env:"BELFRY_KEY_FILE" placeholder:"FILE" help:"File with the app's key."`
	Group        string            `env:"BELFRY_GROUP" default:"default" placeholder:"GROUP" help:"Node group to join (${default})."`
	Name         string            `env:"BELFRY_NODE" placeholder:"NODE" help:"Node name, unique in its group and the same after a restart (default the host name)."`
	Slots        int               `env:"BELFRY_SLOTS" placeholder:"N" help:"How many tasks run at once (default four for each processor, at least 16)."`
	Label        map[string]string `placeholder:"KEY=VALUE" help:"Label of the node, for jobs that choose nodes by label; may be repeated."`
	Allow        string            `env:"BELFRY_AGENT_ALLOW" default:"${agent_allow}" placeholder:"FILE" help:"Allow-list: which commands and addresses may be used (${default}). Without the file nothing may."`
	DrainTimeout time.Duration     `env:"BELFRY_DRAIN_TIMEOUT" default:"30s" placeholder:"DURATION" help:"How long running tasks may take to end when the agent stops (${default})."`
	LogLevel     slog.Level        `env:"BELFRY_LOG_LEVEL" default:"info" placeholder:"LEVEL" help:"debug, info, warn or error (${default})."`
	LogFormat    config.LogFormat  `env:"BELFRY_LOG_FORMAT" default:"text" enum:"text,json" placeholder:"FORMAT" help:"text or json (${default})."`
}

// Help implements kong.HelpProvider.
func (agentCommand) Help() string {
	return `The agent is a worker with two handlers, command and http. What they may do is decided by the allow-list on this machine; see docs/agent.md.`
}

// agentAllow is where the allow-list stands by default.
func agentAllow() string {
	if runtime.GOOS == "windows" {
		return filepath.Join(os.Getenv("ProgramData"), "Belfry", "agent-allow.yaml")
	}
	return "/etc/belfry/agent-allow.yaml"
}

// allowTick is how often the allow-list is looked at while nothing runs, so that the
// agent's log tells of a bad edit soon.
const allowTick = 10 * time.Second

// Run takes tasks until ctx ends and the running ones have ended.
func (c *agentCommand) Run(ctx context.Context, io IO) error {
	logger := config.Settings{LogLevel: c.LogLevel, LogFormat: c.LogFormat}.Logger(io.Stderr)
	key, err := c.key()
	if err != nil {
		return &usageError{err: err}
	}
	if err := agent.Conceal("--key"); err != nil {
		logger.WarnContext(ctx, "programs may read this process's environment", "error", err)
	}
	list, err := allow.Open(c.Allow, logger)
	if err != nil {
		return &usageError{err: err}
	}
	w, err := c.worker(key, logger)
	if err != nil {
		return &usageError{err: err}
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program: %w", err)
	}
	guard := process.NewGuard(self, logger)
	agent.New(agent.Config{Allow: list, Guard: guard, Logger: logger, Version: versionOf(io.Version)}).Register(w)
	c.announce(ctx, logger, list, w.Name())
	return beside(ctx, func(life context.Context, ready chan<- struct{}) { guard.Run(life, ready) },
		func(life context.Context) { watchList(life, list) },
		func() error { return w.Run(ctx) })
}

// key is the app's key. It does not stay in the environment, which programs that this
// process starts by mistake would get.
func (c *agentCommand) key() (string, error) {
	if err := os.Unsetenv("BELFRY_KEY"); err != nil {
		return "", fmt.Errorf("taking the key out of the environment: %w", err)
	}
	switch {
	case c.Key != "" && c.KeyFile != "":
		return "", fault.At("key", fault.Invalid, "--key and --key-file are both given: give one of them.")
	case c.KeyFile != "":
		data, err := os.ReadFile(c.KeyFile)
		if err != nil {
			return "", fault.At("key-file", fault.Unavailable, "The key file %s cannot be read: %s.", c.KeyFile, reasonOf(err))
		}
		if key := strings.TrimSpace(string(data)); key != "" {
			return key, nil
		}
		return "", fault.At("key-file", fault.Required, "The key file %s is empty: write the app's key into it.", c.KeyFile)
	case c.Key != "":
		// A copy: what stands on the command line is overwritten there.
		return strings.Clone(strings.TrimSpace(c.Key.Reveal())), nil
	}
	return "", fault.At("key", fault.Required, "There is no app key: set BELFRY_KEY or give --key-file. The console shows a key once, under Apps.")
}

func (c *agentCommand) worker(key string, logger *slog.Logger) (*worker.Worker, error) {
	name := c.Name
	if name == "" {
		name, _ = os.Hostname() // without one the SDK chooses
	}
	w, err := worker.New(worker.Config{
		Server: c.Server, App: c.App, Key: key, Group: c.Group, Name: name, Slots: c.Slots, Labels: c.Label,
		DrainTimeout: c.DrainTimeout, Logger: logger, OnlyTaskLog: true,
	})
	if err != nil {
		return nil, errors.New(asFlags(err.Error()))
	}
	return w, nil
}

var configField = regexp.MustCompile(`Config\.([A-Z][a-z]+)([A-Z][a-z]+)?`)

// asFlags names flags where an error of the SDK names fields.
func asFlags(message string) string {
	return strings.TrimPrefix(configField.ReplaceAllStringFunc(message, func(field string) string {
		part := configField.FindStringSubmatch(field)
		flag := "--" + strings.ToLower(part[1])
		if part[2] != "" {
			flag += "-" + strings.ToLower(part[2])
		}
		return flag
	}), "worker: ")
}

func (c *agentCommand) announce(ctx context.Context, logger *slog.Logger, list *allow.File, node string) {
	commands, shell, http := list.List(ctx).Counts()
	logger.InfoContext(ctx, "the agent starts", "server", c.Server, "app", c.App, "group", c.Group, "node", node,
		"allow", list.Path(), "commands", commands, "shell", shell, "http", http)
	if !list.Exists() {
		logger.WarnContext(ctx, "there is no allow-list: every task will be refused, and say which lines would allow it", "file", list.Path())
	}
}

func watchList(ctx context.Context, list *allow.File) {
	tick := time.NewTicker(allowTick)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			list.List(ctx)
		}
	}
}

// beside runs work with helpers beside it, which end after it; the first has to be
// ready before it begins.
func beside(ctx context.Context, first func(context.Context, chan<- struct{}), second func(context.Context), work func() error) error {
	// They outlive ctx: running tasks do, until they have ended.
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	var helpers sync.WaitGroup
	defer helpers.Wait()
	defer end()
	ready := make(chan struct{})
	helpers.Go(func() { first(life, ready) })
	helpers.Go(func() { second(life) })
	<-ready
	return work()
}

type agentGuardCommand struct{}

// Run waits for the agent's end and ends what it has left.
func (agentGuardCommand) Run(io IO) error {
	process.Watch(io.Stdin)
	return nil
}
