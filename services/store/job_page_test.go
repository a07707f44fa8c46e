package store

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// manyJobs stores jobs that differ in everything a list looks at.
func manyJobs(in *seed) []models.Job {
	in.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	shop, _, front := in.app("shop")
	_, _, vault := in.app("bank")
	back := in.group(shop.ID, "back")
	in.must(in.store.CreateGroup(in.Context(), back, in.audit("group", back.ID)))
	base := in.now.Add(time.Hour)
	var all []models.Job
	for i := range 60 {
		g := []models.NodeGroup{front, back, vault}[i%3]
		j := in.job(g, fmt.Sprintf("%c-job %02d 😀", 'a'+r.IntN(5), i))
		j.Handler = []string{"Pay", "PayOut", "SHIP_100%", "Größe"}[r.IntN(4)]
		j.Partition = r.IntN(3)
		j.Enabled = r.IntN(4) > 0
		j.TriggerKind = []models.TriggerKind{models.TriggerCron, models.TriggerManual}[r.IntN(2)]
		if r.IntN(3) > 0 {
			j.NextFireAt = new(base.Add(time.Duration(r.IntN(8)) * time.Second)) // several at one instant
		}
		if r.IntN(10) == 0 {
			j.InvalidReason = "broken"
		}
		if r.IntN(10) == 0 {
			j.LiveName, j.DeletedAt = nil, new(base)
		}
		all = append(all, j)
	}
	in.store1(&all)
	return all
}

