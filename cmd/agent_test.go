package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/belfry-scheduler/belfry/internal/apptest"
)

// farm is a server and agents, all of them processes of the real binary in the C
// locale, as the oldest machines have it.
type farm struct {
	t     *testing.T
	api   apptest.API
	key   string
	group string
	allow string
}

var cLocale = []string{"LANG=C", "LC_ALL=POSIX"}

func newFarm(t *testing.T, list string) *farm {
	t.Helper()
	dir := t.TempDir()
	server := apptest.Start(t, "server", cLocale, apptest.Binary(t), "dev", "--no-demo", "--listen", "127.0.0.1:0", "--data", filepath.Join(dir, "data"))
	f := &farm{t: t, api: apptest.API{URL: server.Await(t, apptest.Ready)}, allow: filepath.Join(dir, "allow.yaml")}
	token, err := os.ReadFile(server.Await(t, "API token"))
	if err != nil {
		t.Fatal(err)
	}
	f.api.Token = strings.TrimSpace(string(token))
	type payload struct {
		CreateApp struct {
			Key string
			App struct{ NodeGroups []struct{ ID string } }
		}
	}
	made := apptest.Do[payload](t, f.api, `mutation{createApp(input:{name:"shop"}){key app{nodeGroups{id}} userErrors{message}}}`, nil).CreateApp
	f.key, f.group = made.Key, made.App.NodeGroups[0].ID
	f.write(list)
	return f
}

