package coord_test

import (
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/belfry-scheduler/belfry/services/coord/redisconn"
)

// byClient opens a client to set things up or to look past the lockers.
func byClient(t *testing.T, address string) redis.UniversalClient {
	t.Helper()
	target, err := redisconn.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	client := target.Open()[0]
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	})
	return client
}

func portOf(addr string) string { return addr[strings.LastIndexByte(addr, ':')+1:] }
