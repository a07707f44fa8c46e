package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// manyTasks stores tasks that differ in everything a list looks at.
func manyTasks(in *seed) []models.Task {
	in.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	shop, _, front := in.app("shop")
	_, _, vault := in.app("bank")
	back := in.group(shop.ID, "back")
	in.must(in.store.CreateGroup(in.Context(), back, in.audit("group", back.ID)))
	jobs := []models.Job{in.storedJob(front, "pay"), in.storedJob(front, "ship"), in.storedJob(back, "sum"), in.storedJob(vault, "count")}
	var all []models.Task
	for i := range 500 {
		j := jobs[r.IntN(len(jobs))]
		state := models.TaskStates[r.IntN(len(models.TaskStates))]
		all = append(all, in.task(j, state, func(t *models.Task) {
			t.Trigger = []models.TriggerKind{models.TriggerCron, models.TriggerManual}[r.IntN(2)]
			if r.IntN(3) == 0 && j.AppID == shop.ID {
				t.GroupID = back.ID // the job has moved since
			}
			if r.IntN(2) == 0 {
				t.NodeID = new(fmt.Sprintf("01NODENODENODENODENODENO%02d", r.IntN(3)))
			}
			if r.IntN(10) == 0 {
				t.UniqueKey = new(fmt.Sprint("key ", i))
			}
			if len(all) > 10 && r.IntN(10) == 0 && !all[len(all)-1].Child() && all[len(all)-1].State != models.TaskRunning { // one that runs would end
				parent := all[len(all)-1]
				t.ParentID, t.Shard, t.ID, t.UniqueKey = &parent.ID, new(0), models.ChildID(parent.ID, 0), nil
			}
		}))
	}
	in.created(all...)
	slices.SortFunc(all, func(a, b models.Task) int { return strings.Compare(b.ID, a.ID) })
	return all
}

const timePart = 10 // characters of a ULID that hold its time

// listed are those that a list without a filter shows.
func listed(all []models.Task) []models.Task {
	return slices.DeleteFunc(all, func(t models.Task) bool { return t.Child() })
}

// matches is the filter, worked out without a database.
func matches(t *models.Task, f *TaskFilter) bool {
	scheduled := t.ID[:timePart]
	if t.Child() && f.ParentID == "" && f.NodeID == "" && (f.Search == "" || !strings.HasPrefix(t.ID, strings.ToUpper(f.Search))) {
		return false
	}
	return (f.JobID == "" || t.JobID == f.JobID) && (f.AppID == "" || t.AppID == f.AppID) && (f.Within == nil || slices.Contains(f.Within, t.AppID)) && (f.GroupID == "" || t.GroupID == f.GroupID) &&
		(f.NodeID == "" || t.NodeID != nil && *t.NodeID == f.NodeID) && (f.ParentID == "" || t.ParentID != nil && *t.ParentID == f.ParentID) &&
		(len(f.States) == 0 || slices.Contains(f.States, t.State)) && (f.Trigger == 0 || t.Trigger == f.Trigger) &&
		(f.From == nil || scheduled >= models.LowestID(*f.From)[:timePart]) && (f.To == nil || scheduled < models.LowestID(*f.To)[:timePart]) &&
		(f.Search == "" || strings.HasPrefix(t.ID, strings.ToUpper(f.Search)) || t.UniqueKey != nil && *t.UniqueKey == f.Search)
}

