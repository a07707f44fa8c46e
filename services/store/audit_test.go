package store

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/origin"
)

// trail writes so many rows about three apps, kinds, actions and people, one a second.
func trail(t *testing.T, s *Store, rows int) {
	t.Helper()
	var all []models.Audit
	for i := range rows {
		at := t0.Add(time.Duration(i) * time.Second)
		all = append(all, models.Audit{
			ID: models.NewID(at), At: at, Actor: fmt.Sprintf("actor-%d", i%3), Action: fmt.Sprintf("thing.do%d", i%4), Kind: fmt.Sprintf("kind%d", i%2),
			Object: fmt.Sprintf("object-%d", i%50), AppID: fmt.Sprintf("app-%d", i%3), ObjectName: fmt.Sprintf("name %d", i),
		})
		if len(all) == 500 || i == rows-1 {
			if err := s.InsertAudits(t.Context(), all); err != nil {
				t.Fatal(err)
			}
			all = nil
		}
	}
	analyse := "ANALYZE"
	if s.dialect == mariadb {
		analyse = "ANALYZE TABLE audits"
	}
	if err := s.writer.WithContext(t.Context()).Exec(analyse).Error; err != nil {
		t.Fatal(err)
	}
}

// Each filter reads a range of an index in its order: nothing is sorted, and no whole table
// is read.
func TestTheTrailIsReadByIndexes(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		watch(t, s)
		trail(t, s, 1500)
		r := &recorder{}
		ctx := context.WithValue(t.Context(), recorderKey{}, r)
		from, to := t0.Add(time.Minute), t0.Add(20*time.Minute)
		for name, f := range map[string]AuditFilter{
			"all": {}, "time": {From: &from, To: &to}, "actor": {Actor: "actor-1"}, "kind": {Kind: "kind1"}, "action": {Action: "thing.do2"},
			"object": {Kind: "kind1", Object: "object-7"}, "app": {AppID: "app-1"}, "within": {Within: []string{"app-0", "app-2"}},
			"search": {Search: "NAME 77"}, "app and actor": {AppID: "app-1", Actor: "actor-1", From: &from}, "within and object": {Within: []string{"app-1"}, Kind: "kind1", Object: "object-7"},
		} {
			rows, info, err := s.AuditPage(ctx, f, Page{First: 20})
			if err != nil || len(rows) == 0 {
				t.Errorf("%s: %d rows, %v", name, len(rows), err)
				continue
			}
			if !info.HasNext {
				continue
			}
			next, _, err := s.AuditPage(ctx, f, Page{First: 20, After: rows[len(rows)-1].ID})
			if err != nil || len(next) == 0 || next[0].ID >= rows[len(rows)-1].ID {
				t.Errorf("%s: the next page is %d rows, %v", name, len(next), err)
			}
		}
		if len(r.list) < 15 {
			t.Errorf("only %d statements were seen", len(r.list))
		}
		for _, q := range r.list {
			plan := explain(t, s, q.statement, q.args...)
			if sorts(plan) || scansAll(plan) {
				t.Errorf("%s %v\n%s", q.statement, q.args, plan)
			}
		}
	})
}

// A search for what is rare stops after so many rows, says where, and goes on there.
func TestSearchesOfTheTrailStop(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		trail(t, s, searchedAudits+300)
		rows, info, err := s.AuditPage(t.Context(), AuditFilter{Search: "name 5"}, Page{First: 1000})
		if err != nil || !info.HasNext || info.Stopped == "" && len(rows) < 1000 {
			t.Fatalf("%d rows, %+v, %v", len(rows), info, err)
		}
		rows, info, err = s.AuditPage(t.Context(), AuditFilter{Search: "name 17", Kind: "kind1", Actor: "actor-2"}, Page{First: 10, After: models.LowestID(t0.Add(50 * time.Second))})
		if err != nil || info.HasNext || len(rows) != 1 || rows[0].ObjectName != "name 17" {
			t.Errorf("%d rows, %+v, %v", len(rows), info, err)
		}
		nothing, info, err := s.AuditPage(t.Context(), AuditFilter{Search: "no such thing"}, Page{First: 10})
		if err != nil || len(nothing) != 0 || info.Stopped == "" {
			t.Fatalf("%d rows, %+v, %v", len(nothing), info, err)
		}
		nothing, info, err = s.AuditPage(t.Context(), AuditFilter{Search: "no such thing"}, Page{First: 10, After: info.Stopped})
		if err != nil || len(nothing) != 0 || info.HasNext {
			t.Errorf("at the end: %d rows, %+v, %v", len(nothing), info, err)
		}
	})
}

// A row says where its change came from and what has changed, without secrets; old rows go
// some at a time, the oldest first.
func TestAuditRowsAreWholeAndPruned(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		ctx := origin.With(t.Context(), origin.Origin{Kind: models.AuthorPerson, Address: "192.0.2.1", RequestID: "r1", Agent: "Firefox"})
		audit := models.Audit{ID: models.NewID(t0), At: t0, Actor: "ada", Action: "app.update", Kind: "app", Object: w.app.ID, Detail: []byte(`{"password":"hunter2hunter2"}`)}
		if _, err := s.UpdateApp(ctx, w.app.ID, "token=abcdefghijklmnop", t0, audit); err != nil {
			t.Fatal(err)
		}
		rows, err := s.audits(t.Context(), "app", []string{w.app.ID})
		if err != nil || len(rows) == 0 {
			t.Fatal(rows, err)
		}
		a := rows[len(rows)-1]
		if a.Address != "192.0.2.1" || a.RequestID != "r1" || a.Agent != "Firefox" || a.ActorKind != models.AuthorPerson || a.AppID != w.app.ID || a.ObjectName != w.app.Name {
			t.Errorf("%+v", a)
		}
		if string(a.StateAfter) != `{"description":"token=[masked]"}` || string(a.Detail) != `{"password":"[masked]"}` || string(a.StateBefore) != `{"description":""}` {
			t.Errorf("%s → %s, %s", a.StateBefore, a.StateAfter, a.Detail)
		}
		trail(t, s, 25)
		for _, want := range []int{10, 5, 0} {
			if n, err := s.PruneAudits(t.Context(), nil, t0.Add(15*time.Second), 10); err != nil || n < want {
				t.Errorf("%d rows pruned, want %d, %v", n, want, err)
			}
		}
		if left, _, err := s.AuditPage(t.Context(), AuditFilter{Actor: "actor-0"}, Page{First: 100}); err != nil || len(left) != 4 {
			t.Errorf("%d rows of actor-0 are left, %v", len(left), err)
		}
	})
}
