package store

import (
	"bytes"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/internal/testserver"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

func TestPassingErrors(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]bool{
		&mysql.MySQLError{Number: 1213}:                      true,
		fmt.Errorf("x: %w", &mysql.MySQLError{Number: 1205}): true,
		&mysql.MySQLError{Number: 1062}:                      false,
		driver.ErrBadConn:                                    true,
		mysql.ErrInvalidConn:                                 true,
		fmt.Errorf("%w: %w", ErrCommitUnknown, io.EOF):       false,
		&net.OpError{Op: "read", Err: errors.New("reset")}:   true,
		fault.New(fault.Conflict, "no"):                      false,
		context.Canceled:                                     false,
		gorm.ErrDuplicatedKey:                                false,
	} {
		if got := passing(err); got != want {
			t.Errorf("passing(%v) = %v, want %v", err, got, want)
		}
	}
}

// TestWriteSurvivesDeadlocks lets two transactions lock two rows in opposite
// orders, again and again.
func TestWriteSurvivesDeadlocks(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		var wg sync.WaitGroup
		var tries atomic.Int64
		raise := func(ids ...int) {
			err := s.write(t.Context(), "raising", func(tx *gorm.DB) error {
				tries.Add(1)
				for _, id := range ids {
					if _, err := exec(tx, "UPDATE partitions SET epoch = epoch + 1 WHERE id = ?", id); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		}
		const each = 50
		for i := range 4 {
			wg.Go(func() {
				for range each {
					if i%2 == 0 {
						raise(1, 2)
					} else {
						raise(2, 1)
					}
				}
			})
		}
		wg.Wait()
		owners, err := s.PartitionOwners(t.Context())
		if err != nil || owners[1].Epoch != 4*each || owners[2].Epoch != 4*each {
			t.Errorf("epochs %d and %d, %v; want %d", owners[1].Epoch, owners[2].Epoch, err, 4*each)
		}
		t.Logf("%d transactions took %d tries", 4*each, tries.Load())
	})
}

func TestWriteRollsBackOnErrorAndPanic(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		raise := func(tx *gorm.DB) {
			if _, err := exec(tx, "UPDATE partitions SET epoch = 9 WHERE id = 1"); err != nil {
				t.Error(err)
			}
		}
		refused := fault.New(fault.Conflict, "no")
		err := s.write(t.Context(), "trying", func(tx *gorm.DB) error { raise(tx); return refused })
		if !fault.Is(err, fault.Conflict) || err.Error() != "trying: no" {
			t.Errorf("error %v", err)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic was swallowed")
				}
			}()
			_ = s.write(t.Context(), "trying", func(tx *gorm.DB) error { raise(tx); panic("bug") })
		}()
		if owners, err := s.PartitionOwners(t.Context()); err != nil || owners[1].Epoch != 0 {
			t.Errorf("epoch %d, %v; want 0", owners[1].Epoch, err)
		}
	})
}

// cutter is a proxy in front of MariaDB that drops the answer to a commit: it
// passes the commit on, waits until the server has answered, and breaks the
// connection to the client. Or it breaks it at any packet of a client.
type cutter struct {
	listener net.Listener
	target   string
	armed    atomic.Bool  // cut at the next commit
	packets  atomic.Int64 // cut at the client's packet of this number from now on; 0: none
	cuts     atomic.Int64
	wg       sync.WaitGroup
}

func newCutter(t *testing.T, target string) *cutter {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cutter{listener: l, target: target}
	c.wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			c.wg.Go(func() { c.serve(conn) })
		}
	})
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		c.wg.Wait()
	})
	return c
}

