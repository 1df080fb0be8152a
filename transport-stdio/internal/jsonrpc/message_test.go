package jsonrpc

import (
	"encoding/json"
	"strings"
	"testing"
)

// verdict is what Parse says, as a test can read it: "silent", a code with the
// id, or the request's id, method and params.
func verdict(text string) string {
	m, answer := Parse(Line{Text: []byte(text)})
	switch {
	case !answer:
		return "silent"
	case m.Err != nil:
		return strings.TrimSpace(map[Code]string{ParseError: "-32700", InvalidRequest: "-32600"}[m.Err.Code] + " " + string(m.ID))
	}
	return string(m.ID) + " " + m.Method + " " + string(m.Params)
}

func deep(n int) string {
	return strings.Repeat(`[`, n) + strings.Repeat(`]`, n)
}

func TestParse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"a request":                             {`{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[1]}}`, `1 m {"a":[1]}`},
		"a request without params":              {` { "method" : "m" , "id" : "x" , "jsonrpc" : "2.0" } `, `"x" m `},
		"params of any kind are left to others": {`{"jsonrpc":"2.0","id":1,"method":"m","params":null}`, `1 m null`},
		"names and texts may be escaped":        {`{"jsonrpc":"2\u002e0","\u0069d":1,"meth\u006fd":"\u006d"}`, `1 m `},
		"other members are ignored":             {`{"jsonrpc":"2.0","id":1,"method":"m","result":1,"x":{}}`, `1 m `},

		"ids: a string as it came":          {`{"jsonrpc":"2.0","id":"\u00e9\/é","method":"m"}`, `"\u00e9\/é" m `},
		"ids: an integer beyond 64 bits":    {`{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"m"}`, `123456789012345678901234567890 m `},
		"ids: zero, negative":               {`{"jsonrpc":"2.0","id":-0,"method":"m"}`, `-0 m `},
		"ids: the empty string":             {`{"jsonrpc":"2.0","id":"","method":"m"}`, `"" m `},
		"ids: 1.0 is not an integer":        {`{"jsonrpc":"2.0","id":1.0,"method":"m"}`, `-32600`},
		"ids: 1e2 is not an integer":        {`{"jsonrpc":"2.0","id":1e2,"method":"m"}`, `-32600`},
		"ids: null":                         {`{"jsonrpc":"2.0","id":null,"method":"m"}`, `-32600`},
		"ids: a boolean":                    {`{"jsonrpc":"2.0","id":true,"method":"m"}`, `-32600`},
		"ids: an array":                     {`{"jsonrpc":"2.0","id":[1],"method":"m"}`, `-32600`},
		"ids: an object":                    {`{"jsonrpc":"2.0","id":{},"method":"m"}`, `-32600`},
		"a method without jsonrpc":          {`{"id":1,"method":"m"}`, `-32600 1`},
		"jsonrpc 1.0":                       {`{"jsonrpc":"1.0","id":1,"method":"m"}`, `-32600 1`},
		"jsonrpc as a number":               {`{"jsonrpc":2.0,"id":1,"method":"m"}`, `-32600 1`},
		"no method":                         {`{"jsonrpc":"2.0","id":1}`, `-32600 1`},
		"a method that is no string":        {`{"jsonrpc":"2.0","id":1,"method":1}`, `-32600 1`},
		"neither id nor method":             {`{"jsonrpc":"2.0"}`, `-32600`},
		"an empty object":                   {`{}`, `-32600`},
		"no id and a method that is a null": {`{"jsonrpc":"2.0","method":null}`, `-32600`},
		"members are matched exactly":       {`{"JSONRPC":"2.0","ID":1,"Method":"m"}`, `-32600`},

		"a batch":       {`[{"jsonrpc":"2.0","id":1,"method":"m"}]`, `-32600`},
		"an empty list": {`[]`, `-32600`},
		"a string":      {`"x"`, `-32600`},
		"a number":      {`1`, `-32600`},
		"null":          {`null`, `-32600`},

		"a notification":                       {`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `silent`},
		"a notification without jsonrpc":       {`{"method":"x"}`, `silent`},
		"a notification with wrong params":     {`{"jsonrpc":"2.0","method":"x","params":7}`, `silent`},
		"a notification nested too deep":       {`{"method":"x","params":` + deep(100) + `}`, `silent`},
		"a notification with a name twice":     {`{"method":"x","params":{"a":1,"a":2}}`, `silent`},
		"a notification with two methods":      {`{"method":"x","method":"y"}`, `silent`},
		"two methods, one of them no string":   {`{"method":"x","method":1}`, `-32600`},
		"a response":                           {`{"jsonrpc":"2.0","id":1,"result":{}}`, `silent`},
		"an error response":                    {`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}`, `silent`},
		"a malformed response":                 {`{"id":{},"error":null,"x":` + deep(70) + `}`, `silent`},
		"with a null id it is no notification": {`{"jsonrpc":"2.0","id":null,"method":"notifications/initialized"}`, `-32600`},

		"64 levels":                     {`{"jsonrpc":"2.0","id":1,"method":"m","params":` + deep(63) + `}`, `1 m ` + deep(63)},
		"65 levels":                     {`{"jsonrpc":"2.0","id":1,"method":"m","params":` + deep(64) + `}`, `-32600 1`},
		"65 levels, the id last":        {`{"params":` + deep(64) + `,"id":"z"}`, `-32600 "z"`},
		"a million levels":              {`{"params":` + deep(1000000) + `,"id":9}`, `-32600 9`},
		"too deep and not closed":       {`{"id":1,"params":` + strings.Repeat("[", 100), `-32700`},
		"too deep and wrongly closed":   {`{"id":1,"params":` + strings.Repeat("[", 100) + strings.Repeat("}", 100) + `}`, `-32700`},
		"a name twice in params":        {`{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":{"b":1,"c":2,"b":1}}}`, `-32600 1`},
		"a name twice in a list's item": {`{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[{"b":1},{"b":1,"b":2}]}}`, `-32600 1`},
		"a name twice, once in escapes": {`{"jsonrpc":"2.0","id":1,"method":"m","params":{"ab":1,"\u0061b":2}}`, `-32600 1`},
		"a name twice in surrogates":    {`{"jsonrpc":"2.0","id":1,"method":"m","params":{"😀":1,"\ud83d\ude00":2}}`, `-32600 1`},
		"the method twice":              {`{"jsonrpc":"2.0","id":1,"method":"m","method":"m"}`, `-32600 1`},
		"the id twice":                  {`{"jsonrpc":"2.0","id":1,"method":"m","id":1}`, `-32600`},
		"a name again on another level": {`{"jsonrpc":"2.0","id":1,"method":"m","params":{"id":{"id":1},"a":{"id":2}}}`, `1 m {"id":{"id":1},"a":{"id":2}}`},

		"a NUL":                      {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\x00\"}", `-32700`},
		"a NUL after the message":    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}\x00", `-32700`},
		"a byte order mark":          {"\ufeff{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}", `-32700`},
		"invalid UTF-8":              {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\xff\"}", `-32700`},
		"a surrogate in raw UTF-8":   {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xed\xa0\x80\"}", `-32700`},
		"no JSON":                    {`hello`, `-32700`},
		"an open object":             {`{"jsonrpc":"2.0","id":1,"method":"m"`, `-32700`},
		"two messages on a line":     {`{"jsonrpc":"2.0","id":1,"method":"m"}{"jsonrpc":"2.0","id":2,"method":"m"}`, `-32700`},
		"a comma too many":           {`{"jsonrpc":"2.0","id":1,"method":"m",}`, `-32700`},
		"single quotes":              {`{'id':1}`, `-32700`},
		"a raw tab in a string":      {"{\"id\":\"\t\"}", `-32700`},
		"space that JSON has not":    {"{\u00a0}", `-32700`},
		"an invalid notification":    {`{"method":"x",}`, `-32700`},
		"a half escape":              {`{"id":"\u00"}`, `-32700`},
		"the escape that never was":  {`{"id":"\x41"}`, `-32700`},
		"a number with a zero ahead": {`{"id":01}`, `-32700`},
		"NaN":                        {`{"id":NaN}`, `-32700`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := verdict(c.in); got != c.want {
				t.Errorf("%.200s\n got %.200s\nwant %.200s", c.in, got, c.want)
			}
		})
	}
}

