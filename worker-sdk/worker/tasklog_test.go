package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// logOf runs f with a task's logger and returns the lines that go to the server and
// those that go to the process's own log.
func logOf(t *testing.T, level slog.Level, f func(*slog.Logger, *Task)) (lines []wire.LogLine, own string) {
	t.Helper()
	var text bytes.Buffer
	b := newBook(&Config{Slots: 1, Name: "node-1", LogLevel: level, Logger: slog.New(slog.NewTextHandler(&text, nil))})
	as := wire.Assignment{Task: "t1", Attempt: 2, Job: "Sync", Handler: "H"}
	b.take(t.Context(), 1, []wire.Assignment{as}, registry{"H": {name: "H", run: func(_ context.Context, task *Task) error {
		f(task.Logger(), task)
		return nil
	}}})
	<-b.idle()
	for _, it := range collectAll(t, b, 1) {
		if it.chunk != nil {
			lines = append(lines, decodeAll(t, []*chunk{it.chunk})...)
		}
	}
	<-b.dismiss()
	return lines, text.String()
}

type secret struct{}

func (secret) LogValue() slog.Value { return slog.GroupValue(slog.String("shown", "***")) }

func TestTaskLogShape(t *testing.T) {
	t.Parallel()
	lines, own := logOf(t, slog.LevelDebug, func(log *slog.Logger, _ *Task) {
		log.Debug("plain")
		log.With("a", 1).WithGroup("g").With("b", true).Info("nested", "c", errors.New("boom"), slog.Group("d", "e", time.Second))
		log.WithGroup("empty").Warn("nothing in it")
		log.Error("odd", "nan", math.NaN(), "time", time.Unix(0, 0).UTC(), "level", "mine", "msg", "mine", "v", secret{}, "chan", make(chan int))
		log.Log(t.Context(), slog.LevelInfo+1, "between")
	})
	want := []struct{ level, message, fields string }{
		{"DEBUG", "plain", ``},
		{"INFO", "nested", `{"a":1,"g":{"b":true,"c":"boom","d":{"e":1000000000}}}`},
		{"WARN", "nothing in it", ``},
		{"ERROR", "odd", ""},
		{"INFO", "between", ``},
	}
	if len(lines) != len(want) {
		t.Fatalf("lines %+v", lines)
	}
	for i, w := range want {
		got := lines[i]
		if got.Seq != int64(i+1) || got.Level != w.level || got.Message != w.message || got.At.Location() != time.UTC || time.Since(got.At) > time.Minute {
			t.Errorf("line %+v", got)
		}
		if i != 3 && string(got.Fields) != w.fields {
			t.Errorf("%s: fields %s", w.message, got.Fields)
		}
	}
	var odd map[string]any
	if err := json.Unmarshal(lines[3].Fields, &odd); err != nil {
		t.Fatal(err)
	}
	if odd["level"] != "mine" || odd["msg"] != "mine" || odd["time"] != "1970-01-01T00:00:00Z" || fmt.Sprint(odd["v"]) != "map[shown:***]" {
		t.Errorf("odd fields %v", odd)
	}
	if !strings.Contains(own, `msg=nested task_id=t1 job=Sync node=node-1 attempt=2 a=1 g.b=true`) || strings.Contains(own, "msg=plain") {
		t.Errorf("own log: %s", own)
	}
}

func TestTaskLogLevel(t *testing.T) {
	t.Parallel()
	lines, _ := logOf(t, slog.LevelWarn, func(log *slog.Logger, _ *Task) {
		log.Info("below")
		log.Warn("at")
	})
	if len(lines) != 1 || lines[0].Message != "at" {
		t.Errorf("lines %+v", lines)
	}
}