func (c *cutter) serve(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", c.target)
	if err != nil {
		return
	}
	defer server.Close()
	var cut atomic.Bool
	c.wg.Go(func() { // answers
		buffer := make([]byte, 64<<10)
		for {
			n, err := server.Read(buffer)
			if err != nil || cut.Load() {
				_ = client.Close()
				return
			}
			if _, err := client.Write(buffer[:n]); err != nil {
				return
			}
		}
	})
	buffer := make([]byte, 64<<10)
	for {
		n, err := client.Read(buffer)
		if err != nil {
			return
		}
		if bytes.HasSuffix(buffer[:n], []byte("COMMIT")) && c.armed.CompareAndSwap(true, false) {
			cut.Store(true)
			c.cuts.Add(1)
		}
		if c.packets.Load() > 0 && c.packets.Add(-1) == 0 {
			c.cuts.Add(1)
			return
		}
		if _, err := server.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// TestLostCommitAnswersDoubleNothing repeats each hot write after its commit's
// answer was lost, as its callers do.
func TestLostCommitAnswersDoubleNothing(t *testing.T) {
	t.Parallel()
	server := testserver.MariaDB(t)
	template, err := mariadbTemplate(server)
	if err != nil {
		t.Fatal(err)
	}
	name := server.Clone(t, template, "partitions", versionTable)
	proxy := newCutter(t, server.Addr())
	s := openTest(t, Options{URL: "mysql://root@" + proxy.listener.Addr().String() + "/" + name})
	w := newWorld(t, s, 1)
	tasks := w.tasks(3)
	key := "k"
	tasks[1].UniqueKey = &key
	twice := func(what string, call func() error) {
		t.Helper()
		proxy.armed.Store(true)
		if err := call(); !errors.Is(err, ErrCommitUnknown) {
			t.Errorf("%s, answer lost: %v, want ErrCommitUnknown", what, err)
		}
		if err := call(); err != nil {
			t.Errorf("%s, repeated: %v", what, err)
		}
	}
	twice("create", func() error {
		_, err := s.CreateTasks(t.Context(), tasks)
		return err
	})
	j := w.cron(t, s, "j", t0)
	fires := []Fires{w.fire(&j, t0.Add(time.Minute))}
	var won []bool
	twice("record fires", func() (err error) {
		won, err = s.RecordFires(t.Context(), nil, fires)
		return err
	})
	if len(won) != 1 || !won[0] {
		t.Errorf("won = %v after the repeat, want true", won)
	}
	var rows []models.Task
	var refused []string
	items := []Dispatch{dispatchOf(&tasks[0], 1), dispatchOf(&tasks[1], 1), dispatchOf(&tasks[2], 2)}
	twice("dispatch", func() (err error) {
		rows, refused, err = s.DispatchTasks(t.Context(), nil, t0, items, []JobLimit{{JobID: w.jobs[0].ID, Max: 3}})
		return err
	})
	if len(rows) != 3 || len(refused) != 0 {
		t.Fatalf("%d dispatched, %d refused after the repeat", len(rows), len(refused))
	}
	ends := []AttemptEnd{endOf(&rows[0], models.OutcomeSucceeded, t0), endOf(&rows[1], models.OutcomeFailed, t0), endOf(&rows[2], models.OutcomeFailed, t0)}
	ends[2].NoRetry = true
	var results []EndResult
	twice("end", func() (err error) {
		results, err = s.EndAttempts(t.Context(), nil, ends, decideBy)
		return err
	})
	for i, r := range results {
		if r.Status != Ended {
			t.Errorf("end %d is %d after the repeat", i, r.Status)
		}
	}
	chunk := chunkOf(t, tasks[0].ID, 1, 1, 3)
	twice("logs", func() error { return s.AppendLogs(t.Context(), []models.LogChunk{chunk}, 1<<20) })
	if got, _ := logSeqs(t, s, tasks[0].ID, 10); len(got) != 3 {
		t.Errorf("log %v", got)
	}
	if n := proxy.cuts.Load(); n != 5 {
		t.Errorf("%d commits were cut, want 5", n)
	}
	hours, err := s.JobHours(t.Context(), []string{w.jobs[0].ID}, t0.Truncate(time.Hour))
	if err != nil || len(hours) != 1 || hours[0].Succeeded != 1 || hours[0].Retried != 1 || hours[0].Failed != 1 {
		t.Errorf("hours %+v, %v", hours, err)
	}
	wantCounters(t, s)
}

// TestConnectionsThatBreakBeforeTheCommit are replaced without the caller's help.
func TestConnectionsThatBreakBeforeTheCommit(t *testing.T) {
	t.Parallel()
	s := openMariaDBTest(t)
	w := newWorld(t, s, 1)
	tries := 0
	task := w.task(0)
	err := s.write(t.Context(), "creating", func(tx *gorm.DB) error {
		tries++
		var id int64
		if err := queryOne(tx, &id, "SELECT CONNECTION_ID()"); err != nil {
			return err
		}
		if tries == 1 {
			if _, err := exec(s.writer.WithContext(t.Context()), "KILL "+fmt.Sprint(id)); err != nil {
				return err
			}
		}
		_, err := s.insertTasks(tx, []*models.Task{&task}, newBooks(byEnqueue))
		return err
	})
	if err != nil || tries != 2 {
		t.Errorf("%d tries, %v; want 2", tries, err)
	}
	load(t, s, task.ID)
}
