//go:build unix

package allow

import (
	"io/fs"
	"os"
	"syscall"

	"github.com/belfry-scheduler/belfry/services/fault"
)

// trusted refuses a file that somebody else than root and the agent's own user can
// write: it would be theirs to say what the agent runs.
func trusted(path string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o022 != 0 {
		return fault.New(fault.Forbidden, "The allow-list %s can be written by others (mode %#o): run chmod go-w on it.", path, info.Mode().Perm())
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if ok && stat.Uid != 0 && int(stat.Uid) != os.Geteuid() {
		return fault.New(fault.Forbidden, "The allow-list %s belongs to user %d: give it to root or to the agent's own user.", path, stat.Uid)
	}
	return nil
}
