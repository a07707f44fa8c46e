package allow

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/belfry-scheduler/belfry/services/fault"
)

// admits reports why a request that a rule takes otherwise is refused by its user,
// directory or variables; nil: it is not.
func (a *Account) admits(r Request) *fault.Error {
	if r.User != "" && !slices.Contains(a.Users, r.User) {
		return fault.At("user", fault.Forbidden, "The user %q is not allowed for this command: add it to the users of its rule in the allow-list.", r.User)
	}
	if r.Directory != "" && !a.holds(r.Directory) {
		return fault.At("dir", fault.Forbidden, "The directory %q is not allowed for this command: add it, or one above it, to the directories of its rule in the allow-list.", r.Directory)
	}
	for _, name := range r.Environment {
		if refusal := a.setting(name); refusal != nil {
			return refusal
		}
	}
	return nil
}

// holds reports whether a directory is one of the allowed ones or lies below it. It
// reads paths only; whoever uses the directory resolves its links and asks Inside.
func (a *Account) holds(directory string) bool {
	if !filepath.IsAbs(directory) || filepath.Clean(directory) != directory {
		return false
	}
	return slices.ContainsFunc(a.Directories, func(allowed string) bool {
		return directory == allowed || strings.HasPrefix(directory, strings.TrimSuffix(allowed, string(filepath.Separator))+string(filepath.Separator))
	})
}

// Inside reports whether a directory without links, as filepath.EvalSymlinks answers
// it, is still an allowed one; the allowed ones may be links themselves.
func (a *Account) Inside(resolved string) bool {
	if a.holds(resolved) {
		return true
	}
	real := Account{}
	for _, directory := range a.Directories {
		if target, err := filepath.EvalSymlinks(directory); err == nil {
			real.Directories = append(real.Directories, target)
		}
	}
	return real.holds(resolved)
}

// setting reports why a job may not set a variable.
func (a *Account) setting(name string) *fault.Error {
	switch {
	case !validName(name):
		return fault.At("env", fault.Invalid, "The environment name %q is not usable: letters, digits and _ are.", name)
	case reserved(name):
		return fault.At("env", fault.Forbidden, "The variable %s is Belfry's own: a job cannot set it.", name)
	case slices.Contains(a.Environment, name):
		return nil
	case loadsCode(name) || !covers(a.Environment, name):
		return fault.At("env", fault.Forbidden, "The variable %s may not be set by a job for this command: add it to the environment of its rule in the allow-list.", name)
	}
	return nil
}

func (a *Account) check(at string, problems *fault.List) {
	for _, directory := range a.Directories {
		if !filepath.IsAbs(directory) || filepath.Clean(directory) != directory {
			problems.Add(fault.At(at+".directories", fault.Invalid, "%s.directories has %q: give absolute paths.", at, directory))
		}
	}
	for _, name := range a.Environment {
		problems.Add(checkName(at+".environment", name))
	}
	for name := range a.Set {
		if !validName(name) || reserved(name) {
			problems.Add(fault.At(at+".set", fault.Invalid, "%s.set has %q: give names of letters, digits and _ that do not begin with BELFRY_.", at, name))
		}
	}
	if slices.Contains(a.Users, "") {
		problems.Add(fault.At(at+".users", fault.Invalid, "%s.users has an empty name.", at))
	}
}

// Covers reports whether the agent's own variable goes to every program.
func (l *List) Covers(name string) bool { return !reserved(name) && covers(l.Environment, name) }

// covers reports whether a name is one of patterns, each of which may end in *.
func covers(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		start, open := strings.CutSuffix(pattern, "*")
		return pattern == name || open && strings.HasPrefix(name, start)
	})
}

func checkName(at, name string) *fault.Error {
	start := strings.TrimSuffix(name, "*")
	if name == "*" || validName(start) && !reserved(name) {
		return nil
	}
	return fault.At(at, fault.Invalid, "%s has %q: give names of letters, digits and _, which may end in *, and none that begins with BELFRY_.", at, name)
}

// validName reports whether name is one that every shell accepts.
func validName(name string) bool {
	for i, r := range name {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

// reserved names are the agent's: its key, and the task that runs.
func reserved(name string) bool { return strings.HasPrefix(strings.ToUpper(name), "BELFRY_") }

// codeNames are variables by which a loader, a shell or an interpreter takes in code
// that nobody has allowed.
var codeNames = []string{
	"LD_*", "DYLD_*", "BASH_ENV", "BASH_FUNC_*", "ENV", "IFS", "PATH", "SHELLOPTS", "BASHOPTS", "PS4", "PROMPT_COMMAND",
	"PYTHON*", "PERL*", "RUBY*", "NODE_*", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH",
	"GIT_*", "GCONV_PATH", "LUA_*", "PHPRC", "PHP_INI_SCAN_DIR", "DOTNET_*", "COR_*", "CORECLR_*", "COMSPEC", "PATHEXT",
	"EDITOR", "VISUAL", "PAGER", "BROWSER", "OPENSSL_*", "GLIBC_TUNABLES", "MALLOC_*", "HOSTALIASES", "NLSPATH", "TERMINFO", "ZDOTDIR",
}

func loadsCode(name string) bool { return covers(codeNames, strings.ToUpper(name)) }
