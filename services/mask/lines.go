package mask

import (
	"strings"
	"sync"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

const (
	maxBlocks     = 1000 // attempts whose private keys are remembered
	maxBlockLines = 200  // of one private key
	pemLine       = 64   // characters of a full line of a private key
)

// blocks remembers the private keys that span several lines of a log: a command's
// output comes line by line, and in several reports.
type blocks struct {
	mu   sync.Mutex
	last map[wire.AttemptRef]block
	ring []wire.AttemptRef // oldest first, at most maxBlocks
}

// block is the latest private key in an attempt's log.
type block struct {
	begin, end int64 // seq of its first and last line; end is 0 while it is open
}

func newBlocks() *blocks { return &blocks{last: map[wire.AttemptRef]block{}} }

// Lines masks the lines of one log item in place. What it remembers goes by the
// lines' numbers, so that an item that comes again is masked in the same way.
func (m *Masker) Lines(of wire.AttemptRef, lines []wire.LogLine) {
	if m == nil {
		return
	}
	m.blocks.mask(of, lines)
	for i := range lines {
		lines[i].Message = m.Text(lines[i].Message)
		lines[i].Fields = m.JSON(lines[i].Fields)
	}
}

func (b *blocks) mask(of wire.AttemptRef, lines []wire.LogLine) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now, known := b.last[of]
	for i := range lines {
		line := &lines[i]
		inside := known && line.Seq > now.begin && line.Seq-now.begin <= maxBlockLines && (now.end == 0 || line.Seq <= now.end)
		at := strings.Index(line.Message, pemBegin)
		switch {
		case at >= 0 && opens(line.Message[at:]):
			now, known = block{begin: line.Seq}, true
		case inside && strings.Contains(line.Message, pemEnd):
			now.end = line.Seq
			if i := strings.Index(line.Message, pemEnd); i > 0 {
				line.Message = Mark + line.Message[i:]
			}
		case inside || isPEMLine(line.Message):
			line.Message = Mark
		}
	}
	if known {
		b.remember(of, now)
	}
}

// opens says whether a private key begins in text and does not end in it.
func opens(text string) bool {
	from, _ := pem(text, 0)
	head, _, _ := strings.Cut(strings.TrimPrefix(text, pemBegin), "-----")
	return strings.HasSuffix(head, pemKey) && (from < 0 || !strings.Contains(text[from:], pemEnd))
}

// isPEMLine says whether a line is one of a private key's, or of something that
// looks the same: 64 characters of base64 in both cases and with digits. A hash in
// hexadecimal has one case only.
func isPEMLine(text string) bool {
	text = strings.TrimSpace(text)
	if len(text) != pemLine {
		return false
	}
	var small, large, digits bool
	for i := range len(text) {
		switch c := text[i]; {
		case c >= 'a' && c <= 'z':
			small = true
		case c >= 'A' && c <= 'Z':
			large = true
		case c >= '0' && c <= '9':
			digits = true
		case c != '+' && c != '/' && c != '=':
			return false
		}
	}
	return small && large && digits
}

func (b *blocks) remember(of wire.AttemptRef, now block) {
	if _, known := b.last[of]; !known {
		if len(b.ring) >= maxBlocks {
			delete(b.last, b.ring[0])
			b.ring = b.ring[1:]
		}
		b.ring = append(b.ring, of)
	}
	b.last[of] = now
}
