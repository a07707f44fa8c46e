package cmd

import (
	"net/url"

	"github.com/belfry-scheduler/belfry/services/alert/book"
	"github.com/belfry-scheduler/belfry/services/alert/channel"
	"github.com/belfry-scheduler/belfry/services/alert/delivery"
	"github.com/belfry-scheduler/belfry/services/fault"
	morning "github.com/belfry-scheduler/belfry/services/report"
	"github.com/belfry-scheduler/belfry/services/seal"
)

// alerts are the parts that tell people.
type alerts struct {
	book     *book.Service
	delivery *delivery.Service
	reports  *morning.Service
}

// makeAlerts makes what tells people; nothing runs yet.
func (s *server) makeAlerts() error {
	box, err := seal.New(s.settings.SecretKey, s.settings.SecretKeyOld)
	if err != nil {
		return err
	}
	allow, err := channel.ParseAllow(s.settings.WebhookAllow)
	if err != nil {
		return &usageError{err: fault.At("webhook-allow", fault.Invalid, "%s is %q: %s.", channel.AllowSetting, s.settings.WebhookAllow, err.Error())}
	}
	host := ""
	if u, err := url.Parse(s.settings.PublicURL); err == nil {
		host = u.Hostname()
	}
	client := channel.NewClient(channel.Config{Clock: s.clock, Allow: allow, Host: host})
	s.alerts.book = book.New(book.Config{
		Store: s.store, Sender: client, Box: box, Clock: s.clock, Logger: s.logger, Notifier: s.relay, BaseURL: s.url,
	})
	s.alerts.delivery, err = delivery.New(delivery.Config{
		Store: s.store, Owner: s.owner, Sender: client, Box: box, Clock: s.clock, Logger: s.logger, Notifier: s.relay, BaseURL: s.url,
	})
	if err != nil {
		return err
	}
	s.alerts.reports, err = morning.New(morning.Config{Store: s.store, Owner: s.owner, Clock: s.clock, Logger: s.logger, Notifier: s.relay})
	return err
}
