//go:build !linux

package agent

// Conceal does nothing here: the system shows a process's environment to its own user
// only, and docs/agent.md says how to keep the key out of it.
func Conceal(string) error { return nil }