func TestTaskLogLimits(t *testing.T) {
	t.Parallel()
	long, escaped := strings.Repeat("é", wire.MaxLogLineBytes), strings.Repeat("\x00", 1<<20)
	lines, _ := logOf(t, slog.LevelInfo, func(log *slog.Logger, _ *Task) {
		log.LogAttrs(t.Context(), slog.LevelInfo, long) //nolint:sloglint // a message of unusual length
		log.Info("huge fields", "x", strings.Repeat("y", 1<<20))
		log.LogAttrs(t.Context(), slog.LevelInfo, escaped, slog.String("x", strings.Repeat("y", 1<<20))) //nolint:sloglint // likewise
		log.LogAttrs(t.Context(), slog.LevelInfo, "bad \xff utf-8", slog.String("k\xff", "v\xff"))       //nolint:sloglint // no valid key
	})
	if len(lines) != 4 {
		t.Fatalf("%d lines", len(lines))
	}
	if n := len(lines[0].Message); n > wire.MaxLogLineBytes || n < wire.MaxLogLineBytes-20 || !strings.HasSuffix(lines[0].Message, cutMark) {
		t.Errorf("message of %d bytes", n)
	}
	if lines[1].Message != "huge fields" || !strings.Contains(string(lines[1].Fields), "bytes") || len(lines[1].Fields) > 100 {
		t.Errorf("line %+v", lines[1])
	}
	if len(lines[2].Message) > wire.MaxLogLineBytes || len(lines[2].Fields) > 100 {
		t.Errorf("line of %d and %d bytes", len(lines[2].Message), len(lines[2].Fields))
	}
	if lines[3].Message != "bad \uFFFD utf-8" {
		t.Errorf("line %+v", lines[3])
	}
}

// A LogValuer may log itself: nothing of the user's runs under the book's lock.
type chatty struct{ log *slog.Logger }

func (c chatty) LogValue() slog.Value { c.log.Info("inner"); return slog.StringValue("v") }

func TestTaskLogFromManyGoroutinesAndAfterTheEnd(t *testing.T) {
	t.Parallel()
	var leftOver *slog.Logger
	var task *Task
	lines, _ := logOf(t, slog.LevelInfo, func(log *slog.Logger, own *Task) {
		leftOver, task = log, own
		log.Info("outer", "v", chatty{log})
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				for n := range 50 {
					log.With("i", i).Info("many", "n", n)
				}
			})
		}
		all.Wait()
	})
	if len(lines) != 1003 { // the inner line comes for each of the two logs
		t.Fatalf("%d lines", len(lines))
	}
	for i, line := range lines {
		if line.Seq != int64(i+1) {
			t.Fatalf("line %d has number %d", i, line.Seq)
		}
	}
	leftOver.Info("late")
	task.Progress(1, "late")
	if err := task.SetResult(1); err != nil {
		t.Error(err)
	}
	if err := task.Checkpoint(t.Context(), 1); !errors.Is(err, errEnded) {
		t.Errorf("Checkpoint: %v", err)
	}
	a := task.a
	a.book.mu.Lock()
	defer a.book.mu.Unlock()
	if a.hasPending() || a.book.logBytes != 0 || len(a.book.held) != 0 {
		t.Errorf("a line after the end is kept: %+v", a.pending)
	}
}

func TestTaskLimits(t *testing.T) {
	t.Parallel()
	lines, _ := logOf(t, slog.LevelInfo, func(_ *slog.Logger, task *Task) {
		if err := task.SetResult(strings.Repeat("x", wire.MaxResultBytes)); err == nil || !strings.Contains(err.Error(), "store it elsewhere") {
			t.Errorf("SetResult: %v", err)
		}
		if err := task.SetResult(make(chan int)); err == nil {
			t.Error("SetResult takes a channel")
		}
		if err := task.Checkpoint(t.Context(), strings.Repeat("x", wire.MaxCheckpoint)); err == nil {
			t.Error("Checkpoint takes too much")
		}
		if found, err := task.LastCheckpoint(new(int)); found || err != nil {
			t.Errorf("LastCheckpoint: %v, %v", found, err)
		}
		task.Progress(math.NaN(), strings.Repeat("x", 1<<20))
		task.a.book.mu.Lock()
		defer task.a.book.mu.Unlock()
		if p := task.a.pending.progress; p == nil || p.Fraction != 0 || len(p.Message) > maxProgressBytes {
			t.Errorf("progress %+v", p)
		}
	})
	if len(lines) != 2 || lines[0].Message != "the result was not set" {
		t.Errorf("lines %+v", lines)
	}
}
