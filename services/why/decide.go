package why

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

// Decide answers. It is pure: the same facts give the same answer.
func Decide(f *Facts, lang schedule.Lang) Answer {
	d := &decision{Facts: f, lang: lang, answer: Answer{Evidence: []Evidence{}, Task: f.Task, PreviousFire: f.Previous, NextFire: f.Next}}
	for _, step := range []func() bool{d.task, d.deleted, d.notYet, d.byOthers, d.recorded, d.paused, d.invalid, d.calendar, d.bounds, d.schedule} {
		if step() {
			return d.answer
		}
	}
	d.say(Unknown, "The job fires then, but nothing is recorded about it.", "该任务此时应触发，但没有任何记录。")
	return d.answer
}

type decision struct {
	*Facts
	lang   schedule.Lang
	answer Answer
}

// say sets the answer and says that it is one.
func (d *decision) say(code Code, english, chinese string, args ...any) bool {
	d.answer.Code, d.answer.Sentence = code, words(d.lang, english, chinese, args...)
	return true
}

func (d *decision) note(at *time.Time, english, chinese string, args ...any) {
	d.answer.Evidence = append(d.answer.Evidence, Evidence{At: at, Message: words(d.lang, english, chinese, args...)})
}

func (d *decision) deleted() bool {
	if at := d.Job.DeletedAt; at != nil && !d.At.Before(*at) {
		d.note(at, "The job was deleted.", "该任务已被删除。")
		return d.say(Deleted, "The job had been deleted, at %s.", "该任务已于 %s 被删除。", stamp(*at))
	}
	return false
}

func (d *decision) notYet() bool {
	if d.At.Before(d.Job.CreatedAt) {
		d.note(&d.Job.CreatedAt, "The job was created.", "该任务创建。")
		return d.say(NotCreatedYet, "The job did not exist yet: it was created at %s.", "该任务当时尚不存在：创建于 %s。", stamp(d.Job.CreatedAt))
	}
	return false
}

// task answers by the task of the fire.
func (d *decision) task() bool {
	t := d.Task
	if t == nil {
		return false
	}
	d.note(&t.ScheduledAt, "Task %s was scheduled.", "任务实例 %s 的计划时间。", t.ID)
	switch {
	case t.StartedAt != nil && t.Spread():
		d.note(t.StartedAt, "Attempt %d was spread over %d parts.", "第 %d 次尝试分发为 %d 个子实例。", t.Attempt, *t.Shards)
	case t.StartedAt != nil:
		d.note(t.StartedAt, "Attempt %d started on node %s.", "第 %d 次尝试在节点 %s 上开始。", t.Attempt, t.NodeName)
	}
	if t.FinishedAt != nil && !t.State.Live() {
		d.note(t.FinishedAt, "It came to its end: %s.", "结束，状态为 %s。", t.State)
	}
	switch t.State {
	case models.TaskSucceeded:
		late := time.Duration(0)
		if t.StartedAt != nil {
			late = t.StartedAt.Sub(t.AvailableAt)
		}
		if t.Attempt == 1 && late > models.LateAfter {
			return d.say(Ran, "It ran and succeeded, but started %s late.", "已运行并成功，但晚启动了 %s。", late.Round(time.Second))
		}
		return d.say(Ran, "It ran and succeeded.", "已运行并成功。")
	case models.TaskRunning:
		if t.Spread() {
			return d.say(Running, "It runs now: attempt %d, spread over %d nodes.", "正在运行：第 %d 次尝试，分发到 %d 个节点。", t.Attempt, *t.Shards)
		}
		return d.say(Running, "It runs now: attempt %d on node %s.", "正在运行：第 %d 次尝试，节点 %s。", t.Attempt, t.NodeName)
	case models.TaskFailed, models.TaskDiscarded:
		if t.Spread() {
			return d.say(Failed, "It ran and failed: %s.", "已运行但失败：%s。", t.Error)
		}
		return d.say(Failed, "It ran and failed after %d attempts.", "已运行但失败，共尝试 %d 次。", t.Attempt)
	case models.TaskCancelled:
		return d.cancelled(t)
	case models.TaskSkipped:
		if t.Reason == models.ReasonCoalesced {
			return d.say(Coalesced, "It was not run: a newer task of the job took its place in the queue.", "未运行：队列中被该任务更新的一次触发取代。")
		}
		return d.say(Overlap, "It was not run: an earlier task of the job still ran, and the job skips overlaps.", "未运行：上一次仍在运行，且该任务跳过重叠。")
	case models.TaskWaiting, models.TaskRetrying:
	}
	return d.waits(t)
}

