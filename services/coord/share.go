package coord

import (
	"encoding/binary"
	"hash/fnv"
)

// rightful is the server whose share the partition is: the one of the candidates
// with the highest score. Every server comes to the same answer, and when one
// comes or goes only its own share moves. Empty without candidates.
func rightful(partition int, candidates []string) string {
	best, most := "", uint64(0)
	for _, id := range candidates {
		if s := score(id, partition); best == "" || s > most || s == most && id < best {
			best, most = id, s
		}
	}
	return best
}

// score is a hash of both, mixed once more since FNV leaves texts that differ
// only at the end close together.
func score(id string, partition int) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id)) // never fails
	_, _ = h.Write(binary.BigEndian.AppendUint32(nil, uint32(partition)))
	x := h.Sum64()
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
