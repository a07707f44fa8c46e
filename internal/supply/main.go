// Command supply says what the released binary is made of: the modules of Go that are
// linked in and the packages of npm that are bundled into the console. It works offline,
// from the module cache and the lock file.
//
//	go run ./internal/supply licences   fails when a part's licence is not one we may ship
//	go run ./internal/supply sbom       writes the list as CycloneDX 1.6 JSON
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
)

// part is one module or package.
type part struct {
	Kind    string // golang or npm
	Name    string
	Version string
	Licence string // an SPDX id; empty when it is not known
}

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "supply:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: supply licences|sbom")
	}
	modules, err := goParts(ctx)
	if err != nil {
		return err
	}
	packages, err := npmParts("console/package-lock.json")
	if err != nil {
		return err
	}
	all := append(modules, packages...)
	slices.SortFunc(all, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Version, b.Version))
	})
	switch args[0] {
	case "licences":
		return checkLicences(all, out)
	case "sbom":
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(bill(all))
	}
	return fmt.Errorf("there is no %q; use licences or sbom", args[0])
}
