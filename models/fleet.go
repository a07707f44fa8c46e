package models

import (
	"encoding/json"
	"time"
)

// Partitions is how many partitions the node groups hash into.
const Partitions = 64

// App is a service that owns jobs and workers. Table apps.
type App struct {
	ID          string
	Name        string // unique
	Description string
	CreatedAt   time.Time `gorm:"autoCreateTime:false"`
	UpdatedAt   time.Time `gorm:"autoUpdateTime:false"`
}

// AppKey is a key of an app, stored hashed. Table app_keys.
type AppKey struct {
	ID         string
	AppID      string
	Hash       string    // hex SHA-256 of the whole key; the key is random, so no slow hash is needed
	Prefix     string    // first characters, to tell keys apart
	CreatedAt  time.Time `gorm:"autoCreateTime:false"`
	LastUsedAt *time.Time
	RevokedAt  *time.Time
}

// NodeGroup is a named set of nodes of one app. Table node_groups.
type NodeGroup struct {
	ID              string
	AppID           string
	Name            string // unique within the app
	Partition       int    `gorm:"column:part"` // 0..63, from the id
	MaxRunning      *int
	ReleaseRate     *int // tasks a second
	ReleaseBurst    *int
	Routing         Routing
	RoutingRule     json.RawMessage // a models.RoutingRule, or nil
	HeartbeatMS     int64
	HeartbeatMisses int
	CreatedAt       time.Time `gorm:"autoCreateTime:false"`
	UpdatedAt       time.Time `gorm:"autoUpdateTime:false"`
}

// OfflineAfter is the silence after which a node of the group is lost.
func (g *NodeGroup) OfflineAfter() time.Duration {
	return time.Duration(g.HeartbeatMS*int64(g.HeartbeatMisses)) * time.Millisecond
}

// Node is one worker process. Table nodes, unique (AppID, Name).
type Node struct {
	ID          string
	AppID       string
	GroupID     string
	Name        string
	Incarnation string // new at each process start
	State       NodeState
	Draining    bool // a person ordered it
	Slots       int
	Running     int    // by its own last word
	ServerID    string // the server that holds its stream; empty without one
	Labels      json.RawMessage
	Handlers    json.RawMessage // array of strings
	SDK         string
	Host        string
	StartedAt   time.Time
	LastSeenAt  time.Time
	DeafSince   *time.Time // it lives but does not receive
	// HandlerSlots is an array of wire.HandlerSlots: limits of single handlers; nil for none.
	HandlerSlots json.RawMessage
	Stuck        int // handlers that go on long after their context has ended, by its own last word
	// StuckAttempts is an array of StuckAttempt: those that Stuck counts, longest first, as many as a heartbeat names; nil for none.
	StuckAttempts json.RawMessage
	Lingering     int        // slots taken by attempts that are not its own any more, likewise
	LeftAt        *time.Time // its process ended in good order; nil while it lives, or when it was lost
}

// StuckAttempt is a handler that goes on long after its context has ended, by the word
// of its node.
type StuckAttempt struct {
	TaskID  string    `json:"task"`
	Attempt int       `json:"attempt"`
	Handler string    `json:"handler"`
	Since   time.Time `json:"since"` // when it was to stop, in the server's time
	Cause   string    `json:"cause"` // why; empty when that is not known
	Stack   string    `json:"stack"` // where it was when that was found out; empty when that is not known
}

// Partition is the ownership of one partition. Table partitions, 64 rows.
type Partition struct {
	ID       int    `gorm:"primaryKey;autoIncrement:false"`
	Epoch    int64  // raised at each take-over; owner transactions check it
	OwnerID  string // server id of the last taker
	LeasedTo *time.Time
}

// Server is one server process. Table servers.
type Server struct {
	ID            string
	Name          string
	Version       string
	StartedAt     time.Time
	LastSeenAt    time.Time
	ClockOffsetMS int64           // its clock minus the database's
	Locks         LockMode        // what it holds its locks with; 0 when it never said
	Stopping      bool            // it finishes and gives its partitions back
	Degraded      json.RawMessage // array of sentences: what is wrong; nil for nothing
}

// GroupFlow is how the line of a node group moves, by its owner's word. Table
// group_flows; a group that never had a due task has no row.
type GroupFlow struct {
	GroupID     string `gorm:"primaryKey"`
	At          time.Time
	Due         int64      // tasks that could start if nothing held them up
	OldestDueAt *time.Time // when the first of them became due
	LateMS      int64      // how long the first that nothing holds up has been due
	Released    int        // tasks that began to run within the last second
	DrainsInMS  *int64     // until none is due; nil when that cannot be said
	DrainsNote  string     // why not
	LimitedBy   GroupLimit // 0: nothing holds the due tasks up
}

// What sentences of Server.Degraded begin with that alerts look for.
const (
	TroubleRedis    = "Redis does not answer it"
	TroubleDatabase = "The database answers it slowly"
)
