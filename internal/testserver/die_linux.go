package testserver

import "syscall"

// dieWithParent has the kernel kill the server when the thread that started it
// ends, so that a killed test leaves nothing behind.
func dieWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
