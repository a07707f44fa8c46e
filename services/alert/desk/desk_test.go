package desk_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/desk"
)

// noon is a Monday in winter, 12:00 in Berlin.
var noon = time.Date(2026, 1, 12, 11, 0, 0, 0, time.UTC)

// told is one message as a test compares it.
type told struct {
	At       string // local time of day in Berlin, with the date when it is not noon's
	Kind     models.MessageKind
	Severity models.Severity
	Problems int
	State    models.NotificationState
}

// scene is a world with one rule, and what was told in it.
type scene struct {
	t      *testing.T
	world  *desk.World
	rule   *desk.Rule
	told   []told
	events int
}

var berlin = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		panic(err)
	}
	return zone
}()

// nights is a rule that is critical at once from 22:00 to 08:00, else a warning in digests
// at 12:00 and 18:00.
func nights() models.AlertSpec {
	return models.AlertSpec{
		Scope:      models.AlertScope{Kind: models.ScopeAll},
		Conditions: []models.AlertCondition{{Event: models.AlertRetriesExhausted, Count: 1}, {Event: models.AlertFireMissed, Count: 1}},
		Zone:       "Europe/Berlin", Severity: models.SeverityWarning,
		Windows: []models.SeverityWindow{{From: "22:00", To: "08:00", Severity: models.SeverityCritical}},
		Routes: []models.AlertRoute{
			{Severities: []models.Severity{models.SeverityCritical}, Channels: []string{"phone"}},
			{Severities: []models.Severity{models.SeverityWarning}, Channels: []string{"mail"}, DigestAt: []string{"12:00", "18:00"}},
		},
		GroupIntervalMS: 5 * 60_000,
		Notices:         []models.AlertNotice{models.NoticeOpened, models.NoticeRepeated, models.NoticeRecovered},
	}
}

// atOnce is a rule that tells the phone of everything at once.
func atOnce() models.AlertSpec {
	spec := nights()
	spec.Windows = nil
	spec.Routes = []models.AlertRoute{{Severities: []models.Severity{models.SeverityWarning}, Channels: []string{"phone"}}}
	return spec
}

func play(t *testing.T, spec models.AlertSpec, silences ...models.Silence) *scene {
	t.Helper()
	rule, err := desk.Compile(models.AlertRule{ID: "rule", Name: "nights", Enabled: true, Spec: spec})
	if err != nil {
		t.Fatal(err)
	}
	ids := 0
	d := &desk.Desk{
		Rules:    map[string]*desk.Rule{"rule": rule},
		Channels: []desk.Channel{{ID: "mail", Name: "mail", Enabled: true}, {ID: "phone", Name: "phone", Enabled: true}},
		NewID:    func() string { ids++; return fmt.Sprintf("%026d", ids) },
	}
	for _, row := range silences {
		s, err := desk.CompileSilence(row)
		if err != nil {
			t.Fatal(err)
		}
		d.Silences = append(d.Silences, s)
	}
	s := &scene{t: t, world: desk.NewWorld(d), rule: rule}
	s.world.Tell = func(tell *desk.Telling, cases []*desk.Case) {
		s.told = append(s.told, told{
			At: d.Now.In(berlin).Format("02 15:04"), Kind: tell.Kind, Severity: tell.Severity, Problems: len(cases), State: tell.State,
		})
	}
	return s
}

// fails lets a job fail for good.
func (s *scene) fails(at time.Time, job string) {
	s.t.Helper()
	s.happens(at, models.AlertRetriesExhausted, job)
}

func (s *scene) happens(at time.Time, kind models.AlertEventKind, job string) {
	s.t.Helper()
	e := s.event(at, kind, job)
	met := s.rule.Wants(e, &desk.Subject{JobID: job})
	if len(met) == 0 {
		s.t.Fatalf("the rule does not want %s", kind)
	}
	s.world.Happen(&desk.Signal{Event: e, Rule: s.rule, Condition: met[0], Title: job, Words: "It failed."})
}

// succeeds lets a job succeed after it failed.
func (s *scene) succeeds(at time.Time, job string) {
	s.t.Helper()
	e := s.event(at, models.AlertRecovered, job)
	for _, key := range s.rule.Ends(e) {
		s.world.Clear(key, e)
	}
}

