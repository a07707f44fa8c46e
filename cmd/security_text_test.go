package cmd

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/job"
)

// The cause behind actuators, consoles and debug pages (as of CVE-2023-48796 and PowerJob's H2
// console): frameworks open paths of their own beside those that somebody thought of. None
// of those that scanners try is there, for administrators neither.
func TestNoPathOfAFrameworkIsOpen(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	a := people(t, p)
	_, page, _ := p.call(t, http.MethodGet, "/", "", http.Header{"Accept": {"text/html"}})
	for _, at := range []string{
		"/debug/pprof/", "/debug/pprof/heap", "/debug/pprof/cmdline", "/debug/vars", "/debug/requests", "/actuator", "/actuator/env", "/actuator/heapdump",
		"/env", "/heapdump", "/trace", "/jolokia/", "/h2-console/", "/druid/index.html", "/swagger-ui.html", "/swagger-ui/", "/v2/api-docs", "/api-docs", "/openapi.json",
		"/graphiql", "/playground", "/altair", "/voyager", "/graphql/schema", "/graphql/console", "/api/registry", "/api/callback", "/run", "/beat", "/idleBeat", "/kill", "/log",
		"/jobinfo/trigger", "/joblog/logDetailCat", "/user/save", "/user/list", "/server/assert", "/container/jarUpload", "/.git/config", "/.git/HEAD", "/.env", "/config.yaml",
		"/belfry.db", "/belfry.db-wal", "/backup.sql", "/server-status", "/phpinfo.php", "/wp-login.php", "/console/", "/admin", "/manager/html", "/metrics/../debug/pprof/",
	} {
		for _, accept := range []string{"*/*", "text/html"} {
			for _, as := range []http.Header{{"Accept": {accept}}, {"Accept": {accept}, "Authorization": a.admin["Authorization"]}} {
				status, text, header := p.call(t, http.MethodGet, at, "", as)
				switch {
				case status == http.StatusNotFound, status == http.StatusMethodNotAllowed, status >= 300 && status < 400 && !strings.Contains(header.Get("Location"), "//"):
				case accept == "text/html" && text == page: // the console's own page, for its own addresses
				default:
					t.Errorf("%s (%s): %d %.200s", at, accept, status, text)
				}
			}
		}
	}
}

// The cause behind reading files by path (as of CVE-2022-26884): a name out of a request
// became a path. Nothing that is served comes from the disk, and no way of writing leads out.
func TestNoPathLeadsOut(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	a := people(t, p)
	file := strings.TrimPrefix(p.database, "sqlite://")
	dots := []string{"..", "%2e%2e", "..%2f..", "%2e%2e%2f%2e%2e", "..%5c..", "%252e%252e", "..;", "....//", "%c0%ae%c0%ae", "..%00", "%00"}
	for _, dot := range dots {
		for _, base := range []string{"/", "/assets/", "/download/tasks/", "/download/tasks/" + a.own + "/", "/worker/v1/tasks/", "/auth/"} {
			for _, target := range []string{"/etc/passwd", file, "/go.mod", "/proc/self/environ"} {
				at := base + strings.Repeat(dot+"/", 8) + strings.TrimPrefix(target, "/")
				status, text := p.raw(t, at, a.admin.Get("Authorization"))
				if strings.Contains(text, "root:") || strings.Contains(text, "SQLite format") || strings.Contains(text, "PATH=") || strings.Contains(text, "module github.com") {
					t.Errorf("%s: %d %.200s", at, status, text)
				}
			}
		}
	}
	for _, name := range []string{"../../../etc/passwd", "task/../../x", `a"; filename="evil.html`, "..\\..\\x", "%0d%0aX: y"} {
		status, _, header := p.call(t, http.MethodGet, "/download/tasks/"+strings.ReplaceAll(strings.ReplaceAll(name, `"`, "%22"), "/", "%2f")+"/log", "", a.admin)
		if status == http.StatusOK || header.Get("Content-Disposition") != "" {
			t.Errorf("a log named %q: %d %v", name, status, header)
		}
	}
}

// raw writes a request line as it stands, which clients would tidy up.
func (p *plant) raw(t *testing.T, at, authorization string) (int, string) {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nAuthorization: %s\r\nConnection: close\r\n\r\n", at, authorization); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	var status int
	_, _ = fmt.Sscanf(string(answer), "HTTP/1.1 %d", &status) // no status is no file either
	return status, string(answer)
}

