package store

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// alertBooks gathers what a transaction's transitions and skipped fires mean for alerts.
// Failures are always kept: what a new rule would have told is computed from them. A
// success is only looked at, and writes something when its job had failed before.
type alertBooks struct {
	events []models.AlertEvent
	turns  []alertTurn
}

// alertTurn is a moment at which a job fared well or badly.
type alertTurn struct {
	job  string
	at   time.Time
	good *models.Task // the task that succeeded; nil: something failed
}

// moved notes that t, changed already, was moved by an event at an instant.
func (a *alertBooks) moved(t *models.Task, e models.Event, at time.Time) {
	if e == models.EventSucceed {
		a.turns = append(a.turns, alertTurn{t.JobID, at, t})
		return
	}
	kinds := alertKinds(t, e)
	if len(kinds) == 0 {
		return
	}
	a.turns = append(a.turns, alertTurn{job: t.JobID, at: at})
	detail := alertDetail(t, e).Text()
	for _, kind := range kinds {
		event := alertOf(kind, t, at)
		event.Error, event.Detail = t.Error, detail
		a.events = append(a.events, event)
	}
}

// alertKinds are the kinds of events that a task's transition is: how the attempt ended,
// and that it was the last. Attempts that were cancelled or handed back tell nothing.
func alertKinds(t *models.Task, e models.Event) []models.AlertEventKind {
	if e == models.EventPark {
		return []models.AlertEventKind{models.AlertParked}
	}
	if e != models.EventFail && e != models.EventRetry {
		return nil
	}
	var kinds []models.AlertEventKind
	switch t.Outcome {
	case models.OutcomeFailed:
		kinds = append(kinds, models.AlertAttemptFailed)
	case models.OutcomeTimedOut:
		kinds = append(kinds, models.AlertTimedOut)
	case models.OutcomeLost:
		kinds = append(kinds, models.AlertLost)
	case models.OutcomeNone, models.OutcomeSucceeded, models.OutcomeCancelled, models.OutcomeReleased:
	}
	switch {
	case e == models.EventRetry:
	case t.Reason == models.ReasonPoison:
		kinds = append(kinds, models.AlertPoison)
	default:
		kinds = append(kinds, models.AlertRetriesExhausted)
	}
	return kinds
}

func alertDetail(t *models.Task, e models.Event) *models.AlertDetail {
	d := models.AlertDetail{
		Reason: t.Reason, Node: t.NodeName, Tries: t.Tries(), MaxAttempts: t.MaxAttempts, ScheduledAt: &t.ScheduledAt, Since: t.StartedAt,
	}
	if e == models.EventRetry {
		d.RetryAt = &t.AvailableAt
		d.TakenOver = t.Outcome == models.OutcomeLost
	}
	return &d
}

// alertOf is an event about a task.
func alertOf(kind models.AlertEventKind, t *models.Task, at time.Time) models.AlertEvent {
	return models.AlertEvent{
		Kind: kind, At: at, AppID: &t.AppID, GroupID: &t.GroupID, JobID: &t.JobID, TaskID: &t.ID, NodeID: t.NodeID,
		Attempt: t.Attempt, Subject: models.JobSubject(t.JobID),
	}
}

// writeAlerts writes the events, and the jobs that fail or have recovered. For a batch of
// successes this is one look into a small table.
func (s *Store) writeAlerts(tx *gorm.DB, a *alertBooks) error {
	if len(a.turns) == 0 {
		return nil
	}
	failing, err := s.lockFailing(tx, a.turns)
	if err != nil {
		return err
	}
	present := maps.Clone(failing)
	recovered := a.recover(failing)
	if err := s.changeFailing(tx, present, failing); err != nil {
		return err
	}
	return s.insertAlertEvents(tx, append(a.events, recovered...))
}

// recover goes through the turns in the order of their instants, changes the set of
// failing jobs, by since when, and answers the events of those that have recovered.
func (a *alertBooks) recover(failing map[string]time.Time) (recovered []models.AlertEvent) {
	slices.SortStableFunc(a.turns, func(x, y alertTurn) int { return x.at.Compare(y.at) })
	for _, turn := range a.turns {
		since, fails := failing[turn.job]
		switch {
		case turn.good == nil && !fails:
			failing[turn.job] = clock.Cut(turn.at)
		case turn.good != nil && fails:
			delete(failing, turn.job)
			t := turn.good
			event := alertOf(models.AlertRecovered, t, turn.at)
			detail := models.AlertDetail{Node: t.NodeName, Tries: t.Tries(), MaxAttempts: t.MaxAttempts, ScheduledAt: &t.ScheduledAt, Since: &since}
			event.Detail = detail.Text()
			recovered = append(recovered, event)
		}
	}
	return recovered
}

