package cmd

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// station is a real server with the commands that talk to it.
type station struct {
	t     *testing.T
	url   string
	token string
	dir   string
}

// readyLine is what belfry dev prints when it serves.
var readyLine = regexp.MustCompile(`Belfry is ready at (http://\S+)`)

// announce is a writer that tells the address of the server that prints into it.
type announce struct {
	mu   sync.Mutex
	text bytes.Buffer
	url  chan string
}

func (a *announce) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	n, err := a.text.Write(p)
	if found := readyLine.FindStringSubmatch(a.text.String()); found != nil && a.url != nil {
		a.url <- found[1]
		a.url = nil
	}
	return n, err
}

func newStation(t *testing.T) *station {
	t.Helper()
	s := &station{t: t, dir: t.TempDir()}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	url := make(chan string, 1)
	var stderr bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- Main(ctx, []string{"dev", "--no-demo", "--listen", "127.0.0.1:0", "--data", s.dir}, IO{
			Stdin: strings.NewReader(""), Stdout: &announce{url: url}, Stderr: &stderr,
		})
	}()
	t.Cleanup(func() {
		cancel()
		if code := <-ended; code != 0 {
			t.Errorf("the server ended with %d: %s", code, stderr.String())
		}
	})
	select {
	case s.url = <-url:
	case code := <-ended:
		ended <- code
		t.Fatalf("the server ended with %d: %s", code, stderr.String())
	}
	token, err := os.ReadFile(filepath.Join(s.dir, tokenFile))
	if err != nil {
		t.Fatal(err)
	}
	s.token = strings.TrimSpace(string(token))
	var none map[string]any
	s.ask(`mutation($name: String!) { createApp(input: {name: $name}) { app { id } userErrors { message } } }`, map[string]any{"name": "ops"}, &none)
	return s
}

