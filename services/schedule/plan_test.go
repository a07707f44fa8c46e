package schedule

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// planned prints a decision compactly: fires as clock times with ! for a
// misfire, missed ranges, the next fire.
func planned(r PlanResult) string {
	const clock = "15:04:05"
	text := "fire"
	for _, f := range r.Fires {
		text += " " + f.At.Format(clock)
		if f.Misfire {
			text += "!"
		}
	}
	for _, m := range r.Missed {
		text += fmt.Sprintf("; %s %d %s-%s", m.Reason, m.Count, m.First.Format(clock), m.Last.Format(clock))
	}
	if r.Next.IsZero() {
		return text + "; finished"
	}
	return text + "; next " + r.Next.Format(clock)
}

// TestOutageOvernight is CB-037: a job of every minute is down from 10:00:30
// to 11:45:30 and misses 105 fires.
func TestOutageOvernight(t *testing.T) {
	t.Parallel()
	trigger := mustCompile(t, Spec{Kind: KindCron, Expression: "* * * * *"})
	tests := []struct {
		name    string
		misfire Misfire
		want    string
	}{
		{
			"skip",
			Misfire{Policy: PolicySkip, Grace: 10 * time.Second},
			"fire; MISFIRE_SKIPPED 105 10:01:00-11:45:00; next 11:46:00",
		},
		{
			"skip by default",
			Misfire{Policy: PolicySkip},
			"fire; MISFIRE_SKIPPED 105 10:01:00-11:45:00; next 11:46:00",
		},
		{
			"skip, with 11:45 within the grace",
			Misfire{Policy: PolicySkip, Grace: time.Minute},
			"fire 11:45:00; MISFIRE_SKIPPED 104 10:01:00-11:44:00; next 11:46:00",
		},
		{
			"once",
			Misfire{Policy: PolicyFireOnce, Grace: 10 * time.Second},
			"fire 11:45:00!; MISFIRE_COALESCED 104 10:01:00-11:44:00; next 11:46:00",
		},
		{
			"once by default, the fire within the grace stands for all",
			Misfire{},
			"fire 11:45:00; MISFIRE_COALESCED 104 10:01:00-11:44:00; next 11:46:00",
		},
		{
			"all up to 3",
			Misfire{Policy: PolicyFireAll, Limit: 3, Grace: -1},
			"fire 11:43:00! 11:44:00! 11:45:00!; MISFIRE_LIMIT 102 10:01:00-11:42:00; next 11:46:00",
		},
		{
			"all up to 3, one of them within the grace",
			Misfire{Policy: PolicyFireAll, Limit: 3},
			"fire 11:43:00! 11:44:00! 11:45:00; MISFIRE_LIMIT 102 10:01:00-11:42:00; next 11:46:00",
		},
	}
	for _, test := range tests {
		got := Plan(PlanInput{
			Trigger: trigger, Next: instant(t, "2026-03-01T10:01:00Z"), Now: instant(t, "2026-03-01T11:45:30Z"), Misfire: test.misfire,
		})
		if diff := cmp.Diff(test.want, planned(got)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", test.name, diff)
		}
	}
	all := Plan(PlanInput{
		Trigger: trigger, Next: instant(t, "2026-03-01T10:01:00Z"), Now: instant(t, "2026-03-01T11:45:30Z"),
		Misfire: Misfire{Policy: PolicyFireAll, Limit: 20},
	})
	if len(all.Fires) != 20 || all.Missed[0].Count != 85 || !all.Fires[19].At.Equal(instant(t, "2026-03-01T11:45:00Z")) {
		t.Errorf("run-all with cap 20: %s", planned(all))
	}
}

