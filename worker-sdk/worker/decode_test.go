package worker

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// frames are lines in the usual form and in forms that only look like it.
var frames = []string{
	`{"kind":"ping","seq":1}`,
	`{"kind":"assign","seq":2,"assign":[]}`,
	`{"kind":"assign","seq":3,"assign":[{"task":"01JD","attempt":1,"maxAttempts":3,"jobId":"j","job":"Sync orders","handler":"Sync","trigger":"CRON","parameters":{"a":[1,{"b":"}\""}],"c":null},"scheduledAt":"2026-11-30T07:30:00Z","timeoutMs":60000,"deadline":"2026-11-30T07:31:00.123456Z","uniqueKey":"k","root":"r","shard":1,"shards":2,"range":{"from":-5,"to":10},"checkpoint":"x","traceParent":"00-ab"}]}`,
	" { \"kind\" : \"assign\" , \"seq\" : 4 ,\t\"assign\" : [ { \"task\" : \"a\" , \"parameters\" : [ ] } , { \"task\" : \"b\" , \"checkpoint\" : -1.5e3 } ] } \r\n",
	`{"kind":"assign","seq":5,"assign":[{"task":"a","range":{"from":1},"range":{"to":2}}]}`,
	`{"kind":"assign","assign":[{"task":"a"}],"assign":[{"attempt":2}]}`,
	`{"kind":"assign","assign":[{"task":"\u0061\n","job":"Täglich","parameters":"\u2028"}]}`,
	`{"KIND":"assign","Assign":[{"Task":"a"}]}`,
	`{"kind":"assign","assign":[{"task":"a","parameters":null,"deadline":null,"range":null}]}`,
	`{"kind":"assign","assign":[{"attempt":01}]}`,
	`{"kind":"assign","assign":[{"attempt":-0,"timeoutMs":1e3}]}`,
	`{"kind":"assign","assign":[{"attempt":99999999999999999999}]}`,
	`{"kind":"assign","assign":[{"parameters":{"a":tru}}]}`,
	`{"kind":"assign","assign":[{"parameters":true,"checkpoint":{"x":"\"]"}}]}`,
	`{"kind":"assign","assign":[{"scheduledAt":"2026-11-30 07:30:00Z"}]}`,
	`{"kind":"cancel","seq":6,"cancel":[{"task":"a","attempt":1,"cause":"lost"}]}`,
	`{"kind":"assign","later":true,"assign":[{"task":"a","also":[1]}]}`,
	`{"kind":"assign","assign":[{"task":"a"},]}`, `{"kind":"assign"`, `{`, ``, `null`, `[]`, `{"kind":"ping"} x`, "{\"kind\":\"a\x00\"}",
	`{"kind":"assign","seq":7,"assign":[{"task":"a","upstream":[{"job":"b","task":"c","state":"SUCCEEDED","result":{"n":[1]}},{"job":"d","omitted":true}]}]}`,
	`{"kind":"assign","assign":[{"task":"a","upstream":null}]}`, `{"kind":"assign","assign":[{"task":"a","upstream":{}}]}`,
	`{"acks":[{"status":"accepted"},{"status":"stale","message":"over"},{"status":"odd"}]}`,
	`{"acks":[]}`, `{"acks":null}`, `{"acks":[{"status":"retry","message":"Ä\n"}],"more":1}`,
}

func FuzzDecode(f *testing.F) {
	for _, line := range frames {
		f.Add([]byte(line))
	}
	golden, err := filepath.Glob("../wire/testdata/*.json")
	if err != nil || len(golden) == 0 {
		f.Fatalf("golden frames: %v, %v", golden, err)
	}
	for _, path := range golden {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	reader := frameReader{names: map[string]string{}}
	f.Fuzz(func(t *testing.T, line []byte) {
		var want wire.Frame
		wantErr := json.Unmarshal(line, &want)
		got, err := reader.read(line)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%q: error %v, encoding/json says %v", line, err, wantErr)
		}
		if len(got.Assign) == 0 && len(want.Assign) == 0 {
			got.Assign, want.Assign = nil, nil
		}
		if err == nil && !reflect.DeepEqual(got, want) {
			t.Fatalf("%q:\ngot  %+v\nwant %+v", line, got, want)
		}
		var wantAcks wire.Reported
		var gotAcks reported
		wantErr, err = json.Unmarshal(line, &wantAcks), gotAcks.DecodeAnswer(line)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%q: error %v, encoding/json says %v", line, err, wantErr)
		}
		if err == nil && len(gotAcks.acks)+len(wantAcks.Acks) > 0 && !reflect.DeepEqual(gotAcks.acks, wantAcks.Acks) {
			t.Fatalf("%q: got %+v, want %+v", line, gotAcks.acks, wantAcks.Acks)
		}
	})
}

func TestUsualFormTakesTheShortWay(t *testing.T) {
	t.Parallel()
	for i, usual := range map[int]bool{0: true, 1: true, 2: true, 3: true, 4: false, 6: false, 8: false, 16: false} {
		c := cursor{text: []byte(frames[i])}
		if _, ok := c.frame(nil); ok != usual {
			t.Errorf("%s: short way %v", frames[i], ok)
		}
	}
}
