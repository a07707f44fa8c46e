package store

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
)

// recorder notes the statements that run under its context.
type recorder struct {
	mu   sync.Mutex
	list []recorded
}

type recorded struct {
	statement string
	args      []any
}

type recorderKey struct{}

// traceStatement is what the tests set trace to.
func traceStatement(tx *gorm.DB, statement string, args []any) {
	if r, ok := tx.Statement.Context.Value(recorderKey{}).(*recorder); ok {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.list = append(r.list, recorded{statement, args})
	}
}

// watch has gorm's own statements noted too.
func watch(t *testing.T, s *Store) {
	t.Helper()
	note := func(tx *gorm.DB) { traceStatement(tx, tx.Statement.SQL.String(), tx.Statement.Vars) }
	for _, db := range []*gorm.DB{s.reader, s.writer} {
		for name, err := range map[string]error{
			"row": db.Callback().Row().After("gorm:row").Replace("test:row", note), "raw": db.Callback().Raw().After("gorm:raw").Replace("test:raw", note),
			"query": db.Callback().Query().After("gorm:query").Replace("test:query", note), "update": db.Callback().Update().After("gorm:update").Replace("test:update", note),
		} {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}

// TestHotStatementsUseTheirIndexes runs the whole hot path on some thousand rows
// and looks at the plan of each statement: none may read a whole table or index,
// and none may sort. Under locks a scan would stop everybody else.
func TestHotStatementsUseTheirIndexes(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		watch(t, s)
		w := newWorld(t, s, 30)
		tasks := fill(t, s, w)
		r := &recorder{}
		fillWorkflow(t, s, w)
		ctx := context.WithValue(t.Context(), recorderKey{}, r)
		hotPath(ctx, t, s, w, tasks)
		workflowPath(ctx, t, s, w)
		seen := map[string]bool{}
		for _, q := range r.list {
			shape := regexp.MustCompile(`(\?,)+`).ReplaceAllString(q.statement, "")
			if seen[shape] || strings.HasPrefix(q.statement, "INSERT") {
				continue
			}
			seen[shape] = true
			wantIndexed(t, q, explain(t, s, q.statement, q.args...))
		}
		if len(seen) < 30 {
			t.Errorf("only %d kinds of statements ran", len(seen))
		}
	})
}

