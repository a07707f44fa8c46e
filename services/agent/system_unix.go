//go:build unix

package agent

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/belfry-scheduler/belfry/services/agent/process"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// basicEnvironment is what every program may count on.
func basicEnvironment(_ func(string) (string, bool), who *process.Identity) map[string]string {
	env := map[string]string{
		"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		"LANG": "C.UTF-8",
	}
	if who == nil {
		who = self()
	}
	if who.Name != "" {
		env["USER"], env["LOGNAME"] = who.Name, who.Name
	}
	if who.Home != "" {
		env["HOME"] = who.Home
	}
	return env
}

// self is the agent's own user as the system knows it, whatever the environment says:
// that may be left from whoever started the agent.
func self() *process.Identity {
	own, err := user.LookupId(strconv.Itoa(os.Geteuid()))
	if err != nil {
		return &process.Identity{}
	}
	return &process.Identity{Name: own.Username, Home: own.HomeDir}
}

// homeDirectory is where a program starts when nothing else is asked for: its user's
// home, if there is one that it may enter.
func homeDirectory(who *process.Identity) string {
	mine := who == nil
	if mine {
		who = self()
	}
	info, err := os.Stat(who.Home)
	if err != nil || !info.IsDir() || mine && unix.Access(who.Home, unix.X_OK) != nil {
		return "/"
	}
	return who.Home
}

// shellCommand is how a text is given to a shell.
func shellCommand(program, text string) (path string, arguments []string, line string) {
	if program == "" {
		program = "/bin/sh"
	}
	return program, []string{"-c", text}, ""
}

// lookUp finds a user of this system with all groups. Only root may become another one.
func lookUp(name string) (*process.Identity, error) {
	who, err := user.Lookup(name)
	if err != nil {
		return nil, fault.At("parameters.user", fault.NotFound, "There is no user %q on this machine.", name)
	}
	if os.Geteuid() != 0 {
		if strconv.Itoa(os.Geteuid()) == who.Uid {
			return nil, nil //nolint:nilnil // the agent's own user: nothing has to change
		}
		return nil, fault.At("parameters.user", fault.Forbidden, "The user %q cannot be taken on: the agent does not run as root.", name)
	}
	groups, err := who.GroupIds()
	if err != nil {
		return nil, fmt.Errorf("reading the groups of %s: %w", name, err)
	}
	identity := &process.Identity{Name: who.Username, Home: who.HomeDir}
	var wrong error
	number := func(text string) uint32 {
		n, err := strconv.ParseUint(text, 10, 32)
		wrong = errors.Join(wrong, err)
		return uint32(n)
	}
	identity.UID, identity.GID = number(who.Uid), number(who.Gid)
	for _, id := range groups {
		identity.Groups = append(identity.Groups, number(id))
	}
	return identity, wrong
}
