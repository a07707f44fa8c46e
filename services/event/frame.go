package event

import (
	"encoding/binary"
	"errors"
)

// A frame is what one Redis message carries: the sending server and some
// messages of this bus. Layout, where "text" is a length as uvarint and as many
// bytes:
//
//	version (1 byte) · sender (text) · { topic (text) · key (text) · payload (text) } …
const frameVersion = 1

// errFrame is a frame that this version cannot read.
var errFrame = errors.New("unreadable frame")

func appendText[T ~string | ~[]byte](b []byte, text T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// openFrame begins a frame.
func openFrame(sender string) []byte { return appendText([]byte{frameVersion}, sender) }

// appendMessage adds a message to a frame.
func appendMessage(frame []byte, m Message) []byte {
	return appendText(appendText(appendText(frame, m.Topic), m.Key), m.Payload)
}

// size is about how many bytes appendMessage adds.
func size(m Message) int { return len(m.Topic) + len(m.Key) + len(m.Payload) + 8 }

func cutText(b []byte) (text, rest []byte, err error) {
	n, used := binary.Uvarint(b)
	if used <= 0 || n > uint64(len(b)-used) {
		return nil, nil, errFrame
	}
	return b[used : used+int(n) : used+int(n)], b[used+int(n):], nil
}

// readFrame takes a frame apart. Payloads are parts of frame.
func readFrame(frame []byte) (sender string, msgs []Message, err error) {
	if len(frame) == 0 || frame[0] != frameVersion {
		return "", nil, errFrame
	}
	from, rest, err := cutText(frame[1:])
	for err == nil && len(rest) > 0 {
		var topic, key, payload []byte
		if topic, rest, err = cutText(rest); err != nil {
			break
		}
		if key, rest, err = cutText(rest); err != nil {
			break
		}
		if payload, rest, err = cutText(rest); err != nil {
			break
		}
		m := Message{Topic: Topic(topic), Key: string(key)}
		if len(payload) > 0 {
			m.Payload = payload
		}
		msgs = append(msgs, m)
	}
	if err != nil {
		return "", nil, err
	}
	return string(from), msgs, nil
}