// wantJobs is what a list should hold, worked out without a database.
func wantJobs(all []models.Job, f JobFilter, o JobOrder) []string {
	var jobs []models.Job
	for _, j := range all {
		text := strings.ToLower(f.Search)
		ok := j.LiveName != nil && (f.AppID == "" || j.AppID == f.AppID) && (f.GroupID == "" || j.GroupID == f.GroupID) && (f.Within == nil || slices.Contains(f.Within, j.AppID)) &&
			(f.Enabled == nil || j.Enabled == *f.Enabled) && (f.Trigger == 0 || j.TriggerKind == f.Trigger) &&
			(strings.Contains(strings.ToLower(j.Name), text) || strings.Contains(strings.ToLower(j.Handler), text))
		if ok {
			jobs = append(jobs, j)
		}
	}
	due := func(j models.Job) int64 {
		if j.NextFireAt == nil || !j.Enabled || j.InvalidReason != "" {
			return 1 << 62
		}
		return j.NextFireAt.UnixMicro()
	}
	slices.SortFunc(jobs, func(a, b models.Job) int {
		switch o {
		case JobsByCreation:
			return -cmp.Compare(a.ID, b.ID)
		case JobsByNextFire:
			return cmp.Or(cmp.Compare(due(a), due(b)), cmp.Compare(a.Partition, b.Partition), cmp.Compare(a.ID, b.ID))
		case JobsByName:
		}
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	ids := []string{}
	for _, j := range jobs {
		ids = append(ids, j.ID)
	}
	return ids
}

// walk reads a whole list page by page, in either direction.
func walk(t *testing.T, s *Store, f JobFilter, o JobOrder, size int, backward bool) []string {
	t.Helper()
	ids := []string{}
	position := ""
	for {
		p := Page{First: size, After: position}
		if backward {
			p = Page{Last: size, Before: position}
		}
		rows, info, err := s.JobPage(t.Context(), f, o, p)
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
		position = JobPosition(&rows[len(rows)-1], o)
		if backward {
			position = JobPosition(&rows[0], o)
		}
	}
}

func TestJobPages(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		all := manyJobs(in)
		filters := map[string]JobFilter{
			"all": {}, "app": {AppID: all[0].AppID}, "group": {GroupID: all[1].GroupID},
			"paused": {Enabled: new(false)}, "enabled": {Enabled: new(true)}, "cron": {Trigger: models.TriggerCron},
			"handler": {Search: "payout"}, "percent": {Search: "%"}, "underscore": {Search: "p_1"}, "quote": {Search: `'"\`},
			"emoji": {Search: "1 😀"}, "none": {AppID: "01NONE"}, "within": {Within: []string{all[0].AppID}}, "within none": {Within: []string{}}, "within, elsewhere": {Within: []string{"01NONE"}, AppID: all[0].AppID}, "both": {AppID: all[0].AppID, Search: "A-JOB", Enabled: new(true)},
		}
		for name, f := range filters {
			for _, o := range []JobOrder{JobsByName, JobsByNextFire, JobsByCreation} {
				want := wantJobs(all, f, o)
				for _, size := range []int{1, 7, 100} {
					for _, backward := range []bool{false, true} {
						got := walk(t, s, f, o, size, backward)
						if diff := gocmp.Diff(want, got); diff != "" {
							t.Fatalf("%s, order %d, pages of %d, backward %t (-want +got):\n%s", name, o, size, backward, diff)
						}
					}
				}
				n, err := s.CountJobs(t.Context(), f)
				if err != nil || n != len(want) {
					t.Errorf("%s: count %d, %v; want %d", name, n, err, len(want))
				}
			}
		}
		upcoming, err := s.UpcomingJobs(t.Context(), nil, 5)
		in.must(err)
		ids := []string{}
		for _, j := range upcoming {
			ids = append(ids, j.ID)
		}
		if diff := gocmp.Diff(wantJobs(all, JobFilter{}, JobsByNextFire)[:5], ids); diff != "" {
			t.Errorf("upcoming (-want +got):\n%s", diff)
		}
	})
}

func TestJobPageRefusesBadPositions(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		for _, p := range []Page{
			{First: 5, After: "short"},
			{First: 5, After: "01AAAAAAAAAAAAAAAAAAAAAAAAxxnever"},
			{Last: 1, Before: "01AAAAAAAAAAAAAAAAAAAAAAAA00x1"},
			{First: -1},
			{Last: -1},
			{First: 1001},
			{First: 1, Last: 1},
		} {
			_, _, err := s.JobPage(t.Context(), JobFilter{}, JobsByNextFire, p)
			wantFault(t, err, fault.Invalid)
		}
	})
}

func TestJobCounts(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		all := manyJobs(in)
		byApp, byGroup := map[string]int{}, map[string]int{}
		for _, j := range all {
			if j.LiveName != nil {
				byApp[j.AppID]++
				byGroup[j.GroupID]++
			}
		}
		gotApp, err := s.CountJobsByApp(t.Context(), []string{all[0].AppID, all[2].AppID, "01NONE"})
		in.must(err)
		gotGroup, err := s.CountJobsByGroup(t.Context(), []string{all[0].GroupID, all[1].GroupID, all[2].GroupID})
		in.must(err)
		if diff := gocmp.Diff([]map[string]int{byApp, byGroup}, []map[string]int{gotApp, gotGroup}); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestJobComesBackAsItWasStored(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, g := in.app("shop")
		five, route := 5, models.RouteRandom
		j := in.storedJob(g, "zahlen 😀", func(j *models.Job) {
			j.Parameters, j.Labels = []byte(`{"big":9007199254740993,"t":"中文"}`), []byte(`{"team":"pay"}`)
			j.TriggerKind, j.Expression, j.Zone = models.TriggerCron, "0 2 * * *", "Asia/Shanghai"
			j.StartAt, j.EndAt, j.JitterMS, j.EveryMS = new(in.now), new(in.now.Add(time.Hour)), 5, 6
			j.MaxRunning, j.Routing, j.RetryJitter, j.NextFireAt, j.LastFireAt = &five, &route, 0.25, new(in.now), new(in.now)
			j.Description = "line\nline"
		})
		for what, read := range map[string]func() (models.Job, error){
			"id":   func() (models.Job, error) { return s.Job(t.Context(), j.ID) },
			"name": func() (models.Job, error) { return s.JobByName(t.Context(), j.AppID, j.Name) },
			"names": func() (models.Job, error) {
				rows, err := s.JobsByNames(t.Context(), j.AppID, []string{"other", j.Name})
				if len(rows) != 1 {
					return models.Job{}, fmt.Errorf("%d rows, %w", len(rows), err)
				}
				return rows[0], err
			},
		} {
			got, err := read()
			in.must(err)
			if diff := gocmp.Diff(j, got); diff != "" {
				t.Errorf("by %s (-stored +read):\n%s", what, diff)
			}
		}
	})
}
