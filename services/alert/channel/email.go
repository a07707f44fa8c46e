package channel

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/message"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// How an SMTP connection is secured.
const (
	SecuritySTARTTLS = "STARTTLS"
	SecurityTLS      = "TLS"
	SecurityNone     = "NONE"
)

// email is SMTP. Settings: host, port, security, username, password, from, to. Its server
// may be inside: nothing that an answer says is shown but SMTP replies.
var email = kind{
	info: Info{
		PerMinute: 60, Burst: 10, SizeLimit: 90_000, SizeUnit: message.Bytes,
		Note: "Messages about one incident are one thread. Text beyond 90 KB is cut, which some mail services would hide.",
	},
	format: message.Plain, check: emailCheck,
}

const (
	maxRecipients  = 50
	connectTimeout = 5 * time.Second // of SMTP
)

func emailCheck(s *Settings) fault.List {
	var wrong fault.List
	if s.Host == "" || strings.ContainsAny(s.Host, " /@\r\n\t") {
		wrong.Add(fault.At("host", fault.Invalid, "The host is %q; write the name of the SMTP server.", s.Host))
	}
	if s.Port < 1 || s.Port > 65535 {
		wrong.Add(fault.At("port", fault.Invalid, "The port is %d; it is 587 for STARTTLS and 465 for TLS as a rule.", s.Port))
	}
	if !slices.Contains([]string{SecuritySTARTTLS, SecurityTLS, SecurityNone}, s.Security) {
		wrong.Add(fault.At("security", fault.Invalid, "The security is %q; use STARTTLS, TLS or NONE.", s.Security))
	}
	if s.Secret.Password != "" && s.Security == SecurityNone {
		wrong.Add(fault.At("security", fault.Invalid, "A password would be sent for everybody to read; use STARTTLS or TLS, or no password."))
	}
	if (s.Username == "") != (s.Secret.Password == "") {
		wrong.Add(fault.At("username", fault.Required, "User name and password come together; give both or neither."))
	}
	probe := mail.NewMsg()
	if err := probe.From(s.From); err != nil {
		wrong.Add(fault.At("from", fault.Invalid, "The sender is %q; write an address, or Name <address>.", s.From))
	}
	if len(s.To) == 0 || len(s.To) > maxRecipients {
		wrong.Add(fault.At("to", fault.Required, "There are %d recipients; there must be 1 to %d.", len(s.To), maxRecipients))
	}
	for _, to := range s.To {
		if err := probe.AddTo(to); err != nil {
			wrong.Add(fault.At("to", fault.Invalid, "The recipient %q is no address.", to))
		}
	}
	return wrong
}

// mail makes one try to send by SMTP.
func (c *Client) mail(ctx context.Context, s *Settings, out *Outgoing) Result {
	m, err := c.envelope(s, out)
	if err != nil {
		return Result{Class: Permanent, Error: err.Error()}
	}
	client, err := c.smtp(s)
	if err != nil {
		return Result{Class: Permanent, Error: err.Error()}
	}
	ctx, cancel := context.WithTimeout(ctx, c.mailTimeout)
	defer cancel()
	if err := client.DialAndSendWithContext(ctx, m); err != nil {
		return mailFailure(err)
	}
	return Result{Status: 250, Response: "accepted"}
}

// smtp is a client whose connection ends with the context, however slowly the server
// speaks.
func (c *Client) smtp(s *Settings) (*mail.Client, error) {
	config := &tls.Config{ServerName: s.Host, MinVersion: tls.VersionTLS12, RootCAs: c.roots}
	options := []mail.Option{
		mail.WithPort(s.Port), mail.WithTimeout(totalTimeout), mail.WithTLSConfig(config), mail.WithHELO(c.mailHost()),
		mail.WithDialContextFunc(func(ctx context.Context, network, address string) (net.Conn, error) {
			return dialMail(ctx, network, address, s.Security, config)
		}),
	}
	switch s.Security {
	case SecurityTLS:
		options = append(options, mail.WithTLSPolicy(mail.NoTLS), mail.WithSSL()) // dialMail has done it
	case SecurityNone:
		options = append(options, mail.WithTLSPolicy(mail.NoTLS))
	default:
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	}
	if s.Username != "" {
		options = append(options, mail.WithOpportunisticSMTPAuth(
			mail.SMTPAuthSCRAMSHA256, mail.SMTPAuthSCRAMSHA1, mail.SMTPAuthPlain, mail.SMTPAuthLogin, mail.SMTPAuthCramMD5,
		), mail.WithUsername(s.Username), mail.WithPassword(s.Secret.Password))
	}
	client, err := mail.NewClient(s.Host, options...)
	if err != nil {
		return nil, fmt.Errorf("preparing the connection: %w", err)
	}
	return client, nil
}

