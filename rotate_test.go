package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/belfry-scheduler/belfry/internal/apptest"
	"github.com/belfry-scheduler/belfry/internal/testserver"
)

const (
	keyBefore = "0123456789abcdef0123456789abcdef"
	keyAfter  = "fedcba9876543210fedcba9876543210"
)

// Rotation is killed between two batches while a server runs, and goes on where it was;
// the server sends with every secret all the while.
func TestRotationOfKeysSurvivesAKill(t *testing.T) {
	t.Parallel()
	db, err := testserver.StartMariaDB(testserver.MariaDBOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Stop() })
	name := db.Database(t)
	env := func(ring string) []string {
		return []string{"BELFRY_DATABASE_URL=" + db.URL(name), "BELFRY_LISTEN=127.0.0.1:0", "BELFRY_SECRET_KEY=" + ring}
	}
	server := apptest.Start(t, "server", env(keyBefore+","+keyAfter), apptest.Binary(t), "serve")
	api := apptest.API{URL: server.Await(t, apptest.Ready), Token: apptest.Run(t, env(keyBefore), "token", "create", "--name", "test", "--role", "ADMIN")}
	type made struct {
		CreateAlertChannel struct {
			Channel    *struct{ ID string }
			UserErrors []struct{ Message string }
		}
	}
	const channels = 150
	for i := range channels {
		p := apptest.Do[made](t, api, `mutation($in:AlertChannelInput!){createAlertChannel(input:$in){channel{id}userErrors{message}}}`,
			map[string]any{"in": map[string]any{"name": fmt.Sprintf("hook %03d", i), "kind": "WEBHOOK", "webhook": map[string]any{"url": fmt.Sprintf("https://8.8.8.8/%d", i)}}})
		if p.CreateAlertChannel.Channel == nil {
			t.Fatalf("%+v", p)
		}
	}

	// The second batch waits for a row that somebody else holds.
	ctx := t.Context()
	conn, err := db.Admin().Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, text := range []string{"USE `" + name + "`", "BEGIN", "UPDATE alert_channels SET burst = burst + 1 ORDER BY id DESC LIMIT 1"} {
		if _, err := conn.ExecContext(ctx, text); err != nil {
			t.Fatal(err)
		}
	}
	ring := env(keyAfter + "," + keyBefore)
	rotation := apptest.Start(t, "rotation", ring, apptest.Binary(t), "rotate-keys")
	if got := rotation.Await(t, "channels: "); !strings.HasPrefix(got, "100 sealed anew so far") {
		t.Fatalf("it says %q", got)
	}
	rotation.Kill(t)
	if _, err := conn.ExecContext(ctx, "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	check := apptest.Start(t, "check", ring, apptest.Binary(t), "rotate-keys", "--check")
	if code := check.Wait(t); code != 1 || !strings.Contains(check.Output(), "channels: 150 secrets, 0 sealed anew, 50 left") {
		t.Errorf("after the kill: %d\n%s", code, check.Output())
	}
	again := apptest.Start(t, "again", ring, apptest.Binary(t), "rotate-keys")
	if code := again.Wait(t); code != 0 || !strings.Contains(again.Output(), "channels: 150 secrets, 50 sealed anew, 0 left") || !strings.Contains(again.Output(), "out of BELFRY_SECRET_KEY of all servers now") {
		t.Errorf("run again: %d\n%s", code, again.Output())
	}
	alone := apptest.Start(t, "alone", env(keyAfter), apptest.Binary(t), "rotate-keys", "--check")
	if code := alone.Wait(t); code != 0 {
		t.Errorf("without the old key: %d\n%s", code, alone.Output())
	}
	old := apptest.Start(t, "old", env(keyBefore), apptest.Binary(t), "rotate-keys")
	if code := old.Wait(t); code != 1 || !strings.Contains(old.Output(), "which is not in the ring") {
		t.Errorf("with the old key alone: %d\n%s", code, old.Output())
	}
	type shown struct {
		AlertChannels []struct{ Settings map[string]any }
	}
	all := apptest.Do[shown](t, api, `{alertChannels{settings}}`, nil).AlertChannels
	if len(all) != channels {
		t.Errorf("%d channels", len(all))
	}
	for _, c := range all {
		if c.Settings["url"] != "https://8.8.8.8/(hidden)" {
			t.Fatalf("the server that runs cannot open %v", c.Settings)
		}
	}
	for _, p := range []*apptest.Process{rotation, check, again, alone, old, server} {
		for _, secret := range []string{keyBefore, keyAfter} {
			if strings.Contains(p.Output(), secret) {
				t.Errorf("%s prints a key", p.Name)
			}
		}
	}
}
