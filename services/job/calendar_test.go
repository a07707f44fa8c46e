package job

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// calendar makes a calendar of weekends and one holiday, Monday 5 May 2031.
func (s *shop) calendar(name string) models.Calendar {
	s.Helper()
	now := s.clock.Now()
	c := models.Calendar{
		ID: models.NewID(now), AppID: s.app.ID, Name: name, RestDays: 0b1000001, Days: json.RawMessage(`[{"date":"2031-05-05","kind":"REST"}]`),
		Version: 1, AppliedVersion: 1, CreatedAt: now, UpdatedAt: now,
	}
	s.must(s.store.CreateCalendar(s.Context(), c, s.audit()))
	return c
}

func resting(expression, calendar string, rule *models.CalendarRule) TriggerInput {
	return TriggerInput{Cron: &CronInput{Expression: expression, Calendar: &calendar, OnRestDay: rule}}
}

func TestJobRestsByItsCalendar(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	c := s.calendar("china")
	j := s.job("pay", func(in *Input) { in.Trigger = resting("0 2 * * *", "china", nil) })
	if *j.CalendarID != c.ID || j.CalendarVersion != 1 || j.OnRestDay != models.CalendarSkip || !j.NextFireAt.Equal(time.Date(2031, 5, 6, 2, 0, 0, 0, time.UTC)) {
		t.Errorf("the new job is %+v", j)
	}
	compiled, err := s.Calendars(t.Context(), []string{c.ID})
	s.must(err)
	if fires := s.NextFires(&j, compiled[c.ID], 1); len(fires) != 1 || !fires[0].Equal(*j.NextFireAt) {
		t.Errorf("next fires %v", fires)
	}
	if fires := s.NextFires(&j, nil, 1); len(fires) != 0 {
		t.Errorf("without its calendar it would fire at %v", fires)
	}
	if words := s.Words(&j, compiled[c.ID], "en"); !strings.Contains(words, `"china"`) {
		t.Errorf("%s", words)
	}
	moved := s.update(Update{ID: j.ID, Trigger: Some(resting("0 2 * * *", "china", new(models.CalendarPreviousWorkingDay)))})
	if moved.OnRestDay != models.CalendarPreviousWorkingDay || moved.Version != 2 {
		t.Errorf("changed to %+v", moved)
	}
	freed := s.update(Update{ID: j.ID, Trigger: Some(cronTrigger("0 2 * * *"))})
	if freed.CalendarID != nil || freed.OnRestDay != 0 || freed.CalendarVersion != 0 || !freed.NextFireAt.Equal(time.Date(2031, 5, 3, 2, 0, 0, 0, time.UTC)) {
		t.Errorf("without a calendar: %+v", freed)
	}
}

// A calendar that ends soon is something to know, before its holidays are missed.
func TestWarningsTellOfTheCalendar(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.calendar("china")
	j := s.job("pay", func(in *Input) { in.Trigger = resting("0 2 * * *", "china", nil) })
	for _, want := range []bool{false, true} {
		all, err := s.Warnings(t.Context(), []models.Job{j})
		s.must(err)
		if got := strings.Contains(strings.Join(all[j.ID], " "), `The calendar "china" has no dates after 2031-05-05`); got != want {
			t.Errorf("at %s: %q", s.clock.Now(), all[j.ID])
		}
		s.clock.Advance(4 * 24 * time.Hour)
	}
}

func TestCalendarOfAJobIsRefused(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.calendar("china")
	other, _ := s.newApp("other")
	foreign := models.Calendar{ID: models.NewID(start), AppID: other.ID, Name: "foreign", Version: 1, AppliedVersion: 1, CreatedAt: start, UpdatedAt: start}
	s.must(s.store.CreateCalendar(t.Context(), foreign, s.audit()))
	for name, tt := range map[string]struct {
		trigger TriggerInput
		want    string
	}{
		"unknown":            {resting("0 2 * * *", "korea", nil), "NOT_FOUND trigger.cron.calendar"},
		"another app's":      {resting("0 2 * * *", "foreign", nil), "NOT_FOUND trigger.cron.calendar"},
		"all fires taken":    {resting("0 2 * * SUN", "china", nil), "INVALID trigger.cron.calendar"},
		"a rule without one": {resting("0 2 * * *", "", new(models.CalendarNextWorkingDay)), "INVALID trigger.cron.onRestDay"},
	} {
		_, err := s.Create(t.Context(), "ada", Input{GroupID: s.group.ID, Name: "x", Handler: "Work", Trigger: tt.trigger})
		if got := strings.Join(fields(err), ","); got != tt.want {
			t.Errorf("%s: %s (%v)", name, got, err)
		}
		if name == "unknown" && !strings.Contains(err.Error(), `"korea"`) {
			t.Errorf("the fault does not name it: %v", err)
		}
	}
}

// What the calendar took out up to a pause is recorded then; nothing of the pause is.
func TestPauseCountsWhatWasTakenOut(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.calendar("china")
	j := s.job("pay", func(in *Input) { in.Trigger = resting("0 */6 * * *", "china", nil) })
	s.clock.Advance(40 * time.Hour) // Sunday 10:00
	_, err := s.Pause(t.Context(), "ada", j.ID)
	s.must(err)
	s.clock.Advance(24 * time.Hour)
	back, err := s.Resume(t.Context(), "ada", j.ID)
	s.must(err)
	if !back.TriggerSince.Equal(s.clock.Now()) || !back.NextFireAt.Equal(time.Date(2031, 5, 6, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("resumed as %+v", back)
	}
	rows, err := s.SkippedFires(t.Context(), []string{j.ID}, 10)
	s.must(err)
	reasons := map[string]int64{}
	for _, row := range rows[j.ID] {
		reasons[row.Reason] += row.Count
	}
	if len(reasons) != 1 || reasons[models.ReasonCalendarRestDay] != 6 {
		t.Errorf("recorded %v", reasons)
	}
}

func TestPreviewNamesTheApp(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.calendar("china")
	in := PreviewInput{Trigger: resting("0 2 * * *", "china", nil), Count: new(2)}
	p, err := s.Preview(t.Context(), in)
	s.must(err)
	if p.Err == nil || p.Err.Code != fault.Required || strings.Join(p.Err.Field, ".") != "app" {
		t.Errorf("without an app: %+v", p.Err)
	}
	in.AppID = s.app.ID
	p, err = s.Preview(t.Context(), in)
	s.must(err)
	if p.Err != nil || len(p.Fires) != 2 || len(p.Excluded) != 3 || len(p.RestDays) != 1 || p.Excluded[0].Message == "" {
		t.Errorf("%+v, %v", p, p.Err)
	}
}
