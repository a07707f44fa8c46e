// Package text turns the bytes that programs write into lines that people can read:
// it splits them in bounded memory and decodes what is not UTF-8.
package text

import "bytes"

// Line is one line without its end. Bytes is valid until the next call only.
type Line struct {
	Bytes []byte
	Cut   int64 // bytes of the line beyond the limit, which are gone
}

// Splitter splits what is written to it into lines and hands each to Emit. It keeps
// Limit bytes of a line whatever its length. A carriage return within a line starts
// it over, as on a terminal, so that a progress bar becomes one line.
type Splitter struct {
	Limit int
	Emit  func(Line)

	line  []byte
	cut   int64
	back  bool // the last byte was a carriage return
	begun bool // there is something to emit, maybe an empty text
}

// Write takes the next bytes. It never fails.
func (s *Splitter) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		end := bytes.IndexByte(p, '\n')
		if end < 0 {
			s.add(p)
			break
		}
		if end > 0 {
			s.add(p[:end])
		}
		s.begun = true
		s.Flush()
		p = p[end+1:]
	}
	return n, nil
}

// Flush hands on what has been written of a line that has not ended; what still
// comes of it becomes a line of its own.
func (s *Splitter) Flush() {
	if s.begun {
		s.Emit(Line{Bytes: s.line, Cut: s.cut})
	}
	s.line, s.cut, s.back, s.begun = s.line[:0], 0, false, false
}

// Pending reports whether a line has begun and not ended.
func (s *Splitter) Pending() bool { return s.begun }

// add takes bytes without a line feed.
func (s *Splitter) add(p []byte) {
	s.begun = true
	for len(p) > 0 {
		if p[0] == '\r' {
			s.back = true
			p = p[1:]
			continue
		}
		if s.back {
			s.line, s.cut, s.back = s.line[:0], 0, false
		}
		part := p
		if i := bytes.IndexByte(p, '\r'); i >= 0 {
			part = p[:i]
		}
		kept := min(len(part), s.Limit-len(s.line))
		s.line = append(s.line, part[:kept]...)
		s.cut += int64(len(part) - kept)
		p = p[len(part):]
	}
}
