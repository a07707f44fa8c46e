package worker

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

func lineText(n int) []byte {
	return fmt.Appendf(nil, `"at":"2026-11-30T07:30:00Z","level":"INFO","message":"line %d"}`, n)
}

// decodeAll decodes chunks as a server does.
func decodeAll(t *testing.T, chunks []*chunk) (all []wire.LogLine) {
	t.Helper()
	for _, c := range chunks {
		var got []wire.LogLine
		if err := json.Unmarshal([]byte("["+string(c.text)+"]"), &got); err != nil {
			t.Fatalf("%s: %v", c.text, err)
		}
		if len(got) != c.lines || len(got) > wire.MaxLogChunkLines {
			t.Fatalf("%d lines, counted %d", len(got), c.lines)
		}
		all = append(all, got...)
	}
	return all
}

func TestLinesKeepOrderInChunks(t *testing.T) {
	t.Parallel()
	var l lines
	var chunks []*chunk
	for i := range 2300 {
		l.add(lineText(i), 1<<20, time.Now())
		if i == 1000 { // a chunk that is on its way does not grow
			chunks = append(chunks, l.take())
		}
	}
	for len(l.chunks) > 0 {
		chunks = append(chunks, l.take())
	}
	all := decodeAll(t, chunks)
	for i, line := range all {
		if line.Seq != int64(i+1) || line.Message != fmt.Sprintf("line %d", i) {
			t.Fatalf("line %d is %+v", i, line)
		}
	}
	if len(all) != 2300 || l.bytes != 0 {
		t.Errorf("%d lines, %d bytes left", len(all), l.bytes)
	}
}

// Whatever is dropped is told: the lines that arrive and the numbers in the notices
// add up to the lines written, numbers rise, and the bound holds.
func TestDroppedLinesAreCounted(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		var l lines
		var arrived []*chunk
		written, limit := 0, 500+r.IntN(60_000)
		for range 3000 {
			l.add(lineText(written), limit, time.Now())
			written++
			if l.bytes > limit {
				t.Fatalf("%d bytes wait, the limit is %d", l.bytes, limit)
			}
			if r.IntN(100) == 0 && len(l.chunks) > 0 {
				c := l.take()
				if r.IntN(2) == 0 {
					l.giveBack([]*chunk{c})
				} else {
					arrived = append(arrived, c)
				}
			}
		}
		l.say(time.Now())
		for len(l.chunks) > 0 {
			arrived = append(arrived, l.take())
		}
		sum, last := 0, int64(0)
		for _, line := range decodeAll(t, arrived) {
			n := 1
			if line.Level == "WARN" {
				if _, err := fmt.Sscanf(line.Message, "%d log lines were dropped", &n); err != nil {
					t.Fatal(err)
				}
			}
			if line.Seq <= last {
				t.Fatalf("line %d after %d", line.Seq, last)
			}
			sum, last = sum+n, line.Seq
		}
		if sum != written {
			t.Fatalf("%d lines told of, %d written", sum, written)
		}
	}
}
