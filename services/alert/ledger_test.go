package alert

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/internal/testledger"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

// onBoth runs a test in an office on each kind of ledger.
func onBoth(t *testing.T, jobs int, test func(o *office)) {
	t.Helper()
	t.Parallel()
	for name, open := range map[string]opener{"sqlite": testledger.Open, "mariadb": testledger.OpenMariaDB} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(newOfficeOn(t, jobs, open))
		})
	}
}

// ends lets a job's tasks end one a minute: F fails, S succeeds.
func (o *office) ends(job int, outcomes string) {
	o.Helper()
	for _, c := range outcomes {
		if c == 'F' {
			o.fails(job)
		} else {
			o.succeeds(job)
		}
		o.later(time.Minute)
	}
}

// states are those of all incidents, oldest first.
func (o *office) states(want ...models.IncidentState) {
	o.Helper()
	var got []models.IncidentState
	for _, i := range o.incidents() {
		got = append(got, i.State)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		o.Errorf("incidents (-want +got):\n%s", diff)
	}
}

func condition(c models.AlertCondition) func(*RuleInput) {
	c.Event = models.AlertRetriesExhausted
	return func(in *RuleInput) { in.Spec.Conditions = []models.AlertCondition{c} }
}

// Three of the last five ends: what lies further back does not count, and each job is
// counted by itself.
func TestCountOfLastEnds(t *testing.T) {
	onBoth(t, 3, func(o *office) {
		o.rule(condition(models.AlertCondition{Count: 3, Of: 5}))
		o.ends(0, "FSFSS")
		o.ends(1, "FFSSSSF")
		o.states()
		o.told()
		o.ends(0, "FF") // FSSFF are the last five
		o.states(models.IncidentOpen)
		o.ends(2, "F")
		o.told("PROBLEM 1")
		if i := o.incidents()[0]; or(i.JobID) != o.jobs[0].ID || i.Count != 1 {
			o.Errorf("about %s, %d events", or(i.JobID), i.Count)
		}
		o.ends(0, "FS") // another one, and then it is over
		o.states(models.IncidentResolved)
		o.told("PROBLEM 1", "RECOVERY 1")
		if i := o.incidents()[0]; i.Count != 2 {
			o.Errorf("%d events, not 2", i.Count)
		}
	})
}

// Half of a job's ends within an hour, and at least two: one success does not end it, a
// lower share does, and so does time alone.
func TestFailureRate(t *testing.T) {
	hour := time.Hour.Milliseconds()
	onBoth(t, 2, func(o *office) {
		o.rule(condition(models.AlertCondition{Rate: 0.5, Count: 2, WindowMS: hour}))
		o.ends(0, "SSSFF")
		o.ends(1, "F") // the share is reached, the count is not
		o.states()
		o.ends(0, "F") // three of six
		o.states(models.IncidentOpen)
		o.ends(0, "S") // three of seven
		o.states(models.IncidentResolved)
		o.told("PROBLEM 1", "RECOVERY 1")
		o.ends(1, "FS") // two of three
		o.states(models.IncidentResolved, models.IncidentOpen)
		o.later(59 * time.Minute)
		o.later(2 * time.Minute) // the failures have left the window
		o.states(models.IncidentResolved, models.IncidentResolved)
		o.told("PROBLEM 1", "RECOVERY 1", "PROBLEM 1", "RECOVERY 1")
	})
}

// Three events within ten minutes.
func TestCountInWindow(t *testing.T) {
	minutes := 10 * time.Minute.Milliseconds()
	onBoth(t, 1, func(o *office) {
		o.rule(condition(models.AlertCondition{Count: 3, WindowMS: minutes}))
		for range 4 { // at 0, 6, 12 and 18 minutes
			o.fails(0)
			o.later(6 * time.Minute)
		}
		o.states()
		o.fails(0) // at 24: those of 18 and 24
		o.later(time.Minute)
		o.states()
		o.fails(0)
		o.pass()
		o.states(models.IncidentOpen)
		o.told("PROBLEM 1")
	})
}

// until moves the clock to an instant and lets the desk work.
func (o *office) until(text string) {
	o.Helper()
	at, err := time.Parse(time.RFC3339, text)
	o.must(err)
	o.clock.Advance(at.Sub(o.clock.Now()))
	o.pass()
}

