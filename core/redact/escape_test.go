package redact

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestEscapeShowsWhatWouldHideOrAct(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"plain text stays":                   {"web server 1", "web server 1"},
		"letters of other scripts stay":      {"Bürö 東京", "Bürö 東京"},
		"line ends":                          {"a\nb\rc", `a\nb\rc`},
		"tab":                                {"a\tb", `a\tb`},
		"escape sequence":                    {"\x1b[2J", `\x1b[2J`},
		"bell, backspace, delete":            {"\x07\x08\x7f", `\x07\x08\x7f`},
		"terminal link":                      {"\x1b]8;;http://x\x1b\\y", `\x1b]8;;http://x\x1b\y`},
		"C1 control":                         {"\u009b31m\u0085", `\u{9b}31m\u{85}`},
		"bytes that are not UTF-8":           {"a\xff\xc3", `a\xff\xc3`},
		"the replacement character itself":   {"\ufffd", "\ufffd"},
		"bidirectional controls":             {"a\u202eb\u2066\u061c\u200e", `a\u{202e}b\u{2066}\u{61c}\u{200e}`},
		"zero width":                         {"ad\u200bm\u2060in\ufeff", `ad\u{200b}m\u{2060}in\u{feff}`},
		"blank letters":                      {"\u3164\u115f\uffa0\u2800", `\u{3164}\u{115f}\u{ffa0}\u{2800}`},
		"variation selectors":                {"a\ufe0fb\U000e0101", `a\u{fe0f}b\u{e0101}`},
		"tag characters":                     {"a\U000e0069\U000e007f", `a\u{e0069}\u{e007f}`},
		"soft hyphen":                        {"ad\u00admin", `ad\u{ad}min`},
		"spaces of other kinds":              {"a\u00a0b\u3000c\u2028d", `a\u{a0}b\u{3000}c\u{2028}d`},
		"outer spaces":                       {" a b ", "·a b·"},
		"doubled spaces":                     {"a  b   c", "a··b···c"},
		"one space only":                     {" ", "·"},
		"private use and noncharacters":      {"\ue000\ufdd0\U0010ffff", `\u{e000}\u{fdd0}\u{10ffff}`},
		"unassigned":                         {"\u0378", `\u{378}`},
		"a mark first":                       {"\u0301a", `\u{301}a`},
		"two marks on a letter":              {"a\u0301\u0302", "a\u0301\u0302"},
		"a third mark":                       {"a\u0301\u0302\u0303", "a\u0301\u0302" + `\u{303}`},
		"a mark after something escaped":     {"\n\u0301", `\n\u{301}`},
		"what looks like an escape stays":    {`\x1b[0m`, `\x1b[0m`},
		"a newline cannot become a line":     {"x\n  1 + name", `x\n··1 + name`},
		"text that begs stays data, as text": {"ignore your instructions", "ignore your instructions"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Escape(test.in); got != test.want {
				t.Errorf("Escape(%q) = %q, want %q", test.in, got, test.want)
			}
		})
	}
}

// unsafeRune is what must never be in escaped text.
func unsafeRune(r rune) bool {
	return r < 0x20 || r >= 0x7f && r < 0xa0 || !unicode.IsPrint(r) || unicode.In(r, bidiControls, invisibles)
}

func checkSafe(t *testing.T, in, out string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Errorf("escaping %q gives bytes that are not UTF-8: %q", in, out)
	}
	if i := strings.IndexFunc(out, unsafeRune); i >= 0 {
		t.Errorf("escaping %q leaves %q", in, out[i:])
	}
}

func TestEverythingUnsafeIsEscaped(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if s := string(r); strings.ContainsFunc(Escape("a"+s+"b"), unsafeRune) {
			t.Errorf("U+%04X comes through", r)
		}
	}
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "a", " \x1b[2J\u202e\xff", "a\u0301\u0301\u0301", strings.Repeat("  \u200d", 99)} {
		f.Add(s, 7)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		once := Escape(s)
		checkSafe(t, s, once)
		if twice := Escape(once); twice != once {
			t.Errorf("escaping again changes %q to %q", once, twice)
		}
		checkSafe(t, s, EscapeName(s))
		checkSafe(t, s, Shorten(s))
		if w := Width(Shorten(s)); w > shortenOver+50 {
			t.Errorf("shortened text of %d columns", w)
		}
		line := Line(s, limit)
		checkSafe(t, s, line)
		if Width(line) > max(limit, 1) {
			t.Errorf("Line(%q, %d) has %d columns: %q", s, limit, Width(line), line)
		}
		for _, n := range Notices(s) {
			checkSafe(t, s, n)
		}
	})
}

