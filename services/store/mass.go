package store

import (
	"database/sql"
	"sync"
)

// stmtCache keeps SQLite's prepared mass statements.
type stmtCache struct {
	mu   sync.Mutex
	list map[string]*sql.Stmt
}

func (c *stmtCache) close() {}

const counterServers = 16
