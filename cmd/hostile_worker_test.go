package cmd

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/internal/testserver"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// hand speaks the protocol by hand, as a worker of any quality may.
type hand struct {
	p                      *plant
	key, node, incarnation string
}

// onBoth runs a test on either database.
func onBoth(t *testing.T, test func(t *testing.T, p *plant)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, newPlant(t))
	})
	t.Run("MariaDB", func(t *testing.T) {
		t.Parallel()
		db, err := testserver.StartMariaDB(testserver.MariaDBOptions{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Stop() })
		p := plantOn(t, db.URL(db.Database(t)))
		p.serve()
		test(t, p)
	})
}

// post sends a body, a text as it is and anything else as JSON, and answers the status
// and the answer's body.
func (h *hand) post(path string, body any) (int, string) {
	h.p.t.Helper()
	text, ok := body.(string)
	if !ok {
		raw, err := json.Marshal(body)
		if err != nil {
			h.p.t.Fatal(err)
		}
		text = string(raw)
	}
	return h.ask(http.MethodPost, path, text)
}

func (h *hand) ask(method, path, body string) (int, string) {
	h.p.t.Helper()
	answer := h.open(h.p.t.Context(), method, path, body)
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		h.p.t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

func (h *hand) open(ctx context.Context, method, path, body string) *http.Response {
	h.p.t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, h.p.url+path, strings.NewReader(body))
	if err != nil {
		h.p.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+h.key)
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		h.p.t.Fatal(err)
	}
	return answer
}

func (h *hand) hello() wire.Register {
	return wire.Register{Protocol: wire.Version, Group: "default", Node: h.node, Incarnation: h.incarnation, Slots: 4, Handlers: []string{"H"}}
}

// register announces the process and opens its stream, whose frames are read and dropped
// but for the assignments.
func (h *hand) register() <-chan wire.Assignment {
	h.p.t.Helper()
	if status, text := h.post(wire.PathRegister, h.hello()); status != http.StatusOK {
		h.p.t.Fatalf("register: %d %s", status, text)
	}
	given := make(chan wire.Assignment, 16)
	stream := h.open(h.p.t.Context(), http.MethodGet, h.streamPath(), "")
	go func() {
		defer func() { _ = stream.Body.Close() }()
		for dec := json.NewDecoder(stream.Body); ; {
			var f wire.Frame
			if dec.Decode(&f) != nil {
				return
			}
			for _, a := range f.Assign {
				given <- a
			}
		}
	}()
	return given
}

func (h *hand) streamPath() string {
	q := url.Values{"group": {"default"}, "node": {h.node}, "incarnation": {h.incarnation}}
	return wire.PathStream + "?" + q.Encode()
}

// report sends items and answers their acknowledgements.
func (h *hand) report(items ...map[string]any) []wire.Ack {
	h.p.t.Helper()
	status, text := h.post(wire.PathReport, map[string]any{
		"node": h.node, "group": "default", "incarnation": h.incarnation, "sentAt": time.Now(), "items": items,
	})
	var answer wire.Reported
	if err := json.Unmarshal([]byte(text), &answer); err != nil || status != http.StatusOK || len(answer.Acks) != len(items) {
		h.p.t.Fatalf("report: %d %s", status, text)
	}
	return answer.Acks
}

func item(a wire.Assignment, kind string, what any) map[string]any {
	return map[string]any{"task": a.Task, "attempt": a.Attempt, kind: what}
}

func succeeded() map[string]any {
	return map[string]any{"outcome": "succeeded", "startedAt": time.Now(), "finishedAt": time.Now()}
}

// wantError wants a refusal with a body that the protocol knows.
func (h *hand) wantError(what string, status int, text string, want int, code, say string) {
	h.p.t.Helper()
	var body wire.ErrorBody
	if err := json.Unmarshal([]byte(text), &body); err != nil || status != want || body.Error.Code != code || !strings.Contains(body.Error.Message+body.Error.Field, say) {
		h.p.t.Errorf("%s: answered %d %s, want %d %s with %q", what, status, text, want, code, say)
	}
}

// awaitWork waits for an assignment.
func awaitWork(t *testing.T, given <-chan wire.Assignment) wire.Assignment {
	t.Helper()
	select {
	case a := <-given:
		return a
	case <-time.After(patience):
		t.Fatal("nothing was assigned")
		return wire.Assignment{}
	}
}