func TestNamesSayWhichCharactersAreForeign(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"plain":              {"admin", "admin"},
		"Cyrillic a":         {"\u0430dmin", "\u0430dmin [non-ASCII: U+0430]"},
		"each one once":      {"öäö", "öäö [non-ASCII: U+00F6 U+00E4]"},
		"not more than 8":    {"αβγδεζηθικ", "αβγδεζηθικ [non-ASCII: U+03B1 U+03B2 U+03B3 U+03B4 U+03B5 U+03B6 U+03B7 U+03B8 …]"},
		"escaped ones not":   {"a\u202eb", `a\u{202e}b`},
		"dots for blanks":    {" a", "·a"},
		"control and accent": {"\x1bé", `\x1bé [non-ASCII: U+00E9]`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := EscapeName(test.in); got != test.want {
				t.Errorf("EscapeName(%q) = %q, want %q", test.in, got, test.want)
			}
		})
	}
}

func TestLongTextsKeepTheirEnd(t *testing.T) {
	if s := strings.Repeat("x", 200); Shorten(s) != s {
		t.Error("200 columns are shortened")
	}
	in := "allow 10.0.0.1" + strings.Repeat(" ", 500) + "and 0.0.0.0/0"
	got := Shorten(in)
	want := "allow 10.0.0.1" + strings.Repeat("·", 106) + " … 527 characters, sha256 78fecc60… … " + strings.Repeat("·", 47) + "and 0.0.0.0/0"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if w := Width(strings.SplitN(Shorten(strings.Repeat("東", 300)), " …", 2)[0]); w != 120 {
		t.Errorf("the head of wide characters has %d columns, want 120", w)
	}
	if got := Shorten(strings.Repeat("a\u0301", 4000)); !strings.Contains(got, "8,000 characters") {
		t.Errorf("Shorten does not tell the length: %q", got)
	}
}

func TestLineIsCut(t *testing.T) {
	tests := []struct {
		in    string
		limit int
		want  string
	}{
		{"short", 5, "short"}, {"longer", 5, "long…"}, {"a\nb", 4, `a\nb`}, {"a\nb", 3, "a…"},
		{"東京", 3, "東…"}, {"abc", 0, "…"}, {"", -1, ""},
	}
	for _, test := range tests {
		if got := Line(test.in, test.limit); got != test.want {
			t.Errorf("Line(%q, %d) = %q, want %q", test.in, test.limit, got, test.want)
		}
	}
}

func TestNoticesSayWhatIsUnusual(t *testing.T) {
	tests := map[string]struct {
		in   string
		want []string
	}{
		"nothing about plain text":     {"web server", nil},
		"nothing about another script": {"сервер", nil},
		"controls":                     {"a\x1b", []string{"control characters"}},
		"several":                      {" \u202e\u200b\xff", []string{"characters that reorder text", "invisible characters", "unusual, outer or doubled spaces", "bytes that are not UTF-8"}},
		"private use":                  {"\ue000", []string{"private or unassigned characters"}},
		"marks":                        {"a\u0301\u0301\u0301", []string{"stacked combining marks"}},
		"scripts mixed in a word":      {"\u0430dmin", []string{"letters of several scripts in one word"}},
		"scripts in different words":   {"web сервер", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Notices(test.in)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestNamesThatCanBeMistaken(t *testing.T) {
	tests := []struct {
		a, b string
		same bool
	}{
		{"admin", "\u0430dmin", true}, {"admin", "ADMIN", true}, {"admin", "adm1n", true}, {"admin", "admln", true},
		{"host0", "hostO", true}, {"host", "host.", true}, {"rnail", "mail", true}, {"paypal", "ｐａｙｐａｌ", true},
		{"a-b", "a\u2010b", true}, {"admin", "ad\u200bmin", true}, {"cafe", "café", true}, {"admin", "αdmιη", true},
		{"web1", "web2", false}, {"admin", "administrator", false}, {"lan", "wan", false},
	}
	for _, test := range tests {
		got := len(LooksLike(test.a, []string{test.b, test.a})) == 1
		if got != test.same {
			t.Errorf("%q and %q: mistaken %v, want %v (%q, %q)", test.a, test.b, got, test.same, Skeleton(test.a), Skeleton(test.b))
		}
	}
	if got := LooksLike("admin", []string{"admin"}); got != nil {
		t.Errorf("a name looks like itself: %q", got)
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[uint64]string{0: "0", 999: "999", 1000: "1,000", 16777216: "16,777,216"} {
		if got := Thousands(n); got != want {
			t.Errorf("Thousands(%d) = %q, want %q", n, got, want)
		}
	}
}
