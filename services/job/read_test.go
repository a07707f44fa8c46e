package job

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

func TestPreview(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	p, err := s.Preview(t.Context(), PreviewInput{
		Trigger: cronTrigger("30 2 * * *", zone("America/New_York")), Count: new(3), After: new(time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)),
	})
	s.must(err)
	want := []time.Time{
		time.Date(2026, 3, 8, 7, 0, 0, 0, time.UTC), // 02:30 does not exist: at the end of the gap
		time.Date(2026, 3, 9, 6, 30, 0, 0, time.UTC), time.Date(2026, 3, 10, 6, 30, 0, 0, time.UTC),
	}
	if diff := cmp.Diff(want, p.Fires); diff != "" || p.Dialect != "unix" || p.Err != nil || p.Description == "" || len(p.Warnings) == 0 {
		t.Errorf("%+v (-want +got):\n%s", p, diff)
	}
	chinese, err := s.Preview(t.Context(), PreviewInput{Trigger: cronTrigger("0 30 2 ? * 2"), Locale: new("zh-CN")})
	s.must(err)
	if chinese.Dialect != "quartz" || chinese.Description == p.Description || len(chinese.Fires) != 10 {
		t.Errorf("%+v", chinese)
	}
}

func TestPreviewOfOtherTriggers(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	for name, c := range map[string]struct {
		trigger TriggerInput
		fires   int
	}{
		"rate":   {TriggerInput{FixedRate: &FixedRateInput{Every: time.Hour}}, 10},
		"delay":  {TriggerInput{FixedDelay: &FixedDelayInput{Delay: time.Hour}}, 0},
		"manual": {TriggerInput{Manual: new(true)}, 0},
		"past":   {cronTrigger("0 0 0 1 1 ? 2020"), 0},
	} {
		p, err := s.Preview(t.Context(), PreviewInput{Trigger: c.trigger})
		s.must(err)
		if len(p.Fires) != c.fires || p.Fires == nil || p.Warnings == nil || p.Err != nil || p.Description == "" {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

func TestPreviewRefusals(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	for name, c := range map[string]struct {
		trigger TriggerInput
		field   string
		code    fault.Code
	}{
		"expression": {cronTrigger("0 25 * * *"), "trigger.cron.expression", fault.Invalid},
		"never":      {cronTrigger("0 0 30 2 *"), "trigger.cron.expression", fault.Invalid},
		"zone":       {cronTrigger("0 0 * * *", zone("EST5EDT4")), "trigger.cron.zone", fault.Invalid},
		"every":      {TriggerInput{FixedRate: &FixedRateInput{}}, "trigger.fixedRate.every", fault.Invalid},
		"dependency": {TriggerInput{Dependency: &DependencyInput{}}, "trigger.dependency.upstream", fault.Required},
		"none":       {TriggerInput{}, "trigger", fault.Required},
	} {
		p, err := s.Preview(t.Context(), PreviewInput{Trigger: c.trigger})
		s.must(err)
		if p.Err == nil || strings.Join(p.Err.Field, ".") != c.field || p.Err.Code != c.code || len(p.Fires) != 0 || p.Fires == nil {
			t.Errorf("%s: %+v, %v", name, p, p.Err)
		}
	}
	for _, in := range []PreviewInput{{Count: new(0)}, {Count: new(1001)}, {Locale: new("fr")}} {
		in.Trigger = cronTrigger("* * * * *")
		_, err := s.Preview(t.Context(), in)
		s.want(err, fault.Invalid)
	}
}

func TestNextFires(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	j := s.job("pay", cron("0 * * * *"))
	want := []time.Time{time.Date(2031, 5, 2, 19, 0, 0, 0, time.UTC), time.Date(2031, 5, 2, 20, 0, 0, 0, time.UTC)}
	if diff := cmp.Diff(want, s.NextFires(&j, nil, 2)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := s.NextFires(&j, nil, 1_000_000); len(got) != mostPreview {
		t.Errorf("%d fires", len(got))
	}
	delay := s.job("poll", func(in *Input) { in.Trigger = TriggerInput{FixedDelay: &FixedDelayInput{Delay: time.Hour}} })
	if got := s.NextFires(&delay, nil, 5); len(got) != 1 || !got[0].Equal(start) {
		t.Errorf("fixed delay: %v", got)
	}
	paused, err := s.Pause(t.Context(), "ada", j.ID)
	s.must(err)
	manual := s.job("manual")
	for _, quiet := range []models.Job{paused, manual} {
		if got := s.NextFires(&quiet, nil, 5); len(got) != 0 || got == nil {
			t.Errorf("%s: %v", quiet.Name, got)
		}
	}
	if s.Words(&j, nil, "en") == s.Words(&j, nil, "zh-CN") || s.Dialect(&j) != "unix" || s.Dialect(&manual) != "" {
		t.Errorf("%q, %q, %q", s.Words(&j, nil, "en"), s.Words(&j, nil, "zh-CN"), s.Dialect(&j))
	}
	broken := j
	broken.Expression = "*/0 * * * *" // by SQL
	if got := s.NextFires(&broken, nil, 5); len(got) != 0 || !strings.Contains(s.Words(&broken, nil, "en"), "*/0") || s.Dialect(&broken) != "" {
		t.Errorf("a broken one: %v, %q", got, s.Words(&broken, nil, "en"))
	}
}

// TestHIsTheSameEverywhere: what the list of next fires shows is what is fired.
func TestHIsTheSameEverywhere(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	j := s.job("spread", cron("H H * * *"))
	if got := s.NextFires(&j, nil, 1); !got[0].Equal(*j.NextFireAt) {
		t.Errorf("shown %v, stored %v", got[0], j.NextFireAt)
	}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	other := s.newGroup(s.app.ID, "empty")
	s.must(s.store.CreateGroup(t.Context(), other, s.audit()))
	now := s.clock.Now()
	n := models.Node{
		ID: models.NewID(now), AppID: s.app.ID, GroupID: s.group.ID, Name: "n1", Incarnation: "one", State: models.NodeOnline,
		Handlers: []byte(`["Pay"]`), StartedAt: now, LastSeenAt: now,
	}
	_, _, err := s.store.RegisterNode(t.Context(), n)
	s.must(err)
	fine := s.job("fine")
	unknown := s.job("unknown", func(in *Input) { in.Handler = "Ship" })
	lonely := s.job("lonely", func(in *Input) { in.GroupID = other.ID })
	odd := s.job("odd", func(in *Input) {
		in.Timeout, in.MaxRunning, in.Concurrency = new(5*time.Second), new(2), new(models.ConcurrencySkip)
	})
	slow := s.job("slow", func(in *Input) {
		in.Trigger = TriggerInput{FixedRate: &FixedRateInput{Every: time.Minute}}
		in.Concurrency, in.Retry = new(models.ConcurrencySkip), &RetryInput{MaxAttempts: 2, Delay: 2 * time.Minute}
	})
	deleted, err := s.Delete(t.Context(), "ada", s.job("deleted", func(in *Input) { in.Handler = "Ship" }).ID)
	s.must(err)
	all, err := s.Warnings(t.Context(), []models.Job{fine, unknown, lonely, odd, slow, deleted})
	s.must(err)
	want := map[string][]string{
		unknown.ID: {`No node of group "default" has the handler "Ship": its tasks wait until one comes that has.`},
		lonely.ID:  {`No node of group "empty" is online: its tasks wait until one comes.`},
		slow.ID:    {"A retry comes after 2m0s and the next fire after 1m0s: with concurrency SKIP the fires until then are skipped."},
		odd.ID: {
			"The time limit 5s is shorter than the 15s after which a lost node is noticed: an attempt on such a node ends as timed out, not as lost.",
			"At most 2 running tasks has no effect: with concurrency SKIP at most one runs.",
		},
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStats(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	j := s.job("pay")
	var tasks []models.Task
	now := s.clock.Now()
	for range 3 {
		tasks = append(tasks, models.Task{
			ID: models.NewID(now), JobID: j.ID, AppID: j.AppID, GroupID: j.GroupID, State: models.TaskSkipped, Reason: models.ReasonOverlap,
			ScheduledAt: now, AvailableAt: now, CreatedAt: now,
		})
	}
	_, err := s.store.CreateTasks(t.Context(), tasks)
	s.must(err)
	stats, err := s.Stats(t.Context(), []string{j.ID, "01NONE"})
	s.must(err)
	if diff := cmp.Diff(map[string]Stats{j.ID: {Skipped: 3}, "01NONE": {}}, stats); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	s.clock.Advance(26 * time.Hour)
	stats, err = s.Stats(t.Context(), []string{j.ID})
	s.must(err)
	if stats[j.ID] != (Stats{}) {
		t.Errorf("two days later: %+v", stats[j.ID])
	}
	if got := mean(7000, 2); *got != 3500*time.Millisecond || mean(5, 0) != nil {
		t.Errorf("mean %v", got)
	}
}

func TestReasonsHaveWords(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, reason := range []string{
		models.ReasonMisfireSkipped, models.ReasonMisfireCoalesced, models.ReasonMisfireLimit, ReasonPaused, ReasonEdited, models.ReasonOverlap, "NEW",
	} {
		words := ReasonInWords(reason)
		if words == "" || seen[words] {
			t.Errorf("%s: %q", reason, words)
		}
		seen[words] = true
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	for _, name := range []string{"b", "a", "c"} {
		s.job(name)
		s.clock.Advance(time.Millisecond)
	}
	for o, want := range map[Order]string{ByName: "abc", ByCreation: "cab", ByNextFire: "bac"} {
		got, after := "", ""
		for {
			rows, info, err := s.Page(t.Context(), Filter{AppID: s.app.ID}, o, Page{First: 1, After: after})
			s.must(err)
			got += rows[0].Name
			if !info.HasNext {
				break
			}
			after = Position(&rows[0], o)
		}
		if len(got) != 3 || o != ByNextFire && got != want {
			t.Errorf("order %d: %q, want %q", o, got, want)
		}
	}
}

// H of an existing job is previewed as it will fire; that of a new one is an
// example, and says so.
func TestPreviewOfHash(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	j := s.job("spread", cron("H H(0-5) * * *"))
	p, err := s.Preview(t.Context(), PreviewInput{Trigger: cronTrigger("H H(0-5) * * *"), JobID: j.ID, Count: new(1)})
	s.must(err)
	if !p.Fires[0].Equal(*j.NextFireAt) || p.Resolved != s.Resolved(&j) || strings.Contains(p.Resolved, "H") || len(p.Warnings) != 0 {
		t.Errorf("preview %+v, next fire %v, resolved %s", p, j.NextFireAt, s.Resolved(&j))
	}
	p, err = s.Preview(t.Context(), PreviewInput{Trigger: cronTrigger("H H(0-5) * * *"), Count: new(1)})
	s.must(err)
	if len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "example") {
		t.Errorf("warnings %v", p.Warnings)
	}
	p, err = s.Preview(t.Context(), PreviewInput{Trigger: cronTrigger("@daily"), Count: new(1)})
	s.must(err)
	if p.Resolved != "0 0 * * *" || len(p.Warnings) != 0 {
		t.Errorf("%+v", p)
	}
}
