package main

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	_ "github.com/go-sql-driver/mysql" // to read the ledger
	_ "modernc.org/sqlite"             // to read the ledger

	"github.com/belfry-scheduler/belfry/internal/testserver"
)

// installation is the servers of one run.
type installation struct {
	db      *testserver.MariaDBServer // nil on SQLite
	redis   *testserver.RedisServer   // nil on SQLite
	ledger  *sql.DB                   // the ledger itself, to read what the server wrote
	binary  string
	env     []string
	server  *exec.Cmd
	url     string
	debug   string
	key     string
	token   string
	cleanup []func()
}

func (in *installation) close() {
	for _, clean := range slices.Backward(in.cleanup) {
		clean()
	}
}

// ledgerKind is where an installation keeps its ledger.
type ledgerKind string

const (
	onMariaDB ledgerKind = "MariaDB"
	onSQLite  ledgerKind = "SQLite"
)

// install starts a database, and Redis beside MariaDB, and a server with more in its
// environment if need be, and makes an app.
func install(ctx context.Context, o options, kind ledgerKind, env ...string) (_ *installation, err error) {
	in := &installation{}
	defer func() {
		if err != nil {
			in.close()
		}
	}()
	in.env = append(os.Environ(), "BELFRY_LISTEN=127.0.0.1:0", "BELFRY_DEBUG_LISTEN=127.0.0.1:0", "BELFRY_LOG_LEVEL=error")
	in.env = append(in.env, env...)
	prepare := in.prepareMariaDB
	if kind == onSQLite {
		prepare = in.prepareSQLite
	}
	if err := prepare(ctx); err != nil {
		return nil, err
	}
	if in.binary, err = filepath.Abs(o.belfry); err != nil {
		return nil, err
	}
	if err := in.startServer(ctx); err != nil {
		return nil, err
	}
	if in.key, err = in.belfry(ctx, "app", "create", "bench"); err != nil {
		return nil, err
	}
	in.token, err = in.belfry(ctx, "token", "create", "--name", "bench", "--role", "ADMIN")
	return in, err
}

func (in *installation) prepareMariaDB(ctx context.Context) (err error) {
	if in.db, err = testserver.StartMariaDB(testserver.MariaDBOptions{Durable: true}); err != nil {
		return err
	}
	in.cleanup = append(in.cleanup, func() { _ = in.db.Stop() })
	if in.redis, err = testserver.StartRedis(testserver.RedisOptions{}); err != nil {
		return err
	}
	in.cleanup = append(in.cleanup, func() { _ = in.redis.Stop() })
	name, err := in.db.NewDatabase(ctx)
	if err != nil {
		return err
	}
	in.env = append(in.env, "BELFRY_DATABASE_URL="+in.db.URL(name), "BELFRY_REDIS_URL="+in.redis.URL())
	return in.openLedger("mysql", fmt.Sprintf("root@tcp(%s)/%s?parseTime=true&loc=UTC&time_zone=%%27%%2B00:00%%27", in.db.Addr(), name))
}

func (in *installation) prepareSQLite(context.Context) error {
	dir, err := os.MkdirTemp("", "belfry-bench-")
	if err != nil {
		return err
	}
	in.cleanup = append(in.cleanup, func() { _ = os.RemoveAll(dir) })
	file := filepath.Join(dir, "belfry.db")
	in.env = append(in.env, "BELFRY_DATABASE_URL=sqlite://"+file)
	return in.openLedger("sqlite", "file:"+file+"?_pragma=busy_timeout(5000)&_inttotime=1&_time_integer_format=unix_micro")
}

func (in *installation) openLedger(driver, source string) (err error) {
	if in.ledger, err = sql.Open(driver, source); err != nil {
		return err
	}
	in.cleanup = append(in.cleanup, func() { _ = in.ledger.Close() })
	return nil
}

