package store

import (
	"fmt"

	"gorm.io/gorm"
	"gorm.io/gorm/schema"

	"github.com/belfry-scheduler/belfry/models"
)

// ledgerRows has one of each table's rows.
var ledgerRows = []any{
	models.APIToken{},
	models.App{},
	models.AppKey{},
	models.Arrival{},
	models.Attempt{},
	models.Audit{},
	models.Backfill{},
	models.BackfillFires{},
	models.Calendar{},
	models.Dependency{},
	models.Job{},
	models.JobHour{},
	models.Join{},
	models.JoinArrival{},
	models.LogChunk{},
	models.Minute{},
	models.Node{},
	models.NodeGroup{},
	models.Partition{},
	models.Refusal{},
	models.Server{},
	models.Session{},
	models.SignInLink{},
	models.SkippedFires{},
	models.Task{},
	models.TaskInput{},
	models.TaskKey{},
	models.TaskMove{},
	models.User{},
}

// learn reads the shape of every row before the first statement: the library would do
// so at first use, and two first uses at once race with one another in it.
func learn(db *gorm.DB) error {
	for _, row := range ledgerRows {
		if err := (&gorm.Statement{DB: db}).Parse(row); err != nil {
			return fmt.Errorf("reading the shape of %T: %w", row, err)
		}
	}
	return nil
}

// naming maps rows to columns where a field's name is no good name in SQL: some
// are reserved words, others say less than the column should.
type naming struct{ schema.NamingStrategy }

var columnNames = map[[2]string]string{
	{"node_groups", "Partition"}: "part",
	{"jobs", "Partition"}:        "part",
	{"tasks", "Trigger"}:         "trigger_kind",
	{"dependencies", "On"}:       "on_end",
	{"arrivals", "Partition"}:    "part",
	{"joins", "Window"}:          "window_key",
	{"join_arrivals", "Window"}:  "window_key",
	{"skipped_fires", "Count"}:   "fires",
	{"task_logs", "Lines"}:       "line_data",
	{"job_hours", "Hour"}:        "hour_at",
	{"minutes", "Minute"}:        "minute_at",
}

// ColumnName implements schema.Namer.
func (n naming) ColumnName(table, field string) string {
	if column, ok := columnNames[[2]string{table, field}]; ok {
		return column
	}
	return n.NamingStrategy.ColumnName(table, field)
}

// TableName implements schema.Namer.
func (n naming) TableName(model string) string {
	if model == "LogChunk" {
		return "task_logs"
	}
	return n.NamingStrategy.TableName(model)
}