func (o *office) silence(in SilenceInput) models.Silence {
	o.Helper()
	in.Reason = "new disks"
	if in.Scope.Kind == 0 {
		in.Scope.Kind = models.ScopeAll
	}
	if in.Kind == 0 {
		in.Kind = models.SilencePlain
	}
	s, err := o.CreateSilence(o.Context(), "ada", in)
	o.must(err)
	return s
}

// heldBack is how many messages a silence has held back.
func (o *office) heldBack(id string, want int64) {
	o.Helper()
	s, err := o.ledger.Silence(o.Context(), id)
	o.must(err)
	if s.Suppressed != want {
		o.Errorf("it held back %d messages, not %d", s.Suppressed, want)
	}
}

// A silence that recurs is of the clock on the wall: an hour on the day on which the clocks
// go forward, three when they go back.
func TestRecurringSilence(t *testing.T) {
	onBoth(t, 4, func(o *office) {
		o.rule()
		s := o.silence(SilenceInput{Recurrence: &models.SilenceRecurrence{From: "01:30", To: "03:30", Zone: "Europe/Berlin"}})
		want := []string{}
		over := func(job int) { // and told; the next one is told at once
			o.Helper()
			want = append(want, "PROBLEM 1", "RECOVERY 1")
			o.later(2 * time.Minute)
			o.succeeds(job)
			o.later(2 * time.Minute)
			o.told(want...)
		}
		o.until("2026-03-28T02:29:00Z") // two hours in winter
		o.fails(0)
		o.pass()
		o.told()
		o.until("2026-03-28T02:31:00Z")
		over(0)
		o.until("2026-03-29T00:25:00Z") // 01:25
		o.fails(1)
		o.pass()
		over(1)
		o.until("2026-03-29T00:31:00Z")
		o.fails(2)
		o.until("2026-03-29T01:29:00Z") // 03:29, an hour later
		o.told(want...)
		o.until("2026-03-29T01:31:00Z")
		over(2)
		o.until("2026-10-24T23:31:00Z") // 01:31 in summer
		o.fails(3)
		o.until("2026-10-25T02:29:00Z") // 03:29 in winter, three hours later
		o.told(want...)
		o.until("2026-10-25T02:31:00Z")
		over(3)
		o.heldBack(s.ID, 3)
	})
}

// A silence counts the messages that it held back: none of what was told before and has
// nothing to say while it holds.
func TestSilencesCountMessages(t *testing.T) {
	onBoth(t, 2, func(o *office) {
		o.rule(func(in *RuleInput) { in.Spec.GroupWaitMS = 60_000 })
		o.fails(0)
		o.pass()
		o.later(2 * time.Minute)
		o.told("PROBLEM 1")
		o.fails(1) // waits for others
		o.pass()
		end := o.clock.Now().Add(time.Hour)
		s := o.silence(SilenceInput{EndsAt: &end})
		o.later(2 * time.Minute)
		o.told("PROBLEM 1")
		o.heldBack(s.ID, 1)
		o.later(time.Hour)
		o.later(time.Minute)
		o.told("PROBLEM 1", "PROBLEM 2") // both go on
	})
}

// People are reminded once of each end, whichever server does it, and not after the silence
// was ended by hand.
func TestRemindersOfSilences(t *testing.T) {
	onBoth(t, 1, func(o *office) {
		o.rule()
		o.addChannel("chat")
		end := noon.Add(2 * time.Hour)
		o.silence(SilenceInput{EndsAt: &end, RemindBefore: 15 * time.Minute})
		o.until("2026-01-12T13:44:00Z")
		o.told()
		o.until("2026-01-12T13:45:30Z")
		o.told("SILENCE_ENDS 0", "SILENCE_ENDS 0")
		o.Service = o.server()
		o.until("2026-01-12T15:00:00Z")
		o.told("SILENCE_ENDS 0", "SILENCE_ENDS 0")
		night := o.silence(SilenceInput{
			Recurrence: &models.SilenceRecurrence{From: "22:00", To: "23:00", Zone: "UTC"}, RemindBefore: 5 * time.Minute, Scope: models.AlertScope{Kind: models.ScopeJob, JobID: o.jobs[0].ID},
		})
		for range 2 { // two nights
			o.later(24 * time.Hour)
			o.clock.Advance(o.clock.Now().Truncate(24 * time.Hour).Add(22*time.Hour + 56*time.Minute).Sub(o.clock.Now()))
			o.pass()
		}
		if n := len(o.messages()); n != 6 {
			o.Errorf("%d reminders after two nights, not 2 and 4", n)
		}
		_, err := o.EndSilence(o.Context(), "ada", night.ID)
		o.must(err)
		o.later(48 * time.Hour)
		if n := len(o.messages()); n != 6 {
			o.Errorf("%d reminders after its end, not 6", n)
		}
	})
}

