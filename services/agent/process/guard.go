package process

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// The guard is a process beside the agent that hears from it which families run. When
// the agent is gone, whatever ended it, the pipe between them ends, and the guard ends
// the families. A parent-death signal would not do: it is bound to the thread that
// started the program, and reaches the program only, not what it has started.
//
// On Windows job objects do the same without a process.

// GuardCommand is the agent's hidden command that is the guard.
const GuardCommand = "agent-guard"

// entry is what the guard knows of a run.
type entry struct {
	leader  int // 0 before the program has started
	scratch string
}

func beginLine(cookie string, e entry) string {
	return fmt.Sprintf("+ %s %d %s\n", cookie, e.leader, e.scratch)
}

func endLine(cookie string) string { return "- " + cookie + "\n" }

// follow reads lines until the agent is gone and answers the runs that it left.
func follow(in io.Reader) map[string]entry {
	runs := map[string]entry{}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		sign, rest, _ := strings.Cut(lines.Text(), " ")
		cookie, rest, _ := strings.Cut(rest, " ")
		switch sign {
		case "+":
			var e entry
			leader, scratch, _ := strings.Cut(rest, " ")
			if _, err := fmt.Sscanf(leader, "%d", &e.leader); err == nil {
				e.scratch = scratch
				runs[cookie] = e
			}
		case "-":
			delete(runs, cookie)
		}
	}
	return runs
}