// TestSlowDatabase is CB-040: a daily job found 45 seconds late runs late; only
// the policy to skip, with a shorter grace, rolls it to the next day, and says so.
func TestSlowDatabase(t *testing.T) {
	t.Parallel()
	trigger := mustCompile(t, Spec{Kind: KindCron, Expression: "0 2 * * *"})
	in := PlanInput{Trigger: trigger, Next: instant(t, "2026-03-01T02:00:00Z"), Now: instant(t, "2026-03-01T02:00:45Z")}
	for misfire, want := range map[Misfire]string{
		{}:                                    "fire 02:00:00; next 02:00:00",
		{Grace: time.Second}:                  "fire 02:00:00!; next 02:00:00",
		{Policy: PolicyFireAll}:               "fire 02:00:00; next 02:00:00",
		{Policy: PolicySkip}:                  "fire; MISFIRE_SKIPPED 1 02:00:00-02:00:00; next 02:00:00",
		{Policy: PolicySkip, Grace: 1}:        "fire; MISFIRE_SKIPPED 1 02:00:00-02:00:00; next 02:00:00",
		{Policy: PolicySkip, Grace: 5 * 1e10}: "fire 02:00:00; next 02:00:00",
	} {
		in.Misfire = misfire
		got := Plan(in)
		if planned(got) != want || !got.Next.Equal(instant(t, "2026-03-02T02:00:00Z")) {
			t.Errorf("%+v: %s %s", misfire, planned(got), got.Next)
		}
	}
}

// TestGraceIsIncluded: a fire late by exactly the grace simply fires.
func TestGraceIsIncluded(t *testing.T) {
	t.Parallel()
	trigger := mustCompile(t, Spec{Kind: KindCron, Expression: "0 2 * * *"})
	slot := instant(t, "2026-03-01T02:00:00Z")
	for _, policy := range []Policy{PolicySkip, PolicyFireOnce, PolicyFireAll} {
		in := PlanInput{Trigger: trigger, Next: slot, Now: slot.Add(GraceOf(policy)), Misfire: Misfire{Policy: policy}}
		if got := Plan(in); len(got.Fires) != 1 || got.Fires[0].Misfire || got.Missed != nil {
			t.Errorf("%s, late by the grace: %s", policy, planned(got))
		}
		in.Now = in.Now.Add(time.Microsecond)
		if got := Plan(in); len(got.Missed) == 1 != (policy == PolicySkip) || policy != PolicySkip && !got.Fires[0].Misfire {
			t.Errorf("%s, late by more: %s", policy, planned(got))
		}
	}
}

// TestTimerWakesEarly is CB-053: the next fire comes from the one just fired,
// so that waking early, and twice, gives one run.
func TestTimerWakesEarly(t *testing.T) {
	t.Parallel()
	trigger := mustCompile(t, Spec{Kind: KindCron, Expression: "0 12 * * *"})
	next := instant(t, "2026-03-01T12:00:00Z")
	var fires []string
	for _, now := range []string{"2026-03-01T11:59:59.995Z", "2026-03-01T12:00:00Z", "2026-03-01T12:00:00Z"} {
		got := Plan(PlanInput{Trigger: trigger, Next: next, Now: instant(t, now), Horizon: instant(t, now).Add(5 * time.Second)})
		for _, f := range got.Fires {
			fires = append(fires, f.At.Format(time.RFC3339))
		}
		next = got.Next
	}
	if diff := cmp.Diff([]string{"2026-03-01T12:00:00Z"}, fires); diff != "" {
		t.Error(diff)
	}
	if want := instant(t, "2026-03-02T12:00:00Z"); !next.Equal(want) {
		t.Errorf("next %v", next)
	}
}

// TestFarAheadIsNotDue is CB-112: a fire a year away is neither early nor lost.
func TestFarAheadIsNotDue(t *testing.T) {
	t.Parallel()
	trigger := mustCompile(t, Spec{Kind: KindCron, Expression: "0 0 1 1 *"})
	now := instant(t, "2026-01-02T00:00:00Z")
	next, _ := trigger.Next(now)
	for range 400 {
		got := Plan(PlanInput{Trigger: trigger, Next: next, Now: now, Horizon: now.Add(time.Second)})
		if due := !next.After(now.Add(time.Second)); (len(got.Fires) == 1) != due {
			t.Fatalf("at %v: %s", now, planned(got))
		}
		next, now = got.Next, now.Add(24*time.Hour)
	}
	if want := instant(t, "2028-01-01T00:00:00Z"); !next.Equal(want) {
		t.Errorf("next %v", next)
	}
}

