package cmd

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/config"
	"github.com/belfry-scheduler/belfry/services/coord/redisconn"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/outbound"
	"github.com/belfry-scheduler/belfry/services/posture"
	"github.com/belfry-scheduler/belfry/services/seal"
)

// tell prints the weaknesses, worst first.
func (c *checkup) tell(weak []posture.Finding) {
	for _, f := range weak {
		about := ""
		if len(f.Subjects) > 0 {
			about = " (" + strings.Join(f.Subjects, ", ")
			if more := f.Count - len(f.Subjects); more > 0 {
				about += fmt.Sprintf(" and %d more", more)
			}
			about += ")"
		}
		_, _ = fmt.Fprintf(c.out, "%-6s%-14s %s%s\n      %-14s %s\n", f.Severity, f.Code, f.What, about, "", f.Remedy)
	}
	if len(weak) == 0 {
		_, _ = fmt.Fprintf(c.out, "ok    %-14s nothing weak was found\n", "security")
	}
}

// weaknesses answers what is weak, as far as the command was told where to look.
func (c *doctorCommand) weaknesses(ctx context.Context, out IO, look *checkup) ([]posture.Finding, error) {
	here, err := c.here(ctx)
	if err != nil {
		return nil, err
	}
	here.Clocks = []posture.Clock{{Name: "this machine", Offset: look.offset}}
	if !look.ledger {
		here.At = clock.System{}.Now()
		return posture.Findings(&here), nil
	}
	ring, err := config.Keys(c.SecretKey)
	if err != nil {
		return nil, &usageError{err: err}
	}
	box, err := seal.New(ring...)
	if err != nil {
		return nil, err
	}
	st, err := c.connect(ctx, out.Stderr)
	if err != nil {
		return nil, err
	}
	defer func() { _ = st.Close() }()
	return posture.New(posture.Config{Ledger: st, Box: box, Clock: clock.System{}, Here: func() posture.Facts { return here }}).Findings(ctx)
}

// here are the facts that the command's flags, and the server that it asks, tell.
func (c *doctorCommand) here(ctx context.Context) (posture.Facts, error) {
	allow, err := outbound.ParseAllow(c.WebhookAllow)
	if err != nil {
		return posture.Facts{}, &usageError{err: fault.At("webhook-allow", fault.Invalid, "%s is %q: %s.", outbound.AllowSetting, c.WebhookAllow, err.Error())}
	}
	s := posture.Settings{
		Listen: c.Listen, PublicURL: c.Server, TLS: c.TLSCert != "", DatabaseURL: c.DatabaseURL, Allow: allow,
		MaskingOff: strings.EqualFold(strings.TrimSpace(c.Mask), "off"),
	}
	if c.RedisURL != "" {
		if target, err := redisconn.Parse(c.RedisURL.Reveal()); err == nil { // its check has said what is wrong
			s.Redis = &target
		}
	}
	f := posture.Here(s)
	f.Web.Ends = certificateEnds(c.TLSCert)
	f.IntrospectionOpen = c.Server != "" && showsSchema(ctx, c.Server)
	return f, nil
}

// certificateEnds is when the first certificate of a file ends; zero when it cannot be read.
func certificateEnds(file string) time.Time {
	text, err := os.ReadFile(file)
	if err != nil {
		return time.Time{}
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return time.Time{}
	}
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return time.Time{}
	}
	return cert.NotAfter.UTC()
}

// showsSchema asks a server, as nobody, for its schema.
func showsSchema(ctx context.Context, server string) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, server+"/graphql", strings.NewReader(`{"query":"{__schema{queryType{name}}}"}`))
	if err != nil {
		return false
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(res.Body, 1<<16))
	var answer struct {
		Data struct {
			Schema *struct{} `json:"__schema"`
		} `json:"data"`
	}
	return err == nil && json.Unmarshal(body, &answer) == nil && answer.Data.Schema != nil
}
