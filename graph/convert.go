package graph

import (
	"encoding/json"
	"time"

	"github.com/99designs/gqlgen/graphql"
)

// Helpers of the convert_*.go files, which turn rows into the schema's values and
// inputs into the services'.

// text is a text that the schema leaves out when it is empty.
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// millis is a stored length of time.
func millis(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }

// or answers what v points to, or otherwise.
func or[T any](v *T, otherwise T) T {
	if v == nil {
		return otherwise
	}
	return *v
}

// given is the value of an input field; absent and null are the zero value.
func given[T any](o graphql.Omittable[*T]) T {
	var zero T
	return or(o.Value(), zero)
}

// raw is a JSON input field; absent and null are nil.
func raw(o graphql.Omittable[json.RawMessage]) json.RawMessage { return o.Value() }

// each converts a list of rows.
func each[R, V any](rows []R, convert func(*R) V) []V {
	all := make([]V, len(rows))
	for i := range rows {
		all[i] = convert(&rows[i])
	}
	return all
}

// pointers answers the addresses of values: the form in which generated code takes
// lists of structs.
func pointers[T any](values []T) []*T {
	all := make([]*T, len(values))
	for i := range values {
		all[i] = &values[i]
	}
	return all
}
