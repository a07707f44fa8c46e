package channel

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/message"
	"github.com/belfry-scheduler/belfry/services/outbound"
)

var update = flag.Bool("update", false, "write the golden files anew")

// fixed is a clock that stands still.
type fixed time.Time

func (f fixed) Now() time.Time { return time.Time(f) }

var now = time.Unix(1_772_936_045, 0).UTC()

func testClient(t testing.TB, allow string) *Client {
	t.Helper()
	a, err := outbound.ParseAllow(allow)
	if err != nil {
		t.Fatal(err)
	}
	return NewClient(Config{Clock: fixed(now), HTTP: outbound.New(outbound.Config{Allow: a}), Host: "belfry.example.com"})
}

// received is one request that a receiver got.
type received struct {
	Method, Path, Query string
	Header              http.Header
	Body                []byte
}

// receiver answers requests and keeps them.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	got    []received
	answer func(w http.ResponseWriter)
}

func newReceiver(t testing.TB, answer func(w http.ResponseWriter)) *receiver {
	t.Helper()
	r := &receiver{answer: answer}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		r.mu.Lock()
		r.got = append(r.got, received{req.Method, req.URL.Path, req.URL.RawQuery, req.Header, body})
		r.mu.Unlock()
		r.answer(w)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) last(t testing.TB) received {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.got) == 0 {
		t.Fatal("nothing was received")
	}
	return r.got[len(r.got)-1]
}

func outgoing(t testing.TB, k models.ChannelKind, m models.Message) *Outgoing {
	t.Helper()
	text, err := Compose(k, m, message.Options{Language: message.English, BaseURL: "https://belfry.example.com"})
	if err != nil {
		t.Fatal(err)
	}
	return &Outgoing{Notification: &models.Notification{ID: m.ID, ChannelID: "01KK5Q3M1D000000000000000C", GroupKey: "night"}, Message: &m, Text: text}
}

const goodAnswer = `{"errcode":0,"errmsg":"ok","code":0,"ok":true}`

