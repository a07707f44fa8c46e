package cmd

import (
	"bytes"
	"strings"
	"testing"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
)

// doctor runs the command and answers its exit code and output.
func doctor(t *testing.T, args ...string) (int, string) {
	t.Helper()
	var out bytes.Buffer
	code := Main(t.Context(), append([]string{"doctor"}, args...), IO{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out})
	return code, out.String()
}

func TestDoctorTellsWhatIsWeak(t *testing.T) {
	p := newPlant(t)
	if _, _, err := p.accounts.CreateToken(t.Context(), "test", account.NewToken{Name: "old-ci", Role: models.RoleAdmin}); err != nil {
		t.Fatal(err)
	}
	code, out := doctor(t, "--database-url", p.database, "--server", p.url, "--listen", ":7000", "--webhook-allow", "0.0.0.0/0", "--mask", "off")
	if code != exitOK {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{"HIGH  NO_TLS", "MEDIUMTOKEN_WITHOUT_END", "(old-ci)", "MEDIUMALLOW_LIST_WIDE", "(0.0.0.0/0)", "MEDIUMMASKING_OFF", "BELFRY_TLS_CERT"} {
		if !strings.Contains(strings.ReplaceAll(out, "MEDIUM ", "MEDIUM"), want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
	if strings.Contains(out, "INTROSPECTION_OPEN") {
		t.Error("the server shows its schema to nobody, yet is told to")
	}
	if code, _ := doctor(t, "--database-url", p.database, "--strict"); code != exitFailure {
		t.Errorf("strict, with weaknesses: exit code %d", code)
	}
	code, out = doctor(t, "--server", p.url, "--strict")
	if code != exitOK || !strings.Contains(out, "nothing weak was found") {
		t.Errorf("nothing weak: %d\n%s", code, out)
	}
}
