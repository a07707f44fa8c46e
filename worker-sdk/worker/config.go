package worker

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/belfry-scheduler/belfry/worker-sdk/internal/link"
)

// Defaults and bounds of Config.
const (
	DefaultGroup        = "default"
	DefaultDrainTimeout = 30 * time.Second
	// DefaultCancelTimeout is how long a drain waits for handlers whose context it has ended.
	DefaultCancelTimeout = 5 * time.Second
	// DefaultStuckAfter is when a handler that ignores its context's end counts as stuck.
	DefaultStuckAfter = 5 * time.Second
	MaxSlots          = 10_000
	maxNameLength     = 128 // characters of the names of app, group, node and handlers
	maxLabels         = 64
)

// Config says who a worker is and where its server is. Server, App and Key are
// required.
type Config struct {
	// Server is the address of a Belfry server, as http://127.0.0.1:7000, or
	// several, separated by commas. A fleet spreads over them by chance; a worker
	// whose server goes away takes the next one at once. Servers is for further ones,
	// if a list is at hand.
	Server  string
	Servers []string
	// App is the name of the app whose jobs are run, and Key its key.
	App string
	Key string
	// Group is the node group to join; empty means "default".
	Group string
	// Name is the node's name, unique in its group; empty means host name and
	// process id. A name that stays the same over restarts (orders-1, the name of a
	// StatefulSet's pod) lets the server see a restart at once and hand out the work
	// of the process before it again without waiting for missed heartbeats.
	Name string
	// Slots is how many attempts run at once, 1 to 10,000; 0 means four for each
	// processor (GOMAXPROCS) and at least 16, since most jobs wait for a network.
	Slots int
	// Labels describe the node to label selectors, at most 64.
	Labels map[string]string
	// DrainTimeout is how long Run waits for running handlers once its context has
	// ended (the soft stop), before it ends theirs with ErrShutdown; 0 means 30 s.
	DrainTimeout time.Duration
	// CancelTimeout is how long handlers may take to return after that, before Run
	// gives up on them (the hard stop): it reports their attempts as released, which
	// uses up no attempt, with their stacks in the tasks' logs, and returns an error
	// that names them; they end with the process. 0 means 5 s. Reporting and leaving
	// take up to 12 s more: give the supervisor's kill timeout at least the sum.
	CancelTimeout time.Duration
	// StuckAfter is how long after the end of its context, for whatever cause, a
	// handler that has not returned counts as stuck: its stack goes to the task's log
	// and to Observer, once, and its slot stays taken. 0 means 5 s.
	StuckAfter time.Duration
	// Logger gets what the worker itself has to say and a copy of the tasks' lines
	// with task_id, job, node and attempt; nil means slog.Default.
	Logger *slog.Logger
	// LogLevel is the lowest level of Task.Logger that goes to the task's log; nil
	// means slog.LevelInfo.
	LogLevel slog.Leveler
	// OnlyTaskLog keeps the lines of Task.Logger out of Logger.
	OnlyTaskLog bool
	// SpillDir is a folder in which results wait, beside memory, until a server has them:
	// a process that starts with the same folder first sends what one that is gone has
	// left there, also after kill -9. Empty means none: a library writes no files
	// unasked, and a container's own file system dies with it. Give a volume that
	// outlives the container (in Kubernetes an emptyDir outlives its restarts). Several
	// processes may share a folder; one between machines must have a file system that
	// keeps locks between them. Each writes a few microseconds a result and at most
	// 256 MiB. The files also prove to servers which processes have ended: one that was
	// killed together with its server can be started again under its name at once, and
	// not only after two heartbeats.
	SpillDir string
	// OnStart is called once, after the worker has registered and before anything is
	// assigned to it: the place to clean up what a predecessor that crashed has left
	// (temporary files, locks, half-written rows). The attempts of that process are
	// handed out again meanwhile, by the jobs' rules, perhaps to other nodes: clean only
	// what is this node's own. Its error stops the worker and is returned by Run. Its
	// context ends when the worker stops; the worker waits for it to return.
	OnStart func(ctx context.Context, start Start) error
	// Observer is told what the worker does, for metrics; nil means nobody is.
	Observer Observer
	// CAFile is a PEM file with the authority that signed the servers' certificates,
	// trusted beside those that the system trusts.
	CAFile string
	// CertFile and KeyFile are the PEM files of the client certificate that the servers
	// ask for. They are read again for each new connection, so that a certificate can
	// be renewed while the worker runs.
	CertFile string
	KeyFile  string
	// TLS is the set-up of connections to https servers where the files above are not
	// enough; nil means Go's defaults with TLS 1.2 or later. It is cloned.
	TLS *tls.Config
	// Proxy is the proxy's URL, as http://proxy:3128 (also https and socks5), or
	// "direct" for none; empty means what HTTPS_PROXY, HTTP_PROXY and NO_PROXY say.
	Proxy string
	// HTTPClient carries the requests; nil means one of the worker's own, for which TLS,
	// the files and Proxy are. Its Timeout is ignored, since assignments arrive on one
	// long answer.
	HTTPClient *http.Client
}