// Another app's key reaches nothing, even with the names, the incarnation and the
// attempt of the process it copies.
func TestAnotherAppReachesNothing(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	_, foreign, err := p.fleet.CreateApp(t.Context(), "test", "thief", "")
	if err != nil {
		t.Fatal(err)
	}
	own := &hand{p, p.key, "w1", "incarnation-1"}
	given := own.register()
	id := p.trigger(p.job("H", nil))
	a := awaitWork(t, given)

	thief := &hand{p, foreign, "w1", "incarnation-1"}
	status, text := thief.post(wire.PathReport, `{"node":"w1","group":"default","incarnation":"incarnation-1","items":[]}`)
	thief.wantError("a report without a registration", status, text, http.StatusConflict, wire.CodeNotRegistered, "register")
	thief.register()
	line := map[string]any{"lines": []any{map[string]any{"seq": 1, "at": time.Now(), "level": "INFO", "message": "forged"}}}
	acks := thief.report(
		item(a, "result", succeeded()), item(a, "refused", map[string]any{"reason": "no_slot"}), item(a, "progress", map[string]any{"fraction": 1}),
		item(a, "checkpoint", "forged"), item(a, "log", line),
	)
	for i, ack := range acks {
		if ack.Status != wire.AckStale && ack.Status != wire.AckInvalid {
			t.Errorf("item %d of the thief: %+v", i, ack)
		}
	}
	for path, body := range map[string]string{
		wire.PathCancel: `{"task":"` + id + `"}`, wire.PathMove: `{"task":"` + id + `","delayMs":1}`,
	} {
		status, text := thief.post(path, body)
		thief.wantError(path, status, text, http.StatusNotFound, wire.CodeNotFound, id)
	}
	status, text = thief.ask(http.MethodGet, wire.PathTask+id, "")
	thief.wantError("reading", status, text, http.StatusNotFound, wire.CodeNotFound, id)

	got, err := p.tasks.Task(t.Context(), id)
	if err != nil || got.State != models.TaskRunning || got.Progress != nil || got.CancelRequestedAt != nil {
		t.Errorf("after the thief: %+v, %v", got, err)
	}
	if lines := p.logLines(id); len(lines) != 0 {
		t.Errorf("forged log: %+v", lines)
	}
	if acks := own.report(item(a, "log", line), item(a, "result", succeeded())); acks[0].Status != wire.AckAccepted || acks[1].Status != wire.AckAccepted {
		t.Errorf("its own worker: %+v", acks)
	}
}

// Items that are forged, doubled, late or say too much change nothing, and block no other.
func TestForgedAndDisorderedItems(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	h := &hand{p, p.key, "w1", "incarnation-1"}
	given := h.register()
	id := p.trigger(p.job("H", nil))
	a := awaitWork(t, given)
	line := func(seq int64) map[string]any {
		return map[string]any{"lines": []any{map[string]any{"seq": seq, "at": "0001-01-02T00:00:00Z", "level": "?", "message": "m"}}}
	}
	at := func(task any, attempt any) map[string]any {
		return map[string]any{"task": task, "attempt": attempt, "progress": map[string]any{"fraction": 0.5}}
	}
	later := a
	later.Attempt++
	both := item(a, "result", succeeded())
	both["checkpoint"] = 1
	nulls := item(a, "checkpoint", nil)
	acks := h.report(
		at("", 1), at("01M8NS02QGGZW7NW7SCVSBSXA\x00", 1), at(strings.Repeat("😀", 26), 1), at("' OR 1=1 --               ", 1), at(id, 0), at(id, -1),
		at(id, 1<<40), at("01M8NS02QGGZW7NW7SCVSBSXAN", 1), item(later, "log", line(1)), item(later, "result", succeeded()),
		item(a, "log", line(1<<40)), item(a, "log", line(-1)), both, nulls, item(a, "result", map[string]any{"outcome": "exploded"}),
		item(a, "result", map[string]any{"outcome": "succeeded", "result": json.RawMessage(strings.Repeat("[", 200) + strings.Repeat("]", 200))}),
		item(a, "result", map[string]any{"outcome": "failed", "afterMs": int64(-1) << 62, "startedAt": "0001-01-02T00:00:00Z", "finishedAt": "9999-12-31T23:59:59Z"}),
	)
	for i, ack := range acks[:len(acks)-1] {
		if ack.Status == wire.AckAccepted || ack.Status == wire.AckRetry || ack.Message == "" {
			t.Errorf("item %d: %+v", i, ack)
		}
	}
	if acks[len(acks)-1].Status != wire.AckAccepted {
		t.Errorf("the one good item: %+v", acks[len(acks)-1])
	}
	done := p.awaitState(id, models.TaskFailed)
	if done.Progress != nil || done.StartedAt == nil || done.StartedAt.After(*done.FinishedAt) {
		t.Errorf("the task: %+v", done)
	}
	// Late: a result of another kind, progress, and the log that is kept.
	acks = h.report(item(a, "result", succeeded()), item(a, "progress", map[string]any{"fraction": 1}), item(a, "log", line(1)), item(a, "log", line(1)))
	if acks[0].Status != wire.AckStale || acks[1].Status != wire.AckStale || acks[2].Status != wire.AckAccepted || acks[3].Status != wire.AckAccepted {
		t.Errorf("late items: %+v", acks)
	}
	if lines := p.logLines(id); len(lines) != 1 {
		t.Errorf("log: %+v", lines)
	}
}

