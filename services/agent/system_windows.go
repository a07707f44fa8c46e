package agent

import (
	"os"
	"path/filepath"

	"github.com/belfry-scheduler/belfry/services/agent/process"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// basicNames are the variables without which programs do not start on Windows. None is
// a secret.
var basicNames = []string{
	"SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "USERNAME", "USERDOMAIN", "HOMEDRIVE", "HOMEPATH",
	"APPDATA", "LOCALAPPDATA", "ProgramData", "ProgramFiles", "ProgramFiles(x86)", "ProgramW6432", "COMPUTERNAME", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE",
}

func basicEnvironment(lookup func(string) (string, bool), _ *process.Identity) map[string]string {
	env := map[string]string{}
	for _, name := range basicNames {
		if value, ok := lookup(name); ok {
			env[name] = value
		}
	}
	if root := env["SystemRoot"]; root != "" {
		env["PATH"] = filepath.Join(root, "System32") + string(os.PathListSeparator) + root
	}
	return env
}

// shellCommand gives the text to cmd.exe as it is: that reads the rest of its command
// line by rules of its own, so it must not be quoted as an argument.
func shellCommand(program, text string) (path string, arguments []string, line string) {
	if program == "" {
		program = filepath.Join(os.Getenv("SystemRoot"), "System32", "cmd.exe")
	}
	return program, nil, `"` + program + `" /d /s /c "` + text + `"`
}

func lookUp(name string) (*process.Identity, error) {
	return nil, fault.At("parameters.user", fault.Unsupported, "The user %q cannot be taken on: that is possible on Unix only.", name)
}

// homeDirectory is where a program starts when nothing else is asked for.
func homeDirectory(*process.Identity) string {
	if home, err := os.UserHomeDir(); err == nil {
		return home
	}
	return `C:\`
}
