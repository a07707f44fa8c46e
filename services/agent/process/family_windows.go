package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// family is a job object: Windows ends everything in it at once, also when the agent
// is gone, which closes its last handle.
type family struct {
	job windows.Handle
	pid uint32
}

func prepare(cmd *exec.Cmd, spec *Spec) error {
	if spec.User != nil {
		return errors.New("another user can be chosen on Unix only")
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP, HideWindow: true, CmdLine: spec.Line}
	return nil
}

func join(cmd *exec.Cmd, _ string) (family, error) {
	f := family{pid: uint32(cmd.Process.Pid)}
	if err := f.make(); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return family{}, err
	}
	return f, nil
}

func (f *family) make() (err error) {
	if f.job, err = windows.CreateJobObject(nil, nil); err != nil {
		return fmt.Errorf("making a job object: %w", err)
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(f.job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		err = f.assign()
	}
	if err != nil {
		f.close()
		return fmt.Errorf("setting up the job object: %w", err)
	}
	return nil
}

func (f *family) assign() error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, f.pid)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(process) //nolint:errcheck // only read from
	return windows.AssignProcessToJobObject(f.job, process)
}

func (f family) close() { _ = windows.CloseHandle(f.job) }

func (f family) ask(bool) { _ = windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, f.pid) }

func (f family) kill(bool) { _ = windows.TerminateJobObject(f.job, 1) }

// jobCounts is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION.
type jobCounts struct {
	userTime, kernelTime, periodUser, periodKernel int64
	faults, processes, active, terminated          uint32
}

const basicAccounting = 1 // JobObjectBasicAccountingInformation

func (f family) alive(bool) bool {
	var counts jobCounts
	err := windows.QueryInformationJobObject(f.job, basicAccounting, uintptr(unsafe.Pointer(&counts)), uint32(unsafe.Sizeof(counts)), nil)
	return err == nil && counts.active > 0
}

func status(state *os.ProcessState) (code int, signal string) { return state.ExitCode(), "" }
