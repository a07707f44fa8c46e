package posture

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

const (
	unusedAfter = 90 * 24 * time.Hour
	oldAfter    = 365 * 24 * time.Hour
	endsWithin  = 14 * 24 * time.Hour
	// From warnOffset on a clock is told of; from worstOffset on its server does not lead.
	warnOffset  = 500 * time.Millisecond
	worstOffset = 2 * time.Second
)

// local says whether a host is this machine.
func local(host string) bool {
	host = strings.Trim(strings.ToLower(host), "[]")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

func hostOf(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	return host
}

// reached looks at the way from a browser to the server.
func reached(f *Facts) []Finding {
	var all []Finding
	if f.IntrospectionOpen {
		all = append(all, Finding{
			Code: IntrospectionOpen, Severity: Medium, What: "The API shows its schema to people who are not signed in.",
			Remedy: "Put nothing before the server that adds credentials to requests of strangers; Belfry itself shows the schema to nobody who is not signed in.",
		})
	}
	w := f.Web
	if !w.Known {
		return all
	}
	public, err := url.Parse(w.PublicURL)
	declared := err == nil && public.Host != ""
	inside := local(hostOf(w.Listen)) && (!declared || local(public.Hostname()))
	if !w.TLS && (!declared || public.Scheme != "https") && !inside {
		all = append(all, Finding{
			Code: NoTLS, Severity: High, What: "Passwords, sessions and keys travel without TLS: anybody on the way can read and use them.",
			Remedy: "Give the server a certificate (BELFRY_TLS_CERT, BELFRY_TLS_KEY), or put a proxy with TLS before it and declare its address as BELFRY_PUBLIC_URL=https://….",
		})
	}
	switch left := w.Ends.Sub(f.At); {
	case w.Ends.IsZero():
	case left <= 0:
		all = append(all, Finding{
			Code: CertificateEnds, Severity: High, What: fmt.Sprintf("The server's certificate ended on %s.", w.Ends.Format(time.DateOnly)),
			Remedy: "Put a new certificate into the files of BELFRY_TLS_CERT and BELFRY_TLS_KEY: it is used without a restart.",
		})
	case left < endsWithin:
		all = append(all, Finding{
			Code: CertificateEnds, Severity: Medium, What: fmt.Sprintf("The server's certificate ends on %s.", w.Ends.Format(time.DateOnly)),
			Remedy: "Put a new certificate into the files of BELFRY_TLS_CERT and BELFRY_TLS_KEY: it is used without a restart.",
		})
	}
	return all
}

// secretKeys looks at the ring of secret keys.
func secretKeys(f *Facts) []Finding {
	var all []Finding
	switch k := f.Keys; {
	case k.Left > 0:
		all = append(all, Finding{
			Code: SecretKeyOld, Severity: Medium, Count: k.Left, What: fmt.Sprintf("%s encrypted with an old secret key.", plural(k.Left, "stored secret is", "stored secrets are")),
			Remedy: "Run belfry rotate-keys with the BELFRY_SECRET_KEY of the servers, then take the old keys out of it.",
		})
	case k.Old > 0:
		all = append(all, Finding{
			Code: SecretKeyOld, Severity: Low, Count: k.Old, What: fmt.Sprintf("BELFRY_SECRET_KEY holds %s that nothing is encrypted with any more.", plural(k.Old, "old key", "old keys")),
			Remedy: "Leave only the first key in BELFRY_SECRET_KEY of all servers.",
		})
	}
	if n := f.Keys.Unknown; n > 0 {
		all = append(all, Finding{
			Code: SecretKeyUnknown, Severity: Medium, Count: n, What: fmt.Sprintf("%s encrypted with a key that this server does not have, and cannot be used.", plural(n, "stored secret is", "stored secrets are")),
			Remedy: "Add the key to BELFRY_SECRET_KEY behind a comma; if it is lost, enter the secrets of these channels and people anew.",
		})
	}
	return all
}

// plural is a number with its word.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// unused says that nobody has used something for so long that nobody will miss it.
func unused(now, created time.Time, used *time.Time) bool {
	last := created
	if used != nil {
		last = *used
	}
	return now.Sub(last) >= unusedAfter
}

// tokens looks at API tokens that can be used.
func tokens(f *Facts) []Finding {
	var endless, idle []string
	severity := Low
	for _, t := range f.Tokens {
		if t.ExpiresAt == nil {
			endless = append(endless, t.Name)
			if t.Changes {
				severity = Medium
			}
		}
		if unused(f.At, t.CreatedAt, t.LastUsedAt) {
			idle = append(idle, t.Name)
		}
	}
	var all []Finding
	if len(endless) > 0 {
		all = append(all, Finding{
			Code: TokenWithoutEnd, Severity: severity, What: plural(len(endless), "API token never ends", "API tokens never end") + ": whoever has copied one can use it for ever.",
			Remedy: "Make tokens that end, for example after 90 days, put them in place of these, and revoke these.",
		}.about(endless))
	}
	if len(idle) > 0 {
		all = append(all, Finding{
			Code: TokenUnused, Severity: Medium, What: plural(len(idle), "API token has", "API tokens have") + " not been used for 90 days or more.",
			Remedy: "Revoke them: whoever needs one makes a new one.",
		}.about(idle))
	}
	return all
}

// appKeys looks at keys of workers that can be used.
func appKeys(f *Facts) []Finding {
	var idle, old []string
	for _, k := range f.AppKeys {
		name := k.App + " (" + k.Prefix + "…)"
		switch {
		case unused(f.At, k.CreatedAt, k.LastUsedAt):
			idle = append(idle, name)
		case f.At.Sub(k.CreatedAt) >= oldAfter:
			old = append(old, name)
		}
	}
	var all []Finding
	if len(idle) > 0 {
		all = append(all, Finding{
			Code: AppKeyUnused, Severity: Medium, What: plural(len(idle), "app key has", "app keys have") + " not been used for 90 days or more.",
			Remedy: "Revoke them on the page of their app.",
		}.about(idle))
	}
	if len(old) > 0 {
		all = append(all, Finding{
			Code: AppKeyOld, Severity: Low, What: plural(len(old), "app key is", "app keys are") + " older than a year.",
			Remedy: "Make a second key, give it to the workers, and revoke the first: two are valid at a time, so nothing stops.",
		}.about(old))
	}
	return all
}

// nobodys are names that say nothing about who uses an account.
var nobodys = []string{"admin", "administrator", "root", "belfry", "ops", "operations", "team", "shared", "support", "sysadmin", "test"}

// people looks at administrators.
func people(f *Facts) []Finding {
	var admins, shared, bare []string
	for _, p := range f.People {
		if p.AllApps {
			admins = append(admins, p.Name)
			if slices.Contains(nobodys, strings.ToLower(p.Name)) {
				shared = append(shared, p.Name)
			}
		}
		if p.Admin && !p.SecondFactor {
			bare = append(bare, p.Name)
		}
	}
	var all []Finding
	if len(admins) == 1 {
		all = append(all, Finding{
			Code: AdminSingle, Severity: Low, What: "There is one administrator of all apps: nobody can help when that account cannot sign in.",
			Remedy: "Give a second person an administrator's account of their own.",
		}.about(admins))
	}
	if len(shared) > 0 {
		all = append(all, Finding{
			Code: AdminShared, Severity: Medium, What: plural(len(shared), "administrator's account belongs", "administrators' accounts belong") + " to nobody by name: the audit trail cannot say who did what.",
			Remedy: "Give each person an account of their own, and disable this one.",
		}.about(shared))
	}
	if f.FactorsKept && len(bare) > 0 {
		all = append(all, Finding{
			Code: AdminOneFactor, Severity: Medium, What: plural(len(bare), "administrator has", "administrators have") + " no second factor: a stolen password is enough.",
			Remedy: "Set up a second factor on the page of the account, or sign in by a provider that asks for one.",
		}.about(bare))
	}
	return all
}

// clocks looks at clocks against the database's.
func clocks(f *Facts) []Finding {
	var off []string
	severity := Low
	for _, c := range f.Clocks {
		if c.Offset.Abs() <= warnOffset {
			continue
		}
		off = append(off, fmt.Sprintf("%s (%s)", c.Name, c.Offset.Round(time.Millisecond)))
		if c.Offset.Abs() > worstOffset {
			severity = Medium
		}
	}
	if len(off) == 0 {
		return nil
	}
	return []Finding{Finding{
		Code: ClockOff, Severity: severity, What: plural(len(off), "clock differs", "clocks differ") + " from the database's: the order of the audit trail, one-time codes and the end of sessions are off by as much.",
		Remedy: "Set up NTP on the servers and on the database's machine.",
	}.about(off)}
}
