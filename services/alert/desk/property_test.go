package desk

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/models"
)

// Zones whose clocks change by an hour, by half an hour, at midnight, and not at all.
var zones = []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Asia/Shanghai", "UTC", "Africa/Casablanca", "Pacific/Apia"}

func drawInstant(t *rapid.T) (time.Time, *time.Location) {
	zone, err := time.LoadLocation(rapid.SampledFrom(zones).Draw(t, "zone"))
	if err != nil {
		t.Fatal(err)
	}
	base := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	return base.Add(time.Duration(rapid.IntRange(0, 366*24*60).Draw(t, "minute")) * time.Minute), zone
}

// The next instant of a time of day is after now, within a day and the change of a clock,
// shows that time unless the clock leaves it out, and comes once a date.
func TestNextTimeOfDay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		now, zone := drawInstant(t)
		minute := rapid.IntRange(0, 24*60-1).Draw(t, "time of day")
		got := next(now, zone, minute)
		if !got.After(now) || got.Sub(now) > 26*time.Hour {
			t.Fatalf("next %02d:%02d after %s is %s", minute/60, minute%60, now.In(zone), got.In(zone))
		}
		local := got.In(zone)
		shown := local.Hour()*60 + local.Minute()
		start, _ := local.ZoneBounds()
		if shown != minute && !start.Equal(got) { // else the clock jumps over it, to this very instant
			t.Fatalf("next %02d:%02d after %s is %s", minute/60, minute%60, now.In(zone), local)
		}
		again := next(got, zone, minute)
		if again.In(zone).Format(time.DateOnly) == local.Format(time.DateOnly) {
			t.Fatalf("%02d:%02d comes twice on %s: %s and %s", minute/60, minute%60, local.Format(time.DateOnly), local, again.In(zone))
		}
	})
}

// Whether a window holds is what the clock on the wall says, whatever it was set by; and
// until is the first whole minute at which it does not.
func TestWindows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		now, zone := drawInstant(t)
		s := span{
			days: rapid.IntRange(0, 127).Draw(t, "days"),
			from: rapid.IntRange(0, 24*60-1).Draw(t, "from"), to: rapid.IntRange(0, 24*60-1).Draw(t, "to"),
		}
		local := now.In(zone)
		minute, date := local.Hour()*60+local.Minute(), local.Weekday()
		want := false
		for _, back := range []int{0, 1} { // begun today, or yesterday
			begun := (date + 7 - time.Weekday(back)) % 7
			length := s.to - s.from
			if length <= 0 {
				length += 24 * 60
			}
			at := minute + back*24*60 - s.from
			want = want || s.begins(begun) && 0 <= at && at < length
		}
		if got := s.holds(now, zone); got != want {
			t.Fatalf("window %+v holds at %s: %t", s, local, got)
		}
		if !want {
			return
		}
		end := s.until(now, zone)
		if !end.After(now) {
			t.Fatalf("window %+v holds at %s until %s", s, local, end)
		}
	})
}

// history is a random life of some jobs under a random rule.
type history struct {
	world *World
	rule  *Rule
	told  []tell
	last  time.Time
}

type tell struct {
	at    time.Time
	t     Telling
	cases []string
}

// Whatever happens: of a problem at most one incident is open; each incident is closed as
// often as it was opened or is open; an hour has no more messages than the cap; groups keep
// their interval; every incident that is opened is told, held back for a written reason, or
// waits; and at the end nothing waits for ever.
func TestHistories(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h := drawHistory(t)
		h.live(t)
		h.oneOpen(t)
		h.closedOnce(t)
		h.capHolds(t)
		h.nothingIsLost(t)
	})
}

func drawHistory(t *rapid.T) *history {
	spec := models.AlertSpec{
		Scope: models.AlertScope{Kind: models.ScopeAll}, Zone: rapid.SampledFrom(zones).Draw(t, "zone"),
		Conditions:  []models.AlertCondition{{Event: models.AlertAttemptFailed, Count: 1}, {Event: models.AlertFireMissed, Count: 1}},
		Severity:    models.SeverityWarning,
		Windows:     []models.SeverityWindow{{From: "22:00", To: "08:00", Severity: models.SeverityCritical}},
		GroupWaitMS: int64(rapid.SampledFrom([]int{0, 10_000, 60_000}).Draw(t, "wait")), GroupIntervalMS: int64(rapid.SampledFrom([]int{0, 60_000, 300_000}).Draw(t, "interval")),
		MaxPerHour: rapid.SampledFrom([]int{0, 1, 3}).Draw(t, "cap"), RepeatMS: int64(rapid.SampledFrom([]int{0, 3_600_000}).Draw(t, "repeat")),
		Notices: rapid.SampledFrom([][]models.AlertNotice{{1}, {3}, {1, 3}, {1, 2, 3}}).Draw(t, "notices"),
		Routes: []models.AlertRoute{
			{Severities: []models.Severity{models.SeverityCritical}, Channels: []string{"a"}},
			{Severities: []models.Severity{models.SeverityWarning}, Channels: []string{"b"}, DigestAt: rapid.SampledFrom([][]string{nil, {"12:00"}, {"02:30", "18:00"}}).Draw(t, "digests")},
		},
	}
	if rapid.Bool().Draw(t, "escalates") {
		spec.Escalation = &models.AlertEscalation{AfterMS: 900_000, Channels: []string{"a"}}
	}
	r, err := Compile(models.AlertRule{ID: "r", Name: "r", Enabled: true, Spec: spec})
	if err != nil {
		t.Fatal(err)
	}
	ids := 0
	d := &Desk{
		Rules: map[string]*Rule{"r": r}, Channels: []Channel{{ID: "a", Name: "a", Enabled: true}, {ID: "b", Name: "b", Enabled: true}},
		NewID: func() string { ids++; return fmt.Sprintf("%026d", ids) },
	}
	h := &history{world: NewWorld(d), rule: r}
	if rapid.Bool().Draw(t, "silence") {
		from, _ := drawInstant(t)
		to := from.Add(time.Duration(rapid.IntRange(1, 48).Draw(t, "hours")) * time.Hour)
		s, err := CompileSilence(models.Silence{ID: "s", Kind: 1, Scope: models.AlertScope{Kind: models.ScopeAll}, Reason: "x", Author: "y", StartsAt: from, EndsAt: &to})
		if err != nil {
			t.Fatal(err)
		}
		d.Silences = []*Silence{s}
	}
	h.world.Tell = func(x *Telling, cases []*Case) {
		one := tell{at: d.Now, t: *x}
		for _, c := range cases {
			one.cases = append(one.cases, c.Incident.ID)
		}
		h.told = append(h.told, one)
	}
	return h
}

