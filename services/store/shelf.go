package store

import "github.com/belfry-scheduler/belfry/models"

// Lists of tasks are read by the indexes tasks_shelf (shelf, id) and tasks_job
// (job_id, shelf, id). The generated column shelf is 0 for the states that every
// task goes through and the state itself for the others, so that a task which
// succeeds at once never moves in them: each moved entry costs about 9 µs of
// database time a task.
//
//   - A list of one job, whatever the states: the union of its shelves, each a
//     range in order of id, merged.
//   - RETRYING, FAILED, CANCELLED, SKIPPED, DISCARDED: a shelf of their own.
//   - SUCCEEDED: shelf 0 with the state checked row by row; nearly all match.
//   - WAITING: the same; the ids of what waits are the newest, so it lies at the
//     top. Few of them far below the top would take long to find: when the
//     counters say that there are few, read them from tasks_queue (group_id,
//     state, …) and sort them by id.
//   - RUNNING: there are never more than slots, so read them from tasks_queue.

//
// Tasks that another is spread over lie on one shelf of their own, whatever their state: a
// list shows the parent, not its parts, unless it asks for them or for a node's tasks.

// shelfMoving is the shelf of WAITING, RUNNING and SUCCEEDED.
const shelfMoving = 0

// shelfChildren is the shelf of tasks that another is spread over.
const shelfChildren = 100

// shelfOf answers the shelf that tasks of a state lie on.
func shelfOf(state models.TaskState) int {
	switch state {
	case models.TaskWaiting, models.TaskRunning, models.TaskSucceeded:
		return shelfMoving
	default:
		return int(state)
	}
}

// shelves lists all shelves but that of children.
var shelves = []int{
	shelfMoving, int(models.TaskRetrying), int(models.TaskFailed), int(models.TaskCancelled),
	int(models.TaskSkipped), int(models.TaskDiscarded),
}
