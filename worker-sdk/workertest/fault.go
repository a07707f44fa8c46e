package workertest

import (
	"net/http"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// Call is a request that has reached the server.
type Call struct {
	Path string // one of wire's Path constants; task queries have the id at the end
	Nth  int    // how many requests to this path there were, this one included
	Body []byte
}

// Fault is what goes wrong with a call; the zero value is nothing.
type Fault struct {
	Delay     time.Duration // before anything else happens
	Refuse    bool          // the connection breaks before the server has done anything
	DropReply bool          // the server does it, and the reply is lost
	Twice     bool          // the server does it twice, as if the request had been repeated on the way
	Error     *wire.Error   // the server answers this, and does nothing
}

// Inject makes fault decide about every call from now on, one at a time; nil means that
// nothing goes wrong. It must not call the server's methods.
func (s *Server) Inject(fault func(Call) Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inject = fault
}

// Calls returns how many requests to path there were.
func (s *Server) Calls(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[path]
}

func (s *Server) faultOf(path string, body []byte) Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[path]++
	if s.down {
		return Fault{Refuse: true}
	}
	if s.inject == nil {
		return Fault{}
	}
	return s.inject(Call{Path: path, Nth: s.calls[path], Body: body})
}

// statusOf is the HTTP status of an error code.
func statusOf(code string) int {
	switch code {
	case wire.CodeUnauthenticated:
		return http.StatusUnauthorized
	case wire.CodeNotRegistered, wire.CodeNameInUse:
		return http.StatusConflict
	case wire.CodeReplaced:
		return http.StatusGone
	case wire.CodeNotFound:
		return http.StatusNotFound
	case wire.CodeTooLarge:
		return http.StatusRequestEntityTooLarge
	case wire.CodeVersion:
		return http.StatusUpgradeRequired
	case wire.CodeUnavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusBadRequest
}
