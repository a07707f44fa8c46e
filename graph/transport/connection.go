package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/coder/websocket"

	"github.com/belfry-scheduler/belfry/services/fault"
)

// message is one frame of graphql-transport-ws, in either direction.
type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// encode writes the message. The payload is JSON already and is copied.
func (m message) encode() ([]byte, error) {
	var buf bytes.Buffer
	buf.Grow(len(m.Payload) + 64)
	buf.WriteByte('{')
	if m.ID != "" {
		id, err := plain(m.ID)
		if err != nil {
			return nil, err
		}
		buf.WriteString(`"id":`)
		buf.Write(id)
		buf.WriteByte(',')
	}
	buf.WriteString(`"type":"` + m.Type + `"`)
	if len(m.Payload) > 0 {
		buf.WriteString(`,"payload":`)
		buf.Write(m.Payload)
	}
	buf.WriteByte('}')
	return buf.Bytes(), nil
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
	ctx     context.Context         // a socket's life is its context's
	cancel  context.CancelCauseFunc // ends ctx; the first cause is the reason given to the client
	stream  *stream                 // what the socket is counted as
	wg      sync.WaitGroup

	mu     sync.Mutex
	active map[string]*operation // by id, at most MaxOperations
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
	timer := time.AfterFunc(c.Pace.Init, func() {
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
	if err := c.Streams.identify(c.ctx, c.stream); err != nil {
		return &closing{websocket.StatusTryAgainLater, err.Error()}
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
	body, err := m.encode()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), c.Pace.Write)
	defer cancel()
	return c.ws.Write(ctx, websocket.MessageText, body)
}
