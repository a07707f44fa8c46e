package coord

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// away is a Redis that does not answer.
type away struct{ Probed }

func (away) Extend(context.Context, []int) Extension {
	return Extension{Err: errors.New("no connection")}
}
func (away) Well(context.Context) error { return errors.New("no connection") }
func (away) Mode() models.LockMode      { return models.LockRedis }

// leases is a database in which others hold everything.
type leases struct{ Locker }

func (leases) TryAcquire(context.Context, int) (Lease, bool, error) { return Lease{}, false, nil }
func (leases) Extend(context.Context, []int) Extension              { return Extension{} }
func (leases) Mode() models.LockMode                                { return models.LockDatabase }

// What is wrong with a server is said in sentences; while all is well there is none.
func TestWhatAServerTellsOfItself(t *testing.T) {
	t.Parallel()
	elapsed := time.Hour
	clock := func() time.Duration { return elapsed }
	locks := NewFallback(FallbackConfig{Primary: away{}, Secondary: leases{}, After: time.Second, Elapsed: clock, Logger: slog.New(slog.DiscardHandler)})
	o := &Ownership{cfg: Config{ServerID: "s1", Locker: locks, Clock: fixed{}, Elapsed: clock}}
	if s := o.self(); s.Degraded != nil || s.Locks != models.LockRedis || s.Stopping {
		t.Errorf("while all is well: %s, locks %s", s.Degraded, s.Locks)
	}
	o.stopping = true
	o.refusal = errors.New("its beats do not reach the ledger")
	o.skew = skew{measured: true, offset: -1500 * time.Millisecond}
	o.cfg.Troubles = func() []string { return []string{"Its loop is late."} }
	locks.Extend(t.Context(), []int{1})
	elapsed += 2 * time.Second
	locks.Extend(t.Context(), []int{1})
	s := o.self()
	for _, want := range []string{"leads nothing: its beats", "1.5s behind", "Redis does not answer", "Its loop is late."} {
		if !strings.Contains(string(s.Degraded), want) {
			t.Errorf("%q is missing: %s", want, s.Degraded)
		}
	}
	if s.Locks != models.LockDatabase || !s.Stopping || s.ClockOffsetMS != -1500 {
		t.Errorf("locks %s, stopping %t, offset %d", s.Locks, s.Stopping, s.ClockOffsetMS)
	}
	if got := apart(20 * time.Millisecond); got != "20ms ahead of" {
		t.Error(got)
	}
}

// slowLedger is a database in which a write takes its time.
type slowLedger struct {
	Ledger
	elapsed *time.Duration
	takes   time.Duration
}

func (l slowLedger) BeatServer(context.Context, models.Server) error {
	*l.elapsed += l.takes
	return nil
}

// A beat whose write took long is told of for a while, until none did.
func TestASlowDatabaseIsToldOf(t *testing.T) {
	t.Parallel()
	elapsed := time.Hour
	clock := func() time.Duration { return elapsed }
	slow := &slowLedger{elapsed: &elapsed, takes: 900 * time.Millisecond}
	o := &Ownership{cfg: Config{ServerID: "s1", Locker: leases{}, Ledger: slow, Clock: fixed{}, Elapsed: clock}}
	o.skew = skew{measured: true, beats: 1}
	beat := func(want bool) {
		t.Helper()
		o.skew.beats = 1
		if _, err := o.beat(t.Context()); err != nil {
			t.Fatal(err)
		}
		if told := strings.Contains(string(o.self().Degraded), models.TroubleDatabase); told != want {
			t.Errorf("told %t: %s", told, o.self().Degraded)
		}
	}
	beat(false)
	slow.takes = 1200 * time.Millisecond
	beat(true)
	slow.takes = 0
	beat(true) // still
	elapsed += slowFor
	beat(false)
}

type fixed struct{}

func (fixed) Now() time.Time { return time.Date(2026, 3, 8, 7, 30, 0, 0, time.UTC) }
