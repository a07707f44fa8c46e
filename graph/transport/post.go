package transport

import (
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/belfry-scheduler/belfry/services/fault"
)

// POST answers one query or mutation a request. An operation that was refused
// before it ran has a status of 400 or more; one that ran has 200, whatever its
// errors.
type POST struct{}

var _ graphql.Transport = POST{}

// Supports implements graphql.Transport.
func (POST) Supports(r *http.Request) bool { return isJSONPost(r) }

// Do implements graphql.Transport.
func (POST) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	ctx := r.Context()
	params, status, err := readParams(w, r)
	if err != nil {
		answer(w, r, status, exec.DispatchError(ctx, list(err)))
		return
	}
	op, errs := exec.CreateOperationContext(ctx, params)
	ctx = graphql.WithOperationContext(ctx, op)
	if errs != nil {
		answer(w, r, statusOf(errs), exec.DispatchError(ctx, errs))
		return
	}
	if op.Operation.Operation == ast.Subscription {
		err := fault.New(fault.Invalid, "A subscription needs a stream: send it by WebSocket (graphql-transport-ws), or with Accept: text/event-stream.")
		answer(w, r, http.StatusNotAcceptable, exec.DispatchError(ctx, list(err)))
		return
	}
	responses, ctx := exec.DispatchOperation(ctx, op)
	if response := responses(ctx); response != nil {
		answer(w, r, http.StatusOK, response)
	} // else the client has gone
}

// answer writes a response as JSON, compressed when that is worth it.
func answer(w http.ResponseWriter, r *http.Request, status int, response *graphql.Response) {
	body, err := encode(response)
	if err != nil { // errors and extensions are ours and plain
		http.Error(w, "the answer could not be written", http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Type", mediaType(r)+"; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Add("Vary", "Accept-Encoding")
	if len(body) >= compressFrom && acceptsGzip(r) {
		body = compress(body)
		header.Set("Content-Encoding", "gzip")
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // an error means that the client has gone
}

// mediaType is the first of the two answer types that the client accepts.
func mediaType(r *http.Request) string {
	for part := range strings.SplitSeq(r.Header.Get("Accept"), ",") {
		media, _, err := mime.ParseMediaType(strings.TrimSpace(part))
		if err == nil && (media == typeGraphQL || media == typeJSON) {
			return media
		}
	}
	return typeJSON
}
