package models

import (
	"encoding/json"
	"time"
)

// Audit is one change made by a person, a program or Belfry itself. Table audits. The
// ledger fills in where it came from, and what it was about, when it writes the row.
type Audit struct {
	ID     string
	At     time.Time
	Actor  string // user or token name
	Action string // for example job.update, task.cancel
	Kind   string // of the object: app, group, job, task, node, user
	Object string // its id
	Detail json.RawMessage

	ActorKind  AuthorKind // empty in rows of older versions
	Address    string     // IP address of the client; empty without one
	RequestID  string     // empty outside a request
	Agent      string     // family of the client's program
	AppID      string     // in which it was made; empty: in none, or not known
	ObjectName string     // of the object at that time; empty for what has none
	// StateBefore and StateAfter are objects of the fields that have changed, without
	// secrets; all fields of what was made or deleted. nil: it was not there, or not kept.
	StateBefore json.RawMessage
	StateAfter  json.RawMessage

	// Was is the object before the change, as the ledger read it; nil: there was none.
	Was map[string]any `gorm:"-"`
}
