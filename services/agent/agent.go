// Package agent is the worker that needs no code: its handlers run commands and make
// HTTP calls, so that a crontab or a scheduled program moves to Belfry as it is. What
// may be run is decided by the machine's own allow-list (package allow). It is a
// worker like any other and uses the public SDK alone.
package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"

	"github.com/belfry-scheduler/belfry/services/agent/allow"
	"github.com/belfry-scheduler/belfry/services/agent/process"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// Names of the handlers.
const (
	HandlerCommand = "command"
	HandlerHTTP    = "http"
)

// Config is what an agent is made of. Allow and Logger are required.
type Config struct {
	Allow  *allow.File
	Guard  *process.Guard // nil: programs outlive an agent that is killed
	Logger *slog.Logger   // of the agent itself; what programs write goes to the tasks' logs
	// LookupEnv reads the agent's own environment; nil: the process's.
	LookupEnv func(name string) (string, bool)
	// Transport carries the requests of the http handler; nil: one with proxies by
	// environment and certificates checked.
	Transport http.RoundTripper
	Version   string // for the User-Agent
}

// Agent has the two handlers.
type Agent struct {
	cfg Config
}

// New makes an agent.
func New(cfg Config) *Agent {
	if cfg.LookupEnv == nil {
		cfg.LookupEnv = os.LookupEnv
	}
	if cfg.Transport == nil {
		cfg.Transport = newTransport()
	}
	return &Agent{cfg: cfg}
}

// Register adds the handlers to a worker.
func (a *Agent) Register(w *worker.Worker) {
	worker.Handle(w, HandlerCommand, a.command)
	worker.Handle(w, HandlerHTTP, a.http)
}

// decode reads parameters strictly: a misspelt one would otherwise be left out in
// silence. The error says which are known.
func decode(raw json.RawMessage, into any, known string) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("{}")
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	if err == nil {
		if _, more := decoder.Token(); more == io.EOF { //nolint:errorlint // Token answers io.EOF itself
			return nil
		}
		err = fmt.Errorf("there is something after them")
	}
	return worker.NoRetry(fault.At("parameters", fault.Invalid, "The parameters do not fit: %v. Known are %s.", err, known))
}

// scalar is a text that may be written as a number or a truth value.
type scalar string

// UnmarshalJSON implements json.Unmarshaler.
func (s *scalar) UnmarshalJSON(raw []byte) error {
	switch {
	case len(raw) > 0 && raw[0] == '"':
		return json.Unmarshal(raw, (*string)(s))
	case len(raw) > 0 && (raw[0] == '{' || raw[0] == '[' || raw[0] == 'n'):
		return fmt.Errorf("%s stands where a text has to be", raw)
	}
	*s = scalar(raw)
	return nil
}