// fill loads tasks of all states with histories and logs, and refreshes what the
// planner knows.
func fill(t *testing.T, s *Store, w *world) []models.Task {
	t.Helper()
	tasks := w.tasks(4000)
	for i := range tasks {
		tasks[i].Priority = models.Priorities[i%4]
		if i%50 == 0 {
			key := fmt.Sprint("key ", i)
			tasks[i].UniqueKey = &key
		}
	}
	create(t, s, tasks...)
	rows := dispatch(t, s, t0, tasks[:3000]...)
	ends := make([]AttemptEnd, 2600)
	var chunks []models.LogChunk
	for i := range ends {
		ends[i] = endOf(&rows[i], models.OutcomeSucceeded, t0)
		if i%3 == 0 {
			ends[i].Outcome = models.OutcomeFailed
			ends[i].NoRetry = i%9 == 0
		}
		if i < 500 {
			chunks = append(chunks, chunkOf(t, rows[i].ID, 1, 1, 3), chunkOf(t, rows[i].ID, 1, 4, 6))
		}
	}
	if _, err := s.EndAttempts(t.Context(), nil, ends, decideBy); err != nil {
		t.Fatal(err)
	}
	if err := s.AppendLogs(t.Context(), chunks, 1<<20); err != nil {
		t.Fatal(err)
	}
	statement := "ANALYZE"
	if s.dialect == mariadb {
		statement = "ANALYZE TABLE tasks, attempts, alert_events, alert_failing, task_logs, task_log_heads, task_keys, jobs, refusals"
	}
	if err := s.writer.WithContext(t.Context()).Exec(statement).Error; err != nil {
		t.Fatal(err)
	}
	all, err := s.AssignmentRows(t.Context(), idsOfTasks(tasks))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func idsOfTasks(tasks []models.Task) []string {
	ids := make([]string, len(tasks))
	for i := range tasks {
		ids[i] = tasks[i].ID
	}
	return ids
}

// hotPath calls every method that dispatchers, workers and people use.
func hotPath(ctx context.Context, t *testing.T, s *Store, w *world, tasks []models.Task) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	byState := map[models.TaskState][]models.Task{}
	for _, task := range tasks {
		byState[task.State] = append(byState[task.State], task)
	}
	part := []int{w.group.Partition, (w.group.Partition + 1) % models.Partitions}
	fence := Fence{w.group.Partition: 0}
	cron := w.cron(t, s, "cron", t0)
	delay := w.job("delay")
	delay.TriggerKind, delay.EveryMS = models.TriggerFixedDelay, 1000
	must(s.writer.WithContext(t.Context()).Create(&delay).Error)

	_, err := s.DueJobs(ctx, part, t0, 100)
	must(err)
	_, err = s.NextFireAt(ctx, part)
	must(err)
	fires := w.fire(&cron, t0.Add(time.Minute))
	_, err = s.RecordFires(ctx, fence, []Fires{fires})
	must(err)
	noLast := w.fire(&cron, t0.Add(time.Minute))
	noLast.ExpectedNext, noLast.Last = t0.Add(time.Minute), nil
	_, err = s.RecordFires(ctx, fence, []Fires{noLast})
	must(err)
	held := w.fire(&cron, t0.Add(time.Minute))
	held.ExpectedNext, held.Keep = t0.Add(time.Minute), 1
	_, err = s.RecordFires(ctx, fence, []Fires{held})
	must(err)
	_, err = s.GroupsWorkers(ctx, []string{w.group.ID}, map[string][]string{w.app.ID: {"worker-1"}})
	must(err)
	taken, err := s.Job(ctx, cron.ID)
	must(err)
	edit := JobEdit{Job: taken, ExpectVersion: taken.Version, ExpectNext: taken.NextFireAt, Audit: models.Audit{ID: models.NewID(t0), At: t0}}
	edit.Job.UpdatedAt = t0.Add(-time.Hour) // all its fires are taken back
	_, err = s.UpdateJob(ctx, edit)
	must(err)

	fresh := w.tasks(3)
	key := "another key"
	fresh[0].UniqueKey = &key
	fresh[1].JobID, fresh[1].Trigger = delay.ID, models.TriggerFixedDelay
	_, err = s.CreateTasks(ctx, append(fresh, tasks[0], tasks[1]))
	must(err)

	_, err = s.RanAt(ctx, cron.ID, t0, t0.Add(time.Hour))
	must(err)
	_, err = s.SkippedAt(ctx, cron.ID, t0, 10)
	must(err)
	_, err = s.BackfillsToDo(ctx, part, 10)
	must(err)
	_, err = s.BulksToDo(ctx, MaxOpenBulks)
	must(err)
	_, err = s.BulkTasks(ctx, cron.ID, 100, 100)
	must(err)
	_, err = s.BulkRefusals(ctx, []string{cron.ID, w.jobs[0].ID}, 20)
	must(err)
	_, err = s.NewestRevisions(ctx, []string{cron.ID, w.jobs[0].ID}, 20)
	must(err)
	_, err = s.JobAudits(ctx, cron.ID, 100)
	must(err)
	_, err = s.QueuedTasks(ctx, w.group.ID, t0.Add(time.Hour), 100, nil)
	must(err)
	_, err = s.QueuedTasks(ctx, w.group.ID, t0.Add(time.Hour), 100, []string{w.jobs[0].ID, w.jobs[1].ID})
	must(err)
	_, err = s.NextAvailableAt(ctx, w.group.ID, t0)
	must(err)
	_, err = s.DueTasks(ctx, []string{w.group.ID, models.NewID(t0)}, t0.Add(time.Minute))
	must(err)
	_, err = s.RouteInputs(ctx, idsOfTasks(tasks[:3]))
	must(err)
	_, err = s.LastNodes(ctx, []string{w.jobs[0].ID, w.jobs[1].ID})
	must(err)
	_, err = s.OverdueFires(ctx, t0)
	must(err)
	_, err = s.GroupsByPartition(ctx)
	must(err)
	_, err = s.RunningTasks(ctx, []string{w.group.ID, models.NewID(t0)})
	must(err)
	_, err = s.HandlersRunning(ctx, []models.Node{{ID: models.NewID(t0), GroupID: w.group.ID}})
	must(err)
	_, err = s.JobLive(ctx, []string{w.jobs[0].ID, w.jobs[1].ID})
	must(err)

	waiting := byState[models.TaskWaiting]
	var items []Dispatch
	for i, task := range append(waiting[:20:20], fresh[1]) {
		items = append(items, dispatchOf(&task, i)) // nodes of their own: the list form
	}
	rows, _, err := s.DispatchTasks(ctx, fence, t0, items, []JobLimit{{JobID: w.jobs[0].ID, Max: 1000, Spread: true}})
	must(err)
	_, _, err = s.DispatchTasks(ctx, fence, t0, items[:1], nil)
	must(err)
	dispatch(t, s, t0, waiting[20:21]...)
	_, err = s.SkipTasks(ctx, fence, t0.Add(time.Minute), models.ReasonOverlap, idsOfTasks(waiting[21:25]))
	must(err)

	_, err = s.ParkTasks(ctx, fence, t0.Add(time.Minute), models.ReasonNodeAway, idsOfTasks(waiting[25:27]))
	must(err)

	running := byState[models.TaskRunning]
	half := 0.5
	_, err = s.RecordProgress(ctx, []AttemptProgress{
		{TaskID: running[0].ID, Attempt: 1, Fraction: &half}, {TaskID: running[1].ID, Attempt: 1, StartedAt: &t0, Checkpoint: []byte("{}")},
	})
	must(err)
	ends := []AttemptEnd{
		endOf(&running[0], models.OutcomeSucceeded, t0), endOf(&running[1], models.OutcomeFailed, t0), endOf(&running[2], models.OutcomeSucceeded, t0),
		endOf(&rows[len(rows)-1], models.OutcomeSucceeded, t0), endOf(&byState[models.TaskRetrying][0], models.OutcomeLost, t0),
	}
	_, err = s.EndAttempts(ctx, fence, ends, decideBy)
	must(err)
	ends = []AttemptEnd{endOf(&running[3], models.OutcomeSucceeded, t0)}
	ends[0].Result = []byte("{}")
	_, err = s.EndAttempts(ctx, nil, ends, decideBy)
	must(err)
	must(s.RecordRefusal(ctx, models.Refusal{ID: models.NewID(t0), TaskID: running[0].ID, At: t0}))

	must(s.AppendLogs(ctx, []models.LogChunk{chunkOf(t, tasks[0].ID, 1, 7, 9), chunkOf(t, tasks[1].ID, 1, 7, 9)}, 300))
	_, err = s.TaskLogs(ctx, tasks[2].ID, models.LogSeq(1, 2), 3)
	must(err)
	_, err = s.SearchLogs(ctx, tasks[2].ID, LogQuery{Text: "行", Rank: 2, From: models.LogSeq(1, 2), Limit: 3})
	must(err)
	_, err = s.SearchLogs(ctx, tasks[2].ID, LogQuery{Attempt: 1, Backward: true, Limit: 3})
	must(err)

	_, err = s.CancelTask(ctx, waiting[30].ID, "", "", models.ReasonRequested, t0, nil)
	must(err)
	_, err = s.CancelTask(ctx, running[5].ID, "", "", models.ReasonRequested, t0, nil)
	must(err)
	_, err = s.RequeueTask(ctx, byState[models.TaskFailed][0].ID, nil, t0, nil)
	must(err)
	_, err = s.DiscardTask(ctx, byState[models.TaskFailed][1].ID, "", "", t0, nil)
	must(err)
	events, err := s.UnhandledAlertEvents(ctx, 100)
	must(err)
	must(s.write(ctx, "marking", func(tx *gorm.DB) error { return s.markAlertEvents(tx, []string{events[0].ID, events[1].ID}) }))
	_, err = s.AlertEventsBetween(ctx, t0, s.clock.Now().Add(time.Hour), "", 100)
	must(err)
	_, err = s.PruneAlertEvents(ctx, s.clock.Now(), 10)
	must(err)
	alertPath(ctx, t, s, w)
	_, err = s.JobHours(ctx, []string{w.jobs[0].ID}, t0)
	must(err)
	_, err = s.Minutes(ctx, t0)
	must(err)
}

// wantIndexed looks at the plan of one statement.
func wantIndexed(t *testing.T, q recorded, plan string) {
	t.Helper()
	small := regexp.MustCompile(`table=(node_groups|group_flows|alert_watch|partitions|list|<\w+>|minutes|job_hours|counters) |SCAN (node_groups|minutes|alert_watch)`)
	if q.statement == wholeGraph {
		return // read anew only when the dependencies have changed
	}
	for line := range strings.Lines(plan) {
		if small.MatchString(line) {
			continue
		}
		whole := strings.Contains(line, "type=ALL") || strings.Contains(line, "type=index ")
		// SQLite: SCAN reads all of a table or index, but for its own temporary ones.
		whole = whole || regexp.MustCompile(`detail=SCAN (tasks|attempts|alert_\w+|task_\w+|jobs|refusals|dependencies|arrivals|join\w+)`).MatchString(line)
		sorted := sorts(line) && !strings.Contains(q.statement, "GROUP BY") && !strings.Contains(q.statement, "DISTINCT")
		if whole || sorted {
			t.Errorf("%.400s\n%s", q.statement, plan)
			return
		}
	}
}
