package simulation

import (
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/task"
)

// live lets the window pass while things break.
func (w *world) live() {
	w.rates.Store(&rates{drop: 0.04, repeat: 0.1, unknown: 0.04, freeze: 0.1})
	led := make(chan struct{})
	stop := make(chan struct{})
	go func() {
		defer close(led)
		w.lead(stop)
	}()
	for time.Now().Before(w.to) {
		time.Sleep(time.Duration(100+w.draw(900)) * time.Millisecond)
		w.strike()
		w.ask()
	}
	w.rates.Store(&rates{})
	w.heal()
	w.tell("healed")
	w.settle()
	close(stop)
	<-led
}

// strike breaks something, or mends it.
func (w *world) strike() {
	host := fmt.Sprintf("s%d", w.draw(serverCount))
	name := fmt.Sprintf("w%d", w.draw(workerCount))
	s, p := w.serverAt(host), w.workers[name]
	switch w.draw(10) {
	case 0, 1:
		w.killServer(s)
	case 2, 3:
		w.restartServer(host)
	case 4:
		w.tell("%s stands still", s)
		w.noteDown(s)
		s.life.pause()
	case 5:
		w.wake(s)
	case 6:
		w.tell("worker %s dies", name)
		p.kill()
	case 7:
		w.restartWorker(name)
	case 8:
		w.tell("worker %s stands still", name)
		p.life.pause()
	case 9:
		w.tell("worker %s goes on", name)
		p.life.goOn()
	}
}

// killServer has a server die at one of its next writes, or soon.
func (w *world) killServer(s *server) {
	if !s.life.alive() {
		return
	}
	s.mu.Lock()
	s.dieIn, s.late = 1+w.draw(6), w.draw(2) == 0
	w.tell("%s dies at write %d, late %v", s, s.dieIn, s.late)
	s.mu.Unlock()
	w.traffic.Go(func() {
		select {
		case <-s.life.gone:
		case <-time.After(3 * time.Second):
			s.life.die()
		}
		w.noteDown(s)
		s.stop()
	})
}

func (w *world) restartServer(host string) {
	if s := w.serverAt(host); !s.life.alive() {
		w.startServer(host)
		w.tell("%s is back as %s", s, w.serverAt(host))
	}
}

func (w *world) restartWorker(name string) {
	if p := w.workers[name]; !p.life.alive() {
		w.ended = append(w.ended, p)
		w.workers[name] = w.startWorker(name)
		w.tell("worker %s is back", name)
	}
}

func (w *world) noteDown(s *server) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, down := w.down[s.id]; !down {
		w.down[s.id] = time.Now()
	}
}

// wake lets a server go on that stood still.
func (w *world) wake(s *server) {
	if s.life.alive() && !s.life.running() {
		w.tell("%s goes on", s)
		s.life.goOn()
		w.mu.Lock()
		delete(w.down, s.id)
		w.mu.Unlock()
	}
}

// heal mends everything.
func (w *world) heal() {
	for i := range serverCount {
		host := fmt.Sprintf("s%d", i)
		s := w.serverAt(host)
		s.mu.Lock()
		doomed := s.dieIn > 0 // its end is on the way
		s.mu.Unlock()
		if doomed {
			s.life.die()
		}
		w.wake(s)
		w.restartServer(host)
	}
	for i := range workerCount {
		name := fmt.Sprintf("w%d", i)
		w.restartWorker(name)
		w.workers[name].life.goOn()
	}
}

// lead is the ownership: when the leader has not run for a while, or by chance,
// another server takes over. The one before is told nothing.
func (w *world) lead(stop <-chan struct{}) {
	leader, patience := w.serverAt("s0"), time.Duration(0)
	for {
		select {
		case <-stop:
			return
		case <-time.After(250 * time.Millisecond):
		}
		if leader.life.running() && w.draw(60) > 0 {
			patience = time.Duration(w.draw(int(deadAfter)))
			continue
		}
		if patience -= 250 * time.Millisecond; patience > 0 {
			continue
		}
		for _, s := range w.liveServers() {
			if s != leader && s.life.running() {
				w.tell("%s takes over from %s", s, leader)
				s.take(w.group.Partition)
				leader = s
				break
			}
		}
	}
}

// ask enqueues a task of a program, and cancels one now and then.
func (w *world) ask() {
	if w.draw(2) == 0 {
		t, err := w.tasks.Run(w.t.Context(), "test", task.NewTask{Job: w.jobs["asked"].ID})
		if err != nil {
			w.t.Errorf("enqueueing: %v", err)
			return
		}
		w.asked = append(w.asked, t.ID)
	}
	if w.draw(4) == 0 && len(w.asked) > 0 {
		id := w.asked[w.draw(len(w.asked))]
		if t, err := w.tasks.Cancel(w.t.Context(), "test", "", id, ""); err == nil && t.State == models.TaskCancelled {
			w.final[id] = time.Now()
		}
	}
}

// settle waits until nothing is left to be done.
func (w *world) settle() {
	for end := time.Now().Add(settleIn); time.Now().Before(end); time.Sleep(time.Second) {
		if w.unsettled() == "" {
			return
		}
	}
	w.t.Errorf("%s after the last fault: %s", settleIn, w.unsettled())
}

// unsettled says what is left, or nothing.
func (w *world) unsettled() string {
	counts, err := w.store.Counters(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	for _, state := range []models.TaskState{models.TaskWaiting, models.TaskRunning, models.TaskRetrying} {
		if n := counts[w.group.ID][state]; n != 0 {
			return fmt.Sprintf("%d tasks are %s", n, state)
		}
	}
	for name, j := range w.jobs {
		now, err := w.store.Job(w.t.Context(), j.ID)
		if err != nil {
			w.t.Fatal(err)
		}
		if now.NextFireAt != nil {
			return fmt.Sprintf("job %s is due at %s", name, now.NextFireAt)
		}
	}
	return ""
}

// close ends everything.
func (w *world) close() {
	for _, p := range w.workers {
		p.stop()
	}
	for _, p := range w.ended {
		p.stop()
	}
	for _, s := range w.servers {
		s.stop()
	}
	w.traffic.Wait()
	if err := w.tasks.Stop(w.t.Context()); err != nil {
		w.t.Error(err)
	}
}
