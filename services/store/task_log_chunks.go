package store

import (
	"bytes"

	lru "github.com/hashicorp/golang-lru/v2"
)

// chunksKept bounds the chunks whose lines are kept; one holds about 64 KiB, so all
// take some 20 MiB.
const chunksKept = 128

type (
	chunkKey struct {
		task  string
		first int64
	}
	readChunk struct {
		data  []byte
		lines []LogLine // never changed
	}
)

// chunkCache keeps the lines of the chunks that were read last: people who follow one
// log read the same chunks within a moment of one another, and reading their JSON once
// for each of them was most of what twenty followers cost.
type chunkCache struct {
	kept *lru.Cache[chunkKey, readChunk]
}

func newChunkCache() (chunkCache, error) {
	kept, err := lru.New[chunkKey, readChunk](chunksKept)
	return chunkCache{kept}, err
}

// lines answers the lines of a chunk that was read from the ledger as data, which it
// keeps; nobody may change either. A chunk is believed only with the same bytes.
func (c chunkCache) lines(task string, first int64, data []byte) ([]LogLine, error) {
	key := chunkKey{task, first}
	if known, ok := c.kept.Get(key); ok && bytes.Equal(known.data, data) {
		return known.lines, nil
	}
	lines, err := linesOf(first, data)
	if err == nil {
		c.kept.Add(key, readChunk{data, lines})
	}
	return lines, err
}