func (d *decision) cancelled(t *models.Task) bool {
	switch {
	case t.Reason == models.ReasonReplaced:
		return d.say(Cancelled, "It was cancelled: a newer task of the job replaced it.", "已取消：被该任务更新的一次触发替换。")
	case t.Reason == models.ReasonJobDeleted:
		return d.say(Cancelled, "It was cancelled when its job was deleted.", "任务被删除时一并取消。")
	case t.CancelActor != "":
		return d.say(Cancelled, "It was cancelled by %s.", "被 %s 取消。", t.CancelActor)
	}
	return d.say(Cancelled, "It was cancelled.", "已取消。")
}

// waits answers for a task that is in the queue.
func (d *decision) waits(t *models.Task) bool {
	w := d.Waits
	switch {
	case t.AvailableAt.After(d.Now):
		return d.say(Waiting, "Its task waits for its time, %s.", "任务实例正在等待其时间 %s。", stamp(t.AvailableAt))
	case w.Able == 0:
		return d.nobodyCan()
	case w.JobLimit != nil && w.JobRunning >= *w.JobLimit:
		d.note(nil, "Tasks of the job that run: %d, at most %d.", "该任务正在运行的实例：%d，上限 %d。", w.JobRunning, *w.JobLimit)
		return d.say(Limited, "Its task waits: as many tasks of the job run as may.", "任务实例在等待：该任务的并发已达上限。")
	case w.GroupFull:
		return d.say(Limited, "Its task waits: the group runs as many tasks as it may.", "任务实例在等待：节点分组的并发已达上限。")
	}
	return d.say(Waiting, "Its task waits in the queue for a free slot.", "任务实例正在队列中等待空闲槽位。")
}

// byOthers answers for jobs that do not answer to the clock.
func (d *decision) byOthers() bool {
	switch d.Job.TriggerKind { //nolint:exhaustive // the others answer to the clock
	case models.TriggerManual:
		return d.say(NeverByItself, "The job never runs by itself: only people and programs run it.", "该任务不会自行运行：只能由人或程序触发。")
	case models.TriggerFixedDelay:
		if d.Job.NextFireAt != nil && d.At.After(d.Now) {
			return d.say(NoFire, "The job fires %s after its last run has ended, next at %s.", "该任务在上次运行结束 %s 后触发，下一次为 %s。", span(d.Job.EveryMS), stamp(*d.Job.NextFireAt))
		}
		return d.say(NoFire, "The job fires %s after its last run has ended, and none began then.", "该任务在上次运行结束 %s 后触发，当时没有运行开始。", span(d.Job.EveryMS))
	case models.TriggerDependency:
		return d.recorded() || d.upstream()
	}
	return false
}

func (d *decision) upstream() bool {
	j := d.Join
	if j == nil {
		return d.say(UpstreamMissing, "None of the upstream jobs had ended for that time.", "当时没有任何上游任务结束。")
	}
	d.note(nil, "Window %s.", "窗口 %s。", j.Window)
	switch {
	case j.Reason == models.ReasonPaused:
		return d.say(Paused, "The upstream jobs had ended, but the job was paused.", "上游任务已结束，但该任务处于暂停状态。")
	case j.Reason == models.ReasonInvalidTrigger:
		return d.say(InvalidTrigger, "The upstream jobs had ended, but the job's trigger could not work then.", "上游任务已结束，但当时该任务的触发器无法工作。")
	case j.Reason == models.ReasonNoWorker:
		return d.noWorker()
	case len(j.Wrong) > 0:
		return d.say(UpstreamCondition, "These upstream jobs ended otherwise than the trigger asks for: %s.", "以下上游任务的结束状态不符合触发条件：%s。", strings.Join(j.Wrong, ", "))
	case len(j.Missing) > 0:
		return d.say(UpstreamMissing, "These upstream jobs had not ended: %s.", "以下上游任务尚未结束：%s。", strings.Join(j.Missing, ", "))
	}
	return false
}