// TestStoredNonsense: values a damaged row may hold lead to a decision, not to
// a panic or a loop (CB-116).
func TestStoredNonsense(t *testing.T) {
	t.Parallel()
	trigger := mustCompile(t, Spec{Kind: KindCron, Expression: "* * * * * *"})
	now := instant(t, "2026-03-01T00:00:00Z")
	if got := Plan(PlanInput{Trigger: trigger, Now: now}); !got.Next.IsZero() || got.More || got.Fires != nil || got.Missed != nil {
		t.Errorf("no next fire: %+v", got)
	}
	future := time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	if got := Plan(PlanInput{Trigger: trigger, Next: future, Now: now}); !got.Next.Equal(future) || got.Fires != nil {
		t.Errorf("year 9999: %+v", got)
	}
	past := time.Date(1, 1, 5, 0, 0, 0, 0, time.UTC)
	if got := Plan(PlanInput{Trigger: trigger, Next: past, Now: now, Misfire: Misfire{Grace: -1}}); len(got.Fires) != 1 || !got.Missed[0].AtLeast || got.Missed[0].Count != MaxCounted {
		t.Errorf("year 1: %s", planned(got))
	}
}

// TestFixedDelayIsNeverLost: skipping it would leave the job without a run
// whose end starts the next.
func TestFixedDelayIsNeverLost(t *testing.T) {
	t.Parallel()
	trigger := mustCompile(t, Spec{Kind: KindFixedDelay, Delay: time.Minute})
	got := Plan(PlanInput{
		Trigger: trigger, Next: instant(t, "2026-03-01T10:00:00Z"), Now: instant(t, "2026-03-01T12:00:00Z"), Misfire: Misfire{Policy: PolicySkip},
	})
	if want := "fire 10:00:00!; finished"; planned(got) != want {
		t.Errorf("%s, want %s", planned(got), want)
	}
}

func TestPlanBoundsItsWork(t *testing.T) {
	t.Parallel()
	now := instant(t, "2026-03-01T00:00:00Z")
	for _, spec := range []Spec{
		{Kind: KindCron, Expression: "* * * * * *"},
		{Kind: KindCron, Expression: "* * * 29 2 ?", Zone: "America/New_York"},
		{Kind: KindFixedRate, Every: time.Millisecond},
	} {
		trigger := mustCompile(t, spec)
		next, _ := trigger.Next(now.AddDate(-40, 0, 0))
		got := Plan(PlanInput{Trigger: trigger, Next: next, Now: now, Misfire: Misfire{Policy: PolicyFireAll, Limit: 1 << 40, Grace: -1}, MaxFires: 7})
		if len(got.Fires) != 7 || !got.More || len(got.Missed) != 1 {
			t.Errorf("%+v: %s, more %v", spec, planned(got), got.More)
		}
		exact := spec.Kind == KindFixedRate
		if m := got.Missed[0]; m.AtLeast == exact || !exact && m.Count != MaxCounted {
			t.Errorf("%+v: missed %+v", spec, m)
		}
		if kept := (missedRun{trigger: trigger, first: got.Fires[0].At, end: now.Add(1)}).after(got.Fires[0].At, 2*MaxLimit); len(kept) != MaxLimit-1 {
			t.Errorf("%+v: %d fires kept, want %d", spec, len(kept)+1, MaxLimit)
		}
	}
}