// A maintenance window is measured and not sent: incidents, events and timelines are as
// ever, and what goes on when it ends is told then.
func TestMaintenanceWindow(t *testing.T) {
	onBoth(t, 3, func(o *office) {
		o.rule(func(in *RuleInput) {
			in.Spec.RepeatMS = time.Hour.Milliseconds()
			in.Spec.Notices = append(in.Spec.Notices, models.NoticeRepeated)
		})
		end := noon.Add(24 * time.Hour)
		s := o.silence(SilenceInput{Kind: models.SilenceMaintenance, EndsAt: &end, Scope: models.AlertScope{Kind: models.ScopeLabels, Labels: map[string]string{"n": "0"}}})
		o.fails(0)
		o.fails(1) // not of it
		o.later(time.Minute)
		o.told("PROBLEM 1")
		o.ends(0, "FF")
		i := o.incidents()[0]
		if i.Count != 3 || i.State != models.IncidentOpen || or(i.SilenceID) != s.ID || len(i.Told) != 0 {
			o.Errorf("under the window: %+v", i)
		}
		want := []models.IncidentEntryKind{models.EntryOpened, models.EntrySilenced, models.EntryEvent, models.EntryEvent}
		if diff := cmp.Diff(want, o.entries(i.ID)); diff != "" {
			o.Error(diff)
		}
		rows, _, err := o.Timeline(o.Context(), i.ID, Page{First: 10})
		o.must(err)
		if text := rows[1].Message; text != "Held back until 2026-01-13 12:00 UTC by a maintenance window of ada: new disks" {
			o.Errorf("the timeline says %q", text)
		}
		o.ends(0, "S") // over within the window: nobody hears of it
		o.told("PROBLEM 1")
		o.ends(0, "F")
		_, err = o.EndSilence(o.Context(), "ada", s.ID)
		o.must(err)
		o.pass()
		o.told("PROBLEM 1", "PROBLEM 1")
		if n := o.messages()[1]; len(n.IncidentIDs) != 1 || n.IncidentIDs[0] != i.ID {
			o.Errorf("the second message is of %v", n.IncidentIDs)
		}
	})
}

// What a deleted job or group was told of ends with it, without a message.
func TestDeletedJobsAndGroups(t *testing.T) {
	onBoth(t, 2, func(o *office) {
		o.rule(func(in *RuleInput) {
			in.Spec.Conditions = append(in.Spec.Conditions, models.AlertCondition{Event: models.AlertGroupEmpty, Count: 1})
			in.Spec.Escalation = &models.AlertEscalation{AfterMS: time.Hour.Milliseconds()}
		})
		group := models.NodeGroup{ID: models.NewID(noon), AppID: o.app.ID, Name: "old", CreatedAt: noon, UpdatedAt: noon}
		group.Partition = models.PartitionOf(group.ID)
		o.must(o.ledger.CreateGroup(o.Context(), group, o.audit()))
		empty := models.AlertEvent{Kind: models.AlertGroupEmpty, At: noon, AppID: &o.app.ID, GroupID: &group.ID, Subject: models.GroupSubject(group.ID)}
		o.must(o.ledger.RecordAlerts(o.Context(), nil, []models.AlertEvent{empty}, nil))
		o.fails(0)
		o.fails(1)
		o.later(time.Minute)
		o.told("PROBLEM 3")
		_, err := o.ledger.DeleteJob(o.Context(), o.jobs[0].ID, o.clock.Now(), o.audit())
		o.must(err)
		_, err = o.ledger.DeleteGroup(o.Context(), group.ID, o.audit())
		o.must(err)
		o.later(time.Minute)
		got := map[string]string{}
		for _, i := range o.incidents() {
			got[i.Subject] = i.State.String() + " " + i.Resolution
		}
		want := map[string]string{
			models.JobSubject(o.jobs[0].ID): "RESOLVED The job was deleted.", models.JobSubject(o.jobs[1].ID): "OPEN ",
			models.GroupSubject(group.ID): "RESOLVED The node group was deleted.",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			o.Error(diff)
		}
		o.later(2 * time.Hour)
		o.told("PROBLEM 3", "ESCALATION 1")
	})
}