func taskFilters(all []models.Task) map[string]TaskFilter {
	first, some := all[0], all[len(all)/2]
	var shard, keyed models.Task
	for _, t := range all {
		if t.ParentID != nil {
			shard = t
		}
		if t.UniqueKey != nil {
			keyed = t
		}
	}
	instant := func(id string) *time.Time { return new(timeOf(id)) }
	return map[string]TaskFilter{
		"all":              {},
		"job":              {JobID: some.JobID},
		"job and state":    {JobID: some.JobID, States: []models.TaskState{models.TaskFailed}},
		"job and moving":   {JobID: some.JobID, States: []models.TaskState{models.TaskWaiting, models.TaskRunning, models.TaskSucceeded}},
		"job and queued":   {JobID: some.JobID, States: []models.TaskState{models.TaskWaiting, models.TaskRetrying}},
		"running":          {States: []models.TaskState{models.TaskRunning}},
		"waiting":          {States: []models.TaskState{models.TaskWaiting}},
		"succeeded":        {States: []models.TaskState{models.TaskSucceeded}},
		"failed queue":     {States: []models.TaskState{models.TaskFailed}},
		"unfinished":       {States: []models.TaskState{models.TaskWaiting, models.TaskRunning, models.TaskRetrying, models.TaskFailed}},
		"every state":      {States: models.TaskStates[:]},
		"app":              {AppID: some.AppID},
		"within an app":    {Within: []string{some.AppID}},
		"within both apps": {Within: []string{first.AppID, some.AppID, "01NONE"}, States: []models.TaskState{models.TaskFailed}},
		"within, a group":  {Within: []string{"01NONE"}, GroupID: some.GroupID},
		"within, a job":    {Within: []string{"01NONE"}, JobID: some.JobID},
		"within, an app":   {Within: []string{"01NONE"}, AppID: some.AppID},
		"within, a key":    {Within: []string{"01NONE"}, Search: *keyed.UniqueKey},
		"within, an id":    {Within: []string{"01NONE"}, Search: some.ID},
		"within nothing":   {Within: []string{}},
		"app and state":    {AppID: some.AppID, States: []models.TaskState{models.TaskSkipped, models.TaskSucceeded}},
		"group":            {GroupID: some.GroupID},
		"group and state":  {GroupID: some.GroupID, States: []models.TaskState{models.TaskRunning, models.TaskCancelled}},
		"job of other app": {JobID: some.JobID, AppID: "01NONE"},
		"node":             {NodeID: "01NODENODENODENODENODENO01"},
		"trigger":          {Trigger: models.TriggerCron},
		"time":             {From: instant(all[300].ID), To: instant(all[100].ID)},
		"job and time":     {JobID: some.JobID, From: instant(all[400].ID), Trigger: models.TriggerManual},
		"shards":           {ParentID: *shard.ParentID},
		"id":               {Search: first.ID},
		"id in lower case": {Search: strings.ToLower(some.ID)},
		"prefix":           {Search: some.ID[:9]},
		"unique key":       {Search: *keyed.UniqueKey},
		"no such key":      {Search: "none%_'"},
		"no such id":       {Search: "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"},
		"nothing":          {JobID: "01NONE"},
	}
}

// timeOf is the instant in a ULID.
func timeOf(id string) time.Time {
	low, high := int64(0), int64(1)<<47
	for low < high { // the first millisecond whose lowest id is not before
		mid := (low + high) / 2
		if models.LowestID(time.UnixMilli(mid))[:timePart] < id[:timePart] {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return time.UnixMilli(low).UTC()
}

func TestTaskPages(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		all := manyTasks(in)
		for name, f := range taskFilters(all) {
			want := []string{}
			for i := range all {
				if matches(&all[i], &f) {
					want = append(want, all[i].ID)
				}
			}
			for _, size := range []int{3, 40, 1000} {
				for _, backward := range []bool{false, true} {
					got := walkTasks(t, s, f, size, backward)
					if diff := cmp.Diff(want, got); diff != "" {
						t.Fatalf("%s, pages of %d, backward %t (-want +got):\n%s", name, size, backward, diff)
					}
				}
			}
		}
	})
}

func walkTasks(t *testing.T, s *Store, f TaskFilter, size int, backward bool) []string {
	t.Helper()
	ids := []string{}
	for {
		p := Page{First: size}
		if backward {
			p = Page{Last: size}
		}
		if n := len(ids); n > 0 && backward {
			p.Before = ids[0]
		} else if n > 0 {
			p.After = ids[n-1]
		}
		rows, info, err := s.TaskPage(t.Context(), f, p)
		if err != nil {
			t.Fatal(err)
		}
		page := []string{}
		for i := range rows {
			page = append(page, rows[i].ID)
		}
		more := info.HasNext
		if backward {
			ids, more = append(page, ids...), info.HasPrevious
		} else {
			ids = append(ids, page...)
		}
		if !more || len(rows) == 0 {
			return ids
		}
	}
}

// TestTaskPagesByEveryWay takes the ways that are kept for very many tasks.
func TestTaskPagesByEveryWay(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		all := manyTasks(in)
		for name, f := range taskFilters(all) {
			if f.Search != "" {
				continue
			}
			want := []string(nil)
			for i := range all {
				if matches(&all[i], &f) {
					want = append(want, all[i].ID)
				}
			}
			for _, few := range []int{0, 1000} {
				r := taskReading{store: s, filter: &f, wanted: f.wanted(s.dialect), descending: true, limit: 1000, fewQueued: few, fewJobs: few, probeRows: 10, searchRows: 1_000_000}
				got, stopped, err := r.ids(t.Context())
				in.must(err)
				if stopped != "" {
					t.Errorf("%s with few = %d: stopped at %s", name, few, stopped)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s with few = %d (-want +got):\n%s", name, few, diff)
				}
			}
		}
	})
}