// dialMail connects; what is read and written on the connection ends at ctx's deadline.
func dialMail(ctx context.Context, network, address, security string, config *tls.Config) (net.Conn, error) {
	dialer := net.Dialer{Timeout: connectTimeout}
	conn, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if deadline, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(deadline); err != nil {
			_ = conn.Close()
			return nil, fmt.Errorf("bounding the connection: %w", err)
		}
		conn = &boundedConn{Conn: conn, until: deadline}
	}
	if security != SecurityTLS {
		return conn, nil
	}
	secure := tls.Client(conn, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return secure, nil
}

// boundedConn never gets a deadline beyond its end, so that a server that speaks a word
// now and then cannot hold a try for ever.
type boundedConn struct {
	net.Conn
	until time.Time
}

// SetDeadline implements net.Conn.
func (c *boundedConn) SetDeadline(at time.Time) error { return c.Conn.SetDeadline(c.bound(at)) }

// SetReadDeadline implements net.Conn.
func (c *boundedConn) SetReadDeadline(at time.Time) error { return c.Conn.SetReadDeadline(c.bound(at)) }

// SetWriteDeadline implements net.Conn.
func (c *boundedConn) SetWriteDeadline(at time.Time) error {
	return c.Conn.SetWriteDeadline(c.bound(at))
}

func (c *boundedConn) bound(at time.Time) time.Time {
	if at.IsZero() || at.After(c.until) {
		return c.until
	}
	return at
}

// envelope writes the e-mail.
func (c *Client) envelope(s *Settings, out *Outgoing) (*mail.Msg, error) {
	m := mail.NewMsg()
	if err := m.From(s.From); err != nil {
		return nil, fmt.Errorf("the sender is no address")
	}
	people := mentions(out.Message.Mentions, func(c models.Contact) string { return c.Email })
	for _, to := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(s.To, people)))) {
		if err := m.AddTo(to); err != nil && slices.Contains(s.To, to) {
			return nil, fmt.Errorf("the recipient %q is no address", to)
		}
	}
	m.Subject(out.Text.Subject)
	m.SetDateWithValue(out.Message.At)
	host := c.mailHost()
	m.SetMessageIDWithValue(out.Message.ID + "@" + host)
	thread := "<" + threadOf(out.Notification) + "@" + host + ">"
	m.SetGenHeader(mail.HeaderInReplyTo, thread)
	m.SetGenHeader(mail.HeaderReferences, thread)
	m.SetGenHeader("List-Id", "Belfry alerts <"+strings.ToLower(out.Notification.ChannelID)+".belfry."+host+">")
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	m.SetGenHeader("X-Belfry-Id", out.Message.ID)
	if out.Message.Severity == models.SeverityCritical {
		m.SetImportance(mail.ImportanceHigh)
	}
	m.SetBodyString(mail.TypeTextPlain, out.Text.Body)
	m.AddAlternativeString(mail.TypeTextHTML, out.Text.HTML)
	return m, nil
}

// threadOf names the thread of a message: that of its incident when it is about one, else
// that of its group.
func threadOf(n *models.Notification) string {
	if len(n.IncidentIDs) == 1 {
		return "incident." + n.IncidentIDs[0]
	}
	sum := sha256.Sum256([]byte(n.ChannelID + "\x00" + n.GroupKey))
	return "group." + hex.EncodeToString(sum[:10])
}

func (c *Client) mailHost() string {
	if c.host == "" {
		return "belfry.invalid"
	}
	return c.host
}

var smtpReply = regexp.MustCompile(`(?:^|[^0-9])([245][0-9]{2})[ -]`)

// mailFailure judges what went wrong. Only what is an SMTP reply is shown of what the
// server said.
func mailFailure(err error) Result {
	r := Result{Class: Temporary}
	var reply *textproto.Error
	var failed *mail.SendError
	switch {
	case errors.As(err, &reply):
		r.Status, r.Response = reply.Code, fmt.Sprintf("%d %s", reply.Code, shown([]byte(reply.Msg)))
	case errors.As(err, &failed) && failed.ErrorCode() > 0:
		r.Status, r.Response = failed.ErrorCode(), shown([]byte(failed.Error()))
	default:
		if found := smtpReply.FindStringSubmatch(err.Error()); found != nil {
			r.Status, _ = strconv.Atoi(found[1])
		}
	}
	timeout, _ := errors.AsType[net.Error](err)
	switch {
	case r.Status == 535 || r.Status == 534 || r.Status == 530:
		r.Class, r.Error = Permanent, "the server does not accept the user name and password"
	case r.Status >= 550 && r.Status < 560:
		r.Class, r.Error = Rejected, "the server does not take the message: "+r.Response
	case r.Status > 0:
		r.Error = fmt.Sprintf("the server answered %d", r.Status)
	case timeout != nil && timeout.Timeout(), errors.Is(err, context.DeadlineExceeded):
		r.Error = fmt.Sprintf("no answer within %s", totalTimeout)
	case errors.Is(err, io.EOF):
		r.Error = "the server closed the connection"
	case strings.Contains(err.Error(), "STARTTLS"):
		r.Error = "the server does not offer STARTTLS"
	default:
		r.Error = failure(err).Error
	}
	return r
}
