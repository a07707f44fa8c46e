package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"syscall"
	"time"

	"github.com/go-sql-driver/mysql"
	"gorm.io/gorm"
	moderncsqlite "modernc.org/sqlite"
	sqlitelib "modernc.org/sqlite/lib"

	"github.com/belfry-scheduler/belfry/internal/failpoint"
	"github.com/belfry-scheduler/belfry/services/fault"
)

const (
	writeTries = 8
	retryBase  = 4 * time.Millisecond // doubled each time, with full jitter: 4 ms … 512 ms
)

// ErrCommitUnknown says that the connection broke while a commit was under way:
// the write may or may not stand. Every write that is worth repeating is made so
// that the repeat changes nothing twice.
var ErrCommitUnknown = errors.New("the commit's answer was lost")

// DeposedError says that the caller no longer owns partitions that its fence
// names: another server has taken them over, and nothing was written.
type DeposedError struct{ Partitions []int }

func (e *DeposedError) Error() string {
	return fmt.Sprintf("another server has taken over the partitions %v", e.Partitions)
}

// Is makes every DeposedError match ErrDeposed.
func (e *DeposedError) Is(target error) bool { return target == ErrDeposed }

// ErrDeposed matches every DeposedError.
var ErrDeposed error = &DeposedError{}

// GiveWay passes an error on, but for that of a deposed owner: that other servers have taken
// partitions over is no failure, and lost learns which.
func GiveWay(err error, lost func(partitions ...int)) error {
	if deposed, ok := errors.AsType[*DeposedError](err); ok {
		lost(deposed.Partitions...)
		return nil
	}
	return err
}

// Fence is what an owner believes: the epoch of each partition it acts for. It is
// checked first thing in the transaction, under a shared row lock, so that a
// take-over waits for writes under way and later ones fail. nil checks nothing.
type Fence map[int]int64

// check answers a DeposedError when one of the epochs is over.
func (f Fence) check(tx *gorm.DB, d dialect) error {
	if len(f) == 0 {
		return nil
	}
	ids := make([]int, 0, len(f))
	for id := range f {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	rows, err := query(tx, "SELECT id, epoch FROM partitions"+d.byKey()+" WHERE id IN ("+marks(len(ids))+") ORDER BY id"+d.lockShared(), anys(ids)...)
	if err != nil {
		return fmt.Errorf("checking epochs: %w", err)
	}
	held := make(map[int]int64, len(ids))
	if err := scan(rows, func() error {
		var id int
		var epoch int64
		if err := rows.Scan(&id, &epoch); err != nil {
			return err
		}
		held[id] = epoch
		return nil
	}); err != nil {
		return fmt.Errorf("checking epochs: %w", err)
	}
	lost := slices.DeleteFunc(ids, func(id int) bool { return held[id] == f[id] })
	if len(lost) > 0 {
		return &DeposedError{Partitions: lost}
	}
	return nil
}

// write runs fn in one transaction, and again from its beginning after a
// deadlock, a lock wait, a busy file or a connection that broke before the
// commit; so fn must set what it answers from scratch. what goes into the error.
func (s *Store) write(ctx context.Context, what string, fn func(tx *gorm.DB) error) error {
	for try := 1; ; try++ {
		err := s.writeOnce(ctx, fn)
		if err == nil {
			return nil
		}
		if try == writeTries || !passing(err) || !pause(ctx, try) {
			return fmt.Errorf("%s: %w", what, err)
		}
		s.log.DebugContext(ctx, "transaction is tried again", "what", what, "try", try, "error", err)
	}
}

func (s *Store) writeOnce(ctx context.Context, fn func(tx *gorm.DB) error) (err error) {
	if err := s.stmts.prepare(ctx, s.writer); err != nil {
		return err
	}
	inner, tell := s.takeNotes(ctx)
	tx := s.writer.WithContext(inner).Begin()
	if tx.Error != nil {
		return tx.Error
	}
	done := false
	defer func() {
		if !done { // fn failed or panicked; the first error is the one to tell
			_ = tx.Rollback()
		}
	}()
	if err := fn(tx); err != nil {
		return err
	}
	if failpoint.Fails(failpoint.Deadlock) {
		return &mysql.MySQLError{Number: 1213, Message: "deadlock of the fault bench"}
	}
	failpoint.Here(failpoint.BeforeCommit)
	done = true
	if err := tx.Commit().Error; err != nil {
		if broken(err) || ctx.Err() != nil {
			return fmt.Errorf("%w: %w", ErrCommitUnknown, err)
		}
		return err
	}
	failpoint.Here(failpoint.AfterCommit)
	if failpoint.Fails(failpoint.CommitUnknown) {
		return ErrCommitUnknown
	}
	tell()
	return nil
}

// read answers a handle for reading outside a transaction.
func (s *Store) read(ctx context.Context) *gorm.DB { return s.reader.WithContext(ctx) }

// one takes the only row of q, or answers a fault NotFound that names what.
func one[T any](q *gorm.DB, what string) (T, error) {
	var row T
	err := q.Limit(1).Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return row, fault.New(fault.NotFound, "There is no %s.", what)
	}
	if err != nil {
		return row, fmt.Errorf("reading the %s: %w", what, err)
	}
	return row, nil
}

// pause waits before the next try and answers false when ctx ends first.
func pause(ctx context.Context, try int) bool {
	timer := time.NewTimer(rand.N(retryBase << min(try, 7)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// passing says whether the transaction surely did not commit and may succeed when
// it is run again.
func passing(err error) bool {
	if errors.Is(err, ErrCommitUnknown) {
		return false
	}
	if server, ok := errors.AsType[*mysql.MySQLError](err); ok {
		switch server.Number {
		case 1205, 1213: // lock wait, deadlock
			return true
		case 1020: // MariaDB: record has changed since last read
			return true
		}
		return false
	}
	if file, ok := errors.AsType[*moderncsqlite.Error](err); ok {
		base := file.Code() & 0xff
		return base == sqlitelib.SQLITE_BUSY || base == sqlitelib.SQLITE_LOCKED
	}
	return broken(err)
}

// broken says whether the connection is gone.
func broken(err error) bool {
	if errors.Is(err, driver.ErrBadConn) || errors.Is(err, mysql.ErrInvalidConn) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
		return true
	}
	if server, ok := errors.AsType[*mysql.MySQLError](err); ok {
		return server.Number == 1053 || server.Number == 1927 // shutting down, connection was killed
	}
	_, ok := errors.AsType[*net.OpError](err)
	return ok
}
