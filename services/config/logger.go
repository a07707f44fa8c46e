package config

import (
	"io"
	"log/slog"
)

// Logger makes the server's logger: times in UTC, one line an event on w.
func (s Settings) Logger(w io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: s.LogLevel, ReplaceAttr: utc}
	if s.LogFormat == LogText {
		return slog.New(slog.NewTextHandler(w, options))
	}
	return slog.New(slog.NewJSONHandler(w, options))
}

func utc(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.TimeKey {
		a.Value = slog.TimeValue(a.Value.Time().UTC())
	}
	return a
}
