package cmd

import (
	"context"
	"log/slog"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/alert"
	"github.com/belfry-scheduler/belfry/services/alert/watch"
	"github.com/belfry-scheduler/belfry/services/audit"
	"github.com/belfry-scheduler/belfry/services/backfill"
	"github.com/belfry-scheduler/belfry/services/bulk"
	"github.com/belfry-scheduler/belfry/services/calendar"
	"github.com/belfry-scheduler/belfry/services/catalog"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/config"
	"github.com/belfry-scheduler/belfry/services/coord"
	"github.com/belfry-scheduler/belfry/services/dispatch"
	"github.com/belfry-scheduler/belfry/services/event"
	"github.com/belfry-scheduler/belfry/services/fleet"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
	"github.com/belfry-scheduler/belfry/services/registry"
	"github.com/belfry-scheduler/belfry/services/relay"
	"github.com/belfry-scheduler/belfry/services/rescue"
	"github.com/belfry-scheduler/belfry/services/result"
	"github.com/belfry-scheduler/belfry/services/seal"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/services/task"
	"github.com/belfry-scheduler/belfry/services/trigger"
	"github.com/belfry-scheduler/belfry/services/web"
	"github.com/belfry-scheduler/belfry/services/workerapi"
	"github.com/belfry-scheduler/belfry/services/workflow"
)

// logLimit is how many bytes of log are kept of one attempt.
const logLimit = 2 << 20

// server is everything that runs in one process.
type server struct {
	settings  config.Settings
	version   string
	logger    *slog.Logger
	id        string
	store     *store.Store
	bus       event.Bus
	owner     *coord.Ownership
	clock     clock.Clock // corrected by the database's
	box       *seal.Box   // of stored secrets
	relay     *relay.Relay
	unfollow  func() // ends follow
	setUpLink string // secret of the first administrator's link; empty when set up

	accounts  *account.Service
	fleet     *fleet.Service
	jobs      *job.Service
	calendars *calendar.Service
	tasks     *task.Service
	fills     *backfill.Service
	alerts    alerts
	bulks     *bulk.Service
	desk      *alert.Service
	trail     *audit.Service

	engine engine
	front  *web.Server
	routes []web.Route      // that the front serves
	stack  *lifecycle.Group // stops everything, last started first
}

// engine is what happens by itself.
type engine struct {
	results    *result.Service
	registry   *registry.Registry
	dispatcher *dispatch.Dispatcher
	rescue     *rescue.Rescue
	trigger    *trigger.Trigger
	workflow   *workflow.Workflow
	workers    *workerapi.API
	watcher    *watch.Watcher
}

// assemble wires a server on an open ledger with its schema in place. Here alone
// is chosen between the parts of one process and those of a cluster. Nothing runs
// yet.
func assemble(settings config.Settings, st *store.Store, logger *slog.Logger, version string) (*server, error) {
	s := &server{settings: settings, version: version, logger: logger, store: st, stack: lifecycle.NewGroup(logger)}
	s.id = models.NewID(clock.System{}.Now())
	box, err := seal.New(settings.SecretKeys...)
	if err != nil {
		return nil, err
	}
	s.box = box
	if err := s.cluster(); err != nil {
		return nil, err
	}
	s.relay = relay.New(s.id, s.bus, st, logger)
	if err := s.useCases(); err != nil {
		return nil, err
	}
	if err := s.makeEngine(); err != nil {
		return nil, err
	}
	if err := s.makeFront(); err != nil {
		return nil, err
	}
	return s, nil
}

// useCases makes what people and programs ask for.
func (s *server) useCases() (err error) {
	s.makeAccounts()
	s.fleet = fleet.New(fleet.Config{
		Store: s.store, Clock: s.clock, Logger: s.logger, Notifier: relay.Fleet{Relay: s.relay}, LostAfter: coord.DefaultDeadAfter,
	})
	s.jobs = job.New(job.Config{Store: s.store, Clock: s.clock, Logger: s.logger, Notifier: s.relay})
	s.calendars, err = calendar.New(calendar.Config{Store: s.store, Clock: s.clock, Logger: s.logger, Notifier: s.relay})
	if err != nil {
		return err
	}
	s.tasks = task.New(task.Config{Store: s.store, Clock: s.clock, Logger: s.logger, Notifier: s.relay})
	s.fills, err = backfill.New(backfill.Config{Store: s.store, Owner: s.owner, Clock: s.clock, Logger: s.logger, Notifier: s.relay})
	if err != nil {
		return err
	}
	s.desk, err = alert.New(alert.Config{Store: s.store, Owner: s.owner, Clock: s.clock, Logger: s.logger, Notifier: s.relay})
	if err != nil {
		return err
	}
	s.trail, err = audit.New(audit.Config{Ledger: s.store, Owner: s.owner, Kept: s.settings.AuditKept, Clock: s.clock, Logger: s.logger})
	if err != nil {
		return err
	}
	s.bulks, err = bulk.New(bulk.Config{
		Store: s.store, Owner: s.owner, Repeater: s.tasks, Clock: s.clock, Logger: s.logger, Notifier: s.relay,
	})
	return err
}

