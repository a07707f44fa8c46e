package transport

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/belfry-scheduler/belfry/services/fault"
)

// Media types of requests and answers.
const (
	typeJSON    = "application/json"
	typeGraphQL = "application/graphql-response+json"
	typeEvents  = "text/event-stream"
)

// isJSONPost says whether r posts JSON.
func isJSONPost(r *http.Request) bool {
	if r.Method != http.MethodPost || r.Header.Get("Upgrade") != "" {
		return false
	}
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && media == typeJSON
}

// readParams reads the one operation of a request's body. Errors are for people;
// the status belongs to them.
func readParams(w http.ResponseWriter, r *http.Request) (*graphql.RawParams, int, error) {
	start := graphql.Now()
	body, err := readBody(w, r)
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, http.StatusRequestEntityTooLarge, fault.New(fault.Limit, "The request has more than %d bytes: send large values as variables of several operations.", MaxBody)
	}
	if err != nil {
		return nil, http.StatusBadRequest, fault.New(fault.Invalid, "The request ended before its body was complete: send it again.")
	}
	params, err := decodeParams(body)
	if err != nil {
		return nil, http.StatusBadRequest, err
	}
	params.Headers = r.Header
	params.ReadTime = graphql.TraceTiming{Start: start, End: graphql.Now()}
	return params, http.StatusOK, nil
}

// readBody reads a body of at most MaxBody bytes. One that says that it is larger is refused
// before there is memory for it.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.ContentLength > MaxBody {
		return nil, &http.MaxBytesError{Limit: MaxBody}
	}
	return io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
}

// decodeParams reads the JSON form of an operation; numbers keep their digits.
func decodeParams(body []byte) (*graphql.RawParams, error) {
	params := &graphql.RawParams{}
	if err := decode(body, params); err != nil {
		return nil, fault.New(fault.Invalid, `The body is not a JSON object of one operation, {"query": …, "variables": …}: %s.`, reason(err))
	}
	return params, nil
}

// reason says what is wrong with JSON without showing what it holds.
func reason(err error) string {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return syntax.Error()
	}
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return "its field " + kind.Field + " cannot be a " + kind.Value
	}
	return "it is cut short or followed by more text"
}

// list makes the list that the executor presents.
func list(err error) gqlerror.List { return gqlerror.List{gqlerror.Wrap(err)} }

// statusOf is the HTTP status of an operation that was refused before it ran.
func statusOf(errs gqlerror.List) int {
	for _, err := range errs {
		switch codeOf(err) {
		case string(fault.Unauthenticated):
			return http.StatusUnauthorized
		case string(fault.Forbidden):
			return http.StatusForbidden
		case "PERSISTED_QUERY_NOT_FOUND":
			return http.StatusOK
		}
	}
	return http.StatusBadRequest
}

func codeOf(err *gqlerror.Error) string {
	if code, ok := err.Extensions["code"].(string); ok {
		return code
	}
	return string(fault.CodeOf(err))
}
