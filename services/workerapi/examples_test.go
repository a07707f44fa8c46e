package workerapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const protocolFile = "../../docs/worker-protocol.md"

// schemas answers the schema of a frame's type, by its name.
func schemas(t *testing.T) func(name string) *jsonschema.Schema {
	t.Helper()
	whole, _ := readSpec(t)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("spec.json", whole); err != nil {
		t.Fatal(err)
	}
	return func(name string) *jsonschema.Schema {
		t.Helper()
		s, err := c.Compile("spec.json#/components/schemas/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// checkFrame says whether a JSON text is a frame of a type: by its schema and by the
// decoder that both sides use, which here knows no other fields.
func checkFrame(t *testing.T, text []byte, of *jsonschema.Schema, into any) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Errorf("%s\n%v", text, err)
		return
	}
	if err := of.Validate(value); err != nil {
		t.Errorf("%s\n%v", text, err)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		t.Errorf("%s\n%v", text, err)
	}
}

func TestGoldenFramesFitTheirSchemas(t *testing.T) {
	t.Parallel()
	schema := schemas(t)
	files, err := filepath.Glob(filepath.Join(frames, "*.json"))
	if err != nil || len(files) < 15 {
		t.Fatalf("%d golden frames, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		frame := frameOf(strings.TrimSuffix(filepath.Base(file), ".json"))
		checkFrame(t, text, schema(reflect.TypeOf(frame).Elem().Name()), frame)
	}
}

// What is no frame is none by its schema either.
func TestSchemasRefuseWhatIsNoFrame(t *testing.T) {
	t.Parallel()
	schema := schemas(t)
	for text, name := range map[string]string{
		`{"task":"01JDYV5W00Q2FGNDPT3P1YB480","attempt":1}`:                                                "Item",
		`{"task":"01JDYV5W00Q2FGNDPT3P1YB480","attempt":1,"refused":{"reason":"no_slot"},"checkpoint":{}}`: "Item",
		`{"task":"01JDYV5W00Q2FGNDPT3P1YB480","attempt":0,"checkpoint":{}}`:                                "Item",
		`{"outcome":"exploded","startedAt":"2026-11-30T07:30:00Z","finishedAt":"2026-11-30T07:30:00Z"}`:    "Result",
		`{"outcome":"failed","startedAt":"2026-11-30 07:30:00","finishedAt":"2026-11-30T07:30:00Z"}`:       "Result",
		`{"kind":"assign"}`: "Frame",
		`{"protocol":2,"app":"","group":"g","node":"n","incarnation":"12345678","slots":1,"handlers":[]}`:   "Register",
		`{"protocol":1,"app":"","group":"g","node":"n","incarnation":"12345678","slots":"1","handlers":[]}`: "Register",
		`{"tasks":[]}`: "Enqueue",
	} {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if schema(name).Validate(value) == nil {
			t.Errorf("%s passes as %s", text, name)
		}
	}
}

var example = regexp.MustCompile("(?s)(?:<!-- frame: (\\w+) -->\n)?```json\n(.*?)```")

// Every example of the protocol's document is a frame of the type that the comment
// above it names; a block may hold several.
func TestExamplesOfTheDocumentAreFrames(t *testing.T) {
	t.Parallel()
	schema := schemas(t)
	text, err := os.ReadFile(protocolFile)
	if err != nil {
		t.Fatal(err)
	}
	found := example.FindAllSubmatch(text, -1)
	if len(found) < 10 || len(found) != bytes.Count(text, []byte("```json")) {
		t.Fatalf("%d examples", len(found))
	}
	for _, f := range found {
		name := string(f[1])
		frame, ok := frameTypes[name]
		if !ok {
			t.Errorf("an example is of no type %q; write <!-- frame: TYPE --> above it:\n%s", name, f[2])
			continue
		}
		dec := json.NewDecoder(bytes.NewReader(f[2]))
		n := 0
		for ; ; n++ {
			var one json.RawMessage
			if err := dec.Decode(&one); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%v in:\n%s", err, f[2])
			}
			checkFrame(t, one, schema(name), reflect.New(frame).Interface())
		}
		if n == 0 {
			t.Errorf("an empty example of %s", name)
		}
	}
	// What is told in passing is JSON too.
	for _, span := range regexp.MustCompile("`(\\{.+?\\})`").FindAllSubmatch(text, -1) {
		if !json.Valid(span[1]) {
			t.Errorf("no JSON: %s", span[1])
		}
	}
}
