package alert

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// facts are what a message shows of its incidents beyond their own rows.
type facts struct {
	names    *names
	tasks    map[string]*models.Task
	attempts map[string][]models.Attempt // ended ones, by task and number
	people   map[string]models.Contact
}

// gather reads what a message about incidents shows: names of all, the last tasks of the
// worst.
func (s *Service) gather(ctx context.Context, incidentIDs []string, rows []models.AlertPending) (*facts, error) {
	incidents, err := s.store.IncidentsByIDs(ctx, incidentIDs)
	if err != nil {
		return nil, err
	}
	var jobs, groups, apps, tasks, people []string
	for i := range incidents {
		jobs, groups, apps = add(jobs, incidents[i].JobID), add(groups, incidents[i].GroupID), add(apps, incidents[i].AppID)
	}
	f := &facts{tasks: map[string]*models.Task{}, attempts: map[string][]models.Attempt{}, people: map[string]models.Contact{}}
	if f.names, err = s.lookUp(ctx, jobs, groups, apps); err != nil {
		return nil, err
	}
	worst := make([]*models.Incident, len(incidents))
	for i := range incidents {
		worst[i] = &incidents[i]
	}
	slices.SortStableFunc(worst, worse)
	for _, i := range worst[:min(len(worst), models.MaxMessageProblems)] {
		tasks = add(tasks, i.LastTaskID)
	}
	if err := s.gatherTasks(ctx, f, unique(tasks)); err != nil {
		return nil, err
	}
	for i := range rows {
		people = append(people, rows[i].People...)
	}
	contacts, err := s.contacts(ctx, unique(people))
	f.people = contacts
	return f, err
}

func (s *Service) contacts(ctx context.Context, ids []string) (map[string]models.Contact, error) {
	known := map[string]models.Contact{}
	if len(ids) == 0 {
		return known, nil
	}
	rows, err := s.store.Contacts(ctx, ids)
	for i := range rows {
		known[rows[i].UserID] = rows[i]
	}
	return known, err
}

func (s *Service) gatherTasks(ctx context.Context, f *facts, ids []string) error {
	tasks, err := s.store.TasksByIDs(ctx, ids)
	if err != nil {
		return err
	}
	for i := range tasks {
		f.tasks[tasks[i].ID] = &tasks[i]
	}
	attempts, err := s.store.Attempts(ctx, ids)
	if err != nil {
		return err
	}
	for i := range attempts {
		f.attempts[attempts[i].TaskID] = append(f.attempts[attempts[i].TaskID], attempts[i])
	}
	return nil
}

// problem is an incident as a message shows it.
func (f *facts) problem(i *models.Incident) models.Problem {
	var d models.AlertDetail
	_ = json.Unmarshal([]byte(i.LastDetail), &d) // one written by hand shows nothing
	kind, _, _ := strings.Cut(i.Subject, ":")
	p := models.Problem{
		IncidentID: i.ID, Title: i.Title, Event: i.Event, State: i.State, Severity: i.Severity, Subject: kind, NodeName: d.Node,
		FirstAt: i.OpenedAt, LastAt: i.LastAt, ResolvedAt: i.ResolvedAt, Count: int(i.Count), TaskID: or(i.LastTaskID),
		ScheduledAt: d.ScheduledAt, Error: i.LastError, TakenOver: d.TakenOver, RetryAt: d.RetryAt, About: d, JobID: or(i.JobID),
	}
	if i.JobID != nil {
		p.JobName = f.names.jobName(*i.JobID)
	}
	if i.AppID != nil && f.names.apps[*i.AppID] != nil {
		p.AppName = f.names.apps[*i.AppID].Name
	}
	if i.GroupID != nil && f.names.groups[*i.GroupID] != nil {
		p.GroupName = f.names.groups[*i.GroupID].Name
	}
	if t := f.tasks[p.TaskID]; t != nil {
		f.run(&p, t)
	}
	return p
}

// run adds what is known of a task.
func (f *facts) run(p *models.Problem, t *models.Task) {
	p.ScheduledAt = &t.ScheduledAt
	p.FailedQueue = t.State == models.TaskFailed
	p.RetryAt = nil
	if t.State == models.TaskRetrying {
		p.RetryAt = &t.AvailableAt
	}
	ended := f.attempts[t.ID]
	last := len(ended) > 0 && ended[len(ended)-1].Number == t.Attempt
	if t.Attempt > 0 && !last {
		p.Attempts = append(p.Attempts, lineOf(t.Attempt, t.NodeName, t.Outcome, t.Error, t.StartedAt, t.FinishedAt))
	}
	for k := len(ended) - 1; k >= 0 && len(p.Attempts) < models.MaxProblemAttempts; k-- {
		a := &ended[k]
		p.Attempts = append(p.Attempts, lineOf(a.Number, a.NodeName, a.Outcome, a.Error, a.StartedAt, a.FinishedAt))
	}
	for k := range p.Attempts { // an attempt after one that was lost runs elsewhere
		p.TakenOver = p.TakenOver || k > 0 && p.Attempts[k].State == models.OutcomeLost.String()
	}
}

func lineOf(number int, node string, o models.Outcome, failure string, started, finished *time.Time) models.AttemptLine {
	line := models.AttemptLine{Number: number, Node: node, State: o.String(), Error: failure, StartedAt: started}
	switch o { //nolint:exhaustive // the others have the names of their states
	case models.OutcomeNone:
		line.State = "RUNNING"
	case models.OutcomeReleased:
		line.State = models.OutcomeCancelled.String()
	}
	if r := []rune(failure); len(r) > models.MaxProblemError {
		line.Error = string(r[:models.MaxProblemError-1]) + "…"
	}
	if started != nil && finished != nil {
		line.Duration = finished.Sub(*started)
	}
	return line
}
