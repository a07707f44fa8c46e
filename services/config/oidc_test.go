package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/config"
	"github.com/belfry-scheduler/belfry/services/fault"
)

func TestIdentityProvider(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	got, err := (&config.Serve{DatabaseURL: db, PasswordSignIn: "off", OIDC: config.OIDC{
		Issuer: "https://id.example.com/realms/a", ClientID: "belfry", ClientSecretFile: file("secret", "hush\n"),
		RoleMap: "admins=ADMIN; shop-dev = shop:developer", RoleMapFile: file("map", "# people\nCN=a,OU=b=VIEWER\n\n*=bank:VIEWER\n"),
	}}).Resolve()
	if err != nil {
		t.Fatal(err)
	}
	want := []config.GroupRole{
		{Group: "admins", Role: models.RoleAdmin},
		{Group: "shop-dev", App: "shop", Role: models.RoleDeveloper},
		{Group: "CN=a,OU=b", Role: models.RoleViewer},
		{Group: "*", App: "bank", Role: models.RoleViewer},
	}
	if diff := cmp.Diff(want, got.OIDC.Roles); diff != "" || got.PasswordSignIn || got.OIDC.Name != "id.example.com" || got.OIDC.ClientSecret.Reveal() != "hush" {
		t.Errorf("%+v %s", got.OIDC, diff)
	}
	for name, o := range map[string]config.OIDC{
		"oidc-issuer":             {Issuer: "id.example.com"},
		"oidc-client-id":          {Issuer: "https://x", RoleMap: "a=ADMIN"},
		"oidc-role-map":           {Issuer: "https://x", ClientID: "b"},
		"oidc-role-map-file":      {Issuer: "https://x", ClientID: "b", RoleMap: "a=ADMIN", RoleMapFile: filepath.Join(dir, "none")},
		"oidc-client-secret-file": {Issuer: "https://x", ClientID: "b", RoleMap: "a=ADMIN", ClientSecretFile: filepath.Join(dir, "none")},
	} {
		_, err := (&config.Serve{DatabaseURL: db, OIDC: o}).Resolve()
		if all := fault.All(err); len(all) != 1 || strings.Join(all[0].Field, ".") != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := (&config.Serve{DatabaseURL: db, PasswordSignIn: "off"}).Resolve(); err == nil {
		t.Error("nobody could sign in")
	}
}
