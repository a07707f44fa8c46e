package web

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

const (
	// maxDownloads is how many logs are sent at once; each holds a page of lines.
	maxDownloads = 32
	// pageTimeout is how long a client may take for one page of a log.
	pageTimeout = 30 * time.Second
)

// LogWriter writes a task's log out page by page and calls flush after each; a
// fault that comes before the first byte is answered as such, also that the caller may not
// see the task's app.
type LogWriter func(ctx context.Context, w io.Writer, task, format string, attempt int, flush func() error) error

// download sends logs as files.
type download struct {
	write LogWriter
	log   *slog.Logger
	slots chan struct{}
}

func newDownload(write LogWriter, log *slog.Logger) *download {
	return &download{write: write, log: log, slots: make(chan struct{}, maxDownloads)}
}

// files are the content types and the ends of file names by format.
var files = map[string]struct{ media, end string }{
	"text":   {"text/plain; charset=utf-8", ".log"},
	"raw":    {"text/plain; charset=utf-8", ".raw.log"},
	"ndjson": {"application/x-ndjson", ".ndjson"},
}

var taskID = regexp.MustCompile(`^[0-9A-Z]{26}$`)

// ServeHTTP answers GET /download/tasks/{id}/log?format=text|raw|ndjson&attempt=N.
func (d *download) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := mayRead(r.Context()); err != nil {
		writeError(w, r, err)
		return
	}
	id, query := r.PathValue("id"), r.URL.Query()
	format := query.Get("format")
	if format == "" {
		format = "text"
	}
	file, known := files[format]
	attempt, err := strconv.Atoi(query.Get("attempt"))
	switch {
	case !known:
		writeError(w, r, fault.New(fault.Unsupported, "There is no log format %q: use text, raw or ndjson.", format))
		return
	case query.Get("attempt") != "" && (err != nil || attempt < 1):
		writeError(w, r, fault.New(fault.Invalid, "The attempt %q is not a number from 1.", query.Get("attempt")))
		return
	case !taskID.MatchString(id):
		writeError(w, r, fault.New(fault.NotFound, "There is no task %q.", id))
		return
	}
	select {
	case d.slots <- struct{}{}:
		defer func() { <-d.slots }()
	default:
		writeError(w, r, fault.New(fault.Limit, "This server sends as many logs as it may at once: try again in a moment."))
		return
	}
	d.send(w, r, file.media, "task-"+id+file.end, func(ctx context.Context, body io.Writer, flush func() error) error {
		return d.write(ctx, body, id, format, attempt, flush)
	})
}

// send writes a file. Once it has begun, an error cuts the connection, so that
// nobody takes a part for the whole.
func (d *download) send(w http.ResponseWriter, r *http.Request, media, name string, write func(ctx context.Context, body io.Writer, flush func() error) error) {
	begun := false
	control := http.NewResponseController(w)
	body := writerFunc(func(b []byte) (int, error) {
		if !begun {
			begun = true
			h := w.Header()
			h.Set("Content-Type", media)
			h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
			h.Set("Cache-Control", "no-store")
		}
		return w.Write(b)
	})
	renew := func() error {
		err := control.SetWriteDeadline(clock.System{}.Now().Add(pageTimeout))
		if errors.Is(err, http.ErrNotSupported) {
			return nil // a recorder in a test
		}
		return err
	}
	flush := func() error {
		if err := control.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return err
		}
		return renew()
	}
	err := renew()
	if err == nil {
		err = write(r.Context(), body, flush)
	}
	_ = control.SetWriteDeadline(time.Time{}) // the connection serves other requests next
	switch {
	case err == nil && !begun:
		_, _ = body(nil) // an empty log is an empty file
	case err == nil:
	case !begun:
		if len(fault.All(err)) == 0 {
			d.log.ErrorContext(r.Context(), "a download could not be read", "request_id", request.ID(r.Context()), "file", name, "error", err)
		}
		writeError(w, r, err)
	default:
		d.log.WarnContext(r.Context(), "a download ended early", "request_id", request.ID(r.Context()), "file", name, "error", err)
		panic(http.ErrAbortHandler) //nolint:forbidigo // the client must not take half an answer for a whole one
	}
}

type writerFunc func([]byte) (int, error)

// Write implements io.Writer.
func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// mayRead says whether the caller may read anything; of which apps, the LogWriter looks at.
func mayRead(ctx context.Context) error {
	if err := request.Refused(ctx); err != nil {
		return err
	}
	if err := account.AllowAny(request.Caller(ctx), models.RoleViewer); err != nil {
		return err
	}
	return account.AllowScope(request.Caller(ctx), models.ScopeLogsRead)
}

// wrapDownload puts who asks into the context of a request that a link makes: a
// session's cookie counts without the console's header, which links cannot send.
// The answer is of no use to a page of another site, which cannot read it; one
// that tries is refused all the same.
func (a *Auth) wrapDownload(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		cookie, err := r.Cookie(SessionCookie)
		if r.Header.Get("Authorization") != "" || err != nil || cookie.Value == "" {
			a.wrap(next).ServeHTTP(w, r)
			return
		}
		ctx := r.Context()
		if a.origins.foreign(r) {
			ctx = request.WithRefusal(ctx, fault.New(fault.Forbidden, "A page of another site may not ask for this: open the console at its own address."))
		} else {
			ctx = a.known(ctx, account.Credentials{Cookie: cookie.Value})
		}
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}
