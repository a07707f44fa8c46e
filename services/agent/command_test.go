package agent

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/worker-sdk/workertest"
)

// What shells act upon reaches the program as it is: the causes of command injection
// in other schedulers' script jobs.
func TestArgumentsReachTheProgramUntouched(t *testing.T) {
	t.Parallel()
	marker := filepath.Join(t.TempDir(), "injected")
	words := []string{
		"; touch " + marker, "$(touch " + marker + ")", "`touch " + marker + "`", "| touch " + marker, "&& touch " + marker,
		"\n touch " + marker, "$HOME", "*", "~", `"`, `'`, `\`, "a b", "", "-n", "--", "%PATH%", "订单", "\x01", "() { :; }; touch " + marker,
		"${BELFRY_TASK_ID}", "{{ .Env }}", "${env:HOME}", "#{7*7}", "<!ENTITY x SYSTEM 'file:///etc/passwd'>",
	}
	a := agentWith(t, "commands: [{program: /usr/bin/printf, anyArguments: true}]", nil)
	o := run(t, a.command, object{"command": append([]string{"printf", "<%s>\\n"}, words...)})
	if o.Err != nil {
		t.Fatal(o.Err)
	}
	var want []string
	for _, word := range words {
		want = append(want, strings.Split("<"+word+">", "\n")...)
	}
	got := messages(o, "stdout")
	for i := range got {
		got[i] = strings.ReplaceAll(got[i], "␁", "\x01")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("an argument was run by a shell")
	}
}

func TestNothingIsAllowedByDefaultAndTheErrorSaysHow(t *testing.T) {
	t.Parallel()
	a := agentWith(t, "", nil)
	for _, parameters := range []object{{"command": []string{"/bin/echo", "a b"}}, {"shell": "echo a"}} {
		o := run(t, a.command, parameters)
		if !o.NoRetry || !strings.Contains(o.Error, "would allow it") || !strings.Contains(o.Error, a.cfg.Allow.Path()) {
			t.Errorf("%v: NoRetry %v, %s", parameters, o.NoRetry, o.Error)
		}
	}
	// The advice, put into the file, is enough and counts at once.
	o := run(t, a.command, object{"command": []string{"/bin/echo", "a b"}})
	_, lines, _ := strings.Cut(o.Error, "regular expressions):\n")
	lines, _, _ = strings.Cut(lines, "\nThe agent's allow-list")
	if err := os.WriteFile(a.cfg.Allow.Path(), []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	if o := run(t, a.command, object{"command": []string{"/bin/echo", "a b"}}); o.Err != nil || !o.Logged("a b") {
		t.Errorf("%v\nwith\n%s", o.Err, lines)
	}
}

func TestParametersAreChecked(t *testing.T) {
	t.Parallel()
	a := agentWith(t, anyShell, nil)
	for parameters, want := range map[string]string{
		`{}`:                                      "neither command",
		`{"command":[]}`:                          "neither command",
		`{"command":["/x"],"shell":"y"}`:          "both",
		`{"command":[""]}`:                        "empty",
		`{"command":"ls"}`:                        "do not fit",
		`{"command":["/x",{"a":1}]}`:              "do not fit",
		`{"command":["/x","a\u0000b"]}`:           "NUL",
		`{"shell":"true","noRetryCode":[1]}`:      "noRetryCode",
		`{"shell":"true","grace":"1h"}`:           "grace",
		`{"shell":"true","outputLimit":-1}`:       "outputLimit",
		`{"shell":"true","encoding":"klingon"}`:   "gb18030",
		`{"shell":"true","env":{"BELFRY_X":"1"}}`: "Belfry's own",
		`{"shell":"true","user":"root"}`:          "not allowed",
	} {
		if o := run(t, a.command, parameters); !o.NoRetry || !strings.Contains(o.Error, want) {
			t.Errorf("%s: NoRetry %v, %s", parameters, o.NoRetry, o.Error)
		}
	}
}

func TestResultHasExitCodeAndEndOfOutput(t *testing.T) {
	t.Parallel()
	o := shell(t, `echo out; echo one >&2; echo "two 订单" >&2; exit 7`)
	r := resultOf(t, o)
	r.DurationMS = 0
	want := commandResult{ExitCode: 7, StdoutTail: "out", StderrTail: "one\ntwo 订单", StdoutBytes: 4, StderrBytes: 15}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Error(diff)
	}
	if o.Error != "exit code 7: two 订单" || o.NoRetry || o.Ending != "failed" {
		t.Errorf("%s, error %q, NoRetry %v", o.Ending, o.Error, o.NoRetry)
	}
	for _, line := range o.Logs {
		want := map[any]string{"stdout": "INFO", "stderr": "WARN"}[line.Fields["stream"]]
		if line.Level != want {
			t.Errorf("%+v, want the level %s", line, want)
		}
	}
}

func TestExitCodesThatMeanMore(t *testing.T) {
	t.Parallel()
	a := agentWith(t, anyShell, nil)
	parameters := func(code int) object {
		return object{"shell": fmt.Sprintf("exit %d", code), "successCodes": []int{0, 3}, "noRetryCodes": []int{64, 65}}
	}
	for code, want := range map[int][2]bool{0: {true, false}, 3: {true, false}, 1: {false, false}, 64: {false, true}, 65: {false, true}} {
		if o := run(t, a.command, parameters(code)); (o.Err == nil) != want[0] || o.NoRetry != want[1] {
			t.Errorf("exit code %d: %v, NoRetry %v", code, o.Err, o.NoRetry)
		}
	}
}

func TestSignalsAreNamed(t *testing.T) {
	t.Parallel()
	for name, code := range map[string]int{"SEGV": 139, "KILL": 137, "TERM": 143} {
		o := shell(t, "kill -"+name+" $$")
		if r := resultOf(t, o); r.Signal != "SIG"+name || r.ExitCode != code || !strings.Contains(o.Error, "SIG"+name) {
			t.Errorf("%s: %+v, %q", name, r, o.Error)
		}
	}
}

// The agent's own environment holds secrets: only listed names come along.
func TestEnvironmentIsBuiltAnew(t *testing.T) {
	t.Setenv("BELFRY_KEY", "the app's key")
	t.Setenv("DATABASE_PASSWORD", "hunter2")
	t.Setenv("LC_TEST", "passed on")
	a := agentWith(t, "environment: ['LC_*']\n"+`
commands:
  - program: /usr/bin/env
    arguments: ["-0"]
    environment: ["APP_*", TZ]
    set: {TZ: Europe/Berlin, FIXED: "1"}
`, nil)
	o := run(t, a.command, object{"command": []string{"/usr/bin/env", "-0"}, "env": object{"APP_A": "x=y\nz", "APP_N": 5, "APP_T": true, "TZ": "UTC"}, "encoding": "utf-8"},
		workertest.Attempt(2), workertest.MaxAttempts(3), workertest.UniqueKey("order-17\x00"), workertest.Shard(1, 4), workertest.Range(10, 20), workertest.Job("nightly"),
		workertest.ScheduledAt(time.Date(2026, 3, 8, 7, 30, 0, 0, time.UTC)), workertest.TraceParent("00-1-2-01"), workertest.TimeLimit(time.Hour))
	if o.Err != nil {
		t.Fatal(o.Err)
	}
	got := map[string]string{}
	for pair := range strings.SplitSeq(strings.Join(messages(o, "stdout"), "\n"), "␀") {
		if name, value, ok := strings.Cut(pair, "="); ok {
			got[name] = value
		}
	}
	for name, want := range map[string]string{
		"APP_A": "x=y\nz", "APP_N": "5", "APP_T": "true", "TZ": "Europe/Berlin", "FIXED": "1", "LC_TEST": "passed on", "LANG": "C.UTF-8",
		"BELFRY_TASK_ID": o.TaskID, "BELFRY_ATTEMPT": "2", "BELFRY_FENCE": "2", "BELFRY_MAX_ATTEMPTS": "3", "BELFRY_JOB": "nightly",
		"BELFRY_UNIQUE_KEY": "order-17", "BELFRY_SHARD": "1", "BELFRY_SHARDS": "4", "BELFRY_RANGE_FROM": "10", "BELFRY_RANGE_TO": "20",
		"BELFRY_SCHEDULED_AT": "2026-03-08T07:30:00Z", "TRACEPARENT": "00-1-2-01", "BELFRY_TRIGGER": "MANUAL",
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
	if !strings.Contains(got["PATH"], "/usr/bin") || got["BELFRY_DEADLINE"] == "" {
		t.Errorf("PATH %q, deadline %q", got["PATH"], got["BELFRY_DEADLINE"])
	}
	for _, secret := range []string{"BELFRY_KEY", "DATABASE_PASSWORD"} {
		if value, found := got[secret]; found {
			t.Errorf("%s=%s reached the program", secret, value)
		}
	}
}

func TestInputDirectoryAndUser(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	inner := filepath.Join(dir, "inner")
	if err := os.Mkdir(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	a := agentWith(t, "shell: [{any: true, directories: ["+dir+"], users: [nobody]}]", nil)
	input := strings.Repeat("订单\n", 40_000) // more than a pipe holds
	o := run(t, a.command, object{"shell": "pwd; wc -l; id -un", "dir": inner, "stdin": input})
	if got := messages(o, "stdout"); o.Err != nil || len(got) != 3 || got[0] != inner || strings.TrimSpace(got[1]) != "40000" {
		t.Errorf("%v %q", o.Err, got)
	}
	if o := run(t, a.command, object{"shell": "pwd", "dir": filepath.Join(dir, "link")}); !o.NoRetry || !strings.Contains(o.Error, "leads to /etc") {
		t.Errorf("a link out of the directory: %v", o.Error)
	}
	if o := run(t, a.command, object{"shell": "cat"}); o.Err != nil || len(o.Logs) != 0 {
		t.Errorf("without input: %v %v", o.Err, o.LogText())
	}
	if os.Geteuid() != 0 {
		if o := run(t, a.command, object{"shell": "id", "user": "nobody"}); !strings.Contains(o.Error, "does not run as root") {
			t.Errorf("another user without root: %v", o.Error)
		}
		return
	}
	o = run(t, a.command, object{"shell": `id -un; id -Gn; echo '{"n":1}' >"$BELFRY_RESULT_FILE"; ls "$(dirname "$BELFRY_RESULT_FILE")"`, "user": "nobody", "successCodes": []int{2}})
	if got := messages(o, "stdout"); o.Err != nil || len(got) != 2 || got[0] != "nobody" || strings.Contains(got[1], "root") {
		t.Errorf("as nobody: %v %q", o.Err, got)
	}
	if r := resultOf(t, o); string(r.Value) != `{"n":1}` {
		t.Errorf("result of nobody: %s", r.Value)
	}
}

func TestResultAndProgressFiles(t *testing.T) {
	t.Parallel()
	o := shell(t, `echo "0.25 quarter" >"$BELFRY_PROGRESS_FILE"; echo "75% nearly there" >>"$BELFRY_PROGRESS_FILE"; printf '{"rows": 17}' >"$BELFRY_RESULT_FILE"`)
	if r := resultOf(t, o); string(r.Value) != `{"rows":17}` {
		t.Errorf("value %s", r.Value)
	}
	if o.Progress.Fraction != 0.75 || o.Progress.Message != "nearly there" {
		t.Errorf("progress %+v", o.Progress)
	}
	if r := resultOf(t, shell(t, `echo "no JSON" >"$BELFRY_RESULT_FILE"`)); string(r.Value) != `"no JSON"` {
		t.Errorf("value %s", r.Value)
	}
	o = shell(t, `head -c 200000 /dev/zero | tr '\0' 1 >"$BELFRY_RESULT_FILE"`)
	if r := resultOf(t, o); r.Value != nil || !strings.Contains(o.LogText(), "longer than") {
		t.Errorf("value of %d bytes, %s", len(r.Value), o.LogText())
	}
	// A link in the file's place is not followed: the agent may read what the program may not.
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("hunter2"), 0o600); err != nil {
		t.Fatal(err)
	}
	o = shell(t, `rm "$BELFRY_RESULT_FILE" && ln -s `+secret+` "$BELFRY_RESULT_FILE"`)
	if r := resultOf(t, o); r.Value != nil {
		t.Errorf("the link was followed: %s", r.Value)
	}
}

func TestProgressLines(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"0.5 half way": "0.5|half way|true", "50% half": "0.5|half|true", "1": "1||true", "0": "0||true",
		"": "0||false", "half": "0||false", "NaN x": "0||false", "2 x": "0||false", "-1": "0||false", "101%": "0||false", "Inf": "0||false",
	} {
		fraction, words, ok := parseProgress(line)
		if got := fmt.Sprintf("%v|%s|%v", fraction, words, ok); got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
}

// Runs beside one another share neither files nor groups nor output.
func TestRunsBesideOneAnotherAreIsolated(t *testing.T) {
	t.Parallel()
	a := agentWith(t, anyShell, nil)
	for i := range 12 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			options := []workertest.Option{}
			text := fmt.Sprintf(`echo %d >"$BELFRY_RESULT_FILE"; for n in 1 2 3 4 5; do echo "%d.$n"; sleep 0.05; done`, i, i)
			if i%3 == 0 { // every third is ended in the middle of the others
				options, text = append(options, workertest.TimeLimit(100*time.Millisecond)), "sleep 60"
			}
			o := run(t, a.command, object{"shell": text}, options...)
			if i%3 == 0 {
				if o.Ending != "timed_out" {
					t.Errorf("%s %s", o.Ending, o.Error)
				}
				return
			}
			want := []string{}
			for n := range 5 {
				want = append(want, fmt.Sprintf("%d.%d", i, n+1))
			}
			if diff := cmp.Diff(want, messages(o, "stdout")); diff != "" || o.Err != nil {
				t.Errorf("%v %s", o.Err, diff)
			}
			if r := resultOf(t, o); string(r.Value) != fmt.Sprint(i) {
				t.Errorf("value %s", r.Value)
			}
		})
	}
}

func TestResultIsWhatTheDocumentSays(t *testing.T) {
	t.Parallel()
	o := shell(t, "echo hello")
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(o.Result, &fields); err != nil {
		t.Fatal(err)
	}
	doc := content(t, filepath.Join("..", "..", "docs", "agent.md"))
	for name := range fields {
		if !strings.Contains(doc, "`"+name+"`") {
			t.Errorf("docs/agent.md says nothing about %s", name)
		}
	}
	for _, known := range []string{commandKnown, httpKnown} {
		for name := range strings.SplitSeq(strings.ReplaceAll(known, " and ", ", "), ", ") {
			if !strings.Contains(doc, "`"+name+"`") {
				t.Errorf("docs/agent.md says nothing about %s", name)
			}
		}
	}
}