// TestSearchGoesOnWhereItStopped walks every filter with searches that look at few
// tasks each: short pages join to the same list, in both directions.
func TestSearchGoesOnWhereItStopped(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		all := manyTasks(in)
		stops := 0
		for name, f := range taskFilters(all) {
			want := []string{}
			for i := range all {
				if matches(&all[i], &f) {
					want = append(want, all[i].ID)
				}
			}
			for _, descending := range []bool{true, false} {
				got, n := searchAll(t, s, f, descending)
				stops += n
				if !descending {
					slices.Reverse(got)
				}
				if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("%s, descending %t (-want +got):\n%s", name, descending, diff)
				}
			}
		}
		if stops == 0 {
			t.Error("no search was cut short")
		}
	})
}

// searchAll reads a list in pages of seven, each of which looks at forty tasks, and
// answers how many of the searches were stopped.
func searchAll(t *testing.T, s *Store, f TaskFilter, descending bool) (ids []string, stops int) {
	t.Helper()
	for at := ""; ; {
		w := f.wanted(s.dialect)
		if err := s.search(t.Context(), f.Search, &w); err != nil {
			t.Fatal(err)
		}
		if descending {
			w.below(at)
		} else {
			w.above(at)
		}
		r := taskReading{store: s, filter: &f, wanted: w, descending: descending, limit: 7, fewJobs: 1000, probeRows: 10, searchRows: 40}
		page, stopped, err := r.ids(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, page...)
		switch {
		case stopped != "":
			at, stops = stopped, stops+1
		case len(page) == r.limit:
			at = page[len(page)-1]
		default:
			return ids, stops
		}
	}
}

func TestTaskPageSizes(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		all := listed(manyTasks(in))
		for _, p := range []Page{{First: -1}, {First: 1, Last: 1}, {First: 1001}, {Last: -3}} {
			_, _, err := s.TaskPage(t.Context(), TaskFilter{}, p)
			wantFault(t, err, fault.Invalid)
		}
		rows, info, err := s.TaskPage(t.Context(), TaskFilter{}, Page{})
		in.must(err)
		if len(rows) != defaultPage || !info.HasNext || info.HasPrevious {
			t.Errorf("%d rows, %+v", len(rows), info)
		}
		rows, info, err = s.TaskPage(t.Context(), TaskFilter{}, Page{Last: 5, Before: all[3].ID})
		in.must(err)
		if len(rows) != 3 || !info.HasNext || info.HasPrevious {
			t.Errorf("%d rows, %+v", len(rows), info)
		}
	})
}

// TestTaskPageWhileTasksCome checks that no task of a list is shown twice or
// missed while others are added (CB-103).
func TestTaskPageWhileTasksCome(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		all := listed(manyTasks(in))
		_, _, g := in.app("more")
		j := in.storedJob(g, "more")
		var got []string
		for after := ""; ; after = got[len(got)-1] {
			rows, info, err := s.TaskPage(t.Context(), TaskFilter{}, Page{First: 50, After: after})
			in.must(err)
			for i := range rows {
				got = append(got, rows[i].ID)
			}
			if !info.HasNext {
				break
			}
			in.created(in.task(j, models.TaskWaiting))
		}
		want := []string{}
		for _, task := range all {
			want = append(want, task.ID)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestRecentTasks(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		all := listed(manyTasks(in))
		want := map[string][]string{}
		for _, task := range all {
			if len(want[task.JobID]) < 7 {
				want[task.JobID] = append(want[task.JobID], task.ID)
			}
		}
		jobs := []string{"01NONE"}
		for id := range want {
			jobs = append(jobs, id)
		}
		recent, err := s.RecentTasks(t.Context(), jobs, 7)
		in.must(err)
		got := map[string][]string{}
		for job, tasks := range recent {
			for _, task := range tasks {
				got[job] = append(got[job], task.ID)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		_, err = s.RecentTasks(t.Context(), jobs, 0)
		wantFault(t, err, fault.Invalid)
	})
}
