package allow

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/services/fault"
)

// fatal is a testing.TB or a rapid.T.
type fatal interface {
	Helper()
	Fatalf(format string, values ...any)
}

func parsed(t fatal, text string) *List {
	t.Helper()
	list, err := Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return list
}

const sample = `
environment: [TZ, "LC_*"]
commands:
  - program: /usr/bin/rsync
    arguments: ["-a|-av", "/srv/[a-z]+", /backup]
    users: [backup]
    directories: [/srv, /var/lib/x]
    environment: [RSYNC_LOG, "APP_*"]
  - program: /usr/bin/rsync
    arguments: [--version]
  - program: /bin/echo
    anyArguments: true
    environment: ["*"]
  - program: /opt/a/tool
  - program: /opt/b/tool
  - program: /usr/bin/gzip
    arguments: [-9]
    moreArguments: "[^-].*"
    environment: [LD_PRELOAD]
shell:
  - text: "df -h( /[a-z]+)?"
    directories: [/]
`

func TestOnlyWhatTheListSaysMayRun(t *testing.T) {
	t.Parallel()
	list := parsed(t, sample)
	args := func(words ...string) Request { return Request{Arguments: words} }
	tests := []struct {
		name    string
		request Request
		refused string // part of the message; "" is allowed
		program string
	}{
		{name: "patterns match", request: args("/usr/bin/rsync", "-av", "/srv/data", "/backup"), program: "/usr/bin/rsync"},
		{name: "a bare name is looked up in the list", request: args("rsync", "--version"), program: "/usr/bin/rsync"},
		{name: "an expression matches whole arguments", request: args("/usr/bin/rsync", "-av", "/srv/data/../../etc", "/backup"), refused: "not with these arguments"},
		{name: "alternatives are anchored too", request: args("/usr/bin/rsync", "-a --rsh=sh", "/srv/data", "/backup"), refused: "not with these arguments"},
		{name: "a line break does not end a text", request: args("/usr/bin/rsync", "-a", "/srv/data\n", "/backup"), refused: "not with these arguments"},
		{name: "too few", request: args("/usr/bin/rsync", "-a", "/srv/data"), refused: "not with these arguments"},
		{name: "too many", request: args("/usr/bin/rsync", "-a", "/srv/data", "/backup", "-e", "sh"), refused: "not with these arguments"},
		{name: "another path to the same file", request: args("/usr/bin/../bin/rsync", "--version"), refused: "not allowed here"},
		{name: "a relative path", request: args("./rsync", "--version"), refused: "not allowed here"},
		{name: "a name in another case", request: args("RSYNC", "--version"), refused: "not allowed here"},
		{name: "a name that two rules have", request: args("tool"), refused: "give the whole path"},
		{name: "without patterns no arguments", request: args("/opt/a/tool", "x"), refused: "not with these arguments"},
		{name: "without patterns, none given", request: args("/opt/a/tool"), program: "/opt/a/tool"},
		{name: "any arguments", request: args("echo", "$(id)", ";", "&&", "`id`"), program: "/bin/echo"},
		{name: "more arguments", request: args("gzip", "-9", "a", "b"), program: "/usr/bin/gzip"},
		{name: "more arguments by their pattern", request: args("gzip", "-9", "a", "-d"), refused: "not with these arguments"},
		{name: "a user of the rule", request: Request{Arguments: []string{"rsync", "-a", "/srv/a", "/backup"}, User: "backup"}, program: "/usr/bin/rsync"},
		{name: "another user", request: Request{Arguments: []string{"rsync", "-a", "/srv/a", "/backup"}, User: "root"}, refused: `"root" is not allowed`},
		{name: "no user in the rule", request: Request{Arguments: []string{"rsync", "--version"}, User: "backup"}, refused: "not allowed"},
		{name: "a directory below", request: Request{Arguments: []string{"rsync", "-a", "/srv/a", "/backup"}, Directory: "/srv/a/b"}, program: "/usr/bin/rsync"},
		{name: "a directory beside", request: Request{Arguments: []string{"rsync", "-a", "/srv/a", "/backup"}, Directory: "/srv2"}, refused: "not allowed"},
		{name: "a directory by way of dots", request: Request{Arguments: []string{"rsync", "-a", "/srv/a", "/backup"}, Directory: "/srv/../etc"}, refused: "not allowed"},
		{name: "a variable of the rule", request: Request{Arguments: []string{"rsync", "-a", "/srv/a", "/backup"}, Environment: []string{"APP_X", "RSYNC_LOG"}}, program: "/usr/bin/rsync"},
		{name: "another variable", request: Request{Arguments: []string{"rsync", "-a", "/srv/a", "/backup"}, Environment: []string{"RSYNC_RSH"}}, refused: "RSYNC_RSH may not be set"},
		{name: "a star does not stand for what loads code", request: Request{Arguments: []string{"echo"}, Environment: []string{"LD_PRELOAD"}}, refused: "LD_PRELOAD may not be set"},
		{name: "nor in another case", request: Request{Arguments: []string{"echo"}, Environment: []string{"Path"}}, refused: "Path may not be set"},
		{name: "named in full it may", request: Request{Arguments: []string{"gzip", "-9"}, Environment: []string{"LD_PRELOAD"}}, program: "/usr/bin/gzip"},
		{name: "Belfry's own variables never", request: Request{Arguments: []string{"echo"}, Environment: []string{"BELFRY_FENCE"}}, refused: "Belfry's own"},
		{name: "a name that is none", request: Request{Arguments: []string{"echo"}, Environment: []string{"A=B"}}, refused: "not usable"},
		{name: "a shell text", request: Request{Shell: "df -h /home"}, program: ""},
		{name: "a shell text with more behind", request: Request{Shell: "df -h; id"}, refused: "shell text is not allowed"},
		{name: "a shell text with a second line", request: Request{Shell: "df -h\nid"}, refused: "shell text is not allowed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			permit, refusal := list.Run(tt.request)
			switch {
			case tt.refused == "" && refusal != nil:
				t.Errorf("refused: %v", refusal)
			case tt.refused == "" && permit.Program != tt.program:
				t.Errorf("program %q, want %q", permit.Program, tt.program)
			case tt.refused != "" && refusal == nil:
				t.Errorf("allowed as %+v", permit)
			case tt.refused != "" && !strings.Contains(refusal.Message, tt.refused):
				t.Errorf("message %q, want %q in it", refusal.Message, tt.refused)
			}
		})
	}
}

func TestEmptyListAllowsNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "# nothing yet\n", "commands: []\n"} {
		list := parsed(t, text)
		if _, refusal := list.Run(Request{Arguments: []string{"/bin/true"}}); refusal == nil || refusal.Code != fault.Forbidden {
			t.Errorf("%q: %v", text, refusal)
		}
		if _, refusal := list.Run(Request{Shell: "true"}); refusal == nil {
			t.Errorf("%q allows a shell", text)
		}
	}
}

func TestMistakesInAListAreNamed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"comands: []":                                                   "comands",
		"commands: [{program: rsync}]":                                  "absolute path",
		"commands: [{program: /usr/bin/../bin/x}]":                      "absolute path",
		"commands: [{program: /x, arguments: ['[']}]":                   "no regular expression",
		"commands: [{program: /x, arguments: ['a)|(?:b']}]":             "no regular expression",
		"commands: [{program: /x, arguments: [a], anyArguments: true}]": "one or the other",
		"commands: [{program: /x, argument: [a]}]":                      "argument",
		"commands: [{program: /x, directories: [srv]}]":                 "absolute paths",
		"commands: [{program: /x, environment: [BELFRY_KEY]}]":          "BELFRY_KEY",
		"commands: [{program: /x, set: {BELFRY_FENCE: '1'}}]":           "BELFRY_",
		"environment: ['BELFRY_*']":                                     "BELFRY_",
		"shell: [{any: true, text: x}]":                                 "either text",
		"shell: [{users: [a]}]":                                         "either text",
		"http: [{url: ftp://x/}]":                                       "http",
		"http: [{url: 'https://x/?a=b'}]":                               "query",
		"http: [{url: 'https://x/', methods: [get]}]":                   "methods",
		"http: [{url: 'https://x/', secrets: [BELFRY_KEY]}]":            "BELFRY_",
		"commands: [{program: /x}]\ncommands: []":                       "already defined",
		strings.Repeat("#", MaxFileBytes+1):                             "at most",
	} {
		_, err := Parse([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %q in it", text, err, want)
		}
	}
}