// checked returns c with its defaults filled in, and a link to its servers. The
// error names every field that has to change.
func (c Config) checked() (Config, *link.Link, error) {
	var wrong []error
	bad := func(field, problem string, args ...any) {
		wrong = append(wrong, fmt.Errorf("%s %s", field, fmt.Sprintf(problem, args...)))
	}
	name := func(field, value, remedy string) {
		if value == "" || utf8.RuneCountInString(value) > maxNameLength || strings.TrimSpace(value) != value {
			bad(field, "is %q: %s", value, remedy)
		}
	}
	lnk, err := link.New(link.Config{
		Server: c.Server, Servers: c.Servers, Key: c.Key, HTTPClient: c.HTTPClient,
		TLS: c.TLS, CAFile: c.CAFile, CertFile: c.CertFile, KeyFile: c.KeyFile, Proxy: c.Proxy,
	})
	if err != nil {
		wrong = append(wrong, err)
	}
	name("Config.App", c.App, "give the app's name as the console shows it, without spaces around it")
	if strings.TrimSpace(c.Key) == "" || strings.ContainsAny(c.Key, "\r\n") {
		// The value stays out of the message: it is a secret.
		bad("Config.Key", "is empty or has a line break: give the app's key, which was shown when the app was created")
	}
	c.fillDefaults()
	name("Config.Group", c.Group, "give the node group's name, at most 128 characters, without spaces around it")
	name("Config.Name", c.Name, "give a node name of at most 128 characters, without spaces around it")
	if c.Slots < 1 || c.Slots > MaxSlots {
		bad("Config.Slots", "is %d: choose 1 to %d, or 0 for the default", c.Slots, MaxSlots)
	}
	if c.DrainTimeout < 0 {
		bad("Config.DrainTimeout", "is %s: choose a positive duration, or 0 for 30 s", c.DrainTimeout)
	}
	if c.CancelTimeout < 0 {
		bad("Config.CancelTimeout", "is %s: choose a positive duration, or 0 for 5 s", c.CancelTimeout)
	}
	if c.StuckAfter < 0 {
		bad("Config.StuckAfter", "is %s: choose a positive duration, or 0 for 5 s", c.StuckAfter)
	}
	if len(c.Labels) > maxLabels {
		bad("Config.Labels", "has %d entries: give at most %d", len(c.Labels), maxLabels)
	}
	if len(wrong) > 0 {
		return c, nil, fmt.Errorf("worker: %w", errors.Join(wrong...))
	}
	return c, lnk, nil
}

func (c *Config) fillDefaults() {
	if c.Group == "" {
		c.Group = DefaultGroup
	}
	if c.Name == "" {
		c.Name = fmt.Sprintf("%s-%d", hostName(), os.Getpid())
	}
	if c.Slots == 0 {
		c.Slots = max(16, 4*runtime.GOMAXPROCS(0))
	}
	if c.DrainTimeout == 0 {
		c.DrainTimeout = DefaultDrainTimeout
	}
	if c.CancelTimeout == 0 {
		c.CancelTimeout = DefaultCancelTimeout
	}
	if c.StuckAfter == 0 {
		c.StuckAfter = DefaultStuckAfter
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.LogLevel == nil {
		c.LogLevel = slog.LevelInfo
	}
	c.Labels = maps.Clone(c.Labels)
}

// hostName is "worker" where the system does not know its name.
func hostName() string {
	host, err := os.Hostname()
	if err != nil || host == "" {
		return "worker"
	}
	return host
}
