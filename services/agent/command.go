package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/belfry-scheduler/belfry/services/agent/allow"
	"github.com/belfry-scheduler/belfry/services/agent/process"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// commandResult is the result of a task of the command handler.
type commandResult struct {
	ExitCode    int             `json:"exitCode"` // 128 + signal if a signal ended it
	Signal      string          `json:"signal,omitempty"`
	DurationMS  int64           `json:"durationMs"`
	StdoutTail  string          `json:"stdoutTail"` // the end of the output, at most 4 KiB
	StderrTail  string          `json:"stderrTail"`
	StdoutBytes int64           `json:"stdoutBytes"` // as written
	StderrBytes int64           `json:"stderrBytes"`
	OutputCut   bool            `json:"outputCut,omitempty"` // the log lacks a part
	Value       json.RawMessage `json:"value,omitempty"`     // what the program wrote into BELFRY_RESULT_FILE
}

// command is the handler: one program, run once.
func (a *Agent) command(ctx context.Context, task *worker.Task, raw json.RawMessage) error {
	p, err := parseCommand(raw)
	if err != nil {
		return err
	}
	list := a.cfg.Allow.List(ctx)
	permit, refusal := list.Run(p.request())
	if refusal != nil {
		return a.refused(ctx, task, refusal)
	}
	spec, err := a.spec(p, permit)
	if err != nil {
		return err
	}
	files, err := newScratch(spec.User, p.Stdin)
	if err != nil {
		return fmt.Errorf("preparing the run: %w", err)
	}
	defer files.close()
	spec.Env = a.environment(list, permit.Account, p, task, spec.User)
	spec.Env = append(spec.Env, "BELFRY_RESULT_FILE="+files.result.Name(), "BELFRY_PROGRESS_FILE="+files.progress.Name())
	spec.Stdin, spec.Scratch = files.stdin, files.dir
	return a.run(ctx, task, p, spec, files)
}

// refused fails a task for good: the list is what has to be mended, or the job.
func (a *Agent) refused(ctx context.Context, task *worker.Task, refusal *fault.Error) error {
	a.cfg.Logger.WarnContext(ctx, "refused a task", "task_id", task.ID, "job", task.JobName, "reason", refusal.Message)
	return worker.NoRetry(fmt.Errorf("%w\nThe agent's allow-list is %s.", refusal, a.where())) //nolint:revive,staticcheck // sentences for people
}

func (a *Agent) where() string {
	if a.cfg.Allow.Exists() {
		return a.cfg.Allow.Path()
	}
	return a.cfg.Allow.Path() + ", which does not exist: without it nothing is allowed"
}

// spec is what to run, without its environment.
func (a *Agent) spec(p *commandParameters, permit allow.Permit) (process.Spec, error) {
	spec := process.Spec{Program: permit.Program}
	if p.Shell != "" {
		spec.Program, spec.Arguments, spec.Line = shellCommand(permit.Program, p.Shell)
	} else {
		spec.Arguments = p.request().Arguments[1:]
		if batch(spec.Program) {
			return spec, worker.NoRetry(fault.At("parameters.command", fault.Unsupported, "%s is a batch file, to which arguments cannot be given safely: run it by shell.", spec.Program))
		}
	}
	if p.User != "" {
		user, err := lookUp(p.User)
		if err != nil {
			return spec, worker.NoRetry(err)
		}
		spec.User = user
	}
	return spec, a.directory(&spec, p.Dir, permit.Account)
}

// directory sets the working directory: the one asked for, if it is still an allowed
// one when its links are followed, or the user's home, or the root.
func (a *Agent) directory(spec *process.Spec, dir string, account allow.Account) error {
	if dir == "" {
		spec.Directory = homeDirectory(spec.User)
		return nil
	}
	resolved, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return fmt.Errorf("the directory %s cannot be used: %w", dir, err)
	}
	if !account.Inside(resolved) {
		return worker.NoRetry(fault.At("parameters.dir", fault.Forbidden, "The directory %s leads to %s, which is not allowed for this command.", dir, resolved))
	}
	spec.Directory = resolved
	return nil
}

// run runs the program and reports how it went.
func (a *Agent) run(ctx context.Context, task *worker.Task, p *commandParameters, spec process.Spec, files *scratch) error {
	out := newOutput(ctx, task.Logger(), p.encoding, p.OutputLimit)
	spec.Stdout, spec.Stderr = out.sink("stdout"), out.sink("stderr")
	began := clock.Monotonic()
	running, err := process.Start(spec, a.cfg.Guard)
	if err != nil {
		return fmt.Errorf("the program %s cannot be started in %s: %w", spec.Program, spec.Directory, unwrapPath(err))
	}
	stopProgress := files.follow(task)
	end := running.Wait(ctx, p.graceFor)
	stopProgress()
	out.close()
	result := commandResult{
		ExitCode: end.Code, Signal: end.Signal, DurationMS: (clock.Monotonic() - began).Milliseconds(),
		StdoutTail: out.streams[0].tail(), StderrTail: out.streams[1].tail(),
		StdoutBytes: out.streams[0].bytes, StderrBytes: out.streams[1].bytes, OutputCut: out.cut(),
		Value: files.value(ctx, task),
	}
	a.say(ctx, task, spec, end)
	if err := task.SetResult(result); err != nil {
		return err
	}
	return p.verdict(end, out.lastWords())
}

// say logs what people should know about the run's end.
func (a *Agent) say(ctx context.Context, task *worker.Task, spec process.Spec, end process.End) {
	log := task.Logger()
	if end.LeftBehind {
		log.WarnContext(ctx, "The program ended and left others of its group running: they were ended too. What is to go on has to detach itself (setsid).")
	}
	if end.PipeHeld {
		log.WarnContext(ctx, "A process that has detached itself still holds the output: what it writes is not read any more.")
	}
	if end.Survivors {
		log.ErrorContext(ctx, "Not everything that the program has started could be ended.")
	}
	a.cfg.Logger.InfoContext(ctx, "ran a program", "task_id", task.ID, "job", task.JobName, "attempt", task.Attempt,
		"program", spec.Program, "exit_code", end.Code, "signal", end.Signal, "stopped", end.Stopped)
}

// verdict makes the attempt's error of the program's end.
func (p *commandParameters) verdict(end process.End, lastWords string) error {
	how := fmt.Sprintf("exit code %d", end.Code)
	if end.Signal != "" {
		how = "ended by " + end.Signal
	}
	if end.Stopped {
		if end.Killed {
			how += ", after it had not ended by itself"
		}
		return errors.New(how)
	}
	if end.Signal == "SIGKILL" {
		how += ", which the agent did not send: the kernel does when memory runs out"
	}
	if slices.Contains(p.SuccessCodes, end.Code) && end.Signal == "" {
		return nil
	}
	if lastWords != "" {
		how += ": " + lastWords
	}
	err := errors.New(how)
	if slices.Contains(p.NoRetryCodes, end.Code) {
		return worker.NoRetry(err)
	}
	return err
}

// unwrapPath takes the operation and path out of an error that names the program anyway.
func unwrapPath(err error) error {
	if p, ok := errors.AsType[*os.PathError](err); ok {
		return p.Err
	}
	return err
}

// batch reports a file that Windows hands to cmd.exe, which reads arguments by rules
// of its own: quoting them safely is not possible.
func batch(program string) bool {
	ext := strings.ToLower(filepath.Ext(strings.TrimRight(program, ". ")))
	return runtime.GOOS == "windows" && (ext == ".bat" || ext == ".cmd")
}
