package cmd

import (
	"errors"
	"net/url"

	"github.com/belfry-scheduler/belfry/services/alert/book"
	"github.com/belfry-scheduler/belfry/services/alert/channel"
	"github.com/belfry-scheduler/belfry/services/alert/delivery"
	"github.com/belfry-scheduler/belfry/services/config"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/outbound"
	morning "github.com/belfry-scheduler/belfry/services/report"
)

// alerts are the parts that tell people.
type alerts struct {
	book     *book.Service
	delivery *delivery.Service
	reports  *morning.Service
}

// webhookClient makes the client that sends messages to addresses which people enter.
func webhookClient(settings config.Settings) (*outbound.Client, error) {
	allow, err := outbound.ParseAllow(settings.WebhookAllow)
	if err != nil {
		return nil, &usageError{err: fault.At("webhook-allow", fault.Invalid, "%s is %q: %s.", outbound.AllowSetting, settings.WebhookAllow, err.Error())}
	}
	proxy, err := outboundProxy(settings)
	if err != nil {
		return nil, err
	}
	return outbound.New(outbound.Config{Allow: allow, Proxy: proxy}), nil
}

// outboundProxy is the proxy that the server goes out by; nil without one.
func outboundProxy(settings config.Settings) (*url.URL, error) {
	if settings.OutboundProxy == "" {
		return nil, nil //nolint:nilnil // there is none
	}
	proxy, err := url.Parse(settings.OutboundProxy.Reveal())
	if err != nil {
		return nil, errors.New("BELFRY_OUTBOUND_PROXY cannot be read") // err holds its password; config has checked it
	}
	return proxy, nil
}

// makeAlerts makes what tells people; nothing runs yet.
func (s *server) makeAlerts() error {
	web, err := webhookClient(s.settings)
	if err != nil {
		return err
	}
	host := ""
	if u, err := url.Parse(s.settings.PublicURL); err == nil {
		host = u.Hostname()
	}
	client := channel.NewClient(channel.Config{Clock: s.clock, HTTP: web, Host: host})
	s.alerts.book = book.New(book.Config{
		Store: s.store, Sender: client, Box: s.box, Clock: s.clock, Logger: s.logger, Notifier: s.relay, BaseURL: s.url,
	})
	s.alerts.delivery, err = delivery.New(delivery.Config{
		Store: s.store, Owner: s.owner, Sender: client, Box: s.box, Clock: s.clock, Logger: s.logger, Notifier: s.relay, BaseURL: s.url,
	})
	if err != nil {
		return err
	}
	s.alerts.reports, err = morning.New(morning.Config{Store: s.store, Owner: s.owner, Clock: s.clock, Logger: s.logger, Notifier: s.relay})
	return err
}
