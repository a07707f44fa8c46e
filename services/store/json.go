package store

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
)

// SQLite gives a document back as text or as bytes, as it was written, by this
// program or by somebody's SQL; gorm can put only bytes into a json.RawMessage.
// One row written by hand must not make a whole list unreadable, so these fields
// are taught both.

// documentRows are the rows with documents in them.
var documentRows = []any{&models.Job{}, &models.JobRevision{}, &models.Calendar{}, &models.Node{}, &models.NodeGroup{}, &models.Server{}, &models.Task{}, &models.Attempt{}, &models.LogChunk{}, &models.Audit{}, &models.AlertChannel{}, &models.Notification{}, &models.ReportSchedule{}}

// readText teaches the fields of db's rows. It is called once, before db is used.
func readText(db *gorm.DB) error {
	for _, row := range documentRows {
		statement := &gorm.Statement{DB: db}
		if err := statement.Parse(row); err != nil {
			return fmt.Errorf("reading the columns of %T: %w", row, err)
		}
		for _, field := range statement.Schema.Fields {
			if field.FieldType == reflect.TypeFor[json.RawMessage]() {
				field.NewValuePool = documentPool{}
				set := field.Set
				field.Set = func(ctx context.Context, to reflect.Value, from any) error {
					if d, ok := from.(*scannedDocument); ok {
						from = json.RawMessage(*d)
					}
					return set(ctx, to, from)
				}
			}
		}
	}
	return nil
}

// scannedDocument takes a document in either form.
type scannedDocument []byte

// Scan implements sql.Scanner.
func (d *scannedDocument) Scan(from any) error {
	switch v := from.(type) {
	case nil:
		*d = nil
	case string:
		*d = []byte(v)
	case []byte:
		*d = slices.Clone(v)
	default:
		return fmt.Errorf("a document has the type %T", from)
	}
	return nil
}

// documentPool implements schema.FieldNewValuePool; it makes each value anew.
type documentPool struct{}

// Get makes a value to scan into.
func (documentPool) Get() any { return new(scannedDocument) }

// Put drops a value.
func (documentPool) Put(any) {}

// orNull is a document as an argument; NULL for none.
func orNull(document json.RawMessage) any {
	if document == nil {
		return nil
	}
	return string(document)
}
