package jobfile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const whole_ = `# the orders team
version: 1
app: orders
group: workers
x-often: &often
  maxAttempts: 5
  backoff: EXPONENTIAL
  delay: 30s
jobs:
  - name: nightly report
    handler: Report
    description: |
      The numbers of the day.
      For finance.
    labels: {team: billing, "belfry.dev/tier": "1"}
    trigger:
      cron:
        expression: "0 2 * * 1-5"
        zone: Europe/Berlin
        startAt: 2026-01-01T00:00:00+01:00
        jitter: 5m
        calendar: holidays
        onRestDay: NEXT_WORKING_DAY
    parameters:
      big: 12345678901234567890123
      list: [1, 2.50, null, true, "x"]
      text: no
    enabled: false
    priority: HIGH
    timeout: 90m
    retry: *often
    concurrency: SKIP
    maxRunning: 3
    misfire: {policy: FIRE_ALL, grace: 2m, limit: 7}
    delivery: AT_MOST_ONCE
    routing: {strategy: PINNED, node: n1, fallback: ANY, fallbackAfter: 10s}
  - name: after
    group: other
    handler: After
    retry:
      <<: *often
      maxAttempts: 2
    trigger:
      dependency:
        upstream:
          - job: nightly report
          - {job: import, app: data, on: COMPLETION}
        mode: ANY
        window: DAY
        zone: Asia/Shanghai
---
version: 1
app: data
jobs:
  - {name: import, handler: Import, trigger: {manual: true}}
  - {name: tick, handler: Tick, trigger: {fixedRate: {every: 10s}}}
  - {name: tock, handler: Tock, trigger: {fixedDelay: {delay: 1m}}}
`

var onlyFields = cmpopts.IgnoreUnexported(Job{}, Document{})

func TestReadEverything(t *testing.T) {
	t.Parallel()
	got, err := Read("jobs.yaml", []byte(whole_))
	if err != nil {
		t.Fatal(err)
	}
	no := false
	want := []Document{{Version: 1, App: "orders", Group: "workers", Jobs: []Job{{
		Name: "nightly report", Handler: "Report", Description: "The numbers of the day.\nFor finance.\n",
		Labels: map[string]string{"team": "billing", "belfry.dev/tier": "1"},
		Trigger: Trigger{Cron: &Cron{
			Expression: "0 2 * * 1-5", Zone: "Europe/Berlin", StartAt: "2026-01-01T00:00:00+01:00", Jitter: "5m", Calendar: "holidays", OnRestDay: "NEXT_WORKING_DAY",
		}},
		Parameters: []byte(`{"big":12345678901234567890123,"list":[1,2.50,null,true,"x"],"text":"no"}`),
		Enabled:    &no, Priority: "HIGH", Timeout: "90m", Retry: &Retry{MaxAttempts: 5, Backoff: "EXPONENTIAL", Delay: "30s"},
		Concurrency: "SKIP", MaxRunning: 3, Misfire: &Misfire{Policy: "FIRE_ALL", Grace: "2m", Limit: 7}, Delivery: "AT_MOST_ONCE",
		Routing: &Routing{Strategy: "PINNED", Node: "n1", Fallback: "ANY", FallbackAfter: "10s"},
	}, {
		Name: "after", Group: "other", Handler: "After", Retry: &Retry{MaxAttempts: 2, Backoff: "EXPONENTIAL", Delay: "30s"},
		Trigger: Trigger{Dependency: &Dependency{
			Upstream: []Upstream{{Job: "nightly report"}, {Job: "import", App: "data", On: "COMPLETION"}}, Mode: "ANY", Window: "DAY", Zone: "Asia/Shanghai",
		}},
	}}}, {Version: 1, App: "data", Jobs: []Job{
		{Name: "import", Handler: "Import", Trigger: Trigger{Manual: true}},
		{Name: "tick", Handler: "Tick", Trigger: Trigger{FixedRate: &FixedRate{Every: "10s"}}},
		{Name: "tock", Handler: "Tock", Trigger: Trigger{FixedDelay: &FixedDelay{Delay: "1m"}}},
	}}}
	if d := cmp.Diff(want, got, onlyFields); d != "" {
		t.Error(d)
	}
	if line, column := got[0].Jobs[0].Where("trigger.cron.zone"); line != 19 || column != 15 {
		t.Errorf("trigger.cron.zone stands at %d:%d", line, column)
	}
	if line, _ := got[0].Jobs[1].Where("trigger.dependency.upstream.1.on"); line != 47 {
		t.Errorf("the second upstream job's end stands in line %d", line)
	}
}

func TestWhatIsWrongIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	const head = "version: 1\napp: orders\njobs:\n"
	one := func(rest string) string { return head + "  - name: a\n    handler: H\n" + rest }
	manual := "    trigger: {manual: true}\n"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "", []string{"1: The file has no document"}},
		{"only a comment", "# hello\n", []string{"1: The file has no document"}},
		{"a list", "- a\n", []string{"1:1: the document is a list; write fields"}},
		{"no head", "jobs: []\n", []string{"1:1: app is missing", "1:1: version is missing"}},
		{"no jobs", "version: 1\napp: orders\n", []string{"1:1: jobs is missing"}},
		{"another version", "version: 2\napp: orders\njobs: []\n", []string{"1:10: version is 2; it must be 1 to 1."}},
		{"app in capitals", "version: 1\napp: Orders\njobs: []\n", []string{`2:6: app "Orders" is not allowed`}},
		{"jobs is an object", "version: 1\napp: orders\njobs:\n  a: b\n", []string{"4:3: jobs is an object; write a list"}},
		{"tabs", one("\ttrigger: {}\n"), []string{"6:1: It is not valid YAML"}},
		{"unquoted star", one("    trigger: {cron: {expression: * * * * *}}\n"), []string{"Put a cron expression in quotes."}},
		{"everything missing", head + "  - description: d\n", []string{"4:5: name is missing", "4:5: handler is missing", "4:5: trigger is missing"}},
		{"a typo", one("    timeuot: 5s\n" + manual), []string{`6:5: the job has no field "timeuot"; did you mean timeout?`}},
		{"a stranger", one("    retry: {tries: 3, maxAttempts: 3}\n" + manual), []string{`6:13: retry has no field "tries"; it has maxAttempts, backoff, delay, maxDelay, jitter.`}},
		{"twice", one("    handler: I\n" + manual), []string{`6:5: "handler" stands twice in the job; take one away.`}},
		{"two triggers", one("    trigger: {manual: true, fixedRate: {every: 5s}}\n"), []string{"6:14: trigger has fixedRate and manual; write exactly one of them."}},
		{"no trigger", one("    trigger: {}\n"), []string{"6:14: trigger says nothing; write one of cron, fixedRate, fixedDelay, dependency, manual."}},
		{"manual: false", one("    trigger: {manual: false}\n"), []string{"6:23: trigger.manual is false"}},
		{"numbers for texts", head + "  - name: 010\n    handler: 1.10\n    description: true\n" + manual, []string{
			`4:11: name is 010 and must be a text; put it in quotes: "010".`, `5:14: handler is 1.10 and must be a text; put it in quotes: "1.10".`, `6:18: description is true and must be a text`,
		}},
		{"small letters", one("    priority: high\n" + manual), []string{`6:15: priority is "high"; it is written in capitals: HIGH.`}},
		{"a strange word", one("    delivery: ONCE\n" + manual), []string{`6:15: delivery is "ONCE"; it must be one of AT_LEAST_ONCE, AT_MOST_ONCE.`}},
		{"bad lengths", one("    timeout: 5\n    retry: {maxAttempts: 0, delay: 5 minutes}\n    misfire: {grace: 1ms}\n" + manual), []string{
			`6:14: timeout is 5; write a length of time with its unit, such as 5s or 5m.`, "7:26: retry.maxAttempts is 0; it must be 1 to 1,000.", `7:36: retry.delay is "5 minutes"; write a length of time`, "8:22: misfire.grace is 1ms; it must be 1s to 366 days.",
		}},
		{"maxDelay", one("    retry: {maxAttempts: 2, delay: 2h, maxDelay: 1h}\n" + manual), []string{"6:50: retry.maxDelay is 1h0m0s and shorter than retry.delay, 2h0m0s"}},
		{"cron", one("    trigger: {cron: {expression: \"61 * * * *\", zone: Europe/Munich, startAt: tomorrow}}\n"), []string{
			`6:34: The expression "61 * * * *" is wrong at minute field, position 1`, `Europe/Berlin`, `startAt is "tomorrow"; write an instant`,
		}},
		{"onRestDay", one("    trigger: {cron: {expression: \"@daily\", onRestDay: SKIP}}\n"), []string{"trigger.cron.onRestDay has no effect without trigger.cron.calendar"}},
		{"labels", one("    labels: {a: 1, b: [x]}\n" + manual), []string{`6:17: labels.a is 1 and must be a text`, "6:23: labels.b is a list; write a text."}},
		{"upstream", one("    trigger: {dependency: {upstream: [{job: a}]}}\n"), []string{"6:45: The job would wait for itself"}},
		{"no upstream", one("    trigger: {dependency: {upstream: []}}\n"), []string{"trigger.dependency.upstream has 0 entries; it must be 1 to 100."}},
		{"routing", one("    routing: {strategy: RANDOM, node: n1}\n" + manual), []string{"6:39: routing.node is only for the strategy PINNED"}},
		{"pinned to nothing", one("    routing: {strategy: PINNED}\n" + manual), []string{"routing.node is missing"}},
		{"the same name", one(manual) + "  - name: a\n    handler: I\n" + manual, []string{`7:11: The job "a" of the app orders stands in f line 4 already`}},
		{"an alias to nothing", one("    retry: *nothing\n" + manual), []string{"6:12"}},
		{"not a number", one("    parameters: {a: .nan}\n" + manual), []string{"6:21: parameters.a is no finite number, which JSON does not have."}},
		{"not UTF-8", one("    description: \"\xff\"\n" + manual), []string{"6: The file is not valid UTF-8"}},
		{"brackets", one("    parameters: " + strings.Repeat("[", 100_000) + "\n" + manual), []string{"too many brackets"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := Read("f", []byte(c.text))
			if err == nil {
				t.Fatal("it was accepted")
			}
			got := err.Error()
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("no %q in:\n%s", want, got)
				}
			}
			if lines := strings.Count(got, "\n") + 1; lines < len(c.want) && c.name != "cron" || lines > max(len(c.want), 3) {
				t.Errorf("%d problems:\n%s", lines, got)
			}
		})
	}
}

