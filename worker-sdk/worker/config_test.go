package worker

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"
)

func valid() Config {
	return Config{Server: "http://a.test", App: "app", Key: "secret", Logger: slog.New(slog.DiscardHandler)}
}

func TestConfigDefaults(t *testing.T) {
	t.Parallel()
	cfg := valid()
	cfg.Logger = nil
	w, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if w.cfg.Group != "default" || !strings.Contains(w.Name(), "-") || w.cfg.DrainTimeout != 30*time.Second ||
		w.cfg.Slots != max(16, 4*runtime.GOMAXPROCS(0)) || w.cfg.Logger == nil || w.cfg.LogLevel == nil {
		t.Errorf("defaults %+v", w.cfg)
	}
}

func TestConfigErrorsNameFieldValueAndRemedy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Config)
		want   []string
	}{
		"no server":     {func(c *Config) { c.Server = " , " }, []string{"Config.Server", "http://127.0.0.1:7000"}},
		"no scheme":     {func(c *Config) { c.Server = "127.0.0.1:7000" }, []string{"Config.Server", "127.0.0.1:7000", "http://host:7000"}},
		"other scheme":  {func(c *Config) { c.Server = "ftp://a" }, []string{`"ftp://a"`, "http or https"}},
		"no host":       {func(c *Config) { c.Server = "http://" }, []string{"names no host"}},
		"query":         {func(c *Config) { c.Server = "http://u:hidden@a/?x=1" }, []string{"leave out user"}},
		"second server": {func(c *Config) { c.Server = "http://a,b" }, []string{`"b"`}},
		"no app":        {func(c *Config) { c.App = "" }, []string{"Config.App", "as the console shows it"}},
		"no key":        {func(c *Config) { c.Key = "" }, []string{"Config.Key", "empty"}},
		"key with line": {func(c *Config) { c.Key = "hidden\n" }, []string{"Config.Key", "line break"}},
		"group":         {func(c *Config) { c.Group = " a" }, []string{"Config.Group", `" a"`}},
		"name":          {func(c *Config) { c.Name = strings.Repeat("é", 129) }, []string{"Config.Name", "128 characters"}},
		"slots":         {func(c *Config) { c.Slots = 10001 }, []string{"Config.Slots", "10001", "1 to 10000"}},
		"no slots":      {func(c *Config) { c.Slots = -1 }, []string{"Config.Slots", "-1"}},
		"drain":         {func(c *Config) { c.DrainTimeout = -time.Second }, []string{"Config.DrainTimeout", "-1s"}},
		"labels": {func(c *Config) {
			c.Labels = map[string]string{}
			for i := range 65 {
				c.Labels[strings.Repeat("x", i+1)] = ""
			}
		}, []string{"Config.Labels", "65", "64"}},
		"two": {func(c *Config) { c.App, c.Slots = "", -2 }, []string{"Config.App", "Config.Slots"}},
	} {
		cfg := valid()
		c.change(&cfg)
		w, err := New(cfg)
		if err == nil || w != nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q lacks %q", name, err, want)
			}
		}
		if strings.Contains(err.Error(), "hidden") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %q shows a secret", name, err)
		}
	}
}

func TestRegistrationMistakesComeFromRun(t *testing.T) {
	t.Parallel()
	nothing := func(context.Context, *Task, struct{}) error { return nil }
	for name, c := range map[string]struct {
		register func(*Worker)
		want     string
	}{
		"none":  {func(*Worker) {}, "no handler is registered"},
		"twice": {func(w *Worker) { Handle(w, "A", nothing); Handle(w, "A", nothing) }, `"A" is registered twice`},
		"empty": {func(w *Worker) { Handle(w, "", nothing) }, `handler name is ""`},
		"nil":   {func(w *Worker) { Handle[struct{}](w, "B", nil) }, `"B" is nil`},
		"both":  {func(w *Worker) { Handle(w, "A ", nothing); Handle[int](w, "B", nil) }, `"B" is nil`},
	} {
		w, err := New(valid())
		if err != nil {
			t.Fatal(err)
		}
		c.register(w)
		if err := w.Run(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var missing *Worker
	Handle(missing, "A", nothing)
	if err := missing.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "nil Worker") {
		t.Errorf("nil worker: %v", err)
	}
}

func TestRegistrationAfterRunIsRefused(t *testing.T) {
	t.Parallel()
	nothing := func(context.Context, *Task, struct{}) error { return nil }
	cfg := valid()
	cfg.HTTPClient = &http.Client{Transport: unreachable{}}
	w, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	Handle(w, "A", nothing)
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- w.Run(ctx) }()
	for { // until Run has begun
		w.mu.Lock()
		began := w.began
		w.mu.Unlock()
		if began {
			break
		}
		runtime.Gosched()
	}
	for range maxMistakes + 5 {
		Handle(w, "B", nothing)
	}
	w.Use()
	if err := w.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "called twice") {
		t.Errorf("second Run: %v", err)
	}
	cancel()
	err = <-ran
	if err == nil || strings.Count(err.Error(), `Handle("B") was called after Run`) != maxMistakes {
		t.Errorf("Run: %v", err)
	}
}

// unreachable is a network without servers.
type unreachable struct{}

func (unreachable) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("connection refused")
}