// TestPlanLosesNothing drives random jobs through random wakes and outages and
// compares with a plain list of all fires: each is either fired or counted as
// missed, exactly once and in order, and the policy's promises hold.
func TestPlanLosesNothing(t *testing.T) {
	t.Parallel()
	specs := []Spec{
		{Kind: KindCron, Expression: "* * * * *"},
		{Kind: KindCron, Expression: "*/7 * * * * ?", Jitter: time.Second},
		{Kind: KindCron, Expression: "0,1,2,30 1,2 * * *", Zone: "America/New_York"},
		{Kind: KindFixedRate, Every: 1500 * time.Millisecond, StartAt: instant(t, "2026-03-08T01:00:00.0001Z")},
		{Kind: KindFixedRate, Every: time.Hour, EndAt: instant(t, "2026-03-09T00:00:00Z")},
	}
	rapid.Check(t, func(t *rapid.T) {
		spec := rapid.SampledFrom(specs).Draw(t, "spec")
		trigger, err := Compile(spec, "")
		if err != nil {
			t.Fatal(err)
		}
		misfire := Misfire{
			Policy: rapid.SampledFrom([]Policy{PolicySkip, PolicyFireOnce, PolicyFireAll}).Draw(t, "policy"),
			Grace:  time.Duration(rapid.IntRange(-1, 120).Draw(t, "grace")) * time.Second,
			Limit:  rapid.IntRange(1, 50).Draw(t, "limit"),
		}
		rules := misfire.orDefaults()
		now := time.Date(2026, 3, 8, 0, 0, 0, 0, time.UTC)
		next, ok := trigger.Next(now)
		want, wanted := next, ok // the next fire not yet accounted for
		step := func(upTo time.Time) int {
			count := 1
			for ; want.Before(upTo); count++ {
				want, wanted = trigger.Next(want)
			}
			if !wanted || !want.Equal(upTo) {
				t.Fatalf("%s is not the next fire, %s is", upTo, want)
			}
			want, wanted = trigger.Next(want)
			return count
		}
		for range rapid.IntRange(1, 8).Draw(t, "wakes") {
			now = now.Add(time.Duration(rapid.OneOf(rapid.IntRange(0, 20_000), rapid.IntRange(0, 20_000_000)).Draw(t, "ms")) * time.Millisecond)
			horizon := now.Add(time.Duration(rapid.IntRange(-1, 90).Draw(t, "look-ahead")) * time.Second)
			got := Plan(PlanInput{
				Trigger: trigger, Next: next, Now: now, Horizon: horizon, Misfire: misfire,
				MaxFires: rapid.IntRange(0, 30).Draw(t, "bound"), Seed: "job",
			})
			for _, m := range got.Missed {
				if !m.First.Equal(want) || !m.Last.Before(now.Add(-rules.Grace)) || m.AtLeast || step(m.Last) != m.Count {
					t.Fatalf("missed %+v, %s is next", m, want)
				}
			}
			misfires := 0
			for _, f := range got.Fires {
				if step(f.At) != 1 || f.Misfire != f.At.Before(now.Add(-rules.Grace)) || f.At.After(later(now, horizon)) {
					t.Fatalf("fire %+v at %s", f, now)
				}
				if late := f.Available.Sub(f.At); late < 0 || late > spec.Jitter {
					t.Fatalf("fire %+v", f)
				}
				if f.Misfire {
					misfires++
				}
			}
			checkPolicy(t, rules, got, misfires)
			if got.Next.IsZero() == wanted || wanted && !got.Next.Equal(want) || got.More != (wanted && !want.After(later(now, horizon))) {
				t.Fatalf("next %s (more %v), want %s", got.Next, got.More, want)
			}
			next = got.Next
		}
	})
}

func checkPolicy(t *rapid.T, rules Misfire, got PlanResult, misfires int) {
	most := map[Policy]int{PolicySkip: 0, PolicyFireOnce: 1, PolicyFireAll: rules.Limit}[rules.Policy]
	if misfires > most {
		t.Fatalf("%d misfires run under %s", misfires, rules.Policy)
	}
	reason := map[Policy]Reason{PolicySkip: ReasonSkipped, PolicyFireOnce: ReasonCoalesced, PolicyFireAll: ReasonLimit}[rules.Policy]
	for _, m := range got.Missed {
		if m.Reason != reason {
			t.Fatalf("missed %+v under %s", m, rules.Policy)
		}
	}
	if rules.Policy != PolicySkip && len(got.Missed) > 0 && len(got.Fires) == 0 {
		t.Fatalf("%s: fires were missed and none runs", rules.Policy)
	}
}

func BenchmarkPlan(b *testing.B) {
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	trigger := mustCompile(b, Spec{Kind: KindCron, Expression: "* * * * * *"})
	for name, outage := range map[string]time.Duration{"due": time.Second, "outage_of_a_minute": time.Minute, "outage_of_a_year": 365 * 24 * time.Hour} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Plan(PlanInput{Trigger: trigger, Next: now.Add(-outage), Now: now, Misfire: Misfire{Grace: -1}})
			}
		})
	}
}
