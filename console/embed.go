// Package console serves Belfry's web console: the built single-page app, which is embedded
// into the binary. It only hands out files; everything the app knows it asks of /graphql and /auth.
package console

import (
	"embed"
	"io/fs"
	"net/http"
)

//go:embed all:dist
var dist embed.FS

// Handler returns the handler for every path that no other part of the server owns. It
// answers files of the build, and the app's index page for any other HTML request, so that
// the app's own addresses can be opened and reloaded. Without a build it answers a page
// that says how to make one.
func Handler() http.Handler {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic("console: the embedded folder dist is missing: " + err.Error()) //nolint:forbidigo // the name is a constant: it cannot fail once built
	}
	return newHandler(files)
}
