package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// postgres is a private PostgreSQL with its defaults (synchronous commit), for the
// peer that needs one.
type postgres struct {
	dir, bin string
	port     int
	as       *syscall.SysProcAttr // it refuses to run as root
	pid      int
}

const installPostgres = "apt-get install --no-install-recommends postgresql"

func startPostgres(ctx context.Context) (_ *postgres, err error) {
	p := &postgres{}
	if p.bin, err = postgresPrograms(); err != nil {
		return nil, err
	}
	if p.dir, err = os.MkdirTemp("", "belfry-postgres-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			p.stop()
		}
	}()
	if os.Geteuid() == 0 {
		if err := p.stepDown(); err != nil {
			return nil, err
		}
	}
	if p.port, err = freePort(ctx); err != nil {
		return nil, err
	}
	data := filepath.Join(p.dir, "data")
	if err := p.run(ctx, "initdb", "-D", data, "-U", "bench", "-A", "trust", "-E", "UTF8", "--no-sync"); err != nil {
		return nil, err
	}
	options := fmt.Sprintf("-p %d -k %s -c listen_addresses=127.0.0.1 -c max_connections=100 -c shared_buffers=256MB", p.port, p.dir)
	if err := p.run(ctx, "pg_ctl", "-D", data, "-l", filepath.Join(p.dir, "log"), "-o", options, "-w", "start"); err != nil {
		return nil, err
	}
	first, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	if err != nil {
		return nil, err
	}
	p.pid, err = strconv.Atoi(strings.SplitN(string(first), "\n", 2)[0])
	return p, err
}

// postgresPrograms finds the folder of initdb and pg_ctl, which Debian keeps out of the PATH.
func postgresPrograms() (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // the pattern is well formed
	if len(found) > 0 {
		return filepath.Dir(found[len(found)-1]), nil
	}
	path, err := exec.LookPath("initdb")
	if err != nil {
		return "", fmt.Errorf("PostgreSQL is not installed (%s): %w", installPostgres, err)
	}
	return filepath.Dir(path), nil
}

// stepDown has the programs run as the user that Debian's package makes.
func (p *postgres) stepDown() error {
	u, err := user.Lookup("postgres")
	if err != nil {
		return fmt.Errorf("PostgreSQL must not run as root: %w", err)
	}
	uid, _ := strconv.Atoi(u.Uid) // numbers on every Unix
	gid, _ := strconv.Atoi(u.Gid)
	p.as = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	return os.Chown(p.dir, uid, gid)
}

func (p *postgres) run(ctx context.Context, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, filepath.Join(p.bin, program), args...)
	cmd.SysProcAttr, cmd.Dir = p.as, p.dir
	// Files and not pipes: the server that pg_ctl leaves behind would keep a pipe open.
	out, err := os.Create(filepath.Join(p.dir, program+".out"))
	if err != nil {
		return err
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Run(); err != nil {
		said, _ := os.ReadFile(out.Name()) // to explain the error that counts
		return fmt.Errorf("%s: %w: %s", program, err, bytes.TrimSpace(said))
	}
	return nil
}

func (p *postgres) url() string {
	return fmt.Sprintf("postgres://bench@127.0.0.1:%d/postgres?sslmode=disable", p.port)
}

func (p *postgres) stop() {
	if p.pid != 0 {
		err := p.run(context.Background(), "pg_ctl", "-D", filepath.Join(p.dir, "data"), "-m", "immediate", "-w", "stop")
		if err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
		}
	}
	_ = os.RemoveAll(p.dir) // a temporary folder
}

func freePort(ctx context.Context) (int, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	address, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		return 0, errors.Join(errors.New("the listener has no TCP address"), l.Close())
	}
	return address.Port, l.Close()
}