// Incidents are kept for 90 days after their end, with their timelines; what is open stays.
func TestOldIncidentsGo(t *testing.T) {
	onBoth(t, 3, func(o *office) {
		o.rule()
		o.ends(0, "FS")
		o.later(10 * 24 * time.Hour)
		o.ends(1, "FS")
		o.ends(2, "F")
		end := o.clock.Now().Add(time.Hour)
		s := o.silence(SilenceInput{EndsAt: &end})
		first, all := o.incidents()[0].ID, len(o.incidents())
		o.later(80 * 24 * time.Hour)
		if n := len(o.incidents()); n != all-1 {
			o.Errorf("%d incidents after 90 days, not %d", n, all-1)
		}
		if rows, _, err := o.ledger.IncidentEntries(o.Context(), first, store.Page{First: 10}); err != nil || len(rows) != 0 {
			o.Errorf("its timeline has %d entries: %v", len(rows), err)
		}
		if _, err := o.ledger.Silence(o.Context(), s.ID); err != nil {
			o.Errorf("the silence is gone after 80 days: %v", err)
		}
		o.later(11 * 24 * time.Hour)
		o.states(models.IncidentOpen)
		if _, err := o.ledger.Silence(o.Context(), s.ID); err == nil {
			o.Error("the silence is there 90 days after its end")
		}
	})
}

// Nobody acknowledges: others are told, once, also after a take-over; an acknowledgement
// ends escalation and repetition.
func TestEscalation(t *testing.T) {
	onBoth(t, 2, func(o *office) {
		chief := o.addChannel("chief")
		o.rule(func(in *RuleInput) {
			in.Spec.Routes[0].Channels = []string{o.channel.ID}
			in.Spec.Escalation = &models.AlertEscalation{AfterMS: (15 * time.Minute).Milliseconds(), Channels: []string{chief.ID}}
			in.Spec.RepeatMS = time.Hour.Milliseconds()
			in.Spec.Notices = append(in.Spec.Notices, models.NoticeRepeated)
		})
		o.fails(0)
		o.pass()
		o.later(14 * time.Minute)
		o.told("PROBLEM 1")
		o.Service = o.server()
		o.later(2 * time.Minute)
		o.told("PROBLEM 1", "ESCALATION 1")
		for _, n := range o.messages() {
			if want := map[bool]string{true: chief.ID, false: o.channel.ID}[n.Kind == models.MessageEscalation]; n.ChannelID != want {
				o.Errorf("%s to %s", n.Kind, n.ChannelID)
			}
		}
		o.later(50 * time.Minute)
		o.told("PROBLEM 1", "ESCALATION 1", "PROBLEM 1") // repeated, not escalated again
		o.fails(1)
		o.later(2 * time.Minute)
		second := o.incidents()[1]
		_, err := o.Acknowledge(o.Context(), "ada", second.ID, "on it")
		o.must(err)
		_, err = o.Acknowledge(o.Context(), "ada", o.incidents()[0].ID, "")
		o.must(err)
		before := len(o.messages())
		o.later(5 * time.Hour)
		if n := len(o.messages()); n != before {
			o.Errorf("%d messages after the acknowledgement", n-before)
		}
		o.succeeds(0)
		o.pass()
		if diff := cmp.Diff([]string{"RECOVERY 1", "RECOVERY 1"}, o.kinds()[before:]); diff != "" {
			o.Errorf("both who know of it hear of its end: %s", diff)
		}
	})
}

// Regression mode tells what begins, fix mode what ends.
func TestModes(t *testing.T) {
	for _, mode := range []struct {
		name   string
		notice models.AlertNotice
		want   string
	}{{"regression", models.NoticeOpened, "PROBLEM 1"}, {"fix", models.NoticeRecovered, "RECOVERY 1"}} {
		t.Run(mode.name, func(t *testing.T) {
			onBoth(t, 1, func(o *office) {
				o.rule(func(in *RuleInput) { in.Spec.Notices = []models.AlertNotice{mode.notice} })
				o.ends(0, "FFS")
				o.later(time.Hour)
				o.told(mode.want)
			})
		})
	}
}

// What comes and goes five times within an hour is told as such once, and then when it has
// stayed away for half an hour, also by another server.
func TestFlapping(t *testing.T) {
	onBoth(t, 1, func(o *office) {
		o.rule(func(in *RuleInput) { in.Spec.GroupIntervalMS = 0 })
		o.ends(0, "FSFSFSFSFSFS")
		want := []string{}
		for range 4 {
			want = append(want, "PROBLEM 1", "RECOVERY 1")
		}
		want = append(want, "FLAPPING 1")
		o.told(want...)
		if i := o.incidents()[0]; !i.Flapping || i.Count != 6 {
			o.Errorf("flapping: %t, %d events", i.Flapping, i.Count)
		}
		o.Service = o.server()
		o.later(28 * time.Minute)
		o.told(want...)
		o.later(3 * time.Minute)
		o.told(append(want, "RECOVERY 1")...)
		o.states(models.IncidentResolved)
		if i := o.incidents()[0]; i.Flapping {
			o.Error("it flaps still")
		}
	})
}

