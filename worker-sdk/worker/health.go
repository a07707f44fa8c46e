package worker

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"
)

// stalledAfter is how long one of the worker's loops may do nothing, besides waiting
// for what it waits for, before the process counts as not alive.
const stalledAfter = time.Minute

// vital are the signs of life of a process. The instants are those of the last step
// of each loop, in Unix nanoseconds; 0 before the first.
type vital struct {
	starting atomic.Bool // Config.OnStart is running

	beat   atomic.Int64 // a heartbeat was sent, or tried
	stream atomic.Int64 // a frame came, or a stream or a registration was tried
	report atomic.Int64 // likewise of reports
}

func stamp(at *atomic.Int64) { at.Store(time.Now().UnixNano()) }

// registering notes a try to register, for which the other loops may wait.
func (v *vital) registering() {
	stamp(&v.beat)
	stamp(&v.stream)
	stamp(&v.report)
}

// silent says for how long there has been no sign, if that is too long.
func silent(at *atomic.Int64, now time.Time, limit time.Duration) (time.Duration, bool) {
	gone := now.Sub(time.Unix(0, at.Load()))
	return gone, gone > limit
}

// Health is the body of an answer of Worker.Health.
type Health struct {
	OK bool `json:"ok"`
	// Reasons says, in sentences, why not; empty when OK.
	Reasons []string `json:"reasons,omitempty"`
	Node    string   `json:"node"`
	Group   string   `json:"group"`
	Slots   int      `json:"slots"`
	Running int      `json:"running"`
	Stuck   int      `json:"stuck"`
	Unacked int      `json:"unacked"`
}

// Health returns a handler for the supervisor's probes. It answers GET and HEAD of
//
//   - /livez: 200 while the worker's loops make progress, and before Run. Servers that
//     are away do not count: a restart would not bring them back. 503 when a loop has
//     stood still for a minute, or after Run has returned: then the process should be
//     started again. Handlers that are stuck are named in the figures, and do not count.
//   - /readyz: 200 while assignments can arrive: the worker is registered, OnStart has
//     returned, the stream is open, and neither the process nor its node drains.
//
// with a Health as JSON, or 404. Mount it where the service has its other probes:
//
//	mux.Handle("/worker/", http.StripPrefix("/worker", w.Health()))
func (w *Worker) Health() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", func(rw http.ResponseWriter, _ *http.Request) { w.answer(rw, w.dead(time.Now())) })
	mux.HandleFunc("GET /readyz", func(rw http.ResponseWriter, _ *http.Request) { w.answer(rw, w.unready()) })
	return mux
}

func (w *Worker) answer(rw http.ResponseWriter, reasons []string) {
	s := w.Stats()
	body, err := json.Marshal(Health{
		OK: len(reasons) == 0, Reasons: reasons, Node: w.cfg.Name, Group: w.cfg.Group,
		Slots: s.Slots, Running: s.Running, Stuck: s.Stuck, Unacked: s.Unacked,
	})
	if err != nil {
		http.Error(rw, err.Error(), http.StatusInternalServerError)
		return
	}
	rw.Header().Set("Content-Type", "application/json")
	rw.Header().Set("Cache-Control", "no-store")
	if len(reasons) > 0 {
		rw.WriteHeader(http.StatusServiceUnavailable)
	}
	_, _ = rw.Write(append(body, '\n')) // the prober may have gone
}

// unready says why no assignments can arrive; nil when they can.
func (w *Worker) unready() (reasons []string) {
	s := w.session.Load()
	switch {
	case s == nil:
		return []string{"Run has not been called yet."}
	case w.ended.Load():
		return []string{"Run has returned."}
	case !s.registered():
		return []string{"The worker is not registered with a server yet."}
	case s.vital.starting.Load():
		return []string{"Config.OnStart has not returned yet."}
	}
	connected, leaving, drained := w.book.openings()
	if !connected {
		reasons = append(reasons, "No server's stream is open, so that no assignment can arrive.")
	}
	if leaving {
		reasons = append(reasons, "The process is shutting down.")
	}
	if drained {
		reasons = append(reasons, "The server drains this node.")
	}
	return reasons
}

// dead says why the process should be started again; nil when it should not.
func (w *Worker) dead(now time.Time) (reasons []string) {
	s := w.session.Load()
	if s == nil {
		return nil
	}
	if w.ended.Load() {
		return []string{"Run has returned."}
	}
	set := s.settings.Load()
	if gone, late := silent(&s.vital.beat, now, stalledAfter+set.heartbeat); late {
		reasons = append(reasons, fmt.Sprintf("No heartbeat has been tried for %s.", gone.Round(time.Second)))
	}
	if gone, late := silent(&s.vital.stream, now, stalledAfter+missedKeepAlives*set.keepAlive); late && s.registered() && !s.vital.starting.Load() && !w.book.isLeaving() {
		reasons = append(reasons, fmt.Sprintf("The stream has been neither read nor opened for %s.", gone.Round(time.Second)))
	}
	if waits := w.book.waiting(now); waits > stalledAfter {
		if gone, late := silent(&s.vital.report, now, stalledAfter); late {
			reasons = append(reasons, fmt.Sprintf("Reports have waited for %s, and none has been tried for %s.", waits.Round(time.Second), gone.Round(time.Second)))
		}
	}
	return reasons
}

// openings says whether a stream is open, and what else decides about new work.
func (b *book) openings() (connected, leaving, drained bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.lastSeq > 0, b.leaving, b.drained
}

func (b *book) isLeaving() bool {
	_, leaving, _ := b.openings()
	return leaving
}

// waiting is how long the oldest thing that can be reported now has been waiting.
func (b *book) waiting(now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.outbox.dirty) == 0 {
		return 0
	}
	return now.Sub(b.outbox.since)
}
