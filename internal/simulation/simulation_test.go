package simulation

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/internal/testledger"
)

var (
	seeds = flag.Int("simulation.seeds", 300, "installations to simulate at most")
	first = flag.Uint64("simulation.seed", rand.Uint64N(1_000_000_000), "seed of the first; each further one is one more")
	limit = flag.Duration("simulation.limit", defaultLimit, "no further one is begun after that")
)

// TestSimulation lives through many seeds. Failures name the seed; repeat it with
//
//	go test ./internal/simulation -simulation.seed=N -simulation.seeds=1
func TestSimulation(t *testing.T) {
	t.Parallel()
	testledger.Open(t, nil) // the template is made outside of the bubbles
	begun := time.Now()
	var all tally
	t.Run("seeds", func(t *testing.T) {
		for i := range *seeds {
			seed := *first + uint64(i)
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				if time.Since(begun) < *limit || i == 0 {
					all.installations.Add(1)
					synctest.Test(t, func(t *testing.T) { simulate(t, seed, &all) })
				}
			})
		}
	})
	t.Logf("%d installations from seed %d on: %d tasks, %d executions beyond the first of each, %d late results refused",
		all.installations.Load(), *first, all.tasks.Load(), all.again.Load(), all.refused.Load())
}

// simulate is the life of one installation.
func simulate(t *testing.T, seed uint64, all *tally) {
	w := newWorld(t, seed, all)
	w.live()
	w.close()
	w.check()
	if t.Failed() {
		for _, line := range w.story {
			t.Log(line)
		}
	}
}
