// Package origin carries through a context where a change comes from, so that the ledger
// can write it into the audit trail whichever way the change takes.
package origin

import (
	"context"
	"strings"

	"github.com/belfry-scheduler/belfry/models"
)

// Origin is where a change comes from; the zero value is Belfry itself.
type Origin struct {
	Kind      models.AuthorKind // empty: Belfry itself
	Address   string            // IP address of the client; empty without one
	RequestID string            // by which its lines are found in the log; empty outside a request
	Agent     string            // family of the program, for example Firefox, curl or belfry token create
}

type key struct{}

// With puts an origin into a context.
func With(ctx context.Context, o Origin) context.Context { return context.WithValue(ctx, key{}, o) }

// Of is the origin in a context.
func Of(ctx context.Context) Origin {
	o, _ := ctx.Value(key{}).(Origin)
	return o
}

// WithKind says what kind of caller an origin turned out to be.
func WithKind(ctx context.Context, kind models.AuthorKind) context.Context {
	o := Of(ctx)
	o.Kind = kind
	return With(ctx, o)
}

// longest bounds the name of a program that is none of the known ones, in bytes.
const longest = 32

// families are the programs that people use, by what their user agents contain; the first
// that is contained counts, since browsers name one another.
var families = []struct{ sign, family string }{
	{"belfry", "belfry"},
	{"Edg/", "Edge"},
	{"OPR/", "Opera"},
	{"Firefox/", "Firefox"},
	{"CriOS/", "Chrome"},
	{"Chrome/", "Chrome"},
	{"Safari/", "Safari"},
	{"curl/", "curl"},
	{"Go-http-client", "Go"},
	{"python", "Python"},
	{"Python", "Python"},
	{"okhttp", "Java"},
	{"Java/", "Java"},
	{"node", "Node.js"},
	{"Grafana", "Grafana"},
}

// Family is the family of a program by its user agent: enough to tell a browser from a
// script, and nothing that tells one person from another. Of an unknown one it is the name
// before the version.
func Family(agent string) string {
	for _, f := range families {
		if strings.Contains(agent, f.sign) {
			return f.family
		}
	}
	name, _, _ := strings.Cut(agent, "/")
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, name)
	return strings.TrimSpace(name[:min(len(name), longest)])
}
