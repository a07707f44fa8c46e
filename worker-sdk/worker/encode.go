package worker

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// Reports are encoded by hand: a result costs a tenth of what encoding/json takes,
// and log lines are copied as they are. A test holds the text against
// encoding/json.

// appendReport encodes a wire.Report. head is what every report of the process
// begins with; the instant is its only part that changes when it is sent again.
func appendReport(b []byte, head string, sentAt time.Time, items []item) []byte {
	b = appendSentAt(append(b, head...), sentAt)
	for i := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendItem(b, &items[i])
	}
	return append(b, "]}"...)
}

// sentLayout has a fixed width, so that resent finds the items.
const sentLayout = "2006-01-02T15:04:05.000000Z"

const itemsKey = `","items":[`

func appendSentAt(b []byte, at time.Time) []byte {
	return append(at.UTC().AppendFormat(b, sentLayout), itemsKey...)
}

// resent returns a copy of a report that leaves again at the instant at. The old
// text stays as it is: the transport may still be reading it.
func resent(report []byte, head string, at time.Time) []byte {
	b := make([]byte, 0, len(report))
	b = appendSentAt(append(b, head...), at)
	return append(b, report[len(b):]...)
}

// reportHead is what every report of one process begins with.
func reportHead(cfg *Config, incarnation string) string {
	b := appendString([]byte(`{"node":`), cfg.Name)
	b = appendString(append(b, `,"group":`...), cfg.Group)
	b = appendString(append(b, `,"incarnation":`...), incarnation)
	return string(append(b, `,"sentAt":"`...))
}

func appendItem(b []byte, it *item) []byte {
	b = appendString(append(b, `{"task":`...), it.a.ref.Task)
	b = append(b, `,"attempt":`...)
	b = strconv.AppendInt(b, int64(it.a.ref.Attempt), 10)
	switch {
	case it.started:
		b = append(appendTime(append(b, `,"started":{"at":`...), it.a.startedAt), '}')
	case it.progress != nil:
		b = appendProgress(b, it.progress)
	case it.chunk != nil:
		b = append(b, `,"log":{"lines":[`...)
		b = append(b, it.chunk.text...)
		b = append(b, "]}"...)
	case it.checkpoint != nil:
		b = append(append(b, `,"checkpoint":`...), it.checkpoint.data...)
	case it.refusal:
		b = append(appendString(append(b, `,"refused":{"reason":`...), it.a.refusal), '}')
	case it.ending != nil:
		b = appendEnding(append(b, `,"result":`...), it.ending)
	}
	return append(b, '}')
}

func appendProgress(b []byte, p *wire.Progress) []byte {
	b = append(b, `,"progress":{"fraction":`...)
	b = strconv.AppendFloat(b, p.Fraction, 'f', -1, 64)
	if p.Message != "" {
		b = appendString(append(b, `,"message":`...), p.Message)
	}
	return append(b, '}')
}

func appendEnding(b []byte, e *ending) []byte {
	b = append(append(append(b, `{"outcome":"`...), e.outcome...), '"')
	b = appendTime(append(b, `,"startedAt":`...), e.startedAt)
	b = appendTime(append(b, `,"finishedAt":`...), e.finishedAt)
	if len(e.result) > 0 {
		b = append(append(b, `,"result":`...), e.result...)
	}
	if e.err != "" {
		b = appendString(append(b, `,"error":`...), e.err)
	}
	if e.stack != "" {
		b = appendString(append(b, `,"stack":`...), e.stack)
	}
	if e.noRetry {
		b = append(b, `,"noRetry":true`...)
	}
	if e.after >= 0 {
		b = strconv.AppendInt(append(b, `,"afterMs":`...), e.after, 10)
	}
	return append(b, '}')
}

func appendTime(b []byte, t time.Time) []byte {
	b = append(b, '"')
	b = t.UTC().AppendFormat(b, time.RFC3339Nano)
	return append(b, '"')
}

// appendString appends s as a JSON string; only plain ASCII takes the short way.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			text, err := json.Marshal(s)
			if err != nil { // a string always encodes
				text = []byte(`""`)
			}
			return append(b, text...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// cutMark ends a text that cut has shortened.
const cutMark = " … (cut)"

// cut shortens s to at most limit bytes of valid UTF-8.
func cut(s string, limit int) string {
	if len(s) <= limit && utf8.ValidString(s) {
		return s
	}
	whole := len(s) <= limit
	s = strings.ToValidUTF8(s[:min(len(s), limit)], "\uFFFD")
	if whole && len(s) <= limit {
		return s
	}
	end := min(len(s), limit-len(cutMark))
	for end > 0 && end < len(s) && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + cutMark
}
