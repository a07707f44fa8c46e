package channel

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net"
	"net/http/httptest"
	netmail "net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/message"
)

// smtpServer speaks SMTP on a real socket: EHLO, STARTTLS, AUTH PLAIN, and one message a
// connection.
type smtpServer struct {
	address  string
	roots    *x509.CertPool
	tls      *tls.Config
	implicit bool
	refuse   string // answered to RCPT when set
	drop     bool   // the connection ends after DATA

	mu   sync.Mutex
	mail []smtpMail
	done sync.WaitGroup
}

type smtpMail struct {
	from, auth string
	to         []string
	secure     bool
	data       string
}

func newSMTP(t testing.TB, configure func(*smtpServer)) *smtpServer {
	t.Helper()
	certified := httptest.NewUnstartedServer(nil)
	certified.StartTLS()
	s := &smtpServer{roots: x509.NewCertPool(), tls: &tls.Config{Certificates: certified.TLS.Certificates}}
	s.roots.AddCert(certified.Certificate())
	certified.Close()
	configure(s)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.address = l.Addr().String()
	s.done.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.done.Go(func() { s.serve(conn) })
		}
	})
	t.Cleanup(func() { _ = l.Close(); s.done.Wait() })
	return s
}

func (s *smtpServer) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	var m smtpMail
	if s.implicit {
		conn, m.secure = tls.Server(conn, s.tls), true
	}
	lines := bufio.NewReader(conn)
	say := func(text string) { _, _ = io.WriteString(conn, text+"\r\n") }
	say("220 mail.test ESMTP")
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimRight(line, "\r\n")
		verb, rest, _ := strings.Cut(line, " ")
		switch strings.ToUpper(verb) {
		case "EHLO":
			say("250-mail.test")
			if !m.secure {
				say("250-STARTTLS")
			}
			say("250-AUTH PLAIN LOGIN")
			say("250 8BITMIME")
		case "STARTTLS":
			say("220 go")
			conn, m.secure = tls.Server(conn, s.tls), true
			lines = bufio.NewReader(conn)
		case "AUTH":
			_, token, _ := strings.Cut(rest, " ")
			raw, _ := base64.StdEncoding.DecodeString(token)
			m.auth = strings.ReplaceAll(string(raw), "\x00", "/")
			if strings.HasSuffix(m.auth, "wrong") {
				say("535 5.7.8 no")
				continue
			}
			say("235 ok")
		case "MAIL":
			m.from = rest
			say("250 ok")
		case "RCPT":
			if s.refuse != "" {
				say(s.refuse)
				continue
			}
			m.to = append(m.to, rest)
			say("250 ok")
		case "DATA":
			say("354 go on")
			var data strings.Builder
			for {
				line, err := lines.ReadString('\n')
				if err != nil || line == ".\r\n" {
					break
				}
				data.WriteString(strings.TrimPrefix(line, "."))
			}
			m.data = data.String()
			s.mu.Lock()
			s.mail = append(s.mail, m)
			s.mu.Unlock()
			if s.drop {
				return
			}
			say("250 queued")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

func (s *smtpServer) settings(security string) *Settings {
	host, port, _ := net.SplitHostPort(s.address)
	set := &Settings{Host: host, Security: security, From: "Belfry <belfry@example.com>", To: []string{"ops@example.com"}}
	_, _ = fmt.Sscan(port, &set.Port)
	return set
}

func (s *smtpServer) client() *Client {
	return NewClient(Config{Clock: fixed(now), Host: "belfry.example.com", Roots: s.roots})
}

func TestEmail(t *testing.T) {
	t.Parallel()
	for _, security := range []string{SecuritySTARTTLS, SecurityTLS, SecurityNone} {
		t.Run(security, func(t *testing.T) {
			t.Parallel()
			s := newSMTP(t, func(s *smtpServer) { s.implicit = security == SecurityTLS })
			set := s.settings(security)
			if security != SecurityNone {
				set.Username, set.Secret.Password = "u", "p"
			}
			if err := Check(models.ChannelEmail, set); err != nil {
				t.Fatal(err)
			}
			out := outgoing(t, models.ChannelEmail, message.Sample(models.MessageProblem))
			out.Notification.IncidentIDs = []string{"01KK5Q3M1D0000000000000003"}
			for range 2 {
				if got := s.client().Send(t.Context(), models.ChannelEmail, set, out); got.Class != OK || got.Status != 250 {
					t.Fatalf("%+v", got)
				}
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			if len(s.mail) != 2 {
				t.Fatalf("%d mails", len(s.mail))
			}
			m := s.mail[0]
			if m.secure != (security != SecurityNone) || m.secure && m.auth != "/u/p" || !strings.Contains(m.from, "belfry@example.com") || len(m.to) != 2 {
				t.Errorf("%+v", m)
			}
			parsed, err := netmail.ReadMessage(strings.NewReader(m.data))
			if err != nil {
				t.Fatal(err)
			}
			again, err := netmail.ReadMessage(strings.NewReader(s.mail[1].data))
			if err != nil {
				t.Fatal(err)
			}
			for name, want := range map[string]string{
				"Message-Id": "<01KK5Q3M1D0000000000000000@belfry.example.com>", "References": "<incident.01KK5Q3M1D0000000000000003@belfry.example.com>",
				"In-Reply-To": "<incident.01KK5Q3M1D0000000000000003@belfry.example.com>", "List-Id": "Belfry alerts <01kk5q3m1d000000000000000c.belfry.belfry.example.com>",
				"Auto-Submitted": "auto-generated", "X-Belfry-Id": "01KK5Q3M1D0000000000000000", "Importance": "high", "Date": "Sun, 08 Mar 2026 02:14:05 +0000",
			} {
				if got := parsed.Header.Get(name); got != want || again.Header.Get(name) != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
			subject, err := new(mime.WordDecoder).DecodeHeader(parsed.Header.Get("Subject"))
			if err != nil || subject != out.Text.Subject {
				t.Errorf("subject %q %v", subject, err)
			}
			kind, parameters, err := mime.ParseMediaType(parsed.Header.Get("Content-Type"))
			if err != nil || kind != "multipart/alternative" {
				t.Fatalf("%s %v", kind, err)
			}
			var kinds []string
			for parts := multipart.NewReader(parsed.Body, parameters["boundary"]); ; {
				part, err := parts.NextPart()
				if err != nil {
					break
				}
				body, _ := io.ReadAll(part)
				kinds = append(kinds, part.Header.Get("Content-Type"))
				if !strings.Contains(string(body), "nightly-billing") {
					t.Errorf("%s lacks the job:\n%s", part.Header.Get("Content-Type"), body)
				}
			}
			if strings.Join(kinds, " ") != "text/plain; charset=UTF-8 text/html; charset=UTF-8" {
				t.Errorf("parts %v", kinds)
			}
		})
	}
}

func TestEmailRefusals(t *testing.T) {
	t.Parallel()
	plain := func(*smtpServer) {}
	send := func(s *smtpServer, set *Settings) Result {
		return s.client().Send(t.Context(), models.ChannelEmail, set, outgoing(t, models.ChannelEmail, message.Sample(models.MessageProblem)))
	}
	s := newSMTP(t, plain)
	set := s.settings(SecuritySTARTTLS)
	set.Username, set.Secret.Password = "u", "wrong"
	if got := send(s, set); got.Class != Permanent || got.Status != 535 {
		t.Errorf("wrong password: %+v", got)
	}
	s = newSMTP(t, func(s *smtpServer) { s.refuse = "550 5.1.1 no such user" })
	if got := send(s, s.settings(SecurityNone)); got.Class != Rejected || got.Status != 550 {
		t.Errorf("no such user: %+v", got)
	}
	s = newSMTP(t, func(s *smtpServer) { s.refuse = "450 4.2.1 try later" })
	if got := send(s, s.settings(SecurityNone)); got.Class != Temporary || got.Status != 450 {
		t.Errorf("greylisted: %+v", got)
	}
	s = newSMTP(t, func(s *smtpServer) { s.drop = true })
	if got := send(s, s.settings(SecurityNone)); got.Class != Temporary {
		t.Errorf("dropped: %+v", got)
	}
	s = newSMTP(t, func(s *smtpServer) { s.implicit = true })
	s.roots = x509.NewCertPool()
	if got := send(s, s.settings(SecurityTLS)); got.Class != Temporary || !strings.Contains(got.Error, "certificate") {
		t.Errorf("a stranger's certificate: %+v", got)
	}
}

// TestSilentMailServer is CB-088: a server that accepts and never answers ends with the
// try's context.
func TestSilentMailServer(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	host, port, _ := net.SplitHostPort(l.Addr().String())
	for _, security := range []string{SecurityNone, SecurityTLS} {
		set := &Settings{Host: host, Security: security, From: "a@example.com", To: []string{"b@example.com"}}
		_, _ = fmt.Sscan(port, &set.Port)
		c := testClient(t, "")
		c.mailTimeout = 200 * time.Millisecond
		began := time.Now()
		got := c.Send(t.Context(), models.ChannelEmail, set, outgoing(t, models.ChannelEmail, message.Sample(models.MessageProblem)))
		if got.Class != Temporary || !strings.Contains(got.Error, "no answer within") || time.Since(began) > 10*time.Second {
			t.Errorf("%s: %+v after %s", security, got, time.Since(began))
		}
	}
}
