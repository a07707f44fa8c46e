package delivery_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/channel"
	"github.com/belfry-scheduler/belfry/services/alert/delivery"
	"github.com/belfry-scheduler/belfry/services/alert/message"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/seal"
	"github.com/belfry-scheduler/belfry/services/store"
)

// bench is a ledger with a service that sends into memory.
type bench struct {
	*testing.T
	store *store.Store
	owner *owner
	send  *sender
	box   *seal.Box
}

type owner struct {
	mu    sync.Mutex
	epoch int64
	lost  int
}

func (o *owner) Partitions() map[int]int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.epoch == 0 {
		return nil
	}
	return map[int]int64{delivery.Partition: o.epoch}
}

func (o *owner) Lost(...int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lost++
	o.epoch = 0
}

// sender keeps what it is given and answers by the channel's chat setting.
type sender struct {
	mu     sync.Mutex
	sent   []*channel.Outgoing
	answer func(ctx context.Context, chat string, out *channel.Outgoing) channel.Result
}

func (s *sender) Send(ctx context.Context, _ models.ChannelKind, set *channel.Settings, out *channel.Outgoing) channel.Result {
	r := s.answer(ctx, set.Chat, out)
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Class == channel.OK {
		s.sent = append(s.sent, out)
	}
	return r
}

func (s *sender) ids() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []string
	for _, o := range s.sent {
		ids = append(ids, o.Message.ID)
	}
	return ids
}

type quiet struct{}

func (quiet) NotificationsChanged(context.Context, []string) {}

func taken(context.Context, string, *channel.Outgoing) channel.Result {
	return channel.Result{Status: 200}
}

