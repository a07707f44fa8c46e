package store

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

func TestReportsAreSentOnce(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		c := alertChannel(t, s, "one")
		audit := func() models.Audit { return models.Audit{ID: models.NewID(t0), At: t0} }
		r := models.ReportSchedule{
			ID: models.NewID(t0), Name: "night", Zone: "UTC", AtTime: "08:30", Days: 127, Channels: json.RawMessage(`["` + c.ID + `"]`), Enabled: true,
			Version: 1, NextAt: &t0, CreatedBy: "test", CreatedAt: t0, UpdatedAt: t0,
		}
		if err := s.CreateReport(t.Context(), r, audit()); err != nil {
			t.Fatal(err)
		}
		twin := r
		twin.ID = models.NewID(t0)
		if err := s.CreateReport(t.Context(), twin, audit()); !fault.Is(err, fault.Taken) {
			t.Errorf("the same name: %v", err)
		}
		twin.Name, twin.AppID = "other", &twin.ID
		if err := s.CreateReport(t.Context(), twin, audit()); !fault.Is(err, fault.NotFound) {
			t.Errorf("no such app: %v", err)
		}
		if got, err := s.Report(t.Context(), r.ID); err != nil || cmp.Diff(r, got) != "" {
			t.Errorf("%v %s", err, cmp.Diff(r, got))
		}
		if _, err := s.DeleteChannel(t.Context(), c.ID, audit()); !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "night") {
			t.Errorf("deleting its channel: %v", err)
		}
		next := t0.Add(24 * time.Hour)
		first := []models.Notification{notification(c.ID, t0)}
		if err := s.SendReport(t.Context(), Fence{0: 99}, r, &next, t0, first); !errors.Is(err, ErrDeposed) {
			t.Errorf("a deposed owner: %v", err)
		}
		if err := s.SendReport(t.Context(), nil, r, &next, t0, first); err != nil {
			t.Fatal(err)
		}
		if err := s.SendReport(t.Context(), nil, r, &next, t0, []models.Notification{notification(c.ID, t0)}); !errors.Is(err, ErrReportMoved) {
			t.Errorf("a second time: %v", err)
		}
		if due, _ := s.NotificationsDue(t.Context(), c.ID, t0, 10); len(due) != 1 {
			t.Errorf("%d notifications", len(due))
		}
		if _, err := s.DeleteReport(t.Context(), r.ID, audit()); err != nil {
			t.Fatal(err)
		}
	})
}

func TestHoursOfJobsAreAddedUp(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		all := manyTasks(in)
		job := all[0].JobID
		hour := t0.Truncate(time.Hour)
		for i := range 30 {
			in.must(s.writer.Exec(`INSERT INTO job_hours (job_id, hour_at, succeeded, failed, cancelled, skipped, retried, duration_ms, delay_ms, missed, excluded, late, recovered, lost)
				VALUES (?, ?, 10, 1, 0, 0, 2, 5000, 0, 3, 0, 4, 5, 6)`, job, hour.AddDate(1, 0, 0).Add(time.Duration(i)*time.Hour)).Error)
		}
		from := hour.AddDate(1, 0, 0).Add(2 * time.Hour)
		got, err := s.SumJobHours(t.Context(), "", from, from.Add(24*time.Hour))
		if j := got[job]; err != nil || len(got) != 1 || j.Succeeded != 240 || j.Failed != 24 || j.Missed != 72 || j.Late != 96 || j.Recovered != 120 || j.Lost != 144 || j.Name == "" {
			t.Errorf("%+v %v", got[job], err)
		}
		if none, err := s.SumJobHours(t.Context(), models.NewID(t0), from, from.Add(24*time.Hour)); err != nil || len(none) != 0 {
			t.Errorf("of another app: %v %v", none, err)
		}
		statement, args := s.jobHourSums(all[0].AppID, from, from.Add(24*time.Hour))
		if plan := explain(t, s, statement, args...); strings.Contains(plan, "SCAN h") || strings.Contains(plan, "table=h type=ALL") || strings.Contains(plan, "table=h type=index") {
			t.Errorf("the hours are not read by their key:\n%s", plan)
		}
	})
}
