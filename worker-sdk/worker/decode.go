package worker

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// Assignments and acknowledgements are what a busy worker reads most, and reading
// them by encoding/json costs more than everything else that the SDK does for a
// task. The reader below takes the usual form of both: known keys, none twice,
// strings of plain ASCII without escapes, no nulls. Whatever differs is left to
// encoding/json; a fuzz test holds the two against each other.

// frameReader decodes the frames of one stream.
type frameReader struct {
	names  map[string]string // handler, job and trigger names that came before
	assign []wire.Assignment // memory of the last frame's assignments
}

// maxNames bounds frameReader.names; it is emptied when it is full.
const maxNames = 4096

// read decodes one line. The frame is valid until the next call.
func (r *frameReader) read(line []byte) (wire.Frame, error) {
	c := cursor{text: line, names: r.names}
	if f, ok := c.frame(r.assign[:0]); ok {
		r.assign = f.Assign
		return f, nil
	}
	var f wire.Frame
	if err := json.Unmarshal(line, &f); err != nil {
		return f, fmt.Errorf("decoding a frame: %w", err)
	}
	return f, nil
}

// reported is the answer to a report, which decodes itself.
type reported struct{ acks []wire.Ack }

// DecodeAnswer reads a wire.Reported.
func (r *reported) DecodeAnswer(body []byte) error {
	c := cursor{text: body}
	if c.acks(r) {
		return nil
	}
	var answer wire.Reported
	if err := json.Unmarshal(body, &answer); err != nil {
		return err
	}
	r.acks = answer.Acks
	return nil
}

// cursor reads JSON of a known shape; failed means that it is not the usual form.
type cursor struct {
	text   []byte
	at     int
	failed bool
	names  map[string]string
}

func (c *cursor) frame(into []wire.Assignment) (f wire.Frame, ok bool) {
	c.object(func(key []byte) (bit uint32) {
		switch string(key) {
		case "kind":
			f.Kind = c.name()
			return 1
		case "seq":
			f.Seq = c.integer()
			return 2
		case "assign":
			f.Assign = into
			c.array(func() {
				f.Assign = append(f.Assign, wire.Assignment{})
				c.assignment(&f.Assign[len(f.Assign)-1])
			})
			return 4
		}
		return 0
	})
	return f, c.ended()
}

func (c *cursor) acks(into *reported) bool {
	c.object(func(key []byte) (bit uint32) {
		if string(key) != "acks" {
			return 0
		}
		c.array(func() {
			var ack wire.Ack
			c.object(func(key []byte) (bit uint32) {
				switch string(key) {
				case "status":
					ack.Status = statusName(c.plain())
					return 1
				case "message":
					ack.Message = string(c.plain())
					return 2
				}
				return 0
			})
			into.acks = append(into.acks, ack)
		})
		return 1
	})
	if !c.ended() {
		into.acks = nil
		return false
	}
	return true
}

// statusName saves making a new string for each acknowledgement.
func statusName(b []byte) string {
	switch string(b) {
	case wire.AckAccepted:
		return wire.AckAccepted
	case wire.AckStale:
		return wire.AckStale
	case wire.AckRetry:
		return wire.AckRetry
	}
	return string(b)
}

// object reads an object; field reads the value of key and returns the key's own
// bit, or 0 for a key that it does not know.
func (c *cursor) object(field func(key []byte) (bit uint32)) {
	seen := uint32(0)
	c.list('{', '}', func() {
		key := c.plain()
		c.expect(':')
		if c.failed {
			return
		}
		bit := field(key)
		if bit == 0 || seen&bit != 0 {
			c.failed = true
		}
		seen |= bit
	})
}

func (c *cursor) array(element func()) { c.list('[', ']', element) }

// list reads elements between brackets, separated by commas.
func (c *cursor) list(opening, closing byte, element func()) {
	c.expect(opening)
	if c.peek() == closing {
		c.at++
		return
	}
	for !c.failed {
		element()
		switch c.peek() {
		case ',':
			c.at++
		case closing:
			c.at++
			return
		default:
			c.failed = true
		}
	}
}

// peek skips white space and returns the next byte, 0 at the end.
func (c *cursor) peek() byte {
	for c.at < len(c.text) {
		switch b := c.text[c.at]; b {
		case ' ', '\n', '\r', '\t':
			c.at++
		default:
			return b
		}
	}
	return 0
}

func (c *cursor) expect(b byte) {
	if c.peek() != b {
		c.failed = true
		return
	}
	c.at++
}

// ended reports whether everything was read and usual.
func (c *cursor) ended() bool {
	return !c.failed && c.peek() == 0 && c.at == len(c.text)
}

// plain reads a string of plain ASCII; the bytes are the text's own.
func (c *cursor) plain() []byte {
	c.expect('"')
	for i := c.at; i < len(c.text) && !c.failed; i++ {
		switch b := c.text[i]; {
		case b == '"':
			s := c.text[c.at:i]
			c.at = i + 1
			return s
		case b < ' ' || b > '~' || b == '\\':
			c.failed = true
		}
	}
	c.failed = true
	return nil
}

// name reads a string that comes again and again.
func (c *cursor) name() string {
	b := c.plain()
	if s, ok := c.names[string(b)]; ok {
		return s
	}
	s := string(b)
	if c.names != nil && !c.failed {
		if len(c.names) >= maxNames {
			clear(c.names)
		}
		c.names[s] = s
	}
	return s
}

// integer reads a whole number of at most 18 digits.
func (c *cursor) integer() int64 {
	negative := c.peek() == '-'
	if negative {
		c.at++
	}
	start, n := c.at, int64(0)
	for c.at < len(c.text) && c.text[c.at] >= '0' && c.text[c.at] <= '9' {
		n = n*10 + int64(c.text[c.at]-'0')
		c.at++
		if c.at-start > 18 {
			c.failed = true
			return 0
		}
	}
	if digits := c.at - start; digits == 0 || digits > 1 && c.text[start] == '0' {
		c.failed = true
	}
	if negative {
		return -n
	}
	return n
}

func (c *cursor) instant() time.Time {
	c.peek()
	start := c.at
	c.plain()
	var t time.Time
	if c.failed || t.UnmarshalJSON(c.text[start:c.at]) != nil {
		c.failed = true
	}
	return t
}

// raw reads any value but null and returns a copy of its text.
func (c *cursor) raw() json.RawMessage {
	c.peek()
	start, depth := c.at, 0
	for ; c.at < len(c.text) && !c.failed; c.at++ {
		switch c.text[c.at] {
		case '"':
			c.skipString()
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth == 0 && c.valueEnds(c.at+1) {
			c.at++
			text := c.text[start:c.at]
			if text[0] == 'n' || !json.Valid(text) {
				break
			}
			return append(json.RawMessage(nil), text...)
		}
	}
	c.failed = true
	return nil
}

// skipString moves to the closing quote of the string that begins here.
func (c *cursor) skipString() {
	for c.at++; c.at < len(c.text); c.at++ {
		switch c.text[c.at] {
		case '\\':
			c.at++
		case '"':
			return
		}
	}
	c.failed = true
}

// valueEnds reports whether a value that stands alone can end before i.
func (c *cursor) valueEnds(i int) bool {
	if i >= len(c.text) {
		return true
	}
	switch c.text[i] {
	case ',', '}', ']', ' ', '\n', '\r', '\t':
		return true
	}
	return false
}
