package config

import "time"

// Bounds of how long sessions last.
const (
	shortestSession = 5 * time.Minute
	longestSession  = 90 * 24 * time.Hour
)

// requirement checks who must have a second factor, whose secrets need a key.
func (p *problems) requirement(text string, hasKey bool) string {
	whom := oneOf(p, "require-second-factor", or(text, "none"), "none", "admin", "all")
	if whom != "none" && !hasKey {
		p.bad("require-second-factor", text, "second factors need a key to be encrypted with; set BELFRY_SECRET_KEY (make one with: openssl rand -hex 32)")
	}
	return whom
}

// span checks a length of time.
func (p *problems) span(flag, text string, least, most time.Duration) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil || d < least || d > most {
		p.bad(flag, text, "write a duration from "+least.String()+" to "+most.String()+", for example 8h")
	}
	return d
}
