package store

import (
	"encoding/json"
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// Every change of a job leaves a revision with its author, those before revisions were
// kept included, and the oldest are forgotten.
func TestEveryChangeOfAJobIsKept(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, g := in.app("shop")
		up, j := in.job(g, "up"), in.job(g, "nightly")
		j.Parameters = json.RawMessage(`{"a":1}`)
		old := in.job(g, "old")
		old.Version = 7
		in.store1(&[]models.Job{old}) // as it stood before revisions were kept
		in.must(s.CreateJob(t.Context(), up, in.audit("job", up.ID)))
		audit := in.audit("job", j.ID)
		audit.Action, audit.ActorKind = "job.create", models.AuthorToken
		in.must(s.CreateJob(t.Context(), j, audit))

		edit := func(j models.Job, upstream []models.Dependency, change func(*models.Job)) models.Job {
			t.Helper()
			after := j
			change(&after)
			audit := in.audit("job", j.ID)
			audit.Action, audit.ActorKind, audit.Detail = "job.update", models.AuthorPerson, json.RawMessage(`{"timeout":1,"trigger":2}`)
			after.UpdatedAt = audit.At
			saved, err := s.UpdateJob(t.Context(), JobEdit{Job: after, ExpectVersion: j.Version, ExpectNext: j.NextFireAt, Upstream: upstream, Audit: audit})
			in.must(err)
			return saved
		}
		j = edit(j, []models.Dependency{{JobID: j.ID, UpstreamID: up.ID, On: models.OnSuccess}}, func(j *models.Job) {
			j.TriggerKind, j.DependencyMode, j.DependencyWindow, j.Zone = models.TriggerDependency, models.DependencyAll, models.WindowRun, "UTC"
		})
		j = edit(j, nil, func(j *models.Job) { j.TimeoutMS = 5000 }) // what it waits for stays
		_, err := s.DeleteJob(t.Context(), j.ID, in.tick(), in.audit("job", j.ID))
		in.must(err)

		rows, before, info, err := s.JobRevisions(t.Context(), j.ID, Page{First: 3})
		in.must(err)
		if len(rows) != 3 || before == nil || before.Number != 1 || !info.HasNext {
			t.Fatalf("%d rows, before %+v, %+v", len(rows), before, info)
		}
		if r := *before; r.Author != "ada" || r.AuthorKind != models.AuthorToken || r.Action != "job.create" || r.Fields != nil {
			t.Errorf("%+v", r)
		}
		if r := rows[1]; r.Number != 3 || r.AuthorKind != models.AuthorPerson || string(r.Fields) != `["timeout","trigger"]` {
			t.Errorf("%+v %s", r, r.Fields)
		}
		var was models.JobSnapshot
		in.must(json.Unmarshal(rows[1].Snapshot, &was))
		if d := gocmp.Diff([]models.UpstreamSnapshot{{Job: up.ID, On: "SUCCESS"}}, was.Trigger.Upstream); d != "" || was.TimeoutMS != 5000 || string(was.Parameters) != `{"a":1}` {
			t.Errorf("%s %+v", d, was)
		}
		var deleted models.JobSnapshot
		in.must(json.Unmarshal(rows[0].Snapshot, &deleted))
		if rows[0].Number != 4 || !deleted.Deleted || len(deleted.Trigger.Upstream) != 1 {
			t.Errorf("%+v", rows[0])
		}
		rest, _, info, err := s.JobRevisions(t.Context(), j.ID, Page{First: 3, After: fmt.Sprint(rows[2].Number)})
		in.must(err)
		if len(rest) != 1 || rest[0].Number != 1 || info.HasNext || !info.HasPrevious {
			t.Errorf("%+v %+v", rest, info)
		}

		newest, err := s.NewestRevisions(t.Context(), []string{j.ID, models.NewID(in.tick())}, 2)
		in.must(err)
		if diff := gocmp.Diff(map[string][]models.JobRevision{j.ID: rows[:3]}, newest); diff != "" {
			t.Errorf("the newest of several jobs (-of one +of several):\n%s", diff)
		}
		// One that is older than revisions keeps what it was before its first change.
		old = edit(old, nil, func(j *models.Job) { j.TimeoutMS = 5000 })
		first, err := s.JobRevision(t.Context(), old.ID, 7)
		in.must(err)
		if first.Action != actionBefore || first.Author != "" {
			t.Errorf("%+v", first)
		}
		for range models.RevisionsKept {
			old = edit(old, nil, func(*models.Job) {})
		}
		all, _, _, err := s.JobRevisions(t.Context(), old.ID, Page{First: models.RevisionsKept + 10})
		in.must(err)
		if len(all) != models.RevisionsKept || all[0].Number != old.Version {
			t.Errorf("%d are kept, the newest is %d", len(all), all[0].Number)
		}
		if _, err := s.JobRevision(t.Context(), old.ID, 7); !fault.Is(err, fault.NotFound) {
			t.Errorf("the oldest: %v", err)
		}
	})
}
