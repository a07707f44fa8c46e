package store

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
)

// unserved are n fires, a minute apart, of a job that nobody can run.
func (w *world) unserved(j *models.Job, at time.Time, n, keep int) Fires {
	next := at.Add(time.Duration(n) * time.Minute)
	f := Fires{JobID: j.ID, Version: j.Version, ExpectedNext: at, Next: &next, Last: new(next.Add(-time.Minute)), Keep: keep}
	for i := range n {
		t := w.task(0)
		t.JobID, t.Trigger, t.CreatedAt = j.ID, models.TriggerCron, at
		t.ScheduledAt = at.Add(time.Duration(i) * time.Minute)
		t.ID, t.AvailableAt = models.FireID(j.ID, t.ScheduledAt, -1), t.ScheduledAt
		f.Tasks = append(f.Tasks, t)
	}
	return f
}

// record writes fires of one job, which must win.
func record(t testing.TB, s *Store, f Fires) Fires {
	t.Helper()
	list := []Fires{f}
	if won, err := s.RecordFires(t.Context(), nil, list); err != nil || !won[0] {
		t.Fatalf("won %v, %v", won, err)
	}
	return list[0]
}

// runsOf are a job's runs of skipped fires, the newest first, by minutes after t0.
func runsOf(t testing.TB, s *Store, job string) []string {
	t.Helper()
	all, err := s.SkippedFires(t.Context(), []string{job}, 100)
	if err != nil {
		t.Fatal(err)
	}
	runs := []string{}
	for _, f := range all[job] {
		runs = append(runs, fmt.Sprintf("%s %d: %g-%g", f.Reason, f.Count, f.FirstAt.Sub(t0).Minutes(), f.LastAt.Sub(t0).Minutes()))
	}
	return runs
}

// How many fires of a job without a worker become tasks depends on what waits already.
func TestFiresAreHeldBackWithoutAWorker(t *testing.T) {
	type mix struct{ fires, asked, delayed, done int } // tasks of the job that are there
	for name, c := range map[string]struct {
		there mix
		keep  int
		n     int // fires that come at once
		kept  int
	}{
		"the first one waits":                   {mix{}, 1, 1, 1},
		"the second does not":                   {mix{fires: 1}, 1, 1, 0},
		"after others have run":                 {mix{done: 5}, 1, 1, 1},
		"of many at once the first":             {mix{}, 1, 5, 1},
		"many at once where each counts":        {mix{}, 100, 5, 5},
		"up to the bound":                       {mix{fires: 97}, 100, 5, 3},
		"none beyond it":                        {mix{fires: 100}, 100, 5, 0},
		"more wait than may":                    {mix{fires: 120}, 100, 1, 0},
		"what people asked for is not a fire":   {mix{asked: 3}, 1, 2, 1},
		"but a hundred of any kind are enough":  {mix{asked: 100}, 1, 1, 0},
		"so they are where each counts":         {mix{fires: 60, asked: 40}, 100, 1, 0},
		"tasks of later times do not crowd":     {mix{fires: 1, delayed: 150}, 1, 1, 0},
		"nor do they count":                     {mix{delayed: 150}, 1, 1, 1},
		"somebody can run it: nothing is bound": {mix{fires: 120}, 0, 5, 5},
	} {
		t.Run(name, func(t *testing.T) {
			forEachDialect(t, func(t *testing.T, s *Store) {
				w := newWorld(t, s, 1)
				j := w.cron(t, s, "j", t0)
				there := w.unserved(&j, t0.Add(-3*time.Hour), c.there.fires, 0).Tasks
				for i := range c.there.asked + c.there.delayed + c.there.done {
					task := w.task(0)
					task.JobID = j.ID
					at := t0.Add(-time.Hour)
					if i < c.there.delayed {
						at = t0.Add(time.Hour)
					}
					task.ID, task.ScheduledAt, task.AvailableAt = models.NewID(at), at, at
					if i >= c.there.asked+c.there.delayed {
						task.State = models.TaskSucceeded
					}
					there = append(there, task)
				}
				create(t, s, there...)
				f := record(t, s, w.unserved(&j, t0, c.n, c.keep))
				row, err := s.Job(t.Context(), j.ID)
				if err != nil {
					t.Fatal(err)
				}
				lost := []string{}
				if c.kept < c.n {
					lost = append(lost, fmt.Sprintf("NO_WORKER %d: %d-%d", c.n-c.kept, c.kept, c.n-1))
				}
				last, since := (*time.Time)(nil), (*time.Time)(nil)
				if c.kept > 0 {
					last = new(t0.Add(time.Duration(c.kept-1) * time.Minute))
				} else {
					since = new(t0.Add(time.Duration(c.n-1) * time.Minute))
				}
				if diff := cmp.Diff(lost, runsOf(t, s, j.ID)); diff != "" || len(f.Tasks) != c.kept || !sameTime(f.Last, last) {
					t.Errorf("%d tasks, want %d; last %v; runs (-want +got):\n%s", len(f.Tasks), c.kept, f.Last, diff)
				}
				if !row.NextFireAt.Equal(t0.Add(time.Duration(c.n)*time.Minute)) || !sameTime(row.LastFireAt, last) || !sameTime(row.TriggerSince, since) {
					t.Errorf("next %v, last %v, since %v; want last %v, since %v", row.NextFireAt, row.LastFireAt, row.TriggerSince, last, since)
				}
				wantCounters(t, s)
			})
		})
	}
}

