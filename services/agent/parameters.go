package agent

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/services/agent/allow"
	"github.com/belfry-scheduler/belfry/services/agent/text"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// commandParameters are those of the command handler; docs/agent.md explains them.
type commandParameters struct {
	Command      []scalar          `json:"command"`
	Shell        string            `json:"shell"`
	Dir          string            `json:"dir"`
	Env          map[string]scalar `json:"env"`
	Stdin        string            `json:"stdin"`
	User         string            `json:"user"`
	SuccessCodes []int             `json:"successCodes"`
	NoRetryCodes []int             `json:"noRetryCodes"`
	Grace        string            `json:"grace"`
	OutputLimit  int64             `json:"outputLimit"` // bytes of text
	Encoding     string            `json:"encoding"`

	grace    time.Duration
	encoding text.Encoding
}

const commandKnown = "command, shell, dir, env, stdin, user, successCodes, noRetryCodes, grace, outputLimit and encoding"

const (
	defaultGrace       = 5 * time.Second
	maxGrace           = 25 * time.Second
	defaultOutputLimit = 8 << 20
	maxOutputLimit     = 256 << 20
)

// parseCommand reads and checks the parameters.
func parseCommand(raw json.RawMessage) (*commandParameters, error) {
	p := &commandParameters{SuccessCodes: []int{0}, OutputLimit: defaultOutputLimit, grace: defaultGrace}
	if err := decode(raw, p, commandKnown); err != nil {
		return nil, err
	}
	var problems fault.List
	bad := func(field, format string, values ...any) {
		problems.Add(fault.At("parameters."+field, fault.Invalid, format, values...))
	}
	switch {
	case len(p.Command) == 0 && p.Shell == "":
		bad("command", `The parameters have neither command, as ["/usr/bin/program", "argument"], nor shell, as "text".`)
	case len(p.Command) > 0 && p.Shell != "":
		bad("shell", "The parameters have both command and shell: give one of them.")
	case len(p.Command) > 0 && p.Command[0] == "":
		bad("command", "The command's program is empty.")
	}
	if hasNUL(p) {
		bad("command", "The command, its directory or its environment has a NUL character, which no program can be given.")
	}
	if p.Grace != "" {
		d, err := time.ParseDuration(p.Grace)
		if err != nil || d < 0 || d > maxGrace {
			bad("grace", "grace is %q: give a duration of at most %s, as \"10s\".", p.Grace, maxGrace)
		}
		p.grace = d
	}
	if p.OutputLimit < 0 || p.OutputLimit > maxOutputLimit {
		bad("outputLimit", "outputLimit is %d: give at most %d bytes.", p.OutputLimit, maxOutputLimit)
	}
	var known bool
	if p.encoding, known = text.ByName(p.Encoding); !known {
		bad("encoding", "encoding is %q: use one of %s.", p.Encoding, strings.Join(text.Names(), ", "))
	}
	if err := problems.Err(); err != nil {
		return nil, worker.NoRetry(err)
	}
	return p, nil
}

// hasNUL reports a character that ends a text for the system.
func hasNUL(p *commandParameters) bool {
	nul := func(s scalar) bool { return strings.ContainsRune(string(s), 0) }
	return slices.ContainsFunc(p.Command, nul) || strings.ContainsRune(p.Shell+p.Dir+p.User, 0) ||
		slices.ContainsFunc(slices.Collect(maps.Values(p.Env)), nul)
}

// request is what the allow-list is asked.
func (p *commandParameters) request() allow.Request {
	r := allow.Request{Shell: p.Shell, User: p.User, Directory: p.Dir, Environment: slices.Sorted(maps.Keys(p.Env))}
	for _, argument := range p.Command {
		r.Arguments = append(r.Arguments, string(argument))
	}
	return r
}

// graceFor is how long a family may take to end: never longer than the server waits
// for the word that it has ended, because it gives the task to another node then.
func (p *commandParameters) graceFor(cause error) time.Duration {
	switch {
	case errors.Is(cause, worker.ErrTimeLimit):
		return min(p.grace, 7*time.Second)
	case errors.Is(cause, worker.ErrShutdown), errors.Is(cause, worker.ErrLeaseLost):
		return min(p.grace, 3*time.Second)
	}
	return p.grace
}
