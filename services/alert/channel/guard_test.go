package channel

import (
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/message"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// TestInternalAddresses is CB-089 and F29: whatever way an internal address is written,
// no connection gets there.
func TestInternalAddresses(t *testing.T) {
	t.Parallel()
	var touched atomic.Int64
	canary, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := canary.Accept()
			if err != nil {
				return
			}
			touched.Add(1)
			_ = conn.Close()
		}
	}()
	_, port, _ := net.SplitHostPort(canary.Addr().String())
	c := testClient(t, "")
	for _, host := range []string{
		"127.0.0.1", "127.1.2.3", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "[::]", "169.254.169.254", "[::ffff:169.254.169.254]",
		"10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "192.0.0.1", "[fd00::1]", "[fe80::1]", "[64:ff9b::7f00:1]", "2130706433", "0x7f000001", "0177.0.0.1", "127.1",
	} {
		url := "http://" + host + ":" + port + "/"
		s := &Settings{Secret: Secrets{URL: url}}
		errSave := Check(models.ChannelWebhook, s)
		if errSave == nil {
			errSave = c.CheckReach(t.Context(), url)
		}
		if !fault.Is(errSave, fault.Invalid) {
			t.Errorf("%s can be saved: %v", url, errSave)
		}
		got := c.Send(t.Context(), models.ChannelWebhook, s, outgoing(t, models.ChannelWebhook, message.Sample(models.MessageProblem)))
		if got.Class == OK || got.Status != 0 {
			t.Errorf("%s: %+v", url, got)
		}
	}
	for _, url := range []string{"file:///etc/passwd", "gopher://127.0.0.1:6379/_x", "ftp://example.com/", "http://", "http://user:pass@example.com/", "://", ""} {
		s := &Settings{Secret: Secrets{URL: url}}
		if err := Check(models.ChannelSlack, s); err == nil {
			t.Errorf("%s can be saved", url)
		}
		got := c.Send(t.Context(), models.ChannelSlack, s, outgoing(t, models.ChannelSlack, message.Sample(models.MessageProblem)))
		if got.Class == OK || got.Status != 0 {
			t.Errorf("%s: %+v", url, got)
		}
	}
	_ = canary.Close()
	<-done
	if n := touched.Load(); n != 0 {
		t.Errorf("%d connections got inside", n)
	}
}

// A name is looked at when it is dialled, whatever it led to when it was saved; a
// redirect is not followed.
func TestWhatIsDialledDecides(t *testing.T) {
	t.Parallel()
	inside := newReceiver(t, func(w http.ResponseWriter) { w.WriteHeader(200) })
	_, port, _ := net.SplitHostPort(inside.Listener.Addr().String())
	c := testClient(t, "receiver.example.com:"+port)
	s := settingsOf("http://localhost:" + port)[models.ChannelWebhook] // a name with an inner address
	got := c.Send(t.Context(), models.ChannelWebhook, s, outgoing(t, models.ChannelWebhook, message.Sample(models.MessageProblem)))
	if !strings.Contains(got.Error, "internal address") || len(inside.got) != 0 {
		t.Errorf("%+v", got)
	}
	outside := newReceiver(t, func(w http.ResponseWriter) {
		w.Header().Set("Location", inside.URL)
		w.WriteHeader(http.StatusFound)
	})
	c = testClient(t, "127.0.0.1")
	got = c.Send(t.Context(), models.ChannelWebhook, settingsOf(outside.URL)[models.ChannelWebhook], outgoing(t, models.ChannelWebhook, message.Sample(models.MessageProblem)))
	if got.Class != Temporary || got.Status != http.StatusFound || len(inside.got) != 0 {
		t.Errorf("a redirect: %+v", got)
	}
}

func TestAllowList(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, func(w http.ResponseWriter) { w.WriteHeader(200) })
	_, port, _ := net.SplitHostPort(r.Listener.Addr().String())
	for list, want := range map[string]bool{
		"127.0.0.1": true, "127.0.0.0/8": true, " 10.0.0.0/8 , 127.0.0.1/32": true, "::1,localhost": true, "LocalHost:" + port: true,
		"": false, "10.0.0.0/8": false, "localhost:1": false, "::1": false,
	} {
		c := testClient(t, list)
		url := "http://127.0.0.1:" + port
		if strings.Contains(strings.ToLower(list), "localhost") {
			url = "http://localhost:" + port
		}
		reach := c.CheckReach(t.Context(), url)
		got := c.Send(t.Context(), models.ChannelWebhook, settingsOf(url)[models.ChannelWebhook], outgoing(t, models.ChannelWebhook, message.Sample(models.MessageProblem)))
		if (got.Class == OK) != want || (reach == nil) != want {
			t.Errorf("%q: %+v, at save %v", list, got, reach)
		}
	}
}

func TestSettingsAreChecked(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		kind  models.ChannelKind
		s     Settings
		field string
	}{
		"no url":       {models.ChannelSlack, Settings{}, "url"},
		"no token":     {models.ChannelTelegram, Settings{Chat: "1"}, "token"},
		"token":        {models.ChannelTelegram, Settings{Chat: "1", Secret: Secrets{Token: "x/../y"}}, "token"},
		"chat":         {models.ChannelTelegram, Settings{Chat: "a b", Secret: Secrets{Token: "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"}}, "chat"},
		"short secret": {models.ChannelWebhook, Settings{Secret: Secrets{URL: "https://example.com", Secrets: []string{"whsec_AAAA"}}}, "secrets"},
		"own header":   {models.ChannelWebhook, Settings{Secret: Secrets{URL: "https://example.com", Headers: map[string]string{"webhook-id": "x"}}}, "headers"},
		"line end":     {models.ChannelWebhook, Settings{Secret: Secrets{URL: "https://example.com", Headers: map[string]string{"X": "a\r\nB: c"}}}, "headers"},
		"clear text":   {models.ChannelEmail, Settings{Host: "h", Port: 25, Security: "NONE", From: "a@example.com", To: []string{"b@example.com"}, Username: "u", Secret: Secrets{Password: "p"}}, "security"},
		"recipient":    {models.ChannelEmail, Settings{Host: "h", Port: 25, Security: "NONE", From: "a@example.com", To: []string{"b@example.com\r\nBcc: c@example.com"}}, "to"},
	} {
		err := Check(tt.kind, &tt.s)
		if all := fault.All(err); len(all) != 1 || all[0].Field[0] != tt.field {
			t.Errorf("%s: %v", name, err)
		}
	}
}
