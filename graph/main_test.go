package graph_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
)

// Every field of the schema is asked for by some test of this package.
func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	whole := flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.skip").Value.String() == "" &&
		flag.Lookup("test.list").Value.String() == "" && !testing.Short()
	if missing := graphtest.Unvisited(); code == 0 && whole && len(missing) > 0 {
		fmt.Fprintf(os.Stderr, "no test asks for these fields: %v\n", missing)
		code = 1
	}
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}
