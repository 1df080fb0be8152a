package mcp

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzServe sends one line to a server and holds the answers against what the
// standard library sees in it: one for every request with a readable id, with
// that id; none for a notification or a response; one without an id for the
// rest. The harness checks that each is one line of JSON in one write.
func FuzzServe(f *testing.F) {
	for _, seed := range []string{
		initialize, modern("tools/list"), modern("server/discover"), legacy("tools/call", `{"name":"forti_apply","arguments":null}`),
		modern("tools/call", `,"name":"forti_plan","arguments":{"operations":[{"op":"create","resource":"a","object":{"a":[1.5]}}]}`),
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"id":1,"result":{}}`, `[]`, `{"id":1.0}`, `{`, "\xff", `{"id":"\u0031","id":2}`,
		`{"jsonrpc":"2.0","id":-12345678901234567890,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":0}}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.Contains(line, "\n") || strings.Trim(line, " \t\r") == "" {
			t.Skip("not one line")
		}
		e := newFake()
		s := newServer(t, e, nil)
		for _, lines := range [][]string{{line}, {initialize, line}} {
			got := talk(t, s, lines...)[len(lines)-1:]
			checkAnswers(t, line, got)
		}
	})
}

func checkAnswers(t *testing.T, line string, got []string) {
	t.Helper()
	var members map[string]json.RawMessage
	if !utf8.ValidString(line) || json.Unmarshal([]byte(line), &members) != nil || members == nil {
		if len(got) != 1 || parse(t, got[0]).ID != nil {
			t.Fatalf("%q: want one answer without id, got %v", line, got)
		}
		return
	}
	if twice(line) {
		return // judged in the tests of the parser
	}
	if silent(members) {
		if len(got) != 0 {
			t.Fatalf("%q: want no answer, got %v", line, got)
		}
		return
	}
	if len(got) != 1 {
		t.Fatalf("%q: want one answer, got %v", line, got)
	}
	want := members["id"]
	if !readable(want) {
		want = nil
	}
	if id := parse(t, got[0]).ID; !bytes.Equal(id, want) {
		t.Fatalf("%q: id %s, want %s in %s", line, id, want, got[0])
	}
}

func silent(members map[string]json.RawMessage) bool {
	id, method := members["id"], members["method"]
	if method == nil {
		return members["result"] != nil || members["error"] != nil
	}
	return id == nil && method[0] == '"'
}

func readable(id json.RawMessage) bool {
	var n json.Number
	return len(id) > 0 && (id[0] == '"' || json.Unmarshal(id, &n) == nil && !strings.ContainsAny(string(id), ".eEn"))
}

// twice reports whether a top-level name stands twice, which a map does not show.
func twice(line string) bool {
	d := json.NewDecoder(strings.NewReader(line))
	seen := map[any]bool{}
	depth, name := 0, false
	for {
		token, err := d.Token()
		if err != nil {
			return false
		}
		delim, isDelim := token.(json.Delim)
		switch {
		case isDelim && (delim == '{' || delim == '['):
			depth++
			name = depth == 1
		case isDelim:
			depth--
			name = depth == 1
		case depth == 1 && name:
			if seen[token] {
				return true
			}
			seen[token] = true
			name = false
		case depth == 1:
			name = true
		}
	}
}
