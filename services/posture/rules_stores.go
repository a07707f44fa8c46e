package posture

import "strings"

// redis looks at each Redis. Whoever can write to it can take locks away and listen to
// what servers tell one another; the ledger decides all the same.
func redis(f *Facts) []Finding {
	var open, openFar, clear []string
	for _, r := range f.Redis {
		far := !local(hostOf(r.Address))
		if !r.Password {
			open = append(open, r.Address)
			if far {
				openFar = append(openFar, r.Address)
			}
		}
		if far && !r.TLS {
			clear = append(clear, r.Address)
		}
	}
	var all []Finding
	if len(open) > 0 {
		severity := Low
		if len(openFar) > 0 {
			severity = High
		}
		all = append(all, Finding{
			Code: RedisNoPassword, Severity: severity, What: "Redis takes commands from anybody who reaches it: locks can be taken away, and hints be read and forged.",
			Remedy: "Set requirepass, or a user with a password, in Redis and write it into BELFRY_REDIS_URL: redis://:PASSWORD@host.",
		}.about(open))
	}
	if len(clear) > 0 {
		all = append(all, Finding{
			Code: RedisNoTLS, Severity: Low, What: "The connection to Redis on another machine is not encrypted.",
			Remedy: "Use rediss:// in BELFRY_REDIS_URL, or a network that nobody else is in.",
		}.about(clear))
	}
	return all
}

// database looks at the connection to the ledger.
func database(f *Facts) []Finding {
	d := f.Database
	var all []Finding
	if d.Host != "" && !local(d.Host) && !d.TLS {
		all = append(all, Finding{
			Code: DatabaseNoTLS, Severity: Medium, What: "The connection to the database on another machine is not encrypted: parameters, results and logs of jobs can be read on the way.",
			Remedy: "Add ?tls=true to BELFRY_DATABASE_URL, or use a network that nobody else is in.",
		}.about([]string{d.Host}))
	}
	if d.Host != "" && !d.Password {
		all = append(all, Finding{
			Code: DatabaseNoPassword, Severity: High, What: "The database lets Belfry's user in without a password.",
			Remedy: "Set a password for the user in the database and write it into BELFRY_DATABASE_URL.",
		}.about([]string{d.User}))
	}
	if strings.EqualFold(d.User, "root") {
		all = append(all, Finding{
			Code: DatabaseRoot, Severity: Low, What: "Belfry uses the database as root, which may do more than it needs.",
			Remedy: "Make a user with rights on Belfry's database only, and use it in BELFRY_DATABASE_URL.",
		}.about([]string{d.User}))
	}
	return all
}

// settings looks at what people have switched.
func settings(f *Facts) []Finding {
	var all []Finding
	if len(f.AllowWide) > 0 {
		all = append(all, Finding{
			Code: AllowListWide, Severity: Medium, What: "BELFRY_WEBHOOK_ALLOW lists networks that hold more than receivers of alerts: whoever edits channels reaches all of them.",
			Remedy: "List the receivers themselves: their addresses, host names or the smallest networks they are in.",
		}.about(append([]string(nil), f.AllowWide...)))
	}
	if f.MaskingOff {
		all = append(all, Finding{
			Code: MaskingOff, Severity: Medium, What: "Secrets are not taken out of logs, errors, results and progress before they are stored (BELFRY_MASK=off).",
			Remedy: "Set BELFRY_MASK=on; rules for what must stay readable go into BELFRY_MASK_RULES.",
		})
	}
	return all
}
