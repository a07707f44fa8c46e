package spill

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ErrLocked says that a living process has the file.
var ErrLocked = errors.New("another process has the file")

// Orphan is the file of a process that is gone, locked while it is open.
type Orphan struct {
	Header
	Damaged int // records that cannot be read: what a crash has cut off

	path string
	file *os.File
	left []place // results that are not done with, the oldest first
}

// Orphans opens the files of processes of this app that are gone, in the order of
// their names. The error joins what is wrong with single files and the folder.
func Orphans(dir, app string) ([]*Orphan, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var found []*Orphan
	wrong := []error{err}
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), suffix+freshSuffix) {
			removeUnlocked(filepath.Join(dir, entry.Name()))
		}
		if !strings.HasSuffix(entry.Name(), suffix) {
			continue
		}
		o, err := openOrphan(filepath.Join(dir, entry.Name()))
		switch {
		case errors.Is(err, ErrLocked), errors.Is(err, os.ErrNotExist):
		case err != nil:
			wrong = append(wrong, fmt.Errorf("%s: %w", entry.Name(), err))
		case o.App != app:
			wrong = append(wrong, o.file.Close())
		default:
			found = append(found, o)
		}
	}
	return found, errors.Join(wrong...)
}

// removeUnlocked deletes a copy that a crash has left half made. It holds nothing
// that the file itself does not, so that failing to delete it is harmless.
func removeUnlocked(path string) {
	if f, err := openLocked(path, os.O_RDWR); err == nil {
		_ = remove(path, f)
	}
}

func openOrphan(path string) (*Orphan, error) {
	file, err := openLocked(path, os.O_RDWR)
	if err != nil {
		return nil, err
	}
	o := &Orphan{path: path, file: file}
	if err := o.read(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return o, nil
}

// read finds the results that are not done with.
func (o *Orphan) read() error {
	info, err := o.file.Stat()
	if err != nil {
		return err
	}
	head := make([]byte, len(magic))
	if _, err := o.file.ReadAt(head, 0); err != nil || string(head) != magic {
		return errors.New("is no file of results that a worker has kept")
	}
	live := map[uint64]place{}
	at, end := int64(len(magic)), info.Size()
	for at < end {
		kind, payload, size, err := readRecord(o.file, at, end)
		if errors.Is(err, errBroken) {
			o.Damaged++
			if size == 0 {
				break // its length cannot be believed either
			}
			at += int64(size)
			continue
		}
		if err != nil {
			return err
		}
		o.note(live, kind, payload, place{at, size})
		at += int64(size)
	}
	if o.Incarnation == "" {
		return errors.New("does not say whose results it holds")
	}
	for _, p := range live {
		o.left = append(o.left, p)
	}
	slices.SortFunc(o.left, func(a, b place) int { return int(a.at - b.at) })
	return nil
}

func (o *Orphan) note(live map[uint64]place, kind byte, payload []byte, p place) {
	switch {
	case kind == kindHeader:
		_ = json.Unmarshal(payload, &o.Header) // without an incarnation the file is refused
	case kind == kindResult && len(payload) >= 8:
		live[binary.BigEndian.Uint64(payload)] = p
	case kind == kindDone:
		for n := range slices.Chunk(payload, 8) {
			if len(n) == 8 {
				delete(live, binary.BigEndian.Uint64(n))
			}
		}
	}
}

var errBroken = errors.New("a broken record")

// readRecord reads the record at at. For errBroken size is where the next one may
// begin, 0 when that is not known.
func readRecord(file *os.File, at, end int64) (kind byte, payload []byte, size int, err error) {
	var head [8]byte
	if at+recordHead > end {
		return 0, nil, 0, errBroken
	}
	if _, err := file.ReadAt(head[:], at); err != nil {
		return 0, nil, 0, err
	}
	length := int64(binary.BigEndian.Uint32(head[:]))
	if length < 1 || length > maxRecord || at+8+length > end {
		return 0, nil, 0, errBroken
	}
	body := make([]byte, length)
	if _, err := file.ReadAt(body, at+8); err != nil && !errors.Is(err, io.EOF) {
		return 0, nil, 0, err
	}
	size = 8 + int(length)
	if crc32.Checksum(body, castagnoli) != binary.BigEndian.Uint32(head[4:]) {
		return 0, nil, size, errBroken
	}
	return body[0], body[1:], size, nil
}

// Len returns how many results are left to be taken.
func (o *Orphan) Len() int { return len(o.left) }

// Take returns the next results, the oldest first: at most items of them, and none
// after they have reached so many bytes.
func (o *Orphan) Take(items, bytes int) ([][]byte, error) {
	var out [][]byte
	size := 0
	for len(o.left) > 0 && len(out) < items && size < bytes {
		p := o.left[0]
		_, payload, _, err := readRecord(o.file, p.at, p.at+int64(p.size))
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", o.path, err)
		}
		o.left = o.left[1:]
		out, size = append(out, payload[8:]), size+len(payload)
	}
	return out, nil
}

// Path returns the file's path.
func (o *Orphan) Path() string { return o.path }

// Close keeps the file for a later process.
func (o *Orphan) Close() error { return o.file.Close() }

// Remove deletes the file: its results have been sent.
func (o *Orphan) Remove() error { return remove(o.path, o.file) }
