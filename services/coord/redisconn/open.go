package redisconn

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

const (
	// timeout bounds connecting, one read and one write. Locks are held for seconds
	// and messages are hints, so a server that takes longer counts as away.
	timeout = 2 * time.Second
	// connections bounds the pool of one client.
	connections = 16
)

// Open makes one client a member, in the order of the address. It does not
// connect; a client does that when it is first used, and again whenever it has
// to. A command is tried once: repeating it is the caller's decision. The caller
// closes the clients.
func (t Target) Open() []redis.UniversalClient {
	clients := make([]redis.UniversalClient, len(t.Members))
	for i, m := range t.Members {
		clients[i] = m.open()
	}
	return clients
}

func (m Member) open() redis.UniversalClient {
	switch m.Kind {
	case Sentinel:
		return redis.NewFailoverClient(&redis.FailoverOptions{
			MasterName: m.Master, SentinelAddrs: m.Addrs,
			SentinelUsername: m.SentinelUsername, SentinelPassword: m.SentinelPassword.Reveal(),
			Username: m.Username, Password: m.Password.Reveal(), DB: m.DB, TLSConfig: m.tls(),
			Protocol: 2, MaxRetries: -1, DialerRetries: 1, DialTimeout: timeout, ReadTimeout: timeout, WriteTimeout: timeout,
			ContextTimeoutEnabled: true, PoolSize: connections, DisableIdentity: true,
		})
	case Cluster:
		return redis.NewClusterClient(&redis.ClusterOptions{
			Addrs: m.Addrs, Username: m.Username, Password: m.Password.Reveal(), TLSConfig: m.tls(),
			Protocol: 2, MaxRetries: -1, DialerRetries: 1, DialTimeout: timeout, ReadTimeout: timeout, WriteTimeout: timeout,
			ContextTimeoutEnabled: true, PoolSize: connections, DisableIdentity: true,
			MaintNotificationsConfig: noNotifications(),
		})
	default:
		return redis.NewClient(&redis.Options{
			Addr: m.Addrs[0], Username: m.Username, Password: m.Password.Reveal(), DB: m.DB, TLSConfig: m.tls(),
			Protocol: 2, MaxRetries: -1, DialerRetries: 1, DialTimeout: timeout, ReadTimeout: timeout, WriteTimeout: timeout,
			ContextTimeoutEnabled: true, PoolSize: connections, DisableIdentity: true,
			MaintNotificationsConfig: noNotifications(),
		})
	}
}

// noNotifications turns off a handshake that only one vendor's servers know.
func noNotifications() *maintnotifications.Config {
	return &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
}

func (m Member) tls() *tls.Config {
	if !m.TLS {
		return nil
	}
	return &tls.Config{MinVersion: tls.VersionTLS12}
}

// sink is where the library's own log lines go. The library has one logger a
// process, so this is one too.
var sink atomic.Pointer[slog.Logger]

// RouteLogs sends what the Redis library writes to standard error by default to
// logger, at debug level: whoever uses a client reports its errors. It holds for
// the process; the last call counts.
func RouteLogs(logger *slog.Logger) {
	sink.Store(logger)
	redis.SetLogger(routed{})
}

type routed struct{}

func (routed) Printf(ctx context.Context, format string, args ...any) {
	if logger := sink.Load(); logger != nil && logger.Enabled(ctx, slog.LevelDebug) {
		logger.DebugContext(ctx, "redis library", "text", fmt.Sprintf(format, args...))
	}
}