func TestADiscardedLineIsAlwaysAnswered(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", `"a"`} {
		m, answer := Parse(Line{TooLong: true, ID: []byte(id)})
		if !answer || m.Err == nil || m.Err.Code != InvalidRequest || string(m.ID) != id {
			t.Errorf("id %q: got %+v, %v", id, m, answer)
		}
	}
}

func TestManyNamesAreComparedInTime(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`{"jsonrpc":"2.0","id":1,"method":"m","params":{`)
	for i := range 200_000 {
		name, _ := json.Marshal(i * 7919 % 200_003)
		b.WriteString(`"\u0061` + string(name) + `":1,`)
	}
	if got := verdict(b.String() + `"b":1}}`); !strings.HasPrefix(got, "1 m ") {
		t.Errorf("different names: %.60s", got)
	}
	if got := verdict(b.String() + `"a7919":1}}`); got != "-32600 1" {
		t.Errorf("a name twice among many: %.60s", got)
	}
}

func TestMembers(t *testing.T) {
	t.Parallel()
	object := []byte(`{ "a" : "x,}" , "\u0062":{"c":[1,{"d":"]"}]},"e":[ ] , "f" :-1.5e3 }`)
	var got []string
	for name, value := range Members(object) {
		got = append(got, string(name)+"="+string(value))
	}
	if want := `a="x,}" b={"c":[1,{"d":"]"}]} e=[ ] f=-1.5e3`; strings.Join(got, " ") != want {
		t.Errorf("got %s\nwant %s", strings.Join(got, " "), want)
	}
	if v := Member(object, "f"); string(v) != "-1.5e3" {
		t.Errorf("Member: %s", v)
	}
	if v := Member([]byte(`[1]`), "f"); v != nil {
		t.Errorf("Member of a list: %s", v)
	}
}

