// Package jobfile is the form in which jobs stand in git: YAML documents, each with
// the jobs of one app. It reads and writes them, says everything that is wrong with
// one at once and where, and works out what an apply would change. It is pure: it
// knows neither server nor disk.
//
// The format is described by one table (format.go). The reader, the JSON schema and
// the tests go by it.
package jobfile

import "encoding/json"

// Document holds jobs of one app.
type Document struct {
	Version int    `json:"version"` // of the format: 1
	App     string `json:"app"`
	Group   string `json:"group,omitempty"` // of the jobs that name none; empty: default
	Jobs    []Job  `json:"jobs"`

	where places
}

// Where is like that of a job, for the fields of the document itself.
func (d *Document) Where(path string) (line, column int) { return (&Job{where: d.where}).Where(path) }

// Job is a job in the terms of the API, with names in place of ids. Absent fields
// have the API's defaults; Enabled stays as it is on the server when it is absent.
type Job struct {
	Name        string            `json:"name"`
	Group       string            `json:"group,omitempty"` // empty: the document's
	Handler     string            `json:"handler"`
	Description string            `json:"description,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
	Trigger     Trigger           `json:"trigger"`
	Parameters  json.RawMessage   `json:"parameters,omitempty"`
	Enabled     *bool             `json:"enabled,omitempty"`
	Priority    string            `json:"priority,omitempty"`
	Timeout     string            `json:"timeout,omitempty"` // as time.Duration prints it, like all lengths here
	Retry       *Retry            `json:"retry,omitempty"`
	Concurrency string            `json:"concurrency,omitempty"`
	MaxRunning  int               `json:"maxRunning,omitempty"` // 0: no limit
	Misfire     *Misfire          `json:"misfire,omitempty"`
	Delivery    string            `json:"delivery,omitempty"`
	Routing     *Routing          `json:"routing,omitempty"`
	Sharding    *Sharding         `json:"sharding,omitempty"`

	// Comment is written above the job; reading a file leaves it empty.
	Comment string `json:"-"`
	where   places
}

// Trigger says when a job fires; exactly one field is set.
type Trigger struct {
	Cron       *Cron       `json:"cron,omitempty"`
	FixedRate  *FixedRate  `json:"fixedRate,omitempty"`
	FixedDelay *FixedDelay `json:"fixedDelay,omitempty"`
	Dependency *Dependency `json:"dependency,omitempty"`
	Manual     bool        `json:"manual,omitempty"`
}

// Cron fires by an expression.
type Cron struct {
	Expression string `json:"expression"`
	Zone       string `json:"zone,omitempty"`    // empty: UTC
	StartAt    string `json:"startAt,omitempty"` // RFC 3339, like all instants here
	EndAt      string `json:"endAt,omitempty"`
	Jitter     string `json:"jitter,omitempty"`
	Calendar   string `json:"calendar,omitempty"`
	OnRestDay  string `json:"onRestDay,omitempty"`
}

// FixedRate fires on a grid.
type FixedRate struct {
	Every   string `json:"every"`
	StartAt string `json:"startAt,omitempty"`
}

// FixedDelay fires some time after the last run ended.
type FixedDelay struct {
	Delay string `json:"delay"`
}

// Dependency fires when other jobs have ended.
type Dependency struct {
	Upstream []Upstream `json:"upstream"`
	Mode     string     `json:"mode,omitempty"`
	Window   string     `json:"window,omitempty"`
	Zone     string     `json:"zone,omitempty"`
}

// Upstream is a job that is waited for.
type Upstream struct {
	Job string `json:"job"`           // its name
	App string `json:"app,omitempty"` // empty: the document's
	On  string `json:"on,omitempty"`
}

// Retry holds the rules for trying again.
type Retry struct {
	MaxAttempts int     `json:"maxAttempts"`
	Backoff     string  `json:"backoff,omitempty"`
	Delay       string  `json:"delay,omitempty"`
	MaxDelay    string  `json:"maxDelay,omitempty"`
	Jitter      float64 `json:"jitter,omitempty"`
}

// Misfire holds the rules for missed fires.
type Misfire struct {
	Policy string `json:"policy,omitempty"`
	Grace  string `json:"grace,omitempty"`
	Limit  int    `json:"limit,omitempty"`
}

// Routing says how tasks are spread over nodes.
type Routing struct {
	Strategy      string            `json:"strategy"`
	Key           string            `json:"key,omitempty"`
	Node          string            `json:"node,omitempty"`
	Fallback      string            `json:"fallback,omitempty"`
	FallbackAfter string            `json:"fallbackAfter,omitempty"`
	Labels        map[string]string `json:"labels,omitempty"`
}

// Sharding asks for shards.
type Sharding struct {
	Shards int `json:"shards"`
}

// places are where fields stand in a file, by their dotted path.
type places map[string]place

type place struct{ line, column int }

// Where answers where a field of the job, by its dotted path, stands in the file it
// was read from, or the nearest field around it; zero for a job that was not read.
func (j *Job) Where(path string) (line, column int) {
	for {
		if p, ok := j.where[path]; ok {
			return p.line, p.column
		}
		cut := lastDot(path)
		if cut < 0 {
			p := j.where[""]
			return p.line, p.column
		}
		path = path[:cut]
	}
}

func lastDot(s string) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '.' {
			return i
		}
	}
	if s == "" {
		return -1
	}
	return 0
}
