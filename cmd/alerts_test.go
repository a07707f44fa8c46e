package cmd

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/book"
	"github.com/belfry-scheduler/belfry/services/alert/channel"
	"github.com/belfry-scheduler/belfry/services/alert/message"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/config"
	"github.com/belfry-scheduler/belfry/services/config/secret"
	"github.com/belfry-scheduler/belfry/services/store"
)

const hookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// hookReceiver checks signatures and keeps ids.
type hookReceiver struct {
	*httptest.Server
	mu     sync.Mutex
	ids    []string
	forged int
	status int
}

func newHookReceiver(t testing.TB) *hookReceiver {
	t.Helper()
	r := &hookReceiver{status: http.StatusNoContent}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(hookSecret, "whsec_"))
	if err != nil {
		t.Fatal(err)
	}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		id := req.Header.Get("Webhook-Id")
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + req.Header.Get("Webhook-Timestamp") + "." + string(body)))
		r.mu.Lock()
		defer r.mu.Unlock()
		if req.Header.Get("Webhook-Signature") != "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)) {
			r.forged++
		}
		r.ids = append(r.ids, id)
		w.WriteHeader(r.status)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *hookReceiver) seen() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.ids)
}

// alertServer opens a server on a file and answers it with what starts it; starting
// answers what stops it.
func alertServer(t testing.TB, file string) (*server, func() (stop func())) {
	t.Helper()
	given := config.Serve{
		Listen: "127.0.0.1:0", DatabaseURL: secret.URL("sqlite://" + (&url.URL{Path: file}).EscapedPath()),
		SecretKey: "0123456789abcdef0123456789abcdef", WebhookAllow: "127.0.0.1",
	}
	settings, err := given.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	logger := slog.New(slog.DiscardHandler)
	st, err := store.Open(t.Context(), store.Options{URL: settings.DatabaseURL.Reveal(), Logger: logger, Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, err := assemble(settings, st, logger, "test")
	if err != nil {
		t.Fatal(err)
	}
	return s, func() func() {
		ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
		begun, ended := make(chan struct{}), make(chan error, 1)
		go func() { ended <- s.run(ctx, func(string) error { close(begun); return nil }) }()
		select {
		case <-begun:
		case err := <-ended:
			t.Fatal(err)
		}
		return func() {
			cancel()
			if err := <-ended; err != nil {
				t.Errorf("stopping the server: %v", err)
			}
			_ = st.Close()
		}
	}
}

func (s *server) hook(t testing.TB, url string) models.AlertChannel {
	t.Helper()
	perMinute, burst := 6000, 1000
	c, err := s.alerts.book.Create(t.Context(), "test", book.Input{
		Name: "hook", Kind: models.ChannelWebhook, PerMinute: &perMinute, Burst: &burst,
		Settings: &channel.Settings{Secret: channel.Secrets{URL: url, Secrets: []string{hookSecret}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// tell writes n notifications, as the desk does.
func tell(t testing.TB, st *store.Store, c models.AlertChannel, n int) []string {
	t.Helper()
	var rows []models.Notification
	var ids []string
	for range n {
		at := time.Now().UTC()
		m := message.Sample(models.MessageProblem)
		m.ID, m.At = models.NewID(at), at
		raw, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, models.Notification{ID: m.ID, ChannelID: c.ID, Kind: m.Kind, Severity: m.Severity, GroupKey: "g", Message: raw, Problems: 2, CreatedAt: at})
		ids = append(ids, m.ID)
	}
	if err := st.QueueNotifications(t.Context(), nil, rows); err != nil {
		t.Fatal(err)
	}
	return ids
}

func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if holds() {
			return
		}
		select {
		case <-t.Context().Done():
		case <-time.After(5 * time.Millisecond):
		}
	}
	t.Fatalf("in vain: %s", what)
}

// A row in the ledger becomes one signed request.
func TestNotificationReachesItsReceiverOnce(t *testing.T) {
	t.Parallel()
	r := newHookReceiver(t)
	s, start := alertServer(t, filepath.Join(t.TempDir(), "belfry.db"))
	defer start()()
	c := s.hook(t, r.URL)
	ids := tell(t, s.store, c, 3)
	s.alerts.delivery.Wake()
	eventually(t, "all are settled", func() bool {
		n, err := s.store.Notification(t.Context(), ids[2])
		return err == nil && n.State == models.NotificationSent
	})
	slices.Sort(ids)
	got := r.seen()
	slices.Sort(got)
	if !slices.Equal(got, ids) || r.forged != 0 {
		t.Errorf("received %v with %d wrong signatures, want %v", got, r.forged, ids)
	}
}

// A server that stops between the row and the delivery loses nothing: after the restart
// it is delivered with the same id.
func TestRestartBetweenRowAndDelivery(t *testing.T) {
	t.Parallel()
	r := newHookReceiver(t)
	r.status = http.StatusServiceUnavailable
	file := filepath.Join(t.TempDir(), "belfry.db")
	s, start := alertServer(t, file)
	stop := start()
	c := s.hook(t, r.URL)
	ids := tell(t, s.store, c, 1)
	s.alerts.delivery.Wake()
	eventually(t, "a try failed", func() bool { return len(r.seen()) > 0 })
	eventually(t, "the try is settled", func() bool {
		n, err := s.store.Notification(t.Context(), ids[0])
		return err == nil && n.Tries == 1
	})
	waiting := tell(t, s.store, c, 1)
	stop()
	before := len(r.seen())
	r.mu.Lock()
	r.status = http.StatusNoContent
	r.mu.Unlock()
	s, start = alertServer(t, file)
	defer start()()
	eventually(t, "what waited is delivered", func() bool {
		for _, id := range append(ids, waiting...) {
			if n, err := s.store.Notification(t.Context(), id); err != nil || n.State != models.NotificationSent {
				return false
			}
		}
		return true
	})
	got := r.seen()
	if !slices.Equal(slices.Compact(slices.Sorted(slices.Values(got))), slices.Sorted(slices.Values(append(ids, waiting...)))) || len(got) <= before || r.forged != 0 {
		t.Errorf("received %v, want only %v and %v", got, ids, waiting)
	}
}

func TestKeyFileOfDev(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), keyFile)
	first, err := devKey(file)
	if err != nil || len(first.Reveal()) != 64 {
		t.Fatal(len(first.Reveal()), err)
	}
	if again, err := devKey(file); err != nil || again.Reveal() != first.Reveal() {
		t.Errorf("another key: %v", err)
	}
	if mode := modeOf(t, file); mode != 0o600 {
		t.Errorf("mode %o", mode)
	}
}

func modeOf(t *testing.T, file string) os.FileMode {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}