// Whatever is asked for: the lines of the refusal are a list that allows it, and
// nothing with another argument.
func TestAdviceAllowsExactlyWhatWasRefused(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringOfN(rapid.Rune().Filter(func(r rune) bool { return r != 0 && r != 0xFFFD && r != 0xFEFF }), 0, 12, -1)
		r := Request{Arguments: append([]string{"/opt/" + rapid.StringMatching(`[a-z0-9. :#'"-]{1,8}x`).Draw(t, "program")}, rapid.SliceOfN(word, 0, 4).Draw(t, "arguments")...)}
		if rapid.Bool().Draw(t, "shell") {
			r.Arguments, r.Shell = nil, word.Draw(t, "text")+"x"
		}
		if rapid.Bool().Draw(t, "more") {
			r.User, r.Directory, r.Environment = "backup", "/srv/"+rapid.StringMatching(`[a-z #:]{0,5}x`).Draw(t, "dir"), []string{"APP_B", "APP_A", "APP_B"}
		}
		_, refusal := (&List{}).Run(r)
		_, lines, _ := strings.Cut(refusal.Message, "(texts are regular expressions):\n")
		list := parsed(t, lines)
		if _, again := list.Run(r); again != nil {
			t.Fatalf("still refused: %v\nby\n%s", again, lines)
		}
		other := r
		if r.Shell != "" {
			other.Shell += "y"
		} else {
			other.Arguments = append(append([]string{}, r.Arguments...), "y")
		}
		if _, again := list.Run(other); again == nil {
			t.Fatalf("%+v is allowed by\n%s", other, lines)
		}
	})
}

// Whatever is asked for: what is allowed is the program of a rule, as a whole path.
func FuzzCommandMatch(f *testing.F) {
	list := parsed(f, sample)
	f.Add("rsync", "-a", "/srv/a", "/srv/a", "APP_X", "backup")
	f.Add("/usr/bin/rsync\x00", "-a\n", "/srv/a", "/srv/../a", "LD_PRELOAD", "")
	f.Fuzz(func(t *testing.T, program, first, second, dir, variable, user string) {
		permit, refusal := list.Run(Request{Arguments: []string{program, first, second, "/backup"}, Directory: dir, Environment: []string{variable}, User: user})
		if refusal != nil {
			return
		}
		switch permit.Program {
		case "/usr/bin/rsync":
			if first != "-a" && first != "-av" || !strings.HasPrefix(second, "/srv/") || strings.Trim(second[5:], "abcdefghijklmnopqrstuvwxyz") != "" {
				t.Errorf("allowed %q %q", first, second)
			}
			if dir != "" && dir != "/srv" && dir != "/var/lib/x" && !strings.HasPrefix(dir, "/srv/") && !strings.HasPrefix(dir, "/var/lib/x/") || strings.Contains(dir+"/", "/../") {
				t.Errorf("allowed the directory %q", dir)
			}
			if user != "" && user != "backup" {
				t.Errorf("allowed the user %q", user)
			}
		case "/bin/echo":
			if dir != "" || user != "" {
				t.Errorf("allowed directory %q, user %q", dir, user)
			}
		default:
			t.Errorf("allowed %q as %q", program, permit.Program)
		}
		if strings.HasPrefix(variable, "LD_") || strings.HasPrefix(variable, "BELFRY_") || strings.ContainsAny(variable, "= \x00") {
			t.Errorf("allowed the variable %q", variable)
		}
	})
}
