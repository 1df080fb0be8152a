package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

// said is what one run of the program left behind.
type said struct {
	stdout, stderr string
	status         int
}

// run gives the program a stream on standard input and waits for its end.
func run(t *testing.T, lab *harness.Lab, stdin io.Reader, args ...string) said {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := lab.Command("forti-mcp", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &out, &errs
	status(t, cmd.Run())
	return said{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// status ends the test for an error that is no exit status.
func status(t *testing.T, err error) {
	t.Helper()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
}

// ask sends lines to a server that knows no device, and gives its lines. The server
// must end with status 0, have nothing to report and put each answer on one line.
func ask(t *testing.T, lines ...string) []string {
	t.Helper()
	return askServer(t, nil, lines...)
}

func askServer(t *testing.T, args []string, lines ...string) []string {
	t.Helper()
	s := run(t, harness.Empty(t), strings.NewReader(strings.Join(lines, "\n")), args...)
	if s.status != 0 || s.stderr != "" {
		t.Fatalf("status %d, stderr %q", s.status, s.stderr)
	}
	return split(t, s.stdout)
}

// split gives the lines of standard output, each a JSON-RPC message.
func split(t *testing.T, stdout string) []string {
	t.Helper()
	var list []string
	for line := range strings.Lines(stdout) {
		if !strings.HasSuffix(line, "\n") || !json.Valid([]byte(line)) {
			t.Fatalf("not a line of JSON: %q", line)
		}
		list = append(list, strings.TrimSuffix(line, "\n"))
	}
	return list
}

// answer is one line of standard output.
type answer struct {
	ID     json.RawMessage            `json:"id"`
	Result map[string]json.RawMessage `json:"result"`
	Error  *protocolError             `json:"error"`
	Other  map[string]json.RawMessage `json:"-"`
}

type protocolError struct {
	Code    int                        `json:"code"`
	Message string                     `json:"message"`
	Data    map[string]json.RawMessage `json:"data"`
}

func read(t *testing.T, line string) answer {
	t.Helper()
	var a answer
	if err := errors.Join(json.Unmarshal([]byte(line), &a), json.Unmarshal([]byte(line), &a.Other)); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	if string(a.Other["jsonrpc"]) != `"2.0"` || (a.Error == nil) == (a.Other["result"] == nil) {
		t.Fatalf("not a JSON-RPC 2.0 response: %s", line)
	}
	if _, present := a.Other["id"]; present && string(a.Other["id"]) == "null" {
		t.Fatalf("an id that is null: %s", line)
	}
	return a
}

// one asks for one answer.
func one(t *testing.T, lines ...string) answer {
	t.Helper()
	got := ask(t, lines...)
	if len(got) == 0 {
		t.Fatal("no answer")
	}
	return read(t, got[len(got)-1])
}

// sketch is "ID result" or "ID CODE", with - in the place of an id that is left out.
func sketch(t *testing.T, line string) string {
	t.Helper()
	a := read(t, line)
	id := string(a.ID)
	if id == "" {
		id = "-"
	}
	if a.Error != nil {
		return id + " " + strconv.Itoa(a.Error.Code)
	}
	return id + " result"
}

// want compares the sketches of all answers.
func want(t *testing.T, lines []string, sketches ...string) {
	t.Helper()
	var got []string
	for _, line := range lines {
		got = append(got, sketch(t, line))
	}
	if diff := cmp.Diff(sketches, got); diff != "" {
		t.Errorf("%s\n%.2000s", diff, strings.Join(lines, "\n"))
	}
}

// member is one value of an object, decoded; nil where there is none.
func member(t *testing.T, object map[string]json.RawMessage, name string) any {
	t.Helper()
	raw, ok := object[name]
	if !ok {
		return nil
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// names are the names of an object's members, in order and separated by spaces.
func names[V any](object map[string]V) string { return strings.Join(keys(object), " ") }

const (
	metaVersion = `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`
	metaClient  = `"io.modelcontextprotocol/clientCapabilities":{}`
	modernMeta  = `"_meta":{` + metaVersion + `,` + metaClient + `}`
	initialize  = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"shell","version":"0"}}}`
	ping        = `{"jsonrpc":"2.0","id":"p","method":"ping"}`
)

// request is the line of a request with id 1.
func request(method, params string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
}

// modern is a modern request with id 1; each of more is a further member of params.
func modern(method string, more ...string) string {
	return request(method, `{`+strings.Join(append([]string{modernMeta}, more...), ",")+`}`)
}

// call is a modern call of a tool with id 1.
func call(tool, arguments string) string {
	return modern("tools/call", `"name":"`+tool+`"`, `"arguments":`+arguments)
}

var allVersions = []any{"2026-07-28", "2025-11-25", "2025-06-18"}