// Each limit refuses what exceeds it, with the field and the figure.
func TestLimitsOfTheProtocol(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	h := &hand{p, p.key, "w1", "incarnation-1"}
	h.register()
	p.job("H", nil)
	with := func(field string, v any) map[string]any {
		raw, _ := json.Marshal(h.hello())
		var m map[string]any
		_ = json.Unmarshal(raw, &m)
		m[field] = v
		return m
	}
	beat := func(field string, v any) map[string]any {
		return map[string]any{"node": "w1", "group": "default", "incarnation": "incarnation-1", "slots": 4, "held": []any{}, field: v}
	}
	many := func(n int) []string { return strings.Split(strings.Repeat("x,", n-1)+"x", ",") }
	items := make([]map[string]any, 10_000)
	for i := range items {
		items[i] = map[string]any{"job": "h", "task": "x", "attempt": 1}
	}
	for what, tt := range map[string]struct {
		path      string
		body      any
		status    int
		code, say string
	}{
		"version 0":              {wire.PathRegister, with("protocol", 0), 426, wire.CodeVersion, "version 1"},
		"version 2":              {wire.PathRegister, with("protocol", 2), 426, wire.CodeVersion, "version 1"},
		"another app's name":     {wire.PathRegister, with("app", "other"), 400, wire.CodeInvalid, "shop"},
		"no group":               {wire.PathRegister, with("group", "absent"), 404, wire.CodeNotFound, "absent"},
		"a group of 1 MB":        {wire.PathRegister, with("group", strings.Repeat("g", 1<<20)), 404, wire.CodeNotFound, "group"},
		"a group with NUL":       {wire.PathRegister, with("group", "a\x00😀"), 404, wire.CodeNotFound, "group"},
		"no slots":               {wire.PathRegister, with("slots", 0), 400, wire.CodeInvalid, "slots"},
		"many slots":             {wire.PathRegister, with("slots", 10_001), 400, wire.CodeInvalid, "10001"},
		"many handlers":          {wire.PathRegister, with("handlers", many(1001)), 400, wire.CodeInvalid, "1001"},
		"a handler with NUL":     {wire.PathRegister, with("handlers", []string{"a\x00"}), 400, wire.CodeInvalid, "handlers"},
		"a long node":            {wire.PathRegister, with("node", strings.Repeat("名", 129)), 400, wire.CodeInvalid, "129"},
		"a node with NUL":        {wire.PathRegister, with("node", "a\x00b"), 400, wire.CodeInvalid, "control"},
		"a short incarnation":    {wire.PathRegister, with("incarnation", "1234567"), 400, wire.CodeInvalid, "8 to 64"},
		"no heartbeat's slots":   {wire.PathHeartbeat, beat("slots", -1), 400, wire.CodeInvalid, "slots"},
		"a heartbeat's slots":    {wire.PathHeartbeat, beat("slots", int64(1)<<40), 400, wire.CodeInvalid, "slots"},
		"10,000 items":           {wire.PathReport, map[string]any{"node": "w1", "group": "default", "incarnation": "incarnation-1", "items": items}, 413, wire.CodeTooLarge, "1000"},
		"10,000 tasks":           {wire.PathEnqueue, map[string]any{"tasks": items}, 413, wire.CodeTooLarge, "1000"},
		"no tasks":               {wire.PathEnqueue, `{}`, 400, wire.CodeInvalid, "tasks"},
		"9 MB":                   {wire.PathReport, strings.Repeat(" ", 9<<20), 413, wire.CodeTooLarge, "8 MiB"},
		"cancel of nothing":      {wire.PathCancel, `{}`, 400, wire.CodeInvalid, "task"},
		"cancel of a strange id": {wire.PathCancel, map[string]any{"task": strings.Repeat("😀", 26)}, 404, wire.CodeNotFound, "😀"},
		"a strange job":          {wire.PathCancel, `{"job":"no","uniqueKey":"k"}`, 404, wire.CodeNotFound, "no"},
		"a move by 2^62 ms":      {wire.PathMove, `{"task":"01M8NS02QGGZW7NW7SCVSBSXAN","delayMs":4611686018427387904}`, 400, wire.CodeInvalid, "delay"},
		"no such path":           {"/worker/v1/rejister", `{}`, 404, wire.CodeNotFound, "rejister"},
	} {
		status, text := h.post(tt.path, tt.body)
		h.wantError(what, status, text, tt.status, tt.code, tt.say)
	}
	for _, path := range []string{wire.PathRegister, wire.PathTask + "x", wire.PathTask + strings.Repeat("%F0%9F%98%80", 26), wire.PathTask + "01M8NS02QGGZW7NW7SCVSBSXAN?wait=0"} {
		status, text := h.ask(http.MethodGet, path, "")
		h.wantError(path, status, text, http.StatusNotFound, wire.CodeNotFound, "")
	}
	status, text := h.ask(http.MethodGet, wire.PathTask+"01M8NS02QGGZW7NW7SCVSBSXAN?wait=soon", "")
	h.wantError("wait", status, text, http.StatusBadRequest, wire.CodeInvalid, "soon")

	// One wrong wish keeps no other back.
	status, text = h.post(wire.PathEnqueue, `{"tasks":[{"job":"h","priority":"URGENT"},{"job":"h","onKeyHeld":"?"},{"job":"h","delayMs":-1},
		{"job":"h","delayMs":9223372036854775807},{"job":"h","uniqueKey":"a\u0000"},{"job":"no"},{"job":"h","parameters":null,"runAt":null,"uniqueKey":"😀"}]}`)
	var made wire.Enqueued
	if err := json.Unmarshal([]byte(text), &made); err != nil || status != http.StatusOK || len(made.Tasks) != 7 {
		t.Fatalf("enqueue: %d %s", status, text)
	}
	for i, m := range made.Tasks {
		if bad := i < 6; bad != (m.Error != nil) || bad == (m.ID != "") {
			t.Errorf("task %d: %+v", i, m)
		}
	}
}

