//go:build failpoints && unix

package failpoint

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Enabled says whether this build has fail points.
const Enabled = true

// rule is what happens at a point.
type rule struct {
	action string
	pause  time.Duration
	chance float64
	left   int // how often it may still happen; below zero: without bound
}

// set is the rules of this process and how often each point was passed: at most one
// of both for each Point above.
var set = struct {
	sync.Mutex
	rules map[Point]*rule
	hits  map[Point]int
	rng   *rand.Rand
}{rules: map[Point]*rule{}, hits: map[Point]int{}, rng: rand.New(rand.NewPCG(seed(), 0))}

func seed() uint64 {
	n, err := strconv.ParseUint(os.Getenv("BELFRY_FAILPOINT_SEED"), 10, 64)
	if err != nil {
		return uint64(os.Getpid())
	}
	return n
}

// Here is a place at which nothing can fail but the process.
func Here(p Point) { Fails(p) }

// Fails is a place that has a way of failing of its own, and answers whether it must
// take it.
func Fails(p Point) bool {
	r, ok := pass(p)
	if !ok {
		return false
	}
	switch r.action {
	case "kill":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // the signal is on its way
	case "stop":
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	case "sleep":
		time.Sleep(r.pause)
	case "panic":
		panic("fail point " + string(p)) //nolint:forbidigo // it is what was asked for
	case "fail":
		return true
	}
	return false
}

// pass counts a passage and answers the rule that acts on it, if one does.
func pass(p Point) (rule, bool) {
	set.Lock()
	defer set.Unlock()
	set.hits[p]++
	r := set.rules[p]
	if r == nil || r.left == 0 || set.rng.Float64() >= r.chance {
		return rule{}, false
	}
	r.left--
	return *r, true
}

// configure replaces the rules by those of a specification.
func configure(spec string) error {
	rules := map[Point]*rule{}
	for one := range strings.SplitSeq(spec, ";") {
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		name, text, ok := strings.Cut(one, "=")
		if !ok {
			return fmt.Errorf("%q is not POINT=ACTION", one)
		}
		r, err := parse(text)
		if err != nil {
			return fmt.Errorf("%q: %w", one, err)
		}
		rules[Point(name)] = r
	}
	set.Lock()
	defer set.Unlock()
	set.rules = rules
	return nil
}

func parse(text string) (r *rule, err error) {
	r = &rule{chance: 1, left: -1}
	if head, times, ok := strings.Cut(text, "x"); ok {
		if r.left, err = strconv.Atoi(times); err != nil {
			return nil, err
		}
		text = head
	}
	if head, chance, ok := strings.Cut(text, "@"); ok {
		if r.chance, err = strconv.ParseFloat(chance, 64); err != nil {
			return nil, err
		}
		text = head
	}
	if head, pause, ok := strings.Cut(text, ":"); ok {
		if r.pause, err = time.ParseDuration(pause); err != nil {
			return nil, err
		}
		text = head
	}
	r.action = text
	switch text {
	case "kill", "stop", "sleep", "panic", "fail", "count":
		return r, nil
	}
	return nil, fmt.Errorf("there is no action %q", text)
}
