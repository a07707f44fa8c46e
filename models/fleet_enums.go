package models

// LockMode says what a server holds the locks of its partitions with.
type LockMode uint8

// Lock modes. The numbers stand in the ledger: never renumber.
const (
	LockLocal    LockMode = iota + 1 // it has its ledger to itself
	LockDatabase                     // leases in the ledger
	LockRedis
)

// ServerState is the state of a server.
type ServerState uint8

// Server states.
const (
	ServerLive ServerState = iota + 1
	ServerStopping
	ServerLost
)

// GroupLimit is what holds up the due tasks of a node group.
type GroupLimit uint8

// Group limits. The numbers stand in the ledger: never renumber.
const (
	LimitSlots       GroupLimit = iota + 1 // all slots of the online nodes are busy
	LimitMaxRunning                        // the group's maxRunning
	LimitReleaseRate                       // the group's release rate or burst
	LimitJobs                              // each waits for its own job
	LimitNoNodes                           // no node is online that could run them
)

var (
	lockNames        = []string{"", "LOCAL", "DATABASE", "REDIS"}
	serverStateNames = []string{"", "LIVE", "STOPPING", "LOST"}
	groupLimitNames  = []string{"", "SLOTS", "MAX_RUNNING", "RELEASE_RATE", "JOB_LIMITS", "NO_NODES"}
)

func (v LockMode) String() string    { return name(lockNames, uint8(v)) }
func (v ServerState) String() string { return name(serverStateNames, uint8(v)) }
func (v GroupLimit) String() string  { return name(groupLimitNames, uint8(v)) }

// ParseLockMode reads a lock mode's name as the API writes it.
func ParseLockMode(s string) (LockMode, bool) { return parse[LockMode](lockNames, s) }

// ParseServerState reads a server state's name as the API writes it.
func ParseServerState(s string) (ServerState, bool) { return parse[ServerState](serverStateNames, s) }

// ParseGroupLimit reads a group limit's name as the API writes it.
func ParseGroupLimit(s string) (GroupLimit, bool) { return parse[GroupLimit](groupLimitNames, s) }
