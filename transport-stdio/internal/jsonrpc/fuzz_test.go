package jsonrpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"
	"unicode/utf8"
)

// FuzzParse holds Parse against encoding/json: the same texts are valid, and a
// request's parts are those that the standard library reads.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[1,-0.5e+3,"\u00e9"]}}`, `{"method":"x"}`, `[]`, `{"id":"\ud800","a":{"a":1,"a":2}}`,
		`{"jsonrpc":"2.0","id":12345678901234567890,"method":"m","params":[[[[]]]]}`, "\ufeff{}", "{\"a\":\"\xff\"}", `{"result":1}`, `nul`, `{"id":1e2}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(bytes.TrimSpace(text)) == 0 || bytes.ContainsRune(text, '\n') {
			t.Skip("the reader hands out no such line")
		}
		m, answer := Parse(Line{Text: text})
		refused := m.Err != nil && m.Err.Code == ParseError
		if valid := json.Valid(text) && utf8.Valid(text); valid == refused {
			t.Fatalf("valid: %v, but got %+v for %q", valid, m, text)
		}
		if answer {
			checkMessage(t, text, m)
		}
	})
}

func checkMessage(t *testing.T, text []byte, m Message) {
	t.Helper()
	if m.Err == nil && m.ID == nil {
		t.Fatalf("a request without an id: %q", text)
	}
	if m.ID != nil && !json.Valid(m.ID) {
		t.Fatalf("an id that is no JSON: %q", m.ID)
	}
	if m.Err != nil {
		return
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		t.Fatal(err)
	}
	var method string
	if err := json.Unmarshal(members["method"], &method); err != nil || method != m.Method {
		t.Fatalf("method %q, want %q (%v)", m.Method, method, err)
	}
	if !bytes.Equal(members["id"], m.ID) || !bytes.Equal(members["params"], m.Params) {
		t.Fatalf("id %s params %s in %q", m.ID, m.Params, text)
	}
}

// FuzzReader holds the reader against splitting at newlines: whatever comes in
// pieces of whatever size, each line that is not blank comes out once and in order,
// as it is where it fits, and as too long with its id where it does not.
func FuzzReader(f *testing.F) {
	f.Add([]byte("{}\r\n\n{\"id\":1}"), 1, 5)
	f.Add([]byte(" \r\r\n\x00\n"), 3, 1)
	f.Add([]byte("0123456789abcdef\r\n0123456789abcdef0\r\nx"), 16, 16)
	f.Add([]byte(`{"jsonrpc":"2.0","method":"ping","id":"a"}`+"\n"+`{"id":2,"x":"                     "}`+"\r"), 7, 20)
	f.Fuzz(func(t *testing.T, text []byte, step, limit int) {
		limit = max(1, limit%200)
		r := newReader(&stepReader{text, max(1, step%100)}, limit, 16)
		for part := range bytes.SplitSeq(text, []byte("\n")) {
			part = bytes.TrimSuffix(part, []byte("\r"))
			if len(part) <= limit && len(trimSpace(part)) == 0 {
				continue
			}
			l, err := r.Next()
			if err != nil || l.TooLong != (len(part) > limit) {
				t.Fatalf("%+v, %v for %q, limit %d", l, err, part, limit)
			}
			if l.TooLong {
				checkLost(t, part, l)
			} else if !bytes.Equal(l.Text, part) {
				t.Fatalf("got %q\nwant %q", l.Text, part)
			}
		}
		if l, err := r.Next(); !errors.Is(err, io.EOF) {
			t.Fatalf("after the end: %+v, %v", l, err)
		}
	})
}

// checkLost checks what is left of a line that was discarded.
func checkLost(t *testing.T, part []byte, l Line) {
	t.Helper()
	if l.Text != nil || l.ID != nil && readableID(l.ID) == nil {
		t.Fatalf("kept %q, id %q", l.Text, l.ID)
	}
	s := scan{text: part}
	if !s.document() || !IsObject(trimSpace(part)) {
		return
	}
	if o := outlineOf(trimSpace(part)); o.ids == 1 && !bytes.Equal(l.ID, readableID(o.id)) {
		t.Fatalf("id %q, want %q", l.ID, o.id)
	}
}

// stepReader gives at most step bytes at a time.
type stepReader struct {
	text []byte
	step int
}

func (r *stepReader) Read(p []byte) (int, error) {
	if len(r.text) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.text[:min(r.step, len(r.text))])
	r.text = r.text[n:]
	return n, nil
}

// FuzzIDScan holds the scan of discarded lines against Parse: where a text is a
// valid object with one readable id, both find it, in pieces of any size.
func FuzzIDScan(f *testing.F) {
	f.Add([]byte(`{"id":1,"method":"m","params":{"id":2}}`), 3)
	f.Add([]byte(`{"a":"\\\"","\u0069d":"x"}`), 1)
	f.Add([]byte(`{"id":1,"id":1}`), 7)
	f.Fuzz(func(t *testing.T, text []byte, step int) {
		s := scan{text: text}
		if !s.document() || !IsObject(trimSpace(text)) {
			t.Skip("only valid objects can be compared")
		}
		o := outlineOf(trimSpace(text))
		var want []byte
		if o.ids == 1 {
			want = readableID(o.id)
		}
		var found idScan
		for step = max(1, step%50); len(text) > 0; text = text[min(step, len(text)):] {
			found.feed(text[:min(step, len(text))])
		}
		if got := found.id(); !bytes.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}
