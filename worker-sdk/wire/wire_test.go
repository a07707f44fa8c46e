package wire

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// golden names a frame of each kind and the type that it is decoded into. The
// server's tests decode the same files.
var golden = map[string]any{
	"register":         Register{},
	"registered":       Registered{},
	"frame-assign":     Frame{},
	"frame-cancel":     Frame{},
	"frame-drain":      Frame{},
	"frame-resume":     Frame{},
	"frame-settings":   Frame{},
	"frame-ping":       Frame{},
	"frame-bye":        Frame{},
	"report":           Report{},
	"report-results":   Report{},
	"reported":         Reported{},
	"heartbeat":        Heartbeat{},
	"heartbeat-answer": HeartbeatAnswer{},
	"leave":            Leave{},
	"enqueue":          Enqueue{},
	"enqueued":         Enqueued{},
	"cancel-request":   CancelRequest{},
	"move-request":     MoveRequest{},
	"task-status":      TaskStatus{},
	"error":            ErrorBody{},
}

func TestGoldenFramesSurviveARoundTrip(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) != len(golden) {
		t.Fatalf("%d files for %d frames: %v", len(files), len(golden), err)
	}
	for name, kind := range golden {
		text, err := os.ReadFile(filepath.Join("testdata", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		frame := reflect.New(reflect.TypeOf(kind))
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(frame.Interface()); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again, err := json.Marshal(frame.Interface())
		if err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		if err := json.Compact(&want, text); err != nil {
			t.Fatal(err)
		}
		if want.String() != string(again) {
			t.Errorf("%s:\ngot  %s\nwant %s", name, again, want.String())
		}
	}
}

// Every field of every frame stands in some golden file, so that a renamed or
// forgotten one is found.
func TestGoldenFramesShowEveryField(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for name := range golden {
		text, err := os.ReadFile(filepath.Join("testdata", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	seen := map[reflect.Type]bool{}
	for _, kind := range golden {
		for _, field := range fieldsOf(reflect.TypeOf(kind), seen) {
			if !strings.Contains(all.String(), `"`+field+`":`) {
				t.Errorf("no golden file has %q", field)
			}
		}
	}
}

// fieldsOf lists the JSON names of a frame's fields, with those of nested frames.
func fieldsOf(t reflect.Type, seen map[reflect.Type]bool) []string {
	for slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice}, t.Kind()) {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t.PkgPath() != reflect.TypeFor[Frame]().PkgPath() || seen[t] {
		return nil
	}
	seen[t] = true
	var names []string
	for field := range t.Fields() {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
			names = append(names, name)
		}
		names = append(names, fieldsOf(field.Type, seen)...)
	}
	return names
}

func TestUnknownFieldsAreIgnored(t *testing.T) {
	t.Parallel()
	var f Frame
	if err := json.Unmarshal([]byte(`{"kind":"assign","later":1,"assign":[{"task":"a","ofVersion1_9":{}}]}`), &f); err != nil {
		t.Fatal(err)
	}
	if len(f.Assign) != 1 || f.Assign[0].Task != "a" {
		t.Fatalf("frame %+v", f)
	}
}
