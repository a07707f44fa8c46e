// Package coord decides which server leads which partition.
//
// Node groups hash into models.Partitions partitions. Each has one owner at a
// time, which alone triggers, dispatches and rescues for it. Three things make
// that so, each weaker without the others:
//
//   - Shares. The servers that live, by the beats in the ledger, split the
//     partitions by rendezvous hashing, so that everybody comes to the same answer
//     and one server more or less moves only its own share. A server competes for
//     its share alone, hands over what is no longer its share, and takes over what
//     a dead server had.
//   - Locks. A Locker grants a partition for a time: Local (one process), Database
//     (leases in the ledger), Redis (redsync, one server or a quorum) or Fallback
//     (Redis, and leases while Redis is away). The owner stops acting before the
//     lock can have ended, by its own monotonic clock, however long it slept.
//   - Epochs. No lock is safe against pauses, clock jumps and failovers. So each
//     change of owner raises the partition's epoch in the ledger before anything is
//     done, and every transaction of an owner checks it: what a deposed owner still
//     writes fails. Locks only save the work that would fail.
//
// Ownership ties them together: Partitions and Fence say what may be acted on
// right now, OnChange tells of changes. The package does none of the work itself.
package coord
