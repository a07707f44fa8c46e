package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"gorm.io/gorm"
)

// stmtCache keeps SQLite's prepared statements on the only writing connection.
// Their texts are constants of this package, so there are some dozens at most.
type stmtCache struct {
	mu   sync.Mutex
	list map[string]*sql.Stmt // nil: asked for, to be prepared before the next transaction
}

// in answers the statement for use within tx. The first time it is prepared for
// this transaction alone: the connection is taken by it.
func (c *stmtCache) in(tx *gorm.DB, text string) (*sql.Stmt, error) {
	conn, ok := tx.Statement.ConnPool.(*sql.Tx)
	if !ok {
		return nil, errors.New("a mass statement needs a transaction")
	}
	c.mu.Lock()
	kept, known := c.list[text]
	if !known {
		if c.list == nil {
			c.list = map[string]*sql.Stmt{}
		}
		c.list[text] = nil
	}
	c.mu.Unlock()
	if kept != nil {
		return conn.StmtContext(tx.Statement.Context, kept), nil
	}
	return conn.PrepareContext(tx.Statement.Context, text)
}

// prepare makes the statements that were asked for. It is called while no
// transaction of the caller is open; it waits for the connection without holding
// the lock, which the transaction that has it may need.
func (c *stmtCache) prepare(ctx context.Context, db *gorm.DB) error {
	for _, text := range c.missing() {
		pool, err := db.DB()
		if err != nil {
			return err
		}
		stmt, err := pool.PrepareContext(ctx, text)
		if err != nil {
			return fmt.Errorf("preparing %.60q: %w", text, err)
		}
		c.mu.Lock()
		if c.list[text] == nil {
			c.list[text], stmt = stmt, nil
		}
		c.mu.Unlock()
		if stmt != nil { // another goroutine was faster
			_ = stmt.Close()
		}
	}
	return nil
}

func (c *stmtCache) missing() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var texts []string
	for text, kept := range c.list {
		if kept == nil {
			texts = append(texts, text)
		}
	}
	return texts
}

func (c *stmtCache) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, kept := range c.list {
		if kept != nil {
			_ = kept.Close() // the pool is closed next, which frees it anyway
		}
	}
	c.list = nil
}
