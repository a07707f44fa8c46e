package workerapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/registry"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// bodyWait bounds the arrival of a body: one that trickles would hold its handler for ever.
const bodyWait = time.Minute

// readBody decodes the one JSON value that a body is. A body that is anything else is
// refused in words that do not presume Go on the other side.
func readBody(w http.ResponseWriter, r *http.Request, into any, within time.Duration) error {
	// Socket deadlines are by the machine's clock, whatever the ledger's says.
	conn := http.NewResponseController(w)
	if conn.SetReadDeadline(clock.System{}.Now().Add(within)) == nil {
		defer func() { _ = conn.SetReadDeadline(time.Time{}) }()
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return fault.New(fault.Invalid, "The body has the Content-Encoding %s: send it plain.", check.Quote(coding))
	}
	dec := json.NewDecoder(http.MaxBytesReader(w, r.Body, wire.MaxBodyBytes))
	if err := dec.Decode(into); err != nil {
		return badBody(err)
	}
	// Half of two frames must not pass for one.
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			return badBody(err)
		}
		return fault.New(fault.Invalid, "Something follows the JSON value of the body: send one value and nothing else.")
	}
	return nil
}

func badBody(err error) error {
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return &registry.Refusal{Wire: wire.Error{
			Code: wire.CodeTooLarge, Message: "The body is larger than 8 MiB: send less at once.",
		}}
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fault.New(fault.Invalid, "The body did not arrive in time: send it at once.")
	}
	if errors.Is(err, io.EOF) {
		return fault.New(fault.Invalid, "The body is empty: send a JSON object.")
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fault.New(fault.Invalid, "The body ends within its JSON value: send it whole.")
	}
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fault.New(fault.Invalid, "The body is no JSON in UTF-8: %v at byte %d.", e, e.Offset)
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return wrongType(e)
	}
	if e, ok := errors.AsType[*time.ParseError](err); ok {
		return fault.New(fault.Invalid, "%s is no instant: write it with its zone, as 2026-11-30T07:30:00.25Z.", e.Value)
	}
	return fault.New(fault.Invalid, "The body is not the JSON that is expected here: %v.", err)
}

// wrongType says which value has the wrong type. Within lists its place is not known.
func wrongType(e *json.UnmarshalTypeError) error {
	if e.Field == "" {
		return fault.New(fault.Invalid, "The body is a JSON %s: send %s.", e.Value, expected(e.Type))
	}
	return fault.At(e.Field, fault.Invalid, "%s is a JSON %s: send %s.", e.Field, e.Value, expected(e.Type))
}

// expected says in JSON's words what fits a type of a frame.
func expected(t reflect.Type) string {
	switch t.Kind() { //nolint:exhaustive // frames have no others
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return fmt.Sprintf("a whole number of at most %d bits", t.Bits())
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		return "a list"
	default:
		return "an object"
	}
}
