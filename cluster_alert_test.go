package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/belfry-scheduler/belfry/internal/apptest"
	"github.com/belfry-scheduler/belfry/models"
)

// hook is a receiver of alerts that can keep a message without answering.
type hook struct {
	*httptest.Server
	mu    sync.Mutex
	told  map[string][]string // id of a message → what came with it, once a delivery
	jobs  map[string]int      // job → deliveries that name it
	hold  chan struct{}       // while it is open no delivery is answered
	taken chan string         // ids of the deliveries that came while holding
}

func newHook(t *testing.T) *hook {
	t.Helper()
	h := &hook{told: map[string][]string{}, jobs: map[string]int{}, taken: make(chan string, 100)}
	h.Server = httptest.NewServer(http.HandlerFunc(h.take))
	t.Cleanup(h.Close)
	t.Cleanup(h.release)
	return h
}

func (h *hook) take(_ http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body) // a cut body names no job
	var body struct {
		Data struct{ Problems []struct{ JobName string } }
	}
	_ = json.Unmarshal(raw, &body)
	id := r.Header.Get("Webhook-Id")
	h.mu.Lock()
	h.told[id] = append(h.told[id], string(raw))
	for _, p := range body.Data.Problems {
		h.jobs[p.JobName]++
	}
	hold := h.hold
	h.mu.Unlock()
	if hold == nil {
		return
	}
	h.taken <- id
	select {
	case <-hold:
	case <-r.Context().Done(): // the server that sent it has died
	}
}

// keep lets the next deliveries wait for release.
func (h *hook) keep() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.hold = make(chan struct{})
}

func (h *hook) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.hold != nil {
		close(h.hold)
		h.hold = nil
	}
}

func (h *hook) deliveries(id string) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.told[id])
}

func (h *hook) knows(job string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.jobs[job] > 0
}

// tellAt has every failure for good told to the hook at once, and nothing else.
func (c *cluster) tellAt(t *testing.T, h *hook) {
	t.Helper()
	type channel struct {
		CreateAlertChannel struct {
			Channel    *struct{ ID string }
			UserErrors []struct{ Message string }
		}
	}
	made := apptest.Do[channel](t, c.api, `mutation($in:AlertChannelInput!){createAlertChannel(input:$in){channel{id} userErrors{message}}}`,
		map[string]any{"in": map[string]any{"name": "hook", "kind": "WEBHOOK", "webhook": map[string]any{
			"url": h.URL, "secrets": []string{"whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="},
		}}}).CreateAlertChannel
	if made.Channel == nil {
		t.Fatal(made.UserErrors)
	}
	type gone struct {
		DeleteAlertRule struct{ UserErrors []struct{ Message string } }
	}
	apptest.Do[gone](t, c.api, `mutation($id:ID!){deleteAlertRule(id:$id){userErrors{message}}}`, map[string]any{"id": models.DefaultAlertRule})
	type rule struct {
		CreateAlertRule struct{ UserErrors []struct{ Message string } }
	}
	got := apptest.Do[rule](t, c.api, `mutation($in:AlertRuleInput!){createAlertRule(input:$in){userErrors{message}}}`,
		map[string]any{"in": map[string]any{
			"name": "failures", "scope": map[string]any{"kind": "ALL"}, "conditions": []any{map[string]any{"event": "RETRIES_EXHAUSTED"}},
			"severity": "CRITICAL", "groupWait": "0s", "groupInterval": "0s",
			"routes": []any{map[string]any{"severities": []string{"CRITICAL"}, "channels": []string{made.Channel.ID}}},
		}}).CreateAlertRule
	if len(got.UserErrors) > 0 {
		t.Fatal(got.UserErrors)
	}
}

// fail makes jobs and lets each fail for good; it answers their names.
func (c *cluster) fail(t *testing.T, name string, n int) (names []string) {
	t.Helper()
	for i := range n {
		each := fmt.Sprintf("%s-%d", name, i)
		id := c.createJob(t, map[string]any{
			"name": each, "handler": "Fail", "trigger": map[string]any{"manual": true},
			"retry": map[string]any{"maxAttempts": 1, "delay": "0s"},
		})
		c.trigger(t, id)
		names = append(names, each)
	}
	return names
}

// killDesk kills the server that works at alerts and answers its number.
func (c *cluster) killDesk(t *testing.T) int {
	t.Helper()
	desk := c.leads(t, 0)
	c.servers[desk].Kill(t)
	c.api.URL = c.urls[1-desk]
	return desk
}

// The server that works at alerts dies with -9: once when the receiver has a message that
// it has not answered, and once with twenty failures on their way. Everything is told, and
// what is told twice carries the same id and the same words.
func TestKilledServersLoseNoAlert(t *testing.T) {
	h := newHook(t)
	c := startCluster(t, "BELFRY_WEBHOOK_ALLOW=127.0.0.1", "BELFRY_SECRET_KEY=0123456789abcdef0123456789abcdef",
		"BELFRY_PUBLIC_URL=https://belfry.example") // links in messages are the same on all servers
	c.worker(t, "w1")
	c.awaitNodes(t, 1)
	c.checkTogether(t)
	c.tellAt(t, h)

	h.keep()
	names := c.fail(t, "unanswered", 1)
	id := <-h.taken
	killed := c.killDesk(t)
	h.release()
	apptest.Until(t, "the other server to send the message again", func() bool { return len(h.deliveries(id)) > 1 })

	c.startServer(t, killed)
	h.keep()
	names = append(names, c.fail(t, "untold", 20)...)
	c.killDesk(t)
	h.release()
	for _, each := range names {
		apptest.Until(t, "a message about "+each, func() bool { return h.knows(each) })
	}
	c.checkTold(t, h, len(names))
}

// checkTold waits until every message was sent and compares the ledger with what came:
// one incident a failed job, every message at least once, and always in the same words.
func (c *cluster) checkTold(t *testing.T, h *hook, jobs int) {
	t.Helper()
	type book struct {
		Incidents     struct{ Nodes []struct{ State string } }
		Notifications struct{ Nodes []struct{ ID, State string } }
	}
	var b book
	apptest.Until(t, "every message to be sent", func() bool {
		b = apptest.Do[book](t, c.api, `{incidents(first:100){nodes{state}} notifications(first:100){nodes{id state}}}`, nil)
		return !slices.ContainsFunc(b.Notifications.Nodes, func(n struct{ ID, State string }) bool { return n.State != "SENT" })
	})
	if len(b.Incidents.Nodes) != jobs {
		t.Errorf("%d incidents of %d failed jobs", len(b.Incidents.Nodes), jobs)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.told) != len(b.Notifications.Nodes) {
		t.Errorf("%d messages came, the ledger has %d", len(h.told), len(b.Notifications.Nodes))
	}
	again := 0
	for _, n := range b.Notifications.Nodes {
		came := h.told[n.ID]
		again += max(len(came)-1, 0)
		if len(came) == 0 || len(slices.Compact(slices.Clone(came))) != 1 {
			t.Errorf("message %s came as %q", n.ID, came)
		}
	}
	t.Logf("%d messages, %d of them again after a server died", len(h.told), again)
}
