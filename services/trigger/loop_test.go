package trigger

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/internal/testledger"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
)

// scripted is a ledger without jobs that counts looks and may be away.
type scripted struct {
	Ledger

	mu    sync.Mutex
	looks int
	fail  error
}

func (s *scripted) DueJobs(context.Context, []int, time.Time, int) ([]models.Job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looks++
	return nil, s.fail
}

func (s *scripted) NextFireAt(context.Context, []int) (*time.Time, error) { return nil, nil }

// seen answers how many looks there were since the last time it was asked.
func (s *scripted) seen() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.looks
	s.looks = 0
	return n
}

func (s *scripted) away(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = err
}

// The trigger looks when it is woken and now and then; while the ledger is away it backs
// off, however often it is woken, and its health says so.
func TestTheLoop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{}
		f, err := New(Config{Ledger: s, Owner: ownsAll(), Workers: served{}, Watcher: &heard{}, Clock: testledger.NewClock(begin), Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		health := func() lifecycle.LoopHealth { return f.Health()[0] }
		if err := errors.Join(f.Stop(t.Context()), f.Start(t.Context())); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if n := s.seen(); n != 1 {
			t.Errorf("%d looks at the start", n)
		}
		f.Wake()
		f.Wake()
		synctest.Wait()
		if n := s.seen(); n != 1 && n != 2 {
			t.Errorf("%d looks after being woken", n)
		}
		time.Sleep(10*longest + time.Millisecond)
		if n := s.seen(); n < 9 || n > 11 {
			t.Errorf("%d looks in ten times the longest rest", n)
		}
		if h := health(); h.Name != "trigger" || !h.Running || h.Failures != 0 || h.Overdue != 0 {
			t.Errorf("while all is well: %+v", h)
		}

		s.away(errors.New("the database is away"))
		time.Sleep(longest)
		s.seen()
		for range 100 {
			f.Wake()
			time.Sleep(100 * time.Millisecond)
		}
		if n := s.seen(); n < 15 || n > 50 { // back-offs of 250 to 500 ms in ten seconds
			t.Errorf("%d looks in ten seconds while the ledger is away", n)
		}
		if h := health(); h.Failures < 15 || !strings.Contains(h.LastError, "reading due jobs: the database is away") || h.Overdue == 0 {
			t.Errorf("while it is away: %+v", h)
		}
		s.away(nil)
		time.Sleep(time.Second)
		if h := health(); h.Failures != 0 || h.LastError != "" {
			t.Errorf("when it is back: %+v", h)
		}
		if err := f.Stop(t.Context()); err != nil || health().Running {
			t.Errorf("stopped: %v, %+v", err, health())
		}
	})
}
