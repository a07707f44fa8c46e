package main

import (
	"bytes"
	"math/rand/v2"
	"sync"
	"sync/atomic"
)

// commit is how a client of MySQL sends COMMIT: a header of length and sequence, the
// command COM_QUERY and the text.
var commit = []byte("\x07\x00\x00\x00\x03COMMIT")

// commitCutter breaks connections around a COMMIT. In three of four cases the server
// commits and the client never hears of it, in one the COMMIT never arrives: the
// client cannot tell the two apart.
type commitCutter struct {
	chance float64
	mu     sync.Mutex
	rng    *rand.Rand

	unheard, unsent atomic.Int64
}

func (c *commitCutter) meddle(_ *link, w way, chunk []byte) verdict {
	if w != up || !bytes.Contains(chunk, commit) {
		return pass
	}
	c.mu.Lock()
	hit, sent := c.rng.Float64() < c.chance, c.rng.IntN(4) > 0
	c.mu.Unlock()
	switch {
	case !hit:
		return pass
	case sent:
		c.unheard.Add(1)
		return after
	default:
		c.unsent.Add(1)
		return drop
	}
}
