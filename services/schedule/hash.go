package schedule

import (
	"encoding/binary"
	"time"
)

// The hash behind H and jitter. It decides when customers' jobs run, so it
// never changes: hash_test.go holds its answers.
//
//	FNV-1a, 64 bits, over the bytes of the seed, one zero byte and the bytes
//	of the label, then MurmurHash3's 64-bit finaliser (FNV's low bits alone
//	are too regular to take remainders of).
//
// The label of an H is the name of its field (second, minute, hour, day,
// month, weekday); every H in one field of one expression therefore draws the
// same number. H takes the number modulo the size of its range.
// Jitter is labelled "jitter" followed by the fire's Unix microseconds as
// eight bytes, most significant first, and takes the number modulo the jitter
// in microseconds.

const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

func hash(seed, label string) uint64 {
	h := uint64(fnvOffset)
	for i := range len(seed) {
		h = (h ^ uint64(seed[i])) * fnvPrime
	}
	h *= fnvPrime // the zero byte between seed and label
	for i := range len(label) {
		h = (h ^ uint64(label[i])) * fnvPrime
	}
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	h ^= h >> 33
	return h
}

// hashJitter returns a stable duration in [0, limit) for one fire of one
// seed, in whole microseconds. A limit below one microsecond gives 0.
func hashJitter(seed string, fire time.Time, limit time.Duration) time.Duration {
	if limit < time.Microsecond {
		return 0
	}
	label := binary.BigEndian.AppendUint64([]byte("jitter"), uint64(fire.UnixMicro()))
	return time.Duration(hash(seed, string(label))%uint64(limit.Microseconds())) * time.Microsecond
}
