package store

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

func alertChannel(t testing.TB, s *Store, name string) models.AlertChannel {
	t.Helper()
	c := models.AlertChannel{
		ID: models.NewID(t0), Name: name, Kind: models.ChannelWebhook, Enabled: true, Language: "en", Settings: json.RawMessage(`{"port":25}`), Sealed: "v1.k.x",
		PerMinute: 60, Burst: 10, MaxAgeMS: 3_600_000, Version: 1, CreatedBy: "test", CreatedAt: t0, UpdatedAt: t0,
	}
	if err := s.CreateChannel(t.Context(), c, models.Audit{ID: models.NewID(t0), At: t0}); err != nil {
		t.Fatal(err)
	}
	return c
}

func notification(channelID string, at time.Time) models.Notification {
	return models.Notification{
		ID: models.NewID(at), ChannelID: channelID, Kind: models.MessageProblem, Severity: models.SeverityCritical, GroupKey: "g",
		Message: json.RawMessage(`{"Kind":1}`), Problems: 1, CreatedAt: at, IncidentIDs: []string{models.NewID(t0)},
	}
}

func TestNotificationsAreKept(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		on, off := alertChannel(t, s, "on"), alertChannel(t, s, "off")
		if _, err := s.UpdateChannel(t.Context(), off.ID, func(c *models.AlertChannel) (models.Audit, error) {
			c.Enabled = false
			return models.Audit{ID: models.NewID(t0), At: t0}, nil
		}); err != nil {
			t.Fatal(err)
		}
		first, second, gone := notification(on.ID, t0), notification(off.ID, t0), notification(models.NewID(t0), t0)
		if err := s.QueueNotifications(t.Context(), nil, []models.Notification{first, second, gone}); err != nil {
			t.Fatal(err)
		}
		if err := s.QueueNotifications(t.Context(), nil, []models.Notification{first}); !errors.Is(err, gorm.ErrDuplicatedKey) {
			t.Errorf("a second one of the same id: %v", err)
		}
		want := first
		want.State, want.NextAt, want.QueuedAt = models.NotificationQueued, t0, t0
		due, err := s.NotificationsDue(t.Context(), on.ID, t0, 10)
		if err != nil || cmp.Diff([]models.Notification{want}, due) != "" {
			t.Errorf("due: %v %s", err, cmp.Diff([]models.Notification{want}, due))
		}
		for id, reason := range map[string]string{second.ID: `The channel "off" is switched off.`, gone.ID: "The channel has been deleted."} {
			if n, err := s.Notification(t.Context(), id); err != nil || n.State != models.NotificationSuppressed || n.Reason != reason {
				t.Errorf("%+v %v", n, err)
			}
		}
		if q, err := s.ChannelQueues(t.Context()); err != nil || cmp.Diff([]ChannelQueue{{on.ID, t0}}, q) != "" {
			t.Errorf("queues %v %v", q, err)
		}
		if n, err := s.QueuedByChannel(t.Context(), []string{on.ID, off.ID}); err != nil || n[on.ID] != 1 || n[off.ID] != 0 {
			t.Errorf("queued %v %v", n, err)
		}
	})
}

func TestDeliveriesAreSettledOnce(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		c, other := alertChannel(t, s, "one"), alertChannel(t, s, "other")
		n := notification(c.ID, t0)
		if err := s.QueueNotifications(t.Context(), nil, []models.Notification{n}); err != nil {
			t.Fatal(err)
		}
		later := t0.Add(time.Minute)
		failed := DeliveryOutcome{
			NotificationID: n.ID, ChannelID: c.ID, State: models.NotificationQueued, NextAt: later, Reason: "it failed",
			Try: models.DeliveryTry{At: t0, DurationMS: 12, Status: 500, Response: "oops", Error: "status 500", NextAt: &later}, Subject: "s", Body: "b",
		}
		if err := s.SettleDelivery(t.Context(), nil, failed); err != nil {
			t.Fatal(err)
		}
		if err := s.SettleDelivery(t.Context(), nil, failed); !errors.Is(err, ErrNotificationMoved) {
			t.Errorf("a second time: %v", err)
		}
		if due, _ := s.NotificationsDue(t.Context(), c.ID, t0, 10); len(due) != 0 {
			t.Errorf("due before its time: %v", due)
		}
		dead := failed
		dead.Tries, dead.State, dead.Disable = 1, models.NotificationFailed, "410 Gone"
		dead.Try.NextAt = nil
		dead.Notices = []models.Notification{notification(other.ID, later)}
		if err := s.SettleDelivery(t.Context(), nil, dead); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Channel(t.Context(), c.ID); err != nil || got.Enabled || got.DisabledReason != "410 Gone" || got.LastError != "status 500" {
			t.Errorf("channel %+v %v", got, err)
		}
		if due, _ := s.NotificationsDue(t.Context(), other.ID, later, 10); len(due) != 1 {
			t.Errorf("the other channel has %v", due)
		}
		tries, err := s.DeliveryTries(t.Context(), []string{n.ID})
		if err != nil || len(tries[n.ID]) != 2 || tries[n.ID][0].Number != 1 || tries[n.ID][0].Response != "oops" || tries[n.ID][1].NextAt != nil {
			t.Errorf("tries %v %v", tries, err)
		}
		audit := models.Audit{ID: models.NewID(t0), At: t0}
		if _, err := s.ReplayNotification(t.Context(), n.ID, later, audit); !fault.Is(err, fault.Conflict) {
			t.Errorf("replay by a channel that is off: %v", err)
		}
		if _, err := s.UpdateChannel(t.Context(), c.ID, func(c *models.AlertChannel) (models.Audit, error) {
			c.Enabled = true
			return models.Audit{ID: models.NewID(t0), At: t0}, nil
		}); err != nil {
			t.Fatal(err)
		}
		again, err := s.ReplayNotification(t.Context(), n.ID, later, audit)
		if err != nil || again.State != models.NotificationQueued || again.ID != n.ID || !again.QueuedAt.Equal(later) || !again.CreatedAt.Equal(t0) {
			t.Errorf("replayed %+v %v", again, err)
		}
		sent := DeliveryOutcome{NotificationID: n.ID, ChannelID: c.ID, Tries: 2, State: models.NotificationSent, Try: models.DeliveryTry{At: later, Status: 200}}
		if err := s.SettleDelivery(t.Context(), Fence{0: 99}, sent); !errors.Is(err, ErrDeposed) {
			t.Errorf("a deposed owner: %v", err)
		}
		if err := s.SettleDelivery(t.Context(), nil, sent); err != nil {
			t.Fatal(err)
		}
		if got, _ := s.Channel(t.Context(), c.ID); got.LastSentAt == nil || got.LastError != "" {
			t.Errorf("channel %+v", got)
		}
	})
}

