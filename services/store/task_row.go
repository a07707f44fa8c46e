package store

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// taskColumn is a column of tasks: its name, how it is read and how it is written.
// Going through this list by hand instead of gorm's reflection halves what a task
// costs this process.
type taskColumn struct {
	name  string
	read  func(t *models.Task, src any, last *string) error
	write func(t *models.Task) any
}

// The columns in groups, each of which some statement needs without the next.
var (
	// identity is what is set when a task is made and seldom changes.
	identity = []taskColumn{
		{"id", toText(func(t *models.Task) *string { return &t.ID }), func(t *models.Task) any { return t.ID }},
		{"job_id", toText(func(t *models.Task) *string { return &t.JobID }), func(t *models.Task) any { return t.JobID }},
		{"app_id", toText(func(t *models.Task) *string { return &t.AppID }), func(t *models.Task) any { return t.AppID }},
		{"group_id", toText(func(t *models.Task) *string { return &t.GroupID }), func(t *models.Task) any { return t.GroupID }},
		{"state", toNumber(func(t *models.Task) *models.TaskState { return &t.State }), func(t *models.Task) any { return t.State }},
		{"trigger_kind", toNumber(func(t *models.Task) *models.TriggerKind { return &t.Trigger }), func(t *models.Task) any { return t.Trigger }},
		{"priority", toNumber(func(t *models.Task) *models.Priority { return &t.Priority }), func(t *models.Task) any { return t.Priority }},
		{"scheduled_at", toTime(func(t *models.Task) *time.Time { return &t.ScheduledAt }), func(t *models.Task) any { return clock.Cut(t.ScheduledAt) }},
		{"available_at", toTime(func(t *models.Task) *time.Time { return &t.AvailableAt }), func(t *models.Task) any { return clock.Cut(t.AvailableAt) }},
		{"created_at", toTime(func(t *models.Task) *time.Time { return &t.CreatedAt }), func(t *models.Task) any { return clock.Cut(t.CreatedAt) }},
		{"max_attempts", toNumber(func(t *models.Task) *int { return &t.MaxAttempts }), func(t *models.Task) any { return t.MaxAttempts }},
		{"timeout_ms", toNumber(func(t *models.Task) *int64 { return &t.TimeoutMS }), func(t *models.Task) any { return t.TimeoutMS }},
	}
	// parameters stands alone: it is made with the task, but can be large.
	parameters = []taskColumn{
		{"parameters", toDocument(func(t *models.Task) *json.RawMessage { return &t.Parameters }), func(t *models.Task) any { return document(t.Parameters) }},
	}
	// links is what only some tasks have.
	links = []taskColumn{
		{"unique_key", toTextPtr(func(t *models.Task) **string { return &t.UniqueKey }), func(t *models.Task) any { return t.UniqueKey }},
		{"root_id", toTextPtr(func(t *models.Task) **string { return &t.RootID }), func(t *models.Task) any { return t.RootID }},
		{"parent_id", toTextPtr(func(t *models.Task) **string { return &t.ParentID }), func(t *models.Task) any { return t.ParentID }},
		{"shard", toNumberPtr(func(t *models.Task) **int { return &t.Shard }), func(t *models.Task) any { return t.Shard }},
		{"shards", toNumberPtr(func(t *models.Task) **int { return &t.Shards }), func(t *models.Task) any { return t.Shards }},
		{"pinned_to", toTextPtr(func(t *models.Task) **string { return &t.PinnedTo }), func(t *models.Task) any { return t.PinnedTo }},
		{"backfill_id", toTextPtr(func(t *models.Task) **string { return &t.BackfillID }), func(t *models.Task) any { return t.BackfillID }},
		{"downstream", toNumber(func(t *models.Task) *models.DownstreamRule { return &t.Downstream }), func(t *models.Task) any { return t.Downstream }},
	}
	// course is what attempts and people leave behind, across attempts.
	course = []taskColumn{
		{"attempt", toNumber(func(t *models.Task) *int { return &t.Attempt }), func(t *models.Task) any { return t.Attempt }},
		{"uncounted", toNumber(func(t *models.Task) *int { return &t.Uncounted }), func(t *models.Task) any { return t.Uncounted }},
		{"handed_back", toNumber(func(t *models.Task) *int { return &t.HandedBack }), func(t *models.Task) any { return t.HandedBack }},
		{"lost_count", toNumber(func(t *models.Task) *int { return &t.LostCount }), func(t *models.Task) any { return t.LostCount }},
		{"node_id", toTextPtr(func(t *models.Task) **string { return &t.NodeID }), func(t *models.Task) any { return t.NodeID }},
		{"incarnation", toText(func(t *models.Task) *string { return &t.Incarnation }), func(t *models.Task) any { return t.Incarnation }},
		{"cancel_requested_at", toTimePtr(func(t *models.Task) **time.Time { return &t.CancelRequestedAt }), func(t *models.Task) any { return cutTime(t.CancelRequestedAt) }},
		{"cancel_reason", toText(func(t *models.Task) *string { return &t.CancelReason }), func(t *models.Task) any { return t.CancelReason }},
		{"cancel_actor", toText(func(t *models.Task) *string { return &t.CancelActor }), func(t *models.Task) any { return t.CancelActor }},
	}
	// current is the current attempt; a dispatch overwrites all of it.
	current = []taskColumn{
		{"node_name", toText(func(t *models.Task) *string { return &t.NodeName }), func(t *models.Task) any { return t.NodeName }},
		{"reason", toText(func(t *models.Task) *string { return &t.Reason }), func(t *models.Task) any { return t.Reason }},
		{"dispatched_at", toTimePtr(func(t *models.Task) **time.Time { return &t.DispatchedAt }), func(t *models.Task) any { return cutTime(t.DispatchedAt) }},
		{"started_at", toTimePtr(func(t *models.Task) **time.Time { return &t.StartedAt }), func(t *models.Task) any { return cutTime(t.StartedAt) }},
		{"finished_at", toTimePtr(func(t *models.Task) **time.Time { return &t.FinishedAt }), func(t *models.Task) any { return cutTime(t.FinishedAt) }},
		{"deadline_at", toTimePtr(func(t *models.Task) **time.Time { return &t.DeadlineAt }), func(t *models.Task) any { return cutTime(t.DeadlineAt) }},
		{"outcome", toNumber(func(t *models.Task) *models.Outcome { return &t.Outcome }), func(t *models.Task) any { return t.Outcome }},
		{"error", toText(func(t *models.Task) *string { return &t.Error }), func(t *models.Task) any { return cutError(t.Error) }},
		{"progress", toReal(func(t *models.Task) **float64 { return &t.Progress }), func(t *models.Task) any { return t.Progress }},
		{"progress_message", toText(func(t *models.Task) *string { return &t.ProgressMessage }), func(t *models.Task) any { return t.ProgressMessage }},
	}
	checkpoint = []taskColumn{
		{"checkpoint", toDocument(func(t *models.Task) *json.RawMessage { return &t.Checkpoint }), func(t *models.Task) any { return document(t.Checkpoint) }},
	}
	outcome = []taskColumn{
		{"result", toDocument(func(t *models.Task) *json.RawMessage { return &t.Result }), func(t *models.Task) any { return document(t.Result) }},
	}
)

