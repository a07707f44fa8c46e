package event_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/services/lifecycle"
)

type healthOf = lifecycle.LoopHealth

func process(t *testing.T, pid int, signal syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, signal); err != nil {
		t.Fatal(err)
	}
}

// waitFor asks until the answer is yes, for at most half a minute.
func waitFor(t *testing.T, yes func() bool) {
	t.Helper()
	again, end := time.NewTicker(10*time.Millisecond), time.NewTimer(30*time.Second)
	defer again.Stop()
	defer end.Stop()
	for !yes() {
		select {
		case <-again.C:
		case <-end.C:
			t.Fatal("it did not happen within 30 s")
		}
	}
}
