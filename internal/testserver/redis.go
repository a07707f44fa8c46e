package testserver

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/belfry-scheduler/belfry/services/clock"
)

const installRedis = "apt-get install --no-install-recommends redis-server redis-tools"

// RedisOptions say how to start a Redis.
type RedisOptions struct {
	Port   int    // 0: a free one
	Dir    string // empty: a temporary one, removed by Stop
	Append bool   // keep an append-only file, so that a restart finds the data
}

// RedisServer is a running Redis.
type RedisServer struct {
	Port int
	Dir  string

	opts RedisOptions
	proc *process
}

// StartRedis starts a Redis on the loopback interface.
func StartRedis(o RedisOptions) (*RedisServer, error) {
	program, err := find(installRedis, "redis-server")
	if err != nil {
		return nil, err
	}
	s := &RedisServer{opts: o, Dir: o.Dir}
	if s.Dir == "" {
		if s.Dir, err = os.MkdirTemp("", "belfry-redis-"); err != nil {
			return nil, fmt.Errorf("making Redis' directory: %w", err)
		}
	}
	for try := 1; ; try++ {
		if err = s.run(program); err == nil {
			return s, nil
		}
		if o.Port != 0 || try == portTries {
			return nil, errors.Join(err, s.clean())
		}
	}
}

func (s *RedisServer) run(program string) (err error) {
	if s.Port = s.opts.Port; s.Port == 0 {
		if s.Port, err = freePort(); err != nil {
			return err
		}
	}
	appendOnly := "no"
	if s.opts.Append {
		appendOnly = "yes"
	}
	s.proc, err = start(filepath.Join(s.Dir, "redis.log"), program, "--port", strconv.Itoa(s.Port),
		"--bind", "127.0.0.1", "--dir", s.Dir, "--save", "", "--appendonly", appendOnly, "--daemonize", "no")
	if err != nil {
		return err
	}
	return s.proc.await(s.ping)
}

// ping speaks just enough of the protocol to know that the server answers.
func (s *RedisServer) ping() error {
	conn, err := net.DialTimeout("tcp", address(s.Port), time.Second)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetDeadline(clock.System{}.Now().Add(time.Second)); err != nil {
		return err
	}
	if _, err := conn.Write([]byte("PING\r\n")); err != nil {
		return err
	}
	answer, err := bufio.NewReader(conn).ReadString('\n')
	if err == nil && answer != "+PONG\r\n" {
		err = fmt.Errorf("answer %q", answer)
	}
	return err
}

// URL is the address in the form that settings take.
func (s *RedisServer) URL() string { return "redis://" + address(s.Port) }

// Addr is host:port.
func (s *RedisServer) Addr() string { return address(s.Port) }

// PID is the process id, to pause it (SIGSTOP) or to measure its CPU.
func (s *RedisServer) PID() int { return s.proc.cmd.Process.Pid }

// Kill ends the server at once (SIGKILL); Restart brings it back.
func (s *RedisServer) Kill() error { return s.proc.stop(syscall.SIGKILL) }

// Restart starts a stopped or killed server again on the same port.
func (s *RedisServer) Restart() error {
	program, err := find(installRedis, "redis-server")
	if err != nil {
		return err
	}
	s.opts.Port = s.Port
	return s.run(program)
}

// Stop ends the server and removes its directory, unless it was given one.
func (s *RedisServer) Stop() error { return errors.Join(s.proc.stop(syscall.SIGTERM), s.clean()) }

func (s *RedisServer) clean() error {
	if s.opts.Dir != "" {
		return nil
	}
	return os.RemoveAll(s.Dir)
}
