package store

import "gorm.io/gorm/schema"

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
