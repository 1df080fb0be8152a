package view_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/envelope"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// hostile is text that would do something to a terminal if it were let through.
const hostile = "a\x1b[2J\x1b]52;c;aGk=\x07\r\b\x00\u0085\u009b2J\u202e\u2066\u200b\u00ad\U000e0041\ue000\x7f b"

// unsafe reports a character that must never reach a terminal.
func unsafe(r rune) bool {
	return r < 0x20 && r != '\n' || r >= 0x7f && r < 0xa0 || strings.ContainsRune("\u202e\u2066\u200b\u00ad\U000e0041\ue000", r)
}

func TestNothingOfOthersActsOnATerminal(t *testing.T) {
	object := map[string]any{"name": hostile, hostile: "x", "list": []any{hostile, map[string]any{"name": hostile}}, "nested": map[string]any{hostile: hostile}}
	pages := map[string]func(p *view.Page){
		"text":   func(p *view.Page) { p.Text("lead ", hostile) },
		"field":  func(p *view.Page) { p.Field("name", hostile) },
		"table":  func(p *view.Page) { p.Table([]string{"a", hostile}, [][]string{{hostile, hostile}}) },
		"object": func(p *view.Page) { p.Object(object, hostile) },
		"rows":   func(p *view.Page) { p.Rows([]map[string]any{object}, nil) },
		"block":  func(p *view.Page) { p.Block(hostile) },
		"quote":  func(p *view.Page) { p.Quote("| ", hostile) },
		"head":   func(p *view.Page) { p.Headline(1, hostile) },
	}
	for name, draw := range pages {
		for _, width := range []int{0, 40} {
			t.Run(name, func(t *testing.T) {
				p := view.NewPage(view.Style{Width: width})
				draw(p)
				if strings.ContainsFunc(p.String(), unsafe) {
					t.Errorf("%q", p.String())
				}
			})
		}
	}
	for _, format := range []view.Format{view.JSON, view.YAML} {
		t.Run(string(format), func(t *testing.T) {
			out, err := view.Encode(envelope.Success(object, &envelope.Meta{Notes: []string{hostile}}), format)
			if err != nil {
				t.Fatal(err)
			}
			if strings.ContainsFunc(string(out), unsafe) {
				t.Errorf("%q", out)
			}
		})
	}
}

func TestAValueDrawsNoLineOfItsOwn(t *testing.T) {
	p := view.NewPage(view.Style{})
	p.Text("", "one\ntwo\r\nthree\u2028four\u0085five")
	if n := strings.Count(p.String(), "\n"); n != 1 {
		t.Errorf("%d lines: %q", n, p.String())
	}
}

func TestJSONIsExactlyTheEnvelope(t *testing.T) {
	for _, tt := range []struct {
		name string
		e    envelope.Envelope
	}{
		{"data", envelope.Success(map[string]any{"a": "<&>é\u2028 \U0001F600", "n": int64(12)}, &envelope.Meta{Profile: "home"})},
		{"an error", envelope.Failed(fault.New(fault.NotFound, "no \x1b such thing").With("nearest", []string{"x"}))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, err := view.Encode(tt.e, view.JSON)
			if err != nil {
				t.Fatal(err)
			}
			plain, err := tt.e.Encode()
			if err != nil {
				t.Fatal(err)
			}
			var got, want any
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if err := json.Unmarshal(plain, &want); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) || strings.Count(string(out), "\n") != 1 {
				t.Errorf("got %s, want %s", out, plain)
			}
		})
	}
}

// tricky are texts that YAML's versions read as something else, or not at all.
var tricky = []any{
	"yes", "no", "on", "off", "y", "null", "~", "", " ", "true", "1", "1.5", "0x10", "0777", "1_000", "12:30:45", "2026-10-15", ".inf", "-",
	"- a", "a: b", "a #b", "#b", "@a", "`a", "%a", "&a", "*a", "!a", "|", ">", "'", `"`, `\`, "{", "[", "a\nb", "a\tb", " a", "a ", "é", "\U0001F600",
	"\u2028", "=", "<<", hostile, "\ufeff", strings.Repeat("long ", 60), int64(0), int64(-5), true, false, nil, []any{}, map[string]any{},
}

func TestYAMLSaysTheSameAsJSON(t *testing.T) {
	for _, v := range append(tricky, any(tricky)) {
		if text, ok := v.(string); ok {
			v = map[string]any{text: text}
		}
		out, err := view.Encode(envelope.Success(map[string]any{"v": v}, nil), view.YAML)
		if err != nil {
			t.Fatal(err)
		}
		var got any
		if err := yaml.Unmarshal(out, &got); err != nil {
			t.Errorf("%q: %v\n%s", v, err, out)
			continue
		}
		again, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		have, err := canon.DecodeLoose(again)
		if err != nil {
			have = nil // NUL: refused by canon, compared below as JSON
		}
		want := map[string]any{"ok": true, "data": map[string]any{"v": v}}
		wanted, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if have == nil && string(again) == string(wanted) {
			continue
		}
		if plain, err := canon.DecodeLoose(wanted); err != nil || !reflect.DeepEqual(have, plain) {
			t.Errorf("%q came back as %s\n%s", v, again, out)
		}
	}
}

func FuzzTheEncodingsKeepTextAndActOnNothing(f *testing.F) {
	for _, v := range tricky {
		if text, ok := v.(string); ok {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			t.Skip("an envelope holds valid text")
		}
		for format, read := range map[view.Format]func([]byte, any) error{view.JSON: json.Unmarshal, view.YAML: yaml.Unmarshal} {
			out, err := view.Encode(envelope.Success(map[string]any{"v": text}, nil), format)
			if err != nil {
				t.Fatal(err)
			}
			var got struct{ Data struct{ V string } }
			if err := read(out, &got); err != nil {
				t.Fatalf("%q: %v\n%s", text, err, out)
			}
			if got.Data.V != text {
				t.Errorf("%s: %q came back as %q\n%s", format, text, got.Data.V, out)
			}
			if strings.ContainsFunc(string(out), unsafe) {
				t.Errorf("%s: %q", format, out)
			}
		}
	})
}

func TestFormats(t *testing.T) {
	for _, text := range []string{"table", "json", "yaml"} {
		if f, err := view.ParseFormat(text); err != nil || string(f) != text {
			t.Errorf("ParseFormat(%q) = %q, %v", text, f, err)
		}
	}
	for _, text := range []string{"", "JSON", "xml"} {
		if _, err := view.ParseFormat(text); fault.CodeOf(err) != fault.Usage {
			t.Errorf("ParseFormat(%q): %v", text, err)
		}
	}
}
