package event

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestFrameRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sender := rapid.String().Draw(t, "sender")
		var want []Message
		frame := openFrame(sender)
		for range rapid.IntRange(0, 20).Draw(t, "n") {
			m := Message{Topic: Topic(rapid.String().Draw(t, "topic")), Key: rapid.String().Draw(t, "key")}
			if rapid.Bool().Draw(t, "loaded") {
				m.Payload = rapid.SliceOfN(rapid.Byte(), 1, 300).Draw(t, "payload")
			}
			want = append(want, m)
			before := len(frame)
			if frame = appendMessage(frame, m); len(frame)-before > size(m) {
				t.Fatalf("%d bytes were added, more than the size %d", len(frame)-before, size(m))
			}
		}
		from, got, err := readFrame(frame)
		if err != nil || from != sender {
			t.Fatalf("read from %q: %v", from, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

func FuzzReadFrame(f *testing.F) {
	f.Add(appendMessage(openFrame("a"), Message{Topic: TopicTask, Key: "k", Payload: []byte("{}")}))
	f.Add([]byte{frameVersion, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, frame []byte) {
		from, msgs, err := readFrame(frame)
		if err != nil {
			return
		}
		again := openFrame(from)
		for _, m := range msgs {
			again = appendMessage(again, m)
		}
		from2, msgs2, err := readFrame(again)
		if err != nil || from2 != from || !cmp.Equal(msgs, msgs2) {
			t.Errorf("read again: %q, %+v, %v; first %q, %+v", from2, msgs2, err, from, msgs)
		}
	})
}

// The queue is bounded in messages and bytes, keeps the newest and remembers that
// some were lost.
func TestSenderQueueIsBounded(t *testing.T) {
	for name, payload := range map[string]int{"many": 0, "large": MaxPayload} {
		t.Run(name, func(t *testing.T) {
			s := &sender{names: "p"}
			last := ""
			for i := range 3 * maxQueued {
				last = string(rune('a'+i%26)) + "x"
				s.queue("c", Message{Topic: TopicTask, Key: last, Payload: make([]byte, payload)})
				if len(s.items) > maxQueued || s.bytes > maxQueuedBytes {
					t.Fatalf("%d messages, %d bytes wait", len(s.items), s.bytes)
				}
			}
			if !s.takeLost() || s.items[len(s.items)-1].msg.Key != last {
				t.Error("the loss is not remembered, or the newest was dropped")
			}
			sum, n := 0, 0
			for batch := s.take(); len(batch) > 0; batch = s.take() {
				for _, frames := range s.frames(batch) {
					for _, frame := range frames {
						if len(frame) > maxFrame+MaxPayload {
							t.Fatalf("a frame has %d bytes", len(frame))
						}
					}
				}
				for _, q := range batch {
					sum += size(q.msg)
					n++
				}
			}
			if s.bytes != 0 || sum > maxQueuedBytes || n == 0 {
				t.Errorf("%d messages with %d bytes were taken, %d bytes are left", n, sum, s.bytes)
			}
		})
	}
}