// An hour without a worker leaves one task and one row, and the job's hours count the
// rest; the row goes on until a fire becomes a task again.
func TestAnHourWithoutAWorkerIsTwoRows(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		j := w.cron(t, s, "j", t0)
		var first models.Task
		for i := range 60 {
			f := record(t, s, w.unserved(&j, t0.Add(time.Duration(i)*time.Minute), 1, 1))
			if i == 0 {
				first = f.Tasks[0]
			}
		}
		if diff := cmp.Diff([]string{"NO_WORKER 59: 1-59"}, runsOf(t, s, j.ID)); diff != "" {
			t.Errorf("runs (-want +got):\n%s", diff)
		}
		hours, err := s.JobHours(t.Context(), []string{j.ID}, t0.Add(-time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		counted := int64(0)
		for _, h := range hours {
			counted += h.Skipped
		}
		if counted != 59 {
			t.Errorf("the hours count %d, want 59", counted)
		}
		for at, want := range map[int]int{0: 0, 1: 1, 30: 1, 59: 1, 60: 0} {
			runs, err := s.SkippedAt(t.Context(), j.ID, t0.Add(time.Duration(at)*time.Minute), 5)
			if err != nil || len(runs) != want {
				t.Errorf("minute %d is in %d runs, %v; want %d", at, len(runs), err, want)
			}
		}
		// A worker comes and runs what waits, and leaves again.
		end(t, s, endOf(&dispatch(t, s, t0.Add(time.Hour), first)[0], models.OutcomeSucceeded, t0.Add(time.Hour)))
		for i := 60; i < 63; i++ {
			record(t, s, w.unserved(&j, t0.Add(time.Duration(i)*time.Minute), 1, 1))
		}
		if diff := cmp.Diff([]string{"NO_WORKER 2: 61-62", "NO_WORKER 59: 1-59"}, runsOf(t, s, j.ID)); diff != "" {
			t.Errorf("runs (-want +got):\n%s", diff)
		}
		wantCounters(t, s)
	})
}

// A rest day between two fires that nobody could run is told apart from them.
func TestRestDaysBetweenFiresWithoutAWorker(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		j := w.cron(t, s, "j", t0)
		for i := range 9 {
			at := t0.Add(time.Duration(i) * 10 * time.Minute)
			f := w.unserved(&j, at, 1, 1)
			f.Next = new(at.Add(10 * time.Minute))
			if i%3 == 2 { // the calendar took out what lies before
				f.Skipped = []models.SkippedFires{{
					ID: models.NewID(at), JobID: j.ID, FirstAt: at.Add(-9 * time.Minute), LastAt: at.Add(-time.Minute), Count: 9,
					Reason: "CALENDAR_REST_DAY", RecordedAt: at,
				}}
			}
			record(t, s, f)
		}
		want := []string{
			"NO_WORKER 1: 80-80", "CALENDAR_REST_DAY 9: 71-79", "NO_WORKER 3: 50-70", "CALENDAR_REST_DAY 9: 41-49",
			"NO_WORKER 3: 20-40", "CALENDAR_REST_DAY 9: 11-19", "NO_WORKER 1: 10-10",
		}
		if diff := cmp.Diff(want, runsOf(t, s, j.ID)); diff != "" {
			t.Errorf("runs (-want +got):\n%s", diff)
		}
	})
}