// recorded answers by the runs of fires that became no tasks.
func (d *decision) recorded() bool {
	if len(d.Skipped) == 0 {
		return false
	}
	s := &d.Skipped[0]
	d.note(&s.RecordedAt, "Recorded: %d fires from %s to %s, %s.", "记录：%d 次触发，从 %s 到 %s，原因 %s。", s.Count, stamp(s.FirstAt), stamp(s.LastAt), s.Reason)
	switch s.Reason {
	case string(CalendarRestDay):
		return d.say(CalendarRestDay, "It was a rest day of the job's calendar.", "当天是该任务日历中的休息日。")
	case string(CalendarQuiet):
		return d.say(CalendarQuiet, "It lay within a quiet window of the job's calendar.", "当时处于该任务日历的静默时段。")
	case models.ReasonPaused:
		return d.say(Paused, "The job was paused before this fire became a task.", "该次触发生成实例之前，任务已被暂停。")
	case models.ReasonInvalidTrigger:
		return d.say(InvalidTrigger, "The job's trigger could not work then.", "当时该任务的触发器无法工作。")
	case models.ReasonNoWorker:
		return d.noWorker()
	case models.ReasonMisfireSkipped:
		return d.say(Misfire, "It was missed because no server could fire it in time, and the job's misfire policy is to skip.", "错过：当时没有服务器能按时触发，且错过策略为跳过。")
	case models.ReasonMisfireCoalesced:
		return d.say(Misfire, "It was missed because no server could fire it in time; one later run stood for all that were missed.", "错过：当时没有服务器能按时触发；之后的一次运行代表了所有错过的触发。")
	case models.ReasonMisfireLimit:
		return d.say(Misfire, "It was missed because no server could fire it in time, and more came together than the misfire limit lets run.", "错过：当时没有服务器能按时触发，且错过的数量超过了补跑上限。")
	}
	return d.say(Edited, "The trigger was changed before this fire became a task.", "该次触发生成实例之前，触发器被修改。")
}

// nobodyCan answers for a task while no node that is online could run it.
func (d *decision) nobodyCan() bool {
	handler, node, labels := d.Job.Handler, d.Route.Node(), labelsOf(&d.Route)
	d.note(nil, "Nodes online in the group: %d; that could run it: 0.", "分组内在线节点：%d；能运行它的：0。", d.Waits.Workers)
	switch {
	case node != "":
		return d.say(NoWorker, "Its task waits for the node %s: it is not online with the handler %s.", "任务实例在等待节点 %s：该节点不在线，或没有处理器 %s。", node, handler)
	case labels != "":
		return d.say(NoWorker, "Its task waits: no worker that is online has the labels %s and the handler %s.", "任务实例在等待：没有在线的工作节点同时具有标签 %s 和处理器 %s。", labels, handler)
	}
	return d.say(NoWorker, "Its task waits: no worker that is online has the handler %s.", "任务实例在等待：没有在线的工作节点具有处理器 %s。", handler)
}

// noWorker answers for fires that were counted while nobody could run the job. What it is
// routed to may have been changed since.
func (d *decision) noWorker() bool {
	handler, node, labels := d.Job.Handler, d.Route.Node(), labelsOf(&d.Route)
	switch {
	case node != "":
		return d.say(NoWorker, "The node %s was not there with the handler %s, and enough fires of the job waited already.", "当时节点 %s 不在，或没有处理器 %s，且已有足够多的触发在等待。", node, handler)
	case labels != "":
		return d.say(NoWorker, "No worker with the labels %s and the handler %s was there, and enough fires of the job waited already.", "当时没有同时具有标签 %s 和处理器 %s 的工作节点，且已有足够多的触发在等待。", labels, handler)
	}
	return d.say(NoWorker, "No worker with the handler %s was there, and enough fires of the job waited already.", "当时没有具有处理器 %s 的工作节点，且已有足够多的触发在等待。", handler)
}

// labelsOf lists the labels that a route asks for; empty for none.
func labelsOf(r *models.Route) string {
	wanted := r.Labels()
	list := make([]string, 0, len(wanted))
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		list = append(list, name+"="+wanted[name])
	}
	return strings.Join(list, ", ")
}

func (d *decision) paused() bool {
	switch {
	case d.Pause != nil:
		d.note(&d.Pause.At, "%s paused the job.", "%s 暂停了该任务。", d.Pause.Actor)
		return d.say(Paused, "The job was paused, by %s at %s.", "该任务已被 %s 于 %s 暂停。", d.Pause.Actor, stamp(d.Pause.At))
	case !d.Job.Enabled && d.At.After(d.Now):
		return d.say(Paused, "The job is paused.", "该任务处于暂停状态。")
	}
	return false
}

