package imports

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// PropertiesOf reads a properties file of Java; of Quartz.NET too, whose keys lack
// org.
func PropertiesOf(text []byte) map[string]string {
	values := map[string]string{}
	source := strings.ReplaceAll(strings.ReplaceAll(validUTF8(text), "\r\n", "\n"), "\\\n", "")
	for line := range strings.SplitSeq(source, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == '!' {
			continue
		}
		i := strings.IndexAny(line, "=:")
		if i < 0 {
			continue
		}
		key := strings.TrimPrefix(strings.TrimSpace(line[:i]), "org.")
		values[key] = strings.TrimSpace(line[i+1:])
	}
	return values
}

// properties carries what quartz.properties says of jobs and tells of the rest.
func (q *quartz) properties(text []byte) {
	values := PropertiesOf(text)
	for _, key := range sortedKeys(values) {
		v := values[key]
		switch {
		case key == "quartz.jobStore.misfireThreshold":
			ms, err := strconv.ParseInt(v, 10, 64)
			if err != nil || ms < 1000 || ms > int64(366*24*time.Hour/time.Millisecond) {
				q.note(Lost, 0, key, "%s is no threshold of at least a second; misfires count from 1m on.", strconv.Quote(tidy(v, 40)))
				continue
			}
			q.grace = (time.Duration(ms) * time.Millisecond).String()
			q.note(Understood, 0, key, "Fires later than %s are missed (misfire.grace).", q.grace)
		case key == "quartz.threadPool.threadCount" || key == "quartz.threadPool.maxConcurrency":
			q.note(Lost, 0, key, "%s threads: give each worker as many slots, or the node group a maxRunning.", tidy(v, 20))
		case key == "quartz.jobStore.isClustered" || key == "quartz.jobStore.clustered":
			q.note(Understood, 0, key, "A cluster needs no setting here: start several servers on one database.")
		case strings.HasSuffix(key, ".fileNames"):
			q.note(Understood, 0, key, "The jobs stand in %s: import each of these files.", tidy(v, 200))
		case strings.Contains(strings.ToLower(key), "listener"):
			q.note(Lost, 0, key, "Listeners are code of the application; alert rules and the API take their place.")
		}
	}
}
