package transport

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/belfry-scheduler/belfry/services/fault"
)

// message is one frame of graphql-transport-ws, in either direction.
type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// Types of message.
const (
	msgInit      = "connection_init"
	msgAck       = "connection_ack"
	msgPing      = "ping"
	msgPong      = "pong"
	msgSubscribe = "subscribe"
	msgNext      = "next"
	msgError     = "error"
	msgComplete  = "complete"
)

// closing is the reason for which a socket is closed by us.
type closing struct {
	code   websocket.StatusCode
	reason string // at most 123 bytes
}

func (c *closing) Error() string { return c.reason }

// connection is one socket. Its goroutines are the reader (which is the
// request's own), the keeper, and one for each operation; all end with ctx.
type connection struct {
	WebSocket
	ws      *websocket.Conn
	exec    graphql.GraphExecutor
	headers http.Header
	ctx     context.Context         //nolint:containedctx // a socket's life is its context's
	cancel  context.CancelCauseFunc // ends ctx; the first cause is the reason given to the client
	wg      sync.WaitGroup

	mu     sync.Mutex
	active map[string]context.CancelFunc // operations by id, at most MaxOperations
}

// run serves the socket until it is closed. Every goroutine of it has ended when
// run returns.
func (c *connection) run() {
	ctx := c.ctx // init puts the caller into a child of it
	c.wg.Go(func() { c.closeWhenDone(ctx) })
	if err := c.init(); err != nil {
		c.cancel(err)
	} else {
		c.wg.Go(c.keep)
		c.cancel(c.read())
	}
	c.wg.Wait()
}

// init waits for connection_init and finds out who asks.
func (c *connection) init() error {
	timer := time.AfterFunc(c.InitTimeout, func() {
		c.cancel(&closing{closeInitTimeout, "Connection initialisation timeout"})
	})
	defer timer.Stop()
	first, err := c.receive()
	if err != nil {
		return err
	}
	if first.Type != msgInit {
		return &closing{closeUnauthorized, "Unauthorized: send connection_init first"}
	}
	var payload map[string]any
	if len(first.Payload) > 0 && json.Unmarshal(first.Payload, &payload) != nil {
		return &closing{closeBadMessage, "connection_init has a payload that is no object"}
	}
	if c.ctx, err = c.SignIn(c.ctx, authorization(payload)); err != nil {
		return unauthorized(err)
	}
	return c.send(message{Type: msgAck})
}

// authorization reads the payload's stand-in for the header that browsers cannot set.
func authorization(payload map[string]any) string {
	for key, value := range payload {
		if text, ok := value.(string); ok && strings.EqualFold(key, "Authorization") {
			return text
		}
	}
	return ""
}

func unauthorized(err error) error {
	if fault.Is(err, fault.Forbidden) {
		return &closing{closeForbidden, "Forbidden"}
	}
	if fault.Is(err, fault.Unauthenticated) {
		return &closing{closeUnauthorized, "Unauthorized"}
	}
	return &closing{websocket.StatusTryAgainLater, "It could not be found out who asks; try again"}
}

// read handles what the client sends until the socket ends.
func (c *connection) read() error {
	for {
		m, err := c.receive()
		if err != nil {
			return err
		}
		switch m.Type {
		case msgSubscribe:
			err = c.subscribe(m)
		case msgComplete:
			c.stop(m.ID)
		case msgPing:
			err = c.send(message{Type: msgPong, Payload: m.Payload})
		case msgPong:
		case msgInit:
			err = &closing{closeTooManyInits, "Too many initialisation requests"}
		default:
			err = &closing{closeBadMessage, "Unknown message type"}
		}
		if err != nil {
			return err
		}
	}
}

// receive reads one message. The socket's context does not end the reading, since
// that would close the socket without a reason: closeWhenDone does.
func (c *connection) receive() (message, error) {
	kind, data, err := c.ws.Read(context.WithoutCancel(c.ctx))
	if err != nil {
		return message{}, err
	}
	var m message
	if kind != websocket.MessageText || decode(data, &m) != nil {
		return message{}, &closing{closeBadMessage, "Invalid message"}
	}
	return m, nil
}

// send writes one message. A client that does not take it in time is dropped.
func (c *connection) send(m message) error {
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), writeTimeout)
	defer cancel()
	return c.ws.Write(ctx, websocket.MessageText, body)
}

