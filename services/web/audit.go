package web

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/url"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

// maxExports is how many exports of the audit trail are sent at once; each holds a page.
const maxExports = 4

// AuditWriter writes the rows of the audit trail that query means, page by page, and calls
// flush after each; a fault that comes before the first byte is answered as such. It cuts
// the rows to the apps that the caller administers.
type AuditWriter func(ctx context.Context, w io.Writer, format string, query url.Values, flush func() error) error

// auditFiles are the content types and the names of files by format.
var auditFiles = map[string]struct{ media, name string }{
	"csv":   {"text/csv; charset=utf-8", "audit-trail.csv"},
	"jsonl": {"application/x-ndjson", "audit-trail.jsonl"},
}

// auditExport answers GET /download/audit?format=csv|jsonl with the filters of the page.
func auditExport(write AuditWriter, log *slog.Logger) http.Handler {
	d := &download{log: log, slots: make(chan struct{}, maxExports)}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := mayAudit(r.Context()); err != nil {
			writeError(w, r, err)
			return
		}
		query := r.URL.Query()
		format := query.Get("format")
		file, known := auditFiles[format]
		if !known {
			writeError(w, r, fault.New(fault.Unsupported, "There is no export format %q: use csv or jsonl.", format))
			return
		}
		select {
		case d.slots <- struct{}{}:
			defer func() { <-d.slots }()
		default:
			writeError(w, r, fault.New(fault.Limit, "This server sends as many exports as it may at once: try again in a moment."))
			return
		}
		d.send(w, r, file.media, file.name, func(ctx context.Context, body io.Writer, flush func() error) error {
			return write(ctx, body, format, query, flush)
		})
	})
}

// mayAudit says whether the caller administers any app; of which ones, the AuditWriter
// looks at.
func mayAudit(ctx context.Context) error {
	if err := request.Refused(ctx); err != nil {
		return err
	}
	if err := account.AllowAny(request.Caller(ctx), models.RoleAdmin); err != nil {
		return err
	}
	return account.AllowScope(request.Caller(ctx), models.ScopeAdministrationRead)
}