func newBench(t *testing.T) *bench {
	t.Helper()
	st, err := store.Open(t.Context(), store.Options{URL: "sqlite://" + filepath.Join(t.TempDir(), "b.db"), Logger: slog.New(slog.DiscardHandler), Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	if err := st.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	epoch, err := st.TakePartition(t.Context(), delivery.Partition, "me")
	if err != nil {
		t.Fatal(err)
	}
	box, err := seal.New("0123456789abcdef0123456789abcdef", "")
	if err != nil {
		t.Fatal(err)
	}
	return &bench{T: t, store: st, owner: &owner{epoch: epoch}, send: &sender{answer: taken}, box: box}
}

func (b *bench) service() *delivery.Service {
	b.Helper()
	s, err := delivery.New(delivery.Config{
		Store: b.store, Owner: b.owner, Sender: b.send, Box: b.box, Clock: clock.System{}, Logger: slog.New(slog.DiscardHandler), Notifier: quiet{},
		BaseURL: func() string { return "https://belfry.example.com" },
	})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

func (b *bench) start() *delivery.Service {
	b.Helper()
	s := b.service()
	if err := s.Start(b.Context()); err != nil {
		b.Fatal(err)
	}
	return s
}

func (b *bench) stop(s *delivery.Service) {
	b.Helper()
	if err := s.Stop(b.Context()); err != nil {
		b.Error(err)
	}
}

func (b *bench) channel(name string, edit func(*models.AlertChannel)) models.AlertChannel {
	b.Helper()
	at := time.Now().UTC()
	c := models.AlertChannel{
		ID: models.NewID(at), Name: name, Kind: models.ChannelTelegram, Enabled: true, Language: "en", PerMinute: 6000, Burst: 100,
		MaxAgeMS: time.Hour.Milliseconds(), Version: 1, CreatedAt: at, UpdatedAt: at,
	}
	if err := channel.Save(&c, &channel.Settings{Chat: name, Secret: channel.Secrets{Token: "t"}}, b.box); err != nil {
		b.Fatal(err)
	}
	if edit != nil {
		edit(&c)
	}
	if err := b.store.CreateChannel(b.Context(), c, models.Audit{ID: models.NewID(at), At: at}); err != nil {
		b.Fatal(err)
	}
	return c
}

// queue writes n notifications of as many incidents.
func (b *bench) queue(c models.AlertChannel, n int) []string {
	b.Helper()
	return b.queueAt(c, n, time.Now().UTC())
}

// queueAt writes notifications as they were written at an instant.
func (b *bench) queueAt(c models.AlertChannel, n int, at time.Time) []string {
	b.Helper()
	var rows []models.Notification
	var ids []string
	for i := range n {
		at := at.Add(time.Duration(i) * time.Microsecond) // they are due in this order
		m := message.Sample(models.MessageProblem)
		m.ID, m.At, m.Total, m.Problems = models.NewID(at), at, 1, m.Problems[:1]
		m.Problems[0].IncidentID = models.NewID(at)
		m.Problems[0].JobName = fmt.Sprintf("job-%d", i)
		raw, err := json.Marshal(m)
		if err != nil {
			b.Fatal(err)
		}
		rows = append(rows, models.Notification{
			ID: m.ID, ChannelID: c.ID, Kind: m.Kind, Severity: m.Severity, GroupKey: "g", Message: raw, Problems: 1, CreatedAt: at, IncidentIDs: []string{m.Problems[0].IncidentID},
		})
		ids = append(ids, m.ID)
	}
	if err := b.store.QueueNotifications(b.Context(), nil, rows); err != nil {
		b.Fatal(err)
	}
	return ids
}

func (b *bench) state(id string) models.Notification {
	b.Helper()
	n, err := b.store.Notification(b.Context(), id)
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// until looks again and again until a condition holds. The store has goroutines of its
// own, so the time that goes by is real.
func (b *bench) until(what string, holds func() bool) {
	b.Helper()
	for range 2000 {
		if holds() {
			return
		}
		select {
		case <-b.Context().Done():
			b.Fatal(b.Context().Err())
		case <-time.After(5 * time.Millisecond):
		}
	}
	b.Fatalf("in vain: %s", what)
}

func TestQueuedIsSentOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.channel("one", nil)
	ids := b.queue(c, 3)
	s := b.start()
	b.until("all are sent", func() bool { return len(b.send.ids()) == 3 })
	b.until("all are settled", func() bool { return b.state(ids[2]).State == models.NotificationSent })
	b.stop(s)
	if got := b.send.ids(); !slices.Equal(got, ids) {
		t.Errorf("sent %v, want %v", got, ids)
	}
	n := b.state(ids[0])
	if n.Tries != 1 || n.SentAt == nil || !strings.Contains(n.Subject, "job-0") || !strings.Contains(n.Body, "https://belfry.example.com/incidents/") {
		t.Errorf("%+v", n)
	}
}

// One that hangs holds up no other (CB-088, F29), and an orderly stop ends it; the try is
// made again with the same id.
func TestOneThatHangsHoldsUpNobody(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.send.answer = func(ctx context.Context, chat string, _ *channel.Outgoing) channel.Result {
		if chat == "hangs" {
			<-ctx.Done()
			return channel.Result{Class: channel.Temporary, Error: "no answer"}
		}
		return channel.Result{}
	}
	stuck := b.queue(b.channel("hangs", nil), 2)
	b.queue(b.channel("good", nil), 5)
	s := b.start()
	b.until("the good channel got its messages", func() bool { return len(b.send.ids()) == 5 })
	b.stop(s)
	if n := b.state(stuck[0]); n.State != models.NotificationQueued || n.Tries != 0 {
		t.Errorf("a try that a stop ended counts: %+v", n)
	}
	b.send.answer = taken
	s = b.start()
	b.until("it is sent after the restart", func() bool { return slices.Contains(b.send.ids(), stuck[0]) })
	b.stop(s)
}

func TestFailuresAreTriedAgainAndWait(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	tries := 0
	b.send.answer = func(context.Context, string, *channel.Outgoing) channel.Result {
		tries++
		return channel.Result{Class: channel.Temporary, Status: 429, Error: "too fast", RetryAfter: time.Hour}
	}
	ids := b.queue(b.channel("slow", nil), 2)
	s := b.start()
	b.until("the first try is settled", func() bool { return b.state(ids[0]).Tries == 1 })
	b.stop(s)
	n := b.state(ids[0])
	if n.State != models.NotificationQueued || time.Until(n.NextAt) < 59*time.Minute || tries != 1 || b.state(ids[1]).Tries != 0 {
		t.Errorf("%d tries, %+v", tries, n)
	}
	all, err := b.store.DeliveryTries(t.Context(), ids)
	if err != nil || len(all[ids[0]]) != 1 || all[ids[0]][0].Status != 429 || all[ids[0]][0].NextAt == nil {
		t.Errorf("%+v %v", all, err)
	}
}

// After recovery people get one summary and not 500 messages; what was too old is
// counted (CB-088).
func TestAfterRecoveryOneSummary(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.send.answer = func(context.Context, string, *channel.Outgoing) channel.Result {
		return channel.Result{Class: channel.Temporary, Error: "down"}
	}
	c := b.channel("down", func(c *models.AlertChannel) { c.MaxAgeMS = 500 })
	old := b.queue(c, 40)
	s := b.start()
	b.until("a try failed", func() bool { return b.state(old[0]).Tries == 1 })
	b.stop(s)
	b.until("they are too old", func() bool { return time.Since(b.state(old[39]).QueuedAt) > 600*time.Millisecond })
	if _, err := b.store.UpdateChannel(t.Context(), c.ID, func(c *models.AlertChannel) (models.Audit, error) {
		c.MaxAgeMS = time.Minute.Milliseconds()
		return models.Audit{ID: models.NewID(time.Now()), At: time.Now()}, nil
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.store.CloseQueue(t.Context(), nil, c.ID, time.Now().Add(-500*time.Millisecond), models.NotificationDropped, "too old", 500); err != nil {
		t.Fatal(err)
	}
	fresh := b.queue(c, 500)
	b.send.answer = taken
	s = b.start()
	b.until("a summary is sent", func() bool { return len(b.send.ids()) > 0 })
	b.until("nothing waits", func() bool { return b.state(fresh[499]).State != models.NotificationQueued })
	b.stop(s)
	if got := b.send.ids(); len(got) != 1 {
		t.Fatalf("%d messages were sent", len(got))
	}
	sent := b.send.sent[0]
	if sent.Message.Total != 500 || sent.Message.Kind != models.MessageDigest || len(sent.Message.Problems) != 50 ||
		!strings.Contains(sent.Text.Body, "500 messages from") || !strings.Contains(sent.Text.Body, "40 messages became too old") {
		t.Errorf("%+v\n%s", sent.Message.Total, sent.Text.Body)
	}
	if n := b.state(fresh[7]); n.State != models.NotificationSuppressed || !strings.Contains(n.Reason, sent.Message.ID) {
		t.Errorf("%+v", n)
	}
	if n := b.state(old[7]); n.State != models.NotificationDropped {
		t.Errorf("%+v", n)
	}
	if now, _ := b.store.Channel(t.Context(), c.ID); now.Dropped != 0 {
		t.Errorf("%d are still to be told", now.Dropped)
	}
}

func TestRefusedForGoodSwitchesOffAndTells(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.send.answer = func(_ context.Context, chat string, _ *channel.Outgoing) channel.Result {
		if chat == "gone" {
			return channel.Result{Class: channel.Permanent, Status: 410, Error: "410 Gone"}
		}
		return channel.Result{}
	}
	gone, other := b.channel("gone", nil), b.channel("other", nil)
	ids := b.queue(gone, 3)
	s := b.start()
	b.until("the other channel tells", func() bool { return len(b.send.ids()) == 1 })
	b.until("the rest is closed", func() bool { return b.state(ids[2]).State == models.NotificationSuppressed })
	b.stop(s)
	c, err := b.store.Channel(t.Context(), gone.ID)
	if err != nil || c.Enabled || !strings.Contains(c.DisabledReason, "410 Gone") {
		t.Errorf("%+v %v", c, err)
	}
	told := b.send.sent[0]
	if told.Notification.ChannelID != other.ID || told.Message.Kind != models.MessageChannelDisabled || !strings.Contains(told.Text.Body, "The channel gone was switched off") {
		t.Errorf("%s", told.Text.Body)
	}
	if n := b.state(ids[0]); n.State != models.NotificationFailed {
		t.Errorf("%+v", n)
	}
}

// A deposed server's settling fails, and the new owner sends again with the same id.
func TestDeposedSendsNothingMore(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ids := b.queue(b.channel("one", nil), 2)
	b.send.answer = func(ctx context.Context, _ string, _ *channel.Outgoing) channel.Result {
		if _, err := b.store.TakePartition(ctx, delivery.Partition, "another"); err != nil {
			t.Error(err)
		}
		return channel.Result{}
	}
	s := b.start()
	b.until("the loss is noticed", func() bool { b.owner.mu.Lock(); defer b.owner.mu.Unlock(); return b.owner.lost > 0 })
	b.stop(s)
	if n := b.state(ids[0]); n.State != models.NotificationQueued || len(b.send.ids()) != 1 {
		t.Errorf("%+v after %d tries", n, len(b.send.ids()))
	}
	epoch, err := b.store.TakePartition(t.Context(), delivery.Partition, "me")
	if err != nil {
		t.Fatal(err)
	}
	b.owner.mu.Lock()
	b.owner.epoch = epoch
	b.owner.mu.Unlock()
	b.send.answer = taken
	s = b.start()
	b.until("all are settled", func() bool { return b.state(ids[1]).State == models.NotificationSent })
	b.stop(s)
	if got := b.send.ids(); !slices.Equal(got, []string{ids[0], ids[0], ids[1]}) {
		t.Errorf("sent %v of %v", got, ids)
	}
}

// A template of people that fails sends the default text.
func TestBrokenTemplateSendsTheDefault(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.channel("one", func(c *models.AlertChannel) {
		c.Templates = json.RawMessage(`[{"kind":1,"body":"{{index .Problems 7}}"}]`)
	})
	ids := b.queue(c, 1)
	s := b.start()
	b.until("it is sent", func() bool { return b.state(ids[0]).State == models.NotificationSent })
	b.stop(s)
	if n := b.state(ids[0]); !strings.Contains(n.Reason, "default text") || !strings.Contains(n.Body, "job-0") {
		t.Errorf("%+v", n)
	}
}

// The token bucket holds a channel to its rate, under a clock that takes no time.
func TestRate(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.channel("slow", func(c *models.AlertChannel) { c.PerMinute, c.Burst = 60*20, 2 })
	b.queue(c, 8)
	began := time.Now()
	s := b.start()
	b.until("all are sent", func() bool { return len(b.send.ids()) == 8 })
	b.stop(s)
	if took := time.Since(began); took < 290*time.Millisecond { // 2 at once, 6 at 20 a second
		t.Errorf("8 messages took %s", took)
	}
}

// What is older than the channel's bound is dropped, and the next message tells how many.
func TestTooOldIsDropped(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.channel("one", nil) // an hour
	old := b.queueAt(c, 3, time.Now().UTC().Add(-90*time.Minute))
	fresh := b.queueAt(c, 1, time.Now().UTC().Add(-30*time.Minute))
	s := b.start()
	b.until("the fresh one is sent", func() bool { return b.state(fresh[0]).State == models.NotificationSent })
	b.stop(s)
	for _, id := range old {
		if n := b.state(id); n.State != models.NotificationDropped || n.Reason == "" {
			t.Errorf("%s: %s", n.State, n.Reason)
		}
	}
	if sent := b.send.sent; len(sent) != 1 || !strings.Contains(sent[0].Text.Body, "3 messages became too old") {
		t.Errorf("%d messages were sent", len(sent))
	}
}

// A server that gives the partition up in the middle of a queue sends no more of it, though
// the ledger would still let it.
func TestGivenUpSendsNothingMore(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ids := b.queue(b.channel("one", nil), 3)
	epoch := b.owner.epoch
	b.send.answer = func(context.Context, string, *channel.Outgoing) channel.Result {
		b.owner.mu.Lock()
		defer b.owner.mu.Unlock()
		b.owner.epoch = 0
		return channel.Result{}
	}
	s := b.start()
	b.until("the first one is settled", func() bool { return b.state(ids[0]).State == models.NotificationSent })
	b.stop(s) // which lets what is under way end
	if got := b.send.ids(); !slices.Equal(got, ids[:1]) {
		t.Errorf("sent %v of %v", got, ids)
	}
	b.owner.epoch, b.send.answer = epoch, taken
	s = b.start()
	b.until("the others are sent", func() bool { return b.state(ids[2]).State == models.NotificationSent })
	b.stop(s)
	if got := b.send.ids(); !slices.Equal(got, ids) {
		t.Errorf("sent %v of %v", got, ids)
	}
}

// In a summary the latest word about an incident counts: one that began and ended while the
// channel was behind is over.
func TestSummaryHasTheLatestWord(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.channel("one", nil)
	at := time.Now().UTC().Add(-5 * time.Minute)
	ids := b.queueAt(c, 11, at)
	first := b.state(ids[0])
	var m models.Message
	if err := json.Unmarshal(first.Message, &m); err != nil {
		t.Fatal(err)
	}
	end := at.Add(time.Minute)
	m.ID, m.Kind, m.At = models.NewID(end), models.MessageRecovery, end
	m.Problems[0].State, m.Problems[0].ResolvedAt = models.IncidentResolved, &end
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	over := models.Notification{
		ID: m.ID, ChannelID: c.ID, Kind: m.Kind, Severity: m.Severity, GroupKey: "g", Message: raw, Problems: 1, CreatedAt: end, IncidentIDs: first.IncidentIDs,
	}
	if err := b.store.QueueNotifications(t.Context(), nil, []models.Notification{over}); err != nil {
		t.Fatal(err)
	}
	s := b.start()
	b.until("a summary is sent", func() bool { return len(b.send.ids()) > 0 })
	b.stop(s)
	sent := b.send.sent[0].Message
	if len(b.send.sent) != 1 || len(sent.Problems) != 11 || sent.Total != 11 {
		t.Fatalf("%d messages, the first of %d problems", len(b.send.sent), len(sent.Problems))
	}
	for _, p := range sent.Problems {
		if ended := p.IncidentID == first.IncidentIDs[0]; ended != (p.ResolvedAt != nil) {
			t.Errorf("%s: resolved at %v", p.JobName, p.ResolvedAt)
		}
	}
}

// After a failure a channel is left alone for a while, with all that waits in it.
func TestFailedChannelIsLeftAlone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var mu sync.Mutex
	tries := 0
	b.send.answer = func(_ context.Context, chat string, _ *channel.Outgoing) channel.Result {
		if chat != "down" {
			return channel.Result{}
		}
		mu.Lock()
		defer mu.Unlock()
		tries++
		return channel.Result{Class: channel.Temporary, Error: "down"}
	}
	down, good := b.channel("down", nil), b.channel("good", nil)
	ids := b.queue(down, 3)
	s := b.start()
	b.until("the first try is settled", func() bool { return b.state(ids[0]).Tries == 1 })
	for n := range 5 { // the loop looks again each time
		sent := b.queue(good, 1)
		s.Wake()
		b.until(fmt.Sprint("good message ", n), func() bool { return b.state(sent[0]).State == models.NotificationSent })
	}
	b.stop(s)
	mu.Lock()
	defer mu.Unlock()
	if tries != 1 || b.state(ids[1]).Tries != 0 {
		t.Errorf("%d tries within a moment", tries)
	}
}