// The cause behind code that a job brings along (as of CVE-2022-40929, CVE-2023-49299 and
// CVE-2024-23320: script jobs, and JavaScript in a condition): the server, or every worker, ran
// it. Here only the agent starts programs, by a list on its own machine; nothing of the
// server can start a program, load code, or evaluate an expression.
func TestTheServerRunsNoCodeOfOthers(t *testing.T) {
	t.Parallel()
	root := os.DirFS("..")
	starts := map[string]bool{"os/exec": true, "plugin": true}
	// Who may start programs: the agent, the commands that drive the tests' servers, and tools.
	may := regexp.MustCompile(`^(services/agent/|internal/testserver/|internal/apptest/|internal/supply/|faults/|bench/|scripts/|examples/|console/|cmd/agent)`)
	found := 0
	err := fs.WalkDir(root, ".", func(at string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && (entry.Name() == "node_modules" || strings.HasPrefix(entry.Name(), ".") && at != ".") {
			if err == nil {
				err = fs.SkipDir
			}
			return err
		}
		if path.Ext(at) != ".go" || strings.HasSuffix(at, "_test.go") {
			return nil
		}
		source, err := fs.ReadFile(root, at)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), at, source, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			name := strings.Trim(spec.Path.Value, `"`)
			if starts[name] && !may.MatchString(at) {
				t.Errorf("%s imports %s: the server starts no programs", at, name)
			}
			if starts[name] {
				found++
			}
			for _, engine := range []string{"goja", "otto", "gopher-lua", "starlark", "expr-lang", "govaluate", "yaegi", "tengo", "v8go", "wazero"} {
				if strings.Contains(name, engine) {
					t.Errorf("%s imports %s, which evaluates code", at, name)
				}
			}
		}
		return nil
	})
	if err != nil || found == 0 {
		t.Errorf("looked at nothing: %d, %v", found, err)
	}
}

// The cause behind injected SQL (as of CB-098, PowerJob's H2 queries before login): text of a filter
// became part of a statement, behind a list of forbidden words. Whatever stands in a filter,
// a search, a cursor or an order is a value: it finds what contains it, and no error of a
// database is ever seen.
func TestWhatIsSearchedForIsText(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, p *plant) {
		a := people(t, p)
		odd := []string{
			`'`, `"`, "`", `\`, `\\`, `\'`, `%`, `_`, `%_%`, `' OR '1'='1`, `' OR 1=1 -- `, `"; DROP TABLE tasks; --`, `') UNION SELECT hash FROM api_tokens -- `, `/* x */`, `--`, `;`, `#`,
			`${jndi:ldap://x}`, `{{7*7}}`, `😀`, `𠮷野家`, "e\u0301", "\u200d", "a\tb", `0x27`, `%27`, `char(39)`, `sleep(5)`, `pg_sleep(5)`, `benchmark(1e9,md5(1))`,
		}
		for i, text := range odd {
			p.job(fmt.Sprintf("Odd%d", i), func(in *job.Input) {
				in.Name, in.Handler = fmt.Sprintf("odd %d %s end", i, strings.ReplaceAll(text, "\t", " ")), "Odd"
			})
		}
		for i, text := range odd {
			want := fmt.Sprintf("odd %d ", i)
			answer := a.ask(t, p, a.admin, `query($s:String){jobs(filter:{search:$s},first:100){nodes{name}}}`, map[string]any{"s": strings.ReplaceAll(text, "\t", " ")})
			var got struct {
				Data struct {
					Jobs struct{ Nodes []struct{ Name string } }
				}
				Errors []struct{ Message string }
			}
			if err := json.Unmarshal([]byte(answer), &got); err != nil || len(got.Errors) > 0 {
				t.Errorf("searching for %q: %s", text, answer)
				continue
			}
			found := false
			for _, n := range got.Data.Jobs.Nodes {
				if !strings.Contains(strings.ToLower(n.Name), strings.ToLower(strings.ReplaceAll(text, "\t", " "))) {
					t.Errorf("searching for %q found %q", text, n.Name)
				}
				found = found || strings.HasPrefix(n.Name, want)
			}
			if !found {
				t.Errorf("searching for %q does not find %q: %s", text, want, answer)
			}
		}
		for _, text := range append(odd, "\x00", strings.Repeat("'", 5000)) {
			for _, query := range []string{
				`query($s:String,$i:ID!){jobs(after:$s,first:5){nodes{id}} job(id:$i){id}}`,
				`query($i:ID!){tasks(filter:{job:$i,app:$i,node:$i}){nodes{id}} task(id:$i){id}}`,
				`query($s:String){tasks(after:$s){nodes{id}}}`,
				`query($s:String){task(id:"` + a.own + `"){searchLogs(filter:{text:$s}){nodes{message}}}}`,
				`query($s:String!){app(name:$s){id}}`,
				`mutation($i:ID!){cancelTask(id:$i){userErrors{message}}}`,
				`query($s:String){jobs(orderBy:$s){nodes{id}}}`, // an order is one of a list: refused before anything runs
			} {
				answer := a.ask(t, p, a.admin, query, map[string]any{"s": text, "i": text})
				for _, word := range []string{"SQLITE", "sqlite", "MySQL", "syntax to use", "near \\\"", "SELECT ", "no such column", "INTERNAL", "gorm"} {
					if strings.Contains(answer, word) && !strings.Contains(text, word) {
						t.Errorf("%s with %.40q: %s", query, text, answer)
					}
				}
			}
		}
		if got, err := p.tasks.Task(t.Context(), a.own); err != nil || got.State != models.TaskWaiting {
			t.Errorf("the task after all that: %s, %v", got.State, err)
		}
	})
}

