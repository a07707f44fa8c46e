// Package signal gives the bus's messages their meaning: what happened to tasks,
// jobs, nodes and groups, as hints. Whoever gets one looks in the ledger again; a
// lost one costs time, never truth.
package signal

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/event"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// Topics.
const (
	Tasks     event.Topic = "tasks"     // tasks changed; key: id of the server that says so; payload: TaskChanges
	Logs      event.Topic = "logs"      // lines were appended; payload: TaskIDs
	Jobs      event.Topic = "jobs"      // a job changed or fired; key: job id; payload: JobChange
	Nodes     event.Topic = "nodes"     // a node changed; key: node id; payload: NodeChange
	Groups    event.Topic = "groups"    // a group changed; key: group id
	Queue     event.Topic = "queue"     // tasks wait in a group; key: group id
	Frames    event.Topic = "frames"    // a frame for a node, to the server with its stream; key: node id; payload: Frame
	Joins     event.Topic = "joins"     // arrivals were written for dependents; key: id of the server that says so
	Fills     event.Topic = "fills"     // a backfill changed; key: its id; payload: BackfillChange
	Bulks     event.Topic = "bulks"     // a bulk operation changed; key: its id; payload: BulkChange
	Incidents event.Topic = "incidents" // incidents are new or changed; key: id of the server that says so; payload: IncidentChange
	Alerts    event.Topic = "alerts"    // alert events were written, or rules and silences changed; key: id of the server that says so
	Notes     event.Topic = "notes"     // notifications were written or changed; key: id of the server that says so; payload: NoteChanges
	Post      event.Topic = "post"      // something waits to be sent; key: id of the server that says so
	Flows     event.Topic = "flows"     // how the lines of groups move has changed; key: id of the server that says so; payload: GroupFlows
	Held      event.Topic = "held"      // what a node holds, to the partition's owner; key: node id; payload: Holding
)

// changesPerMessage keeps a message well under the bus's limit of 64 KiB.
const changesPerMessage = 250

// TaskChange is what a subscriber needs in order to know whether it cares.
type TaskChange struct {
	ID      string             `json:"id"`
	JobID   string             `json:"job"`
	AppID   string             `json:"app"`
	State   models.TaskState   `json:"state"`
	Attempt int                `json:"attempt"`
	Trigger models.TriggerKind `json:"trigger"`
	Parent  string             `json:"parent,omitempty"` // the task that it is a part of
}

// TaskChanges is the payload of Tasks.
type TaskChanges struct {
	GroupID string       `json:"group"`
	Changes []TaskChange `json:"changes"`
}

// TaskIDs is the payload of Logs.
type TaskIDs struct {
	IDs []string `json:"ids"`
}

// JobChange is the payload of Jobs.
type JobChange struct {
	From    string `json:"from"`
	JobID   string `json:"job"`
	GroupID string `json:"group"`
	Fired   bool   `json:"fired,omitempty"` // only its fires moved on; its definition is the same
}

// BackfillChange is the payload of Fills.
type BackfillChange struct {
	From string `json:"from"`
	ID   string `json:"id"`
}

// IncidentChange is the payload of Incidents.
type IncidentChange struct {
	IDs []string `json:"ids"` // at most incidentsPerMessage
}

// incidentsPerMessage keeps a message well under the bus's limit of 64 KiB.
const incidentsPerMessage = 1000

// OfIncidents makes the messages for incidents that are new or changed.
func OfIncidents(from string, ids []string) []event.Message {
	var messages []event.Message
	for part := range slices.Chunk(ids, incidentsPerMessage) {
		messages = append(messages, Of(Incidents, from, IncidentChange{IDs: part}))
	}
	return messages
}

// BulkChange is the payload of Bulks.
type BulkChange struct {
	From string `json:"from"`
	ID   string `json:"id"`
}

// NoteChanges is the payload of Notes.
type NoteChanges struct {
	IDs []string `json:"ids"` // at most notesPerMessage
}

// notesPerMessage keeps a message well under the bus's limit of 64 KiB.
const notesPerMessage = 500

// OfNotes makes the messages for notifications that were written or changed.
func OfNotes(from string, ids []string) []event.Message {
	var messages []event.Message
	for part := range slices.Chunk(ids, notesPerMessage) {
		messages = append(messages, Of(Notes, from, NoteChanges{IDs: part}))
	}
	return messages
}

// NodeChange is the payload of Nodes.
type NodeChange struct {
	From    string `json:"from"`
	NodeID  string `json:"node"`
	GroupID string `json:"group"`
}

// GroupFlows is the payload of Flows.
type GroupFlows struct {
	Groups []GroupRef `json:"groups"` // at most some hundred
}

// GroupRef names a group and its app.
type GroupRef struct {
	ID    string `json:"id"`
	AppID string `json:"app"`
}

// flowsPerMessage keeps a message well under the bus's limit of 64 KiB.
const flowsPerMessage = 500

// OfFlows makes the messages for groups whose lines have moved.
func OfFlows(from string, groups []GroupRef) []event.Message {
	var messages []event.Message
	for part := range slices.Chunk(groups, flowsPerMessage) {
		messages = append(messages, Of(Flows, from, GroupFlows{Groups: part}))
	}
	return messages
}

// Frame is the payload of Frames.
type Frame struct {
	Incarnation string     `json:"incarnation"`
	Frame       wire.Frame `json:"frame"`
	// Large are tasks whose assignments are too large for the bus; the receiver
	// reads them from the ledger.
	Large []string `json:"large,omitempty"`
}

// Holding is the payload of Held.
type Holding struct {
	From string            `json:"from"`
	Node models.Node       `json:"node"`
	Held []wire.AttemptRef `json:"held"`
}

// OfTasks makes the messages for changed tasks, some hundred tasks each.
func OfTasks(from string, tasks []models.Task) []event.Message {
	byGroup := map[string][]TaskChange{}
	for i := range tasks {
		t := &tasks[i]
		byGroup[t.GroupID] = append(byGroup[t.GroupID], TaskChange{
			ID: t.ID, JobID: t.JobID, AppID: t.AppID, State: t.State, Attempt: t.Attempt, Trigger: t.Trigger, Parent: parentOf(t),
		})
	}
	var messages []event.Message
	for group, changes := range byGroup {
		for len(changes) > 0 {
			n := min(len(changes), changesPerMessage)
			messages = append(messages, Of(Tasks, from, TaskChanges{GroupID: group, Changes: changes[:n]}))
			changes = changes[n:]
		}
	}
	return messages
}

func parentOf(t *models.Task) string {
	if t.ParentID == nil {
		return ""
	}
	return *t.ParentID
}

// Of makes a message. Payload must be one of this package's types.
func Of(topic event.Topic, key string, payload any) event.Message {
	body, err := json.Marshal(payload)
	if err != nil {
		// Only a broken raw JSON value inside can do this; the hint is dropped to
		// "look again" without details.
		body = nil
	}
	return event.Message{Topic: topic, Key: key, Payload: body}
}

// Read decodes a message's payload.
func Read[T any](m event.Message) (T, error) {
	var payload T
	if err := json.Unmarshal(m.Payload, &payload); err != nil {
		return payload, fmt.Errorf("reading a message on %s: %w", m.Topic, err)
	}
	return payload, nil
}
