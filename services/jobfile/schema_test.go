package jobfile

import (
	"bytes"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write golden files")

func TestSchemaFileIsTheFormat(t *testing.T) {
	t.Parallel()
	want, err := schemaOf()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("belfry-jobs.schema.json", want, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(Schema, want) {
		t.Error("belfry-jobs.schema.json is not what the format says; run go test ./services/jobfile -run Schema -update")
	}
}

// The structs that are filled have the fields of the format, no more and no fewer.
func TestStructsHaveTheFieldsOfTheFormat(t *testing.T) {
	t.Parallel()
	compareFields(t, "document", &format, reflect.TypeFor[Document]())
}

func compareFields(t *testing.T, path string, s *shape, typ reflect.Type) {
	t.Helper()
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
		typ = typ.Elem()
	}
	tags := map[string]reflect.Type{}
	for f := range typ.Fields() {
		if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag != "" && tag != "-" {
			tags[tag] = f.Type
		}
	}
	for _, f := range s.fields {
		inner, ok := tags[f.name]
		if !ok {
			t.Errorf("%s.%s has no struct field", path, f.name)
			continue
		}
		delete(tags, f.name)
		switch f.shape.kind { //nolint:exhaustive // the others have no fields
		case object:
			compareFields(t, path+"."+f.name, &f.shape, inner)
		case list:
			compareFields(t, path+"."+f.name, f.shape.of, inner)
		}
		if f.shape.about == "" || !strings.HasSuffix(f.shape.about, ".") {
			t.Errorf("%s.%s is not described", path, f.name)
		}
	}
	for tag := range tags {
		t.Errorf("%s.%s is not in the format", path, tag)
	}
}
