package secret_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/belfry-scheduler/belfry/services/config/secret"
)

// Every way to show a value that the standard library has.
func TestNothingShowsASecret(t *testing.T) {
	const word = "topSECRET"
	value := struct {
		Key  secret.Text
		Back *secret.Text
		DB   secret.URL
		Many []secret.URL
	}{Key: word, DB: "mysql://belfry:" + word + "@db:3306/belfry?tls=" + word, Many: []secret.URL{"redis://:" + word + "@a,redis://:" + word + "@b"}}
	value.Back = &value.Key
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T%v", "%10.3s"} {
		for _, shown := range []string{
			fmt.Sprintf(verb, value), fmt.Sprintf(verb, value.Key), fmt.Sprintf(verb, value.DB), fmt.Sprintf(verb, value.Many),
		} {
			if strings.Contains(shown, word) || strings.Contains(shown, fmt.Sprintf("%x", word)) || strings.Contains(shown, word[:3]) {
				t.Errorf("%s shows %s", verb, shown)
			}
		}
	}
	var log bytes.Buffer
	for _, handler := range []slog.Handler{slog.NewJSONHandler(&log, nil), slog.NewTextHandler(&log, nil)} {
		slog.New(handler).Info("start", "all", value, "key", value.Key, "db", value.DB)
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if text := log.String() + string(encoded); strings.Contains(text, word) {
		t.Errorf("logs or JSON show %s", text)
	}
	if value.Key.Reveal() != word || !strings.Contains(value.DB.Reveal(), word) {
		t.Error("Reveal hides the secret")
	}
}

func TestURLShowsWhereItPoints(t *testing.T) {
	for given, want := range map[secret.URL]string{
		"":                                   "",
		"mysql://db:3306/belfry":             "mysql://db:3306/belfry",
		"mysql://belfry:p@ss@db:3306/belfry": "mysql://(hidden)@db:3306/belfry",
		"redis+sentinel://a,b?sentinel_password=x": "redis+sentinel://a,b?(hidden)",
		"redis://:x@a,redis://:y@b":                "redis://(hidden)@b",
		"hunter2":                                  "(hidden)",
		"mysql://u:a?b/c#d@db/x":                   "mysql://(hidden)@db/x",
	} {
		if got := given.String(); got != want {
			t.Errorf("%q is shown as %q, want %q", given.Reveal(), got, want)
		}
	}
	if got := secret.Text("").String(); got != "" {
		t.Errorf("an empty secret is shown as %q", got)
	}
}