// Jobs that wait for others are bounded alike, in whatever order their upstream tasks
// end; a run that asked for everything downstream is not held back.
func TestArrivalsWithoutAWorker(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 2)
		w.depend(t, s, 1, 0)
		job := w.jobs[1].ID
		rules := everyFire
		rules.Keep = map[string]int{job: 1}
		rules.Decide = func(window *Window) Joined {
			said := everyFire.Decide(window)
			if said.Task != nil && window.Held {
				said = Joined{Skipped: models.ReasonNoWorker, At: said.Task.ScheduledAt}
			}
			return said
		}
		made := 0
		join := func(at time.Time, arrivals []models.Arrival) {
			t.Helper()
			got, err := s.RecordArrivals(t.Context(), nil, at, arrivals, rules)
			if err != nil {
				t.Fatal(err)
			}
			made += len(got.Tasks)
		}
		_, arrivals := arrive(t, s, w, 10)
		join(t0, arrivals[5:8]) // one of them waits
		join(t0.Add(time.Second), arrivals[8:])
		join(t0.Add(2*time.Second), arrivals[:5])
		_, more := arrive(t, s, w, 3)
		more[0].Downstream = models.DownstreamAll
		if err := s.writer.WithContext(t.Context()).Table("arrivals").Where("id = ?", more[0].ID).Update("downstream", models.DownstreamAll).Error; err != nil {
			t.Fatal(err)
		}
		join(t0.Add(3*time.Second), more)
		if made != 2 {
			t.Errorf("%d tasks were made, want the first and the one that was asked for", made)
		}
		all, err := s.SkippedFires(t.Context(), []string{job}, 10)
		if err != nil {
			t.Fatal(err)
		}
		var counts []int64
		for _, f := range all[job] {
			counts = append(counts, f.Count)
		}
		if diff := cmp.Diff([]int64{2, 9}, counts); diff != "" { // the fire that was made parts them
			t.Errorf("runs (-want +got):\n%s", diff)
		}
		wantCounters(t, s)
	})
}

func TestGroupsWorkers(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		for i, n := range []struct {
			state            models.NodeState
			handlers, labels string
		}{
			{models.NodeOnline, `["Report","Mail"]`, `{"region":"eu"}`},
			{models.NodeOnline, `["Report","Mail"]`, `{"region":"eu"}`},
			{models.NodeSuspect, `["Slow"]`, `{}`},
			{models.NodeDraining, `["Last"]`, `{}`},
			{models.NodeOffline, `["Gone"]`, `{}`},
		} {
			_, _, err := s.RegisterNode(t.Context(), models.Node{
				ID: models.NewID(t0), AppID: w.app.ID, GroupID: w.group.ID, Name: fmt.Sprint("w", i), Incarnation: "i", State: n.state, Slots: 1,
				Handlers: []byte(n.handlers), Labels: []byte(n.labels), StartedAt: t0, LastSeenAt: t0,
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		rule := models.RoutingRule{Node: "w2", Fallback: models.PinWait}.Document()
		if err := s.writer.Exec("UPDATE node_groups SET routing = ?, routing_rule = ? WHERE id = ?", models.RoutePinned, string(rule), w.group.ID).Error; err != nil {
			t.Fatal(err)
		}
		kind := func(region string, handlers ...string) models.WorkerKind {
			k := models.WorkerKind{Handlers: map[string]bool{}, Labels: map[string]string{}}
			if region != "" {
				k.Labels["region"] = region
			}
			for _, h := range handlers {
				k.Handlers[h] = true
			}
			return k
		}
		got, err := s.GroupsWorkers(t.Context(), []string{w.group.ID, models.NewID(t0)}, map[string][]string{w.app.ID: {"w1", "w4", "w9"}})
		if err != nil || len(got) != 1 {
			t.Fatalf("%d groups, %v", len(got), err)
		}
		slices.SortFunc(got[w.group.ID].Kinds, func(a, b models.WorkerKind) int { return len(b.Handlers) - len(a.Handlers) })
		if a := got[w.group.ID].Kinds; len(a) == 3 && a[1].Handlers["Last"] {
			a[1], a[2] = a[2], a[1]
		}
		want := &models.GroupWorkers{
			Routing: models.RoutePinned, RoutingRule: rule,
			Kinds: []models.WorkerKind{kind("eu", "Report", "Mail"), kind("", "Slow"), kind("", "Last")},
			Named: map[string]models.WorkerKind{"w1": kind("eu", "Report", "Mail"), "w2": kind("", "Slow")},
		}
		if diff := cmp.Diff(want, got[w.group.ID]); diff != "" {
			t.Errorf("workers (-want +got):\n%s", diff)
		}
	})
}
