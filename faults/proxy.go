package main

import (
	"errors"
	"net"
	"sync"
	"time"
)

// way is a direction through a proxy, seen from who dialled.
type way int

const (
	up   way = iota // from the client to the server
	down            // from the server to the client
)

// proxy stands between clients and one server. It can break connections,
// hold what goes one way or both (as packets that never arrive), delay and throttle
// it, and meddle with single chunks. It is safe for concurrent use.
type proxy struct {
	listener net.Listener

	mu      sync.Mutex
	changed *sync.Cond
	target  string
	held    [2]bool
	delay   [2]time.Duration // of each chunk
	rate    int              // bytes a second each way; 0: as fast as it goes
	meddle  func(l *link, w way, chunk []byte) verdict
	links   map[*link]bool
	closed  bool
}

// verdict is what becomes of a chunk.
type verdict int

const (
	pass  verdict = iota
	drop          // it is thrown away and the connection broken
	after         // it is passed, and the connection broken when the answer comes
)

// link is one connection through a proxy.
type link struct {
	p              *proxy
	client, server net.Conn
	dying          bool // the next chunk downwards breaks it; guarded by p.mu
	once           sync.Once
}

func newProxy(target string) (*proxy, error) {
	listener, err := listen()
	if err != nil {
		return nil, err
	}
	p := &proxy{listener: listener, target: target, links: map[*link]bool{}}
	p.changed = sync.NewCond(&p.mu)
	go p.accept() // ends with the listener
	return p, nil
}

func (p *proxy) addr() string { return p.listener.Addr().String() }

func (p *proxy) close() {
	_ = p.listener.Close() // nobody is to be told
	p.set(func() { p.closed = true })
	p.sever()
}

// set changes the proxy's behaviour, for chunks under way as well.
func (p *proxy) set(change func()) {
	p.mu.Lock()
	change()
	p.mu.Unlock()
	p.changed.Broadcast()
}

// aim gives the proxy another server; connections to the one before are broken.
func (p *proxy) aim(target string) {
	p.set(func() { p.target = target })
	p.sever()
}

// hold keeps back what goes a way, without breaking connections.
func (p *proxy) hold(w way, on bool) { p.set(func() { p.held[w] = on }) }

// cut holds both ways, as an unplugged cable does.
func (p *proxy) cut() { p.set(func() { p.held = [2]bool{true, true} }) }

// heal ends everything that set, hold and cut began. Connections that
// were held are broken: what they carried is long given up.
func (p *proxy) heal() {
	broken := false
	p.set(func() {
		broken = p.held != [2]bool{}
		p.held, p.delay, p.rate, p.meddle = [2]bool{}, [2]time.Duration{}, 0, nil
	})
	if broken {
		p.sever()
	}
}

// sever breaks all present connections.
func (p *proxy) sever() {
	p.mu.Lock()
	all := make([]*link, 0, len(p.links))
	for l := range p.links {
		all = append(all, l)
	}
	p.mu.Unlock()
	for _, l := range all {
		l.end()
	}
}

func (p *proxy) accept() {
	for {
		conn, err := p.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err == nil {
			go p.serve(conn)
		}
	}
}

// serve carries one connection until either side ends it.
func (p *proxy) serve(client net.Conn) {
	p.mu.Lock()
	target, closed := p.target, p.closed
	p.mu.Unlock()
	if closed || target == "" {
		reset(client)
		return
	}
	server, err := dial("tcp", target, time.Second)
	if err != nil {
		reset(client)
		return
	}
	l := &link{p: p, client: client, server: server}
	p.set(func() { p.links[l] = true })
	go l.carry(down, server, client)
	l.carry(up, client, server)
}

// reset breaks a connection without a good-bye.
func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // without it the end is only less abrupt
	}
	_ = conn.Close()
}

func (l *link) end() {
	l.once.Do(func() {
		reset(l.client)
		reset(l.server)
		l.p.set(func() { delete(l.p.links, l) })
	})
}

// carry passes chunks one way.
func (l *link) carry(w way, from, to net.Conn) {
	defer l.end()
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		if !l.admit(w, buf[:n]) {
			return
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}

// admit waits until a chunk may pass and says whether it does.
func (l *link) admit(w way, chunk []byte) bool {
	p := l.p
	p.mu.Lock()
	for p.held[w] && p.links[l] && !p.closed {
		p.changed.Wait()
	}
	if !p.links[l] || w == down && l.dying {
		p.mu.Unlock()
		return false
	}
	pause, meddle := p.delay[w], p.meddle
	if p.rate > 0 {
		pause += time.Duration(len(chunk)) * time.Second / time.Duration(p.rate)
	}
	p.mu.Unlock()
	if pause > 0 {
		time.Sleep(pause)
	}
	if meddle == nil {
		return true
	}
	switch meddle(l, w, chunk) {
	case drop:
		return false
	case after:
		p.set(func() { l.dying = true })
	case pass:
	}
	return true
}
