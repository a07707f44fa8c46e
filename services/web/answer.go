package web

import (
	"encoding/json"
	"net/http"

	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

// writeJSON answers with a JSON body.
func writeJSON(w http.ResponseWriter, status int, body any) {
	raw, err := json.Marshal(body)
	if err != nil { // the bodies are ours and plain
		http.Error(w, "the answer could not be written", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(raw, '\n')) // an error means that the client has gone
}

// errorBody is the body of every answer with a status of 400 or more that this
// package writes.
type errorBody struct {
	Error struct {
		Code      fault.Code `json:"code"`
		Message   string     `json:"message"`
		RequestID string     `json:"requestId,omitempty"`
	} `json:"error"`
}

// statuses by code; anything else is 500.
var statuses = map[fault.Code]int{
	fault.Invalid:         http.StatusBadRequest,
	fault.Required:        http.StatusBadRequest,
	fault.Unsupported:     http.StatusBadRequest,
	fault.Unauthenticated: http.StatusUnauthorized,
	fault.Forbidden:       http.StatusForbidden,
	fault.NotFound:        http.StatusNotFound,
	fault.Taken:           http.StatusConflict,
	fault.Conflict:        http.StatusConflict,
	fault.Limit:           http.StatusTooManyRequests,
	fault.Unavailable:     http.StatusServiceUnavailable,
}

// writeError answers an error for people; of any other only the request's id is
// shown, and the caller has logged it.
func writeError(w http.ResponseWriter, r *http.Request, err error) {
	var body errorBody
	body.Error.Code = fault.CodeOf(err)
	body.Error.RequestID = request.ID(r.Context())
	status, known := statuses[body.Error.Code]
	if all := fault.All(err); known && len(all) > 0 {
		body.Error.Message = all.Error()
	} else {
		status = http.StatusInternalServerError
		body.Error.Code = fault.Internal
		body.Error.Message = "Something went wrong on the server: an administrator finds it in the log by the request id."
	}
	writeJSON(w, status, body)
}
