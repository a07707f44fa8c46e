// Package deploy_test holds what is installed with Compose to its promises,
// without an engine: nothing has a default secret, and what make env writes is
// what the services ask for and the server accepts.
package deploy_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/belfry-scheduler/belfry/services/config"
	"github.com/belfry-scheduler/belfry/services/config/secret"
)

// service is the part of a Compose service that the tests look at.
type service struct {
	Image       string
	Environment map[string]string
	Ports       []string
	DependsOn   map[string]struct{ Condition string } `yaml:"depends_on"`
	Healthcheck struct {
		Test    any
		Disable bool
	}
}

// variable is one interpolation: ${NAME}, ${NAME:-default} or ${NAME:?message}.
var variable = regexp.MustCompile(`\$\{(\w+)(:[-?][^}]*)?\}`)

func compose(t *testing.T) map[string]service {
	t.Helper()
	text, err := os.ReadFile("../docker-compose.yml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Services map[string]service }
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(yaml.FormatError(err, false, true))
	}
	if len(file.Services) == 0 {
		t.Fatal("docker-compose.yml has no services")
	}
	return file.Services
}

func TestSecretsHaveNoDefault(t *testing.T) {
	t.Parallel()
	for name, service := range compose(t) {
		for key, value := range service.Environment {
			for _, found := range variable.FindAllStringSubmatch(value, -1) {
				if isSecret(found[1]) && found[2] != ":?run make env" {
					t.Errorf("%s: %s does not refuse to start without ${%s}", name, key, found[1])
				}
			}
			if isSecret(key) && variable.ReplaceAllString(value, "") != "" {
				t.Errorf("%s: %s holds a secret in plain text", name, key)
			}
			if bare := variable.ReplaceAllString(value, ""); strings.Contains(bare, "://") && regexp.MustCompile(`://\w*:[^@]+@`).MatchString(bare) {
				t.Errorf("%s: %s holds a password in plain text", name, key)
			}
		}
	}
}

func isSecret(name string) bool {
	return regexp.MustCompile(`PASSWORD$|SECRET|_KEY$|TOKEN$`).MatchString(name)
}

func TestServicesWaitForHealthyOnes(t *testing.T) {
	t.Parallel()
	services := compose(t)
	for name, s := range services {
		for other, wait := range s.DependsOn {
			on, known := services[other]
			switch {
			case !known:
				t.Errorf("%s depends on %s, which is not there", name, other)
			case wait.Condition == "service_healthy" && on.Healthcheck.Test == nil && on.Image != "belfry:local":
				t.Errorf("%s waits for %s to be healthy, which nothing finds out", name, other)
			case wait.Condition == "":
				t.Errorf("%s does not say what of %s it waits for", name, other)
			}
		}
	}
}

func TestNothingIsPublishedBeyondThisMachine(t *testing.T) {
	t.Parallel()
	for name, s := range compose(t) {
		for _, port := range s.Ports {
			if got := expand(port, nil); !strings.HasPrefix(got, "127.0.0.1:") {
				t.Errorf("%s publishes %s", name, got)
			}
		}
	}
}

func TestEnvMeetsWhatServicesAsk(t *testing.T) {
	t.Parallel()
	values := makeEnv(t)
	given := slices.Collect(maps.Values(values))
	for name, s := range compose(t) {
		for _, value := range s.Environment {
			for _, found := range variable.FindAllStringSubmatch(value, -1) {
				if strings.HasPrefix(found[2], ":?") && values[found[1]] == "" {
					t.Errorf("%s wants %s, which make env does not write", name, found[1])
				}
			}
		}
	}
	for key, value := range values {
		if isSecret(key) && (len(value) < 24 || strings.Trim(value, "0123456789abcdef") != "") {
			t.Errorf("%s is %q: too short, or not safe in a URL", key, value)
		}
	}
	slices.Sort(given)
	if len(slices.Compact(given)) != len(values) {
		t.Error("two secrets are the same")
	}
	for key, value := range makeEnv(t) {
		if isSecret(key) && value == values[key] {
			t.Errorf("%s comes out the same twice", key)
		}
	}
}

func TestServerAcceptsItsEnvironment(t *testing.T) {
	t.Parallel()
	values := makeEnv(t)
	environment := map[string]string{}
	for key, value := range compose(t)["server"].Environment {
		environment[key] = expand(value, values)
	}

	var serve config.Serve
	fields := reflect.ValueOf(&serve).Elem()
	for _, field := range reflect.VisibleFields(fields.Type()) {
		if field.Anonymous {
			continue
		}
		name := field.Tag.Get("env")
		fields.FieldByIndex(field.Index).SetString(environment[name])
		delete(environment, name)
	}
	for name := range environment {
		t.Errorf("the server knows no %s", name)
	}
	settings, err := serve.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	if settings.Embedded || settings.Redis == nil || settings.Locks != config.LocksRedis || settings.AdminPassword == "" {
		t.Errorf("the server would start as %+v", settings)
	}
	if want := secret.Text(values["BELFRY_SECRET_KEY"]); len(settings.SecretKeys) != 1 || settings.SecretKeys[0] != want {
		t.Error("the secret key does not arrive")
	}
}

// makeEnv runs scripts/env in a folder of its own and reads what it wrote.
func makeEnv(t *testing.T) map[string]string {
	t.Helper()
	root := t.TempDir()
	script, err := os.ReadFile("../scripts/env")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "scripts", "env")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, script, 0o700); err != nil {
		t.Fatal(err)
	}
	var before []byte
	for round := range 2 {
		if out, err := exec.CommandContext(t.Context(), "bash", file).CombinedOutput(); err != nil {
			t.Fatalf("make env: %v\n%s", err, out)
		}
		text, err := os.ReadFile(filepath.Join(root, ".env"))
		if err != nil {
			t.Fatal(err)
		}
		if round == 1 && string(text) != string(before) {
			t.Error("a second make env overwrites .env")
		}
		before = text
	}
	if info, err := os.Stat(filepath.Join(root, ".env")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf(".env has mode %v (%v), want 0600", info.Mode().Perm(), err)
	}

	values := map[string]string{}
	for line := range strings.Lines(string(before)) {
		if key, value, found := strings.Cut(strings.TrimSpace(line), "="); found && !strings.HasPrefix(key, "#") {
			values[key] = value
		}
	}
	return values
}

// expand interpolates as Compose does.
func expand(text string, values map[string]string) string {
	return variable.ReplaceAllStringFunc(text, func(found string) string {
		parts := variable.FindStringSubmatch(found)
		if value := values[parts[1]]; value != "" {
			return value
		}
		return strings.TrimPrefix(parts[2], ":-")
	})
}
