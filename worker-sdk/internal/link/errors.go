package link

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// Error is an answer with a status of 300 or more. Code is empty when the answer
// was not a Belfry server's.
type Error struct {
	Code    string
	Field   string
	Message string
	Status  int
	Server  string
	Path    string
}

// Error says code, message and field.
func (e *Error) Error() string {
	if e.Code == "" {
		return fmt.Sprintf("%s answered %s with status %d (%s): %s", e.Server, e.Path, e.Status, e.Message, e.remedy())
	}
	if e.Field != "" {
		return fmt.Sprintf("%s: %s (field %s)", e.Code, e.Message, e.Field)
	}
	return e.Code + ": " + e.Message
}

// remedy says what to do about an answer that is not a Belfry server's.
func (e *Error) remedy() string {
	switch {
	case strings.Contains(e.Message, "HTTP request to an HTTPS server"):
		return "it speaks TLS: write " + withScheme(e.Server, "https") + " in Config.Server"
	case e.Status == http.StatusProxyAuthRequired:
		return "the proxy wants a user and password: write them into its URL, as http://user:password@proxy:3128"
	case e.Status >= 300 && e.Status < 400:
		return "redirects are not followed: write the address of the Belfry server itself in Config.Server"
	}
	return "is it the address of a Belfry server?"
}

// Unreachable means that no whole answer came back, so that nobody knows whether
// the request was carried out.
type Unreachable struct {
	Server string
	Path   string
	Err    error
}

// Error says which server did not answer, why, and what to do about it.
func (e *Unreachable) Error() string {
	text := fmt.Sprintf("no answer from %s to %s: %v", e.Server, e.Path, e.Err)
	if todo := remedy(e.Server, e.Err); todo != "" {
		text += "; " + todo
	}
	return text
}

// Unwrap returns the cause.
func (e *Unreachable) Unwrap() error { return e.Err }

func readError(resp *http.Response, server, path string) *Error {
	defer resp.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // a cut text is still the best there is
	failure := &Error{Status: resp.StatusCode, Server: server, Path: path}
	var body wire.ErrorBody
	if json.Unmarshal(text, &body) == nil && body.Error.Code != "" {
		failure.Code, failure.Field, failure.Message = body.Error.Code, body.Error.Field, body.Error.Message+hint(body.Error.Code)
		return failure
	}
	failure.Message = http.StatusText(resp.StatusCode)
	if first, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n"); first != "" && len(first) < 200 {
		failure.Message += ": " + first
	}
	return failure
}

// hint says where in this process the reason of an error lies.
func hint(code string) string {
	switch code {
	case wire.CodeUnauthenticated:
		return " (It is the one of Config.Key.)"
	case wire.CodeVersion:
		return " (Take a version of the module worker-sdk that fits the server.)"
	}
	return ""
}

// Code returns the protocol's code of err, or "" when err carries none.
func Code(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return ""
}

// Transient reports whether the same request may well succeed later or at
// another server.
func Transient(err error) bool {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return true // no answer
	}
	switch e.Code {
	case wire.CodeUnavailable:
		return true
	case "":
		// A proxy in front of a server that is starting answers anything.
		return e.Status >= 500 || e.Status == http.StatusTooManyRequests || e.Status == http.StatusNotFound
	}
	return e.Status >= 500
}

// Backoff returns how long to wait before try n (0 is the first repeat): a random
// time up to 100 ms, doubled with each try up to limit. The randomness keeps a
// fleet from knocking at once when a server comes back.
func Backoff(n int, limit time.Duration) time.Duration {
	ceiling := min(limit, 100*time.Millisecond<<min(n, 20))
	return ceiling/2 + time.Duration(rand.Int64N(int64(ceiling/2)+1))
}

// Sleep waits for d or until ctx ends, and reports whether it waited in full.
func Sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
