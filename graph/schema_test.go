package graph_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The schema as clients see it, without its words: a change here is a change of
// the API. Additions are compatible; anything taken away, renamed, made required
// or made nullable breaks clients.
func TestSchemaSnapshot(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	formatter.NewFormatter(&b, formatter.WithIndent("  "), formatter.WithoutDescription()).FormatSchema(graphtest.Schema)
	path := filepath.Join("testdata", "schema.golden.graphql")
	if *update {
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("the schema has changed (-golden +now); if that is meant, run go test ./graph -run TestSchemaSnapshot -update:\n%s", diff)
	}
}

// Every type, field, argument and value of our own has its words.
func TestSchemaIsDocumented(t *testing.T) {
	t.Parallel()
	missing := func(name, words string) {
		if words == "" || !strings.HasSuffix(words, ".") && !strings.HasSuffix(words, "h30m") {
			t.Errorf("%s has no sentence that says what it is: %q", name, words)
		}
	}
	arguments := func(of string, list ast.ArgumentDefinitionList) {
		for _, a := range list {
			missing(of+"("+a.Name+":)", a.Description)
		}
	}
	for _, def := range graphtest.Schema.Types {
		if def.BuiltIn {
			continue
		}
		missing(def.Name, def.Description)
		for _, f := range def.Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}
			missing(def.Name+"."+f.Name, f.Description)
			arguments(def.Name+"."+f.Name, f.Arguments)
		}
		for _, v := range def.EnumValues {
			missing(def.Name+"."+v.Name, v.Description)
		}
	}
	role := graphtest.Schema.Directives["role"]
	missing("@role", role.Description)
	arguments("@role", role.Arguments)
}

// Conventions: lists have no null entries, each mutation answers a payload of its
// own with userErrors, and inputs are not shared with outputs.
func TestSchemaConventions(t *testing.T) {
	t.Parallel()
	for _, def := range graphtest.Schema.Types {
		if def.BuiltIn {
			continue
		}
		for _, f := range def.Fields {
			if f.Type.Elem != nil && !f.Type.Elem.NonNull {
				t.Errorf("%s.%s has null entries", def.Name, f.Name)
			}
		}
	}
	for _, f := range graphtest.Schema.Mutation.Fields {
		payload := graphtest.Schema.Types[f.Type.Name()]
		if !strings.HasSuffix(payload.Name, "Payload") || !f.Type.NonNull {
			t.Errorf("%s answers %s and no payload", f.Name, f.Type)
		}
		if e := payload.Fields.ForName("userErrors"); e == nil || e.Type.String() != "[UserError!]!" {
			t.Errorf("%s has no userErrors", payload.Name)
		}
	}
}