// ask sends an operation to the server.
func (s *station) ask(operation string, variables map[string]any, out any) {
	s.t.Helper()
	flag := remoteFlag{Server: s.url, Token: s.token}
	r, err := flag.open()
	if err == nil {
		err = r.do(s.t.Context(), operation, variables, out)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// run runs a command that talks to the server.
func (s *station) run(stdin string, args ...string) ran {
	s.t.Helper()
	return s.runWith(strings.NewReader(stdin), append(args, "--server", s.url, "--token", s.token)...)
}

func (s *station) runWith(stdin io.Reader, args ...string) ran {
	s.t.Helper()
	var stdout, stderr bytes.Buffer
	code := Main(s.t.Context(), args, IO{Stdin: stdin, Stdout: &stdout, Stderr: &stderr})
	got := ran{code, stdout.String(), stderr.String()}
	if s.token != "" && strings.Contains(got.stdout+got.stderr, s.token) {
		s.t.Errorf("%q shows the token", args)
	}
	return got
}

func (s *station) want(got ran, code int, parts ...string) {
	s.t.Helper()
	if got.code != code {
		s.t.Errorf("exit code %d, want %d\n%s%s", got.code, code, got.stdout, got.stderr)
	}
	for _, part := range parts {
		if !strings.Contains(got.stdout+got.stderr, part) {
			s.t.Errorf("no %q in\n%s%s", part, got.stdout, got.stderr)
		}
	}
}

// everything has each field of a job file, and jobs in an order in which they cannot
// be made.
const everything = `version: 1
app: ops
jobs:
  - name: after both
    handler: After
    trigger: {dependency: {upstream: [{job: nightly}, {job: tick, on: COMPLETION}], mode: ANY, window: DAY, zone: Asia/Shanghai}}
  - name: nightly
    handler: Report
    description: |
      The numbers.
      For finance.
    labels: {team: billing}
    trigger: {cron: {expression: "0 2 * * 1-5", zone: Europe/Berlin, startAt: "2026-01-01T00:00:00+01:00", endAt: "2090-01-01T00:00:00Z", jitter: 5m}}
    parameters: {big: 12345678901234567890123, half: 0.50, e: 1e3, list: [1, null, true], deep: {"a.b": "c"}, text: "no"}
    enabled: false
    priority: HIGH
    timeout: 90m
    retry: {maxAttempts: 5, backoff: EXPONENTIAL, delay: 30s, maxDelay: 2h, jitter: 0.25}
    concurrency: SKIP
    maxRunning: 3
    misfire: {policy: FIRE_ALL, grace: 2m, limit: 7}
    delivery: AT_MOST_ONCE
    routing: {strategy: PINNED, node: n1, fallback: ANY, fallbackAfter: 10s}
  - {name: tick, handler: Tick, trigger: {fixedRate: {every: 10s, startAt: "2026-01-01T00:00:00.5Z"}}, routing: {strategy: LABELS, labels: {disk: fast}}}
  - {name: tock, handler: Tock, trigger: {fixedDelay: {delay: 1m}}, routing: {strategy: CONSISTENT_HASH, key: /order/id}}
  - {name: least, handler: Least, trigger: {manual: true}}
  - {name: skips, handler: Skips, trigger: {cron: {expression: "@daily"}}, misfire: {policy: SKIP}, retry: {maxAttempts: 2}}
`

// Every field of a job goes to the server and comes back: what was applied is no
// drift, and neither is what was exported.
func TestWhatIsAppliedIsThere(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	file := filepath.Join(s.dir, "jobs.yaml")
	if err := os.WriteFile(file, []byte(everything), 0o600); err != nil {
		t.Fatal(err)
	}
	s.want(s.run("", "diff", "-f", file), 2, "+ create ops/nightly", "6 to create, 0 to change")
	s.want(s.run("", "apply", "-f", file), 2, "there is no terminal to ask on; repeat with --yes")
	s.want(s.run("", "diff", "-f", file), 2, "6 to create")
	s.want(s.run("", "apply", "--yes", "-f", file), 0, "created ops/after both", `ops/nightly: `)
	s.want(s.run("", "diff", "-f", file, "--prune"), 0, "0 to create, 0 to change, 0 to delete, 6 unchanged.")
	again := s.run("", "apply", "-f", file)
	s.want(again, 0, "6 unchanged.")

	exported := s.run("", "export", "--app", "ops")
	s.want(exported, 0, "Europe/Berlin")
	s.want(s.run(exported.stdout, "diff", "-f", "-", "--prune"), 0, "6 unchanged.")
	out := filepath.Join(s.dir, "out.yaml")
	s.want(s.run("", "export", "-f", out), 0)
	written, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(exported.stdout, string(written)); d != "" {
		t.Error(d)
	}
}

// A change of each kind is shown field by field, made, and made only once.
func TestApplyChangesAndDeletes(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	s.want(s.run(everything, "apply", "--yes", "-f", "-"), 0)
	changed := strings.NewReplacer("timeout: 90m", "timeout: 2h", `text: "no"`, `text: geheim`, "maxRunning: 3\n", "\n",
		"    routing: {strategy: PINNED, node: n1, fallback: ANY, fallbackAfter: 10s}\n", "", "  - {name: least, handler: Least, trigger: {manual: true}}\n", "").Replace(everything)
	diff := s.run(changed, "diff", "-f", "-", "--prune")
	s.want(diff, 2, "~ update ops/nightly", `timeout: "1h30m0s" → "2h0m0s"`, "parameters.text: changed (hidden)", "maxRunning: 3 → nothing", `routing.node: "n1" → nothing`, "- delete ops/least")
	if strings.Contains(diff.stdout, "geheim") {
		t.Error("a parameter's value is shown")
	}
	s.want(s.run(changed, "diff", "-f", "-", "--show-parameters"), 2, `parameters.text: "no" → "geheim"`)
	s.want(s.run(changed, "apply", "--yes", "-f", "-", "--prune"), 0, "changed ops/nightly", "deleted ops/least")
	s.want(s.run(changed, "diff", "-f", "-", "--prune"), 0, "5 unchanged.")
	// Upstream jobs go after those that wait for them.
	s.want(s.run("{version: 1, app: ops, jobs: []}", "apply", "--yes", "-f", "-", "--prune"), 0, "deleted ops/after both", "deleted ops/nightly")
	s.want(s.run("", "export"), 1, "no app has jobs; nothing was written")
}

// A job that the server refuses stops the rest, and what was done is said.
func TestApplyStopsAtARefusal(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	text := `version: 1
app: ops
jobs:
  - {name: first, handler: H, trigger: {manual: true}}
  - name: second
    handler: H
    trigger:
      cron:
        expression: "0 0 30 2 *"
  - {name: third, handler: H, trigger: {manual: true}}
`
	s.want(s.run(text, "apply", "--yes", "-f", "-"), 1,
		"created ops/first", "create ops/second was refused", "standard input:9:21: The expression", "stopped: 1 of 3 changes were made; not made: create ops/second, create ops/third.")
	s.want(s.run(strings.Replace(text, "0 0 30 2 *", "0 0 28 2 *", 1), "apply", "--yes", "-f", "-"), 0, "created ops/third", "2 to create, 0 to change, 0 to delete, 1 unchanged.")
}

// What cannot be right is said before anything is changed, with its line.
func TestApplyRefusesBeforehand(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	s.want(s.run("version: 1\napp: nobody\njobs: []\n", "apply", "--yes", "-f", "-"), 1, "standard input:2:6: There is no app nobody; create it")
	s.want(s.run("version: 1\napp: ops\njobs:\n  - name: a\n    group: nowhere\n    handler: H\n    trigger: {dependency: {upstream: [{job: ghost}]}}\n", "apply", "--yes", "-f", "-"), 1,
		`standard input:5:12: The app ops has no node group "nowhere"`, `standard input:7:45: There is no job "ghost" in the app ops to wait for.`)
	s.want(s.run("version: 1\napp: ops\njobs:\n  - name: a\n", "apply", "--yes", "-f", "-"), 2, "handler is missing", "trigger is missing")
	s.want(s.run("version: 1\n", "diff", "-f", "-"), 1, "app is missing")
	s.want(s.run("", "apply", "--yes", "-f", filepath.Join(s.dir, "none.yaml")), 1, "cannot be read")
	s.want(s.run("", "export", "--app", "nobody"), 2, `there is no app "nobody"`)
	valid := "version: 1\napp: ops\njobs: []\n"
	s.want(s.runWith(strings.NewReader(valid), "apply", "-f", "-", "--server", s.url), 1, "Put an API token into BELFRY_TOKEN")
	s.want(s.runWith(strings.NewReader(valid), "diff", "-f", "-", "--server", "localhost:1"), 1, "write it with http:// or https://")
	s.want(s.runWith(strings.NewReader(valid), "diff", "-f", "-", "--server", "http://user:secret@127.0.0.1:1"), 1, "user:xxxxx@")
	s.want(s.run("", "export", "--schema"), 0, `"$schema": "https://json-schema.org/draft/2020-12/schema"`)
}
