package coord_test

import (
	"context"
	"log/slog"
	"sync"
)

// records counts log messages.
type records struct {
	mu sync.Mutex
	n  map[string]int
}

func (r *records) logger() *slog.Logger { return slog.New(r) }

func (r *records) Enabled(context.Context, slog.Level) bool { return true }

func (r *records) Handle(_ context.Context, record slog.Record) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.n == nil {
		r.n = map[string]int{}
	}
	r.n[record.Message]++
	return nil
}

func (r *records) WithAttrs([]slog.Attr) slog.Handler { return r }
func (r *records) WithGroup(string) slog.Handler      { return r }

func (r *records) count(message string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.n[message]
}
