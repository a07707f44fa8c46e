package event_test

import (
	"fmt"
	"log/slog"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/belfry-scheduler/belfry/internal/testserver"
	"github.com/belfry-scheduler/belfry/services/coord/redisconn"
)

func TestMain(m *testing.M) {
	redisconn.RouteLogs(slog.New(slog.DiscardHandler))
	code := testserver.Main(m) // after it no goroutine of ours is left
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}
