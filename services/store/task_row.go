package store

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// The hot path reads and writes tasks by fixed lists of columns. A light row
// leaves out what can be large and is not needed to decide: parameters,
// checkpoint and result.

var (
	lightColumns = []string{
		"id", "job_id", "app_id", "group_id", "state", "trigger_kind", "priority", "reason",
		"scheduled_at", "available_at", "created_at", "attempt", "uncounted", "max_attempts", "lost_count",
		"node_id", "node_name", "incarnation", "dispatched_at", "started_at", "finished_at", "deadline_at",
		"outcome", "error", "timeout_ms", "progress", "progress_message",
		"unique_key", "root_id", "parent_id", "shard", "shards",
		"cancel_requested_at", "cancel_reason", "cancel_actor",
	}
	heavyColumns = []string{"parameters", "checkpoint", "result"}

	lightList = strings.Join(lightColumns, ", ")
	fullList  = lightList + ", " + strings.Join(heavyColumns, ", ")
)

// lightFields answers pointers to the fields of lightColumns, in order.
func lightFields(t *models.Task) []any {
	return []any{
		&t.ID, &t.JobID, &t.AppID, &t.GroupID, &t.State, &t.Trigger, &t.Priority, &t.Reason,
		&t.ScheduledAt, &t.AvailableAt, &t.CreatedAt, &t.Attempt, &t.Uncounted, &t.MaxAttempts, &t.LostCount,
		&t.NodeID, &t.NodeName, &t.Incarnation, &t.DispatchedAt, &t.StartedAt, &t.FinishedAt, &t.DeadlineAt,
		&t.Outcome, &t.Error, &t.TimeoutMS, &t.Progress, &t.ProgressMessage,
		&t.UniqueKey, &t.RootID, &t.ParentID, &t.Shard, &t.Shards,
		&t.CancelRequestedAt, &t.CancelReason, &t.CancelActor,
	}
}

// fullFields answers pointers to the fields of lightColumns and heavyColumns.
func fullFields(t *models.Task) []any {
	return append(lightFields(t), (*[]byte)(&t.Parameters), (*[]byte)(&t.Checkpoint), (*[]byte)(&t.Result))
}

// scanTasks reads rows of tasks whose columns are those of fields.
func scanTasks(rows *sql.Rows, fields func(*models.Task) []any) ([]models.Task, error) {
	var tasks []models.Task
	err := scan(rows, func() error {
		var t models.Task
		if err := rows.Scan(fields(&t)...); err != nil {
			return err
		}
		tasks = append(tasks, t)
		return nil
	})
	return tasks, err
}

// lockTasks reads tasks by id and keeps every other writer from them until the
// transaction ends. Locks are taken in order of id, so that two batches cannot
// wait for each other.
func (s *Store) lockTasks(tx *gorm.DB, ids []string, full bool) (map[string]*models.Task, error) {
	list, fields := lightList, lightFields
	if full {
		list, fields = fullList, fullFields
	}
	found := make(map[string]*models.Task, len(ids))
	for chunk := range chunks(ids, inLimit) {
		rows, err := query(tx, "SELECT "+list+" FROM tasks WHERE id IN ("+marks(len(chunk))+") ORDER BY id"+s.dialect.lockRows(), anys(chunk)...)
		if err != nil {
			return nil, fmt.Errorf("locking %d tasks: %w", len(chunk), err)
		}
		tasks, err := scanTasks(rows, fields)
		if err != nil {
			return nil, fmt.Errorf("reading %d tasks: %w", len(chunk), err)
		}
		for i := range tasks {
			found[tasks[i].ID] = &tasks[i]
		}
	}
	return found, nil
}

// insertColumns are the columns of a new task, in the order of newTaskRow.
var insertColumns = append(append([]string{}, lightColumns...), "parameters", "checkpoint", "result")

// newTaskRow answers the values of insertColumns.
func newTaskRow(t *models.Task) []any {
	return []any{
		t.ID, t.JobID, t.AppID, t.GroupID, t.State, t.Trigger, t.Priority, t.Reason,
		clock.Cut(t.ScheduledAt), clock.Cut(t.AvailableAt), clock.Cut(t.CreatedAt), t.Attempt, t.Uncounted, t.MaxAttempts, t.LostCount,
		t.NodeID, t.NodeName, t.Incarnation, cutTime(t.DispatchedAt), cutTime(t.StartedAt), cutTime(t.FinishedAt), cutTime(t.DeadlineAt),
		t.Outcome, t.Error, t.TimeoutMS, t.Progress, t.ProgressMessage,
		t.UniqueKey, t.RootID, t.ParentID, t.Shard, t.Shards,
		cutTime(t.CancelRequestedAt), t.CancelReason, t.CancelActor,
		document(t.Parameters), document(t.Checkpoint), document(t.Result),
	}
}

// compact answers a document as it will be read back.
func compact(raw json.RawMessage) json.RawMessage {
	switch v := document(raw).(type) {
	case string:
		return json.RawMessage(v)
	default:
		return nil
	}
}
