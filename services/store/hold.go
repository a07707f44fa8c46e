package store

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
)

// While nobody can run a job, a few of its fires wait and the others are counted: what
// it writes is bounded by the number of jobs, not by how long that lasts.

// looked is how many of a job's newest tasks are looked at for those that wait. When
// all of them do, enough wait, whoever asked for them.
const looked = 100

// holdBack turns what is beyond Keep in some of the fires into runs of skipped fires.
// The jobs' rows are locked, so nobody else makes fires of them.
func (s *Store) holdBack(tx *gorm.DB, fires []Fires, moved []int) error {
	var limited []int
	var asked []waitingOf
	for _, i := range moved {
		if f := &fires[i]; f.Keep > 0 && len(f.Tasks) > 0 {
			limited = append(limited, i)
			asked = append(asked, waitingOf{f.JobID, f.Tasks[0].ScheduledAt})
		}
	}
	waiting, err := s.waitingFires(tx, asked)
	if err != nil {
		return err
	}
	for _, i := range limited {
		fires[i].keep(max(fires[i].Keep-waiting[fires[i].JobID], 0))
	}
	return nil
}

// keep leaves the first n tasks of f and records the fires of the others as skipped.
func (f *Fires) keep(n int) {
	if n >= len(f.Tasks) {
		return
	}
	kept, held := f.Tasks[:n:n], f.Tasks[n:]
	last := held[len(held)-1].ScheduledAt
	f.Skipped = append(slices.Clip(f.Skipped), models.SkippedFires{
		// Its id is above those of the runs recorded with it, which came before.
		ID: models.NewID(held[0].CreatedAt.Add(time.Millisecond)), JobID: f.JobID, FirstAt: held[0].ScheduledAt, LastAt: last,
		Count: int64(len(held)), Reason: models.ReasonNoWorker, RecordedAt: held[0].CreatedAt,
	})
	f.Tasks, f.Last = kept, nil
	if n > 0 {
		f.Last = &kept[n-1].ScheduledAt
	} else {
		f.Since = &last // what came before is not owed any more
	}
}

// waitingOf asks how many fires of a job before an instant wait.
type waitingOf struct {
	job    string
	before time.Time
}

// waitingFires answers how many of the hundred newest tasks of each job, delayed ones
// left out, are fires that wait; all hundred of any kind count as enough.
func (s *Store) waitingFires(tx *gorm.DB, asked []waitingOf) (map[string]int, error) {
	counts := make(map[string]int, len(asked))
	for chunk := range chunks(asked, 50) {
		parts := make([]string, len(chunk))
		var args []any
		for i, a := range chunk {
			parts[i] = "SELECT job_id, SUM(CASE WHEN state = ? AND trigger_kind IN (?, ?, ?) THEN 1 ELSE 0 END) AS fires, SUM(CASE WHEN state = ? THEN 1 ELSE 0 END) AS waiting" +
				" FROM (SELECT job_id, state, trigger_kind FROM tasks" + s.dialect.forceIndex("tasks_job") +
				" WHERE job_id = ? AND shelf = ? AND id < ? ORDER BY id DESC LIMIT ?) newest GROUP BY job_id"
			args = append(args, models.TaskWaiting, models.TriggerCron, models.TriggerFixedRate, models.TriggerDependency, models.TaskWaiting,
				a.job, shelfMoving, models.LowestID(a.before.Add(time.Millisecond)), looked)
		}
		rows, err := query(tx, strings.Join(parts, " UNION ALL "), args...)
		if err != nil {
			return nil, fmt.Errorf("counting the fires of %d jobs that wait: %w", len(chunk), err)
		}
		err = scan(rows, func() error {
			var job string
			var fires, waiting int
			if err := rows.Scan(&job, &fires, &waiting); err != nil {
				return err
			}
			if counts[job] = fires; waiting >= looked {
				counts[job] = looked
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("counting the fires of %d jobs that wait: %w", len(chunk), err)
		}
	}
	return counts, nil
}
