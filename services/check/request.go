package check

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/oklog/ulid/v2"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// A request id that is a ULID says by itself when the request was first made; so
// the id that is derived from it can carry a time by which it is found among the
// others. For any other text it takes the start of the present ten minutes, and a
// repeat looks at those of the last day.
const (
	requestSlot    = 10 * time.Minute
	requestRepeats = 24 * time.Hour
	ulidOldest     = 30 * 24 * time.Hour // an older ULID, or one from the future, is any other text
	ulidAhead      = 10 * time.Minute
	maxRequestID   = 64 // characters
)

// RequestID checks the field requestId; empty passes.
func RequestID(id string) *fault.Error {
	if n := utf8.RuneCountInString(id); n > maxRequestID {
		return fault.At("requestId", fault.Invalid, "requestId has %d characters; shorten it to %d.", n, maxRequestID)
	}
	if !Plain(id) {
		return fault.At("requestId", fault.Invalid, "requestId %s has control characters or is not valid UTF-8; leave them out.", Quote(id))
	}
	return nil
}

// Plain says whether s is valid UTF-8 without control characters.
func Plain(s string) bool { return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl) }

// Identify answers the id of what a request is to make, or what an earlier call with the
// same request id has made. ID derives an id from an instant; find answers what exists
// among ids. Without a request id the id is a new one.
func Identify[T any](requestID string, now time.Time, id func(at time.Time) string, find func(ids []string) ([]T, error)) (string, *T, error) {
	if requestID == "" {
		return models.NewID(now), nil, nil
	}
	times, _ := RequestTimes(requestID, now)
	ids := make([]string, len(times))
	for i, at := range times {
		ids[i] = id(at)
	}
	known, err := find(ids)
	if err != nil {
		return "", nil, fmt.Errorf("looking for a repeated request: %w", err)
	}
	if len(known) > 0 {
		return "", &known[0], nil
	}
	return ids[0], nil, nil
}

// RequestTimes answers the instants that ids derived from a request id may carry:
// first the one for a request that comes at now, then those under which an earlier
// call may have been stored. Exact says that the first is the only one, the instant
// in the id.
func RequestTimes(id string, now time.Time) (times []time.Time, exact bool) {
	if u, err := ulid.ParseStrict(id); err == nil {
		at := u.Timestamp()
		if now.Sub(at) <= ulidOldest && at.Sub(now) <= ulidAhead {
			return []time.Time{at.UTC()}, true
		}
	}
	slot := now.Truncate(requestSlot)
	for at := slot; at.Equal(slot) || now.Sub(at) <= requestRepeats; at = at.Add(-requestSlot) {
		times = append(times, at)
	}
	return times, false
}
