package console

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

func build() fstest.MapFS {
	file := func(content string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(content)} }
	return fstest.MapFS{
		".gitkeep":           file(""),
		"index.html":         file("<html>app</html>"),
		"boot.js":            file("boot"),
		"assets/app-1a2b.js": file("plain"), "assets/app-1a2b.js.gz": file("gzip"), "assets/app-1a2b.js.br": file("brotli"),
		"assets/one-3c4d.css": file("css"), "assets/one-3c4d.css.gz": file("gzip"),
	}
}

const (
	browser   = "text/html,application/xhtml+xml,*/*;q=0.8"
	immutable = "public, max-age=31536000, immutable"
)

func TestHandler(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, method, path, accept, encodings string
		status                                int
		body, kind, encoding, cache           string
	}{
		{"index", "GET", "/", browser, "", 200, "<html>app</html>", "text/html; charset=utf-8", "", "no-cache"},
		{"address of the app", "GET", "/jobs/17?tab=runs", browser, "", 200, "<html>app</html>", "text/html; charset=utf-8", "", "no-cache"},
		{"address of the app asked for by a script", "GET", "/jobs/17", "application/json", "", 404, "", "", "", ""},
		{"missing asset opened in a browser", "GET", "/assets/gone.js", browser, "", 404, "", "", "", ""},
		{"asset", "GET", "/assets/app-1a2b.js", "*/*", "", 200, "plain", "text/javascript; charset=utf-8", "", immutable},
		{"asset, brotli preferred", "GET", "/assets/app-1a2b.js", "*/*", "gzip, deflate, br", 200, "brotli", "text/javascript; charset=utf-8", "br", immutable},
		{"asset, brotli refused", "GET", "/assets/app-1a2b.js", "*/*", "br;q=0, gzip;q=0.5", 200, "gzip", "text/javascript; charset=utf-8", "gzip", immutable},
		{"asset that has only gzip", "GET", "/assets/one-3c4d.css", "*/*", "gzip, br", 200, "gzip", "text/css; charset=utf-8", "gzip", immutable},
		{"compressed form by its own name", "GET", "/assets/app-1a2b.js.gz", "*/*", "", 404, "", "", "", ""},
		{"file beside the assets", "GET", "/boot.js", "*/*", "br", 200, "boot", "text/javascript; charset=utf-8", "", "no-cache"},
		{"folder", "GET", "/assets/", "*/*", "", 404, "", "", "", ""},
		{"hidden file", "GET", "/.gitkeep", "*/*", "", 404, "", "", "", ""},
		{"way out of the folder", "GET", "/../handler.go", "*/*", "", 404, "", "", "", ""},
		{"head", "HEAD", "/", browser, "", 200, "", "text/html; charset=utf-8", "", "no-cache"},
		{"post", "POST", "/jobs", browser, "", 405, "", "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			request := httptest.NewRequest(tt.method, tt.path, nil)
			request.Header.Set("Accept", tt.accept)
			request.Header.Set("Accept-Encoding", tt.encodings)
			answer := httptest.NewRecorder()
			newHandler(build()).ServeHTTP(answer, request)

			if answer.Code != tt.status {
				t.Fatalf("status = %d, want %d", answer.Code, tt.status)
			}
			if tt.status != http.StatusOK {
				return
			}
			if got := answer.Body.String(); got != tt.body {
				t.Errorf("body = %q, want %q", got, tt.body)
			}
			for header, want := range map[string]string{
				"Content-Type": tt.kind, "Content-Encoding": tt.encoding, "Cache-Control": tt.cache,
				"X-Content-Type-Options": "nosniff",
			} {
				if got := answer.Header().Get(header); got != want {
					t.Errorf("%s = %q, want %q", header, got, want)
				}
			}
			if got := answer.Header().Get("Content-Security-Policy"); strings.Contains(got, "script-src 'self' 'unsafe-inline'") || got == "" {
				t.Errorf("policy = %q, want one that forbids inline scripts", got)
			}
		})
	}
}

func TestHandlerWithoutBuild(t *testing.T) {
	t.Parallel()
	request := httptest.NewRequest(http.MethodGet, "/jobs", nil)
	request.Header.Set("Accept", browser)
	answer := httptest.NewRecorder()
	newHandler(fstest.MapFS{".gitkeep": {}}).ServeHTTP(answer, request)
	if answer.Code != http.StatusServiceUnavailable || !strings.Contains(answer.Body.String(), "npm run build") {
		t.Errorf("got %d %q, want 503 and the way to build", answer.Code, answer.Body)
	}
}

func TestEmbedded(t *testing.T) {
	t.Parallel()
	// With or without a build, the embedded folder is there and the handler comes up.
	answer := httptest.NewRecorder()
	request := httptest.NewRequest(http.MethodGet, "/", nil)
	request.Header.Set("Accept", browser)
	Handler().ServeHTTP(answer, request)
	if answer.Code != http.StatusOK && answer.Code != http.StatusServiceUnavailable {
		t.Errorf("status = %d", answer.Code)
	}
}