func (f *farm) write(list string) {
	f.t.Helper()
	if err := os.WriteFile(f.allow, []byte(list), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

// agent starts an agent with the key on its command line, where it does not stay.
func (f *farm) agent(node string, more ...string) *apptest.Process {
	f.t.Helper()
	args := append([]string{"agent", "--server", f.api.URL, "--app", "shop", "--key", f.key, "--group", "default", "--name", node, "--allow", f.allow}, more...)
	return apptest.Start(f.t, "agent "+node, append([]string{"SECRET_OF_THE_AGENT=hunter2"}, cLocale...), apptest.Binary(f.t), args...)
}

// run makes a job and runs it: it answers the task's id.
func (f *farm) run(handler, name string, parameters map[string]any) string {
	f.t.Helper()
	type job struct {
		CreateJob struct {
			Job        struct{ ID string }
			UserErrors []struct{ Message string }
		}
	}
	made := apptest.Do[job](f.t, f.api, `mutation($in:CreateJobInput!){createJob(input:$in){job{id} userErrors{message}}}`, map[string]any{"in": map[string]any{
		"group": f.group, "name": name, "handler": handler, "parameters": parameters, "trigger": map[string]any{"manual": true},
		"retry": map[string]any{"maxAttempts": 2, "backoff": "FIXED", "delay": "100ms"},
	}}).CreateJob
	if len(made.UserErrors) > 0 {
		f.t.Fatalf("%v", made.UserErrors)
	}
	type task struct {
		TriggerJob struct{ Task struct{ ID string } }
	}
	return apptest.Do[task](f.t, f.api, `mutation($job:ID!){triggerJob(input:{job:$job}){task{id} userErrors{message}}}`, map[string]any{"job": made.Job.ID}).TriggerJob.Task.ID
}

type taskSeen struct {
	State    string
	Error    string
	Result   json.RawMessage
	Attempts []struct{ Number int }
	Logs     struct {
		Nodes []struct {
			Message string
			Attempt int
			Fields  map[string]any
		}
	}
}

func (s taskSeen) logged(message string) bool {
	for _, line := range s.Logs.Nodes {
		if line.Message == message {
			return true
		}
	}
	return false
}

func (f *farm) await(id, what string, seen func(taskSeen) bool) taskSeen {
	f.t.Helper()
	var last taskSeen
	apptest.Until(f.t, what, func() bool {
		type answer struct{ Task taskSeen }
		last = apptest.Do[answer](f.t, f.api, `query($id:ID!){task(id:$id){state error result attempts{number} logs(first:1000){nodes{message attempt fields}}}}`, map[string]any{"id": id}).Task
		return seen(last)
	})
	return last
}

func (f *farm) awaitState(id, state string) taskSeen {
	f.t.Helper()
	return f.await(id, "the state "+state, func(s taskSeen) bool { return s.State == state })
}

// UTF-8 arrives, and other bytes readably, whatever the locale is (CB-110).
func TestAgentRunsCommandsInTheCLocale(t *testing.T) {
	t.Parallel()
	f := newFarm(t, "")
	agent := f.agent("a1")
	// Nothing is allowed by default; the advice is enough, without a restart.
	refused := f.awaitState(f.run("command", "refused", map[string]any{"command": []string{"/usr/bin/printf", `订单\n\266\251\265\245\n\377\n`}}), "FAILED")
	if len(refused.Attempts) != 1 {
		t.Errorf("a refused task was tried %d times", len(refused.Attempts))
	}
	_, lines, found := strings.Cut(refused.Error, "regular expressions):\n")
	lines, _, _ = strings.Cut(lines, "\nThe agent's allow-list")
	if !found {
		t.Fatalf("error %q", refused.Error)
	}
	f.write(lines)
	id := f.run("command", "charsets", map[string]any{"command": []string{"/usr/bin/printf", `订单\n\266\251\265\245\n\377\n`}})
	done := f.awaitState(id, "SUCCEEDED")
	for _, want := range []string{"订单", "\uFFFD"} {
		if !done.logged(want) {
			t.Errorf("no line %q in %+v", want, done.Logs.Nodes)
		}
	}
	var result struct{ StdoutTail string }
	if err := json.Unmarshal(done.Result, &result); err != nil || result.StdoutTail != "订单\n订单\n\uFFFD" {
		t.Errorf("%s %v", done.Result, err)
	}
	cmdline, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", agent.PID()))
	if err != nil || bytes.Contains(cmdline, []byte(f.key)) || !bytes.Contains(cmdline, []byte("--key\x00xxx")) {
		t.Errorf("%v; the list of processes shows %q", err, cmdline)
	}
	agent.Signal(t, syscall.SIGTERM)
	if code := agent.Wait(t); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// forever ignores SIGTERM, and so does its child; it notes both.
const forever = `trap '' TERM
sh -c 'trap "" TERM; echo $$ >"$0"; while :; do sleep 1; done' "$FILE.child" &
echo $$ >"$FILE"; echo running; while :; do sleep 1; done`

func alive(t *testing.T, file string) bool {
	t.Helper()
	pid, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	stat, err := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/stat")
	return err == nil && !bytes.Contains(stat, []byte(") Z "))
}

func TestCancelAndTheAgentsDeathEndTheFamily(t *testing.T) {
	t.Parallel()
	f := newFarm(t, "shell: [{any: true, environment: [FILE]}]")
	file := filepath.Join(t.TempDir(), "pid")
	parameters := func(name string) map[string]any {
		text := `[ "$BELFRY_ATTEMPT" = 2 ] && { echo taken over; exit 0; }` + "\n" + forever
		return map[string]any{"shell": text, "env": map[string]any{"FILE": file + name}, "grace": "500ms"}
	}
	running := func(s taskSeen) bool {
		_, err := os.Stat(file + "1.child")
		return s.logged("running") && err == nil
	}
	first := f.agent("a1")
	id := f.run("command", "cancelled", parameters("1"))
	f.await(id, "a running program", running)
	apptest.Do[any](t, f.api, `mutation($id:ID!){cancelTask(id:$id,reason:"enough"){userErrors{message}}}`, map[string]any{"id": id})
	done := f.awaitState(id, "CANCELLED")
	if len(done.Attempts) != 1 || !strings.Contains(done.Error, "SIGKILL") {
		t.Errorf("%d attempts, error %q", len(done.Attempts), done.Error)
	}
	for _, name := range []string{"1", "1.child"} {
		if alive(t, file+name) {
			t.Errorf("%s still runs when the task is cancelled", name)
		}
	}
	id = f.run("command", "orphaned", parameters("2"))
	f.await(id, "a running program", func(s taskSeen) bool {
		_, err := os.Stat(file + "2.child")
		return s.logged("running") && err == nil
	})
	first.Kill(t)
	f.agent("a1")
	done = f.awaitState(id, "SUCCEEDED")
	if len(done.Attempts) != 2 || !done.logged("taken over") || !done.logged("running") {
		t.Errorf("%d attempts, log %+v", len(done.Attempts), done.Logs.Nodes)
	}
	for _, name := range []string{"2", "2.child"} {
		apptest.Until(t, name+" to end after its agent", func() bool { return !alive(t, file+name) })
	}
}

func TestAgentSaysWhatIsWrongWithItsFlags(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.yaml")
	if err := os.WriteFile(bad, []byte("comands: []"), 0o600); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	none := filepath.Join(dir, "none.yaml")
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"no key":        {[]string{"--app", "shop", "--allow", none}, "BELFRY_KEY"},
		"two keys":      {[]string{"--app", "shop", "--allow", none, "--key", "k", "--key-file", empty}, "give one"},
		"an empty file": {[]string{"--app", "shop", "--allow", none, "--key-file", empty}, "is empty"},
		"no such file":  {[]string{"--app", "shop", "--allow", none, "--key-file", none}, "no such file"},
		"a bad list":    {[]string{"--app", "shop", "--key", "k", "--allow", bad}, "comands"},
		"slots":         {[]string{"--app", "shop", "--key", "k", "--allow", none, "--slots=-1"}, "--slots is -1"},
		"a server":      {[]string{"--app", "shop", "--key", "k", "--allow", none, "--server", "ftp://x"}, `--server: "ftp://x" has no http or https scheme`},
		"drain":         {[]string{"--app", "shop", "--key", "k", "--allow", none, "--drain-timeout=-1s"}, "--drain-timeout is -1s"},
	} {
		var out, errs bytes.Buffer
		code := Main(t.Context(), append([]string{"agent"}, tt.args...), IO{Stdin: &out, Stdout: &out, Stderr: &errs})
		if code != exitUsage || !strings.Contains(errs.String(), tt.want) {
			t.Errorf("%s: exit code %d, %s", name, code, errs.String())
		}
	}
}
