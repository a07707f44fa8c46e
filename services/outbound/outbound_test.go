package outbound

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// canary is a listener of this machine that nobody may reach.
type canary struct {
	port    string
	touched atomic.Int64
}

func newCanary(t testing.TB) *canary {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &canary{}
	_, c.port, _ = net.SplitHostPort(l.Addr().String())
	done := make(chan struct{})
	go func() { // ends with the listener
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			c.touched.Add(1)
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
		if n := c.touched.Load(); n != 0 {
			t.Errorf("%d connections got inside", n)
		}
	})
	return c
}

func allowing(t testing.TB, list string) *Allow {
	t.Helper()
	a, err := ParseAllow(list)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// get asks for an address and answers the body.
func get(t testing.TB, c *Client, address string, header ...string) (string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

// inner are all the ways that we know of to write an address which is not outside.
var inner = []string{
	"127.0.0.1", "127.0.0.2", "127.255.255.254", "localhost", "LOCALHOST", "localhost.", "0.0.0.0", "0.1.2.3",
	"2130706433", "0x7f000001", "0X7F000001", "017700000001", "0177.0.0.1", "0x7f.0.0.1", "127.1", "127.0.1", "0", "00000000000", "127.0.0.1.",
	"１２７.０.０.１", "①②⑦.⓪.⓪.①", "127。0。0。1",
	"10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "100.127.255.255", "169.254.169.254", "169.254.0.1",
	"192.0.0.8", "192.0.0.192", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
	"[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:127.0.0.1]", "[::127.0.0.1]", "[::ffff:0:127.0.0.1]",
	"[::ffff:169.254.169.254]", "[64:ff9b::7f00:1]", "[64:ff9b::127.0.0.1]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::1]", "[2001:0:7f00:1::]",
	"[fc00::1]", "[fd00::1]", "[fd00:ec2::254]", "[fe80::1]", "[fe80::1%25lo]", "[fe80::1%25eth0]", "[::1%25lo]", "[fec0::1]", "[ff02::1]", "[100::1]", "[2001:db8::1]",
	"[2606:4700::1%25lo]",
}

// TestInternalAddresses is CB-089 and F29: whatever way an internal address is written, no
// connection gets there, also not by way of a name that is looked up to it.
func TestInternalAddresses(t *testing.T) {
	t.Parallel()
	c := newCanary(t)
	client := New(Config{Timeout: 5 * time.Second})
	for _, host := range inner {
		for _, scheme := range []string{"http", "https"} {
			body, err := get(t, client, scheme+"://"+host+":"+c.port+"/x")
			if err == nil {
				t.Errorf("%s answers %q", host, body)
			}
		}
	}
	for _, address := range []string{"file:///etc/passwd", "gopher://127.0.0.1:" + c.port + "/_x", "ftp://example.com/", "dict://127.0.0.1:" + c.port + "/"} {
		if _, err := get(t, client, address); err == nil || !strings.Contains(err.Error(), "only http:// and https://") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// names answers every question for an IPv4 address with the next of a list of addresses,
// the last one again and again; it is a name server for one test.
func names(t *testing.T, addresses ...string) *net.Resolver {
	t.Helper()
	conn, err := new(net.ListenConfig).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { // ends with the socket
		defer close(done)
		buf := make([]byte, 1500)
		for next := 0; ; {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			question := buf[:n]
			end := 12
			for question[end] != 0 {
				end += int(question[end]) + 1
			}
			kind := binary.BigEndian.Uint16(question[end+1:])
			answer := append([]byte{question[0], question[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, question[12:end+5]...)
			if kind == 1 {
				answer[7] = 1
				ip := net.ParseIP(addresses[min(next, len(addresses)-1)]).To4()
				answer = append(append(answer, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4), ip...)
				next++
			}
			_, _ = conn.WriteTo(answer, from)
		}
	}()
	t.Cleanup(func() { _ = conn.Close(); <-done })
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

// A name that led outside when it was checked leads inside when it is dialled.
func TestChangingNames(t *testing.T) {
	t.Parallel()
	c := newCanary(t)
	client := New(Config{Resolver: names(t, "93.184.215.14", "127.0.0.1"), Timeout: 5 * time.Second})
	address := "http://rebind.example.com:" + c.port + "/"
	if err := client.CheckReach(t.Context(), "url", address); err != nil {
		t.Fatalf("at save: %v", err)
	}
	_, err := get(t, client, address)
	if blocked, ok := errors.AsType[*BlockedError](err); !ok || blocked.Setting != AllowSetting {
		t.Errorf("dialled: %v", err)
	}
	if err := client.CheckReach(t.Context(), "url", address); err == nil || !strings.Contains(err.Error(), AllowSetting) {
		t.Errorf("at save, with the second answer: %v", err)
	}
}

// Each hop of a redirect is looked at, and none gets what was meant for the host before.
func TestRedirects(t *testing.T) {
	t.Parallel()
	c := newCanary(t)
	var seen atomic.Pointer[http.Header]
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		h := r.Header.Clone()
		seen.Store(&h)
	}))
	defer other.Close()
	var to atomic.Pointer[string]
	first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if target := r.URL.Query().Get("to"); target != "" {
			http.Redirect(w, r, target, http.StatusTemporaryRedirect)
			return
		}
		http.Redirect(w, r, *to.Load(), http.StatusTemporaryRedirect)
	}))
	defer first.Close()
	lead := func(target string) { to.Store(&target) }
	follows := New(Config{Allow: allowing(t, "127.0.0.1:"+portAt(first.URL)+",127.0.0.1:"+portAt(other.URL)), Redirects: 3})

	for _, host := range []string{"127.0.0.1", "[::ffff:127.0.0.1]", "2130706433", "localhost"} {
		lead("http://" + host + ":" + c.port + "/x")
		_, err := get(t, follows, first.URL)
		if _, ok := errors.AsType[*BlockedError](err); !ok {
			t.Errorf("a redirect to %s: %v", host, err)
		}
	}
	lead(other.URL)
	if _, err := get(t, follows, first.URL+"/secret-token", "Authorization", "Bearer x", "Cookie", "a=b", "X-Api-Key", "k", "Accept", "text/plain"); err != nil {
		t.Fatal(err)
	}
	got := *seen.Load()
	for _, name := range []string{"Authorization", "Cookie", "X-Api-Key", "Referer"} {
		if v := got.Get(name); v != "" {
			t.Errorf("the other host was sent %s: %s", name, v)
		}
	}
	if got.Get("Accept") != "text/plain" {
		t.Errorf("the other host was sent %v", got)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, first.URL, strings.NewReader("client_secret=s"))
	if err != nil {
		t.Fatal(err)
	}
	seen.Store(nil)
	if resp, err := follows.HTTP.Do(req); err == nil || seen.Load() != nil {
		t.Errorf("a body went to another host")
		if resp != nil {
			_ = resp.Body.Close()
		}
	}
	lead(first.URL)
	if _, err := get(t, follows, first.URL); err == nil || !strings.Contains(err.Error(), "more than 3 redirects") {
		t.Errorf("a circle: %v", err)
	}
	stays := New(Config{Allow: allowing(t, "127.0.0.1")})
	lead("http://127.0.0.1:" + c.port)
	if _, err := get(t, stays, first.URL); err != nil {
		t.Errorf("the answer itself: %v", err)
	}
}

func portAt(address string) string {
	u, _ := url.Parse(address)
	return u.Port()
}

// https:// is never left for http://.
func TestNoDowngrade(t *testing.T) {
	t.Parallel()
	decide := follow(5)
	from, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://a.example/", nil)
	next, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://a.example/", nil)
	if err := decide(next, []*http.Request{from}); err == nil || !strings.Contains(err.Error(), "not followed") {
		t.Errorf("%v", err)
	}
}

// An answer of any size ends with an error beyond the limit, and one that never comes with
// the time limit.
func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/exact":
			_, _ = io.WriteString(w, strings.Repeat("x", 1000))
		case "/over":
			_, _ = io.WriteString(w, strings.Repeat("x", 1001))
		case "/endless":
			for range 1 << 20 {
				if _, err := w.Write(make([]byte, 64<<10)); err != nil {
					return
				}
			}
		case "/silent":
			<-release
		}
	}))
	defer server.Close()
	defer close(release)
	c := New(Config{Allow: allowing(t, "127.0.0.1"), MaxBody: 1000, Timeout: 300 * time.Millisecond})
	if body, err := get(t, c, server.URL+"/exact"); err != nil || len(body) != 1000 {
		t.Errorf("as long as allowed: %d bytes, %v", len(body), err)
	}
	for _, path := range []string{"/over", "/endless"} {
		if body, err := get(t, c, server.URL+path); !errors.Is(err, ErrTooLarge) || len(body) > 1000 {
			t.Errorf("%s: %d bytes, %v", path, len(body), err)
		}
	}
	if _, err := get(t, c, server.URL+"/silent"); err == nil {
		t.Error("silence ended well")
	}
}

// A proxy is used when it is set, and never because the environment names one.
func TestProxy(t *testing.T) {
	var asked atomic.Pointer[string]
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		target := r.URL.String()
		asked.Store(&target)
		_, _ = io.WriteString(w, "by proxy")
	}))
	defer proxy.Close()
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("http_proxy", proxy.URL)
	if _, err := get(t, New(Config{Resolver: names(t, "127.0.0.1")}), "http://receiver.example.com/"); err == nil || asked.Load() != nil {
		t.Errorf("the environment's proxy was asked: %v", err)
	}
	at, _ := url.Parse(proxy.URL)
	through := New(Config{Proxy: at})
	if body, err := get(t, through, "http://receiver.example.com/x"); err != nil || body != "by proxy" || *asked.Load() != "http://receiver.example.com/x" {
		t.Errorf("%q %v", body, err)
	}
	asked.Store(nil)
	for _, host := range inner {
		if strings.HasPrefix(strings.ToLower(host), "localhost") || strings.ContainsAny(host, "１①。") {
			continue // names: the proxy's own rules
		}
		if _, err := get(t, through, "http://"+host+"/"); err == nil || asked.Load() != nil {
			t.Errorf("the proxy was asked for %s", host)
			asked.Store(nil)
		}
	}
}
