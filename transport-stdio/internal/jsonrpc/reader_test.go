package jsonrpc

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// line is a Line as a test can read it.
type line struct {
	Text    string
	TooLong bool
	ID      string
}

func readAll(t *testing.T, in io.Reader) []line {
	t.Helper()
	var lines []line
	r := NewReader(in)
	for {
		l, err := r.Next()
		if errors.Is(err, io.EOF) {
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line{string(l.Text), l.TooLong, string(l.ID)})
	}
}

func TestOneMessagePerLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   string
		want []line
	}{
		"lines":                              {"{1}\n{2}\n", []line{{Text: "{1}"}, {Text: "{2}"}}},
		"a last line without newline counts": {"{1}\n{2}", []line{{Text: "{1}"}, {Text: "{2}"}}},
		"blank lines are ignored":            {"\n\r\n \t\n{1}\n\n \r\n", []line{{Text: "{1}"}}},
		"a blank last line is ignored":       {"{1}\n  ", []line{{Text: "{1}"}}},
		"CRLF ends a line":                   {"{1}\r\n{2}\r\n", []line{{Text: "{1}"}, {Text: "{2}"}}},
		"a last line may end in CR":          {"{1}\r", []line{{Text: "{1}"}}},
		"NUL and BOM are not space":          {"\x00\n\ufeff\n", []line{{Text: "\x00"}, {Text: "\ufeff"}}},
		"nothing":                            {"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, readAll(t, strings.NewReader(c.in))); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.want, readAll(t, iotest.OneByteReader(strings.NewReader(c.in)))); diff != "" {
				t.Errorf("byte by byte: %s", diff)
			}
		})
	}
}

func TestAtMost4MiBPerMessage(t *testing.T) {
	t.Parallel()
	head := `{"id":7,"x":"`
	fit := head + strings.Repeat("x", MaxLine-len(head)-2) + `"}`
	over := head + strings.Repeat("x", MaxLine-len(head)-1) + `"}`
	for name, c := range map[string]struct {
		in   string
		want []line
	}{
		"exactly 4 MiB":                 {fit + "\n", []line{{Text: fit}}},
		"exactly 4 MiB and CRLF":        {fit + "\r\n", []line{{Text: fit}}},
		"exactly 4 MiB at the end":      {fit, []line{{Text: fit}}},
		"one byte more":                 {over + "\n", []line{{TooLong: true, ID: "7"}}},
		"one byte more and CRLF":        {over + "\r\n", []line{{TooLong: true, ID: "7"}}},
		"one byte more at the end":      {over, []line{{TooLong: true, ID: "7"}}},
		"the next line is read as such": {over + over + "\n{1}\n" + over + "\n{2}", []line{{TooLong: true}, {Text: "{1}"}, {TooLong: true, ID: "7"}, {Text: "{2}"}}},
		"blank but too long":            {strings.Repeat(" ", MaxLine+1) + "\n", []line{{TooLong: true}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, readAll(t, strings.NewReader(c.in))); diff != "" {
				t.Error(diff[:min(len(diff), 1000)])
			}
		})
	}
}

func TestTheIDOfADiscardedLineIsFoundAtTheTopLevel(t *testing.T) {
	t.Parallel()
	pad := strings.Repeat("y", MaxLine)
	for name, c := range map[string]struct{ in, want string }{
		"before the bulk":            {`{"jsonrpc":"2.0","id":12,"params":"` + pad + `"}`, "12"},
		"after the bulk":             {`{"params":"` + pad + `" , "id" : "a\"b}" }`, `"a\"b}"`},
		"last, without space":        {`{"params":"` + pad + `","id":-3}`, "-3"},
		"large integers stay":        {`{"id":123456789012345678901234567890,"p":"` + pad + `"}`, "123456789012345678901234567890"},
		"a name in escapes":          {`{"\u0069d":5,"p":"` + pad + `"}`, "5"},
		"nested ids do not count":    {`{"params":{"id":1,"a":[{"id":2}]},"p":"` + pad + `"}`, ""},
		"ids in strings neither":     {`{"params":"\",\"id\":1","p":"` + pad + `"}`, ""},
		"an id that stands twice":    {`{"id":1,"p":"` + pad + `","id":1}`, ""},
		"a fraction":                 {`{"id":1.0,"p":"` + pad + `"}`, ""},
		"null":                       {`{"id":null,"p":"` + pad + `"}`, ""},
		"an object":                  {`{"id":{"id":1},"p":"` + pad + `"}`, ""},
		"a string with a raw tab":    {"{\"id\":\"\t\",\"p\":\"" + pad + `"}`, ""},
		"a string that is not UTF-8": {"{\"id\":\"\xff\",\"p\":\"" + pad + `"}`, ""},
		"an array":                   {`["id",{"id":1},"` + pad + `"]`, ""},
		"text after the object":      {`{"id":1} "` + pad + `"`, ""},
		"no JSON":                    {`id":1,` + pad, ""},
		"the line ends in the id":    {`{"p":"` + pad + `","id":12`, ""},
		"the line ends in the bulk":  {`{"id":12,"p":"` + pad, "12"},
		"an id too long to keep":     {`{"id":"` + pad + `"}`, ""},
		"value on another name":      {`{"idx":1,"p":"` + pad + `","xid":2}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := []line{{TooLong: true, ID: c.want}, {Text: "{}"}}
			if diff := cmp.Diff(want, readAll(t, strings.NewReader(c.in+"\n{}\n"))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// endless gives n bytes of one string.
type endless struct{ n int }

func (e *endless) Read(p []byte) (int, error) {
	if e.n == 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.n)
	for i := range p[:n] {
		p[i] = 'x'
	}
	e.n -= n
	return n, nil
}

func TestALongLineIsDiscardedWithoutBeingBuffered(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := NewReader(io.MultiReader(strings.NewReader(`{"id":1,"p":"`), &endless{64 << 20}, strings.NewReader(`"}`)))
	l, err := r.Next()
	runtime.ReadMemStats(&after)
	if err != nil || !l.TooLong || string(l.ID) != "1" {
		t.Fatalf("got %+v, %v", l, err)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 6<<20 {
		t.Errorf("a line of 64 MiB made the reader allocate %d bytes", grown)
	}
}

func TestAStreamThatFailsIsReported(t *testing.T) {
	t.Parallel()
	cause := errors.New("the pipe broke")
	for name, head := range map[string]string{
		"at once": "", "within a line": `{"id":1`, "within a long line": strings.Repeat("x", MaxLine+2*chunk),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := NewReader(io.MultiReader(strings.NewReader(head), iotest.ErrReader(cause)))
			if l, err := r.Next(); !errors.Is(err, cause) {
				t.Errorf("got %+v, %v", l, err)
			}
		})
	}
}
