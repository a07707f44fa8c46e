// Package migrations holds the ledger's schema as numbered SQL files, alike in
// both dialects. A released file is never edited: a change is a new file in both
// folders. A MySQL file holds one DDL statement, because each commits by itself
// and a file that failed half-way could not be run again.
package migrations

import "embed"

// Files holds the folders mysql and sqlite.
//
//go:embed mysql/*.sql sqlite/*.sql
var Files embed.FS
