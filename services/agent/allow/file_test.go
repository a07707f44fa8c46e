package allow

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// an allowed program stands for a version of the list.
func allows(t *testing.T, f *File, program string) bool {
	t.Helper()
	_, refusal := f.List(t.Context()).Run(Request{Arguments: []string{program}})
	return refusal == nil
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func TestListIsReadAnewWhenItChanges(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "allow.yaml")
	var log bytes.Buffer
	f, err := Open(path, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if f.Exists() || allows(t, f, "/a") {
		t.Error("a missing file allows something")
	}
	write(t, path, "commands: [{program: /a}]", 0o600)
	if !f.List(t.Context()).has("/a") || !f.Exists() {
		t.Error("the new file is not read")
	}
	write(t, path, "commands: [{program: /b}]", 0o600)
	if allows(t, f, "/a") || !allows(t, f, "/b") {
		t.Error("the edit does not count")
	}
	write(t, path, "commands: [{program: /c", 0o600)
	if !allows(t, f, "/b") || allows(t, f, "/c") {
		t.Error("a broken file does not leave the last good list")
	}
	if !allows(t, f, "/b") || strings.Count(log.String(), "last good one stays") != 1 {
		t.Errorf("said not once:\n%s", log.String())
	}
	write(t, path, "commands: [{program: /c}]", 0o666)
	if !allows(t, f, "/b") || allows(t, f, "/c") || !strings.Contains(log.String(), "written by others") {
		t.Errorf("a file that others can write is believed:\n%s", log.String())
	}
	write(t, path, "commands: [{program: /c}]", 0o644)
	if allows(t, f, "/b") || !allows(t, f, "/c") {
		t.Error("the mended file does not count")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if allows(t, f, "/c") || f.Exists() {
		t.Error("a removed file still allows something")
	}
}

func (l *List) has(program string) bool { return len(l.commandsFor(program)) > 0 }

func TestBadListAtTheStartIsAnError(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "allow.yaml")
	write(t, path, "commands: 7", 0o600)
	if _, err := Open(path, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("%v, want the file's name", err)
	}
	if _, err := Open(dir, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("a directory is taken for a list")
	}
	if os.Geteuid() == 0 {
		write(t, path, "", 0o600)
		if err := os.Chown(path, 12345, 12345); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "belongs to user 12345") {
			t.Errorf("%v, want a word about the owner", err)
		}
	}
}