// columnSet is a list of columns that some statements share.
type columnSet struct {
	columns []taskColumn
	names   []string
	list    string // as it stands in SQL
}

func setOf(groups ...[]taskColumn) *columnSet {
	s := &columnSet{columns: slices.Concat(groups...)}
	for _, c := range s.columns {
		s.names = append(s.names, c.name)
	}
	s.list = strings.Join(s.names, ", ")
	return s
}

var (
	fullColumns     = setOf(identity, parameters, links, course, current, checkpoint, outcome)
	lightColumns    = setOf(identity, links, course, current)                // without what can be large
	dispatchColumns = setOf(identity, parameters, links, course, checkpoint) // without what a dispatch overwrites
	plainColumns    = setOf(identity, parameters)                            // all that most new tasks have
	linkedColumns   = setOf(identity, parameters, links)                     // all that new tasks usually have
)

// newColumns answers the smallest set that holds all that some new tasks have.
func newColumns(tasks []*models.Task) *columnSet {
	set := plainColumns
	for _, t := range tasks {
		if t.Attempt != 0 || t.Reason != "" || t.FinishedAt != nil || t.NodeID != nil || t.CancelRequestedAt != nil ||
			t.Checkpoint != nil || t.Error != "" || t.Result != nil {
			return fullColumns
		}
		if t.UniqueKey != nil || t.RootID != nil || t.ParentID != nil || t.Shard != nil || t.Shards != nil || t.PinnedTo != nil || t.Downstream != 0 || t.BackfillID != nil {
			set = linkedColumns
		}
	}
	return set
}

// row answers a task's values in the order of the set.
func (s *columnSet) row(t *models.Task) []any {
	values := make([]any, len(s.columns))
	for i := range s.columns {
		values[i] = s.columns[i].write(t)
	}
	return values
}

// scan reads rows that have the columns of the set.
func (s *columnSet) scan(rows *sql.Rows) ([]models.Task, error) {
	var tasks []models.Task
	var t *models.Task
	cells := make([]any, len(s.columns))
	for i := range s.columns {
		read := s.columns[i].read
		cells[i] = &cell{set: func(src any, last *string) error { return read(t, src, last) }}
	}
	err := scan(rows, func() error {
		tasks = append(tasks, models.Task{})
		t = &tasks[len(tasks)-1]
		return rows.Scan(cells...)
	})
	return tasks, err
}

// lockTasks reads tasks by id and keeps every other writer from them until the
// transaction ends. Locks are taken in order of id, so that two batches cannot
// wait for each other.
func (s *Store) lockTasks(tx *gorm.DB, ids []string, set *columnSet) (map[string]*models.Task, error) {
	found := make(map[string]*models.Task, len(ids))
	for chunk := range chunks(ids, inLimit) {
		tasks, err := s.readTasks(tx, chunk, set, s.dialect.lockRows())
		if err != nil {
			return nil, err
		}
		for i := range tasks {
			found[tasks[i].ID] = &tasks[i]
		}
	}
	return found, nil
}

// readTasks reads at most inLimit tasks by id. Suffix is a lock or empty.
func (s *Store) readTasks(tx *gorm.DB, ids []string, set *columnSet, suffix string) ([]models.Task, error) {
	rows, err := query(tx, "SELECT "+set.list+" FROM tasks"+s.dialect.byKey()+" WHERE id IN ("+marks(len(ids))+") ORDER BY id"+suffix, anys(ids)...)
	if err != nil {
		return nil, fmt.Errorf("reading %d tasks: %w", len(ids), err)
	}
	tasks, err := set.scan(rows)
	if err != nil {
		return nil, fmt.Errorf("reading %d tasks: %w", len(ids), err)
	}
	return tasks, nil
}

// compact answers a document as it will be read back.
func compact(raw json.RawMessage) json.RawMessage {
	if text, ok := document(raw).(string); ok {
		return json.RawMessage(text)
	}
	return nil
}

// cutTime prepares an optional instant for its column.
func cutTime(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	cut := clock.Cut(*t)
	return &cut
}
