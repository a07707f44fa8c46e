//go:build unix

package process

import (
	"errors"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// family is a program and what it has started: its process group, and on Linux also
// its session and everybody who carries its cookie.
type family struct {
	leader int // process id, which is also the group's and the session's
	cookie string
}

// prepare gives the program a session of its own: a signal to its group reaches what
// it starts, and no terminal of the agent's is within its reach.
func prepare(cmd *exec.Cmd, spec *Spec) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if u := spec.User; u != nil {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: u.UID, Gid: u.GID, Groups: u.Groups}
	}
	return nil
}

func join(cmd *exec.Cmd, cookie string) (family, error) {
	return family{leader: cmd.Process.Pid, cookie: cookie}, nil
}

func (f family) close() {}

// ask sends the signal by which programs clean up, and wakes those that are stopped,
// who could not hear it.
func (f family) ask(all bool) {
	f.signal(unix.SIGTERM, all)
	f.signal(unix.SIGCONT, all)
}

func (f family) kill(all bool) { f.signal(unix.SIGKILL, all) }

func (f family) signal(s syscall.Signal, all bool) {
	if f.leader > 1 { // -0 and -1 are other people's processes
		_ = unix.Kill(-f.leader, s) // nobody left is fine
	}
	if !all {
		return
	}
	for _, pid := range f.detached() {
		p, err := os.FindProcess(pid)
		if err != nil {
			continue
		}
		// The handle is held before the second look, so the signal cannot reach somebody
		// who got the number meanwhile.
		if f.has(pid) {
			_ = p.Signal(s)
		}
		_ = p.Release()
	}
}

// alive reports whether anybody of the family is there, the leader apart, whom
// Process waits for.
func (f family) alive(all bool) bool {
	if f.leader > 1 {
		err := unix.Kill(-f.leader, 0)
		if (err == nil || errors.Is(err, unix.EPERM)) && f.grouped() {
			return true
		}
	}
	return all && len(f.detached()) > 0
}

func status(state *os.ProcessState) (code int, signal string) {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal()), unix.SignalName(ws.Signal())
	}
	return state.ExitCode(), ""
}
