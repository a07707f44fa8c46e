package graphtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/belfry-scheduler/belfry/models"
)

// Patience bounds every wait of a test; one that reaches it has failed.
const Patience = 20 * time.Second

// Socket is a client of graphql-transport-ws.
type Socket struct {
	t    testing.TB
	conn *websocket.Conn
	next int
}

// Dial opens a socket with the given headers, and signs in with the payload of
// connection_init; it answers the response of the handshake when that failed.
func (b *Bench) Dial(t testing.TB, header http.Header, payload map[string]any) (*Socket, *http.Response, error) {
	t.Helper()
	conn, resp, err := websocket.Dial(t.Context(), b.URL+"/graphql", &websocket.DialOptions{
		Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: header,
	})
	if err != nil {
		return nil, resp, err
	}
	conn.SetReadLimit(-1)
	t.Cleanup(func() { _ = conn.CloseNow() })
	s := &Socket{t: t, conn: conn}
	s.send(map[string]any{"type": "connection_init", "payload": payload})
	if m, err := s.receive(); err != nil || m.Type != "connection_ack" {
		return s, nil, err
	}
	return s, nil, nil
}

// Connect opens a socket with a role's token.
func (b *Bench) Connect(t testing.TB, role models.Role) *Socket {
	t.Helper()
	s, _, err := b.Dial(t, nil, map[string]any{"Authorization": "Bearer " + b.Token(role)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

type frame struct {
	ID      string          `json:"id"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload"`
}

func (s *Socket) send(v any) {
	s.t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.conn.Write(s.t.Context(), websocket.MessageText, raw); err != nil {
		s.t.Fatal(err)
	}
}

func (s *Socket) receive() (frame, error) {
	ctx, cancel := context.WithTimeout(s.t.Context(), Patience)
	defer cancel()
	_, raw, err := s.conn.Read(ctx)
	if err != nil {
		return frame{}, err
	}
	var f frame
	return f, json.Unmarshal(raw, &f)
}

// Subscribe starts an operation and answers its id.
func (s *Socket) Subscribe(text string, vars Vars) string {
	s.t.Helper()
	note(text)
	s.next++
	id := fmt.Sprint(s.next)
	s.send(map[string]any{"id": id, "type": "subscribe", "payload": map[string]any{"query": text, "variables": vars}})
	return id
}

// Complete ends an operation.
func (s *Socket) Complete(id string) { s.send(map[string]any{"id": id, "type": "complete"}) }

// Next is the next response of any operation; ok is false when one has ended, with
// or without errors.
func (s *Socket) Next() (a Answer, ok bool) {
	s.t.Helper()
	f, err := s.receive()
	if err != nil {
		s.t.Fatalf("waiting for a response: %v", err)
	}
	switch f.Type {
	case "next":
		if err := json.Unmarshal(f.Payload, &a); err != nil {
			s.t.Fatal(err)
		}
		return a, true
	case "error":
		if err := json.Unmarshal(f.Payload, &a.Errors); err != nil {
			s.t.Fatal(err)
		}
	case "complete":
	default:
		s.t.Fatalf("received a frame of type %q", f.Type)
	}
	return a, false
}

// Await reads responses until one has the value at the path, and answers it.
func (s *Socket) Await(path string, want any) Answer {
	s.t.Helper()
	for {
		a, ok := s.Next()
		if !ok {
			s.t.Fatalf("the operation ended before %s was %v: %+v", path, want, a.Errors)
		}
		var data any
		if err := json.Unmarshal(a.Data, &data); err != nil {
			s.t.Fatal(err)
		}
		if At(s.t, data, path) == want {
			return a
		}
	}
}

// Closed reads until the socket is closed and answers the code.
func (s *Socket) Closed() int {
	s.t.Helper()
	for {
		if _, err := s.receive(); err != nil {
			why, ok := errors.AsType[websocket.CloseError](err)
			if !ok {
				s.t.Fatalf("the socket was not closed: %v", err)
			}
			return int(why.Code)
		}
	}
}

// Close closes the socket.
func (s *Socket) Close() { _ = s.conn.Close(websocket.StatusNormalClosure, "") }
