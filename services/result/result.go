// Package result ends attempts: what workers report and what the rescue finds.
// Ends are written in batches; whether a task is tried again, and when, is a
// pure decision taken inside the transaction that ends the attempt. Step 6 of a
// task's way (ARCHITECTURE.md).
package result

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"

	"github.com/belfry-scheduler/belfry/internal/failpoint"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/batch"
	"github.com/belfry-scheduler/belfry/services/store"
)

// Ledger is what the service needs of the store.
type Ledger interface {
	EndAttempts(ctx context.Context, fence store.Fence, ends []store.AttemptEnd,
		decide func(*models.Task, *store.AttemptEnd) store.Decision) ([]store.EndResult, error)
	RecordRefusal(ctx context.Context, r models.Refusal) error
	TasksByIDs(ctx context.Context, ids []string) ([]models.Task, error)
}

// Jobs answers job definitions by id.
type Jobs interface {
	Jobs(ctx context.Context, ids []string) (map[string]*models.Job, error)
}

// Watcher is told of ended attempts after the commit.
type Watcher interface {
	AttemptsEnded(ctx context.Context, tasks []models.Task)
}

// Config sets up a Service.
type Config struct {
	Ledger  Ledger
	Jobs    Jobs
	Watcher Watcher
	Logger  *slog.Logger
	Chance  func() float64 // in [0, 1), for jitter; nil takes math/rand
}

// Service ends attempts. Start it before use.
type Service struct {
	cfg    Config
	writer *batch.Writer[store.AttemptEnd, store.EndResult]
}

// New makes a Service.
func New(cfg Config) *Service {
	if cfg.Chance == nil {
		cfg.Chance = rand.Float64
	}
	s := &Service{cfg: cfg}
	s.writer = batch.New(batch.Config[store.AttemptEnd, store.EndResult]{Write: s.write, Writers: 2})
	return s
}

// Start begins to write.
func (s *Service) Start(ctx context.Context) error {
	s.writer.Start(ctx)
	return nil
}

// Stop writes what waits and ends.
func (s *Service) Stop(ctx context.Context) error { return s.writer.Stop(ctx) }

// End ends attempts and answers, once committed, one result and one error each,
// in order. The last error says that nothing is known of any of them.
func (s *Service) End(ctx context.Context, ends ...store.AttemptEnd) ([]store.EndResult, []error, error) {
	return s.writer.Do(ctx, ends...)
}

// EndFenced ends attempts at once in a transaction of an owner, whose epochs are
// checked in it.
func (s *Service) EndFenced(ctx context.Context, fence store.Fence, ends []store.AttemptEnd) ([]store.EndResult, error) {
	return s.end(ctx, fence, ends)
}

func (s *Service) write(ctx context.Context, ends []store.AttemptEnd) ([]store.EndResult, error) {
	return s.end(ctx, nil, ends)
}

func (s *Service) end(ctx context.Context, fence store.Fence, ends []store.AttemptEnd) ([]store.EndResult, error) {
	jobs, err := s.jobsOf(ctx, ends)
	if err != nil {
		return nil, err
	}
	failpoint.Here(failpoint.ResultReceived)
	results, err := s.cfg.Ledger.EndAttempts(ctx, fence, ends, func(t *models.Task, e *store.AttemptEnd) store.Decision {
		return decide(t, jobs[t.JobID], e, s.cfg.Chance())
	})
	if err != nil {
		return nil, fmt.Errorf("ending %d attempts: %w", len(ends), err)
	}
	failpoint.Here(failpoint.ResultEnded)
	s.announce(ctx, ends, results)
	return results, nil
}

// jobsOf answers the definitions that the decisions will need. A success needs
// none, and successes are nearly all.
func (s *Service) jobsOf(ctx context.Context, ends []store.AttemptEnd) (map[string]*models.Job, error) {
	var ids []string
	for i := range ends {
		if ends[i].Outcome != models.OutcomeSucceeded {
			ids = append(ids, ends[i].TaskID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	tasks, err := s.cfg.Ledger.TasksByIDs(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("reading the tasks of %d failed attempts: %w", len(ids), err)
	}
	jobIDs := make([]string, len(tasks))
	for i := range tasks {
		jobIDs[i] = tasks[i].JobID
	}
	return s.cfg.Jobs.Jobs(ctx, jobIDs)
}

// announce tells the watcher what ended and puts refused ends on record.
func (s *Service) announce(ctx context.Context, ends []store.AttemptEnd, results []store.EndResult) {
	ended := make([]models.Task, 0, len(results))
	for i := range results {
		switch results[i].Status {
		case store.Ended:
			ended = append(ended, results[i].Task)
			if results[i].Parent != nil {
				ended = append(ended, *results[i].Parent)
			}
		case store.Stale:
			s.refuse(ctx, &ends[i])
		case store.Missing: // nothing is left to put it on
		}
	}
	if len(ended) > 0 {
		s.cfg.Watcher.AttemptsEnded(ctx, ended)
	}
}

// refuse puts a stale result on the task's timeline. It is a note for people:
// failing to write it does not fail the batch.
func (s *Service) refuse(ctx context.Context, e *store.AttemptEnd) {
	err := s.cfg.Ledger.RecordRefusal(ctx, models.Refusal{
		ID: models.NewID(e.FinishedAt), TaskID: e.TaskID, Attempt: e.Attempt, At: e.FinishedAt,
		Message: fmt.Sprintf("The result %s of attempt %d was refused: the attempt was over.", e.Outcome, e.Attempt),
	})
	if err != nil {
		s.cfg.Logger.WarnContext(ctx, "refused result not recorded", "task_id", e.TaskID, "attempt", e.Attempt, "error", err)
	}
}
