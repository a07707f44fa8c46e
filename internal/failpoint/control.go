//go:build failpoints && unix

package failpoint

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strings"
)

// init reads the environment and listens: a process under test must not be able to
// forget it.
func init() {
	if err := configure(os.Getenv("BELFRY_FAILPOINTS")); err != nil {
		panic("BELFRY_FAILPOINTS: " + err.Error()) //nolint:forbidigo // a wrong test set-up must not run
	}
	path := os.Getenv("BELFRY_FAILPOINT_SOCKET")
	if path == "" {
		return
	}
	_ = os.Remove(path) // of a process that was killed
	listener, err := net.Listen("unix", path)
	if err != nil {
		panic("BELFRY_FAILPOINT_SOCKET: " + err.Error()) //nolint:forbidigo // as above
	}
	go serve(listener) // ends with the process
}

func serve(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go answer(conn)
	}
}

// answer serves one connection: each line is a specification, which replaces the
// rules, or the word hits; each gets one line back.
func answer(conn net.Conn) {
	defer conn.Close()
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		text := "ok"
		if lines.Text() == "hits" {
			text = hits()
		} else if err := configure(lines.Text()); err != nil {
			text = "error: " + err.Error()
		}
		if _, err := fmt.Fprintln(conn, text); err != nil {
			return
		}
	}
}

// hits answers how often each point was passed, as POINT=N in one line.
func hits() string {
	set.Lock()
	defer set.Unlock()
	var all []string
	for p, n := range set.hits {
		all = append(all, fmt.Sprintf("%s=%d", p, n))
	}
	return strings.Join(all, " ")
}