// makeEngine makes what happens by itself and puts it on the stack.
func (s *server) makeEngine() (err error) {
	e, nodes := &s.engine, relay.Nodes{Relay: s.relay}
	secrets, err := masker(s.settings)
	if err != nil {
		return err
	}
	definitions := catalog.New(s.store, s.clock)
	e.results = result.New(result.Config{Ledger: s.store, Jobs: definitions, Watcher: s.relay, Logger: s.logger})
	e.registry = registry.New(registry.Config{
		ServerID: s.id, ServerName: s.settings.ServerName, Ledger: s.store, Watcher: nodes, Clock: s.clock, Logger: s.logger, LogLimit: logLimit,
		Dead: s.owner.Dead, Mask: secrets.Text,
	})
	e.dispatcher = dispatch.New(dispatch.Config{
		Ledger: s.store, Jobs: definitions, Owner: s.owner, Courier: s.relay, Watcher: s.relay,
		Replacer: s.tasks, Ender: e.results, Clock: s.clock, Logger: s.logger,
	})
	e.rescue, err = rescue.New(rescue.Config{
		Ledger: s.store, Running: e.dispatcher, Owner: s.owner, Ender: e.results, Watcher: nodes, Clock: s.clock, Logger: s.logger,
	})
	if err != nil {
		return err
	}
	e.trigger, err = trigger.New(trigger.Config{
		Ledger: s.store, Owner: s.owner, Workers: definitions, Watcher: s.relay, Clock: s.clock, Logger: s.logger,
	})
	if err != nil {
		return err
	}
	e.workflow, err = workflow.New(workflow.Config{
		Ledger: s.store, Owner: s.owner, Jobs: definitions, Watcher: s.relay, Clock: s.clock, Logger: s.logger,
	})
	if err != nil {
		return err
	}
	e.watcher, err = watch.New(watch.Config{
		Ledger: s.store, Owner: s.owner, Clock: s.clock, Logger: s.logger, DeadAfter: coord.DefaultDeadAfter,
		Conditions: s.desk,
	})
	if err != nil {
		return err
	}
	e.workers = workerapi.New(workerapi.Config{
		Keys: s.fleet, Registry: e.registry, Ender: e.results, Ledger: s.store, Tasks: s.tasks, Watcher: s.relay,
		Clock: s.clock, Logger: s.logger, LogLimit: logLimit, Mask: secrets,
	})
	if err := s.makeAlerts(); err != nil {
		return err
	}
	s.relay.Connect(relay.Parts{
		Deliveries: s.alerts.delivery,
		Dispatcher: e.dispatcher, Trigger: e.trigger, Workflow: e.workflow, Backfills: s.fills, Bulks: s.bulks, Alerts: s.desk, Registry: e.registry, Rescue: e.rescue, Catalog: definitions,
	})
	s.store.OnArrivals(s.relay.ArrivalsWritten)
	s.store.OnAlertEvents(s.relay.AlertsWritten)
	s.stackEngine()
	return nil
}

// stackEngine puts what happens by itself on the stack, what is stopped last first.
func (s *server) stackEngine() {
	e := &s.engine
	s.stack.AddService("relay", s.relay)
	s.stack.AddService("results", e.results)
	s.stack.Add("enqueues", s.tasks.Start, s.tasks.Stop)
	s.stack.AddService("worker notes", e.workers)
	s.stack.AddService("registry", e.registry)
	s.stack.AddService("dispatcher", e.dispatcher)
	s.stack.AddService("rescue", e.rescue)
	s.stack.AddService("trigger", e.trigger)
	s.stack.AddService("workflow", e.workflow)
	s.stack.AddService("calendars", s.calendars)
	s.stack.AddService("backfills", s.fills)
	s.stack.AddService("alert watcher", e.watcher)
	s.stack.Add("secrets of channels", s.alerts.book.Start, s.alerts.book.Stop)
	s.stack.AddService("deliveries", s.alerts.delivery)
	s.stack.AddService("reports", s.alerts.reports)
	s.stack.AddService("bulk operations", s.bulks)
	s.stack.AddService("alert desk", s.desk)
	s.stack.AddService("audit trail", s.trail)
	s.owner.OnChange(func([]coord.Owned, []int) {
		e.dispatcher.OwnershipChanged()
		e.trigger.Wake()
		e.workflow.Wake()
		s.fills.Wake()
		e.watcher.Wake()
		s.alerts.delivery.Wake()
		s.alerts.reports.Wake()
		s.bulks.Wake()
		s.desk.Wake()
	})
	s.stack.AddService("ownership", s.owner)
	s.stack.Add("ownership hints", s.follow, func(context.Context) error { s.unfollow(); return nil })
}
