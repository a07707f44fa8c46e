package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// Due is how many tasks of a group could start if nothing held them up.
type Due struct {
	Tasks  int64
	Oldest time.Time // when the first of them became due
}

// DueTasks counts the queued tasks of groups that are due at an instant; groups
// without any are missing. It reads of the queue's index what is due and no row, so
// it takes as long as the lines are: about a quarter of a second a million.
func (s *Store) DueTasks(ctx context.Context, groupIDs []string, at time.Time) (map[string]Due, error) {
	due := map[string]Due{}
	states := models.From(models.EventDispatch)
	for chunk := range chunks(groupIDs, inLimit) {
		args := append(anys(chunk), anys(states)...)
		args = append(append(args, anys(models.Priorities[:])...), clock.Cut(at))
		rows, err := query(s.read(ctx), "SELECT group_id, COUNT(*), MIN(available_at) FROM tasks"+s.dialect.forceIndex("tasks_queue")+
			" WHERE group_id IN ("+marks(len(chunk))+") AND state IN ("+marks(len(states))+") AND priority IN ("+marks(len(models.Priorities))+
			") AND available_at <= ? GROUP BY group_id", args...)
		if err != nil {
			return nil, fmt.Errorf("counting the due tasks of %d groups: %w", len(groupIDs), err)
		}
		err = scan(rows, func() error {
			var group string
			var d Due
			var oldest instant
			err := rows.Scan(&group, &d.Tasks, &oldest)
			if oldest.at != nil {
				d.Oldest = *oldest.at
			}
			due[group] = d
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("counting the due tasks of %d groups: %w", len(groupIDs), err)
		}
	}
	return due, nil
}

// WriteGroupFlows records how the lines of groups move, by their owner's word.
// Errors: DeposedError.
func (s *Store) WriteGroupFlows(ctx context.Context, fence Fence, flows []models.GroupFlow) error {
	columns := []string{"group_id", "at", "due", "oldest_due_at", "late_ms", "released", "drains_in_ms", "drains_note", "limited_by"}
	set := make([]string, 0, len(columns)-1)
	for _, c := range columns[1:] {
		set = append(set, c+" = new("+c+")")
	}
	flows = slices.Clone(flows)
	slices.SortFunc(flows, func(a, b models.GroupFlow) int { return strings.Compare(a.GroupID, b.GroupID) })
	rows := make([][]any, len(flows))
	for i := range flows {
		f := &flows[i]
		rows[i] = []any{f.GroupID, clock.Cut(f.At), f.Due, cutTime(f.OldestDueAt), f.LateMS, f.Released, f.DrainsInMS, cutChars(f.DrainsNote, nameLimit), f.LimitedBy}
	}
	return s.write(ctx, fmt.Sprintf("recording the lines of %d groups", len(rows)), func(tx *gorm.DB) error {
		if err := fence.check(tx, s.dialect); err != nil {
			return err
		}
		return s.insertRows(tx, "group_flows", columns, rows, s.dialect.onConflict("group_id", set...))
	})
}

// GroupFlows answers how the lines of groups move; groups that never had a line are
// missing.
func (s *Store) GroupFlows(ctx context.Context, groupIDs []string) (map[string]models.GroupFlow, error) {
	flows := make(map[string]models.GroupFlow, len(groupIDs))
	for chunk := range chunks(groupIDs, inLimit) {
		var rows []models.GroupFlow
		if err := s.read(ctx).Where("group_id IN ?", chunk).Find(&rows).Error; err != nil {
			return nil, fmt.Errorf("reading the lines of %d groups: %w", len(groupIDs), err)
		}
		for i := range rows {
			flows[rows[i].GroupID] = rows[i]
		}
	}
	return flows, nil
}

// CountDue answers how many tasks are due in some groups together, nil: in all, by their owners'
// word.
func (s *Store) CountDue(ctx context.Context, groups []string) (n int64, err error) {
	var where conditions
	if groups != nil {
		if len(groups) == 0 {
			return 0, nil
		}
		where.add("group_id IN ("+marks(len(groups))+")", anys(groups)...)
	}
	if err := queryOne(s.read(ctx), &n, "SELECT COALESCE(SUM(due), 0) FROM group_flows"+where.where(), where.args...); err != nil {
		return 0, fmt.Errorf("counting due tasks: %w", err)
	}
	return n, nil
}

// LateFlows answers the lines in which something waits that nothing holds up.
func (s *Store) LateFlows(ctx context.Context) ([]models.GroupFlow, error) {
	return list[models.GroupFlow](s.read(ctx).Where("due > 0 AND limited_by = 0"), "lines of groups")
}
