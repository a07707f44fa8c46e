package models

import (
	"encoding/json"
	"time"
)

// BackfillState is the state of a backfill.
type BackfillState uint8

// Backfill states. The numbers stand in the ledger: never renumber.
const (
	BackfillRunning   BackfillState = iota + 1
	BackfillPaused                  // makes no tasks until it is resumed
	BackfillFinished                // all of its tasks have ended
	BackfillCancelled               // by a person, or because its job was deleted
)

var backfillStateNames = []string{"", "RUNNING", "PAUSED", "FINISHED", "CANCELLED"}

func (v BackfillState) String() string { return name(backfillStateNames, uint8(v)) }

// ParseBackfillState reads a backfill state's name as the API writes it.
func ParseBackfillState(s string) (BackfillState, bool) {
	return parse[BackfillState](backfillStateNames, s)
}

// Open says whether the backfill may still make tasks.
func (v BackfillState) Open() bool { return v == BackfillRunning || v == BackfillPaused }

// MaxBackfillFires is how many past fires one backfill makes up for at most.
const MaxBackfillFires = 100_000

// Backfill makes up for past fires of a job. Table backfills. The instants stand in
// BackfillFires; Created + Present of them, the oldest, are dealt with.
type Backfill struct {
	ID          string
	JobID       string
	State       BackfillState
	FromAt      time.Time
	ToAt        time.Time // excluded
	OnlyMissing bool
	PerMinute   int // tasks made a minute, evenly spaced
	MaxRunning  int // tasks made and not ended
	Parameters  json.RawMessage

	Total     int64 // fires in the range
	Created   int64 // tasks made
	Present   int64 // fires that were left out because they had run
	Succeeded int64 // ends of its tasks, as they stand now
	Failed    int64 // in the failed queue or discarded
	Cancelled int64 // cancelled or skipped

	ReleaseAt time.Time  // no task before
	NextAt    *time.Time // the fire that is dealt with next; nil: none is left
	// Work is whether the owner has still something to do: make tasks, or cancel
	// those of a cancelled backfill that wait.
	Work bool

	CreatedBy  string
	CreatedAt  time.Time `gorm:"autoCreateTime:false"`
	FinishedAt *time.Time
}

// Done is how many fires are dealt with.
func (b *Backfill) Done() int64 { return b.Created + b.Present }

// Ended is how many of its tasks have ended; the failed queue counts.
func (b *Backfill) Ended() int64 { return b.Succeeded + b.Failed + b.Cancelled }

// Progress is the share of fires that had run before or whose task has ended, 0 to
// 1; a finished backfill stays at 1 when a person has one of its tasks tried again.
func (b *Backfill) Progress() float64 {
	if b.State == BackfillFinished || b.Total == 0 {
		return 1
	}
	return float64(b.Present+b.Ended()) / float64(b.Total)
}

// BackfillFires holds the instants of a backfill, as services/backfill encodes them,
// apart from the row that changes. Table backfill_fires.
type BackfillFires struct {
	BackfillID string `gorm:"primaryKey"`
	Fires      []byte
}

// TableName is the table's name; a plural cannot be derived from a plural.
func (BackfillFires) TableName() string { return "backfill_fires" }