func (h *history) live(t *rapid.T) {
	at, _ := drawInstant(t)
	for n := range rapid.IntRange(1, 60).Draw(t, "events") {
		at = at.Add(time.Duration(rapid.SampledFrom([]int{0, 1, 30, 240, 3600, 20_000}).Draw(t, "gap")) * time.Second)
		job := rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "job")
		kind := rapid.SampledFrom([]models.AlertEventKind{models.AlertAttemptFailed, models.AlertFireMissed, models.AlertRecovered}).Draw(t, "kind")
		e := &models.AlertEvent{ID: fmt.Sprintf("%026d", n), Kind: kind, At: at, JobID: &job, Subject: models.JobSubject(job)}
		for _, key := range h.rule.Ends(e) {
			h.world.Clear(key, e)
		}
		for _, k := range h.rule.Wants(e, &Subject{JobID: job}) {
			h.world.Happen(&Signal{Event: e, Rule: h.rule, Condition: k, Title: job})
		}
	}
	h.last = at
	h.world.Until(at.Add(7 * day))
}

func (h *history) oneOpen(t *rapid.T) {
	open := map[string]bool{}
	for _, c := range h.world.Incidents() {
		i := &c.Incident
		if (i.OpenKey != nil) != (i.State != models.IncidentResolved) {
			t.Fatalf("incident %s is %s with the open key %v", i.ID, i.State, i.OpenKey)
		}
		if i.OpenKey != nil && open[*i.OpenKey] {
			t.Fatalf("two incidents are open for %s", i.Subject)
		}
		open[i.Fingerprint] = open[i.Fingerprint] || i.OpenKey != nil
	}
}

func (h *history) closedOnce(t *rapid.T) {
	for _, c := range h.world.Incidents() {
		opened, closed := 0, 0
		for _, e := range c.Entries {
			switch e.Kind { //nolint:exhaustive // the others change no state
			case models.EntryOpened, models.EntryReopened:
				opened++
			case models.EntryRecovered:
				closed++
			}
		}
		want := opened
		if c.Incident.State != models.IncidentResolved {
			want--
		}
		if closed != want {
			t.Fatalf("incident %s is %s, opened %d times and closed %d times", c.Incident.ID, c.Incident.State, opened, closed)
		}
	}
}

func (h *history) capHolds(t *rapid.T) {
	for i, m := range h.told {
		n := 1
		for _, o := range h.told[:i] {
			if o.t.Channel == m.t.Channel && o.t.State == models.NotificationQueued && m.at.Sub(o.at) < time.Hour {
				n++
			}
			same := o.t.GroupKey == m.t.GroupKey && m.t.Kind != models.MessageDigest && m.t.Kind != models.MessageEscalation
			if same && m.at.Sub(o.at) < h.rule.interval() {
				t.Fatalf("%s was told at %s and at %s", m.t.GroupKey, o.at, m.at)
			}
		}
		if h.rule.Spec.MaxPerHour > 0 && m.t.State == models.NotificationQueued && n > h.rule.Spec.MaxPerHour {
			t.Fatalf("%d messages to %s within an hour before %s", n, m.t.Channel, m.at)
		}
	}
}

func (h *history) nothingIsLost(t *rapid.T) {
	for _, c := range h.world.Incidents() {
		for _, p := range c.Waiting { // what is repeated may have begun to wait just now
			longest := h.rule.wait() + h.rule.interval()
			if p.Digest {
				longest = 25 * time.Hour
			}
			now := h.world.Desk.Now
			if p.Notice != models.NoticeRepeated || !p.DueAt.After(now) || p.DueAt.Sub(p.CreatedAt) > longest {
				t.Fatalf("incident %s still waits: %+v at %s", c.Incident.ID, p, now)
			}
		}
		told := slices.ContainsFunc(c.Entries, func(e models.IncidentEntry) bool {
			return e.Kind == models.EntryNotified || e.Kind == models.EntrySuppressed || e.Kind == models.EntrySilenced
		})
		fixMode := !slices.Contains(h.rule.Spec.Notices, models.NoticeOpened)
		if !told && !(fixMode && c.Incident.State != models.IncidentResolved) {
			t.Fatalf("incident %s was neither told nor is there a reason: %+v", c.Incident.ID, c.Entries)
		}
	}
	for _, m := range h.told {
		if len(m.cases) == 0 || len(m.cases) != len(m.t.Rows) {
			t.Fatalf("a message of %d rows tells of %d incidents", len(m.t.Rows), len(m.cases))
		}
	}
}