func (in *installation) startServer(ctx context.Context) error {
	in.server = exec.CommandContext(ctx, in.binary, "serve")
	in.server.Env, in.server.Stderr = in.env, os.Stderr
	out, err := in.server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := in.server.Start(); err != nil {
		return err
	}
	in.cleanup = append(in.cleanup, func() { stopProcess(in.server) })
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), "Debug endpoints are at "); ok {
			in.debug = rest
		}
		if rest, ok := strings.CutPrefix(lines.Text(), "Belfry is ready at "); ok {
			in.url = rest
			go func() { _, _ = io.Copy(io.Discard, out) }() // ends with the process
			return nil
		}
	}
	return errors.New("the server ended before it was ready")
}

// belfry runs a command of the binary and answers what it prints.
func (in *installation) belfry(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, in.binary, args...)
	cmd.Env, cmd.Stderr = in.env, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("belfry %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// startWorker starts the worker process, with more in its environment if need be.
func (in *installation) startWorker(ctx context.Context, o options, env ...string) (*exec.Cmd, error) {
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), workerEnv+"="+strconv.Itoa(o.slots), "SERVER="+in.url, "KEY="+in.key)
	cmd.Env = append(cmd.Env, env...)
	if o.profile != "" {
		cmd.Env = append(cmd.Env, profileEnv+"="+o.profile+".worker")
	}
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	return cmd, cmd.Start()
}

func stopProcess(cmd *exec.Cmd) {
	_ = cmd.Process.Signal(syscall.SIGINT) // it may have ended
	_ = cmd.Wait()
}

// graphql sends one operation and decodes its data.
func (in *installation) graphql(ctx context.Context, query string, variables map[string]any, data any) error {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, in.url+"/graphql", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+in.token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	answer := struct {
		Data   any
		Errors []struct{ Message string }
	}{Data: data}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		return err
	}
	if len(answer.Errors) > 0 {
		return fmt.Errorf("GraphQL: %v", answer.Errors)
	}
	return nil
}

// createJob makes the job of no-op tasks, which runs on request, and answers its id.
func (in *installation) createJob(ctx context.Context) (string, error) {
	return in.createJobs(ctx, 1, "noop", map[string]any{"trigger": manual})
}

// manual is the trigger of jobs that run on request.
var manual = map[string]any{"manual": true}

// onCron is of jobs that fire by a cron expression in UTC.
func onCron(expression string) map[string]any {
	return map[string]any{"trigger": map[string]any{"cron": map[string]any{"expression": expression}}}
}

// createJobs makes some jobs that are alike but for their names and answers the id of the
// last. Without a handler they do nothing.
func (in *installation) createJobs(ctx context.Context, n int, name string, like map[string]any) (id string, err error) {
	var app struct {
		App struct{ NodeGroups []struct{ ID string } }
	}
	if err := in.graphql(ctx, `{app(name:"bench"){nodeGroups{id}}}`, nil, &app); err != nil {
		return "", err
	}
	for i := range n {
		var made struct {
			CreateJob struct {
				Job        struct{ ID string }
				UserErrors []struct{ Message string }
			}
		}
		each := name
		if n > 1 {
			each = fmt.Sprintf("%s-%d", name, i)
		}
		input := map[string]any{"group": app.App.NodeGroups[0].ID, "name": each, "handler": "Noop"}
		maps.Copy(input, like)
		err := in.graphql(ctx, `mutation($in:CreateJobInput!){createJob(input:$in){job{id} userErrors{message}}}`, map[string]any{"in": input}, &made)
		if err != nil {
			return "", err
		}
		if len(made.CreateJob.UserErrors) > 0 {
			return "", fmt.Errorf("createJob: %s", made.CreateJob.UserErrors[0].Message)
		}
		id = made.CreateJob.Job.ID
	}
	return id, nil
}

// saveProfile takes a CPU profile of the server.
func (in *installation) saveProfile(ctx context.Context, file string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, in.debug+"/debug/pprof/profile?seconds=2", nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, res.Body)
	return errors.Join(err, out.Close())
}

func rate(n int, d time.Duration) float64 { return float64(n) / d.Seconds() }
