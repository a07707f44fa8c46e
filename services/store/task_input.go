package store

import (
	"context"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
)

// UpstreamResults answers, for each task that others made, what became of these, the
// earliest scheduled first. Results of more than limit bytes are not read.
func (s *Store) UpstreamResults(ctx context.Context, taskIDs []string, limit int) (map[string][]models.UpstreamResult, error) {
	all := map[string][]models.UpstreamResult{}
	bytes := "OCTET_LENGTH(t.result)"
	from := "task_inputs i" + s.dialect.byKey() + " STRAIGHT_JOIN tasks t" + s.dialect.byKey()
	if s.dialect == sqlite {
		bytes, from = "LENGTH(CAST(t.result AS BLOB))", "task_inputs i CROSS JOIN tasks t" // in this order
	}
	for chunk := range chunks(taskIDs, inLimit) {
		rows, err := query(s.read(ctx), "SELECT i.task_id, t.id, j.name, t.state, COALESCE("+bytes+", 0), CASE WHEN "+bytes+" <= ? THEN t.result END FROM "+from+
			" ON t.id = i.upstream_id JOIN jobs j ON j.id = t.job_id WHERE i.task_id IN ("+marks(len(chunk))+") ORDER BY i.task_id, i.upstream_id",
			append([]any{limit}, anys(chunk)...)...)
		if err != nil {
			return nil, fmt.Errorf("reading upstream results: %w", err)
		}
		err = scan(rows, func() error {
			var id string
			var u models.UpstreamResult
			var result *string
			if err := rows.Scan(&id, &u.TaskID, &u.JobName, &u.State, &u.Bytes, &result); err != nil {
				return err
			}
			if result != nil {
				u.Result = json.RawMessage(*result)
			}
			all[id] = append(all[id], u)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("reading upstream results: %w", err)
		}
	}
	return all, nil
}

// inheritInputs gives a new task what made another one.
func inheritInputs(tx *gorm.DB, from, to string) error {
	_, err := exec(tx, "INSERT INTO task_inputs (task_id, upstream_id) SELECT ?, upstream_id FROM task_inputs WHERE task_id = ?", to, from)
	if err != nil {
		return fmt.Errorf("copying what made task %s: %w", from, err)
	}
	return nil
}
