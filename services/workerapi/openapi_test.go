package workerapi

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

const (
	specFile = "../../docs/worker-protocol.openapi.yaml"
)

// spec is what the tests read of the published description.
type spec struct {
	Info struct {
		Version  string
		MaxBody  int64 `json:"x-max-body-bytes"`
		MaxFrame int64 `json:"x-max-frame-bytes"`
	}
	Paths      map[string]map[string]operation
	Components struct {
		RequestBodies map[string]content
		Responses     map[string]response
		Schemas       map[string]schema
	}
}

type operation struct {
	Parameters  []struct{ Name, In string }
	RequestBody *struct {
		Ref string `json:"$ref"`
	}
	Responses map[string]response
}

type response struct {
	content
	Ref         string `json:"$ref"`
	Description string
	Codes       []string `json:"x-codes"`
}

type content struct {
	Content map[string]struct{ Schema schema }
}

type schema struct {
	Ref         string `json:"$ref"`
	Type        string
	Format      string
	Description string
	Enum        []string
	Required    []string
	Properties  map[string]schema
	Items       *schema
	Additional  *schema `json:"additionalProperties"`
	MaxItems    int64
	MaxBytes    int64 `json:"x-max-bytes"`
}

// readSpec reads the description, as it is and as the tests know it.
func readSpec(t *testing.T) (any, spec) {
	t.Helper()
	text, err := os.ReadFile(specFile)
	if err != nil {
		t.Fatal(err)
	}
	text, err = yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var s spec
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	return whole, s
}

// last is the name at the end of a reference.
func last(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

// frameTypes are all frames and their parts, by name.
var frameTypes = func() map[string]reflect.Type {
	all := map[string]reflect.Type{}
	var add func(t reflect.Type)
	add = func(t reflect.Type) {
		for slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice}, t.Kind()) {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct || t.PkgPath() != reflect.TypeFor[wire.Frame]().PkgPath() || all[t.Name()] != nil {
			return
		}
		all[t.Name()] = t
		for field := range t.Fields() {
			add(field.Type)
		}
	}
	for _, root := range []any{
		wire.Register{},
		wire.Registered{},
		wire.Frame{},
		wire.Report{},
		wire.Reported{},
		wire.Heartbeat{},
		wire.HeartbeatAnswer{},
		wire.Leave{},
		wire.Enqueue{},
		wire.Enqueued{},
		wire.CancelRequest{},
		wire.MoveRequest{},
		wire.TaskStatus{},
		wire.ErrorBody{},
	} {
		add(reflect.TypeOf(root))
	}
	return all
}()

// wireFiles declare the frames.
var wireFiles = []string{"../../worker-sdk/wire/wire.go", "../../worker-sdk/wire/client.go"}

// declared reads the names of the types, and the constants, of the wire package.
func declared(t *testing.T) (structs []string, consts map[string]constant.Value) {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, path := range wireFiles {
		file, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				for _, s := range g.Specs {
					structs = append(structs, s.(*ast.TypeSpec).Name.Name)
				}
			}
		}
	}
	conf := types.Config{Error: func(error) {}} // the imports are not needed for the constants
	pkg, _ := conf.Check("wire", fset, files, nil)
	consts = map[string]constant.Value{}
	for _, name := range pkg.Scope().Names() {
		if c, ok := pkg.Scope().Lookup(name).(*types.Const); ok {
			consts[name] = c.Val()
		}
	}
	return structs, consts
}

// Every type of the frames is described, and nothing else.
func TestDescriptionHasEveryFrame(t *testing.T) {
	t.Parallel()
	_, s := readSpec(t)
	structs, _ := declared(t)
	slices.Sort(structs)
	if diff := cmp.Diff(structs, slices.Sorted(maps.Keys(s.Components.Schemas))); diff != "" {
		t.Errorf("types of the wire package and schemas (-code +description):\n%s", diff)
	}
	if diff := cmp.Diff(structs, slices.Sorted(maps.Keys(frameTypes))); diff != "" {
		t.Errorf("types that no frame has (-declared +reached):\n%s", diff)
	}
}

// Every field has the same name, the same type and is as optional in the description
// as in the code.
func TestDescriptionHasEveryField(t *testing.T) {
	t.Parallel()
	_, s := readSpec(t)
	for name, frame := range frameTypes {
		want, required := map[string]schema{}, []string{}
		describe(frame, want, &required)
		got := s.Components.Schemas[name]
		seen := map[string]schema{}
		for field, g := range got.Properties {
			if g.Description == "" && g.Ref == "" {
				t.Errorf("%s.%s has no description", name, field)
			}
			seen[field] = schema{Ref: g.Ref, Type: g.Type, Format: g.Format, Items: bare(g.Items), Additional: bare(g.Additional)}
		}
		if diff := cmp.Diff(want, seen); diff != "" {
			t.Errorf("%s (-code +description):\n%s", name, diff)
		}
		slices.Sort(required)
		described := slices.Sorted(slices.Values(got.Required))
		if diff := cmp.Diff(required, append([]string{}, described...)); diff != "" {
			t.Errorf("required fields of %s (-code +description):\n%s", name, diff)
		}
		if got.Type != "object" {
			t.Errorf("%s has the type %q", name, got.Type)
		}
	}
}

