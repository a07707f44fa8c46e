package process

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// detached finds the members of the family that are outside of its process group: in
// groups of their own, as a shell with job control makes them, or in sessions of their
// own, which the cookie in their environment gives away.
func (f family) detached() []int { return processes(f.has) }

// grouped reports whether anybody of the process group still runs: those that have
// ended stay in it until somebody asks how, which not every first process does.
func (f family) grouped() bool {
	return len(processes(func(pid int) bool {
		s, ok := statOf(pid)
		return ok && s.group == f.leader
	})) > 0
}

// processes finds the processes, this one apart, that is holds for.
func processes(is func(pid int) bool) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var found []int
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err == nil && pid != os.Getpid() && is(pid) {
			found = append(found, pid)
		}
	}
	return found
}

// has reports whether a process that runs belongs to the family.
func (f family) has(pid int) bool {
	s, ok := statOf(pid)
	if !ok {
		return false
	}
	if f.leader > 1 && s.session == f.leader {
		return true
	}
	environ, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "environ"))
	if err != nil {
		return false
	}
	return bytes.Contains(append([]byte{0}, environ...), []byte("\x00"+CookieName+"="+f.cookie+"\x00"))
}

type stat struct{ group, session int }

// statOf reads to which group and session a process belongs; not ok: it has ended.
func statOf(pid int) (s stat, ok bool) {
	raw, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return stat{}, false
	}
	// The name in brackets may contain anything, also brackets.
	fields := bytes.Fields(raw[bytes.LastIndexByte(raw, ')')+1:])
	if len(fields) < 4 || fields[0][0] == 'Z' || fields[0][0] == 'X' {
		return stat{}, false
	}
	var errGroup, errSession error
	s.group, errGroup = strconv.Atoi(string(fields[2]))
	s.session, errSession = strconv.Atoi(string(fields[3]))
	return s, errGroup == nil && errSession == nil
}