func TestStringsAreDecodedAsJSONSays(t *testing.T) {
	t.Parallel()
	for _, quoted := range []string{
		`"plain"`, `""`, `"\"\\\/\b\f\n\r\t"`, `"\u00e9\u20AC"`, `"\ud83d\ude00x"`, `"\ud83d"`, `"\ude00\ud83d"`, `"\ud83d\u0041"`, `"é€😀"`,
	} {
		var want string
		if err := json.Unmarshal([]byte(quoted), &want); err != nil {
			t.Fatal(err)
		}
		if got, ok := String([]byte(quoted)); !ok || got != want {
			t.Errorf("%s: got %q, want %q", quoted, got, want)
		}
	}
	if got, ok := String([]byte(`1`)); ok {
		t.Errorf("a number is no string: %q", got)
	}
}

func TestAnswersAreOneLineWithSortedNames(t *testing.T) {
	t.Parallel()
	if got := string(AppendResult(nil, []byte(`1`), []byte(`{"a":1}`))); got != `{"id":1,"jsonrpc":"2.0","result":{"a":1}}`+"\n" {
		t.Error(got)
	}
	for _, c := range []struct {
		id   []byte
		e    Error
		want string
	}{
		{[]byte(`"x"`), Error{Code: MethodNotFound, Message: "no\n<x>"}, `{"error":{"code":-32601,"message":"no\n<x>"},"id":"x","jsonrpc":"2.0"}`},
		{nil, Error{Code: UnsupportedVersion, Message: "m", Data: map[string]any{"b": "é", "a": []int{1}}}, `{"error":{"code":-32022,"data":{"a":[1],"b":"é"},"message":"m"},"jsonrpc":"2.0"}`},
	} {
		got, err := AppendError(nil, c.id, &c.e)
		if err != nil || string(got) != c.want+"\n" {
			t.Errorf("got %s, %v\nwant %s", got, err, c.want)
		}
	}
	if _, err := AppendError(nil, nil, &Error{Data: func() {}}); err == nil {
		t.Error("data that is not JSON was accepted")
	}
}
