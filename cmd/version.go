package cmd

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

type versionCommand struct{}

// Help implements kong.HelpProvider.
func (versionCommand) Help() string {
	return "Prints the version, the commit it was built from where that is known, the Go release and the platform."
}

// Run prints the version on one line.
func (versionCommand) Run(_ context.Context, io IO) error {
	info, _ := debug.ReadBuildInfo()
	if _, err := fmt.Fprintln(io.Stdout, versionLine(io.Version, info)); err != nil {
		return fmt.Errorf("writing the version: %w", err)
	}
	return nil
}

// versionOf is the version alone: the stamped one, or what the Go tool recorded.
func versionOf(stamped string) string {
	if stamped != "" {
		return stamped
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return develVersion
}

// develVersion is the version of a build that nobody stamped.
const develVersion = "(devel)"

// versionLine prefers the stamped version to what the Go tool recorded; info
// may be nil.
func versionLine(stamped string, info *debug.BuildInfo) string {
	version, notes := stamped, []string{}
	if info != nil {
		if version == "" {
			version = info.Main.Version
		}
		settings := map[string]string{}
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
		if commit := settings["vcs.revision"]; commit != "" {
			if settings["vcs.modified"] == "true" {
				commit += ", modified"
			}
			notes = append(notes, "commit "+commit)
		}
	}
	if version == "" {
		version = develVersion
	}
	notes = append(notes, runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH)
	return fmt.Sprintf("belfry %s (%s)", version, strings.Join(notes, ", "))
}
