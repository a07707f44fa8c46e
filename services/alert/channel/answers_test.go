package channel

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/message"
)

// TestAnswers: what services answer, with status 200 as well, and what it means.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind   models.ChannelKind
		status int
		body   string
		header string
		want   Class
		wait   time.Duration
	}{
		{models.ChannelDingTalk, 200, `{"errcode":0,"errmsg":"ok"}`, "", OK, 0},
		{models.ChannelDingTalk, 200, `{"errcode":130101,"errmsg":"send too fast"}`, "", Temporary, 10 * time.Minute},
		{models.ChannelDingTalk, 200, `{"errcode":310000,"errmsg":"sign not match"}`, "", Permanent, 0},
		{models.ChannelDingTalk, 200, `{"errcode":-1,"errmsg":"busy"}`, "", Temporary, 0},
		{models.ChannelDingTalk, 200, `<html>`, "", Temporary, 0},
		{models.ChannelFeishu, 200, `{"code":0,"msg":"success"}`, "", OK, 0},
		{models.ChannelFeishu, 200, `{"StatusCode":0}`, "", OK, 0},
		{models.ChannelFeishu, 200, `{"code":19021,"msg":"sign match fail"}`, "", Permanent, 0},
		{models.ChannelFeishu, 200, `{"code":11232,"msg":"too many"}`, "", Temporary, time.Minute},
		{models.ChannelFeishu, 400, `{"code":19036,"msg":"too long"}`, "", Rejected, 0},
		{models.ChannelWeCom, 200, `{"errcode":0}`, "", OK, 0},
		{models.ChannelWeCom, 200, `{"errcode":93000,"errmsg":"invalid webhook url"}`, "", Permanent, 0},
		{models.ChannelWeCom, 200, `{"errcode":45009,"errmsg":"api freq out of limit"}`, "", Temporary, time.Minute},
		{models.ChannelSlack, 200, "ok", "", OK, 0},
		{models.ChannelSlack, 200, "no_text", "", Temporary, 0},
		{models.ChannelSlack, 429, "rate_limited", "30", Temporary, 30 * time.Second},
		{models.ChannelSlack, 404, "no_service", "", Permanent, 0},
		{models.ChannelSlack, 400, "invalid_blocks", "", Rejected, 0},
		{models.ChannelTeams, 202, "", "", OK, 0},
		{models.ChannelTeams, 200, "Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429", "", Temporary, 0},
		{models.ChannelTeams, 401, "", "", Permanent, 0},
		{models.ChannelTelegram, 200, `{"ok":true}`, "", OK, 0},
		{models.ChannelTelegram, 429, `{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":7}}`, "", Temporary, 7 * time.Second},
		{models.ChannelTelegram, 403, `{"ok":false,"error_code":403,"description":"Forbidden: bot was kicked"}`, "", Permanent, 0},
		{models.ChannelTelegram, 400, `{"ok":false,"error_code":400,"description":"Bad Request: can't parse entities"}`, "", Rejected, 0},
		{models.ChannelDiscord, 200, `{}`, "", OK, 0},
		{models.ChannelDiscord, 429, `{"retry_after":1.5}`, "2", Temporary, 1500 * time.Millisecond},
		{models.ChannelDiscord, 404, `{"code":10015}`, "", Permanent, 0},
		{models.ChannelWebhook, 204, "", "", OK, 0},
		{models.ChannelWebhook, 410, "", "", Permanent, 0},
		{models.ChannelWebhook, 404, "", "", Temporary, 0},
		{models.ChannelWebhook, 500, "", "", Temporary, 0},
		{models.ChannelWebhook, 503, "", now.Add(90 * time.Second).Format(http.TimeFormat), Temporary, 90 * time.Second},
		{models.ChannelWebhook, 302, "", "", Temporary, 0},
		{models.ChannelWebhook, 429, "", "999999999", Temporary, 24 * time.Hour},
	} {
		r := newReceiver(t, func(w http.ResponseWriter) {
			if tt.header != "" {
				w.Header().Set("Retry-After", tt.header)
			}
			w.Header().Set("Location", "http://127.0.0.1:1/inside")
			w.WriteHeader(tt.status)
			_, _ = io.WriteString(w, tt.body)
		})
		c := testClient(t, "127.0.0.0/8")
		c.telegram = r.URL
		got := c.Send(t.Context(), tt.kind, settingsOf(r.URL)[tt.kind], outgoing(t, tt.kind, message.Sample(models.MessageProblem)))
		if got.Class != tt.want || got.RetryAfter != tt.wait || got.Status != tt.status || (got.Error == "") != (tt.want == OK) {
			t.Errorf("%s %d %s: %+v", tt.kind, tt.status, tt.body, got)
		}
		if got.Response != "" || tt.body != "" && tt.want != OK && strings.Contains(got.Error, tt.body) {
			t.Errorf("the answer of an inner receiver is shown: %+v", got)
		}
		if len(r.got) != 1 {
			t.Errorf("%d requests; none is repeated or led elsewhere", len(r.got))
		}
	}
}

// An answer of any size, or none, ends within the time-out and a bounded memory.
func TestBadReceivers(t *testing.T) {
	t.Parallel()
	endless := newReceiver(t, func(w http.ResponseWriter) {
		chunk := make([]byte, 64<<10)
		for range 16 << 10 { // a gigabyte
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	})
	c := testClient(t, "127.0.0.1")
	s := settingsOf(endless.URL)[models.ChannelWebhook]
	if got := c.Send(t.Context(), models.ChannelWebhook, s, outgoing(t, models.ChannelWebhook, message.Sample(models.MessageProblem))); got.Class != OK {
		t.Errorf("a gigabyte: %+v", got)
	}

	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = silent.Close() })
	c.out.HTTP.Timeout = 200 * time.Millisecond
	s = settingsOf("http://" + silent.Addr().String())[models.ChannelWebhook]
	got := c.Send(t.Context(), models.ChannelWebhook, s, outgoing(t, models.ChannelWebhook, message.Sample(models.MessageProblem)))
	if got.Class != Temporary || !strings.Contains(got.Error, "no answer within") || strings.Contains(got.Error, "hook") {
		t.Errorf("silence: %+v", got)
	}
}