// Aliases within aliases are a few lines that stand for more than any memory.
func TestAliasesAreBounded(t *testing.T) {
	t.Parallel()
	text := "version: 1\napp: a\nx-a: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
	for i := range 9 {
		n, m := string(rune('0'+i)), string(rune('1'+i))
		text += "x-" + m + ": &a" + m + " [" + strings.TrimSuffix(strings.Repeat("*a"+n+", ", 10), ", ") + "]\n"
	}
	text += "jobs:\n  - {name: a, handler: H, trigger: {manual: true}, parameters: *a9}\n"
	if _, err := Read("f", []byte(text)); err == nil || !strings.Contains(err.Error(), "more than 1000000 values") {
		t.Errorf("got %v", err)
	}
}

// What is merged in may name itself.
func TestMergesAreBounded(t *testing.T) {
	t.Parallel()
	text := "version: 1\napp: a\nx-a: &a\n  <<: [*a, *a, *a]\n  b: c\njobs:\n  - <<: *a\n    name: x\n"
	if _, err := Read("f", []byte(text)); err == nil {
		t.Error("it was accepted")
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(whole_))
	f.Add([]byte("version: 1\napp: a\njobs:\n  - &x {name: *x}\n"))
	f.Add([]byte("version: 1\napp: a\njobs:\n  - <<: [*a, {b: c}]\n    ? [a]\n    : !!str 1\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 10_000 {
			return
		}
		documents, err := Read("f", text)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without words")
			}
			return
		}
		again(t, documents)
	})
}

// again writes documents and reads them back.
func again(t interface {
	Helper()
	Fatalf(string, ...any)
}, documents []Document,
) {
	t.Helper()
	text, err := Write(documents)
	if err != nil {
		t.Fatalf("writing: %v", err)
	}
	back, err := Read("written", text)
	if err != nil {
		t.Fatalf("what was written cannot be read: %v\n%s", err, text)
	}
	if len(back) != len(documents) {
		t.Fatalf("%d documents became %d\n%s", len(documents), len(back), text)
	}
	for i, d := range documents {
		if back[i].App != d.App || len(back[i].Jobs) != len(d.Jobs) {
			t.Fatalf("the document %d became another\n%s", i, text)
		}
		for k, j := range d.Jobs {
			a, b := j.Normal(d.App, d.Group), back[i].Jobs[k].Normal(d.App, d.Group)
			if diff := Differences(&a, &b); a.Name != b.Name || len(diff) > 0 {
				t.Fatalf("the job %q became %q: %+v\n%s", a.Name, b.Name, diff, text)
			}
		}
	}
}
