package alert

import (
	"os"
	"testing"

	"github.com/belfry-scheduler/belfry/internal/testserver"
)

func TestMain(m *testing.M) { os.Exit(testserver.Main(m)) }
