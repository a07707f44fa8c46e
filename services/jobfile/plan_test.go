package jobfile

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func read(t *testing.T, text string) []Source {
	t.Helper()
	documents, err := Read("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return []Source{{"f", documents}}
}

func TestPlan(t *testing.T) {
	t.Parallel()
	wanted := read(t, `{version: 1, app: a, jobs: [
  {name: late, handler: L, trigger: {dependency: {upstream: [{job: early}, {job: kept}]}}},
  {name: early, handler: E, trigger: {cron: {expression: "0 2 * * *"}}, parameters: {token: geheim}},
  {name: kept, handler: K, trigger: {manual: true}, parameters: {n: 1.0, a.b: 1}},
  {name: changed, handler: C2, trigger: {fixedRate: {every: 60s}}, parameters: {key: new}, labels: {team: x}},
]}`)
	server := read(t, `{version: 1, app: a, jobs: [
  {name: kept, handler: K, trigger: {manual: true}, parameters: {n: 1, a.b: 1}, enabled: false},
  {name: changed, handler: C, trigger: {cron: {expression: "* * * * *", zone: Asia/Tokyo}}, parameters: {key: old, gone: 1}, maxRunning: 2},
  {name: first, handler: F, trigger: {manual: true}},
  {name: second, handler: S, trigger: {dependency: {upstream: [{job: first}]}}},
]}`)
	var live []Live
	for _, j := range server[0].Documents[0].Jobs {
		live = append(live, Live{ID: "id-" + j.Name, Version: 3, Job: j})
	}
	p := Make(wanted, map[string][]Live{"a": live}, true)
	if !p.Drift() {
		t.Error("no drift")
	}
	const want = `+ create a/early
    group: "default"
    handler: "E"
    trigger.cron.expression: "0 2 * * *"
    parameters.token: set (hidden)
+ create a/late
    group: "default"
    handler: "L"
    trigger.dependency.upstream.0.job: "early"
    trigger.dependency.upstream.1.job: "kept"
~ update a/changed
    handler: "C" → "C2"
    labels.team: nothing → "x"
    trigger.cron.expression: "* * * * *" → nothing
    trigger.cron.zone: "Asia/Tokyo" → nothing
    trigger.fixedRate.every: nothing → "1m0s"
    parameters.gone: taken away (hidden)
    parameters.key: changed (hidden)
    maxRunning: 2 → nothing
- delete a/second
- delete a/first

2 to create, 1 to change, 2 to delete, 1 unchanged.
`
	if d := cmp.Diff(want, p.Show(false)); d != "" {
		t.Error(d)
	}
	kept := Make(wanted, map[string][]Live{"a": live}, false)
	if got := kept.Counts(); got != "2 to create, 1 to change, 0 to delete, 1 unchanged. On the server and in no file: 2 (kept; --prune deletes them)." {
		t.Error(got)
	}
}

// A paused job that the file says nothing of is no drift; one that it wants enabled is.
func TestEnabledIsLeftAloneUnlessNamed(t *testing.T) {
	t.Parallel()
	no := false
	live := map[string][]Live{"a": {{Job: Job{Name: "j", Handler: "H", Trigger: Trigger{Manual: true}, Enabled: &no}}}}
	silent := Make(read(t, `{version: 1, app: a, jobs: [{name: j, handler: H, trigger: {manual: true}}]}`), live, false)
	if silent.Drift() {
		t.Error(silent.Show(false))
	}
	loud := Make(read(t, `{version: 1, app: a, jobs: [{name: j, handler: H, trigger: {manual: true}, enabled: true}]}`), live, false)
	if got := loud.Changes[0].Fields; len(got) != 1 || got[0].Path != "enabled" {
		t.Error(loud.Show(false))
	}
}

func TestNumbersOfAnySizeAreCompared(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		x, y string
		want bool
	}{
		{"1", "1.0", true},
		{"1e2", "100", true},
		{"9007199254740993", "9007199254740992", false},
		{"0.1", "0.10", true},
		{"1e999999999", "1e999999998", false},
		{"1e-999999999", "0", true},
		{"-0", "0", true},
		{"1", "2", false},
	} {
		if got := sameNumber(c.x, c.y); got != c.want {
			t.Errorf("%s and %s: %t", c.x, c.y, got)
		}
	}
}