func TestQueuesAreClosedAndMerged(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		c := alertChannel(t, s, "one")
		var rows []models.Notification
		for i := range 10 {
			rows = append(rows, notification(c.ID, t0.Add(time.Duration(i)*time.Minute)))
		}
		if err := s.QueueNotifications(t.Context(), nil, rows); err != nil {
			t.Fatal(err)
		}
		for want := range 2 { // 4, limited to 3, then the last of them
			n, err := s.CloseQueue(t.Context(), nil, c.ID, t0.Add(4*time.Minute), models.NotificationDropped, "too old", 3)
			if err != nil || n != 3-2*want {
				t.Fatalf("closed %d %v", n, err)
			}
		}
		if got, _ := s.Channel(t.Context(), c.ID); got.Dropped != 4 {
			t.Errorf("%d are counted", got.Dropped)
		}
		summary := notification(c.ID, t0.Add(time.Hour))
		ids := []string{rows[4].ID, rows[5].ID}
		if err := s.MergeNotifications(t.Context(), nil, ids, summary, "told by the summary"); err != nil {
			t.Fatal(err)
		}
		if err := s.MergeNotifications(t.Context(), nil, ids, notification(c.ID, t0), "again"); !errors.Is(err, ErrNotificationMoved) {
			t.Errorf("merging again: %v", err)
		}
		all, info, err := s.NotificationPage(t.Context(), NotificationFilter{ChannelID: c.ID, States: []models.NotificationState{models.NotificationDropped, models.NotificationSuppressed}}, Page{First: 5})
		if err != nil || len(all) != 5 || !info.HasNext || all[0].ID != rows[5].ID || all[4].ID != rows[1].ID {
			t.Errorf("page %v %v %v", all, info, err)
		}
		one, _, err := s.NotificationPage(t.Context(), NotificationFilter{IncidentID: rows[7].IncidentIDs[0], From: t0, To: t0.Add(time.Hour)}, Page{})
		if err != nil || len(one) != 1 || one[0].ID != rows[7].ID || len(one[0].IncidentIDs) != 1 {
			t.Errorf("of an incident %v %v", one, err)
		}
		n, err := s.PruneNotifications(t.Context(), nil, t0.Add(2*time.Hour), 100)
		if err != nil || n != 6 {
			t.Errorf("pruned %d %v: what waits must stay", n, err)
		}
	})
}

func TestContactsAreKept(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		u := models.User{ID: models.NewID(t0), Name: "ann", Role: models.RoleAdmin, CreatedAt: t0, UpdatedAt: t0}
		if err := s.writer.Create(&u).Error; err != nil {
			t.Fatal(err)
		}
		audit := func() models.Audit { return models.Audit{ID: models.NewID(t0), At: t0} }
		if _, err := s.SetContact(t.Context(), models.Contact{UserID: models.NewID(t0)}, t0, audit()); !fault.Is(err, fault.NotFound) {
			t.Errorf("of nobody: %v", err)
		}
		for _, mail := range []string{"ann@example.com", "ann@example.org"} {
			got, err := s.SetContact(t.Context(), models.Contact{UserID: u.ID, Email: mail, SlackID: "U1"}, t0, audit())
			if err != nil || got.Email != mail || got.Name != "ann" {
				t.Errorf("%+v %v", got, err)
			}
		}
		all, err := s.Contacts(t.Context(), nil)
		if err != nil || len(all) != 1 || all[0].SlackID != "U1" || all[0].Mobile != "" {
			t.Errorf("%+v %v", all, err)
		}
	})
}
