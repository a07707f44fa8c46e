package cmd

import (
	"github.com/belfry-scheduler/belfry/services/outbound"
	"github.com/belfry-scheduler/belfry/services/posture"
)

// posture makes what says which parts of this installation are weak.
func (s *server) posture() *posture.Service {
	allow, _ := outbound.ParseAllow(s.settings.WebhookAllow) // it has been read before (webhookClient)
	here := posture.Here(posture.Settings{
		Listen: s.settings.Listen, PublicURL: s.settings.PublicURL, TLS: s.settings.TLSCert != "", DatabaseURL: s.settings.DatabaseURL,
		Redis: s.settings.Redis, Allow: allow, MaskingOff: !s.settings.Mask,
	})
	return posture.New(posture.Config{Ledger: s.store, Box: s.box, Clock: s.clock, Here: func() posture.Facts {
		facts := here
		facts.Web.Ends = s.front.CertificateEnds()
		return facts
	}})
}
