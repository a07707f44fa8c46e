// Package event is the bus between the parts of a server and between servers.
//
// Messages are hints: each may be lost or come twice, and a reader that has missed some is told
// so by a resync mark and looks at the ledger again. Nothing that must happen may
// depend on a message. The bus is in-process (Memory) or uses Redis' publish and
// subscribe (Redis).
package event

import "context"

// Topic is what a message is about.
type Topic string

// Topics. Key is the id of the thing the topic names, unless said otherwise.
const (
	TopicTask      Topic = "task"      // a task changed
	TopicJob       Topic = "job"       // a job changed: its triggers are to be read again
	TopicNode      Topic = "node"      // a node changed
	TopicGroup     Topic = "group"     // work is queued for the group, or it may run more
	TopicLog       Topic = "log"       // a task has new log lines
	TopicAssign    Topic = "assign"    // for the server that holds the node's stream: tasks to push
	TopicCancel    Topic = "cancel"    // for the server that holds the node's stream: a task to cancel
	TopicAlert     Topic = "alert"     // notifications wait to be sent
	TopicBulk      Topic = "bulk"      // a bulk operation changed
	TopicOwnership Topic = "ownership" // partitions became free or a server came; Key is the server
	// TopicResync is the topic of the mark that is put before a delivery when
	// messages may have been lost. It cannot be published.
	TopicResync Topic = "resync"
)

// MaxPayload is the size of a payload in bytes above which it is left out.
const MaxPayload = 64 << 10

// Message is one hint.
type Message struct {
	Topic Topic
	Key   string
	// Payload is small JSON, or nil. It saves a look at the ledger and may be
	// missing: above MaxPayload it is dropped. Receivers share it and must not
	// change it.
	Payload []byte
}

// Bus carries messages. Its methods never block on a slow reader or on the
// network, and are safe for concurrent use.
type Bus interface {
	// Publish tells all subscriptions on all servers. Those on this server get the
	// messages at once, in order.
	Publish(ctx context.Context, msgs ...Message)
	// PublishTo tells the subscriptions on one server, which may be this one.
	PublishTo(ctx context.Context, serverID string, msgs ...Message)
	// Subscribe starts to collect the messages of the topics. The caller closes the
	// subscription. After Close of the bus it answers a closed one.
	Subscribe(topics ...Topic) *Subscription
	// Close ends all subscriptions. What was published shortly before is still sent
	// if that takes a second at most. When the network hangs it may take six.
	Close() error
}

// lighten drops payloads that are too large and messages that may not be
// published. It copies only when it has to.
func lighten(msgs []Message) []Message {
	for i := range msgs {
		if len(msgs[i].Payload) > MaxPayload || msgs[i].Topic == TopicResync {
			return lightenAll(msgs)
		}
	}
	return msgs
}

func lightenAll(msgs []Message) []Message {
	light := make([]Message, 0, len(msgs))
	for _, m := range msgs {
		if m.Topic == TopicResync {
			continue
		}
		if len(m.Payload) > MaxPayload {
			m.Payload = nil
		}
		light = append(light, m)
	}
	return light
}
