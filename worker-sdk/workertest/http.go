package workertest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// ServeHTTP answers the worker protocol.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, wire.MaxBodyBytes+1))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	fault := s.faultOf(r.URL.Path, body)
	if fault.Delay > 0 {
		pause := time.NewTimer(fault.Delay)
		defer pause.Stop()
		select {
		case <-pause.C:
		case <-r.Context().Done():
			panic(http.ErrAbortHandler)
		case <-s.closed:
			panic(http.ErrAbortHandler)
		}
	}
	switch {
	case fault.Refuse:
		panic(http.ErrAbortHandler)
	case fault.Error != nil:
		writeError(w, fault.Error)
		return
	case len(body) > wire.MaxBodyBytes:
		writeError(w, &wire.Error{Code: wire.CodeTooLarge, Message: "the request is larger than 8 MiB"})
		return
	case r.Header.Get("Authorization") != "Bearer "+Key:
		writeError(w, &wire.Error{Code: wire.CodeUnauthenticated, Message: "the key is wrong: use workertest.Key"})
		return
	case r.URL.Path == wire.PathStream:
		s.serveStream(w, r)
		return
	}
	answer, failure := s.answer(r, body)
	if fault.Twice {
		answer, failure = s.answer(r, body)
	}
	if fault.DropReply {
		panic(http.ErrAbortHandler)
	}
	if failure != nil {
		writeError(w, failure)
		return
	}
	writeJSON(w, http.StatusOK, answer)
}

func writeError(w http.ResponseWriter, e *wire.Error) {
	writeJSON(w, statusOf(e.Code), wire.ErrorBody{Error: *e})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	var text bytes.Buffer
	if err := json.NewEncoder(&text).Encode(v); err != nil {
		panic(err) // a frame of ours always encodes
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text.Bytes()) // the client may have gone
}

// answer carries out one request.
func (s *Server) answer(r *http.Request, body []byte) (any, *wire.Error) {
	switch path := r.URL.Path; {
	case path == wire.PathRegister:
		return decoded(body, s.register)
	case path == wire.PathReport:
		return decoded(body, s.report)
	case path == wire.PathHeartbeat:
		return decoded(body, s.heartbeat)
	case path == wire.PathLeave:
		return decoded(body, s.leave)
	case path == wire.PathEnqueue:
		return decoded(body, s.enqueue)
	case path == wire.PathCancel:
		return decoded(body, s.cancelRequest)
	case path == wire.PathMove:
		return decoded(body, s.moveRequest)
	case strings.HasPrefix(path, wire.PathTask):
		return s.status(r, strings.TrimPrefix(path, wire.PathTask))
	}
	return nil, &wire.Error{Code: wire.CodeNotFound, Message: "there is nothing at " + r.URL.Path}
}

// decoded calls f with the request that body holds, under the lock.
func decoded[Q, A any](body []byte, f func(*Q) (A, *wire.Error)) (any, *wire.Error) {
	var request Q
	if err := json.Unmarshal(body, &request); err != nil {
		return nil, &wire.Error{Code: wire.CodeInvalid, Message: "the request is no valid JSON: " + err.Error()}
	}
	return f(&request)
}

func (s *Server) status(r *http.Request, id string) (any, *wire.Error) {
	ms, _ := strconv.Atoi(r.URL.Query().Get("wait")) // absent means not to wait
	timer := time.NewTimer(time.Duration(ms) * time.Millisecond)
	defer timer.Stop()
	for {
		s.mu.Lock()
		t, changed := s.tasks[id], s.changed
		if t == nil {
			s.mu.Unlock()
			return nil, &wire.Error{Code: wire.CodeNotFound, Message: "there is no task " + id}
		}
		status := t.status()
		s.mu.Unlock()
		if status.Final || ms <= 0 {
			return status, nil
		}
		select {
		case <-changed:
		case <-timer.C:
			return status, nil
		case <-r.Context().Done():
			return status, nil
		case <-s.closed:
			return nil, &wire.Error{Code: wire.CodeUnavailable, Message: "the server is closing"}
		}
	}
}
