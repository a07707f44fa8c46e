// Package simulation runs several whole servers and workers in one process, under a
// clock that stands still while nobody waits, and breaks them by chance: its tests
// take the real trigger, dispatcher, registry, rescue, result, worker API and worker
// SDK over a real SQLite ledger, and put a network, crashes, pauses and lost commits
// of their own between them. Simulated are only the ownership of partitions, which has
// simulations of its own (services/coord), and the sockets.
//
// A seed decides what is broken when. How goroutines run against one another is still
// the scheduler's, so that a seed repeats the story and mostly, not surely, its end.
package simulation
