//go:build !linux

package testserver

import (
	"errors"
	"time"
)

// CPU is known only on Linux.
func CPU(int) (time.Duration, error) {
	return 0, errors.New("the processor time of another process is known only on Linux")
}