// lockFailing answers those of the turns' jobs that fail, by since when. Their rows are
// locked: two transactions tell one recovery once, and none is forgotten beside a failure.
func (s *Store) lockFailing(tx *gorm.DB, turns []alertTurn) (map[string]time.Time, error) {
	distinct := make(map[string]bool, 8)
	for _, turn := range turns {
		distinct[turn.job] = true
	}
	failing := map[string]time.Time{}
	for chunk := range chunks(slices.Sorted(maps.Keys(distinct)), inLimit) {
		rows, err := query(tx, "SELECT job_id, since FROM alert_failing"+s.dialect.byKey()+
			" WHERE job_id IN ("+marks(len(chunk))+") ORDER BY job_id"+s.dialect.lockRows(), anys(chunk)...)
		if err != nil {
			return nil, fmt.Errorf("looking for failing jobs: %w", err)
		}
		err = scan(rows, func() error {
			var job string
			var since time.Time
			err := rows.Scan(&job, &since)
			failing[job] = since.UTC()
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("looking for failing jobs: %w", err)
		}
	}
	return failing, nil
}

// changeFailing makes the rows of present those of after.
func (s *Store) changeFailing(tx *gorm.DB, present, after map[string]time.Time) error {
	var gone []string
	var rows [][]any
	for job, since := range present {
		if now, fails := after[job]; !fails || !now.Equal(since) {
			gone = append(gone, job)
		}
	}
	for job, since := range after {
		if was, known := present[job]; !known || !was.Equal(since) {
			rows = append(rows, []any{job, since})
		}
	}
	slices.Sort(gone)
	slices.SortFunc(rows, func(a, b []any) int { return cmp.Compare(a[0].(string), b[0].(string)) })
	for chunk := range chunks(gone, inLimit) {
		if _, err := exec(tx, s.dialect.deleteByKey("alert_failing")+" WHERE job_id IN ("+marks(len(chunk))+")", anys(chunk)...); err != nil {
			return fmt.Errorf("taking %d jobs out of those that fail: %w", len(gone), err)
		}
	}
	// Another transaction may have found the job failing first.
	err := s.insertRows(tx, "alert_failing", []string{"job_id", "since"}, rows, s.dialect.onConflict("job_id", "since = since"))
	if err != nil {
		return fmt.Errorf("noting %d jobs that fail: %w", len(rows), err)
	}
	return nil
}

// alertMissed notes runs of fires that became no tasks and should have. A run that grows is
// told once, when it begins.
func (s *Store) alertMissed(tx *gorm.DB, a *alertBooks, runs []models.SkippedFires) error {
	var jobs []string
	for i := range runs {
		if isMissed(runs[i].Reason) {
			jobs = append(jobs, runs[i].JobID)
		}
	}
	homes, err := s.homesOf(tx, jobs)
	if err != nil {
		return err
	}
	for i := range runs {
		f := &runs[i]
		home, known := homes[f.JobID]
		if !known || !isMissed(f.Reason) {
			continue
		}
		detail := models.AlertDetail{
			Reason: f.Reason, ScheduledAt: &f.FirstAt, Since: &f.FirstAt, Until: &f.LastAt, Count: f.Count, AtLeast: f.AtLeast,
		}
		a.turns = append(a.turns, alertTurn{job: f.JobID, at: f.RecordedAt})
		a.events = append(a.events, models.AlertEvent{
			Kind: models.AlertFireMissed, At: f.RecordedAt, AppID: &home.app, GroupID: &home.group, JobID: &f.JobID,
			Subject: models.JobSubject(f.JobID), Detail: detail.Text(),
		})
	}
	return nil
}

// isMissed says whether fires skipped for a reason should have run: a server was away, or
// every worker. What a person or a calendar took out was never owed.
func isMissed(reason string) bool {
	return strings.HasPrefix(reason, "MISFIRE_") || reason == models.ReasonNoWorker
}

// home is where a job is.
type home struct{ app, group string }

func (s *Store) homesOf(tx *gorm.DB, jobs []string) (map[string]home, error) {
	homes := make(map[string]home, len(jobs))
	jobs = slices.Compact(slices.Sorted(slices.Values(jobs)))
	for chunk := range chunks(jobs, inLimit) {
		rows, err := query(tx, "SELECT id, app_id, group_id FROM jobs"+s.dialect.byKey()+" WHERE id IN ("+marks(len(chunk))+")", anys(chunk)...)
		if err != nil {
			return nil, fmt.Errorf("reading the groups of %d jobs: %w", len(jobs), err)
		}
		err = scan(rows, func() error {
			var id string
			var h home
			err := rows.Scan(&id, &h.app, &h.group)
			homes[id] = h
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("reading the groups of %d jobs: %w", len(jobs), err)
		}
	}
	return homes, nil
}

// alertInvalid writes that a job's trigger cannot work, once until it is mended: that it
// is, the watcher sees.
func (s *Store) alertInvalid(tx *gorm.DB, jobID, reason string) error {
	homes, err := s.homesOf(tx, []string{jobID})
	if err != nil {
		return err
	}
	open, err := s.lockWatches(tx, []WatchKey{{Kind: models.AlertScheduleStopped, Subject: models.JobSubject(jobID)}})
	if err != nil || len(open) > 0 {
		return err
	}
	home, now := homes[jobID], s.clock.Now()
	detail := models.AlertDetail{Reason: models.ReasonInvalidTrigger, Since: &now}
	return s.openAlert(tx, models.AlertEvent{
		Kind: models.AlertScheduleStopped, At: now, AppID: &home.app, GroupID: &home.group, JobID: &jobID,
		Subject: models.JobSubject(jobID), Error: reason, Detail: detail.Text(),
	})
}
