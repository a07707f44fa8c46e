package models

import (
	"encoding/json"
	"time"
)

// BulkKind is what a bulk operation does to its tasks.
type BulkKind uint8

// Kinds of bulk operations. The numbers stand in the ledger: never renumber.
const (
	BulkRetry BulkKind = iota + 1
	BulkDiscard
	BulkCancel
)

// BulkState is the state of a bulk operation.
type BulkState uint8

// States of bulk operations. The numbers stand in the ledger: never renumber.
const (
	BulkRunning   BulkState = iota + 1
	BulkFinished            // it came to each of its tasks
	BulkCancelled           // stopped by a person before that
)

var (
	bulkKindNames  = []string{"", "RETRY", "DISCARD", "CANCEL"}
	bulkStateNames = []string{"", "RUNNING", "FINISHED", "CANCELLED"}
)

func (v BulkKind) String() string  { return name(bulkKindNames, uint8(v)) }
func (v BulkState) String() string { return name(bulkStateNames, uint8(v)) }

// ParseBulkKind reads a kind's name as the API writes it.
func ParseBulkKind(s string) (BulkKind, bool) { return parse[BulkKind](bulkKindNames, s) }

// ParseBulkState reads a state's name as the API writes it.
func ParseBulkState(s string) (BulkState, bool) { return parse[BulkState](bulkStateNames, s) }

// Limits of a bulk operation.
const (
	MaxBulkTasks    = 100_000 // tasks of one
	MaxBulkRefusals = 1000    // refusals of one that are kept; all are counted
)

// BulkOperation does the same to many tasks. Which was fixed when it was asked for
// and stands in BulkSelection; the first Done + Refused of them are dealt with.
// Table bulk_operations.
type BulkOperation struct {
	ID         string
	Kind       BulkKind
	State      BulkState
	Total      int64
	Done       int64
	Refused    int64           // tasks that were no longer in a state that allows it, or are gone
	Parameters json.RawMessage // of BulkRetry: instead of each task's; nil: theirs
	Patch      json.RawMessage // of BulkRetry: merged into each task's parameters (RFC 7396); nil: none
	Reason     string
	Selection  json.RawMessage // how the tasks were chosen, for people
	CreatedBy  string
	CreatedAt  time.Time `gorm:"autoCreateTime:false"`
	FinishedAt *time.Time
}

// Position is how many of its tasks are dealt with.
func (b *BulkOperation) Position() int64 { return b.Done + b.Refused }

// Progress is the share of its tasks that are dealt with, 0 to 1.
func (b *BulkOperation) Progress() float64 {
	if b.Total == 0 {
		return 1
	}
	return float64(b.Position()) / float64(b.Total)
}

// BulkSelection holds the ids of a bulk operation's tasks, one after the other, in
// the order in which they are dealt with. It is deleted at the end. Table
// bulk_selections.
type BulkSelection struct {
	BulkID string `gorm:"primaryKey"`
	Tasks  []byte
}

// BulkRefusal says why a task was left as it is. Table bulk_refusals.
type BulkRefusal struct {
	BulkID  string `gorm:"primaryKey"`
	TaskID  string `gorm:"primaryKey"`
	Message string
}
