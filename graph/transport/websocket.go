package transport

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/coder/websocket"

	"github.com/belfry-scheduler/belfry/services/fault"
)

// Close codes of graphql-transport-ws.
const (
	closeBadMessage    websocket.StatusCode = 4400
	closeUnauthorized  websocket.StatusCode = 4401
	closeForbidden     websocket.StatusCode = 4403
	closeInitTimeout   websocket.StatusCode = 4408
	closeDuplicateID   websocket.StatusCode = 4409
	closeTooManyInits  websocket.StatusCode = 4429
	subprotocol                             = "graphql-transport-ws"
	subprotocolsHeader                      = "Sec-WebSocket-Protocol"
)

// WebSocket carries any number of operations over one socket by the
// graphql-transport-ws protocol. Who may open one from which page is checked
// before it is reached.
type WebSocket struct {
	Streams *Streams
	// SignIn answers the context of the socket's operations. Authorization is
	// that of connection_init, "Bearer …"; when it is empty, who asks is what the
	// request said. An error closes the socket as unauthorised.
	SignIn  func(ctx context.Context, authorization string) (context.Context, error)
	Recheck Recheck
	Logger  *slog.Logger
	Pace    Pace
}

var _ graphql.Transport = WebSocket{}

// Supports implements graphql.Transport.
func (WebSocket) Supports(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

// Do implements graphql.Transport. It returns when the socket is closed and all
// its operations have ended.
func (t WebSocket) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	if !offers(r) {
		err := fault.New(fault.Invalid, "The socket must offer the subprotocol %s.", subprotocol)
		answer(w, r, http.StatusBadRequest, exec.DispatchError(r.Context(), list(err)))
		return
	}
	ctx, one, err := t.Streams.begin(r.Context())
	if err != nil {
		answer(w, r, statusOfFull(err), exec.DispatchError(r.Context(), list(err)))
		return
	}
	defer t.Streams.finish(one)
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols:       []string{subprotocol},
		InsecureSkipVerify: true, // the origin has been checked, against the public address too
	})
	if err != nil {
		t.Logger.DebugContext(ctx, "no socket was opened", "error", err)
		return
	}
	ws.SetReadLimit(MaxBody)
	c := &connection{
		WebSocket: t, ws: ws, exec: exec, headers: r.Header,
		ctx: ctx, cancel: one.cancel, stream: one, active: map[string]*operation{},
	}
	c.run()
}

func offers(r *http.Request) bool {
	for _, header := range r.Header.Values(subprotocolsHeader) {
		offered := strings.Split(header, ",")
		if slices.ContainsFunc(offered, func(s string) bool { return strings.TrimSpace(s) == subprotocol }) {
			return true
		}
	}
	return false
}
