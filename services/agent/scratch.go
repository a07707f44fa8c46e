package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/services/agent/process"
	"github.com/belfry-scheduler/belfry/services/agent/text"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

const (
	maxValueBytes = 128 << 10 // of the result file
	maxWordsValue = 16 << 10  // … of one that is no JSON
	maxProgress   = 4 << 10   // the end of the progress file that is looked at
	progressTime  = time.Second
)

// scratch is a run's private directory, with the files by which the program answers.
// They are read through handles opened before the program began: whatever it puts in
// their place, a link to somebody's secrets for one, is not looked at.
type scratch struct {
	dir              string
	result, progress *os.File
	stdin            *os.File // nil: no input
}

func newScratch(user *process.Identity, stdin string) (s *scratch, err error) {
	s = &scratch{}
	if s.dir, err = os.MkdirTemp("", "belfry-run-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if s.result, err = s.file("result", user); err != nil {
		return nil, err
	}
	if s.progress, err = s.file("progress", user); err != nil {
		return nil, err
	}
	if user != nil {
		// The directory stays the agent's; others may pass through, not look or write.
		if err = os.Chmod(s.dir, 0o711); err != nil { //nolint:gosec // passing through is all that it allows
			return nil, err
		}
	}
	if stdin == "" {
		return s, nil
	}
	if s.stdin, err = s.file("stdin", nil); err != nil {
		return nil, err
	}
	if _, err = s.stdin.WriteString(stdin); err != nil {
		return nil, err
	}
	_, err = s.stdin.Seek(0, io.SeekStart)
	return s, err
}

func (s *scratch) file(name string, user *process.Identity) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(s.dir, name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil && user != nil {
		if err = f.Chown(int(user.UID), int(user.GID)); err != nil {
			_ = f.Close()
			return nil, err
		}
	}
	return f, err
}

func (s *scratch) close() {
	for _, f := range []*os.File{s.result, s.progress, s.stdin} {
		if f != nil {
			_ = f.Close()
		}
	}
	_ = os.RemoveAll(s.dir)
}

// value is what the program wrote into the result file: JSON as it is, anything else
// as a text.
func (s *scratch) value(ctx context.Context, task *worker.Task) json.RawMessage {
	data, err := io.ReadAll(io.NewSectionReader(s.result, 0, maxValueBytes+1))
	if err != nil {
		task.Logger().WarnContext(ctx, "the result file cannot be read", "error", err)
		return nil
	}
	data = bytes.TrimSpace(data)
	switch {
	case len(data) == 0:
		return nil
	case len(data) > maxValueBytes:
		task.Logger().WarnContext(ctx, fmt.Sprintf("The result file is longer than %d bytes and is left out: store it elsewhere and give its address.", maxValueBytes)) //nolint:sloglint // a sentence in a task's log, not an event
		return nil
	case json.Valid(data):
		return data
	}
	words, err := json.Marshal(text.Head(text.Auto.Decode(data, false), maxWordsValue))
	if err != nil {
		return nil
	}
	return words
}

// follow reports progress from the progress file until the returned function is called.
func (s *scratch) follow(task *worker.Task) (stop func()) {
	var following sync.WaitGroup
	end := make(chan struct{})
	var last string
	look := func() {
		if line := s.lastProgress(); line != last {
			last = line
			if fraction, words, ok := parseProgress(line); ok {
				task.Progress(fraction, words)
			}
		}
	}
	following.Go(func() {
		tick := time.NewTicker(progressTime)
		defer tick.Stop()
		for {
			select {
			case <-end:
				look()
				return
			case <-tick.C:
				look()
			}
		}
	})
	return func() {
		close(end)
		following.Wait()
	}
}

// lastProgress is the last line of the progress file that has a text.
func (s *scratch) lastProgress() string {
	info, err := s.progress.Stat()
	if err != nil || info.Size() == 0 {
		return ""
	}
	start := max(0, info.Size()-maxProgress)
	data, err := io.ReadAll(io.NewSectionReader(s.progress, start, maxProgress))
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(text.Auto.Decode(data, false)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// parseProgress reads "0.5 words" or "50% words"; the words may be absent.
func parseProgress(line string) (fraction float64, words string, ok bool) {
	number, words, _ := strings.Cut(line, " ")
	scale := 1.0
	if digits, percent := strings.CutSuffix(number, "%"); percent {
		number, scale = digits, 100
	}
	fraction, err := strconv.ParseFloat(number, 64)
	if err != nil || !(fraction >= 0 && fraction <= scale) {
		return 0, "", false
	}
	return fraction / scale, strings.TrimSpace(words), true
}
