package transport_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/belfry-scheduler/belfry/graph/transport"
	"github.com/belfry-scheduler/belfry/services/fault"
)

type client struct {
	t     *testing.T
	conn  *websocket.Conn
	pings atomic.Int64 // received
}

// dial opens a socket; it is closed when the test ends.
func dial(t *testing.T, url string) *client {
	t.Helper()
	c := &client{t: t}
	conn, _, err := websocket.Dial(t.Context(), url, &websocket.DialOptions{ //nolint:bodyclose // the library closes it
		Subprotocols:   []string{"graphql-transport-ws"},
		OnPingReceived: func(context.Context, []byte) bool { c.pings.Add(1); return true },
	})
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(-1)
	t.Cleanup(func() { _ = conn.CloseNow() })
	c.conn = conn
	return c
}

// connect opens a socket and signs in.
func connect(t *testing.T, url string) *client {
	t.Helper()
	c := dial(t, url)
	c.send(`{"type":"connection_init"}`)
	c.expect(`{"type":"connection_ack"}`)
	return c
}

func (c *client) send(text string) {
	c.t.Helper()
	if err := c.conn.Write(c.t.Context(), websocket.MessageText, []byte(text)); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) receive() string {
	c.t.Helper()
	_, body, err := c.conn.Read(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	return string(body)
}

func (c *client) expect(want string) {
	c.t.Helper()
	if got := c.receive(); got != want {
		c.t.Fatalf("received %.200s, want %s", got, want)
	}
}

// closed reads until the socket is closed and answers why.
func (c *client) closed() (websocket.StatusCode, string) {
	c.t.Helper()
	for {
		if _, _, err := c.conn.Read(c.t.Context()); err != nil {
			why, _ := errors.AsType[websocket.CloseError](err)
			return why.Code, why.Reason
		}
	}
}

func TestSocketCarriesOperations(t *testing.T) {
	t.Parallel()
	b := serve(t, quick, &allowed{})
	c := connect(t, b.url)
	const next = `{"id":"a","type":"next","payload":{"data":{"n":1}}}`
	c.send(`{"id":"a","type":"subscribe","payload":{"query":"one"}}`)
	c.expect(next)
	c.expect(`{"id":"a","type":"complete"}`)
	c.send(`{"id":"a","type":"subscribe","payload":{"query":"count 3"}}`) // an ended id is free again
	for range 3 {
		c.expect(next)
	}
	c.expect(`{"id":"a","type":"complete"}`)
	c.send(`{"type":"ping","payload":{"x":1}}`)
	c.expect(`{"type":"pong","payload":{"x":1}}`)
	c.send(`{"type":"pong"}`)
	c.send(`{"id":"b","type":"subscribe","payload":{"query":"refuse FORBIDDEN"}}`)
	c.expect(`{"id":"b","type":"error","payload":[{"message":"refused","extensions":{"code":"FORBIDDEN"}}]}`)
}

func TestSocketEndsAnOperation(t *testing.T) {
	t.Parallel()
	b := serve(t, quick, &allowed{})
	c := connect(t, b.url)
	c.send(`{"id":"a","type":"subscribe","payload":{"query":"ever"}}`)
	eventually(t, "the operation runs", func() bool { return b.exec.running.Load() == 1 })
	c.send(`{"id":"a","type":"complete"}`)
	c.send(`{"id":"unknown","type":"complete"}`)
	eventually(t, "the operation has ended", func() bool { return b.exec.running.Load() == 0 })
	c.send(`{"id":"a","type":"subscribe","payload":{"query":"ever"}}`)
	eventually(t, "the id is free", func() bool { return b.exec.running.Load() == 1 })
	_ = c.conn.Close(websocket.StatusNormalClosure, "")
	eventually(t, "all has ended", func() bool { return b.exec.running.Load() == 0 && b.streams.Open() == 0 })
}

func TestSocketRefuses(t *testing.T) {
	t.Parallel()
	b := serve(t, quick, &allowed{})
	const initialised = `{"type":"connection_init"}`
	tests := map[string]struct {
		send []string
		code websocket.StatusCode
	}{
		"an operation before init":    {[]string{`{"id":"a","type":"subscribe","payload":{"query":"one"}}`}, 4401},
		"bad credentials":             {[]string{`{"type":"connection_init","payload":{"Authorization":"Bearer bad"}}`}, 4401},
		"bad credentials, lower case": {[]string{`{"type":"connection_init","payload":{"authorization":"Bearer bad"}}`}, 4401},
		"too low a role":              {[]string{`{"type":"connection_init","payload":{"Authorization":"Bearer low"}}`}, 4403},
		"a database that is away":     {[]string{`{"type":"connection_init","payload":{"Authorization":"Bearer away"}}`}, 1013},
		"a payload that is no object": {[]string{`{"type":"connection_init","payload":7}`}, 4400},
		"a second init":               {[]string{initialised, initialised}, 4429},
		"no JSON":                     {[]string{initialised, `nonsense`}, 4400},
		"an unknown type":             {[]string{initialised, `{"type":"start","id":"a"}`}, 4400},
		"an operation without id":     {[]string{initialised, `{"type":"subscribe","payload":{"query":"one"}}`}, 4400},
		"an operation without text":   {[]string{initialised, `{"id":"a","type":"subscribe","payload":7}`}, 4400},
		"an id that is in use": {[]string{
			initialised, `{"id":"a","type":"subscribe","payload":{"query":"ever"}}`, `{"id":"a","type":"subscribe","payload":{"query":"ever"}}`,
		}, 4409},
		"too large a message": {[]string{initialised, `{"id":"` + strings.Repeat("x", transport.MaxBody) + `"}`}, 1009},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := dial(t, b.url)
			for _, text := range tt.send {
				c.send(text)
			}
			if code, reason := c.closed(); code != tt.code || reason == "" {
				t.Errorf("closed with %d %q, want %d and a reason", code, reason, tt.code)
			}
		})
	}
}