func (s *scene) event(at time.Time, kind models.AlertEventKind, job string) *models.AlertEvent {
	s.events++
	return &models.AlertEvent{ID: fmt.Sprintf("%026d", s.events), Kind: kind, At: at, JobID: &job, Subject: models.JobSubject(job)}
}

func (s *scene) want(until time.Time, want ...told) {
	s.t.Helper()
	s.world.Until(until)
	if diff := cmp.Diff(want, s.told); diff != "" {
		s.t.Errorf("told (-want +got):\n%s", diff)
	}
}

// incident is the only incident.
func (s *scene) incident() *models.Incident {
	s.t.Helper()
	all := s.world.Incidents()
	if len(all) != 1 {
		s.t.Fatalf("%d incidents, not 1", len(all))
	}
	return &all[0].Incident
}

func (s *scene) entries() (kinds []models.IncidentEntryKind) {
	for _, e := range s.world.Incidents()[0].Entries {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

func clockAt(date, hour, minute int) time.Time {
	return time.Date(2026, 1, date, hour, minute, 0, 0, berlin)
}

// A failure at night is told at once and is critical; one by day waits for the digest.
func TestNightAndDay(t *testing.T) {
	t.Parallel()
	s := play(t, nights())
	s.fails(clockAt(12, 9, 0), "a")
	s.fails(clockAt(12, 10, 0), "b")
	s.fails(clockAt(12, 23, 30), "c")
	s.fails(clockAt(13, 7, 59), "d")
	s.fails(clockAt(13, 8, 0), "e")
	s.want(
		clockAt(13, 20, 0),
		told{"12 12:00", models.MessageDigest, models.SeverityWarning, 2, models.NotificationQueued},
		told{"12 23:30", models.MessageProblem, models.SeverityCritical, 1, models.NotificationQueued},
		told{"13 07:59", models.MessageProblem, models.SeverityCritical, 1, models.NotificationQueued},
		told{"13 12:00", models.MessageDigest, models.SeverityWarning, 1, models.NotificationQueued},
	)
}

// What fails by day and goes on at night becomes critical, and is told at once.
func TestDayProblemGoesOnAtNight(t *testing.T) {
	t.Parallel()
	s := play(t, nights())
	s.fails(clockAt(12, 21, 0), "a")
	s.fails(clockAt(12, 22, 5), "a")
	s.want(clockAt(12, 23, 0), told{"12 22:05", models.MessageProblem, models.SeverityCritical, 1, models.NotificationQueued})
	if i := s.incident(); i.Severity != models.SeverityCritical || i.Count != 2 {
		t.Errorf("severity %s, count %d", i.Severity, i.Count)
	}
}

// A recovery closes the incident once and sends one notice with the downtime.
func TestRecovery(t *testing.T) {
	t.Parallel()
	s := play(t, atOnce())
	s.fails(noon, "a")
	s.succeeds(noon.Add(7*time.Minute), "a")
	s.succeeds(noon.Add(8*time.Minute), "a")
	s.want(
		noon.Add(time.Hour),
		told{"12 12:00", models.MessageProblem, models.SeverityWarning, 1, models.NotificationQueued},
		told{"12 12:07", models.MessageRecovery, models.SeverityWarning, 1, models.NotificationQueued},
	)
	i := s.incident()
	if i.State != models.IncidentResolved || i.Duration(noon.Add(time.Hour)) != 7*time.Minute || i.OpenKey != nil {
		t.Errorf("%s after %s, open key %v", i.State, i.Duration(noon), i.OpenKey)
	}
	want := []models.IncidentEntryKind{models.EntryOpened, models.EntryNotified, models.EntryRecovered, models.EntryNotified}
	if diff := cmp.Diff(want, s.entries()); diff != "" {
		t.Errorf("entries: %s", diff)
	}
}

// What is over before it was told is not told, and says so; a digest tells that it is over.
func TestOverBeforeItIsTold(t *testing.T) {
	t.Parallel()
	spec := atOnce()
	spec.GroupWaitMS = 60_000
	s := play(t, spec)
	s.fails(noon, "a")
	s.succeeds(noon.Add(time.Second), "a")
	s.want(noon.Add(time.Hour))
	want := []models.IncidentEntryKind{models.EntryOpened, models.EntryRecovered, models.EntrySuppressed}
	if diff := cmp.Diff(want, s.entries()); diff != "" {
		t.Errorf("entries: %s", diff)
	}
	day := play(t, nights())
	day.fails(clockAt(12, 9, 0), "a")
	day.succeeds(clockAt(12, 9, 5), "a")
	day.want(clockAt(12, 20, 0), told{"12 12:00", models.MessageDigest, models.SeverityWarning, 1, models.NotificationQueued})
}

// Regression mode tells of what begins, fix mode of what ends.
func TestModes(t *testing.T) {
	t.Parallel()
	for notice, want := range map[models.AlertNotice]told{
		models.NoticeOpened:    {"12 12:00", models.MessageProblem, models.SeverityWarning, 1, models.NotificationQueued},
		models.NoticeRecovered: {"12 12:01", models.MessageRecovery, models.SeverityWarning, 1, models.NotificationQueued},
	} {
		spec := atOnce()
		spec.Notices = []models.AlertNotice{notice}
		s := play(t, spec)
		s.fails(noon, "a")
		s.succeeds(noon.Add(time.Minute), "a")
		s.want(noon.Add(time.Hour), want)
	}
}

// A thousand failures in a minute are one message to each channel.
func TestThousandFailuresAreOneMessage(t *testing.T) {
	t.Parallel()
	spec := atOnce()
	spec.GroupWaitMS = 60_000
	spec.Routes[0].Channels = nil // every one
	s := play(t, spec)
	for i := range 1000 {
		s.fails(noon.Add(time.Duration(i)*55*time.Millisecond), fmt.Sprint("job-", i))
	}
	one := told{"12 12:01", models.MessageProblem, models.SeverityWarning, 1000, models.NotificationQueued}
	s.want(noon.Add(time.Hour), one, one)
}

// After the first message of a group the others wait for the interval.
func TestInterval(t *testing.T) {
	t.Parallel()
	s := play(t, atOnce())
	for i := range 10 {
		s.fails(noon.Add(time.Duration(i)*time.Minute), fmt.Sprint("job-", i))
	}
	s.want(
		noon.Add(time.Hour),
		told{"12 12:00", models.MessageProblem, models.SeverityWarning, 1, models.NotificationQueued},
		told{"12 12:05", models.MessageProblem, models.SeverityWarning, 4, models.NotificationQueued},
		told{"12 12:10", models.MessageProblem, models.SeverityWarning, 5, models.NotificationQueued},
	)
}

// Nobody acknowledges: it is repeated, and somebody else is told.
func TestRepeatAndEscalation(t *testing.T) {
	t.Parallel()
	spec := atOnce()
	spec.RepeatMS = (30 * time.Minute).Milliseconds()
	spec.Escalation = &models.AlertEscalation{AfterMS: (15 * time.Minute).Milliseconds(), Channels: []string{"mail"}}
	s := play(t, spec)
	s.fails(noon, "a")
	s.world.Until(noon.Add(40 * time.Minute))
	c := s.world.Incidents()[0]
	s.world.Desk.Acknowledge(c, "ada", "on it")
	s.succeeds(noon.Add(3*time.Hour), "a")
	s.want(
		noon.Add(5*time.Hour),
		told{"12 12:00", models.MessageProblem, models.SeverityWarning, 1, models.NotificationQueued},
		told{"12 12:15", models.MessageEscalation, models.SeverityWarning, 1, models.NotificationQueued},
		told{"12 12:30", models.MessageProblem, models.SeverityWarning, 1, models.NotificationQueued},
		told{"12 15:00", models.MessageRecovery, models.SeverityWarning, 1, models.NotificationQueued},
		told{"12 15:00", models.MessageRecovery, models.SeverityWarning, 1, models.NotificationQueued}, // to whom it was escalated
	)
}

// At most so many messages an hour; the next one says how many were not sent.
func TestCap(t *testing.T) {
	t.Parallel()
	spec := atOnce()
	spec.MaxPerHour, spec.GroupIntervalMS = 2, 60_000
	s := play(t, spec)
	left := -1
	tell := s.world.Tell
	s.world.Tell = func(x *desk.Telling, cases []*desk.Case) {
		tell(x, cases)
		left = x.Suppressed
	}
	for i := range 5 {
		s.fails(noon.Add(time.Duration(i)*5*time.Minute), fmt.Sprint("job-", i))
	}
	s.fails(noon.Add(65*time.Minute), "later")
	queued, held := models.NotificationQueued, models.NotificationSuppressed
	s.want(
		noon.Add(2*time.Hour),
		told{"12 12:00", models.MessageProblem, models.SeverityWarning, 1, queued},
		told{"12 12:05", models.MessageProblem, models.SeverityWarning, 1, queued},
		told{"12 12:10", models.MessageProblem, models.SeverityWarning, 1, held},
		told{"12 12:15", models.MessageProblem, models.SeverityWarning, 1, held},
		told{"12 12:20", models.MessageProblem, models.SeverityWarning, 1, held},
		told{"12 13:05", models.MessageProblem, models.SeverityWarning, 1, queued},
	)
	if left != 3 {
		t.Errorf("the last message tells of %d that were not sent, not of 3", left)
	}
}

// What comes and goes is told once as such, and then when it has stayed away.
func TestFlapping(t *testing.T) {
	t.Parallel()
	s := play(t, atOnce())
	for i := range 10 {
		s.fails(noon.Add(time.Duration(4*i)*time.Minute), "a")
		s.succeeds(noon.Add(time.Duration(4*i+2)*time.Minute), "a")
	}
	s.world.Until(noon.Add(3 * time.Hour))
	kinds := map[models.MessageKind]int{}
	for _, m := range s.told {
		kinds[m.Kind]++
	}
	last := s.told[len(s.told)-1]
	if kinds[models.MessageFlapping] != 1 || last.Kind != models.MessageRecovery || last.At != "12 13:08" {
		t.Errorf("told %v, the last one %v", kinds, last)
	}
	if i := s.incident(); i.Flapping || i.State != models.IncidentResolved || i.Count != 10 {
		t.Errorf("flapping %t, %s, %d events", i.Flapping, i.State, i.Count)
	}
}

// A silence measures and does not tell; when it ends and the problem goes on, it is told.
func TestSilence(t *testing.T) {
	t.Parallel()
	end := noon.Add(time.Hour)
	silence := models.Silence{
		ID: "s", Kind: models.SilenceMaintenance, Scope: models.AlertScope{Kind: models.ScopeAll}, Reason: "new disks", Author: "ada",
		StartsAt: noon.Add(-time.Hour), EndsAt: &end,
	}
	s := play(t, atOnce(), silence)
	s.fails(noon, "a")
	s.fails(noon.Add(time.Minute), "b")
	s.succeeds(noon.Add(10*time.Minute), "b")
	if i := &s.world.Incidents()[0].Incident; i.SilenceID == nil || s.world.Desk.Held["s"] != 2 {
		t.Errorf("silence %v, held back %v", i.SilenceID, s.world.Desk.Held)
	}
	s.want(noon.Add(3*time.Hour), told{"12 13:00", models.MessageProblem, models.SeverityWarning, 1, models.NotificationQueued})
	if i := &s.world.Incidents()[1].Incident; i.State != models.IncidentResolved || len(i.Told) != 0 {
		t.Errorf("the other is %s, told to %v", i.State, i.Told)
	}
}

// Without a channel nothing is told, and each incident says so.
func TestNoChannel(t *testing.T) {
	t.Parallel()
	s := play(t, atOnce())
	s.world.Desk.Channels = nil
	s.fails(noon, "a")
	s.want(noon.Add(time.Hour))
	if diff := cmp.Diff([]models.IncidentEntryKind{models.EntryOpened, models.EntrySuppressed}, s.entries()); diff != "" {
		t.Error(diff)
	}
}

// A channel that is switched off gets a notification that says why it was not sent.
func TestChannelOff(t *testing.T) {
	t.Parallel()
	s := play(t, atOnce())
	s.world.Desk.Channels[1].Enabled = false
	s.fails(noon, "a")
	s.want(noon.Add(time.Hour), told{"12 12:00", models.MessageProblem, models.SeverityWarning, 1, models.NotificationSuppressed})
}

// A problem that comes back soon is the same incident; later it is another.
func TestReopen(t *testing.T) {
	t.Parallel()
	s := play(t, atOnce())
	s.fails(noon, "a")
	s.succeeds(noon.Add(time.Minute), "a")
	s.fails(noon.Add(11*time.Minute), "a")
	if i := s.incident(); i.State != models.IncidentOpen || i.OpenKey == nil || i.Count != 2 {
		t.Errorf("%s, %d events", i.State, i.Count)
	}
	s.succeeds(noon.Add(12*time.Minute), "a")
	s.fails(noon.Add(23*time.Minute), "a")
	if n := len(s.world.Incidents()); n != 2 {
		t.Errorf("%d incidents, not 2", n)
	}
}

// What a person has resolved is not opened again: the same problem is a new incident, and
// told.
func TestResolvedByHandOpensAnew(t *testing.T) {
	t.Parallel()
	s := play(t, atOnce())
	s.fails(noon, "a")
	s.world.Until(noon.Add(time.Minute))
	c := s.world.Incidents()[0]
	s.world.Desk.Resolve(c, "Resolved by ada.", "", "ada")
	s.fails(noon.Add(7*time.Minute), "a")
	s.want(
		noon.Add(time.Hour),
		told{"12 12:00", models.MessageProblem, models.SeverityWarning, 1, models.NotificationQueued},
		told{"12 12:07", models.MessageProblem, models.SeverityWarning, 1, models.NotificationQueued},
	)
	all := s.world.Incidents()
	if len(all) != 2 || all[0].Incident.State != models.IncidentResolved || all[1].Incident.State != models.IncidentOpen || all[1].Incident.Count != 1 {
		t.Errorf("%d incidents, the first one %s", len(all), all[0].Incident.State)
	}
}

// What is worse is told by a message of its own, though it happens at the same time.
func TestSeveritiesAreToldApart(t *testing.T) {
	t.Parallel()
	spec := nights()
	spec.GroupWaitMS, spec.GroupIntervalMS = 60_000, 0
	spec.Routes = []models.AlertRoute{{Severities: []models.Severity{models.SeverityWarning, models.SeverityCritical}, Channels: []string{"phone"}}}
	s := play(t, spec)
	night := clockAt(13, 7, 59).Add(50 * time.Second)
	s.fails(night, "a")
	s.fails(night.Add(time.Second), "b")
	s.fails(night.Add(20*time.Second), "c") // by day
	s.want(
		clockAt(13, 9, 0),
		told{"13 08:00", models.MessageProblem, models.SeverityCritical, 2, models.NotificationQueued},
		told{"13 08:01", models.MessageProblem, models.SeverityWarning, 1, models.NotificationQueued},
	)
}

// Of digests only those are told whose time has come.
func TestDigestsWaitForTheirTime(t *testing.T) {
	t.Parallel()
	s := play(t, nights())
	row := func(id string, due time.Time) models.AlertPending {
		return models.AlertPending{ID: id, IncidentID: id, RuleID: "rule", ChannelID: "mail", Notice: models.NoticeOpened, Severity: models.SeverityWarning, Digest: true, GroupKey: "g", DueAt: due}
	}
	s.world.Desk.Now = clockAt(12, 12, 0)
	cases := map[string]*desk.Case{"noon": {}, "evening": {}}
	rows := []models.AlertPending{row("noon", clockAt(12, 12, 0)), row("evening", clockAt(12, 18, 0))}
	got := s.world.Desk.Gather(rows, &models.AlertGroup{}, cases)
	if got == nil || len(got.Rows) != 1 || got.Rows[0].ID != "noon" || got.Kind != models.MessageDigest {
		t.Errorf("told %+v", got)
	}
	if got := s.world.Desk.Gather(rows[1:], &models.AlertGroup{}, cases); got != nil {
		t.Errorf("before its time: %+v", got)
	}
}