func bare(s *schema) *schema {
	if s == nil {
		return nil
	}
	return &schema{Ref: s.Ref, Type: s.Type, Format: s.Format}
}

// describe adds the fields of a frame as the description should have them.
func describe(t reflect.Type, fields map[string]schema, required *[]string) {
	for field := range t.Fields() {
		if field.Anonymous {
			describe(field.Type, fields, required)
			continue
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if options != "omitempty" {
			*required = append(*required, name)
		}
		fields[name] = *schemaOf(field.Type, t.Name()+"."+field.Name)
	}
}

// schemaOf is the schema of a Go type. A raw message may be anything, but the fields
// of a log line.
func schemaOf(t reflect.Type, field string) *schema {
	switch {
	case t.Kind() == reflect.Pointer:
		return schemaOf(t.Elem(), field)
	case t == reflect.TypeFor[time.Time]():
		return &schema{Type: "string", Format: "date-time"}
	case t == reflect.TypeFor[json.RawMessage]():
		if field == "LogLine.Fields" {
			return &schema{Type: "object"}
		}
		return &schema{}
	}
	switch t.Kind() { //nolint:exhaustive // frames have no others
	case reflect.String:
		return &schema{Type: "string"}
	case reflect.Bool:
		return &schema{Type: "boolean"}
	case reflect.Int:
		return &schema{Type: "integer"}
	case reflect.Int64:
		return &schema{Type: "integer", Format: "int64"}
	case reflect.Float64:
		return &schema{Type: "number"}
	case reflect.Slice:
		return &schema{Type: "array", Items: schemaOf(t.Elem(), field)}
	case reflect.Map:
		return &schema{Type: "object", Additional: schemaOf(t.Elem(), field)}
	default:
		return &schema{Ref: "#/components/schemas/" + t.Name()}
	}
}

// Each list of allowed values is that of the code.
func TestDescriptionHasEveryValue(t *testing.T) {
	t.Parallel()
	_, s := readSpec(t)
	_, consts := declared(t)
	listed := map[string][]string{
		"Frame.kind": named(consts, "Frame"), "Cancel.cause": named(consts, "Cause"), "Refused.reason": named(consts, "Refuse"),
		"Result.outcome": named(consts, "Outcome"), "Ack.status": named(consts, "Ack"), "NewTask.onKeyHeld": named(consts, "Key"),
		"Error.code":         named(consts, "Code"),
		"NewTask.priority":   numbered(func(n uint8) string { return models.Priority(n).String() }),
		"Assignment.trigger": numbered(func(n uint8) string { return models.TriggerKind(n).String() }),
		"TaskStatus.state":   numbered(func(n uint8) string { return models.TaskState(n).String() }),
		"Upstream.state":     numbered(func(n uint8) string { return models.TaskState(n).String() }),
		"LogLine.level":      {"DEBUG", "ERROR", "INFO", "WARN"},
	}
	for name, frame := range s.Components.Schemas {
		for field, got := range frame.Properties {
			place := name + "." + field
			if want := listed[place]; !slices.Equal(want, slices.Sorted(slices.Values(got.Enum))) {
				t.Errorf("%s has the values %q, want %q", place, got.Enum, want)
			}
			delete(listed, place)
		}
	}
	if len(listed) > 0 {
		t.Errorf("fields that are not there: %v", listed)
	}
}

// named lists the values of the constants with a prefix.
func named(consts map[string]constant.Value, prefix string) (values []string) {
	for name, v := range consts {
		if strings.HasPrefix(name, prefix) {
			values = append(values, constant.StringVal(v))
		}
	}
	slices.Sort(values)
	return values
}

// numbered lists the names of an enumeration of the models.
func numbered(name func(uint8) string) (values []string) {
	for n := uint8(1); !strings.HasPrefix(name(n), "UNKNOWN"); n++ {
		values = append(values, name(n))
	}
	slices.Sort(values)
	return values
}

// Each limit of the code stands at the field that it limits.
func TestDescriptionHasEveryLimit(t *testing.T) {
	t.Parallel()
	_, s := readSpec(t)
	_, consts := declared(t)
	field := func(frame, name string) schema { return s.Components.Schemas[frame].Properties[name] }
	limits := map[string][]int64{
		"MaxReportItems": {field("Report", "items").MaxItems}, "MaxEnqueueItems": {field("Enqueue", "tasks").MaxItems},
		"MaxLogChunkLines": {field("LogChunk", "lines").MaxItems}, "MaxBodyBytes": {s.Info.MaxBody, s.Info.MaxFrame},
		"MaxParameters":  {field("NewTask", "parameters").MaxBytes, field("Assignment", "parameters").MaxBytes},
		"MaxResultBytes": {field("Result", "result").MaxBytes}, "MaxErrorBytes": {field("Result", "error").MaxBytes},
		"MaxLogLineBytes":  {field("LogLine", "message").MaxBytes},
		"MaxCheckpoint":    {field("Item", "checkpoint").MaxBytes, field("Assignment", "checkpoint").MaxBytes},
		"MaxUpstreamBytes": {field("Assignment", "upstream").MaxBytes},
		"MaxGone":          {field("Register", "gone").MaxItems},
		"MaxStuckListed":   {field("Heartbeat", "stuckAttempts").MaxItems},
		"MaxStuckStack":    {field("StuckAttempt", "stack").MaxBytes},
	}
	for name, v := range consts {
		if !strings.HasPrefix(name, "Max") {
			continue
		}
		want, _ := constant.Int64Val(v)
		if len(limits[name]) == 0 {
			t.Errorf("%s = %d is not described", name, want)
		}
		for _, got := range limits[name] {
			if got != want {
				t.Errorf("%s = %d is described as %d", name, want, got)
			}
		}
	}
	if v, _ := constant.Int64Val(consts["Version"]); strconv.FormatInt(v, 10) != s.Info.Version {
		t.Errorf("version %s, want %d", s.Info.Version, v)
	}
}

// Every route that is served is described with the frames that its handler takes and
// answers, and nothing else is.
func TestDescriptionHasEveryRoute(t *testing.T) {
	t.Parallel()
	_, s := readSpec(t)
	_, consts := declared(t)
	served := new(API).routes()
	described := map[string]operation{}
	for path, methods := range s.Paths {
		for method, op := range methods {
			described[strings.ToUpper(method)+" "+path] = op
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(served)), slices.Sorted(maps.Keys(described))); diff != "" {
		t.Fatalf("routes (-code +description):\n%s", diff)
	}
	for _, path := range named(consts, "Path") {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(s.Paths)), func(p string) bool { return p == path || p == path+"{id}" }) {
			t.Errorf("%s is not described", path)
		}
	}
	for route, op := range described {
		request, answer := framesOf(route, served[route])
		got := ""
		if op.RequestBody != nil {
			got = schemaIn(s.Components.RequestBodies[last(op.RequestBody.Ref)].Content)
		}
		if got != request {
			t.Errorf("%s takes %q, described as %q", route, request, got)
		}
		ok := withRef(s, op.Responses["200"])
		if got := schemaIn(ok.Content); got != answer {
			t.Errorf("%s answers %q, described as %q", route, answer, got)
		}
	}
}

