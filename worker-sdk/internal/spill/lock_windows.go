//go:build windows

package spill

import (
	"errors"
	"os"
	"syscall"
)

// errSharing is ERROR_SHARING_VIOLATION.
const errSharing = syscall.Errno(32)

// openLocked opens a file that nobody else can open meanwhile, or fails with
// ErrLocked at once.
func openLocked(path string, flags int) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	mode := uint32(syscall.OPEN_EXISTING)
	if flags&os.O_CREATE != 0 {
		mode = syscall.CREATE_ALWAYS
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, mode, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, errSharing) {
		return nil, ErrLocked
	}
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(h), path), nil
}

// remove deletes a file, which has to be closed before.
func remove(path string, f *os.File) error {
	return errors.Join(f.Close(), os.Remove(path))
}

// replace cannot happen on Windows while files are open under their names.
func replace(string, string, *os.File) error {
	return errors.New("a file in use cannot be replaced on Windows")
}
