package event

import (
	"context"
	"sync"
)

// Hub joins several in-process buses, as Redis joins those of several servers. It
// lets a test run many servers in one process.
type Hub struct {
	mu      sync.RWMutex
	members map[string]*Memory // by server id; those not closed
}

// NewHub makes an empty hub.
func NewHub() *Hub { return &Hub{members: map[string]*Memory{}} }

// Join makes the bus of one server.
func (h *Hub) Join(serverID string) *Memory {
	h.mu.Lock()
	defer h.mu.Unlock()
	m := &Memory{hub: h, id: serverID}
	h.members[serverID] = m
	return m
}

// Memory is a bus without a network.
type Memory struct {
	hub   *Hub
	id    string
	local exchange
}

// NewMemory makes the bus of a server that is alone.
func NewMemory(serverID string) *Memory { return NewHub().Join(serverID) }

// Publish implements Bus.
func (m *Memory) Publish(_ context.Context, msgs ...Message) {
	msgs = lighten(msgs)
	m.hub.mu.RLock()
	defer m.hub.mu.RUnlock()
	for _, member := range m.hub.members {
		member.local.deliver(msgs)
	}
}

// PublishTo implements Bus.
func (m *Memory) PublishTo(_ context.Context, serverID string, msgs ...Message) {
	m.hub.mu.RLock()
	defer m.hub.mu.RUnlock()
	if member := m.hub.members[serverID]; member != nil {
		member.local.deliver(lighten(msgs))
	}
}

// Subscribe implements Bus.
func (m *Memory) Subscribe(topics ...Topic) *Subscription { return m.local.subscribe(topics) }

// Close implements Bus.
func (m *Memory) Close() error {
	m.hub.mu.Lock()
	if m.hub.members[m.id] == m {
		delete(m.hub.members, m.id)
	}
	m.hub.mu.Unlock()
	m.local.close()
	return nil
}
