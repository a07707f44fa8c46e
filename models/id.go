package models

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// NewID makes a ULID whose time part is at and whose rest is random.
func NewID(at time.Time) string {
	return ulid.MustNew(ulidTime(at), rand.Reader).String()
}

// FireID is the TaskId of a scheduled fire: the same job, instant and shard
// always have the same id, so a second insert collides on the primary key
// whatever any lock did. Shard is -1 for a task without shards.
func FireID(jobID string, at time.Time, shard int) string {
	return derive(at, fmt.Sprintf("fire\x00%s\x00%d\x00%d", jobID, at.UnixMicro(), shard))
}

// JoinID is the TaskId of what a window of a dependency job fires: the same job,
// window and instant always have the same id. At is the task's scheduled instant.
func JoinID(jobID, window string, at time.Time) string {
	return derive(at, fmt.Sprintf("join\x00%s\x00%s", jobID, window))
}

// RequestID is the TaskId of a request that carries its own id: a repeat of the
// request has the same one. At is the instant encoded in the request's ULID, or
// the zero time when it has none.
func RequestID(appID, request string, at time.Time) string {
	return derive(at, fmt.Sprintf("request\x00%s\x00%s", appID, request))
}

// MoveID is the id under which it is kept that a request with its own id moved a
// task that was there: a repeat of the request moves nothing again. At is that of
// the request, never of the task, so that old ones are found by their time.
func MoveID(appID, request string, at time.Time) string {
	return derive(at, fmt.Sprintf("move\x00%s\x00%s", appID, request))
}

// BackfillID is the id of the backfill of a job that a request with its own id asks
// for: a repeat has the same one. At is that of the request.
func BackfillID(jobID, request string, at time.Time) string {
	return derive(at, fmt.Sprintf("backfill request\x00%s\x00%s", jobID, request))
}

// BackfillTaskID is the TaskId of the task that a backfill makes for a past fire.
func BackfillTaskID(backfillID string, at time.Time) string {
	return derive(at, fmt.Sprintf("backfill\x00%s\x00%d", backfillID, at.UnixMicro()))
}

// childBits is how many bits of a child's id hold its shard.
const childBits = 25

// ChildID is the TaskId of a task that another is spread over: the same parent and shard
// always have the same id. It has the parent's time part, then a hash of the parent, then
// the shard, counted down: lists run from the highest id down, and so from the first shard
// up. The children of a parent are a range of ids with nothing else in it.
func ChildID(parent string, shard int) string {
	return childPrefix(parent) + base32(uint64(1<<childBits-1-shard), childBits/5)
}

// ChildIDs are the bounds, both included, of the ids of a parent's children.
func ChildIDs(parent string) (low, high string) {
	prefix := childPrefix(parent)
	return prefix + base32(0, childBits/5), prefix + base32(1<<childBits-1, childBits/5)
}

func childPrefix(parent string) string {
	sum := sha256.Sum256([]byte("children\x00" + parent))
	return parent[:min(len(parent), timeChars)] + base32(binary.BigEndian.Uint64(sum[:]), idChars-timeChars-childBits/5)
}

const (
	idChars   = 26 // of a ULID
	timeChars = 10 // of them, those that hold the time
	crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
)

// base32 writes the lowest 5·n bits of v in n characters, in the alphabet of ULIDs.
func base32(v uint64, n int) string {
	text := make([]byte, n)
	for i := n - 1; i >= 0; i-- {
		text[i] = crockford[v&31]
		v >>= 5
	}
	return string(text)
}

// PartitionOf is the partition of a node group.
func PartitionOf(groupID string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(groupID)) // never fails
	return int(h.Sum32() % Partitions)
}

// derive makes a ULID with the time part of at and the rest from a hash of seed.
func derive(at time.Time, seed string) string {
	sum := sha256.Sum256([]byte(seed))
	var id ulid.ULID
	_ = id.SetTime(ulidTime(at)) // ulidTime keeps it in range
	_ = id.SetEntropy(sum[:10])  // exactly ten bytes
	return id.String()
}

// ulidTime is at in milliseconds, kept within what a ULID can hold.
func ulidTime(at time.Time) uint64 {
	return uint64(min(max(at.UnixMilli(), 0), int64(ulid.MaxTime())))
}

// LowestID is the smallest id with the time part of at: a keyset bound for "from at".
func LowestID(at time.Time) string {
	var id ulid.ULID
	_ = id.SetTime(ulidTime(at)) // the rest stays zero
	return id.String()
}

// IDTime is the instant in an id's time part, to the millisecond; the zero time for what
// is no id.
func IDTime(id string) time.Time {
	parsed, err := ulid.ParseStrict(id)
	if err != nil {
		return time.Time{}
	}
	return ulid.Time(parsed.Time()).UTC()
}

// BulkID is the id of the bulk operation that a request with its own id asks for: a
// repeat has the same one. At is that of the request.
func BulkID(request string, at time.Time) string {
	return derive(at, "bulk request\x00"+request)
}

// Sequence makes ULIDs that grow in the order in which they are asked for, also within a
// millisecond. The zero value is ready; it is safe for concurrent use.
type Sequence struct {
	mu      sync.Mutex
	last    uint64 // milliseconds
	entropy *ulid.MonotonicEntropy
}

// sequenceBack is how many milliseconds the clock may go back before a Sequence follows it.
const sequenceBack = 1000

// Next makes n ids with the time part of at.
func (s *Sequence) Next(at time.Time, n int) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	ms := ulidTime(at)
	if ms < s.last && s.last-ms <= sequenceBack {
		ms = s.last
	}
	if s.entropy == nil || ms != s.last {
		s.entropy = ulid.Monotonic(rand.Reader, 0)
	}
	s.last = ms
	ids := make([]string, 0, n)
	for len(ids) < n {
		id, err := ulid.New(s.last, s.entropy)
		if err != nil { // the random part has come to its end
			s.last++
			s.entropy = ulid.Monotonic(rand.Reader, 0)
			continue
		}
		ids = append(ids, id.String())
	}
	return ids
}
