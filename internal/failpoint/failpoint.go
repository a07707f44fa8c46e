// Package failpoint lets the fault bench (faults/) break a server at chosen places:
// between two steps that a crash may come between. Only a build with the tag
// failpoints has them; in any other the functions are empty, the compiler leaves
// nothing of a call, and nothing outside can switch them on.
//
// A server with the tag reads specifications from BELFRY_FAILPOINTS and, while it
// runs, from the local socket BELFRY_FAILPOINT_SOCKET:
//
//	POINT=ACTION[:DURATION][@CHANCE][xTIMES]
//
// ACTION is kill (SIGKILL to itself), stop (SIGSTOP to itself), sleep, panic, fail
// (the place takes its way of failing) or count; CHANCE from 0 to 1, always without
// it; TIMES bounds how often it happens. Several are separated by semicolons.
package failpoint

// Point is a place in the code.
type Point string

// The places. Those that say "Fails" can also take their way of failing.
const (
	BeforeCommit    Point = "tx.before-commit" // a transaction of the ledger has written everything
	AfterCommit     Point = "tx.after-commit"  // it stands, the caller does not know yet
	CommitUnknown   Point = "tx.unknown"       // Fails: it stands, and the caller is told that it may not
	Deadlock        Point = "tx.deadlock"      // Fails: it is rolled back as the victim of a deadlock
	TriggerPlanned  Point = "trigger.planned"  // fires are decided and not written
	TriggerRecorded Point = "trigger.recorded" // fires are tasks, nobody was told
	DispatchPlanned Point = "dispatch.planned" // attempts are decided and not marked
	DispatchMarked  Point = "dispatch.marked"  // attempts are marked and not pushed
	DispatchFrame   Point = "dispatch.frame"   // before the push to each node of a batch
	DispatchPushed  Point = "dispatch.pushed"  // attempts are pushed
	FrameLost       Point = "stream.lost"      // Fails: a frame to a worker is lost
	ResultReceived  Point = "result.received"  // ends of attempts came, nothing is written
	ResultEnded     Point = "result.ended"     // the ends stand, the worker does not know
	RescueJudged    Point = "rescue.judged"    // lost attempts are known and not ended
	CancelRequested Point = "task.cancelled"   // a cancellation stands, the node does not know
)
