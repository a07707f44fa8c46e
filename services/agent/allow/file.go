package allow

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"sync"

	"github.com/belfry-scheduler/belfry/services/fault"
)

// File is an allow-list on disk. It is read anew whenever it is asked for, so an edit
// counts from the next run on. A file that is missing allows nothing, so that deleting
// it takes every right away; one that cannot be read or understood, or that others
// could have written, leaves the last good list in force and says so once.
type File struct {
	path   string
	logger *slog.Logger

	mu      sync.Mutex
	list    *List
	seen    []byte // the content that was judged last; nil: there was no file
	problem string // what was said last; "" while all is well
}

// Open reads the file for the first time: a bad one is an error then, a missing one
// is not.
func Open(path string, logger *slog.Logger) (*File, error) {
	f := &File{path: path, logger: logger, list: &List{}}
	data, err := read(path)
	if err != nil {
		return nil, err
	}
	f.seen = data
	if data == nil {
		return f, nil
	}
	if f.list, err = Parse(data); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// Path is where the file stands.
func (f *File) Path() string { return f.path }

// Exists reports whether there was a file when it was last read.
func (f *File) Exists() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen != nil
}

// List answers the rules that hold now.
func (f *File) List(ctx context.Context) *List {
	f.mu.Lock()
	defer f.mu.Unlock()
	data, err := read(f.path)
	if err != nil {
		f.complain(ctx, err)
		return f.list
	}
	if bytes.Equal(data, f.seen) && (data == nil) == (f.seen == nil) {
		if f.problem != "" && f.judged(data) {
			f.problem = ""
		}
		return f.list
	}
	f.seen = data
	list, err := Parse(data)
	if err != nil {
		f.complain(ctx, err)
		return f.list
	}
	f.list, f.problem = list, ""
	commands, shell, http := list.Counts()
	f.logger.InfoContext(ctx, "the allow-list has changed", "file", f.path, "exists", data != nil, "commands", commands, "shell", shell, "http", http)
	return f.list
}

// judged reports whether the content is a good list: a problem of reading it is over
// then, one of its content is not.
func (f *File) judged(data []byte) bool {
	_, err := Parse(data)
	return err == nil
}

// complain says once what is wrong with the file.
func (f *File) complain(ctx context.Context, err error) {
	if f.problem == err.Error() {
		return
	}
	f.problem = err.Error()
	f.logger.ErrorContext(ctx, "the allow-list is not usable: the last good one stays in force", "file", f.path, "error", err)
}

// read answers the file's content, nil if there is none.
func read(path string) ([]byte, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.New(fault.Unavailable, "The allow-list %s cannot be opened: %v.", path, reason(err))
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, fault.New(fault.Unavailable, "The allow-list %s cannot be read: %v.", path, reason(err))
	}
	if !info.Mode().IsRegular() {
		return nil, fault.New(fault.Invalid, "The allow-list %s is no ordinary file.", path)
	}
	if err := trusted(path, info); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(file, MaxFileBytes+1))
	if err != nil {
		return nil, fault.New(fault.Unavailable, "The allow-list %s cannot be read: %v.", path, reason(err))
	}
	return append([]byte{}, data...), nil
}

// reason is the reason in a file error, without its operation and path.
func reason(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}
