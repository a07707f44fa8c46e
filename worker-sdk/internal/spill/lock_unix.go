//go:build unix

package spill

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// openLocked opens a file and locks it for as long as it is open, or fails with
// ErrLocked at once.
func openLocked(path string, flags int) (*os.File, error) {
	f, err := os.OpenFile(path, flags&^os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lock(f, path); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if flags&os.O_TRUNC != 0 {
		if err := f.Truncate(0); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	return f, nil
}

func lock(f *os.File, path string) error {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return ErrLocked
		}
		return fmt.Errorf("locking: %w", err)
	}
	// Whoever had it may have removed or replaced it between opening and locking.
	mine, err := f.Stat()
	if err != nil {
		return err
	}
	if now, err := os.Stat(path); err != nil || !os.SameFile(mine, now) {
		return ErrLocked
	}
	return nil
}

// remove deletes a file while it is locked.
func remove(path string, f *os.File) error {
	return errors.Join(os.Remove(path), f.Close())
}

// replace puts fresh in the place of path, whose open file is old.
func replace(fresh, path string, old *os.File) error {
	if err := os.Rename(fresh, path); err != nil {
		return err
	}
	return old.Close()
}
