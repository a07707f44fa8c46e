package cmd

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

type nextCommand struct {
	Zone       string        `default:"UTC" help:"IANA time zone the expression is read in (${default})." placeholder:"ZONE"`
	After      string        `help:"List fires strictly after this instant; now if left out." placeholder:"RFC3339"`
	Count      int           `default:"10" help:"How many fires to list (${default})." placeholder:"N"`
	Seed       string        `help:"What H hashes; for a job, its id." placeholder:"TEXT"`
	Lang       schedule.Lang `default:"en" enum:"en,zh-CN" help:"Language of the description and warnings: ${enum}." placeholder:"LANG"`
	JSON       bool          `help:"Print JSON, with instants in UTC." name:"json"`
	Expression string        `arg:"" help:"Five fields (Unix), six or seven (Quartz, second first), or a macro such as @daily."`
}

// Help implements kong.HelpProvider.
func (nextCommand) Help() string {
	return `Put the expression in quotes. With five fields 1 is Monday and 0 or 7 is Sunday; with six or seven 1 is Sunday.

  belfry next '*/15 9-17 * * MON-FRI' --zone Europe/Berlin
  belfry next --count 3 '0 0 2 ? * 6L'`
}

// Run prints the next fires of the expression.
func (c *nextCommand) Run(_ context.Context, io IO) error {
	trigger, err := schedule.Compile(schedule.Spec{Kind: schedule.KindCron, Expression: c.Expression, Zone: c.Zone}, c.Seed)
	if parseError, ok := errors.AsType[*schedule.ParseError](err); ok {
		return usage(io, c.JSON, err, parseError.Position)
	} else if err != nil {
		return usage(io, c.JSON, err, 0)
	}
	if c.Count < 1 || c.Count > schedule.MaxPreview {
		return usage(io, c.JSON, fmt.Errorf("--count %d is out of range; use 1 to %d", c.Count, schedule.MaxPreview), 0)
	}
	after := clock.System{}.Now()
	if c.After != "" {
		if after, err = time.Parse(time.RFC3339, c.After); err != nil {
			return usage(io, c.JSON, fmt.Errorf("--after %q is no RFC 3339 instant; write it like 2026-03-08T07:30:00Z", c.After), 0)
		}
	}
	p := preview{
		trigger:  trigger,
		after:    after,
		fires:    trigger.Preview(after, c.Count),
		words:    trigger.Describe(c.Lang),
		warnings: trigger.Warnings(after, c.Lang),
	}
	if c.JSON {
		return p.printJSON(io)
	}
	return p.printText(io)
}

// preview is what the command found out.
type preview struct {
	trigger  *schedule.Trigger
	after    time.Time
	fires    []time.Time
	words    string
	warnings []string
}

func (p *preview) printJSON(io IO) error {
	fires := make([]string, 0, len(p.fires))
	for _, fire := range p.fires {
		fires = append(fires, fire.Format(time.RFC3339))
	}
	return printJSON(io, struct {
		Fires       []string         `json:"fires"`
		Dialect     schedule.Dialect `json:"dialect"`
		Expression  string           `json:"expression"` // canonical, H resolved
		Zone        string           `json:"zone"`
		Description string           `json:"description"`
		Warnings    []string         `json:"warnings"`
	}{fires, p.trigger.Cron().Dialect(), p.trigger.Cron().String(), p.trigger.Zone().String(), p.words, p.warnings})
}

// printText prints the description, a table of fires and the warnings.
func (p *preview) printText(io IO) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n%s, read as %s\n\n", p.words, p.trigger.Cron(), p.trigger.Cron().Dialect())
	p.table(&text)
	for _, warning := range p.warnings {
		fmt.Fprintf(&text, "\n! %s\n", warning)
	}
	if _, err := fmt.Fprint(io.Stdout, text.String()); err != nil {
		return fmt.Errorf("writing the fires: %w", err)
	}
	return nil
}

func (p *preview) table(text *strings.Builder) {
	if len(p.fires) == 0 {
		fmt.Fprintf(text, "No fires after %s.\n", p.after.UTC().Format(time.RFC3339))
		return
	}
	zone := p.trigger.Zone()
	// It writes to memory, which does not fail.
	table := tabwriter.NewWriter(text, 0, 0, 3, ' ', 0)
	_, _ = fmt.Fprintf(table, "UTC\t%s\n", zone)
	for _, fire := range p.fires {
		_, _ = fmt.Fprintf(table, "%s\t%s\n", fire.Format(time.RFC3339), fire.In(zone).Format("Mon 2006-01-02 15:04:05 -07:00"))
	}
	_ = table.Flush()
}
