package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"strings"
	"time"
)

// listen listens on a free port of this machine.
func listen() (net.Listener, error) {
	return (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
}

func dial(network, address string, limit time.Duration) (net.Conn, error) {
	return (&net.Dialer{Timeout: limit}).DialContext(context.Background(), network, address)
}

// redisDo sends commands to Redis past the proxies, as people type them.
func (b *bed) redisDo(commands ...string) error {
	conn, err := dial("tcp", b.redis.Addr(), time.Second)
	if err != nil {
		return fmt.Errorf("reaching Redis: %w", err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return err
	}
	answers := bufio.NewReader(conn)
	for _, command := range commands {
		if _, err := fmt.Fprint(conn, command+"\r\n"); err != nil {
			return err
		}
		answer, err := answers.ReadString('\n')
		if err != nil {
			return err
		}
		if strings.HasPrefix(answer, "-") {
			return fmt.Errorf("%s: %s", command, strings.TrimSpace(answer))
		}
	}
	return nil
}
