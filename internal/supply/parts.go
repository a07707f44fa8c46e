package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// goParts are the modules that are linked into the binary, with this build's tags.
func goParts(ctx context.Context) ([]part, error) {
	const form = `{{with .Module}}{{if not .Main}}{{.Path}}	{{.Version}}	{{.Dir}}{{end}}{{end}}`
	list := exec.CommandContext(ctx, "go", "list", "-deps", "-f", form, ".")
	var errs bytes.Buffer
	list.Stderr = &errs
	text, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("listing the modules: %w: %s", err, errs.Bytes())
	}
	seen := map[string]bool{}
	var all []part
	for line := range strings.Lines(string(text)) {
		words := strings.Split(strings.TrimSpace(line), "\t")
		if len(words) != 3 || seen[words[0]] || strings.HasPrefix(words[0], "github.com/belfry-scheduler/") {
			continue
		}
		seen[words[0]] = true
		licence, err := licenceIn(words[2])
		if err != nil {
			return nil, err
		}
		all = append(all, part{Kind: "golang", Name: words[0], Version: words[1], Licence: licence})
	}
	return all, nil
}

// licenceIn reads the licence out of a module's folder; empty when there is none that we
// know.
func licenceIn(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("looking for a licence: %w", err)
	}
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		if e.IsDir() || !strings.HasPrefix(name, "LICENSE") && !strings.HasPrefix(name, "LICENCE") && !strings.HasPrefix(name, "COPYING") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", fmt.Errorf("reading a licence: %w", err)
		}
		if id := licenceOf(string(text)); id != "" {
			return id, nil
		}
	}
	return "", nil
}

// npmParts are the packages of a lock file that are bundled: all that are not for
// development alone.
func npmParts(file string) ([]part, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading the lock file: %w", err)
	}
	var lock struct {
		Packages map[string]struct {
			Version     string
			License     string
			Dev         bool
			DevOptional bool
		}
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	var all []part
	for path, p := range lock.Packages {
		_, name, found := cutLast(path, "node_modules/")
		if !found || p.Dev || p.DevOptional {
			continue
		}
		all = append(all, part{Kind: "npm", Name: name, Version: p.Version, Licence: p.License})
	}
	return all, nil
}

func cutLast(text, sep string) (before, after string, found bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sep):], true
}
