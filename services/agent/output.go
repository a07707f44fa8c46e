package agent

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"github.com/belfry-scheduler/belfry/services/agent/text"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

const (
	// lineBytes is what is kept of a line; its mark has room in wire.MaxLogLineBytes.
	lineBytes = wire.MaxLogLineBytes - 128
	// tailBytes is the end of each stream that goes into the result.
	tailBytes = 4 << 10
	// endBytes is the end of an output beyond its limit that is shown after all.
	endBytes = 32 << 10
	// wordsBytes is how much of the last line goes into an error.
	wordsBytes = 500
)

// output puts what a program writes into the task's log, line by line and in the
// order in which it arrives.
type output struct {
	ctx      context.Context
	logger   *slog.Logger
	encoding text.Encoding
	limit    int64 // bytes of each stream that are shown

	mu      sync.Mutex // makes one line of the two streams' at a time
	streams []*stream
}

// stream is one of the two outputs. Beyond the limit it shows its end only.
type stream struct {
	text.Splitter

	name   string
	out    *output
	bytes  int64
	shown  int64
	last   ring // the last lines, for the result
	end    ring // the last lines beyond the limit
	hidden struct{ lines, bytes int64 }
}

func newOutput(ctx context.Context, logger *slog.Logger, encoding text.Encoding, limit int64) *output {
	return &output{ctx: ctx, logger: logger, encoding: encoding, limit: limit}
}

// sink makes a stream. Each is written to by one goroutine.
func (o *output) sink(name string) *stream {
	s := &stream{name: name, out: o, last: ring{limit: tailBytes}, end: ring{limit: endBytes}}
	s.Limit = lineBytes
	s.Emit = s.take
	o.streams = append(o.streams, s)
	return s
}

// Write counts and splits.
func (s *stream) Write(p []byte) (int, error) {
	s.bytes += int64(len(p))
	return s.Splitter.Write(p)
}

// take gets one line.
func (s *stream) take(line text.Line) {
	s.last.add(line)
	size := int64(len(line.Bytes)) + 1
	if s.hidden.lines == 0 && s.shown+size <= s.out.limit {
		s.shown += size
		s.show(s.out.render(line.Bytes, line.Cut))
		return
	}
	if s.hidden.lines == 0 {
		s.remark(fmt.Sprintf("The output limit of %d bytes is reached on %s: what follows is read and not shown, except for its end.", s.out.limit, s.name))
	}
	s.hidden.lines++
	s.hidden.bytes += size + line.Cut
	s.end.add(line)
}

func (s *stream) show(message string) {
	level := slog.LevelInfo
	if s.name == "stderr" {
		level = slog.LevelWarn
	}
	s.out.mu.Lock()
	defer s.out.mu.Unlock()
	s.out.logger.LogAttrs(s.out.ctx, level, message, slog.String("stream", s.name)) //nolint:sloglint // the program's own line
}

// remark puts a sentence of the agent's own into the log.
func (s *stream) remark(sentence string) {
	s.out.mu.Lock()
	defer s.out.mu.Unlock()
	s.out.logger.LogAttrs(s.out.ctx, slog.LevelWarn, sentence) //nolint:sloglint // a sentence in a task's log, not an event
}

// close shows the ends of outputs beyond their limits.
func (o *output) close() {
	for _, s := range o.streams {
		if s.hidden.lines == 0 {
			continue
		}
		s.remark(fmt.Sprintf("%d lines of %s with %d bytes are not shown; the last %d follow.",
			s.hidden.lines-int64(len(s.end.lines)), s.name, s.hidden.bytes-int64(s.end.bytes), len(s.end.lines)))
		for _, line := range s.end.lines {
			s.show(o.render(line.raw, line.cut))
		}
	}
}

// cut reports whether the log lacks a part of the output.
func (o *output) cut() bool {
	return slices.ContainsFunc(o.streams, func(s *stream) bool { return s.hidden.lines > int64(len(s.end.lines)) })
}

// render makes a readable line, with a mark where it was cut.
func (o *output) render(raw []byte, cut int64) string {
	line := o.encoding.Decode(raw, cut > 0)
	if short := text.Head(line, lineBytes); len(short) < len(line) {
		cut += int64(len(line) - len(short))
		line = short
	}
	if cut > 0 {
		line += fmt.Sprintf(" … [cut: %d more bytes in this line]", cut)
	}
	return line
}

// lastWords is the last line that says something, of standard error if there is one.
func (o *output) lastWords() string {
	for _, i := range []int{1, 0} {
		lines := strings.Split(strings.TrimSpace(o.streams[i].tail()), "\n")
		if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
			return text.Head(last, wordsBytes)
		}
	}
	return ""
}

// tail is the end of what was written.
func (s *stream) tail() string {
	lines := make([]string, len(s.last.lines))
	for i, line := range s.last.lines {
		lines[i] = s.out.render(line.raw, line.cut)
	}
	joined := strings.Join(lines, "\n")
	if over := len(joined) - tailBytes; over > 0 {
		// The end is what counts; it begins at a whole character.
		return strings.ToValidUTF8(joined[over:], "")
	}
	return joined
}

// ring keeps the last lines up to limit bytes, and always the last one.
type ring struct {
	limit, bytes int
	lines        []kept
}

type kept struct {
	raw []byte
	cut int64
}

func (r *ring) add(line text.Line) {
	// The room of the oldest line serves again.
	var raw []byte
	for len(r.lines) > 0 && r.bytes+len(line.Bytes)+1 > r.limit {
		raw = r.lines[0].raw[:0]
		r.bytes -= len(r.lines[0].raw) + 1
		r.lines = r.lines[1:]
	}
	r.lines = append(r.lines, kept{raw: append(raw, line.Bytes...), cut: line.Cut})
	r.bytes += len(line.Bytes) + 1
}