// subscribe starts an operation.
func (c *connection) subscribe(m message) error {
	params, err := decodeParams(m.Payload)
	if m.ID == "" || err != nil {
		return &closing{closeBadMessage, "Invalid subscribe message"}
	}
	ctx, err := c.admit(m.ID)
	if fault.Is(err, fault.Limit) {
		return c.refuse(c.ctx, m.ID, list(err))
	}
	if err != nil {
		return err
	}
	params.Headers = c.headers
	c.wg.Go(func() { c.operate(ctx, m.ID, params) })
	return nil
}

// admit books an operation; stop ends it. Errors: the reason to close the socket,
// or LIMIT.
func (c *connection) admit(id string) (context.Context, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, taken := c.active[id]; taken {
		return nil, &closing{closeDuplicateID, "Subscriber for " + clip(id) + " already exists"}
	}
	if len(c.active) >= MaxOperations {
		return nil, fault.New(fault.Limit, "This socket has %d operations already: end some first.", MaxOperations)
	}
	ctx, cancel := context.WithCancel(c.ctx)
	c.active[id] = cancel
	return ctx, nil
}

// operate runs one operation to its end.
func (c *connection) operate(ctx context.Context, id string, params *graphql.RawParams) {
	defer c.stop(id)
	params.ReadTime = graphql.TraceTiming{Start: graphql.Now(), End: graphql.Now()}
	op, errs := c.exec.CreateOperationContext(graphql.StartOperationTrace(ctx), params)
	ctx = graphql.WithOperationContext(ctx, op)
	if errs != nil {
		c.drop(c.refuse(ctx, id, errs))
		return
	}
	responses, ctx := c.exec.DispatchOperation(ctx, op)
	for response := responses(ctx); response != nil; response = responses(ctx) {
		body, err := json.Marshal(response)
		if err == nil {
			err = c.send(message{ID: id, Type: msgNext, Payload: body})
		}
		if err != nil {
			c.drop(err)
			return
		}
	}
	if ctx.Err() == nil { // else the client has ended it, or the socket closes
		c.drop(c.send(message{ID: id, Type: msgComplete}))
	}
}

// refuse answers an operation that does not run.
func (c *connection) refuse(ctx context.Context, id string, errs gqlerror.List) error {
	body, err := json.Marshal(c.exec.DispatchError(ctx, errs).Errors)
	if err != nil {
		return err
	}
	return c.send(message{ID: id, Type: msgError, Payload: body})
}

// drop ends the socket when err says that it cannot be written.
func (c *connection) drop(err error) {
	if err != nil {
		c.cancel(err)
	}
}

// stop ends an operation; one that is not there has ended already.
func (c *connection) stop(id string) {
	c.mu.Lock()
	cancel := c.active[id]
	delete(c.active, id)
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// keep notices clients that vanished and callers that may no longer listen.
func (c *connection) keep() {
	ping, recheck := time.NewTicker(c.PingEvery), time.NewTicker(c.RecheckEvery)
	defer ping.Stop()
	defer recheck.Stop()
	for {
		select {
		case <-ping.C:
			c.wg.Go(c.ping)
		case <-recheck.C:
			if err := c.Recheck(c.ctx); err != nil {
				c.cancel(unauthorized(err))
				return
			}
		case <-c.ctx.Done():
			return
		}
	}
}

// ping is answered by the client's WebSocket library itself, so it asks nothing
// of the programs that use it. At most one is under way: it takes no longer than
// the interval.
func (c *connection) ping() {
	ctx, cancel := context.WithTimeout(c.ctx, c.PingEvery)
	defer cancel()
	if err := c.ws.Ping(ctx); err != nil && c.ctx.Err() == nil {
		c.Logger.DebugContext(c.ctx, "a client answered no ping and is dropped")
		c.cancel(err)
	}
}

// closeWhenDone closes the socket when its context ends, with the code and
// reason of the cause.
func (c *connection) closeWhenDone(ctx context.Context) {
	<-ctx.Done()
	cause := context.Cause(ctx)
	if why, ok := errors.AsType[*closing](cause); ok {
		_ = c.ws.Close(why.code, why.reason)
		return
	}
	if errors.Is(cause, ErrStopping) {
		_ = c.ws.Close(websocket.StatusGoingAway, ErrStopping.Error())
		return
	}
	_ = c.ws.CloseNow()
}

// clip keeps a client's text short enough for a close frame.
func clip(s string) string {
	const most = 40
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
