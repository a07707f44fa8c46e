package worker

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

const (
	maxChunkBytes  = 128 << 10 // text of one chunk of log lines
	maxLineBytes   = 64 << 10  // one encoded line with its fields; beyond it the fields are left out
	lineOverhead   = 32        // number, comma and braces of one line
	defaultLogKept = 2 << 20   // waiting lines of one attempt, unless the settings say otherwise
	noticeBytes    = 192       // a line that tells of dropped ones
)

// lines are the log lines of one attempt that wait to be reported, in chunks that
// are re-sent unchanged once a report has taken them.
type lines struct {
	chunks  []*chunk // the last one grows; bound: Settings.LogLimit bytes
	seq     int64    // of the last line
	bytes   int      // of all chunks
	dropped int64    // lines dropped since the last line that said so
}

// chunk is a run of encoded lines, separated by commas.
type chunk struct {
	text   []byte
	lines  int   // in text
	stands int64 // how many of the handler's lines it stands for, dropped ones included
	closed bool  // taken by a report
}

// add appends an encoded line without its number and opening brace. When limit
// would be passed, the oldest chunks go first; then the line itself.
func (l *lines) add(rest []byte, limit int, now time.Time) {
	for {
		need := len(rest) + lineOverhead
		if l.dropped > 0 {
			need += noticeBytes
		}
		if l.bytes+need <= limit {
			break
		}
		if !l.dropOldest() {
			l.seq++
			l.dropped++
			return
		}
	}
	l.say(now)
	l.append(rest, 1)
}

// say puts a line in the log that tells of dropped ones, if there are any.
func (l *lines) say(now time.Time) {
	if l.dropped == 0 {
		return
	}
	n := l.dropped
	l.dropped = 0
	text := fmt.Sprintf(`"at":%q,"level":"WARN","message":"%d log lines were dropped: they came faster than the server took them"}`,
		now.UTC().Format(time.RFC3339Nano), n)
	l.append([]byte(text), n)
}

func (l *lines) append(rest []byte, stands int64) {
	l.seq++
	c := l.open(len(rest))
	before := len(c.text)
	if c.lines > 0 {
		c.text = append(c.text, ',')
	}
	c.text = append(c.text, `{"seq":`...)
	c.text = strconv.AppendInt(c.text, l.seq, 10)
	c.text = append(c.text, ',')
	c.text = append(c.text, rest...)
	c.lines++
	c.stands += stands
	l.bytes += len(c.text) - before
}

// open returns the chunk that takes the next line of n bytes.
func (l *lines) open(n int) *chunk {
	if len(l.chunks) > 0 {
		last := l.chunks[len(l.chunks)-1]
		if !last.closed && last.lines < wire.MaxLogChunkLines && len(last.text)+n < maxChunkBytes {
			return last
		}
	}
	c := &chunk{}
	l.chunks = append(l.chunks, c)
	return c
}

// dropOldest forgets the oldest chunk. A chunk that a report has taken and that
// came back counts too: the server is told of the gap in the next line.
func (l *lines) dropOldest() bool {
	if len(l.chunks) == 0 {
		return false
	}
	oldest := l.chunks[0]
	l.chunks[0] = nil
	l.chunks = l.chunks[1:]
	l.bytes -= len(oldest.text)
	l.dropped += oldest.stands
	return true
}

// take removes and returns the oldest chunk, which does not grow any more.
func (l *lines) take() *chunk {
	c := l.chunks[0]
	l.chunks[0] = nil
	l.chunks = l.chunks[1:]
	l.bytes -= len(c.text)
	c.closed = true
	return c
}

// giveBack puts chunks that a report could not deliver before all others.
func (l *lines) giveBack(chunks []*chunk) {
	l.chunks = append(chunks, l.chunks...)
	for _, c := range chunks {
		l.bytes += len(c.text)
	}
}

// lineRest strips the opening brace and the line end of an encoded line. One that
// is too long loses its fields, of which the line then tells.
func lineRest(encoded []byte) []byte {
	if len(encoded) > maxLineBytes {
		encoded = withoutFields(encoded)
	}
	return bytes.TrimSuffix(encoded, []byte("\n"))[1:]
}
