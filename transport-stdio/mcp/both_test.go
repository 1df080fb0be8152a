package mcp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/transport-stdio/internal/jsonrpc"
)

func TestNotificationsAreNeverAnsweredEvenMalformedOnes(t *testing.T) {
	t.Parallel()
	expect(t, talk(t, newServer(t, newFake(), nil),
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"x"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}`,
		`{"method":"tools/list"}`,
		`{"jsonrpc":"1.0","method":"initialize","params":{}}`,
		`{"jsonrpc":"2.0","method":"tools/call","params":{`+modernMeta+`,"name":"forti_apply","arguments":{"plan_id":"x"}}}`,
		`{"jsonrpc":"2.0","method":"no/such/method","params":{"_meta":7}}`,
		`{"method":"x","params":{"a":1,"a":2}}`,
		`{"method":"x","params":`+strings.Repeat("[", 70)+strings.Repeat("]", 70)+`}`,
	))
}

func TestANotificationNeverReachesTheEngine(t *testing.T) {
	t.Parallel()
	e := newFake()
	talk(t, newServer(t, e, nil), `{"jsonrpc":"2.0","method":"tools/call","params":{`+modernMeta+`,"name":"forti_apply","arguments":{"plan_id":"x"}}}`)
	if len(e.calls) != 0 {
		t.Errorf("called: %v", e.calls)
	}
}

func TestResponsesFromTheClientAreIgnored(t *testing.T) {
	t.Parallel()
	expect(t, talk(t, newServer(t, newFake(), nil),
		`{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"m"}}`,
		`{"id":null,"error":1}`, `{"result":null}`,
	))
}

func TestAnyCursorIsInvalid(t *testing.T) {
	t.Parallel()
	for _, cursor := range []string{`"2"`, `""`, `null`, `7`} {
		expect(t, talk(t, newServer(t, newFake(), nil), modern("tools/list", `,"cursor":`+cursor), initialize, legacy("tools/list", `{"cursor":`+cursor+`}`)),
			"1 -32602", `"i" result`, "1 -32602")
	}
	got := talk(t, newServer(t, newFake(), nil), modern("tools/list"))
	if _, ok := parse(t, got[0]).Result["nextCursor"]; ok {
		t.Error("a cursor was issued")
	}
}

func TestInvalidRequests(t *testing.T) {
	t.Parallel()
	over := strings.Repeat(" ", jsonrpc.MaxLine)
	deep := strings.Repeat("[", 64) + strings.Repeat("]", 64)
	for name, c := range map[string]struct{ in, want string }{
		"a batch":               {`[` + modern("tools/list") + `]`, "- -32600"},
		"not an object":         {`"tools/list"`, "- -32600"},
		"jsonrpc not 2.0":       {`{"jsonrpc":"1.0","id":1,"method":"ping"}`, "1 -32600"},
		"jsonrpc missing":       {`{"id":1,"method":"ping"}`, "1 -32600"},
		"method missing":        {`{"jsonrpc":"2.0","id":1}`, "1 -32600"},
		"method not a string":   {`{"jsonrpc":"2.0","id":1,"method":["ping"]}`, "1 -32600"},
		"id null":               {`{"jsonrpc":"2.0","id":null,"method":"ping"}`, "- -32600"},
		"id a fraction":         {`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "- -32600"},
		"over 4 MiB, id first":  {`{"jsonrpc":"2.0","id":"a","method":"ping"` + over + `}`, `"a" -32600`},
		"over 4 MiB, id last":   {`{"jsonrpc":"2.0","method":"ping"` + over + `,"id":8}`, `8 -32600`},
		"over 4 MiB, no id":     {`{"jsonrpc":"2.0","method":"ping"` + over + `}`, `- -32600`},
		"over 64 levels":        {`{"jsonrpc":"2.0","id":4,"method":"ping","params":` + deep + `}`, "4 -32600"},
		"a name twice":          {`{"jsonrpc":"2.0","id":4,"method":"ping","params":{"a":1,"a":1}}`, "4 -32600"},
		"an id twice":           {`{"jsonrpc":"2.0","id":4,"id":4,"method":"ping"}`, "- -32600"},
		"not valid JSON":        {`{"jsonrpc":"2.0","id":4,`, "- -32700"},
		"params a list":         {`{"jsonrpc":"2.0","id":4,"method":"ping","params":[]}`, "4 -32602"},
		"params null":           {`{"jsonrpc":"2.0","id":4,"method":"ping","params":null}`, "4 -32602"},
		"_meta a list":          {`{"jsonrpc":"2.0","id":4,"method":"ping","params":{"_meta":[]}}`, "4 -32602"},
		"_meta null":            {`{"jsonrpc":"2.0","id":4,"method":"ping","params":{"_meta":null}}`, "4 -32602"},
		"an id given back":      {`{"jsonrpc":"2.0","id":"\u00e9\/\"x","method":"ping"}`, `"\u00e9\/\"x" result`},
		"a large id given back": {`{"jsonrpc":"2.0","id":99999999999999999999999,"method":"ping"}`, `99999999999999999999999 result`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expect(t, talk(t, newServer(t, newFake(), nil), c.in, legacy("ping", `{}`)), c.want, "1 result")
		})
	}
}

func TestWhenTheIDCannotBeReadTheErrorOmitsIt(t *testing.T) {
	t.Parallel()
	for _, line := range []string{`{`, `[]`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`} {
		got := talk(t, newServer(t, newFake(), nil), line)
		if strings.Contains(got[0], `"id"`) {
			t.Errorf("%s: %s", line, got[0])
		}
	}
}

func TestRequestsAreAnsweredInOrder(t *testing.T) {
	t.Parallel()
	var lines, want []string
	for i := range 50 {
		lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s"}`, i, []string{"ping", "none"}[i%2]))
		want = append(want, fmt.Sprintf("%d %s", i, []string{"result", "-32601"}[i%2]))
	}
	expect(t, talk(t, newServer(t, newFake(), nil), lines...), want...)
}

func TestAnUnknownMethodIsRepeatedEscapedAndShort(t *testing.T) {
	t.Parallel()
	got := talk(t, newServer(t, newFake(), nil), legacy(`\u001b[31m\u202e`+strings.Repeat("é", 90), `{}`))
	want := `Method not found: \x1b[31m\u202e` + strings.Repeat(`\u00e9`, 8)
	if message := parse(t, got[0]).Error.Message; message != want {
		t.Errorf("got %s\nwant %s", message, want)
	}
}
