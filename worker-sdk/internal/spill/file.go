package spill

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// File is the file of this process. It is safe for use by many goroutines.
type File struct {
	path   string
	limit  int64
	header Header

	mu    sync.Mutex
	file  *os.File // nil once closed
	empty int64    // its size with the header alone
	size  int64
	// lookAt is the size from which on what is done with is thrown out.
	lookAt int64
	next   uint64
	live   map[uint64]place // not done with; bounded by the file's limit
	bytes  int64            // of live ones
	buf    []byte
}

// place is where a record stands in its file.
type place struct {
	at   int64
	size int
}

// Create makes the file of this process in dir, which is made if it is missing. limit
// bounds its bytes.
func Create(dir string, header Header, limit int64) (*File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	f := &File{path: filepath.Join(dir, header.Incarnation+suffix), limit: limit, header: header, live: map[uint64]place{}}
	file, size, err := f.begin(f.path)
	if err != nil {
		return nil, err
	}
	f.file, f.size, f.empty, f.lookAt = file, size, size, roomy
	return f, nil
}

// begin makes a locked file at path that holds the header only.
func (f *File) begin(path string) (*os.File, int64, error) {
	file, err := openLocked(path, os.O_CREATE|os.O_TRUNC|os.O_RDWR)
	if err != nil {
		return nil, 0, err
	}
	header, err := json.Marshal(f.header)
	if err == nil {
		header = appendRecord([]byte(magic), kindHeader, header)
		_, err = file.Write(header)
	}
	if err != nil {
		return nil, 0, errors.Join(err, file.Close(), os.Remove(path))
	}
	return file, int64(len(header)), nil
}

// Path returns the file's path.
func (f *File) Path() string { return f.path }

// Len returns how many results are not done with.
func (f *File) Len() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.live)
}

// Append adds a result and returns its number, for Done. After an error the file is
// as before.
func (f *File) Append(result []byte) (uint64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := f.next + 1
	f.buf = appendRecord(f.buf[:0], kindResult, number(n), result)
	at := f.size
	if err := f.write(f.buf); err != nil {
		return 0, err
	}
	f.next = n
	f.live[n] = place{at, len(f.buf)}
	f.bytes += int64(len(f.buf))
	if cap(f.buf) > 64<<10 {
		f.buf = nil // a giant's memory is not kept
	}
	return n, nil
}

// write adds records; a part that a full disk has cut off is taken back.
func (f *File) write(records []byte) error {
	switch {
	case f.file == nil:
		return os.ErrClosed
	case f.size+int64(len(records)) > f.limit:
		return errFull
	}
	if _, err := f.file.WriteAt(records, f.size); err != nil {
		return errors.Join(err, f.file.Truncate(f.size))
	}
	f.size += int64(len(records))
	return nil
}

// Done notes that results are done with. Losing the note is harmless: the result is
// sent once more, which the server knows.
func (f *File) Done(numbers ...uint64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var text []byte
	for _, n := range numbers {
		if p, there := f.live[n]; there {
			delete(f.live, n)
			f.bytes -= int64(p.size)
			text = append(text, number(n)...)
		}
	}
	if f.file == nil || len(text) == 0 {
		return nil
	}
	if f.size <= f.lookAt || f.size <= 4*f.bytes {
		return f.write(appendRecord(nil, kindDone, text))
	}
	if len(f.live) == 0 {
		if err := f.file.Truncate(f.empty); err != nil {
			return err
		}
		f.size, f.lookAt = f.empty, roomy
		return nil
	}
	err := f.compact()
	f.lookAt = roomy
	if err != nil {
		f.lookAt = 2 * f.size // not again at once
		err = errors.Join(err, f.write(appendRecord(nil, kindDone, text)))
	}
	return err
}

// compact copies what is not done with to a new file that takes this one's place.
func (f *File) compact() error {
	fresh := f.path + freshSuffix
	file, size, err := f.begin(fresh)
	if err != nil {
		return fmt.Errorf("making %s: %w", fresh, err)
	}
	moved := make(map[uint64]place, len(f.live))
	var record []byte
	for _, n := range slices.Sorted(maps.Keys(f.live)) {
		p := f.live[n]
		record = slices.Grow(record[:0], p.size)[:p.size]
		if _, err = f.file.ReadAt(record, p.at); err != nil {
			break
		}
		if _, err = file.WriteAt(record, size); err != nil {
			break
		}
		moved[n] = place{size, p.size}
		size += int64(p.size)
	}
	if err == nil {
		err = replace(fresh, f.path, f.file)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("making %s smaller: %w", f.path, err), file.Close(), os.Remove(fresh))
	}
	f.file, f.size, f.live = file, size, moved
	return nil
}

// Close gives the file up; with everything done it is removed. Otherwise the next
// process finds it.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return nil
	}
	var err error
	if len(f.live) == 0 {
		err = remove(f.path, f.file)
	} else {
		err = f.file.Close()
	}
	f.file = nil
	return err
}
