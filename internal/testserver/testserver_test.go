package testserver

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMain(m *testing.M) { os.Exit(Main(m)) }

func TestMariaDBComesBackWithItsData(t *testing.T) {
	t.Parallel()
	server, err := StartMariaDB(MariaDBOptions{Durable: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	name, err := server.NewDatabase(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := server.Admin().Exec("CREATE TABLE " + name + ".x (i INT) ENGINE = InnoDB"); err != nil {
		t.Fatal(err)
	}
	if _, err := server.Admin().Exec("INSERT INTO " + name + ".x VALUES (7)"); err != nil {
		t.Fatal(err)
	}
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	var i int
	if err := server.Admin().QueryRow("SELECT i FROM " + name + ".x").Scan(&i); err != nil || i != 7 {
		t.Errorf("after kill and restart: %d, %v; want 7", i, err)
	}
}

func TestCloneKeepsForeignKeysAndNamedRows(t *testing.T) {
	t.Parallel()
	server := MariaDB(t)
	from := server.Database(t)
	for _, statement := range []string{
		"CREATE TABLE z (id INT PRIMARY KEY)",
		"CREATE TABLE a (id INT PRIMARY KEY, z INT, CONSTRAINT a_z FOREIGN KEY (z) REFERENCES z (id))",
		"INSERT INTO z VALUES (1)", "INSERT INTO a VALUES (1, 1)",
	} {
		conn, err := server.Admin().Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.ExecContext(t.Context(), "USE "+from); err != nil {
			t.Fatal(err)
		}
		if _, err := conn.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
		if err := conn.Close(); err != nil {
			t.Fatal(err)
		}
	}
	to := server.Clone(t, from, "z")
	tables, err := server.Tables(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a", "z"}, tables); diff != "" {
		t.Errorf("tables (-want +got):\n%s", diff)
	}
	if _, err := server.Admin().Exec("INSERT INTO " + to + ".a VALUES (1, 1)"); err != nil {
		t.Errorf("row of z was not copied: %v", err)
	}
	if _, err := server.Admin().Exec("INSERT INTO " + to + ".a VALUES (2, 9)"); err == nil {
		t.Error("the foreign key was not copied")
	}
}

func TestRedisComesBack(t *testing.T) {
	t.Parallel()
	server, err := StartRedis(RedisOptions{Append: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(server.Dir); !os.IsNotExist(err) {
		t.Errorf("the directory is still there: %v", err)
	}
}

func TestMissingProgramSaysWhatToInstall(t *testing.T) {
	t.Parallel()
	_, err := find("apt-get install nothing", "no-such-program")
	want := `no-such-program is not installed: run "apt-get install nothing"`
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