func TestSocketWithoutTheSubprotocolIsRefused(t *testing.T) {
	t.Parallel()
	b := serve(t, quick, &allowed{})
	for _, offered := range [][]string{nil, {"graphql-ws"}} {
		_, resp, err := websocket.Dial(t.Context(), b.url, &websocket.DialOptions{Subprotocols: offered}) //nolint:bodyclose // the library closes it
		if err == nil || resp == nil || resp.StatusCode != http.StatusBadRequest {
			t.Errorf("%v: %v", offered, err)
		}
	}
}

func TestSocketWaitsForInitOnlySoLong(t *testing.T) {
	t.Parallel()
	pace := quick
	pace.Init = 20 * time.Millisecond
	b := serve(t, pace, &allowed{})
	if code, _ := dial(t, b.url).closed(); code != 4408 {
		t.Errorf("closed with %d", code)
	}
}

func TestSocketHasSoManyOperations(t *testing.T) {
	t.Parallel()
	b := serve(t, quick, &allowed{})
	c := connect(t, b.url)
	for i := range transport.MaxOperations {
		c.send(fmt.Sprintf(`{"id":"%d","type":"subscribe","payload":{"query":"ever"}}`, i))
	}
	eventually(t, "all run", func() bool { return b.exec.running.Load() == transport.MaxOperations })
	c.send(`{"id":"more","type":"subscribe","payload":{"query":"ever"}}`)
	for {
		var m struct{ ID, Type string }
		if err := json.Unmarshal([]byte(c.receive()), &m); err != nil {
			t.Fatal(err)
		}
		if m.ID == "more" {
			if m.Type != "error" {
				t.Errorf("one too many was answered with %q", m.Type)
			}
			return
		}
	}
}

func TestSocketIsClosed(t *testing.T) {
	t.Parallel()
	t.Run("with its session", func(t *testing.T) {
		t.Parallel()
		pace, a := quick, &allowed{}
		pace.Recheck = 10 * time.Millisecond
		b := serve(t, pace, a)
		c := connect(t, b.url)
		c.send(`{"id":"a","type":"subscribe","payload":{"query":"ever"}}`)
		eventually(t, "the operation runs", func() bool { return b.exec.running.Load() == 1 })
		a.end(fault.New(fault.Unauthenticated, "revoked"))
		if code, _ := c.closed(); code != 4401 {
			t.Errorf("closed with %d, want 4401", code)
		}
		eventually(t, "the operation has ended", func() bool { return b.exec.running.Load() == 0 })
	})
	t.Run("with its server", func(t *testing.T) {
		t.Parallel()
		b := serve(t, quick, &allowed{})
		c := connect(t, b.url)
		done := make(chan error, 1)
		go func() { done <- b.streams.Stop(context.WithoutCancel(t.Context())) }()
		if code, reason := c.closed(); code != websocket.StatusGoingAway || reason == "" {
			t.Errorf("closed with %d %q", code, reason)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Run("when its client vanishes", func(t *testing.T) {
		t.Parallel()
		pace := quick
		pace.Ping = 50 * time.Millisecond
		b := serve(t, pace, &allowed{})
		c := connect(t, b.url) // and reads no more, so that it answers no ping
		c.send(`{"id":"a","type":"subscribe","payload":{"query":"ever"}}`)
		eventually(t, "the operation runs", func() bool { return b.exec.running.Load() == 1 })
		eventually(t, "the socket was dropped", func() bool { return b.exec.running.Load() == 0 && b.streams.Open() == 0 })
	})
	t.Run("when its client does not read", func(t *testing.T) {
		t.Parallel()
		pace := quick
		pace.Write = 50 * time.Millisecond
		b := serve(t, pace, &allowed{})
		c := connect(t, b.url)
		c.send(`{"id":"a","type":"subscribe","payload":{"query":"flood"}}`)
		eventually(t, "the socket was dropped", func() bool { return b.exec.running.Load() == 0 && b.streams.Open() == 0 })
	})
}

// A client that answers pings is kept, however silent it is otherwise.
func TestSocketKeepsTheLiving(t *testing.T) {
	t.Parallel()
	pace := quick
	pace.Ping = 300 * time.Millisecond // also the time to answer, on a busy machine
	b := serve(t, pace, &allowed{})
	c := connect(t, b.url)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _, _ = c.conn.Read(context.WithoutCancel(t.Context())) // answers pings until the socket ends
	}()
	eventually(t, "many pings were answered", func() bool { return c.pings.Load() > 3 })
	if n := b.streams.Open(); n != 1 {
		t.Errorf("%d sockets are open", n)
	}
	_ = c.conn.CloseNow()
	<-done
}

// A peer that never finishes its handshake of closing does not hold the server up.
func TestSocketOfASilentPeer(t *testing.T) {
	t.Parallel()
	b := serve(t, quick, &allowed{})
	raw, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(b.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	_, err = fmt.Fprintf(raw, "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n")
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the socket is open", func() bool { return b.streams.Open() == 1 })
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 15*time.Second)
	defer cancel()
	if err := b.streams.Stop(ctx); err != nil {
		t.Error(err)
	}
}
