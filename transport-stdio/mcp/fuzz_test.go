package mcp

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzServe sends a stream to a server and holds the answers against what the
// standard library sees in each of its lines: one for every request with a
// readable id, with that id; none for a notification or a response; one without
// an id for the rest; and in order. The harness checks that each is one line of
// valid JSON in one write.
func FuzzServe(f *testing.F) {
	for _, seed := range []string{
		initialize, modern("tools/list"), modern("server/discover"), legacy("tools/call", `{"name":"forti_apply","arguments":null}`),
		modern("tools/call", `,"name":"forti_plan","arguments":{"operations":[{"op":"create","resource":"a","object":{"a":[1.5]}}]}`),
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"id":1,"result":{}}`, `[]`, `{"id":1.0}`, `{`, "\xff", `{"id":"\u0031","id":2}`,
		`{"jsonrpc":"2.0","id":-12345678901234567890,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":0}}}`,
		initialize + "\n" + initialize + "\r\n\n" + legacy("tools/list", `{}`) + "\n" + legacy("ping", `{}`) + "\n{}\n" + `{"method":"a","method":"b"}`,
		"\ufeff" + initialize, "\x00\n" + modern("ping"), `{"method":1,"error":0}`, `{"method":"x","method":1,"id":"a"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, stream string) {
		s := newServer(t, newFake(), nil)
		for _, hello := range []string{"", initialize + "\n"} {
			var want []string
			for line := range strings.SplitSeq(hello+stream, "\n") {
				want = append(want, expected(strings.TrimSuffix(line, "\r"))...)
			}
			var got []string
			for _, line := range talk(t, s, hello+stream) {
				got = append(got, string(parse(t, line).ID))
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%q: answers with the ids %q, want %q", stream, got, want)
			}
		}
	})
}

// expected is the id of the answer that a line must get, empty where it must have
// none; no element where nothing may be answered.
func expected(line string) []string {
	if strings.Trim(line, " \t\r") == "" {
		return nil
	}
	var ids, methods []json.RawMessage
	outcomes := 0
	for _, m := range members(line) {
		switch m.name {
		case "id":
			ids = append(ids, m.value)
		case "method":
			methods = append(methods, m.value)
		case "result", "error":
			outcomes++
		}
	}
	notText := func(v json.RawMessage) bool { return v[0] != '"' }
	notification := len(ids) == 0 && len(methods) > 0 && !slices.ContainsFunc(methods, notText)
	response := len(methods) == 0 && outcomes > 0
	switch {
	case notification || response:
		return nil
	case len(ids) == 1 && readable(ids[0]):
		return []string{string(ids[0])}
	}
	return []string{""}
}

type member struct {
	name  string
	value json.RawMessage
}

// members are those of a line that is a valid object, repeated ones too.
func members(line string) []member {
	if !utf8.ValidString(line) || !json.Valid([]byte(line)) {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(line))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	var list []member
	for d.More() {
		name, err := d.Token()
		text, ok := name.(string)
		var m member
		if err != nil || !ok || d.Decode(&m.value) != nil {
			return nil
		}
		m.name, m.value = text, bytes.Clone(m.value)
		list = append(list, m)
	}
	return list
}

func readable(id json.RawMessage) bool {
	var n json.Number
	return id[0] == '"' || json.Unmarshal(id, &n) == nil && !strings.ContainsAny(string(id), ".eEn")
}
