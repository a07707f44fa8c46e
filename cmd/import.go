package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/imports"
	"github.com/belfry-scheduler/belfry/services/jobfile"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

type importCommand struct {
	Crontab     importCrontab     `cmd:"" help:"A crontab or anacrontab."`
	Quartz      importQuartz      `cmd:"" help:"Quartz's job_scheduling_data XML."`
	XXLJob      importXXLJob      `cmd:"" name:"xxl-job" help:"XXL-JOB's table xxl_job_info, as SQL or CSV."`
	WindowsTask importWindowsTask `cmd:"" name:"windows-task" help:"Task Scheduler's XML."`
}

// importFlags are what every import needs to be told.
type importFlags struct {
	File   string `arg:"" help:"File to read; - is standard input."`
	App    string `placeholder:"NAME" help:"App of the jobs."`
	Group  string `placeholder:"NAME" help:"Node group of the jobs; default when left out."`
	Zone   string `placeholder:"ZONE" help:"IANA time zone of the source's clock; this machine's when left out."`
	Out    string `short:"o" placeholder:"FILE" help:"File to write the job file to; standard output when left out."`
	Quiet  bool   `short:"q" help:"Tell only what changes and what cannot be carried."`
	Strict bool   `help:"Exit with 1 when something cannot be carried."`
}

const importHelp = `

Nothing is applied: the job file goes to standard output, and to standard error goes what was understood, what will be
otherwise than in the source, and what cannot be carried, with its line. Look at both, then: belfry diff -f, belfry apply -f.`

// read reads the source and makes the options.
func (f *importFlags) read(io IO, needsApp bool) ([]byte, imports.Options, error) {
	o := imports.Options{Source: f.File, App: f.App, Group: f.Group, Zone: f.Zone, Now: clock.System{}.Now()}
	if f.File == "-" {
		o.Source = "standard input"
	}
	if f.App != "" || needsApp {
		if err := check.Name("--app", f.App); err != nil {
			return nil, o, &usageError{err: err}
		}
	}
	if f.Group != "" {
		if err := check.Name("--group", f.Group); err != nil {
			return nil, o, &usageError{err: err}
		}
	}
	if o.Zone == "" {
		o.Zone = localZone()
	}
	if _, err := schedule.LoadZone(o.Zone); err != nil {
		return nil, o, &usageError{err: err}
	}
	text, err := readFile(io, f.File, imports.MaxBytes)
	if err == nil && len(text) > imports.MaxBytes {
		err = &usageError{err: fmt.Errorf("%s has more than %d MiB; import it in parts", f.File, imports.MaxBytes>>20)}
	}
	return text, o, err
}

// localZone is the name of this machine's time zone; UTC when it is not known.
func localZone() string {
	names := []string{strings.TrimPrefix(os.Getenv("TZ"), ":")}
	if text, err := os.ReadFile("/etc/timezone"); err == nil {
		names = append(names, strings.TrimSpace(string(text)))
	}
	if path, err := filepath.EvalSymlinks("/etc/localtime"); err == nil {
		if _, name, ok := strings.Cut(filepath.ToSlash(path), "zoneinfo/"); ok {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if _, err := schedule.LoadZone(name); err == nil && name != "" {
			return name
		}
	}
	return "UTC"
}

// write prints what was made of the source.
func (f *importFlags) write(io IO, r *imports.Result) error {
	var told strings.Builder
	for i := range r.Notes {
		n := &r.Notes[i]
		if f.Quiet && n.Level == imports.Understood {
			continue
		}
		told.WriteString(n.Level.String() + ": ")
		if n.Line > 0 {
			fmt.Fprintf(&told, "line %d: ", n.Line)
		}
		if n.Name != "" {
			told.WriteString(n.Name + ": ")
		}
		told.WriteString(n.Text + "\n")
	}
	fmt.Fprintf(&told, "%d jobs; %d changes; %d things could not be carried. Nothing was applied.\n", r.Jobs(), r.Count(imports.Changed), r.Count(imports.Lost))
	if _, err := fmt.Fprint(io.Stderr, told.String()); err != nil {
		return fmt.Errorf("writing the notes: %w", err)
	}
	if r.Jobs() == 0 {
		return errors.New("there is nothing in it that could become a job")
	}
	text, err := jobfile.Write(r.Documents)
	if err != nil {
		return err
	}
	if f.Out != "" && f.Out != "-" {
		err = replaceFile(f.Out, text)
	} else if _, err = io.Stdout.Write(text); err != nil {
		err = fmt.Errorf("writing the job file: %w", err)
	}
	if err == nil && f.Strict && r.Count(imports.Lost) > 0 {
		err = errors.New("something could not be carried, see above (--strict)")
	}
	return err
}

type importCrontab struct {
	importFlags
	UserColumn string `default:"auto" enum:"auto,yes,no,anacrontab" placeholder:"WHICH" help:"Whether lines name a user before the command, as /etc/crontab does: ${enum} (${default})."`
}

// Help implements kong.HelpProvider.
func (importCrontab) Help() string {
	return `Reads environment lines (CRON_TZ, TZ, SHELL, PATH, HOME, MAILTO, RANDOM_DELAY), @daily and its kin, @reboot, % and \%, and
the user column. Commands become jobs of belfry agent.

  crontab -l | belfry import crontab - --app ops > ops.yaml
  belfry import crontab /etc/crontab --app ops -o ops.yaml` + importHelp
}

// Run imports a crontab.
func (c *importCrontab) Run(_ context.Context, io IO) error {
	text, o, err := c.read(io, true)
	if err != nil {
		return err
	}
	r := imports.Crontab(text, o, imports.UserColumn(c.UserColumn))
	return c.write(io, &r)
}

type importXXLJob struct{ importFlags }

// Help implements kong.HelpProvider.
func (importXXLJob) Help() string {
	return `Reads a dump of MySQL or CSV with a line of column names. With xxl_job_group in the dump each executor is an app; --app puts
all jobs into one.

  mysqldump xxl_job xxl_job_group xxl_job_info | belfry import xxl-job - --zone Asia/Shanghai > jobs.yaml` + importHelp
}

// Run imports XXL-JOB's jobs.
func (c *importXXLJob) Run(_ context.Context, io IO) error {
	text, o, err := c.read(io, false)
	if err != nil {
		return err
	}
	r := imports.XXLJob(text, o)
	return c.write(io, &r)
}

type importQuartz struct {
	importFlags
	Properties string `placeholder:"FILE" help:"quartz.properties; its threshold for misfires is carried, the rest told of."`
}

// Help implements kong.HelpProvider.
func (importQuartz) Help() string {
	return `Reads the XML of Quartz 1.8 and 2 (Java and .NET): cron, simple and calendar-interval triggers, zones, misfire instructions,
priorities, data maps, groups. Each trigger becomes a job.

  belfry import quartz quartz_jobs.xml --properties quartz.properties --app billing > billing.yaml` + importHelp
}

// Run imports Quartz's jobs.
func (c *importQuartz) Run(_ context.Context, io IO) error {
	text, o, err := c.read(io, true)
	if err != nil {
		return err
	}
	var properties []byte
	if c.Properties != "" {
		if properties, err = readFile(io, c.Properties, imports.MaxBytes); err != nil {
			return err
		}
	}
	r := imports.Quartz(text, properties, o)
	return c.write(io, &r)
}

type importWindowsTask struct{ importFlags }

// Help implements kong.HelpProvider.
func (importWindowsTask) Help() string {
	return `Reads what Task Scheduler exports, versions 1.2 to 1.4, in UTF-16 or UTF-8, and what schtasks prints of all tasks: calendar and
time triggers, repetitions, programs with arguments and directory, time limits, restarts, several instances.

  schtasks /query /xml > tasks.xml
  belfry import windows-task tasks.xml --app ops --zone Europe/Berlin > ops.yaml` + importHelp
}

// Run imports tasks of Windows.
func (c *importWindowsTask) Run(_ context.Context, io IO) error {
	text, o, err := c.read(io, true)
	if err != nil {
		return err
	}
	r := imports.WindowsTask(text, o)
	return c.write(io, &r)
}
