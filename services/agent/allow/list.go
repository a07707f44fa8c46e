package allow

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/belfry-scheduler/belfry/services/fault"
)

// MaxFileBytes is how long an allow-list file may be.
const MaxFileBytes = 1 << 20

// List is the content of an allow-list file, checked. Its zero value allows
// nothing. It is not changed once made.
type List struct {
	// Environment names variables of the agent's own environment that every program
	// gets; a name may end in * ("LC_*").
	Environment []string  `yaml:"environment"`
	Commands    []Command `yaml:"commands"`
	Shell       []Shell   `yaml:"shell"`
	HTTP        []URL     `yaml:"http"`
}

// Account is what commands and shell texts have in common.
type Account struct {
	// Users may be asked for by name; empty: none, the program runs as the agent.
	Users []string `yaml:"users"`
	// Directories, with everything below them, may be asked for as the working
	// directory; empty: none.
	Directories []string `yaml:"directories"`
	// Environment names variables that the job may set; a name may end in *. Names
	// that make a program load other code (LD_*, BASH_ENV …) have to stand here in full.
	Environment []string `yaml:"environment"`
	// Set are variables with fixed values, which go before all others.
	Set map[string]string `yaml:"set"`
}

// Command allows one program. Arguments are regular expressions (RE2), one for each
// argument in order, and each has to match the whole of it. Without Arguments, More
// or AnyArguments the program may be run without arguments only.
type Command struct {
	Account `yaml:",inline"`

	Program      string   `yaml:"program"` // absolute path
	Arguments    []string `yaml:"arguments"`
	More         string   `yaml:"moreArguments"` // for every argument after Arguments
	AnyArguments bool     `yaml:"anyArguments"`

	arguments []*regexp.Regexp
	more      *regexp.Regexp
}

// Shell allows texts for a shell: those that Text, a regular expression, matches as
// a whole, or any text at all.
type Shell struct {
	Account `yaml:",inline"`

	Text    string `yaml:"text"`
	Any     bool   `yaml:"any"`
	Program string `yaml:"program"` // absolute path; empty: the system's own shell

	text *regexp.Regexp
}

// URL allows requests to an address and what lies below it.
type URL struct {
	URL     string   `yaml:"url"`     // scheme, host, port and the path's beginning
	Methods []string `yaml:"methods"` // empty: GET and HEAD
	// Secrets names variables of the agent's own environment that headers and body of
	// requests to this address may refer to as ${env:NAME}.
	Secrets []string `yaml:"secrets"`

	at address
}

// Parse reads a list. Its error is a fault.Error or fault.List that says what to mend.
func Parse(data []byte) (*List, error) {
	if len(data) > MaxFileBytes {
		return nil, fault.New(fault.Limit, "The allow-list has %d bytes: at most %d are read.", len(data), MaxFileBytes)
	}
	list := &List{}
	decoder := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict())
	if err := decoder.Decode(list); err != nil && err != io.EOF { //nolint:errorlint // the decoder answers io.EOF itself for an empty file
		return nil, fault.New(fault.Invalid, "The allow-list cannot be read: %s.", strings.TrimSpace(yaml.FormatError(err, false, true)))
	}
	var problems fault.List
	for _, name := range list.Environment {
		problems.Add(checkName("environment", name))
	}
	for i := range list.Commands {
		list.Commands[i].compile(fmt.Sprintf("commands[%d]", i), &problems)
	}
	for i := range list.Shell {
		list.Shell[i].compile(fmt.Sprintf("shell[%d]", i), &problems)
	}
	for i := range list.HTTP {
		list.HTTP[i].compile(fmt.Sprintf("http[%d]", i), &problems)
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return list, nil
}

// Counts says how many rules of each kind there are.
func (l *List) Counts() (commands, shell, http int) {
	return len(l.Commands), len(l.Shell), len(l.HTTP)
}

// whole compiles an expression that has to match a text from end to end.
func whole(path, expression string, problems *fault.List) *regexp.Regexp {
	if _, err := regexp.Compile(expression); err != nil {
		problems.Add(fault.At(path, fault.Invalid, "%s is %q, which is no regular expression: %v.", path, expression, err))
		return nil
	}
	compiled, err := regexp.Compile(`\A(?:` + expression + `)\z`)
	if err != nil {
		problems.Add(fault.At(path, fault.Invalid, "%s is %q, which is no regular expression: %v.", path, expression, err))
	}
	return compiled
}
