package lifecycle_test

import (
	"context"
	"log/slog"
	"sync"
)

// records keeps what was logged.
type records struct {
	mu  sync.Mutex
	all []slog.Record
}

func (r *records) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }

func (r *records) Handle(_ context.Context, record slog.Record) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, record)
	return nil
}

func (r *records) WithAttrs([]slog.Attr) slog.Handler { return r }
func (r *records) WithGroup(string) slog.Handler      { return r }

func (r *records) count(message string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, record := range r.all {
		if record.Message == message {
			n++
		}
	}
	return n
}

// attr is the value of the attribute key of the first record with the message.
func (r *records) attr(message, key string) (value string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, record := range r.all {
		if record.Message != message {
			continue
		}
		record.Attrs(func(a slog.Attr) bool {
			if a.Key == key {
				value = a.Value.String()
			}
			return value == ""
		})
		return value
	}
	return ""
}
