package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"

	"github.com/coder/websocket"
)

const (
	neverRead   = 500
	vanish      = 1000
	pingEvery   = 15 * time.Second // transport.Standard: the bench shares no code with what it checks
	socketsEach = 150
	seatsEach   = 20 // sockets that read and whose token ends
	endsWithin  = 3 * time.Second
)

// subscribe opens a socket at an address, signs in and begins an operation. With
// deaf the system keeps next to nothing for it, so that what is not read is soon noticed.
func subscribe(ctx context.Context, host, token, query string, variables map[string]any, deaf bool) (*websocket.Conn, error) {
	dialer := &net.Dialer{Timeout: patience}
	if deaf {
		dialer.Control = func(_, _ string, c syscall.RawConn) error {
			return c.Control(func(fd uintptr) {
				_ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4096) // without it only slower
			})
		}
	}
	client := &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext}}
	conn, _, err := websocket.Dial(ctx, "ws://"+host+"/graphql", &websocket.DialOptions{HTTPClient: client, Subprotocols: []string{"graphql-transport-ws"}}) //nolint:bodyclose // the library closes it
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(-1)
	for _, m := range []map[string]any{
		{"type": "connection_init", "payload": map[string]any{"Authorization": "Bearer " + token}},
		{"type": "subscribe", "id": "1", "payload": map[string]any{"query": query, "variables": variables}},
	} {
		text, _ := json.Marshal(m) // a map of texts always marshals
		if err := conn.Write(ctx, websocket.MessageText, text); err != nil {
			return nil, errors.Join(err, conn.CloseNow())
		}
		if m["type"] != "connection_init" {
			continue
		}
		if _, _, err := conn.Read(ctx); err != nil { // that it is signed in: only so many from one address may not be yet
			return nil, errors.Join(err, conn.CloseNow())
		}
	}
	return conn, nil
}

// sockets is F27: sockets that never read, sockets that vanish without a word, and
// sockets that read and whose token ends.
func sockets(ctx context.Context, b *bed) error {
	s := b.servers[0]
	watching, end := context.WithCancel(ctx)
	defer end()
	y := b.bystand(watching, s)
	b.rest(ctx, 4*time.Second)
	calm, _, _ := y.take()
	before, err := s.gauges(ctx)
	if err != nil {
		return err
	}
	proxy, err := newProxy(s.host())
	if err != nil {
		return err
	}
	defer proxy.close()
	open, ended, err := b.seats(ctx, s, proxy)
	if err != nil {
		return err
	}
	defer func() {
		for _, conn := range open {
			_ = conn.CloseNow()
		}
	}()
	with, err := s.gauges(ctx)
	if err != nil {
		return err
	}
	if with.goroutines < before.goroutines+neverRead+vanish {
		b.fig.breaks("the sockets did not come: %d goroutines, before %d", with.goroutines, before.goroutines)
	}
	proxy.cut()
	struck := time.Now()
	late, err := b.endToken(ctx, ended)
	if err != nil {
		return err
	}
	after, err := b.returned(ctx, s, before, 2*pingEvery+5*time.Second)
	if err != nil {
		return err
	}
	gone := time.Since(struck)
	busy := y.judge(calm)
	b.look(ctx)
	b.fig.scale = fmt.Sprintf("%d that never read, %d that vanish: gone after %s; %d whose token is revoked: ended after %s at most; goroutines %d, %d, then %d; files %d, %d, then %d; memory %s, %s, then %s; another client p99 %s, calm %s",
		neverRead, vanish, short(gone), seatsEach, short(late), before.goroutines, with.goroutines, after.goroutines, before.files, with.files, after.files,
		mib(before.memory), mib(with.memory), mib(after.memory), short(busy), short(calm))
	return nil
}

// seats opens all sockets, some at a time; ended tells of each of the readers how it ended.
func (b *bed) seats(ctx context.Context, s *server, proxy *proxy) (open []*websocket.Conn, ended <-chan error, err error) {
	var tokens []string // one caller may have so many sockets at once
	for i := range (neverRead+vanish)/socketsEach + 1 {
		token, err := b.belfry(ctx, "token", "create", "--name", fmt.Sprintf("crowd-%d", i), "--role", "VIEWER")
		if err != nil {
			return nil, nil, err
		}
		tokens = append(tokens, token)
	}
	token, err := b.belfry(ctx, "token", "create", "--name", "seats", "--role", "VIEWER")
	if err != nil {
		return nil, nil, err
	}
	ends := make(chan error, seatsEach)
	var mu sync.Mutex
	var errs []error
	var running sync.WaitGroup
	slots := make(chan struct{}, 32)
	for i := range neverRead + vanish + seatsEach {
		host, key := s.host(), tokens[min(i/socketsEach, len(tokens)-1)]
		if i >= neverRead {
			host = proxy.addr()
		}
		if i >= neverRead+vanish {
			host, key = s.host(), token
		}
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			conn, err := subscribe(ctx, host, key, `subscription{overviewChanged{__typename}}`, nil, i < neverRead)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				errs = append(errs, err)
				return
			}
			open = append(open, conn)
			if i >= neverRead+vanish {
				go func() { ends <- drain(ctx, conn) }() // ends with the socket
			}
		})
	}
	running.Wait()
	if len(errs) > 0 {
		return open, ends, fmt.Errorf("%d of %d sockets could not be opened: %w", len(errs), neverRead+vanish+seatsEach, errs[0])
	}
	return open, ends, nil
}

// drain reads a socket until it ends.
func drain(ctx context.Context, conn *websocket.Conn) error {
	for {
		if _, _, err := conn.Read(ctx); err != nil {
			return err
		}
	}
}

// endToken revokes the readers' token and answers when the last of their sockets had
// ended; each must be closed as unauthorized.
func (b *bed) endToken(ctx context.Context, ended <-chan error) (time.Duration, error) {
	var id string
	if err := b.ledger.QueryRowContext(ctx, "SELECT id FROM api_tokens WHERE name = 'seats'").Scan(&id); err != nil {
		return 0, err
	}
	began := time.Now()
	if _, err := ask[any](ctx, b, `mutation($id:ID!){revokeApiToken(id:$id){userErrors{message}}}`, map[string]any{"id": id}); err != nil {
		return 0, err
	}
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for n := range seatsEach {
		select {
		case err := <-ended:
			if code := websocket.CloseStatus(err); code != 4401 && code != 4403 {
				b.fig.breaks("V11: a socket whose token was revoked ended with %v", err)
			}
		case <-limit.C:
			b.fig.breaks("V11: %d sockets go on although their token was revoked", seatsEach-n)
			return patience, nil
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	took := time.Since(began)
	if took > endsWithin {
		b.fig.breaks("V11: sockets went on for %s after their token was revoked", short(took))
	}
	return took, nil
}
