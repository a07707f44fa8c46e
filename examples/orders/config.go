package main

import (
	"errors"
	"flag"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// config is read from flags; each has an environment variable as its default.
type config struct {
	server, app, key, group, node string
	listen                        string
	closeAfter, every             time.Duration
	http                          *http.Client // nil except in tests
}

// parse reads flags and environment. The error says all that is wrong, or holds the
// usage text that was asked for.
func parse(args []string, getenv func(string) string) (config, error) {
	env := func(name, otherwise string) string {
		if value := getenv(name); value != "" {
			return value
		}
		return otherwise
	}
	var c config
	var closeAfter, every string
	flags := flag.NewFlagSet("orders", flag.ContinueOnError)
	var usage strings.Builder
	flags.SetOutput(&usage)
	flags.StringVar(&c.server, "server", env("BELFRY_SERVER", "http://127.0.0.1:7000"), "Belfry server, or several separated by commas (BELFRY_SERVER)")
	flags.StringVar(&c.app, "app", env("BELFRY_APP", "demo"), "the app's name (BELFRY_APP)")
	flags.StringVar(&c.group, "group", env("BELFRY_GROUP", "default"), "node group (BELFRY_GROUP)")
	flags.StringVar(&c.node, "node", env("BELFRY_NODE", ""), "node name, the same after a restart; default host name and process id (BELFRY_NODE)")
	flags.StringVar(&c.listen, "listen", env("ORDERS_LISTEN", "127.0.0.1:0"), "address of the order service (ORDERS_LISTEN)")
	flags.StringVar(&closeAfter, "close-after", env("ORDERS_CLOSE_AFTER", "30m"), "time after which an unpaid order is closed (ORDERS_CLOSE_AFTER)")
	flags.StringVar(&every, "every", env("ORDERS_EVERY", "20s"), "an order comes in by itself every so often, 0s for never (ORDERS_EVERY)")
	// The key has no flag: arguments are seen by everybody on the machine.
	c.key = getenv("BELFRY_KEY")
	if err := flags.Parse(args); err != nil {
		return c, errors.New(strings.TrimSpace(usage.String()))
	}
	var wrong []error
	if c.key == "" {
		wrong = append(wrong, errors.New("BELFRY_KEY is not set: it is the app's key, which was shown when the app was created"))
	}
	duration := func(name, text string, into *time.Duration) {
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 {
			wrong = append(wrong, fmt.Errorf("%s is %q: give a duration as 30m or 45s", name, text))
		}
		*into = d
	}
	duration("-close-after", closeAfter, &c.closeAfter)
	duration("-every", every, &c.every)
	return c, errors.Join(wrong...)
}