func schemaIn(c map[string]struct{ Schema schema }) string {
	for _, media := range c {
		if media.Schema.Ref != "" {
			return last(media.Schema.Ref)
		}
	}
	return ""
}

// framesOf are the names of the frames between which an endpoint's function leads; the
// two that take no body are named here.
func framesOf(route string, h http.Handler) (request, answer string) {
	switch route {
	case "GET " + wire.PathStream:
		return "", reflect.TypeFor[wire.Frame]().Name()
	case "GET " + wire.PathTask + "{id}":
		return "", reflect.TypeFor[wire.TaskStatus]().Name()
	}
	fn := reflect.ValueOf(h).FieldByName("fn").Type()
	return fn.In(2).Name(), fn.Out(0).Name()
}

// Every error code stands under the status that the server sends with it, and every
// operation that can be refused says so.
func TestDescriptionHasEveryErrorCode(t *testing.T) {
	t.Parallel()
	_, s := readSpec(t)
	_, consts := declared(t)
	seen := map[string]bool{}
	for path, methods := range s.Paths {
		for _, op := range methods {
			for status, r := range op.Responses {
				r = withRef(s, r)
				if r.Description == "" {
					t.Errorf("%s, status %s: no description", path, status)
				}
				if status == "200" {
					continue
				}
				if got := schemaIn(r.Content); got != "ErrorBody" || len(r.Codes) == 0 {
					t.Errorf("%s, status %s: body %q, codes %v", path, status, got, r.Codes)
				}
				for _, code := range r.Codes {
					seen[code] = true
					if want := strconv.Itoa(statusOf(code)); want != status {
						t.Errorf("%s: %s is described with status %s, it has %s", path, code, status, want)
					}
				}
			}
			for _, status := range []string{"401", "503"} {
				if _, ok := op.Responses[status]; !ok {
					t.Errorf("%s does not say %s", path, status)
				}
			}
		}
	}
	if diff := cmp.Diff(named(consts, "Code"), slices.Sorted(maps.Keys(seen))); diff != "" {
		t.Errorf("codes (-code +description):\n%s", diff)
	}
}

func withRef(s spec, r response) response {
	if r.Ref != "" {
		return s.Components.Responses[last(r.Ref)]
	}
	return r
}
