package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// figures are what one round of a fault comes to.
type figures struct {
	scale      string // what was done how often
	slots      int    // instants that were due and enqueues that were answered
	skipped    int    // … without a task, with the reason on record
	lost       int
	doubled    int
	reruns     int // executions beyond the first of each task
	parked     int // tasks in the failed queue for having killed three workers
	refused    int // results and notes of older attempts that servers refused
	fenced     int // effects of older attempts that the witness refused
	overlaps   int // two attempts of a task at once
	longest    time.Duration
	unanswered int // enqueues that no server answered in time
	takeovers  []time.Duration
	delays     []time.Duration // from a task's instant to its first start
	settled    time.Duration   // from the end of fault and load until nothing was left
	took       time.Duration
	notes      []string

	mu     sync.Mutex
	broken []string
	seen   map[string]*task // as they were at some time during the round
}

// breaks notes a broken promise.
func (f *figures) breaks(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.broken = append(f.broken, fmt.Sprintf(format, args...))
}

// say adds a remark to the row.
func (f *figures) say(format string, args ...any) {
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

// table prints rows as they come.
type table struct{ w io.Writer }

func newTable(w io.Writer) *table { return &table{w: w} }

const columns = "%-4s %-7s %6s %5s %4s %4s %6s %13s %13s %7s %7s %7s %5s  %s\n"

// head says what the columns are and how to repeat the run.
func (t *table) head(o *options) {
	t.printf("seed %d, load %s; repeat with: make test-faults FAULTS='-seed %d'\n", o.seed, machineLoad(), o.seed)
	t.printf(columns, "", "", "slots", "skip", "lost", "dbl", "rerun", "takeover", "start delay", "refused", "overlap", "settled", "took", "what, scale")
	t.printf(columns, "", "", "", "", "", "", "", "p50/max", "p99/max", "", "", "", "", "")
}

// row prints one round.
func (t *table) row(f *fault, g *figures) {
	verdict := "ok"
	if len(g.broken) > 0 {
		verdict = "BROKEN"
	}
	overlap := "-"
	if g.overlaps > 0 {
		overlap = fmt.Sprintf("%d/%s", g.overlaps, short(g.longest))
	}
	t.printf(columns, f.id, verdict, fmt.Sprint(g.slots), fmt.Sprint(g.skipped), fmt.Sprint(g.lost), fmt.Sprint(g.doubled), fmt.Sprint(g.reruns),
		pair(g.takeovers, 50), pair(g.delays, 99), fmt.Sprint(g.refused+g.fenced), overlap, short(g.settled), short(g.took), f.what+": "+g.scale)
	if g.parked > 0 {
		g.say("%d tasks parked as poison", g.parked)
	}
	if g.unanswered > 0 {
		g.say("%d enqueues unanswered", g.unanswered)
	}
	if len(g.notes) > 0 {
		t.printf("     %s\n", strings.Join(g.notes, "; "))
	}
	for i, text := range g.broken {
		if i == 10 {
			t.printf("     … and %d more\n", len(g.broken)-i)
			break
		}
		t.printf("     %s\n", text)
	}
}

func (t *table) note(f *fault, text string) { t.printf("%-4s %s\n", f.id, text) }

func (t *table) foot(took time.Duration) { t.printf("all of it took %s\n", took.Round(time.Second)) }

// printf prints; a closed output has nobody to be told.
func (t *table) printf(format string, args ...any) { _, _ = fmt.Fprintf(t.w, format, args...) }

// pair shows a percentile and the greatest of durations.
func pair(all []time.Duration, percent int) string {
	if len(all) == 0 {
		return "-"
	}
	sorted := slices.Sorted(slices.Values(all))
	return short(sorted[min(len(sorted)-1, len(sorted)*percent/100)]) + "/" + short(sorted[len(sorted)-1])
}

// short shows a duration in at most five characters.
func short(d time.Duration) string {
	switch {
	case d == 0:
		return "-"
	case d < time.Second:
		return fmt.Sprintf("%dms", d.Milliseconds())
	case d < 100*time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	default:
		return fmt.Sprintf("%.0fs", d.Seconds())
	}
}

// machineLoad is what else the machine does.
func machineLoad() string {
	raw, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Fields(string(raw))[0]
}
