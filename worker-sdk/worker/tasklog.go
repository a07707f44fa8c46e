package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// taskHandler writes a task's log lines in the shape of wire.LogLine. The work is
// slog's own JSON handler's: its built-in keys are renamed, and everything else
// stands in the group "fields".
type taskHandler struct {
	inner slog.Handler
	level slog.Leveler
}

func newTaskLogger(a *attempt) *slog.Logger {
	cfg := a.book.cfg
	encoder := slog.NewJSONHandler(lineWriter{a}, &slog.HandlerOptions{
		ReplaceAttr: renameBuiltIns,
	})
	var handler slog.Handler = &taskHandler{inner: encoder.WithGroup("fields"), level: cfg.LogLevel}
	if !cfg.OnlyTaskLog {
		handler = slog.NewMultiHandler(handler, cfg.Logger.Handler().WithAttrs([]slog.Attr{
			slog.String("task_id", a.task.ID), slog.String("job", a.task.JobName),
			slog.String("node", cfg.Name), slog.Int("attempt", a.task.Attempt),
		}))
	}
	return slog.New(handler)
}

func renameBuiltIns(groups []string, attr slog.Attr) slog.Attr {
	if len(groups) > 0 {
		return attr
	}
	switch attr.Key {
	case slog.TimeKey:
		attr.Key = "at"
	case slog.MessageKey:
		attr.Key = "message"
	case slog.LevelKey:
		level, _ := attr.Value.Any().(slog.Level)
		attr.Value = slog.StringValue(levelName(level))
	}
	return attr
}

// levelName maps slog's open scale to the four levels of the protocol.
func levelName(level slog.Level) string {
	switch {
	case level < slog.LevelInfo:
		return "DEBUG"
	case level < slog.LevelWarn:
		return "INFO"
	case level < slog.LevelError:
		return "WARN"
	}
	return "ERROR"
}

func (h *taskHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= h.level.Level()
}

func (h *taskHandler) Handle(ctx context.Context, r slog.Record) error {
	if r.Time.IsZero() {
		r.Time = time.Now()
	}
	r.Time = r.Time.UTC()
	r.Message = cut(r.Message, wire.MaxLogLineBytes)
	return h.inner.Handle(ctx, r)
}

func (h *taskHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &taskHandler{inner: h.inner.WithAttrs(attrs), level: h.level}
}

func (h *taskHandler) WithGroup(name string) slog.Handler {
	return &taskHandler{inner: h.inner.WithGroup(name), level: h.level}
}

// lineWriter takes one whole line with each Write, as slog promises. No code of the
// user's runs inside, so the book's lock is safe to take.
type lineWriter struct{ a *attempt }

func (w lineWriter) Write(encoded []byte) (int, error) {
	w.a.book.logLine(w.a, lineRest(encoded))
	return len(encoded), nil
}

// withoutFields encodes a line anew with a word about its fields in their place.
func withoutFields(encoded []byte) []byte {
	var line wire.LogLine
	if err := json.Unmarshal(encoded, &line); err != nil {
		line = wire.LogLine{At: time.Now().UTC(), Level: "WARN", Message: "a log line that could not be encoded: " + cut(err.Error(), 200)}
	}
	line.Fields = json.RawMessage(fmt.Sprintf(`{"dropped":"the fields had %d bytes"}`, len(line.Fields)))
	short, err := json.Marshal(struct {
		At      time.Time       `json:"at"`
		Level   string          `json:"level"`
		Message string          `json:"message"`
		Fields  json.RawMessage `json:"fields"`
	}{line.At, line.Level, line.Message, line.Fields})
	if err != nil { // the instant lies outside of what RFC 3339 can say
		return []byte(`{"at":"1970-01-01T00:00:00Z","level":"WARN","message":"a log line that could not be encoded"}`)
	}
	return short
}
