package cmd

import (
	"bytes"
	"errors"
	"runtime/debug"
	"strings"
	"testing"
)

// ran is what a command left behind.
type ran struct {
	code           int
	stdout, stderr string
}

func runCommand(t *testing.T, args ...string) ran {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := Main(t.Context(), args, IO{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Version: "v1.2.3"})
	return ran{code, stdout.String(), stderr.String()}
}

func TestHelpIsShownOnStandardOutput(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--help"}, {"-h"}, {"next", "--help"}, {"version", "--help"}} {
		got := runCommand(t, args...)
		if got.code != 0 || got.stderr != "" || !strings.HasPrefix(got.stdout, "Usage: belfry") {
			t.Errorf("%q: %+v", args, got)
		}
	}
}

func TestBadUsageIsTwo(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{}, {"nonsense"}, {"next"}, {"next", "a", "b"}, {"next", "--count", "many", "@daily"}, {"version", "--bad"}, {"next", "--lang", "fr", "@daily"}} {
		got := runCommand(t, args...)
		if got.code != 2 || got.stdout != "" || !strings.HasPrefix(got.stderr, "belfry: ") || !strings.Contains(got.stderr, "--help") {
			t.Errorf("%q: %+v", args, got)
		}
	}
}

// brokenPipe fails to be written to.
type brokenPipe struct{}

var errBroken = errors.New("broken pipe")

func (brokenPipe) Write([]byte) (int, error) { return 0, errBroken }

func TestFailureIsOne(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"version"}, {"next", "@daily"}, {"next", "--json", "@daily"}, {"next", "--json", "nonsense"}} {
		var stderr bytes.Buffer
		code := Main(t.Context(), args, IO{Stdin: strings.NewReader(""), Stdout: brokenPipe{}, Stderr: &stderr})
		if code != 1 || !strings.Contains(stderr.String(), errBroken.Error()) {
			t.Errorf("%q: %d, %q", args, code, stderr.String())
		}
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	got := runCommand(t, "version")
	if got.code != 0 || got.stderr != "" || !strings.HasPrefix(got.stdout, "belfry v1.2.3 (") || strings.Count(got.stdout, "\n") != 1 {
		t.Errorf("%+v", got)
	}
	recorded := &debug.BuildInfo{Main: debug.Module{Version: "v0.9.0"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "abc123"}, {Key: "vcs.modified", Value: "true"},
	}}
	for _, test := range []struct {
		stamped string
		info    *debug.BuildInfo
		want    string
	}{
		{"v1.2.3", recorded, "belfry v1.2.3 (commit abc123, modified, go"},
		{"", recorded, "belfry v0.9.0 (commit abc123, modified, go"},
		{"", &debug.BuildInfo{}, "belfry (devel) (go"},
		{"", nil, "belfry (devel) (go"},
	} {
		if line := versionLine(test.stamped, test.info); !strings.HasPrefix(line, test.want) {
			t.Errorf("%q, want %q", line, test.want)
		}
	}
}
