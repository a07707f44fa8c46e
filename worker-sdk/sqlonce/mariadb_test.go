package sqlonce_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"sync"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql"
)

// mariadb is a private server of this test binary, on a socket in a folder of its own;
// nil until a test asks for it.
var mariadb struct {
	once sync.Once
	err  error
	dir  string
	cmd  *exec.Cmd
	n    int
	mu   sync.Mutex
}

func TestMain(m *testing.M) {
	code := m.Run()
	if mariadb.cmd != nil && mariadb.cmd.Process != nil {
		_ = mariadb.cmd.Process.Kill()
		_ = mariadb.cmd.Wait()
	}
	if mariadb.dir != "" {
		_ = os.RemoveAll(mariadb.dir)
	}
	os.Exit(code)
}

func program(names ...string) (string, error) {
	for _, name := range names {
		for _, dir := range []string{"", "/usr/sbin/", "/usr/bin/"} {
			if path, err := exec.LookPath(dir + name); err == nil {
				return path, nil
			}
		}
	}
	return "", fmt.Errorf("there is no %v: install the package mariadb-server-core", names)
}

func startMariaDB() (err error) {
	maker, err := program("mariadb-install-db", "mysql_install_db")
	if err != nil {
		return err
	}
	server, err := program("mariadbd", "mysqld")
	if err != nil {
		return err
	}
	if mariadb.dir, err = os.MkdirTemp("", "sqlonce-"); err != nil {
		return err
	}
	common := []string{
		"--no-defaults", "--datadir=" + filepath.Join(mariadb.dir, "data"), "--tmpdir=" + mariadb.dir,
		"--innodb-flush-method=nosync", "--innodb-log-file-size=16M", "--innodb-buffer-pool-size=32M",
	}
	if u, err := user.Current(); err == nil && os.Geteuid() == 0 {
		common = append(common, "--user="+u.Username)
	}
	install := exec.Command(maker, append(common, "--auth-root-authentication-method=normal", "--skip-test-db")...) //nolint:noctx // ends by itself
	if out, err := install.CombinedOutput(); err != nil {
		return fmt.Errorf("making the system tables: %w: %s", err, out)
	}
	mariadb.cmd = exec.Command(server, append(common, "--skip-networking", "--socket="+filepath.Join(mariadb.dir, "s"), "--pid-file="+filepath.Join(mariadb.dir, "pid"))...) //nolint:noctx // TestMain ends it
	if err := mariadb.cmd.Start(); err != nil {
		return err
	}
	admin, err := sql.Open("mysql", dsn(""))
	if err != nil {
		return err
	}
	defer admin.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for admin.PingContext(ctx) != nil {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return errors.New("MariaDB did not answer within a minute")
		}
	}
	return nil
}

func dsn(database string) string {
	return "root@unix(" + filepath.Join(mariadb.dir, "s") + ")/" + database
}

// mariaDB returns an empty database of its own.
func mariaDB(t *testing.T) *sql.DB {
	t.Helper()
	mariadb.once.Do(func() { mariadb.err = startMariaDB() })
	if mariadb.err != nil {
		t.Fatal(mariadb.err)
	}
	mariadb.mu.Lock()
	mariadb.n++
	name := fmt.Sprint("test", mariadb.n)
	mariadb.mu.Unlock()
	admin := open(t, "mysql", dsn(""))
	if _, err := admin.ExecContext(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return open(t, "mysql", dsn(name))
}

func open(t *testing.T, driver, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}