// Characters that databases stumble over arrive as they were sent (CB-109).
func TestStrangeCharactersArrive(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p *plant) {
		const strange = "a\u0000b 王芳 😀 \u202e \ufeff ' \" \\ \u2028"
		h := &hand{p, p.key, "node 王芳 😀", "incarnation-1"}
		hello := h.hello()
		hello.Host, hello.SDK, hello.Labels = strings.Repeat("😀", 300), strange, map[string]string{strange: strange}
		if status, text := h.post(wire.PathRegister, hello); status != http.StatusOK {
			t.Fatalf("register: %d %s", status, text)
		}
		given := h.register()
		id := p.trigger(p.job("H", func(in *job.Input) { in.Parameters, _ = json.Marshal(strange) }))
		a := awaitWork(t, given)
		if got := read[string](t, a.Parameters); got != strange {
			t.Errorf("parameters %q", got)
		}
		// Half a surrogate pair is what some languages make of a cut text.
		acks := h.report(
			item(a, "progress", map[string]any{"fraction": 1e300, "message": strange}),
			item(a, "log", map[string]any{"lines": []any{map[string]any{"seq": 1, "at": time.Now(), "level": "INFO", "message": strange, "fields": map[string]any{strange: strange}}}}),
			item(a, "checkpoint", json.RawMessage(`"\ud83d"`)),
			item(a, "result", map[string]any{"outcome": "failed", "error": strange, "stack": strange, "result": strange}),
		)
		for i, ack := range acks {
			if ack.Status != wire.AckAccepted {
				t.Errorf("item %d: %+v", i, ack)
			}
		}
		done := p.awaitState(id, models.TaskFailed)
		if !strings.Contains(done.Error, strange) || *done.Progress != 1 || done.ProgressMessage != strange {
			t.Errorf("error %q, progress %v %q", done.Error, *done.Progress, done.ProgressMessage)
		}
		lines := p.logLines(id)
		if len(lines) != 1 || lines[0].Message != strange || read[map[string]string](t, lines[0].Fields)[strange] != strange {
			t.Errorf("log %+v", lines)
		}
		if status, text := h.post(wire.PathHeartbeat, map[string]any{
			"node": h.node, "group": "default", "incarnation": h.incarnation, "slots": 4,
			"held": []any{map[string]any{"task": strings.Repeat("😀", 26), "attempt": 1 << 40}, map[string]any{"task": "", "attempt": -1}},
		}); status != http.StatusOK {
			t.Errorf("heartbeat: %d %s", status, text)
		}
	})
}