// A node that does not come back is taken for gone after a day, without a message; what
// somebody has acknowledged waits for it.
func TestNodesThatStayAway(t *testing.T) {
	onBoth(t, 0, func(o *office) {
		o.rule(func(in *RuleInput) {
			in.Spec.Conditions = []models.AlertCondition{{Event: models.AlertNodeOffline, Count: 1}}
		})
		join := func(name string) models.Node {
			o.Helper()
			now := o.clock.Now()
			n, _, err := o.ledger.RegisterNode(o.Context(), models.Node{
				ID: models.NewID(now), AppID: o.app.ID, GroupID: o.group.ID, Name: name, State: models.NodeOnline, Incarnation: name, Slots: 1, LastSeenAt: now, StartedAt: now,
			})
			o.must(err)
			return n
		}
		lose := func(n models.Node) {
			o.Helper()
			changed, err := o.ledger.LoseNode(o.Context(), n.ID, n.Incarnation)
			o.must(err)
			if !changed {
				o.Fatal("the node was lost before")
			}
		}
		pod, machine := join("pod-x7f"), join("machine")
		lose(pod)
		lose(machine)
		o.pass()
		o.told("PROBLEM 2")
		for _, i := range o.incidents() {
			if or(i.NodeID) == machine.ID {
				_, err := o.Acknowledge(o.Context(), "ada", i.ID, "new disk on its way")
				o.must(err)
			}
		}
		o.later(23 * time.Hour)
		o.later(62 * time.Minute)
		for _, i := range o.incidents() {
			want := models.IncidentResolved
			if or(i.NodeID) == machine.ID {
				want = models.IncidentAcknowledged
			}
			if i.State != want {
				o.Errorf("%s is %s: %s", i.Title, i.State, i.Resolution)
			}
		}
		o.told("PROBLEM 2")
		machine.Incarnation, machine.State = "machine again", models.NodeSuspect
		machine.LastSeenAt = o.clock.Now()
		_, _, err := o.ledger.RegisterNode(o.Context(), machine)
		o.must(err)
		_, err = o.ledger.SetNodeState(o.Context(), machine.ID, machine.Incarnation, models.NodeOnline, "")
		o.must(err)
		o.later(2 * time.Minute)
		o.told("PROBLEM 2", "RECOVERY 1")
	})
}

// A problem that was over comes back only when its threshold is reached again, however
// soon it happens once more.
func TestOnceMoreIsBelowTheThreshold(t *testing.T) {
	onBoth(t, 1, func(o *office) {
		o.rule(condition(models.AlertCondition{Count: 2, WindowMS: 3 * time.Minute.Milliseconds()}))
		o.ends(0, "FF")
		o.states(models.IncidentOpen)
		o.succeeds(0)
		o.later(5 * time.Minute)
		o.states(models.IncidentResolved)
		o.fails(0) // the others have left the window
		o.later(time.Minute)
		o.states(models.IncidentResolved)
		o.told("PROBLEM 1", "RECOVERY 1")
		o.ends(0, "FF")
		o.states(models.IncidentOpen)
		if all := o.incidents(); len(all) != 1 {
			o.Errorf("%d incidents", len(all))
		}
	})
}

// What happens belongs to the incident that is open, not to one that a person has resolved
// a moment ago.
func TestEventsGoToTheOpenIncident(t *testing.T) {
	onBoth(t, 1, func(o *office) {
		o.rule()
		o.ends(0, "F")
		_, err := o.Resolve(o.Context(), "ada", o.incidents()[0].ID, "")
		o.must(err)
		o.ends(0, "FFF")
		open := map[models.IncidentState][]int64{}
		for _, i := range o.incidents() {
			open[i.State] = append(open[i.State], i.Count)
		}
		want := map[models.IncidentState][]int64{models.IncidentResolved: {1}, models.IncidentOpen: {3}}
		if diff := cmp.Diff(want, open); diff != "" {
			o.Errorf("events by incident (-want +got):\n%s", diff)
		}
	})
}
