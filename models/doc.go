// Package models holds the rows of the ledger, their enumerations and the legal
// transitions of a task. Plain structs without associations; it imports nothing
// of the project.
//
// Times are UTC, cut to microseconds before they are stored. Ids are ULIDs of 26
// characters unless said otherwise.
package models
