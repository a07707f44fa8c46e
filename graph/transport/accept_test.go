package transport

import "testing"

// TestClientsThatReadBothGetJSON sends what common browser clients send.
func TestClientsThatReadBothGetJSON(t *testing.T) {
	t.Parallel()
	for accept, events := range map[string]bool{
		"text/event-stream":                   true,
		"text/event-stream, application/json": true,
		"application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed": false,
		"application/json": false,
		"*/*":              false,
		"":                 false,
	} {
		if got := prefersEvents(accept); got != events {
			t.Errorf("Accept %q: events %v", accept, got)
		}
	}
}
