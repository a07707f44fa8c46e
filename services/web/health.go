package web

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

// readyTimeout bounds the database's answer.
const readyTimeout = 3 * time.Second

// healthBody answers /healthz.
type healthBody struct {
	Status string     `json:"status"` // always ok: the process answers
	Loops  []loopBody `json:"loops"`
}

// loopBody is one loop; lengths of time are in seconds.
type loopBody struct {
	Name     string  `json:"name"`
	Running  bool    `json:"running"`
	Age      float64 `json:"age"`     // since the last round that succeeded
	Overdue  float64 `json:"overdue"` // by which the next is late
	Busy     float64 `json:"busy"`    // of the round in progress
	Failures int     `json:"failures"`
}

// healthz says that the process lives, and how its loops fare. It never says no:
// a restart mends no database.
func healthz(loops lifecycle.Reporter) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		body := healthBody{Status: "ok", Loops: []loopBody{}}
		if loops != nil {
			for _, l := range loops.Health() {
				body.Loops = append(body.Loops, loopBody{
					Name: l.Name, Running: l.Running, Failures: l.Failures,
					Age: l.Age.Seconds(), Overdue: l.Overdue.Seconds(), Busy: l.Busy.Seconds(),
				})
			}
		}
		writeJSON(w, http.StatusOK, body)
	}
}

// readyz says whether requests may be sent here: the database answers.
func readyz(ready func(context.Context) error, log *slog.Logger) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		if err := ready(ctx); err != nil {
			log.WarnContext(ctx, "not ready", "request_id", request.ID(ctx), "error", err)
			writeError(w, r, fault.New(fault.Unavailable, "The database does not answer: see the server's log."))
			return
		}
		writeJSON(w, http.StatusOK, map[string]string{"status": "ready"})
	}
}
