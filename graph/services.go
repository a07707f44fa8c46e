package graph

import (
	"context"
	"log/slog"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/alert"
	"github.com/belfry-scheduler/belfry/services/alert/book"
	"github.com/belfry-scheduler/belfry/services/audit"
	"github.com/belfry-scheduler/belfry/services/backfill"
	"github.com/belfry-scheduler/belfry/services/bulk"
	"github.com/belfry-scheduler/belfry/services/calendar"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/event"
	"github.com/belfry-scheduler/belfry/services/fleet"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/posture"
	"github.com/belfry-scheduler/belfry/services/report"
	"github.com/belfry-scheduler/belfry/services/task"
	"github.com/belfry-scheduler/belfry/services/why"
)

// Config is what the API needs.
type Config struct {
	Services     Services
	Installation Installation
	// SignIn answers the context of a WebSocket's operations: authorization is
	// that of its first message, "Bearer …"; empty means that the request itself
	// said who asks. UNAUTHENTICATED when nobody does.
	SignIn func(ctx context.Context, authorization string) (context.Context, error)
	Clock  clock.Clock
	Logger *slog.Logger
}

// Services are what operations are translated to.
type Services struct {
	Jobs      *job.Service
	Tasks     *task.Service
	Calendars *calendar.Service
	Backfills *backfill.Service
	Alerts    *alert.Service
	Bulks     *bulk.Service
	Book      *book.Service
	Reports   *report.Service
	Why       *why.Service
	Fleet     *fleet.Service
	Accounts  *account.Service
	Audit     *audit.Service
	Posture   *posture.Service
	Bus       event.Bus
	Counts    Counts
}

// Counts reads the ledger's counters.
type Counts interface {
	// Counters answers, by group, how many tasks are WAITING, RUNNING, RETRYING and
	// FAILED.
	Counters(ctx context.Context) (map[string]map[models.TaskState]int64, error)
	// CountDue answers how many tasks are due in some groups together; nil: in all.
	CountDue(ctx context.Context, groups []string) (int64, error)
	// Minutes answers the ends by group and minute since from.
	Minutes(ctx context.Context, from time.Time) ([]models.Minute, error)
	// CountNodes answers the nodes by state and the slots of the online ones, of some
	// apps or, with nil, of all.
	CountNodes(ctx context.Context, apps []string) (byState map[models.NodeState]int, slots int, err error)
}

// Installation says what this installation is.
type Installation struct {
	ServerID  string // of this process
	Version   string
	PublicURL func() string // known once the server listens
	Embedded  bool          // one process on SQLite
	Demo      func() bool   // whether the demo app is present; nil: no
}