// settingsOf are settings of each kind for a receiver.
func settingsOf(url string) map[models.ChannelKind]*Settings {
	return map[models.ChannelKind]*Settings{
		models.ChannelDingTalk: {MentionMobiles: []string{"+8613900000000"}, Secret: Secrets{URL: url + "/robot/send?access_token=t", Secret: "SECfixture"}},
		models.ChannelFeishu:   {Secret: Secrets{URL: url + "/open-apis/bot/v2/hook/t", Secret: "SECfixture"}},
		models.ChannelWeCom:    {Secret: Secrets{URL: url + "/cgi-bin/webhook/send?key=k"}},
		models.ChannelSlack:    {Secret: Secrets{URL: url + "/services/T/B/x"}},
		models.ChannelTeams:    {Secret: Secrets{URL: url + "/workflows/w/triggers/manual/paths/invoke?sig=s"}},
		models.ChannelTelegram: {Chat: "-100123", Thread: "7", Secret: Secrets{Token: "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"}},
		models.ChannelDiscord:  {Secret: Secrets{URL: url + "/api/webhooks/1/t"}},
		models.ChannelWebhook: {Secret: Secrets{
			URL: url + "/hook", Headers: map[string]string{"Authorization": "Bearer x"},
			Secrets: []string{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"},
		}},
	}
}

// TestFormats holds each kind's request, as a receiver gets it, against a golden file.
func TestFormats(t *testing.T) {
	t.Parallel()
	for kind := range settingsOf("") {
		t.Run(kind.String(), func(t *testing.T) {
			t.Parallel()
			r := newReceiver(t, func(w http.ResponseWriter) {
				if kind == models.ChannelSlack {
					_, _ = io.WriteString(w, "ok")
					return
				}
				_, _ = io.WriteString(w, goodAnswer)
			})
			c := testClient(t, "127.0.0.1")
			c.telegram = r.URL
			s := settingsOf(r.URL)[kind]
			if err := Check(kind, s); err != nil {
				t.Fatal(err)
			}
			if got := c.Send(t.Context(), kind, s, outgoing(t, kind, message.Sample(models.MessageProblem))); got.Class != OK || got.Status != 200 {
				t.Fatalf("%+v", got)
			}
			got := r.last(t)
			var pretty bytes.Buffer
			fmt.Fprintf(&pretty, "%s %s?%s\n", got.Method, got.Path, got.Query)
			for _, name := range []string{"Authorization", "Content-Type", "Webhook-Id", "Webhook-Signature", "Webhook-Timestamp"} {
				if v := got.Header.Get(name); v != "" {
					fmt.Fprintf(&pretty, "%s: %s\n", name, v)
				}
			}
			pretty.WriteString("\n")
			if err := json.Indent(&pretty, got.Body, "", "  "); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", strings.ToLower(kind.String())+".golden")
			if *update {
				if err := os.WriteFile(file, pretty.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), pretty.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The values were computed by another program (Python's hmac); that of webhooks is the
// example of the standard.
func TestSignatures(t *testing.T) {
	t.Parallel()
	if got, want := dingtalkSign("SECfixture", "1772936045000"), "JaX5Rkg8oRgBPzT3vxwrOPJoaiVmItZ50OzErfHonRI="; got != want {
		t.Errorf("DingTalk: %s", got)
	}
	if got, want := feishuSign("SECfixture", "1772936045"), "QJOeN7tm1S55O2/SuraFDOmGhxf9wvnw7lF51CHlGMY="; got != want {
		t.Errorf("Feishu: %s", got)
	}
	got, err := webhookSign("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", []byte(`{"test": 2432232314}`))
	if err != nil || got != "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" {
		t.Errorf("webhook: %s %v", got, err)
	}
}

// flood is a message as long as there can be one.
func flood(sign string) models.Message {
	m := message.Sample(models.MessageProblem)
	p := m.Problems[0]
	p.Error = strings.Repeat(sign, models.MaxProblemError)
	p.Attempts = slices.Repeat([]models.AttemptLine{{Number: 1, Node: "n", State: "FAILED", Error: p.Error}}, models.MaxProblemAttempts)
	m.Problems = slices.Repeat([]models.Problem{p}, models.MaxMessageProblems)
	m.Total = 1000
	return m
}

// Whatever a message holds, a request keeps to the limit of its kind, in its unit.
func TestLongMessagesFit(t *testing.T) {
	t.Parallel()
	for _, sign := range []string{"x", "错", "😀", `"`, "<", "\x01", "*"} {
		for kind, s := range settingsOf("http://127.0.0.1:1") {
			out := outgoing(t, kind, flood(sign))
			if !out.Text.Truncated {
				t.Errorf("%s is not said to be cut", kind)
			}
			request, err := kinds[kind].request(s, out, now)
			if err != nil {
				t.Fatal(err)
			}
			raw, err := request.encode(&out.Text.Text, kinds[kind].format, kinds[kind].info.SizeUnit)
			if err != nil || !json.Valid(raw) {
				t.Fatalf("%s with %q: %v", kind, sign, err)
			}
			if !strings.Contains(string(raw), "01KK5Q3M1D0000000000000000") {
				t.Errorf("%s with %q lacks its foot", kind, sign)
			}
			size, limit := sizeOf(t, kind, raw)
			if size > limit {
				t.Errorf("%s with %q: %d of %d", kind, sign, size, limit)
			}
		}
	}
}

// sizeOf is what a service counts of a request, and how much it takes.
func sizeOf(t *testing.T, kind models.ChannelKind, raw []byte) (size, limit int) {
	t.Helper()
	var body struct {
		Text     string
		Markdown struct{ Text, Content string }
		Embeds   []struct{ Title, Description string }
		Blocks   []struct{ Text struct{ Text string } }
		Attach   []struct {
			Blocks []struct{ Text struct{ Text string } }
		} `json:"attachments"`
	}
	if err := json.Unmarshal(raw, &body); err != nil && kind != models.ChannelTeams {
		t.Fatal(err)
	}
	switch kind {
	case models.ChannelDingTalk:
		return len(raw), 20_000
	case models.ChannelFeishu:
		return len(raw), 20_000
	case models.ChannelWeCom:
		return len(body.Markdown.Content), 4096
	case models.ChannelSlack:
		longest, all := 0, 0
		for _, b := range body.Attach[0].Blocks {
			n := len([]rune(b.Text.Text))
			longest, all = max(longest, n), all+n
		}
		if all > 13_000 || len(body.Attach[0].Blocks) > 50 {
			t.Errorf("Slack: %d characters in %d blocks", all, len(body.Attach[0].Blocks))
		}
		return longest, 3000
	case models.ChannelTeams:
		return len(raw), 28_000
	case models.ChannelTelegram:
		return message.UTF16.Size(body.Text), 4096
	case models.ChannelDiscord:
		e := body.Embeds[0]
		if n := len([]rune(e.Title)); n > 256 {
			t.Errorf("Discord: a title of %d", n)
		}
		return len([]rune(e.Description)), 4096
	default:
		return len(raw), webhookRequestLimit
	}
}
