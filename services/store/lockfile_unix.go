//go:build unix

package store

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// fileLock is a lock on a file that ends with the process, whatever ends it.
type fileLock struct{ file *os.File }

// errLocked says that another process, or another store here, holds the lock.
var errLocked = errors.New("the file is locked")

// lockFile takes the lock on path, or fails with errLocked at once.
func lockFile(path string) (*fileLock, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close() // the lock's error is the one to tell
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errLocked
		}
		return nil, fmt.Errorf("locking %s: %w", path, err)
	}
	return &fileLock{file: f}, nil
}

// release ends the lock. The file stays: removing it could free a lock that
// another process has just taken on the same name. It is idempotent.
func (l *fileLock) release() error {
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}
