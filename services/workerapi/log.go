package workerapi

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// maxChunkBytes is where a log item is parted: an attempt's oldest lines are
// dropped by whole chunks, so that a chunk must be small beside what is kept.
const maxChunkBytes = 64 << 10

// log puts a log item into chunks: its lines checked, masked, cut and in order.
// The same item always gives the same chunks.
func (t *translator) log(item *wire.Item) ([]models.LogChunk, error) {
	lines := item.Log.Lines
	if len(lines) == 0 || len(lines) > wire.MaxLogChunkLines {
		return nil, fmt.Errorf("a log item has 1 to %d lines, not %d", wire.MaxLogChunkLines, len(lines))
	}
	for i := range lines {
		if lines[i].Seq < 1 || lines[i].Seq > maxLogSeq || i > 0 && lines[i].Seq <= lines[i-1].Seq {
			return nil, fmt.Errorf("seq %d of a log line does not count up from 1", lines[i].Seq)
		}
	}
	t.mask.Lines(wire.AttemptRef{Task: item.Task, Attempt: item.Attempt}, lines)
	for i := range lines {
		t.tidy(&lines[i])
	}
	var chunks []models.LogChunk
	for len(lines) > 0 {
		chunk, n, err := chunkOf(item, lines)
		if err != nil {
			return nil, err
		}
		chunks, lines = append(chunks, chunk), lines[n:]
	}
	return chunks, nil
}

// maxLogSeq is the highest number that fits beside an attempt's in a position.
const maxLogSeq = 1<<32 - 1

// tidy makes a line fit: its instant by this server's clock, a level of the four,
// message and fields within their limits.
func (t *translator) tidy(line *wire.LogLine) {
	line.At = t.at(line.At)
	line.Level = levelOf(line.Level)
	line.Message = cut(line.Message, wire.MaxLogLineBytes)
	if len(line.Fields) > wire.MaxLogLineBytes {
		line.Fields = json.RawMessage(fmt.Sprintf(`{"dropped":"the fields had %d bytes"}`, len(line.Fields)))
	}
}

// levelOf maps the names that logging libraries use to the protocol's levels.
func levelOf(name string) string {
	if len(name) > 16 {
		return models.LogInfo
	}
	switch strings.ToUpper(name) {
	case "ERROR", "ERR", "SEVERE", "FATAL", "PANIC", "DPANIC", "CRITICAL", "CRIT", "ALERT", "EMERGENCY", "EMERG":
		return models.LogError
	case "WARN", "WARNING":
		return models.LogWarn
	case "DEBUG", "TRACE", "FINE", "FINER", "FINEST", "VERBOSE":
		return models.LogDebug
	}
	return models.LogInfo
}

// chunkOf makes a chunk of the first of lines, about maxChunkBytes of them, and
// answers how many they are.
func chunkOf(item *wire.Item, lines []wire.LogLine) (models.LogChunk, int, error) {
	n, size, top := 0, 0, uint8(0)
	for n < len(lines) && (n == 0 || size < maxChunkBytes) {
		size += len(lines[n].Message) + len(lines[n].Fields)
		top = max(top, models.LogRank(lines[n].Level))
		n++
	}
	body, err := json.Marshal(lines[:n])
	if err != nil {
		return models.LogChunk{}, 0, fmt.Errorf("log lines: %w", err)
	}
	return models.LogChunk{
		TaskID: item.Task, FirstSeq: models.LogSeq(item.Attempt, lines[0].Seq), TopLevel: top,
		LastSeq: models.LogSeq(item.Attempt, lines[n-1].Seq), Bytes: len(body), Lines: body,
	}, n, nil
}
