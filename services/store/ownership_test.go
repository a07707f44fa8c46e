package store

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
)

func serverRow(id string, seen time.Time) models.Server {
	return models.Server{ID: id, Name: "server " + id, Version: "1.0", StartedAt: t0, LastSeenAt: seen, ClockOffsetMS: -3}
}

func TestServers(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		for i, id := range []string{"s2", "s1"} {
			for _, seen := range []time.Duration{0, time.Duration(i) * time.Minute} {
				if err := s.BeatServer(t.Context(), serverRow(id, t0.Add(seen))); err != nil {
					t.Fatal(err)
				}
			}
		}
		all, err := s.Servers(t.Context(), t0)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]models.Server{serverRow("s1", t0.Add(time.Minute)), serverRow("s2", t0)}, all); diff != "" {
			t.Errorf("servers (-want +got):\n%s", diff)
		}
		if late, err := s.Servers(t.Context(), t0.Add(time.Second)); err != nil || len(late) != 1 {
			t.Errorf("%d servers seen since, %v; want 1", len(late), err)
		}
		if err := s.RemoveServer(t.Context(), "s1"); err != nil {
			t.Fatal(err)
		}
		if left, err := s.Servers(t.Context(), t0); err != nil || len(left) != 1 {
			t.Errorf("%d servers left, %v; want 1", len(left), err)
		}
	})
}

func TestLeases(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		lease := func(server string, ttl time.Duration) (int64, bool) {
			t.Helper()
			epoch, ok, err := s.LeasePartition(t.Context(), 5, server, ttl)
			if err != nil {
				t.Fatal(err)
			}
			return epoch, ok
		}
		if epoch, ok := lease("s1", time.Hour); !ok || epoch != 1 {
			t.Fatalf("a free partition: epoch %d, %v", epoch, ok)
		}
		if _, ok := lease("s2", time.Hour); ok {
			t.Error("a held partition was leased to another")
		}
		if epoch, ok := lease("s1", time.Hour); !ok || epoch != 1 {
			t.Errorf("the holder again: epoch %d, %v; want 1", epoch, ok)
		}
		renewed, err := s.RenewLeases(t.Context(), []int{4, 5, 6}, "s1", -time.Second) // over at once
		if err != nil || !slices.Equal(renewed, []int{5}) {
			t.Errorf("renewed %v, %v; want 5", renewed, err)
		}
		if epoch, ok := lease("s2", time.Hour); !ok || epoch != 2 {
			t.Errorf("an expired lease: epoch %d, %v; want 2", epoch, ok)
		}
		if renewed, err := s.RenewLeases(t.Context(), []int{5}, "s1", time.Hour); err != nil || len(renewed) != 0 {
			t.Errorf("the former holder renewed %v, %v", renewed, err)
		}
		if err := s.ReleaseLeases(t.Context(), []int{5}, "s1"); err != nil {
			t.Fatal(err)
		}
		if _, ok := lease("s1", time.Hour); ok {
			t.Error("a release by the former holder freed the partition")
		}
		if err := s.ReleaseLeases(t.Context(), []int{5}, "s2"); err != nil {
			t.Fatal(err)
		}
		if epoch, ok := lease("s1", time.Hour); !ok || epoch != 3 {
			t.Errorf("a released partition: epoch %d, %v; want 3", epoch, ok)
		}
		if epoch, err := s.TakePartition(t.Context(), 5, "s3"); err != nil || epoch != 4 {
			t.Errorf("taken: epoch %d, %v; want 4", epoch, err)
		}
		owners, err := s.PartitionOwners(t.Context())
		if err != nil || len(owners) != models.Partitions {
			t.Fatalf("%d partitions, %v", len(owners), err)
		}
		if diff := cmp.Diff(models.Partition{ID: 5, Epoch: 4, OwnerID: "s3"}, owners[5]); diff != "" {
			t.Errorf("owner (-want +got):\n%s", diff)
		}
	})
}

func TestOneServerGetsTheLease(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		var wg sync.WaitGroup
		var mu sync.Mutex
		won := map[string]int64{}
		for _, server := range []string{"s1", "s2", "s3", "s4"} {
			wg.Go(func() {
				epoch, ok, err := s.LeasePartition(t.Context(), 0, server, time.Hour)
				if err != nil {
					t.Error(err)
				}
				if ok {
					mu.Lock()
					defer mu.Unlock()
					won[server] = epoch
				}
			})
		}
		wg.Wait()
		if len(won) != 1 {
			t.Errorf("the lease went to %v", won)
		}
	})
}

// TestTakeOverWaitsForWritesUnderWay: the owner's transaction holds a shared lock
// on its partition, so that nothing of it commits after the take-over.
func TestTakeOverWaitsForWritesUnderWay(t *testing.T) {
	t.Parallel()
	s := openMariaDBTest(t)
	tx := s.writer.WithContext(t.Context()).Begin()
	if tx.Error != nil {
		t.Fatal(tx.Error)
	}
	if err := (Fence{3: 0}).check(tx, s.dialect); err != nil {
		t.Fatal(err)
	}
	taken := make(chan error, 1)
	go func() {
		_, err := s.TakePartition(t.Context(), 3, "s2")
		taken <- err
	}()
	waiting := func() bool {
		var n int
		if err := queryOne(s.read(t.Context()), &n, "SELECT COUNT(*) FROM information_schema.innodb_locks WHERE lock_table = CONCAT('`', DATABASE(), '`.`partitions`')"); err != nil {
			t.Fatal(err)
		}
		return n > 0
	}
	// The server refreshes its list of locks only when nobody has read it for 100 ms.
	look := time.NewTicker(150 * time.Millisecond)
	defer look.Stop()
	for !waiting() {
		select {
		case err := <-taken:
			t.Fatalf("the take-over did not wait: %v", err)
		case <-look.C:
		}
	}
	if err := tx.Commit().Error; err != nil {
		t.Fatal(err)
	}
	if err := <-taken; err != nil {
		t.Error(err)
	}
}

// TestEmbeddedLeasesGoByTheInjectedClock lets an hour pass in a moment.
func TestEmbeddedLeasesGoByTheInjectedClock(t *testing.T) {
	t.Parallel()
	s := openSQLiteTest(t)
	synctest.Test(t, func(t *testing.T) {
		if _, ok, err := s.LeasePartition(t.Context(), 0, "s1", time.Hour); err != nil || !ok {
			t.Fatalf("%v, %v", ok, err)
		}
		time.Sleep(time.Hour + time.Second) // fake time
		if epoch, ok, err := s.LeasePartition(t.Context(), 0, "s2", time.Hour); err != nil || !ok || epoch != 2 {
			t.Errorf("after the lease: epoch %d, %v, %v", epoch, ok, err)
		}
	})
}
