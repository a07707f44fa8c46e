package workerapi

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// A body that is no frame is refused in words that help somebody who writes a worker
// in another language.
func TestBadBodiesAreExplained(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		body, coding     string
		code, field, say string
	}{
		"nothing":                         {"", "", wire.CodeInvalid, "", "empty"},
		"half":                            {`{"protocol":1`, "", wire.CodeInvalid, "", "ends within"},
		"no JSON":                         {`protocol=1`, "", wire.CodeInvalid, "", "no JSON in UTF-8"},
		"byte order mark":                 {"\uFEFF{}", "", wire.CodeInvalid, "", "no JSON in UTF-8"},
		"UTF-16":                          {"\xFF\xFE{\x00}\x00", "", wire.CodeInvalid, "", "no JSON in UTF-8"},
		"NUL":                             {"{\"node\":\"\x00\"}", "", wire.CodeInvalid, "", "no JSON in UTF-8"},
		"two values":                      {`{} {}`, "", wire.CodeInvalid, "", "Something follows"},
		"a value and dirt":                {`{} x`, "", wire.CodeInvalid, "", "Something follows"},
		"a list":                          {`[]`, "", wire.CodeInvalid, "", "The body is a JSON array: send an object"},
		"a string for slots":              {`{"slots":"4"}`, "", wire.CodeInvalid, "slots", "slots is a JSON string: send a whole number"},
		"a broken number":                 {`{"slots":1.5}`, "", wire.CodeInvalid, "slots", "whole number"},
		"a huge number":                   {`{"slots":1e30}`, "", wire.CodeInvalid, "slots", "whole number"},
		"a number as name":                {`{"node":7}`, "", wire.CodeInvalid, "node", "send a string"},
		"an object as list":               {`{"running":[{"attempt":{}}]}`, "", wire.CodeInvalid, "running.attempt", "whole number"},
		"a gzip body":                     {"\x1f\x8b", "gzip", wire.CodeInvalid, "", "Content-Encoding"},
		"a large body":                    {`"` + strings.Repeat("x", wire.MaxBodyBytes) + `"`, "", wire.CodeTooLarge, "", "8 MiB"},
		"a small one and 8 MiB of blanks": {`{}` + strings.Repeat(" ", wire.MaxBodyBytes), "", wire.CodeTooLarge, "", "8 MiB"},
		"very deep":                       {strings.Repeat("[", 20_000), "", wire.CodeInvalid, "", "no JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, wire.PathRegister, strings.NewReader(tt.body))
			r.Header.Set("Content-Encoding", tt.coding)
			err := readBody(httptest.NewRecorder(), r, new(wire.Register), time.Minute)
			if err == nil {
				t.Fatal("accepted")
			}
			if e := wireError(err); e.Code != tt.code || e.Field != tt.field || !strings.Contains(e.Message, tt.say) || strings.Contains(e.Message, "Go ") {
				t.Errorf("answered %+v, want %s, field %q, %q", e, tt.code, tt.field, tt.say)
			}
		})
	}
}

func TestInstantsWithoutAZoneAreExplained(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, wire.PathReport, strings.NewReader(`{"sentAt":"2026-11-30T07:30:00"}`))
	e := wireError(readBody(httptest.NewRecorder(), r, new(wire.Report), time.Minute))
	if e.Code != wire.CodeInvalid || !strings.Contains(e.Message, "is no instant") || !strings.Contains(e.Message, "2026-11-30T07:30:00") {
		t.Errorf("answered %+v", e)
	}
}

func TestPlainBodiesAreRead(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ body, coding string }{
		"blanks around it": {" \n{\"slots\":4,\"later\":{}}\n\n", ""},
		"named as plain":   {`{"slots":4}`, "identity"},
		"nulls":            {`{"slots":4,"labels":null,"running":null,"sdk":null}`, ""},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, wire.PathRegister, strings.NewReader(tt.body))
		r.Header.Set("Content-Encoding", tt.coding)
		var got wire.Register
		if err := readBody(httptest.NewRecorder(), r, &got, time.Minute); err != nil || got.Slots != 4 {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// A body that does not come is given up, and the next request is served.
func TestTricklingBodiesAreGivenUp(t *testing.T) {
	t.Parallel()
	refused := make(chan error, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		refused <- readBody(w, r, new(wire.Register), 50*time.Millisecond)
	}))
	defer server.Close()
	body, send := io.Pipe()
	defer func() { _ = send.Close() }()
	go func() { _, _ = io.WriteString(send, `{"node":`) }() // ends when it was read
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, body)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		if answer, err := server.Client().Do(req); err == nil {
			_ = answer.Body.Close()
		}
	}()
	if e := wireError(<-refused); e.Code != wire.CodeInvalid || !strings.Contains(e.Message, "in time") {
		t.Errorf("answered %+v", e)
	}
}
