package workerapi

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/registry"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// writeWait bounds one write to a worker that does not read. Deadlines of sockets are by
// the machine's clock: by the ledger's, which may be minutes off, they would be over at once.
const writeWait = 10 * time.Second

func (a *API) register(ctx context.Context, app models.App, req wire.Register) (wire.Registered, error) {
	return a.cfg.Registry.Register(ctx, app, req)
}

// beatTime bounds one heartbeat.
const beatTime = 30 * time.Second

// heartbeat is taken to its end: net/http ends the request's context also for a client that
// has closed its half and waits for the answer. Other calls end with it, and are repeated.
func (a *API) heartbeat(ctx context.Context, app models.App, req wire.Heartbeat) (wire.HeartbeatAnswer, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), beatTime)
	defer cancel()
	return a.cfg.Registry.Heartbeat(ctx, app, req)
}

func (a *API) leave(ctx context.Context, app models.App, req wire.Leave) (struct{}, error) {
	return struct{}{}, a.cfg.Registry.Leave(ctx, app, req)
}

// stream keeps a worker's stream until either side ends it.
func (a *API) stream(w http.ResponseWriter, r *http.Request, app models.App) {
	q := r.URL.Query()
	s, err := a.cfg.Registry.OpenStream(r.Context(), app, q.Get("group"), q.Get("node"), q.Get("incarnation"))
	if err != nil {
		a.refuse(w, r, err)
		return
	}
	defer a.cfg.Registry.CloseStream(context.WithoutCancel(r.Context()), app, s)
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no") // or a proxy would hold frames back
	if err := a.pump(r.Context(), w, s); err != nil {
		a.cfg.Logger.DebugContext(r.Context(), "worker stream ended", "node", s.Name, "error", err)
	}
}

// pump writes a stream's frames, and pings between them, until it ends.
func (a *API) pump(ctx context.Context, w http.ResponseWriter, s *registry.Stream) error {
	out := http.NewResponseController(w)
	enc := json.NewEncoder(w)
	write := func(f wire.Frame) error {
		if err := out.SetWriteDeadline(clock.System{}.Now().Add(writeWait)); err != nil {
			return err
		}
		return enc.Encode(f)
	}
	if err := write(s.Ping()); err != nil { // the headers go out with it
		return err
	}
	ping := time.NewTicker(s.KeepAlive())
	defer ping.Stop()
	for {
		if err := out.Flush(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-s.Done():
			return drain(s, write, out)
		case <-ping.C:
			if err := write(s.Ping()); err != nil {
				return err
			}
		case f := <-s.Frames():
			if err := write(*f); err != nil {
				return err
			}
			if err := more(s, write); err != nil {
				return err
			}
		}
	}
}

// more writes what else waits, so that a burst is flushed once.
func more(s *registry.Stream, write func(wire.Frame) error) error {
	for {
		select {
		case f := <-s.Frames():
			if err := write(*f); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// drain writes the last frames of a stream that ends, the good-bye among them.
func drain(s *registry.Stream, write func(wire.Frame) error, out *http.ResponseController) error {
	if err := more(s, write); err != nil {
		return err
	}
	return out.Flush()
}
