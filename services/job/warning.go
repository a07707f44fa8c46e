package job

import (
	"context"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/schedule"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

// nodesTable answers which handlers a group has from what its nodes announced.
type nodesTable struct{ store *store.Store }

// Handlers implements Handlers.
func (n nodesTable) Handlers(ctx context.Context, groupID string) (map[string]bool, int, error) {
	return n.store.GroupHandlers(ctx, groupID)
}

// Warnings answers, for each job, what a person should know about it: by job id,
// in English, without an entry for jobs without warnings.
func (s *Service) Warnings(ctx context.Context, jobs []models.Job) (map[string][]string, error) {
	groups, err := s.groupsOf(ctx, jobs)
	if err != nil {
		return nil, err
	}
	calendars, err := s.calendars.Of(ctx, jobs...)
	if err != nil {
		return nil, err
	}
	apart, err := s.apart(ctx, jobs)
	if err != nil {
		return nil, err
	}
	all := map[string][]string{}
	for i := range jobs {
		j := &jobs[i]
		if j.DeletedAt != nil {
			continue
		}
		list := linked(j, groups[j.GroupID].row)
		list = append(list, s.calendarWarnings(j, calendars)...)
		if names := apart[j.ID]; names != nil {
			list = append(list, apartWarning(names))
		}
		if w := handlerWarning(j, groups[j.GroupID]); w != "" {
			list = append(list, w)
		}
		if len(list) > 0 {
			all[j.ID] = list
		}
	}
	return all, nil
}

// group is what warnings depend on.
type group struct {
	row      models.NodeGroup
	handlers map[string]bool
	nodes    int
}

func (s *Service) groupsOf(ctx context.Context, jobs []models.Job) (map[string]group, error) {
	found := map[string]group{}
	var ids []string
	for i := range jobs {
		id := jobs[i].GroupID
		if _, done := found[id]; done {
			continue
		}
		handlers, nodes, err := s.handlers.Handlers(ctx, id)
		if err != nil {
			return nil, fmt.Errorf("reading a group's handlers: %w", err)
		}
		found[id] = group{handlers: handlers, nodes: nodes}
		ids = append(ids, id)
	}
	rows, err := s.store.GroupsByIDs(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("reading the jobs' groups: %w", err)
	}
	for _, row := range rows {
		g := found[row.ID]
		g.row = row
		found[row.ID] = g
	}
	return found, nil
}

// calendarWarnings says what a person should know about a job's calendar.
func (s *Service) calendarWarnings(j *models.Job, calendars map[string]timetable.KnownCalendar) []string {
	if j.CalendarID == nil {
		return nil
	}
	known, ok := timetable.For(calendars, j)
	if !ok {
		return []string{"Its calendar does not exist or cannot be read: it does not fire; give it another or none."}
	}
	t, err := timetable.Compile(j, known.Compiled)
	if err != nil {
		return nil // Job.invalidReason says so
	}
	list := t.CalendarWarnings(s.clock.Now(), schedule.English)
	for i := range list {
		list[i] += "."
	}
	return list
}

func handlerWarning(j *models.Job, g group) string {
	switch {
	case g.nodes == 0:
		return fmt.Sprintf("No node of group %q is online: its tasks wait until one comes.", g.row.Name)
	case !g.handlers[j.Handler]:
		return fmt.Sprintf("No node of group %q has the handler %q: its tasks wait until one comes that has.", g.row.Name, j.Handler)
	}
	return ""
}

// linked warns of settings that are allowed each by itself and odd together.
func linked(j *models.Job, g models.NodeGroup) []string {
	var list []string
	timeout := time.Duration(j.TimeoutMS) * time.Millisecond
	if notice := g.OfflineAfter(); notice > 0 && timeout < notice {
		list = append(list, fmt.Sprintf(
			"The time limit %s is shorter than the %s after which a lost node is noticed: an attempt on such a node ends as timed out, not as lost.", timeout, notice))
	}
	if j.MaxRunning != nil && *j.MaxRunning > 1 && j.Concurrency != models.ConcurrencyAllow {
		list = append(list, fmt.Sprintf(
			"At most %d running tasks has no effect: with concurrency %s at most one runs.", *j.MaxRunning, j.Concurrency))
	}
	if j.MaxRunning != nil && g.MaxRunning != nil && *j.MaxRunning > *g.MaxRunning {
		list = append(list, fmt.Sprintf(
			"At most %d running tasks has no effect: of its whole group %q at most %d run.", *j.MaxRunning, g.Name, *g.MaxRunning))
	}
	return append(list, rhythm(j)...)
}

// rhythm warns of waits that are longer than the time between two fires.
func rhythm(j *models.Job) []string {
	every := time.Duration(j.EveryMS) * time.Millisecond
	if j.TriggerKind != models.TriggerFixedRate || j.Concurrency == models.ConcurrencyAllow || j.MaxAttempts <= 1 {
		return nil
	}
	wait := time.Duration(j.RetryDelayMS) * time.Millisecond
	if wait <= every {
		return nil
	}
	what := map[models.Concurrency]string{
		models.ConcurrencySkip: "are skipped", models.ConcurrencyQueue: "wait, of which the newest runs", models.ConcurrencyReplace: "replace it, so that it is never tried again",
	}[j.Concurrency]
	return []string{fmt.Sprintf(
		"A retry comes after %s and the next fire after %s: with concurrency %s the fires until then %s.", wait, every, j.Concurrency, what)}
}
