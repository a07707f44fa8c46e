package report

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

const (
	slowFactor  = 1.5         // times the mean of the week before
	slowAtLeast = time.Second // and so much longer
	slowRuns    = 3           // successes in the week, lest chance decides
	weekDays    = 7
	fresh       = 24 * time.Hour // a report about a span that ended longer ago shows nothing that runs
)

// read gathers a report about a span of time, of one app or of all.
func (s *Service) read(ctx context.Context, appID string, from, to time.Time) (*models.ReportData, error) {
	day, err := s.Store.SumJobHours(ctx, appID, from, to)
	if err != nil {
		return nil, err
	}
	week, err := s.Store.SumJobHours(ctx, appID, from.Add(-weekDays*24*time.Hour), from)
	if err != nil {
		return nil, err
	}
	apps, err := s.appNames(ctx)
	if err != nil {
		return nil, err
	}
	d := gather(day, week, apps)
	d.From, d.To, d.AppID, d.AppName = from, to, appID, apps[appID]
	if s.Clock.Now().Sub(to) < fresh {
		if err := s.readRunning(ctx, d, appID, apps); err != nil {
			return nil, err
		}
	}
	return d, s.readErrors(ctx, d.Failures)
}

// gather makes a report of sums; it is pure.
func gather(day, week map[string]*store.JobSums, apps map[string]string) *models.ReportData {
	d := &models.ReportData{}
	for _, j := range day {
		add(&d.Figures, j)
		line := models.ReportLine{JobID: j.JobID, JobName: j.Name, AppName: apps[j.AppID]}
		if j.Failed > 0 {
			d.FailedJobs++
			line.Count = j.Failed
			d.Failures = append(d.Failures, line)
		}
		if j.Missed > 0 {
			d.MissedJobs++
			line.Count = j.Missed
			d.Missed = append(d.Missed, line)
		}
		if mean, usual := meanOf(j), meanOf(week[j.JobID]); week[j.JobID] != nil && week[j.JobID].Succeeded >= slowRuns &&
			float64(mean) >= float64(usual)*slowFactor && mean >= usual+slowAtLeast {
			d.Figures.Slower++
			line.Count, line.Duration, line.Usual = j.Succeeded, mean, usual
			d.Slow = append(d.Slow, line)
		}
	}
	for _, j := range week {
		add(&d.Week, j)
	}
	for _, n := range []*int64{&d.Week.Ran, &d.Week.Succeeded, &d.Week.Failed, &d.Week.Recovered, &d.Week.TakenOver, &d.Week.Late, &d.Week.Missed} {
		*n = (*n + weekDays/2) / weekDays
	}
	d.Failures, d.Missed = most(d.Failures), most(d.Missed)
	slices.SortFunc(d.Slow, func(a, b models.ReportLine) int {
		return cmp.Or(cmp.Compare(b.Duration-b.Usual, a.Duration-a.Usual), cmp.Compare(a.JobID, b.JobID))
	})
	d.Slow = d.Slow[:min(len(d.Slow), models.MaxReportLines)]
	return d
}

func add(f *models.ReportFigures, j *store.JobSums) {
	f.Ran += j.Succeeded + j.Failed
	f.Succeeded += j.Succeeded
	f.Failed += j.Failed
	f.Recovered += j.Recovered
	f.TakenOver += j.Lost
	f.Late += j.Late
	f.Missed += j.Missed
}

func meanOf(j *store.JobSums) time.Duration {
	if j == nil || j.Succeeded == 0 {
		return 0
	}
	return time.Duration(j.DurationMS/j.Succeeded) * time.Millisecond
}

// most puts the lines with the highest counts first and keeps some.
func most(lines []models.ReportLine) []models.ReportLine {
	slices.SortFunc(lines, func(a, b models.ReportLine) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.JobID, b.JobID))
	})
	return lines[:min(len(lines), models.MaxReportLines)]
}

func (s *Service) appNames(ctx context.Context) (map[string]string, error) {
	apps, err := s.Store.Apps(ctx)
	names := make(map[string]string, len(apps))
	for i := range apps {
		names[apps[i].ID] = apps[i].Name
	}
	return names, err
}

// readRunning adds what runs now, longest first.
func (s *Service) readRunning(ctx context.Context, d *models.ReportData, appID string, apps map[string]string) error {
	groups, err := s.Store.Groups(ctx, appID)
	if err != nil {
		return err
	}
	ids := make([]string, len(groups))
	for i := range groups {
		ids[i] = groups[i].ID
	}
	running, err := s.Store.RunningTasks(ctx, ids)
	if err != nil {
		return err
	}
	d.Figures.Running = int64(len(running))
	slices.SortFunc(running, func(a, b models.Task) int {
		if a.StartedAt == nil || b.StartedAt == nil {
			return cmp.Compare(a.ID, b.ID)
		}
		return a.StartedAt.Compare(*b.StartedAt)
	})
	running = running[:min(len(running), models.MaxReportLines)]
	jobIDs := make([]string, len(running))
	for i := range running {
		jobIDs[i] = running[i].JobID
	}
	jobs, err := s.Store.JobsByIDs(ctx, jobIDs)
	if err != nil {
		return err
	}
	names := map[string]string{}
	for i := range jobs {
		names[jobs[i].ID] = jobs[i].Name
	}
	for i := range running {
		t := &running[i]
		d.Running = append(d.Running, models.ReportLine{JobID: t.JobID, JobName: names[t.JobID], AppName: apps[t.AppID], TaskID: t.ID, At: t.StartedAt, Count: 1})
	}
	return nil
}

// readErrors adds to each line its job's latest task in the failed queue.
func (s *Service) readErrors(ctx context.Context, lines []models.ReportLine) error {
	for i := range lines {
		rows, _, err := s.Store.TaskPage(ctx, store.TaskFilter{JobID: lines[i].JobID, States: []models.TaskState{models.TaskFailed}}, store.Page{First: 1})
		if err != nil {
			return err
		}
		if len(rows) > 0 {
			t := &rows[0]
			lines[i].TaskID, lines[i].At, lines[i].Error = t.ID, t.FinishedAt, shorten(t.Error)
		}
	}
	return nil
}

// shorten cuts an error to what a message carries.
func shorten(text string) string {
	if r := []rune(text); len(r) > models.MaxProblemError {
		return string(r[:models.MaxProblemError-1]) + "…"
	}
	return text
}
