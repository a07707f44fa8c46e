package agent

import (
	"fmt"
	"os"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Conceal keeps the agent's own environment and memory from the programs that it runs
// under its own user: they could read both under /proc otherwise. With flag, the value
// of that command-line flag is overwritten in the list of processes, as those who pass
// secrets there in spite of the advice expect.
func Conceal(flag string) error {
	for i, argument := range os.Args {
		if value, ok := strings.CutPrefix(argument, flag+"="); ok {
			wipe(value)
		} else if argument == flag && i+1 < len(os.Args) {
			wipe(os.Args[i+1])
		}
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("hiding the agent's environment: %w", err)
	}
	return nil
}

// wipe overwrites an argument in place: os.Args are views of the memory that the system
// shows as the process's command line, and nothing else keeps these bytes.
func wipe(argument string) {
	if argument == "" {
		return
	}
	place := unsafe.Slice(unsafe.StringData(argument), len(argument)) //nolint:gosec // the memory of the process's arguments may be written to
	for i := range place {
		place[i] = 'x'
	}
}
