package demo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/fleet"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// keyFile keeps the demo worker's key between starts: the ledger has only its hash.
const keyFile = "demo.key"

// Demo is the demo app of one data directory.
type Demo struct {
	Fleet *fleet.Service
	Jobs  *job.Service
	Dir   string
}

// Seed makes app, group and jobs unless the app exists already: what a person
// changed or deleted stays so. It answers the app's key for the demo's worker.
func (d Demo) Seed(ctx context.Context) (key string, err error) {
	app, err := d.Fleet.AppByName(ctx, AppName)
	switch {
	case fault.Is(err, fault.NotFound):
		return d.create(ctx)
	case err != nil:
		return "", fmt.Errorf("reading the demo app: %w", err)
	}
	return d.key(ctx, app)
}

func (d Demo) create(ctx context.Context) (string, error) {
	app, key, err := d.Fleet.CreateApp(ctx, actor, AppName, "Jobs that show what Belfry does.")
	if err != nil {
		return "", fmt.Errorf("creating the demo app: %w", err)
	}
	group, err := d.group(ctx, app)
	if err != nil {
		return "", err
	}
	ids := map[string]string{}
	for _, in := range jobs() {
		in.GroupID = group.ID
		if upstream := in.Trigger.Dependency; upstream != nil {
			for i := range upstream.Upstream {
				upstream.Upstream[i].Job = ids[upstream.Upstream[i].Job]
			}
		}
		made, err := d.Jobs.Create(ctx, actor, in)
		if err != nil {
			return "", fmt.Errorf("creating the demo job %s: %w", in.Name, err)
		}
		ids[in.Name] = made.ID
	}
	return key, d.save(key)
}

func (d Demo) group(ctx context.Context, app models.App) (models.NodeGroup, error) {
	groups, err := d.Fleet.Groups(ctx, app.ID)
	if err != nil {
		return models.NodeGroup{}, fmt.Errorf("reading the demo's groups: %w", err)
	}
	for _, g := range groups {
		if g.Name == GroupName {
			return g, nil
		}
	}
	return models.NodeGroup{}, fmt.Errorf("app %s has no group %s", AppName, GroupName)
}

// key answers the saved key while it still works, or makes a new one in its place.
func (d Demo) key(ctx context.Context, app models.App) (string, error) {
	saved, err := os.ReadFile(filepath.Join(d.Dir, keyFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("reading the demo's key: %w", err)
	}
	key := strings.TrimSpace(string(saved))
	if key != "" {
		if owner, _, err := d.Fleet.AuthenticateKey(ctx, key); err == nil && owner.ID == app.ID {
			return key, nil
		}
	}
	_, key, err = d.Fleet.CreateKey(ctx, actor, app.ID)
	if err != nil {
		return "", fmt.Errorf("making a key for the demo's worker: %w", err)
	}
	return key, d.save(key)
}

func (d Demo) save(key string) error {
	if err := os.WriteFile(filepath.Join(d.Dir, keyFile), []byte(key+"\n"), 0o600); err != nil {
		return fmt.Errorf("saving the demo's key: %w", err)
	}
	return nil
}

// Worker is the demo's worker process, as a goroutine.
type Worker struct {
	key    string
	logger *slog.Logger
	cancel context.CancelFunc
	done   chan error
}

// NewWorker makes the demo's worker.
func NewWorker(key string, logger *slog.Logger) *Worker { return &Worker{key: key, logger: logger} }

// Start begins to work for a server.
func (d *Worker) Start(ctx context.Context, server string) error {
	w, err := worker.New(worker.Config{
		Server: server, App: AppName, Key: d.key, Group: GroupName, Name: "demo-1", Slots: 16,
		Labels: map[string]string{"zone": "local"}, Logger: d.logger, DrainTimeout: time.Second,
	})
	if err != nil {
		return fmt.Errorf("setting up the demo's worker: %w", err)
	}
	register(w)
	ctx, d.cancel = context.WithCancel(context.WithoutCancel(ctx))
	d.done = make(chan error, 1)
	go func() { d.done <- w.Run(ctx) }()
	return nil
}

// Stop has the worker drain and waits for it.
func (d *Worker) Stop(ctx context.Context) error {
	if d.cancel == nil {
		return nil
	}
	d.cancel()
	select {
	case err := <-d.done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("waiting for the demo's worker: %w", ctx.Err())
	}
}
