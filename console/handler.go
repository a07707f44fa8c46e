package console

import (
	"bytes"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// policy lets the page load only from its own origin. Styles may stand inline, because the
// component library sets sizes that way; scripts may not.
const policy = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// handler serves one build. Its file system does not change while it lives.
type handler struct {
	files fs.FS
	built bool
}

func newHandler(files fs.FS) http.Handler {
	_, err := fs.Stat(files, "index.html")
	return &handler{files: files, built: err == nil}
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "the console answers GET and HEAD only", http.StatusMethodNotAllowed)
		return
	}
	setSecurityHeaders(w.Header())
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	switch {
	case !h.built && wantsHTML(r):
		serveBytes(w, r, http.StatusServiceUnavailable, "text/html; charset=utf-8", []byte(notBuilt))
	case name != "" && name != "index.html" && !isCompressed(name) && h.serveFile(w, r, name):
	case h.built && wantsHTML(r):
		h.serveFile(w, r, "index.html")
	default:
		http.NotFound(w, r)
	}
}

// serveFile answers a file of the build, compressed if the client takes that; false when there is none.
func (h *handler) serveFile(w http.ResponseWriter, r *http.Request, name string) bool {
	info, err := fs.Stat(h.files, name)
	if err != nil || info.IsDir() || strings.HasPrefix(path.Base(name), ".") {
		return false
	}
	stored := name
	w.Header().Add("Vary", "Accept-Encoding")
	for _, form := range []struct{ suffix, encoding string }{{".br", "br"}, {".gz", "gzip"}} {
		if !accepts(r.Header.Get("Accept-Encoding"), form.encoding) {
			continue
		}
		if _, err := fs.Stat(h.files, name+form.suffix); err == nil {
			stored = name + form.suffix
			w.Header().Set("Content-Encoding", form.encoding)
			break
		}
	}
	content, err := fs.ReadFile(h.files, stored)
	if err != nil {
		http.Error(w, "a file of the console cannot be read", http.StatusInternalServerError)
		return true
	}
	// Names in assets/ carry a hash of their content; all else must be asked for anew.
	if strings.HasPrefix(name, "assets/") {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		w.Header().Set("Cache-Control", "no-cache")
	}
	serveBytes(w, r, http.StatusOK, contentType(name), content)
	return true
}

func serveBytes(w http.ResponseWriter, r *http.Request, status int, kind string, content []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(content)))
	w.WriteHeader(status)
	if r.Method == http.MethodGet {
		// A client that went away is no error of ours.
		_, _ = io.Copy(w, bytes.NewReader(content))
	}
}

func setSecurityHeaders(header http.Header) {
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Frame-Options", "DENY")
}

// wantsHTML tells a person's browser opening an address from a script asking for a file that is not there.
func wantsHTML(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "text/html") && path.Ext(r.URL.Path) == ""
}

func isCompressed(name string) bool {
	return strings.HasSuffix(name, ".br") || strings.HasSuffix(name, ".gz")
}

// accepts reports whether an Accept-Encoding header names the encoding without refusing it by q=0.
func accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		q, found := strings.CutPrefix(strings.TrimSpace(params), "q=")
		weight, err := strconv.ParseFloat(q, 64)
		return !found || err != nil || weight > 0
	}
	return false
}

// types of the build's files; the machine's own table may lack or redefine some.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".svg":  "image/svg+xml",
	".json": "application/json",
	".txt":  "text/plain; charset=utf-8",
}

func contentType(name string) string {
	ext := path.Ext(name)
	if kind, ok := types[ext]; ok {
		return kind
	}
	if kind := mime.TypeByExtension(ext); kind != "" {
		return kind
	}
	return "application/octet-stream"
}
