// Command faults breaks Belfry on purpose and counts what that costs: real servers,
// workers, MariaDB and Redis, with proxies of its own between them and fail points in
// the servers (internal/failpoint). For each fault it prints one row of figures. A
// slot that is lost or doubled, or any other broken promise, ends it with status 1,
// and what was found is kept in a directory together with the seed.
//
// See docs/faults.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// options are the command line.
type options struct {
	run    string
	short  bool
	seed   uint64
	repeat int
	budget time.Duration
	belfry string
	keep   string
	always bool
	dir    string // of this run
	out    *table
}

func main() {
	if os.Getenv(workerEnv) != "" {
		os.Exit(runWorker())
	}
	var o options
	flag.StringVar(&o.run, "run", "", "the faults to run, as F01,F07 (default all)")
	flag.BoolVar(&o.short, "short", false, "only the few that show most, for every test run")
	flag.Uint64Var(&o.seed, "seed", rand.Uint64N(1_000_000_000), "what chance is drawn from; a fault alone draws the same as among others")
	flag.IntVar(&o.repeat, "repeat", 1, "rounds of each fault, each with a seed of its own")
	flag.DurationVar(&o.budget, "budget", 20*time.Minute, "no further fault is begun when it would end later")
	flag.StringVar(&o.belfry, "belfry", "bin/belfry-faults", "a belfry that was built with -tags failpoints")
	flag.StringVar(&o.keep, "keep", "", "where evidence is kept (default a temporary directory)")
	flag.BoolVar(&o.always, "keep-all", false, "keep the evidence of faults that found nothing as well")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := runAll(ctx, &o); err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

var errBroken = errors.New("promises were broken")

// runAll runs what was asked for and prints the table as it grows.
func runAll(ctx context.Context, o *options) error {
	chosen, err := choose(o)
	if err != nil {
		return err
	}
	if o.belfry, err = filepath.Abs(o.belfry); err != nil {
		return err
	}
	if o.keep == "" {
		o.keep = os.TempDir()
	}
	if o.dir, err = os.MkdirTemp(o.keep, fmt.Sprintf("belfry-faults-%d-", o.seed)); err != nil {
		return err
	}
	o.out = newTable(os.Stdout)
	o.out.head(o)
	began := time.Now()
	broken := false
	for _, f := range chosen {
		for round := range o.repeat {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if left := o.budget - time.Since(began); left < f.span+f.settling() {
				o.out.note(f, fmt.Sprintf("not run: %s of the budget are left", left.Round(time.Second)))
				continue
			}
			broken = !runOne(ctx, o, f, round) || broken
		}
	}
	o.out.foot(time.Since(began))
	if broken {
		return fmt.Errorf("%w: seed %d, evidence in %s", errBroken, o.seed, o.dir)
	}
	_ = os.Remove(o.dir) // stays when everything is kept
	return nil
}

// choose answers the faults to run, in the order of the table.
func choose(o *options) ([]*fault, error) {
	var chosen []*fault
	wanted := strings.FieldsFunc(o.run, func(r rune) bool { return r == ',' || r == ' ' })
	all := len(wanted) == 0
	for i := range faults {
		f := &faults[i]
		if all && (!o.short || f.short) || slices.Contains(wanted, f.id) {
			chosen = append(chosen, f.scaled(o.short))
		}
		wanted = slices.DeleteFunc(wanted, func(id string) bool { return id == f.id })
	}
	if len(wanted) > 0 {
		return nil, fmt.Errorf("there is no fault %s", strings.Join(wanted, ", "))
	}
	return chosen, nil
}

// runOne runs a round of one fault and says whether all promises were kept.
func runOne(ctx context.Context, o *options, f *fault, round int) bool {
	began := time.Now()
	fig := &figures{}
	dir := filepath.Join(o.dir, fmt.Sprintf("%s-%d", f.id, round))
	err := os.Mkdir(dir, 0o755)
	if err == nil {
		err = perform(ctx, o, f, rngOf(o.seed, f.id, round), dir, fig)
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		fig.breaks("the round failed: %v", err)
	}
	fig.took = time.Since(began)
	o.out.row(f, fig)
	if len(fig.broken) > 0 {
		_ = os.WriteFile(filepath.Join(dir, "broken.txt"), []byte(strings.Join(fig.broken, "\n")+"\n"), 0o600) // it is printed as well
		return false
	}
	if !o.always {
		_ = os.RemoveAll(dir) // nothing to be seen there
	}
	return err == nil
}

// rngOf draws the same for a fault whatever else is run.
func rngOf(seed uint64, id string, round int) *rand.Rand {
	var n uint64
	for _, b := range []byte(id) {
		n = n*131 + uint64(b)
	}
	return rand.New(rand.NewPCG(seed, n<<16+uint64(round)))
}