func (d *decision) invalid() bool {
	if d.Job.InvalidReason == "" {
		return false
	}
	d.note(&d.Job.UpdatedAt, "%s", "%s", d.Job.InvalidReason)
	return d.say(InvalidTrigger, "The job's trigger cannot work: %s", "该任务的触发器无法工作：%s", d.Job.InvalidReason)
}

// calendar answers for fires that the calendar moved or took out.
func (d *decision) calendar() bool {
	e := d.Excluded
	switch {
	case e == nil || d.Fire != nil:
		return false
	case !e.MovedTo.IsZero():
		d.note(&e.MovedTo, "It fires then instead.", "改为此时触发。")
		return d.say(Moved, "The calendar %q moves this fire to %s.", "日历 %q 将该次触发移到 %s。", d.Calendar, stamp(e.MovedTo))
	case string(e.Reason) == string(CalendarQuiet):
		return d.say(CalendarQuiet, "It lies within a quiet window of the calendar %q.", "处于日历 %q 的静默时段。", d.Calendar)
	}
	return d.say(CalendarRestDay, "It is a rest day of the calendar %q.", "是日历 %q 的休息日。", d.Calendar)
}

func (d *decision) bounds() bool {
	j := &d.Job
	switch {
	case d.Fire != nil:
		return false
	case j.StartAt != nil && d.At.Before(*j.StartAt):
		return d.say(BeforeStart, "The trigger begins later, at %s.", "触发器从 %s 才开始。", stamp(*j.StartAt))
	case j.EndAt != nil && d.At.After(*j.EndAt):
		return d.say(AfterEnd, "The trigger had ended, at %s.", "触发器已于 %s 结束。", stamp(*j.EndAt))
	}
	return false
}

// schedule answers by the trigger that held at the instant.
func (d *decision) schedule() bool {
	if d.ThenEdit != nil {
		d.note(&d.ThenEdit.At, "%s changed the trigger.", "%s 修改了触发器。", d.ThenEdit.Actor)
	}
	switch {
	case d.Fire == nil && d.ThenEdit != nil && presentFires(d.Facts):
		return d.say(Edited, "The trigger was another one then: it was changed at %s, and the one before does not fire then.", "当时的触发器与现在不同：于 %s 被修改，之前的触发器此时不触发。", stamp(d.ThenEdit.At))
	case d.Fire == nil:
		return d.noFire()
	case d.Fire.After(d.Now):
		if d.Waits.Able == 0 {
			d.note(nil, "At present no worker that is online could run it.", "目前没有能运行它的在线工作节点。")
		}
		return d.say(WillRun, "It will run then, at %s.", "将在 %s 运行。", stamp(*d.Fire))
	case d.Job.NextFireAt != nil && !d.Job.NextFireAt.After(*d.Fire):
		d.note(d.Job.NextFireAt, "The job's next fire as it is recorded.", "记录中该任务的下一次触发。")
		return d.say(ServerLate, "It is due, and no server has come to it yet: it runs, or is recorded as missed, as soon as one does.", "已到期，但尚无服务器处理：处理后将运行或记为错过。")
	}
	return false
}

// presentFires says whether the present trigger fires where the earlier one did not.
func presentFires(f *Facts) bool {
	_, ok := nearest(f.Trigger, f.At, f.Job.ID)
	return ok
}

func (d *decision) noFire() bool {
	switch {
	case d.Previous != nil && d.Next != nil:
		return d.say(NoFire, "The trigger does not fire then: before it fires at %s, after it at %s.", "触发器此时不触发：之前为 %s，之后为 %s。", stamp(*d.Previous), stamp(*d.Next))
	case d.Next != nil:
		return d.say(NoFire, "The trigger does not fire then; it fires next at %s.", "触发器此时不触发；下一次为 %s。", stamp(*d.Next))
	case d.Previous != nil:
		return d.say(NoFire, "The trigger does not fire then; it fired last at %s.", "触发器此时不触发；上一次为 %s。", stamp(*d.Previous))
	}
	return d.say(NoFire, "The trigger does not fire then.", "触发器此时不触发。")
}
