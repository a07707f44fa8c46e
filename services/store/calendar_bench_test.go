package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/schedule"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

// BenchmarkMoveByCalendar says what an edited calendar costs for each of its jobs: read,
// compiled, its next fire looked for and written. One op is one batch of 500 jobs, so
//
//	go test ./services/store -run '^$' -bench MoveByCalendar -benchtime 200x
//
// is the edit of a calendar that 100,000 jobs name.
func BenchmarkMoveByCalendar(b *testing.B) {
	forEachBench(b, func(b *testing.B, x *bench) {
		s, w := x.s, x.w
		c := w.calendar(b, s, "china")
		jobs := make([]models.Job, b.N*benchBatch)
		for i := range jobs {
			j := w.job(fmt.Sprint("moved-", i))
			j.ID = models.NewID(t0.Add(time.Duration(i) * time.Millisecond)) // as they were made, one after the other
			next := t0.Add(time.Duration(i%1440) * time.Minute)
			j.TriggerKind, j.Expression, j.Zone, j.NextFireAt = models.TriggerCron, fmt.Sprintf("%d %d * * *", i%60, i/60%24), "Asia/Shanghai", &next
			j.CalendarID, j.CalendarVersion, j.OnRestDay, j.TriggerSince = &c.ID, c.Version, models.CalendarSkip, &t0
			jobs[i] = j
		}
		if err := s.writer.WithContext(b.Context()).CreateInBatches(&jobs, benchBatch).Error; err != nil {
			b.Fatal(err)
		}
		c = editCalendar(b, s, c.ID, t0)
		rules := mustRules(b)
		after := ""
		b.ResetTimer()
		for range b.N {
			behind, err := s.JobsBehindCalendar(b.Context(), c.ID, c.Version, after, benchBatch)
			if err != nil || len(behind) != benchBatch {
				b.Fatalf("%d jobs are behind, %v", len(behind), err)
			}
			after = behind[len(behind)-1].ID
			moves := make([]CalendarMove, len(behind))
			for i := range behind {
				t, err := timetable.Compile(&behind[i], rules)
				if err != nil {
					b.Fatal(err)
				}
				next, _ := t.Next(t0)
				moves[i] = CalendarMove{Job: behind[i], Version: c.Version, Next: &next, Since: t0}
			}
			if _, err := s.MoveByCalendar(b.Context(), t0, moves); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*benchBatch), "µs/job")
	})
}

// mustRules is a calendar with weekends off and ten years of holidays.
func mustRules(b *testing.B) *schedule.Calendar {
	b.Helper()
	spec := schedule.CalendarSpec{Name: "china", RestDays: []time.Weekday{time.Saturday, time.Sunday}}
	for year := 2026; year < 2036; year++ {
		for day := 1; day <= 7; day++ {
			spec.Days = append(spec.Days, schedule.CalendarDay{Date: fmt.Sprintf("%d-10-%02d", year, day), Name: "National Day"})
		}
	}
	c, err := schedule.NewCalendar(spec)
	if err != nil {
		b.Fatal(err)
	}
	return c
}
