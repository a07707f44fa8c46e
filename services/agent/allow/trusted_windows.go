package allow

import "io/fs"

// trusted is decided by the rights of the folder on Windows; docs/agent.md says which
// to set.
func trusted(string, fs.FileInfo) error { return nil }
