package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/belfry-scheduler/belfry/services/config"
)

func TestMaskRulesOfAFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "rules")
	if err := os.WriteFile(path, []byte("name iban\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := masker(config.Settings{Mask: true, MaskRules: path})
	if err != nil || m.Text("iban=DE1 password=x") != "iban=[masked] password=[masked]" {
		t.Errorf("%q, %v", m.Text("iban=DE1 password=x"), err)
	}
	if m, err := masker(config.Settings{}); err != nil || m.Text("password=x") != "password=x" {
		t.Errorf("switched off: %v", err)
	}
	if err := os.WriteFile(path, []byte("\npattern (a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{path, path + ".missing"} {
		_, err := masker(config.Settings{Mask: true, MaskRules: bad})
		if err == nil || !strings.Contains(err.Error(), "BELFRY_MASK_RULES") || bad == path && !strings.Contains(err.Error(), `Line 2, "pattern (a"`) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
