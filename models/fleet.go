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
	ClockOffsetMS int64
}
