package store

import (
	"slices"
	"sync"
	"testing"

	"gorm.io/gorm/schema"

	"github.com/belfry-scheduler/belfry/models"
)

// ledgerRows has one of each table's rows.
var ledgerRows = []any{
	models.APIToken{},
	models.AlertGroup{},
	models.AlertPending{},
	models.AlertRule{},
	models.AlertChannel{},
	models.App{},
	models.AppKey{},
	models.Arrival{},
	models.Attempt{},
	models.Audit{},
	models.Backfill{},
	models.BackfillFires{},
	models.Calendar{},
	models.DeliveryTry{},
	models.Dependency{},
	models.Incident{},
	models.IncidentEntry{},
	models.Job{},
	models.GroupFlow{},
	models.JobHour{},
	models.Join{},
	models.JoinArrival{},
	models.LogChunk{},
	models.Minute{},
	models.Node{},
	models.NodeGroup{},
	models.Notification{},
	models.Partition{},
	models.Refusal{},
	models.ReportSchedule{},
	models.Server{},
	models.Session{},
	models.SignInLink{},
	models.Silence{},
	models.SkippedFires{},
	models.Task{},
	models.TaskInput{},
	models.TaskKey{},
	models.TaskMove{},
	models.User{},
}

// TestColumnsMatchRows catches a column that a row lacks, or the other way round.
func TestColumnsMatchRows(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		for _, row := range ledgerRows {
			parsed, err := schema.Parse(row, &sync.Map{}, naming{})
			if err != nil {
				t.Fatal(err)
			}
			columns, err := s.reader.Migrator().ColumnTypes(parsed.Table)
			if err != nil {
				t.Errorf("%T: reading the columns of %s: %v", row, parsed.Table, err)
				continue
			}
			var have []string
			for _, c := range columns {
				have = append(have, c.Name())
			}
			have = slices.DeleteFunc(have, func(column string) bool {
				return parsed.Table == "tasks" && (column == "shelf" || column == "room") || // for the indexes and the pages alone
					parsed.Table == "jobs" && column == "due_at"
			})
			slices.Sort(have)
			want := slices.Sorted(slices.Values(parsed.DBNames))
			if !slices.Equal(have, want) {
				t.Errorf("%T: the table %s has columns\n%v\nthe row wants\n%v", row, parsed.Table, have, want)
			}
		}
	})
}
