package fortios

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/iotest"
)

// FuzzStream: the streaming decoder and the one for whole answers agree, however
// the bytes arrive.
func FuzzStream(f *testing.F) {
	for _, seed := range []string{
		`{"http_method":"GET","results":[1,{"a":[]},"x"],"status":"success","vdom":"root","serial":"FGTEST0000000001"}`,
		`{"status":"success","size":2,"results":[]}`, `{"status":"error","error":-5,"results":{}}`, `{"status":"success","results":{"a":[1]}} `,
		`{"status":"success","results":null}`, `{"results":[1],"results":[2],"status":"success"}`, `[{"status":"success"}]`, `{"status":"success","results":[1,]}`, `{`, ``, `{"status":"success"}x`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if len(body) > 1<<16 {
			return
		}
		var rows []json.RawMessage
		s, err := stream(iotest.OneByteReader(strings.NewReader(body)), 1<<20, func(row json.RawMessage) bool { rows = append(rows, row); return true })
		whole, wholeErr := DecodeEnvelope([]byte(body))
		if firstByte([]byte(body)) == '[' {
			if err == nil {
				t.Fatalf("a list of envelopes was streamed: %q", body)
			}
			return
		}
		if (err == nil) != (wholeErr == nil) {
			t.Fatalf("streamed: %v, whole: %v", err, wholeErr)
		}
		if err != nil {
			return
		}
		var want []json.RawMessage
		if s.isList {
			if err := json.Unmarshal(whole[0].Results, &want); err != nil {
				t.Fatal(err)
			}
		}
		if len(rows) != len(want) || s.envelope.Status != whole[0].Status || s.envelope.Serial != whole[0].Serial || s.envelope.Error != whole[0].Error {
			t.Fatalf("streamed %d rows of %+v, whole %d of %+v", len(rows), s.envelope, len(want), whole[0])
		}
		for i := range rows {
			if string(rows[i]) != string(want[i]) {
				t.Errorf("row %d: %s, want %s", i, rows[i], want[i])
			}
		}
	})
}