// say sends bytes to the server and reads what it answers until it closes or enough has come.
func (h *hand) say(text string, halfClose bool, enough string) string {
	h.p.t.Helper()
	conn, err := new(net.Dialer).DialContext(h.p.t.Context(), "tcp", strings.TrimPrefix(h.p.url, "http://"))
	if err != nil {
		h.p.t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		h.p.t.Fatal(err)
	}
	if _, err := io.WriteString(conn, text); err != nil {
		h.p.t.Fatal(err)
	}
	if halfClose {
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			h.p.t.Fatal(err)
		}
	}
	var got strings.Builder
	r := bufio.NewReader(conn)
	for {
		line, err := r.ReadString('\n')
		got.WriteString(line)
		if err != nil || strings.Contains(got.String(), enough) {
			return got.String()
		}
	}
}

// Old, odd and broken ways of HTTP get an answer.
func TestOddWaysOfHTTP(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	h := &hand{p, p.key, "w1", "incarnation-1"}
	h.register()
	head := func(method, path, proto, more string) string {
		return fmt.Sprintf("%s %s %s\r\nHost: belfry\r\nAuthorization: Bearer %s\r\n%s\r\n", method, path, proto, p.key, more)
	}
	const body = `{"node":"w1","group":"default","incarnation":"incarnation-1","lastSeq":0,"slots":4,"held":[]}`
	length := fmt.Sprintf("Content-Length: %d\r\n", len(body))
	for what, tt := range map[string]struct {
		text  string
		half  bool
		wants string
	}{
		"HTTP/1.0":              {head("POST", wire.PathHeartbeat, "HTTP/1.0", length) + body, false, `"draining":false`},
		"HTTP/1.0, half closed": {head("POST", wire.PathHeartbeat, "HTTP/1.0", length) + body, true, `"draining":false`},
		"a chunked body":        {head("POST", wire.PathHeartbeat, "HTTP/1.1", "Transfer-Encoding: chunked\r\n") + fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(body), body), false, `"draining":false`},
		"a broken chunk":        {head("POST", wire.PathHeartbeat, "HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "zz\r\n" + body, false, `"code":"INVALID"`},
		"half a body":           {head("POST", wire.PathHeartbeat, "HTTP/1.1", "Content-Length: 1000\r\n") + body[:20], true, `"code":"INVALID"`},
		"gzip":                  {head("POST", wire.PathHeartbeat, "HTTP/1.1", "Content-Encoding: gzip\r\n"+length) + body, false, `Content-Encoding`},
		"a stream by HTTP/1.0":  {head("GET", h.streamPath(), "HTTP/1.0", ""), false, `"kind":"ping"`},
		"HTTP/2 without TLS":    {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", false, "HTTP/1.1 "},
		"no HTTP":               {"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", false, "400 Bad Request"},
	} {
		if got := h.say(tt.text, tt.half, tt.wants); !strings.Contains(got, tt.wants) {
			t.Errorf("%s: answered %q, want %s", what, got, tt.wants)
		}
	}
}
