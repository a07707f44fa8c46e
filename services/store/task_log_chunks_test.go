package store

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

func chunkData(tb testing.TB, n int, word string) []byte {
	tb.Helper()
	lines := make([]wire.LogLine, n)
	for i := range lines {
		lines[i] = wire.LogLine{Seq: int64(i + 1), At: t0, Level: "INFO", Message: fmt.Sprint(word, " ", i), Fields: json.RawMessage(`{"stream":"stdout"}`)}
	}
	data, err := json.Marshal(lines)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func TestChunksAreKeptAndBelievedByTheirBytes(t *testing.T) {
	c, err := newChunkCache()
	if err != nil {
		t.Fatal(err)
	}
	read := func(task string, attempt int, data []byte) []LogLine {
		t.Helper()
		lines, err := c.lines(task, models.LogSeq(attempt, 1), data)
		if err != nil {
			t.Fatal(err)
		}
		return lines
	}
	first := read("a", 1, chunkData(t, 3, "one"))
	if again := read("a", 1, chunkData(t, 3, "one")); &again[0] != &first[0] {
		t.Error("the same chunk was read twice")
	}
	for name, got := range map[string]LogLine{
		"other bytes":   read("a", 1, chunkData(t, 3, "two"))[0],
		"another task":  read("b", 1, chunkData(t, 3, "two"))[0],
		"other attempt": read("a", 2, chunkData(t, 3, "two"))[0],
	} {
		if got.Message != "two 0" {
			t.Errorf("%s: %q", name, got.Message)
		}
	}
	if _, err := c.lines("a", models.LogSeq(1, 1), []byte("{")); err == nil {
		t.Error("broken bytes were believed")
	}
	for n := range 10 * chunksKept {
		read("c", n+1, chunkData(t, 1, "many"))
	}
	if c.kept.Len() != chunksKept {
		t.Errorf("%d chunks are kept, want %d", c.kept.Len(), chunksKept)
	}
}

// BenchmarkFollowedChunk reads a chunk of 500 lines: anew, and as the next follower.
func BenchmarkFollowedChunk(b *testing.B) {
	data, first := chunkData(b, 500, "line"), models.LogSeq(1, 1)
	b.Run("anew", func(b *testing.B) {
		for b.Loop() {
			if _, err := linesOf(first, data); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("kept", func(b *testing.B) {
		c, err := newChunkCache()
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if _, err := c.lines("a", first, data); err != nil {
				b.Fatal(err)
			}
		}
	})
}
