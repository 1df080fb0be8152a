package protocol

import (
	"strings"
	"testing"
)

// nested is a ping whose params stand so many levels deep; the message is the first.
func nested(levels int) string {
	return `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":` + strings.Repeat("[", levels-2) + strings.Repeat("]", levels-2) + `}}`
}

// TestTheErrorTable has every row of the table and every cause that it lists.
func TestTheErrorTable(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ line, want string }{
		"-32700 not valid JSON":             {`{"jsonrpc":"2.0","id":1,"method":"ping"`, "- -32700"},
		"-32700 a word":                     {`ping`, "- -32700"},
		"-32700 two values":                 {`{} {}`, "- -32700"},
		"-32700 single quotes":              {`{'id':1}`, "- -32700"},
		"-32700 a trailing comma":           {`{"jsonrpc":"2.0","id":1,"method":"ping",}`, "- -32700"},
		"-32700 a number with zeros before": {`{"jsonrpc":"2.0","id":01,"method":"ping"}`, "- -32700"},
		"-32600 a batch":                    {`[` + ping + `]`, "- -32600"},
		"-32600 an empty batch":             {`[]`, "- -32600"},
		"-32600 a string":                   {`"ping"`, "- -32600"},
		"-32600 null":                       {`null`, "- -32600"},
		"-32600 a number":                   {`1`, "- -32600"},
		"-32600 jsonrpc 1.0":                {`{"jsonrpc":"1.0","id":1,"method":"ping"}`, "1 -32600"},
		"-32600 jsonrpc a number":           {`{"jsonrpc":2.0,"id":1,"method":"ping"}`, "1 -32600"},
		"-32600 jsonrpc missing":            {`{"id":1,"method":"ping"}`, "1 -32600"},
		"-32600 method missing":             {`{"jsonrpc":"2.0","id":1}`, "1 -32600"},
		"-32600 an empty object":            {`{}`, "- -32600"},
		"-32600 method null":                {`{"jsonrpc":"2.0","id":1,"method":null}`, "1 -32600"},
		"-32600 method a number":            {`{"jsonrpc":"2.0","id":1,"method":1}`, "1 -32600"},
		"-32600 method a number, no id":     {`{"jsonrpc":"2.0","method":1}`, "- -32600"},
		"-32600 id null":                    {`{"jsonrpc":"2.0","id":null,"method":"ping"}`, "- -32600"},
		"-32600 id true":                    {`{"jsonrpc":"2.0","id":true,"method":"ping"}`, "- -32600"},
		"-32600 id a list":                  {`{"jsonrpc":"2.0","id":[1],"method":"ping"}`, "- -32600"},
		"-32600 id an object":               {`{"jsonrpc":"2.0","id":{},"method":"ping"}`, "- -32600"},
		"-32600 id a fraction":              {`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "- -32600"},
		"-32600 id 1.0":                     {`{"jsonrpc":"2.0","id":1.0,"method":"ping"}`, "- -32600"},
		"-32600 id 1e2":                     {`{"jsonrpc":"2.0","id":1e2,"method":"ping"}`, "- -32600"},
		"-32600 nested deeper than 64":      {nested(65), "1 -32600"},
		"64 levels are accepted":            {nested(64), "1 result"},
		"-32600 a name stands twice":        {`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":{"b":1,"\u0062":2}}}`, "1 -32600"},
		"-32600 a method twice":             {`{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`, "1 -32600"},
		"-32600 an id twice":                {`{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, "- -32600"},
		"-32601 an unknown method":          {request("resources/list", `{}`), "1 -32601"},
		"-32602 params a list":              {request("ping", `[]`), "1 -32602"},
		"-32602 params null":                {request("ping", `null`), "1 -32602"},
		"-32602 params a string":            {request("tools/list", `"x"`), "1 -32602"},
		"-32602 _meta a list":               {request("ping", `{"_meta":[]}`), "1 -32602"},
		"-32602 _meta null":                 {request("ping", `{"_meta":null}`), "1 -32602"},
		"-32602 a missing field":            {modern("tools/call"), "1 -32602"},
		"-32602 a malformed field":          {modern("tools/call", `"name":["forti_read"]`), "1 -32602"},
		"-32602 legacy before initialize":   {request("tools/list", `{}`), "1 -32602"},
		"-32602 discover without _meta":     {request("server/discover", `{}`), "1 -32602"},
		"-32602 a cursor":                   {modern("tools/list", `"cursor":"x"`), "1 -32602"},
		"-32602 an unknown tool":            {call("forti_approve", `{}`), "1 -32602"},
		"-32022 another version":            {strings.Replace(modern("tools/list"), "2026-07-28", "2024-11-05", 1), "1 -32022"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want(t, ask(t, c.line, ping), c.want, `"p" result`)
		})
	}
}

func TestWhenTheIDCannotBeReadTheErrorOmitsIt(t *testing.T) {
	t.Parallel()
	for _, line := range []string{`{`, `[]`, `1`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`, `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`} {
		if a := one(t, line); names(a.Other) != "error jsonrpc" {
			t.Errorf("%s: %v", line, names(a.Other))
		}
	}
}

func TestTheIDIsGivenBackExactlyAsItCame(t *testing.T) {
	t.Parallel()
	for _, id := range []string{
		`0`, `-0`, `-1`, `9007199254740993`, `-9223372036854775809`, `18446744073709551616`, `123456789012345678901234567890123456789012345678901234567890`,
		`""`, `"x"`, `"\u0000"`, `"\u00e9\/\"\\"`, `"é\ud83d\ude00"`, `"<&>"`, `"\ud800"`, `"1"`, `"` + strings.Repeat("i", 100_000) + `"`,
	} {
		for _, method := range []string{"ping", "none", "tools/list"} {
			line := `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `"}`
			if a := one(t, line); string(a.ID) != id {
				t.Errorf("%.60s came back as %.60s", id, a.ID)
			}
		}
	}
}

func TestOnlyTheNamedErrorsCarryData(t *testing.T) {
	t.Parallel()
	for line, data := range map[string]string{
		strings.Replace(modern("tools/list"), "2026-07-28", "2024-11-05", 1): "requested supported",
		request("tools/list", `{}`):                        "supported",
		request("tools/call", `{"name":"forti_discover"}`): "supported",
		request("server/discover", `{}`):                   "supported",
		request("initialize", `{}`):                        "supported",
		`{`:                                                "",
		`[]`:                                               "",
		request("none", `{}`):                              "",
		request("ping", `[]`):                              "",
		request("initialize", `[]`):                        "",
		modern("tools/list", `"cursor":"x"`):               "",
		call("forti_approve", `{}`):                        "",
		`{"jsonrpc":"2.0","id":1,"method":1}`:              "",
	} {
		if got := names(one(t, line).Error.Data); got != data {
			t.Errorf("%s: data has %q, want %q", line, got, data)
		}
	}
}

// What the model can fix is no protocol error.
func TestToolErrorsAreNotProtocolErrors(t *testing.T) {
	t.Parallel()
	for line, code := range map[string]string{
		call("forti_discover", `{}`):                                "usage",
		call("forti_discover", `null`):                              "usage",
		call("forti_discover", `[]`):                                "usage",
		call("forti_discover", `"devices"`):                         "usage",
		modern("tools/call", `"name":"forti_discover"`):             "usage",
		call("forti_read", `{"resource":"x","extra":1}`):            "usage",
		call("forti_discover", `{"what":"capabilities"}`):           "config", // no profile is configured
		call("forti_apply", `{"plan_id":"20261015-104512-a1b2c3"}`): "not_found",
	} {
		a := one(t, line)
		e := envelopeOf(t, a)
		if e.OK || e.Error.Code != code || string(a.Result["isError"]) != "true" {
			t.Errorf("%s: %+v", line, e.Error)
		}
	}
}
