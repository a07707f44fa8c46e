package task

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// LogFormat is how a log is written out.
type LogFormat string

// Formats of a log: lines with instant, level and fields; the messages alone as
// they were written, with their colours; one JSON object a line.
const (
	LogText   LogFormat = "text"
	LogRaw    LogFormat = "raw"
	LogNDJSON LogFormat = "ndjson"
)

// exportPage is how many lines are read at once; they and one page of text are all
// that an export holds.
const exportPage = 500

// LogExport says what of a task's log is written out.
type LogExport struct {
	Format  LogFormat
	Attempt int // 0: all
}

// WriteLog writes a task's log to w as it is now, and calls flush after each page.
// It stops at the first error of either. Faults: NOT_FOUND, UNSUPPORTED.
func (s *Service) WriteLog(ctx context.Context, w io.Writer, id string, e LogExport, flush func() error) error {
	if e.Format != LogText && e.Format != LogRaw && e.Format != LogNDJSON {
		return fault.At("format", fault.Unsupported, "There is no log format %q: use text, raw or ndjson.", e.Format)
	}
	t, err := s.Task(ctx, id)
	if err != nil {
		return err
	}
	attempts, err := s.Attempts(ctx, []models.Task{t})
	if err != nil {
		return err
	}
	x := logWriter{format: e.Format, out: bufio.NewWriter(w), nodes: map[int]string{}}
	for _, a := range attempts[id] {
		x.nodes[a.Number] = a.NodeName
	}
	after, end := int64(0), models.LogSeq(1<<30, 0)
	if e.Attempt > 0 {
		after, end = models.LogSeq(e.Attempt, 0), models.LogSeq(e.Attempt+1, 0)
	}
	for more := true; more; {
		page, err := s.Logs(ctx, id, after, exportPage)
		if err != nil {
			return err
		}
		more = page.More
		for i := range page.Lines {
			line := &page.Lines[i]
			if line.Seq >= end {
				more = false
				break
			}
			x.write(line)
			after = line.Seq
		}
		if err := x.out.Flush(); err != nil {
			return fmt.Errorf("writing a log out: %w", err)
		}
		if err := flush(); err != nil {
			return err
		}
	}
	return nil
}

// logWriter writes lines in one format. The writer keeps its first error.
type logWriter struct {
	format  LogFormat
	out     *bufio.Writer
	nodes   map[int]string
	attempt int
	next    int64 // number of the next line if none is missing
}

// exported is a line in NDJSON.
type exported struct {
	Seq     int64           `json:"seq"`
	Attempt int             `json:"attempt"`
	Node    string          `json:"node,omitempty"`
	At      time.Time       `json:"at"`
	Level   string          `json:"level"`
	Message string          `json:"message"`
	Fields  json.RawMessage `json:"fields,omitempty"`
}

func (x *logWriter) write(line *LogLine) {
	switch x.format {
	case LogNDJSON:
		body, err := json.Marshal(exported{line.Seq, line.Attempt, x.nodes[line.Attempt], line.At, line.Level, line.Message, line.Fields})
		if err != nil {
			body = fmt.Appendf(nil, `{"seq":%d,"attempt":%d,"unreadable":true}`, line.Seq, line.Attempt)
		}
		_, _ = x.out.Write(append(body, '\n'))
	case LogRaw:
		_, _ = x.out.WriteString(line.Message + "\n")
	case LogText:
		x.marks(line)
		text := line.At.UTC().Format("2006-01-02T15:04:05.000Z") + " " + fmt.Sprintf("%-5s", line.Level) + " " + withoutEscapes(line.Message)
		if len(line.Fields) > 0 && string(line.Fields) != "null" && string(line.Fields) != "{}" {
			text += " " + string(line.Fields)
		}
		_, _ = x.out.WriteString(text + "\n")
	}
}

// marks writes where an attempt begins and where lines are missing.
func (x *logWriter) marks(line *LogLine) {
	if line.Attempt != x.attempt {
		x.attempt, x.next = line.Attempt, 1
		on := ""
		if name := x.nodes[line.Attempt]; name != "" {
			on = " on " + name
		}
		_, _ = fmt.Fprintf(x.out, "--- attempt %d%s ---\n", line.Attempt, on)
	}
	if missing := line.LogLine.Seq - x.next; missing > 0 {
		_, _ = fmt.Fprintf(x.out, "--- %d lines were dropped here by the size limit ---\n", missing)
	}
	x.next = line.LogLine.Seq + 1
}

// withoutEscapes takes a terminal's control sequences out of a text.
func withoutEscapes(text string) string {
	if strings.IndexByte(text, 0x1b) < 0 {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != 0x1b {
			out.WriteByte(text[i])
			continue
		}
		i = escapeEnd(text, i)
	}
	return out.String()
}

// escapeEnd answers the index of the last byte of the sequence that begins at i.
func escapeEnd(text string, i int) int {
	if i+1 >= len(text) {
		return i
	}
	switch text[i+1] {
	case '[': // up to a letter or the like
		for j := i + 2; j < len(text); j++ {
			if text[j] >= 0x40 && text[j] <= 0x7e {
				return j
			}
		}
		return len(text) - 1
	case ']': // up to BEL or ESC \
		for j := i + 2; j < len(text); j++ {
			if text[j] == 0x07 {
				return j
			}
			if text[j] == 0x1b {
				return min(j+1, len(text)-1)
			}
		}
		return len(text) - 1
	}
	return i + 1
}
