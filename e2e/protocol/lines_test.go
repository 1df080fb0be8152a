package protocol

import (
	"strings"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

// limit is the most bytes of a message: 4 MiB.
const limit = 4 << 20

func stream(t *testing.T, stdin string) []string {
	t.Helper()
	s := run(t, harness.Empty(t), strings.NewReader(stdin))
	if s.status != 0 || s.stderr != "" {
		t.Fatalf("status %d, stderr %q", s.status, s.stderr)
	}
	return split(t, s.stdout)
}

func TestBlankLinesAreIgnored(t *testing.T) {
	t.Parallel()
	want(t, stream(t, "\n \n\t\r\n\r\n"+ping+"\n\n \t \n"+ping+"\n\n"), `"p" result`, `"p" result`)
	want(t, stream(t, ""))
	want(t, stream(t, "\n"))
	want(t, stream(t, " "))
}

func TestLinesMayEndWithCRLF(t *testing.T) {
	t.Parallel()
	want(t, stream(t, ping+"\r\n"+ping+"\r\n"), `"p" result`, `"p" result`)
}

func TestALastMessageWithoutATrailingNewlineIsHandled(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"", "\r", " ", "\n"} {
		want(t, stream(t, ping+"\n"+ping+end), `"p" result`, `"p" result`)
	}
	want(t, stream(t, ping+"\n"+`{"jsonrpc":"2.0","id":1,`), `"p" result`, "- -32700")
}

// padded is a ping of so many bytes, with the id before or after the padding.
func padded(bytes int, before, after string) string {
	const rest = `"jsonrpc":"2.0","method":"ping","params":{"x":"`
	size := bytes - len(`{`+before+rest+`"}`+after+`}`)
	return `{` + before + rest + strings.Repeat("x", size) + `"}` + after + `}`
}

func TestAMessageMayHave4MiBAndNotAByteMore(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ line, want string }{
		"4 MiB":                          {padded(limit, `"id":1,`, ``), "1 result"},
		"4 MiB and a carriage return":    {padded(limit, `"id":1,`, ``) + "\r", "1 result"},
		"4 MiB of spaces around it":      {ping + strings.Repeat(" ", limit-len(ping)), `"p" result`},
		"a byte more, id first":          {padded(limit+1, `"id":1,`, ``), "1 -32600"},
		"a byte more, id last":           {padded(limit+1, ``, `,"id":-98765432109876543210`), "-98765432109876543210 -32600"},
		"a byte more, id a string":       {padded(limit+1, ``, `,"\u0069d":"\u00e9"`), `"\u00e9" -32600`},
		"a byte more, no id":             {padded(limit+1, ``, ``), "- -32600"},
		"a byte more, id deeper only":    {padded(limit+1, `"a":{"id":1},`, ``), "- -32600"},
		"a byte more, two ids":           {padded(limit+1, `"id":1,`, `,"id":1`), "- -32600"},
		"a byte more, id a fraction":     {padded(limit+1, `"id":1.5,`, ``), "- -32600"},
		"a byte more, not JSON":          {strings.Repeat("x", limit+1), "- -32600"},
		"a byte more, blank":             {strings.Repeat(" ", limit+1), "- -32600"},
		"a byte more and a carriage ret": {padded(limit+1, `"id":1,`, ``) + "\r", "1 -32600"},
		"three times as much":            {padded(3*limit, `"id":1,`, ``), "1 -32600"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want(t, stream(t, c.line+"\n"+ping+"\n"+c.line), c.want, `"p" result`, c.want)
		})
	}
}

func TestWhatIsNotJSONInUTF8IsAParseError(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"a NUL byte alone":        "\x00",
		"a NUL byte before":       "\x00" + ping,
		"a NUL byte after":        ping + "\x00",
		"a NUL byte in a string":  `{"jsonrpc":"2.0","id":1,"method":"pi` + "\x00" + `ng"}`,
		"a byte order mark":       "\ufeff" + ping,
		"UTF-16":                  "\xff\xfe{\x00}\x00",
		"an invalid byte":         `{"jsonrpc":"2.0","id":1,"method":"` + "\xff" + `"}`,
		"a surrogate in UTF-8":    `{"jsonrpc":"2.0","id":1,"method":"` + "\xed\xa0\x80" + `"}`,
		"an overlong form":        `{"jsonrpc":"2.0","id":1,"method":"` + "\xc0\xaf" + `"}`,
		"a control character":     `{"jsonrpc":"2.0","id":1,"method":"` + "\x01" + `"}`,
		"a tab in a string":       `{"jsonrpc":"2.0","id":1,"method":"a` + "\t" + `b"}`,
		"a space of another kind": "\u00a0" + ping,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want(t, stream(t, line+"\n"+ping), "- -32700", `"p" result`)
		})
	}
}

func TestNumbersBeyond64BitsAreKeptAsTheyAre(t *testing.T) {
	t.Parallel()
	const big = "123456789012345678901234567890"
	want(t, stream(t, request("ping", `{"x":`+big+`,"y":-1e400,"z":0.1234567890123456789012345}`)), "1 result")
	a := one(t, call("forti_read", `{"resource":"firewall/policy","key":`+big+`}`))
	if e := envelopeOf(t, a); e.OK {
		t.Errorf("read without a profile: %+v", e)
	}
	a = one(t, call("forti_read", `{"resource":"firewall/policy","count":`+big+`}`))
	if e := envelopeOf(t, a); e.OK || e.Error.Code != "usage" || !strings.Contains(e.Error.Message, "/count") {
		t.Errorf("count: %+v", e.Error)
	}
}

func TestStdoutCarriesOneLineForEachResponse(t *testing.T) {
	t.Parallel()
	got := stream(t, modern("tools/list")+"\n"+call("forti_discover", `{"what":"nothing\nat\u2028all"}`)+"\n")
	want(t, got, "1 result", "1 result")
	for _, line := range got {
		if strings.ContainsAny(line, "\r\n") {
			t.Errorf("%q", line)
		}
	}
}
