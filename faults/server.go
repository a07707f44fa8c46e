package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	contSignal = syscall.SIGCONT
	haltSignal = syscall.SIGSTOP
	readyLine  = "Belfry is ready at "
	socketWait = 2 * time.Second
)

// server is one belfry serve with a proxy on each side.
type server struct {
	b    *bed
	name string
	env  []string // beyond what every server has

	front, db, redis *proxy
	proc             *process
}

func newServer(b *bed, name string) (s *server, err error) {
	s = &server{b: b, name: name}
	if s.front, err = newProxy(""); err != nil {
		return nil, err
	}
	if s.db, err = newProxy(b.db.Addr()); err != nil {
		return nil, err
	}
	s.redis, err = newProxy(b.redis.Addr())
	return s, err
}

// url is where workers and clients find it.
func (s *server) url() string { return "http://" + s.front.addr() }

func (s *server) socket() string { return filepath.Join(s.b.dir, s.name+".sock") }

// start starts the process and waits until it serves.
func (s *server) start(ctx context.Context) error {
	if err := s.launch(); err != nil {
		return err
	}
	address, err := s.proc.await(ctx, readyLine)
	if err != nil {
		return err
	}
	at, err := url.Parse(address)
	if err != nil {
		return err
	}
	s.front.aim(at.Host)
	return nil
}

// launch starts the process and does not wait.
func (s *server) launch() (err error) {
	env := append([]string{
		fmt.Sprintf("BELFRY_DATABASE_URL=mysql://root@%s/%s", s.db.addr(), s.b.name), "BELFRY_REDIS_URL=redis://" + s.redis.addr(),
		"BELFRY_LISTEN=127.0.0.1:0", "BELFRY_SERVER_NAME=" + s.name, "BELFRY_LOG_LEVEL=warn", "BELFRY_LOG_FORMAT=text",
		"BELFRY_FAILPOINT_SOCKET=" + s.socket(), fmt.Sprintf("BELFRY_FAILPOINT_SEED=%d", s.b.rng.Uint64N(1<<40)),
	}, s.env...)
	s.proc, err = start(s.b.dir, s.name, env, []string{readyLine}, s.b.o.belfry, "serve")
	return err
}

// kill ends the process as a power cut would.
func (s *server) kill() { s.proc.kill() }

// restart starts it again if it has ended.
func (s *server) restart(ctx context.Context) error {
	if s.proc.alive() {
		return nil
	}
	return s.start(ctx)
}

// heal ends what was done to the server.
func (s *server) heal(ctx context.Context) error {
	for _, p := range []*proxy{s.front, s.db, s.redis} {
		p.heal()
	}
	if err := s.restart(ctx); err != nil {
		return err
	}
	if err := s.proc.signal(contSignal); err != nil {
		return err
	}
	return s.fail("")
}

func (s *server) close() {
	if s.proc != nil {
		s.proc.kill()
	}
	for _, p := range []*proxy{s.front, s.db, s.redis} {
		p.close()
	}
}

// fail replaces the rules of the server's fail points.
func (s *server) fail(spec string) error {
	answer, err := s.control(spec)
	if err == nil && answer != "ok" {
		err = errors.New(answer)
	}
	if err != nil {
		return fmt.Errorf("fail points of %s: %w", s.name, err)
	}
	return nil
}

func (s *server) control(line string) (string, error) {
	conn, err := dial("unix", s.socket(), socketWait)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(socketWait)); err != nil {
		return "", err
	}
	if _, err := fmt.Fprintln(conn, line); err != nil {
		return "", err
	}
	answer, err := bufio.NewReader(conn).ReadString('\n')
	return strings.TrimSpace(answer), err
}

// leader answers the live server that leads most of the load's groups.
func (b *bed) leader(ctx context.Context) (*server, error) {
	rows, err := b.ledger.QueryContext(ctx, `SELECT s.name, COUNT(*) FROM jobs j
		JOIN partitions p ON p.id = j.part JOIN servers s ON s.id = p.owner_id GROUP BY s.name ORDER BY 2 DESC, 1`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var n int
		if err := rows.Scan(&name, &n); err != nil {
			return nil, err
		}
		for _, s := range b.servers {
			if s.name == name && s.proc.alive() && !s.proc.halted() {
				return s, nil
			}
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return b.servers[b.rng.IntN(len(b.servers))], nil
}

// others answers the servers but one.
func (b *bed) others(but *server) []*server {
	var all []*server
	for _, s := range b.servers {
		if s != but {
			all = append(all, s)
		}
	}
	return all
}

// hits answers how often the server has passed each fail point.
func (s *server) hits() (map[string]int, error) {
	text, err := s.control("hits")
	if err != nil {
		return nil, err
	}
	all := map[string]int{}
	for one := range strings.FieldsSeq(text) {
		point, n, _ := strings.Cut(one, "=")
		if all[point], err = strconv.Atoi(n); err != nil {
			return nil, err
		}
	}
	return all, nil
}
