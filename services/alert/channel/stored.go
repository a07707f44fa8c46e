package channel

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/config/secret"
)

// Box encrypts secrets for the ledger (services/seal).
type Box interface {
	Seal(plain []byte, about string) (string, error)
	Open(sealed, about string) ([]byte, error)
}

func about(channelID string) string { return "channel " + channelID }

// Load reads the settings of a channel, with its secrets. Fault: UNAVAILABLE when this
// server lacks the key.
func Load(c *models.AlertChannel, box Box) (*Settings, error) {
	var s Settings
	if len(c.Settings) > 0 {
		if err := json.Unmarshal(c.Settings, &s); err != nil {
			return nil, fmt.Errorf("reading the settings of channel %s: %w", c.ID, err)
		}
	}
	if c.Sealed == "" {
		return &s, nil
	}
	plain, err := box.Open(c.Sealed, about(c.ID))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(plain, &s.Secret); err != nil {
		return nil, fmt.Errorf("reading the secrets of channel %s: %w", c.ID, err)
	}
	return &s, nil
}

// Save puts settings into a channel's row, the secrets sealed. Fault: UNSUPPORTED when
// there are some and this server has no key.
func Save(c *models.AlertChannel, s *Settings, box Box) error {
	raw, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("writing settings: %w", err)
	}
	c.Settings, c.Sealed = raw, ""
	if s.Secret.Empty() {
		return nil
	}
	plain, err := json.Marshal(&s.Secret)
	if err != nil {
		return fmt.Errorf("writing secrets: %w", err)
	}
	c.Sealed, err = box.Seal(plain, about(c.ID))
	return err
}

// Shown are the settings as people see them: secrets hidden, of an address its host.
func (s *Settings) Shown() map[string]any {
	raw, _ := json.Marshal(s) // strings, numbers and lists always marshal
	out := map[string]any{}
	_ = json.Unmarshal(raw, &out)
	for name, value := range map[string]string{"secret": s.Secret.Secret, "token": s.Secret.Token, "password": s.Secret.Password} {
		if value != "" {
			out[name] = secret.Mask
		}
	}
	if s.Secret.URL != "" {
		out["url"] = maskURL(s.Secret.URL)
	}
	if n := len(s.Secret.Secrets); n > 0 {
		out["secrets"] = slices.Repeat([]string{secret.Mask}, n)
	}
	if len(s.Secret.Headers) > 0 {
		hidden := map[string]string{}
		for name := range s.Secret.Headers {
			hidden[name] = secret.Mask
		}
		out["headers"] = hidden
	}
	return out
}

// maskURL shows of an address where it leads.
func maskURL(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return secret.Mask
	}
	return u.Scheme + "://" + u.Host + "/" + secret.Mask
}

// Keep fills in secrets that were left out, or were sent back as they are shown, from
// those that are stored. In the list of keys what is shown stands for the stored ones in
// their order, so that a new key can be put before the one that it replaces. What is shown
// and stands for nothing stays, and is refused by Check.
func (s *Secrets) Keep(stored *Secrets) {
	for _, f := range []struct{ given, kept *string }{{&s.Secret, &stored.Secret}, {&s.Token, &stored.Token}, {&s.Password, &stored.Password}} {
		if *f.given == "" || *f.given == secret.Mask {
			*f.given = *f.kept
		}
	}
	if s.URL == "" || stored.URL != "" && s.URL == maskURL(stored.URL) {
		s.URL = stored.URL
	}
	if s.Secrets == nil {
		s.Secrets = stored.Secrets
	}
	next := 0
	for i, text := range s.Secrets {
		if text == secret.Mask && next < len(stored.Secrets) {
			s.Secrets[i] = stored.Secrets[next]
			next++
		}
	}
	if s.Headers == nil {
		s.Headers = maps.Clone(stored.Headers)
	}
	for name, value := range s.Headers {
		if kept, known := stored.Headers[name]; known && value == secret.Mask {
			s.Headers[name] = kept
		}
	}
}

// TemplateOf answers the templates that replace the defaults for a kind of message; empty
// ones do not.
func TemplateOf(c *models.AlertChannel, kind models.MessageKind) (subject, body string) {
	for _, t := range Templates(c) {
		if t.Kind == kind {
			return t.Subject, t.Body
		}
	}
	return "", ""
}

// Templates are those of a channel.
func Templates(c *models.AlertChannel) []models.ChannelTemplate {
	var all []models.ChannelTemplate
	if len(c.Templates) > 0 && json.Unmarshal(c.Templates, &all) != nil {
		return nil // written by hand, and unreadable: the defaults are
	}
	return all
}
