// Package spill keeps results that no server has taken yet in files, so that the
// next process can send them when this one ends without a word.
//
// Each process has a file of its own in a folder, locked for as long as it lives. A
// file that nobody has locked belongs to a process that is gone: Orphans opens those.
// A file is a line that says what it is, and then records: four bytes of length, four
// of a checksum (CRC-32C) over the rest, one of kind, and the payload. Records are
// only ever added: the header first, then results and notes of which results are
// done with. A record that a crash has cut off is the last one and is ignored. When a
// file is mostly done with, what is left is copied to a new one that takes its place.
//
// Nothing is flushed to the disk: a record outlives the process, however it ends, but
// not a power failure, after which the attempt runs again as it does without a file.
package spill

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// Header says whose results a file holds.
type Header struct {
	App         string `json:"app"`
	Group       string `json:"group"`
	Node        string `json:"node"`
	Incarnation string `json:"incarnation"`
}

const (
	magic  = "belfry results 1\n"
	suffix = ".belfry-results"
	// freshSuffix marks a smaller copy that is being made of a file.
	freshSuffix = ".new"

	kindHeader = 'h'
	kindResult = 'r' // eight bytes of number, then the text
	kindDone   = 'd' // numbers of eight bytes

	recordHead = 9       // length, checksum, kind
	maxRecord  = 4 << 20 // a longer one is no record
	// roomy is how large a file may become before it is looked at.
	roomy = 1 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// errFull is what Append answers when the file has its limit.
var errFull = errors.New("the file is full")

// appendRecord appends one record to b.
func appendRecord(b []byte, kind byte, payload ...[]byte) []byte {
	start := len(b)
	b = append(b, 0, 0, 0, 0, 0, 0, 0, 0, kind)
	for _, part := range payload {
		b = append(b, part...)
	}
	body := b[start+8:] // kind and payload
	binary.BigEndian.PutUint32(b[start:], uint32(len(body)))
	binary.BigEndian.PutUint32(b[start+4:], crc32.Checksum(body, castagnoli))
	return b
}

func number(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }
