package redisconn_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/services/coord/redisconn"
)

func TestParse(t *testing.T) {
	for address, want := range map[string][]redisconn.Member{
		"redis://cache":                  {{Kind: redisconn.Single, Addrs: []string{"cache:6379"}}},
		"redis://127.0.0.1:7001/3":       {{Kind: redisconn.Single, Addrs: []string{"127.0.0.1:7001"}, DB: 3}},
		"redis://[::1]:7001":             {{Kind: redisconn.Single, Addrs: []string{"[::1]:7001"}}},
		"redis://[fd00::1]":              {{Kind: redisconn.Single, Addrs: []string{"[fd00::1]:6379"}}},
		"redis://:pw@cache":              {{Kind: redisconn.Single, Addrs: []string{"cache:6379"}, Password: "pw"}},
		"rediss://me:a%40b%2Cc@cache/":   {{Kind: redisconn.Single, TLS: true, Addrs: []string{"cache:6379"}, Username: "me", Password: "a@b,c"}},
		"redis://me:has@at,comma@cache":  {{Kind: redisconn.Single, Addrs: []string{"cache:6379"}, Username: "me", Password: "has@at,comma"}},
		"redis+cluster://a,b:7000,c":     {{Kind: redisconn.Cluster, Addrs: []string{"a:6379", "b:7000", "c:6379"}}},
		"rediss+sentinel://a?master=one": {{Kind: redisconn.Sentinel, TLS: true, Addrs: []string{"a:26379"}, Master: "one"}},
		"redis+sentinel://u:p@a,b:1/2?master=one&sentinel_username=s&sentinel_password=t%26": {{
			Kind: redisconn.Sentinel, Addrs: []string{"a:26379", "b:1"}, Username: "u", Password: "p", DB: 2,
			Master: "one", SentinelUsername: "s", SentinelPassword: "t&",
		}},
		"redis://a,redis://b:2/1 , rediss://c": {
			{Kind: redisconn.Single, Addrs: []string{"a:6379"}},
			{Kind: redisconn.Single, Addrs: []string{"b:2"}, DB: 1},
			{Kind: redisconn.Single, TLS: true, Addrs: []string{"c:6379"}},
		},
	} {
		got, err := redisconn.Parse(address)
		if err != nil {
			t.Errorf("%s: %v", address, err)
		} else if diff := cmp.Diff(want, got.Members); diff != "" {
			t.Errorf("%s: %s", address, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for address, want := range map[string]string{
		"":                                "is no URL",
		"localhost:6379":                  "is no URL",
		"http://cache":                    `scheme "http"`,
		"redis+magic://cache":             `scheme "redis+magic"`,
		"redis://":                        `host ""`,
		"redis://cache:0":                 `host "cache:0"`,
		"redis://cache:70000":             `host "cache:70000"`,
		"redis://fd00::1":                 "IPv6 addresses in brackets",
		"redis://a,b":                     "repeat redis://",
		"redis://a,redis://b":             "2 independent servers",
		"redis://a,redis://b,redis://a":   "twice",
		"redis://a,redis://b,http://c":    "2 independent servers",
		"redis://a,redis://b,redis://c:x": "server 3: ",
		"redis://cache/first":             `path "/first"`,
		"redis://cache/-1":                `path "/-1"`,
		"redis+cluster://a/1":             "only database 0",
		"redis+sentinel://a":              "?master=NAME",
		"redis://a?master=x":              `option "master"`,
		"redis+sentinel://a?mastre=x":     `option "mastre"`,
		"redis://u:a/b@c":                 "percent-encode",
		"redis://u:100%@a":                "%25",
	} {
		if _, err := redisconn.Parse(address); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the answer is %v, want %q in it", address, err, want)
		}
	}
}

// Whatever the address is, reading it neither panics nor tells the password.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"%s", "redis://u:%s@host:1/2", "redis://u:%s@ho st", "redis://u:%s@[::1", "redis://u:%s@a,redis://b,redis://c/x",
		"redis+sentinel://u:%s@a,b?master=m&sentinel_password=%s", "redis+cluster://:%s@a/1",
	} {
		f.Add(seed, "topSECRETword")
	}
	f.Fuzz(func(t *testing.T, shape, password string) {
		target, err := redisconn.Parse(strings.ReplaceAll(shape, "%s", password))
		if err == nil {
			for _, client := range target.Open() {
				if err := client.Close(); err != nil {
					t.Error(err)
				}
			}
		}
		if len(password) < 8 || !strings.Contains(shape, ":%s@") || strings.ContainsAny(password, "/?#@,:%") || strings.Count(shape, "%s") != 1 {
			return // not in the password's place
		}
		if !strings.Contains(shape, "://") || strings.Contains(strings.ReplaceAll(shape, "%s", ""), password) {
			return
		}
		if text := target.String(); strings.Contains(text, password) {
			t.Errorf("the target is shown as %q", text)
		}
	})
}

func TestErrorsDoNotTellThePassword(t *testing.T) {
	for _, address := range []string{
		"redis://u:topSECRET@", "redis://u:topSECRET@host:x", "redis://u:topSECRET@host/x", "redis://u:topSECRET@host?x=1",
		"redis://u:topSECRET%@host", "redis+magic://u:topSECRET@host", "u:topSECRET@host", "redis://u:topSECRET@a,b",
		"redis://u:topSECRET/x@a", "redis://u:topSECRET?x@a", "redis://u@x:topSECRET/y@a", "redis://u:topSECRET#x@a",
		"redis+sentinel://u:topSECRET@a?sentinel_password=topSECRET", "redis://u:topSECRET@a,redis://u:topSECRET@b",
	} {
		if _, err := redisconn.Parse(address); err == nil || strings.Contains(err.Error(), "topSECRET") {
			t.Errorf("%s: the answer is %v", address, err)
		}
	}
}

// The library must not write to standard error on its own.
func TestRouteLogs(t *testing.T) {
	var text bytes.Buffer
	redisconn.RouteLogs(slog.New(slog.NewTextHandler(&text, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { redisconn.RouteLogs(slog.New(slog.DiscardHandler)) })
	target, err := redisconn.Parse("redis://127.0.0.1:1") // nobody listens there
	if err != nil {
		t.Fatal(err)
	}
	client := target.Open()[0]
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if err := client.Ping(ctx).Err(); err == nil {
		t.Error("a port where nobody listens answered")
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
	if !strings.Contains(text.String(), "redis library") {
		t.Errorf("the log is %q, want the library's words in it", text.String())
	}
}
