package link

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// proxy is a real forward proxy on a socket: it tunnels CONNECT and forwards plain
// requests, and takes every host for the one server that it knows.
type proxy struct {
	*httptest.Server
	target string // host:port
	user   string // that has to sign in, "" for nobody

	mu   sync.Mutex
	seen []string
}

func newProxy(t *testing.T, target, user string) *proxy {
	t.Helper()
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{target: u.Host, user: user}
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	return p
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.seen = append(p.seen, r.Method+" "+r.Host)
	p.mu.Unlock()
	if p.user != "" && r.Header.Get("Proxy-Authorization") != "Basic "+base64.StdEncoding.EncodeToString([]byte(p.user)) {
		w.WriteHeader(http.StatusProxyAuthRequired)
		return
	}
	if r.Method == http.MethodConnect {
		p.tunnel(w)
		return
	}
	r.RequestURI, r.URL.Host = "", p.target
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	w.WriteHeader(resp.StatusCode)
	_, _ = io.Copy(w, resp.Body)
}

func (p *proxy) tunnel(w http.ResponseWriter) {
	out, err := (&net.Dialer{Timeout: 5 * time.Second}).Dial("tcp", p.target) //nolint:noctx // a test's proxy
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer out.Close()
	in, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer in.Close()
	_, _ = fmt.Fprint(in, "HTTP/1.1 200 Connection established\r\n\r\n")
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(out, bufio.NewReader(buffered))
		_ = out.Close()
	}()
	_, _ = io.Copy(in, out)
	_ = in.Close()
	<-done
}

func (p *proxy) requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.seen...)
}

func TestExplicitProxy(t *testing.T) {
	t.Parallel()
	ca := newAuthority(t)
	template := local()
	template.DNSNames = []string{"belfry.test"}
	secure := ca.server(t, template, nil)
	clear := httptest.NewServer(answering(200, `{"server":"clear"}`))
	t.Cleanup(clear.Close)
	tunnel, forward, strict := newProxy(t, secure.URL, ""), newProxy(t, clear.URL, ""), newProxy(t, secure.URL, "u:p")
	signedIn := strings.Replace(strict.URL, "http://", "http://u:p@", 1)
	caFile := filepath.Join(ca.dir, "ca.crt")

	for name, c := range map[string]struct {
		cfg  Config
		want string
	}{
		"tunnel":       {Config{Server: "https://belfry.test:7000", CAFile: caFile, Proxy: tunnel.URL}, "HTTP/2.0 "},
		"forward":      {Config{Server: "http://belfry.test:7000", Proxy: forward.URL}, "clear"},
		"signed in":    {Config{Server: "https://belfry.test:7000", CAFile: caFile, Proxy: signedIn}, "HTTP/2.0 "},
		"not signed":   {Config{Server: "https://belfry.test:7000", CAFile: caFile, Proxy: strict.URL}, "http://user:password@proxy:3128"},
		"not, forward": {Config{Server: "http://belfry.test:7000", Proxy: strict.URL}, "http://user:password@proxy:3128"},
		"no proxy":     {Config{Server: "http://belfry.test:7000", Proxy: "http://127.0.0.1:1"}, "the proxy cannot be used: check Config.Proxy"},
		"no socks":     {Config{Server: "http://belfry.test:7000", Proxy: "socks5://127.0.0.1:1"}, "the proxy cannot be used: check Config.Proxy"},
		"direct":       {Config{Server: clear.URL, Proxy: Direct}, "clear"},
	} {
		got, err := get(t, c.cfg)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || strings.Contains(got, "u:p") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got := fmt.Sprint(tunnel.requests(), forward.requests()); got != "[CONNECT belfry.test:7000] [GET belfry.test:7000]" {
		t.Errorf("the proxies saw %s", got)
	}
}

// TestProxyOfTheEnvironment runs this test's binary with a proxy in its environment,
// which Go reads once a process.
func TestProxyOfTheEnvironment(t *testing.T) {
	t.Parallel()
	if server := os.Getenv("TEST_LINK_SERVER"); server != "" {
		got, err := get(t, Config{Server: server})
		_, _ = fmt.Fprintf(os.Stdout, "answer: %q, %v\n", got, err)
		return
	}
	clear := httptest.NewServer(answering(200, `{"server":"clear"}`))
	t.Cleanup(clear.Close)
	p := newProxy(t, clear.URL, "")
	ask := func(env ...string) string {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestProxyOfTheEnvironment$")
		cmd.Env = append(os.Environ(), append(env, "TEST_LINK_SERVER=http://belfry.test:7000", "HTTP_PROXY="+p.URL)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		line, _, _ := bytes.Cut(out, []byte("\n"))
		return string(line)
	}
	if got := ask(); got != `answer: "clear", <nil>` || len(p.requests()) != 1 {
		t.Errorf("%s; the proxy saw %v", got, p.requests())
	}
	if got := ask("NO_PROXY=belfry.test"); !strings.Contains(got, "check Config.Server") || len(p.requests()) != 1 {
		t.Errorf("with NO_PROXY: %s; the proxy saw %v", got, p.requests())
	}
}

// TestUnreachableSaysWhatToDo is about real sockets that give no answer.
func TestUnreachableSaysWhatToDo(t *testing.T) {
	t.Parallel()
	listen := func(serve func(net.Conn)) string {
		l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // ends with the test
		if err != nil {
			t.Fatal(err)
		}
		var open sync.WaitGroup
		open.Go(func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				serve(c)
			}
		})
		t.Cleanup(func() { _ = l.Close(); open.Wait() })
		return "http://" + l.Addr().String()
	}
	ssh := listen(func(c net.Conn) {
		_, _ = c.Read(make([]byte, 1<<10)) // or the client has an answer before it has asked
		_, _ = c.Write([]byte("SSH-2.0-OpenSSH_9.6\r\n"))
		_ = c.Close()
	})
	done := make(chan struct{})
	defer close(done)
	hangs := listen(func(c net.Conn) { go func() { <-done; _ = c.Close() }() })
	patience := map[bool]time.Duration{true: time.Second, false: time.Minute}
	for server, want := range map[string]string{
		"http://127.0.0.1:1":           "nothing listens there: check host and port in Config.Server",
		"http://no-such-host.invalid.": "check Config.Server",
		ssh:                            "does not speak HTTP: check the port in Config.Server",
		hangs:                          "the server hangs, or a firewall drops what is sent to it",
	} {
		l, err := New(Config{Server: server, Proxy: Direct})
		if err != nil {
			t.Fatal(err)
		}
		err = l.Get(t.Context(), patience[server == hangs], "/x", nil)
		if _, ok := errors.AsType[*Unreachable](err); !ok || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), server) {
			t.Errorf("%s: %v", server, err)
		}
		l.Close()
	}
}
