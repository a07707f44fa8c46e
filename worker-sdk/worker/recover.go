package worker

import (
	"bytes"
	"context"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/internal/link"
	"github.com/belfry-scheduler/belfry/worker-sdk/internal/spill"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// keptPatience is how long a server may answer nothing but "retry" to the results of
// an earlier process before this one goes on without them.
const keptPatience = time.Minute

// inheritance sends the results that earlier processes have left in the folder, under
// their names and incarnations.
type inheritance struct {
	*session
	orphans []*spill.Orphan

	accepted, stale, refused int
}

// send sends everything. It comes before the registration of this process, because
// that makes the servers give the attempts of the process before it to others: what
// comes after it comes too late. It returns false when ctx ends first. What could not
// be sent stays in its file.
func (h *inheritance) send(ctx context.Context) bool {
	for _, o := range h.orphans {
		h.accepted, h.stale, h.refused = 0, 0, 0
		n := o.Len()
		if n > 0 {
			h.cfg.Logger.Info("sending the results of an earlier process", "results", n, "node", o.Node, "damaged", o.Damaged)
		}
		end := o.Remove
		if !h.sendFile(ctx, o) {
			end = o.Close
		}
		if err := end(); err != nil {
			h.cfg.Logger.Error("a file of unsent results could not be given up", "file", o.Path(), "error", err)
		}
		if n > 0 {
			h.cfg.Logger.Info("sent the results of an earlier process", "node", o.Node,
				"accepted", h.accepted, "stale", h.stale, "refused", h.refused, "left", n-h.accepted-h.stale-h.refused)
		}
	}
	h.orphans = nil
	return ctx.Err() == nil
}

// sendFile reports whether every result of a file was answered for good.
func (h *inheritance) sendFile(ctx context.Context, o *spill.Orphan) bool {
	head := reportHead(&Config{Name: o.Node, Group: o.Group}, o.Incarnation)
	for o.Len() > 0 {
		results, err := o.Take(wire.MaxReportItems, softBodyBytes)
		if err != nil {
			h.cfg.Logger.Error("results of an earlier process cannot be read", "file", o.Path(), "error", err)
			return false
		}
		if !h.sendResults(ctx, head, results) {
			return false
		}
	}
	return true
}

// sendResults sends results until each was answered for good.
func (h *inheritance) sendResults(ctx context.Context, head string, results [][]byte) bool {
	quiet := quietly{log: h.cfg.Logger}
	var answered time.Time // when only "retry" began to come
	for try := 0; ; try++ {
		acks := make([]wire.Ack, 0, len(results))
		answer := reported{acks: acks}
		body := append(appendSentAt([]byte(head), time.Now()), bytes.Join(results, []byte(","))...)
		err := h.link.Post(ctx, callTimeout, wire.PathReport, append(body, "]}"...), &answer)
		switch code := link.Code(err); {
		case err == nil:
			before := len(results)
			if results = h.settle(results, answer.acks); len(results) == 0 {
				return true
			}
			if len(results) < before || answered.IsZero() {
				answered = time.Now()
			}
			if time.Since(answered) > keptPatience {
				h.cfg.Logger.Error("results of an earlier process cannot be stored now; they stay in their file", "results", len(results))
				return false
			}
		case code == wire.CodeTooLarge || code == wire.CodeInvalid:
			return h.sendParts(ctx, head, results, err)
		case code == wire.CodeReplaced: // the attempts were given to others with the name
			h.stale += len(results)
			return true
		case !link.Transient(err):
			return false // the registration meets the same error and says what it is
		default:
			quiet.warn("the results of an earlier process got no answer; they are sent again", err)
		}
		if !link.Sleep(ctx, link.Backoff(try, maxBackoff)) {
			return false
		}
	}
}

// sendParts sends a report that was refused whole in two halves; one result alone
// that is refused is given up.
func (h *inheritance) sendParts(ctx context.Context, head string, results [][]byte, err error) bool {
	if len(results) == 1 {
		h.refused++
		h.cfg.Logger.Error("the server cannot take a result of an earlier process; it is dropped", "error", err)
		return true
	}
	half := len(results) / 2
	return h.sendResults(ctx, head, results[:half]) && h.sendResults(ctx, head, results[half:])
}

// settle counts what was answered for good and returns the rest.
func (h *inheritance) settle(results [][]byte, acks []wire.Ack) [][]byte {
	var again [][]byte
	for i, text := range results {
		status := wire.AckRetry
		if i < len(acks) {
			status = acks[i].Status
		}
		switch status {
		case wire.AckAccepted:
			h.accepted++
		case wire.AckStale:
			h.stale++
		case wire.AckInvalid:
			h.refused++
			h.cfg.Logger.Warn("the server refused a result of an earlier process", "reason", acks[i].Message)
		default:
			again = append(again, text)
		}
	}
	return again
}
