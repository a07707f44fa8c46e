package event

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/belfry-scheduler/belfry/services/lifecycle"
)

const (
	// flushTime bounds how long Close sends what is queued.
	flushTime = time.Second
	// endTime bounds how long Close then waits for the loops. They end at once
	// unless Redis hangs; a read or a connection in progress ends by its own timeout.
	endTime = 5 * time.Second
)

// RedisConfig is what a Redis bus needs.
type RedisConfig struct {
	// Clients are the Redis servers to use, closed by the caller after the bus. With
	// several independent ones the bus listens to all and sends to the first that
	// takes it, so that it survives the loss of the others.
	Clients []redis.UniversalClient
	// Prefix begins the names of all channels. Pub/Sub knows no databases, so
	// installations that share a Redis need different prefixes.
	Prefix   string
	ServerID string
	Logger   *slog.Logger
}

// Redis is a bus between servers. Messages to subscriptions on this server do not
// take the way over Redis.
//
// Channels: PREFIX:all for every server, PREFIX:to:SERVER for one, and
// PREFIX:on:TOPIC for those that have subscriptions to the topic.
type Redis struct {
	id        string
	names     names
	local     exchange
	sender    *sender
	receivers []*receiver
	group     *lifecycle.Group
	stop      func() error // set by Start
}

// names makes and reads channel names.
type names string

func (p names) all() string         { return string(p) + ":all" }
func (p names) to(id string) string { return string(p) + ":to:" + id }
func (p names) on(t Topic) string   { return string(p) + ":on:" + string(t) }
func (p names) topic(ch string) (Topic, bool) {
	t, ok := strings.CutPrefix(ch, string(p)+":on:")
	return Topic(t), ok
}

// NewRedis makes a bus that does not run yet; it works within the process only
// until Start.
func NewRedis(cfg RedisConfig) (*Redis, error) {
	if len(cfg.Clients) == 0 || cfg.Prefix == "" || cfg.ServerID == "" || cfg.Logger == nil {
		return nil, errors.New("a Redis bus needs clients, a prefix, a server id and a logger")
	}
	b := &Redis{id: cfg.ServerID, names: names(cfg.Prefix), group: lifecycle.NewGroup(cfg.Logger)}
	b.stop = func() error { return nil }
	var err error
	if b.sender, err = newSender(cfg, b.names); err != nil {
		return nil, err
	}
	b.group.AddService("event sender", b.sender.loop)
	for i, client := range cfg.Clients {
		r, err := newReceiver(b, client, i, cfg.Logger)
		if err != nil {
			return nil, err
		}
		b.receivers = append(b.receivers, r)
		b.group.AddService("event receiver", r.loop)
	}
	b.local.changed = func() {
		for _, r := range b.receivers {
			r.look()
		}
	}
	return b, nil
}

// Start starts the loops. It does not wait for Redis, which may be away.
func (b *Redis) Start(ctx context.Context) error {
	life := context.WithoutCancel(ctx)
	b.stop = func() error {
		flush, cancel := context.WithTimeout(life, flushTime)
		defer cancel()
		_ = b.sender.flush(flush) // hints: what Redis does not take now is lost
		end, cancelEnd := context.WithTimeout(life, endTime)
		defer cancelEnd()
		return b.group.Stop(end)
	}
	return b.group.Start(ctx)
}

// Close implements Bus.
func (b *Redis) Close() error {
	b.local.close()
	return b.stop()
}

// Health tells how the loops fare.
func (b *Redis) Health() []lifecycle.LoopHealth { return b.group.Health() }

// Publish implements Bus.
func (b *Redis) Publish(_ context.Context, msgs ...Message) {
	msgs = lighten(msgs)
	b.local.deliver(msgs)
	for _, m := range msgs {
		b.sender.queue(b.names.on(m.Topic), m)
	}
	b.sender.loop.Wake()
}

// PublishTo implements Bus.
func (b *Redis) PublishTo(_ context.Context, serverID string, msgs ...Message) {
	msgs = lighten(msgs)
	if serverID == b.id {
		b.local.deliver(msgs)
		return
	}
	for _, m := range msgs {
		b.sender.queue(b.names.to(serverID), m)
	}
	b.sender.loop.Wake()
}

// Subscribe implements Bus. A subscription to a topic that is new to this server
// gets a resync mark when Redis has confirmed it, since messages of other servers
// may be missed before that.
func (b *Redis) Subscribe(topics ...Topic) *Subscription { return b.local.subscribe(topics) }