// The cause behind consoles that run what a job is called (as of CVE-2023-26120 and Dkron's output
// view): text went into a page as markup. The console's page lets no script run but its own,
// answers of the API are JSON and never a page, and a log that is downloaded is a file.
func TestTextNeverBecomesAPage(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	a := people(t, p)
	const evil = `<script>alert(1)</script><img src=x onerror=alert(1)>"'`
	j := p.job("H", func(in *job.Input) { in.Name, in.Description = evil, new(evil) })
	h := &hand{p, p.key, "w1", "incarnation-1"}
	given := h.register()
	id := p.trigger(j)
	w := awaitWork(t, given)
	h.report(item(w, "log", map[string]any{"lines": []any{map[string]any{"seq": 1, "at": "2026-01-01T00:00:00Z", "level": "INFO", "message": evil}}}), item(w, "result", map[string]any{"outcome": "failed", "error": evil, "noRetry": true}))
	p.awaitState(id, models.TaskFailed)
	for _, one := range []probe{
		{http.MethodPost, "/graphql", `{"query":"{job(id:\"` + j.ID + `\"){name description} task(id:\"` + id + `\"){error logs{nodes{message}}}}"}`},
		{http.MethodPost, "/graphql", `{"query":"{` + strings.ReplaceAll(evil, `"`, `\"`) + `}"}`},
		{http.MethodGet, "/download/tasks/" + id + "/log", ""},
		{http.MethodGet, "/download/tasks/" + strings.ReplaceAll(evil, " ", "%20") + "/log", ""},
		{http.MethodGet, "/auth/" + strings.ReplaceAll(evil, " ", "%20"), ""},
		{http.MethodGet, "/worker/v1/" + strings.ReplaceAll(evil, " ", "%20"), ""},
		{http.MethodPost, "/auth/sign-in", evil},
	} {
		as := a.admin.Clone()
		as.Set("Accept", "text/html")
		status, text, header := p.call(t, one.method, one.path, one.body, as)
		if kind := header.Get("Content-Type"); strings.Contains(kind, "html") || strings.Contains(kind, "xml") || strings.Contains(kind, "script") || header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %s: %d %q %q %.100s", one.method, one.path, status, kind, header.Get("X-Content-Type-Options"), text)
		}
		if strings.HasPrefix(one.path, "/download/tasks/"+id) && !strings.HasPrefix(header.Get("Content-Disposition"), "attachment") {
			t.Errorf("a log is shown and not saved: %v", header)
		}
	}
	_, _, header := p.call(t, http.MethodGet, "/", "", http.Header{"Accept": {"text/html"}})
	script := regexp.MustCompile(`script-src ([^;]*)`).FindStringSubmatch(header.Get("Content-Security-Policy"))
	if len(script) == 0 || strings.Contains(script[1], "unsafe") || strings.Contains(script[1], "*") || strings.Contains(script[1], "http") {
		t.Errorf("the page's policy is %q", header.Get("Content-Security-Policy"))
	}
}

// The same for the console's own source: React shows text as text unless it is told not to.
func TestTheConsoleNeverWritesMarkup(t *testing.T) {
	t.Parallel()
	bad := regexp.MustCompile(`dangerouslySetInnerHTML|\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\(|srcDoc|javascript:`)
	root, seen := os.DirFS("../console"), 0
	for _, dir := range []string{"src", "index.html"} {
		err := fs.WalkDir(root, dir, func(at string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || strings.Contains(at, ".test.") {
				return err
			}
			source, err := fs.ReadFile(root, at)
			if err != nil {
				return err
			}
			seen++
			if hit := bad.Find(source); hit != nil {
				t.Errorf("console/%s has %s: text of others could become markup or code there", at, hit)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 100 {
		t.Errorf("looked at %d files only", seen)
	}
}
