package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/envelope"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/request"
)

var update = flag.Bool("update", false, "write the golden files anew")

// fakeEngine answers with what a test put into it, decodes as the real one does,
// and remembers who called.
type fakeEngine struct {
	*request.Decoder
	found   engine.Found
	err     error
	before  func(ctx context.Context)
	callers []engine.Caller
	calls   []string
}

func newFake() *fakeEngine {
	return &fakeEngine{
		Decoder: request.NewDecoder(),
		found:   engine.Found{Data: []any{map[string]any{"name": "lan <1>"}}, Meta: &envelope.Meta{Profile: "home", Resource: "firewall/address"}},
	}
}

func (f *fakeEngine) Mistakes(_ context.Context, _ request.Plan, err error) error { return err }

func (f *fakeEngine) called(ctx context.Context, c engine.Caller, r any) error {
	f.callers = append(f.callers, c)
	f.calls = append(f.calls, fmt.Sprintf("%T", r))
	if f.before != nil {
		f.before(ctx)
	}
	return f.err
}

func (f *fakeEngine) Discover(ctx context.Context, c engine.Caller, r request.Discover) (engine.Found, error) {
	return f.found, f.called(ctx, c, r)
}

func (f *fakeEngine) Read(ctx context.Context, c engine.Caller, r request.Read) (engine.Found, error) {
	return f.found, f.called(ctx, c, r)
}

func (f *fakeEngine) Plan(ctx context.Context, c engine.Caller, r request.Plan) (*engine.PlanView, error) {
	if err := f.called(ctx, c, r); err != nil {
		return nil, err
	}
	return &engine.PlanView{Kind: plan.Change, Notes: []string{}}, nil
}

func (f *fakeEngine) Apply(ctx context.Context, c engine.Caller, r request.Apply, _ port.Progress) (*engine.Execution, error) {
	if err := f.called(ctx, c, r); err != nil {
		return nil, err
	}
	return &engine.Execution{Status: "applied", Verified: 1}, nil
}

func newServer(t testing.TB, e Engine, o *Options) *Server {
	t.Helper()
	if o == nil {
		o = &Options{}
	}
	o.Version = "0.1.0"
	s, err := New(e, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// lineWriter takes answers and insists on one whole line for each Write.
type lineWriter struct {
	t     testing.TB
	lines []string
}

func (w *lineWriter) Write(p []byte) (int, error) {
	if !bytes.HasSuffix(p, []byte("\n")) || bytes.Count(p, []byte("\n")) != 1 || !json.Valid(p) {
		w.t.Errorf("not one line of JSON in one write: %q", p)
	}
	w.lines = append(w.lines, strings.TrimSuffix(string(p), "\n"))
	return len(p), nil
}

// talk sends lines to a server as one client and gives the answers.
func talk(t testing.TB, s *Server, lines ...string) []string {
	t.Helper()
	w := &lineWriter{t: t}
	if err := s.Serve(context.Background(), strings.NewReader(strings.Join(lines, "\n")), w); err != nil {
		t.Fatal(err)
	}
	return w.lines
}

// answer is a response as tests look into it.
type answer struct {
	ID     json.RawMessage `json:"id"`
	Result map[string]any  `json:"result"`
	Error  *struct {
		Code    int            `json:"code"`
		Message string         `json:"message"`
		Data    map[string]any `json:"data"`
	} `json:"error"`
}

func parse(t testing.TB, line string) answer {
	t.Helper()
	var a answer
	if err := json.Unmarshal([]byte(line), &a); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	return a
}

// outline is "id result" or "id code", with "-" where there is no id.
func outline(t testing.TB, line string) string {
	t.Helper()
	a := parse(t, line)
	id := string(a.ID)
	if id == "" {
		id = "-"
	}
	if a.Error == nil {
		return id + " result"
	}
	return fmt.Sprintf("%s %d", id, a.Error.Code)
}

// expect compares the outlines of all answers.
func expect(t testing.TB, got []string, want ...string) {
	t.Helper()
	outlines := []string{}
	for _, line := range got {
		outlines = append(outlines, outline(t, line))
	}
	if want == nil {
		want = []string{}
	}
	if diff := cmp.Diff(want, outlines); diff != "" {
		t.Errorf("%s\n%s", diff, strings.Join(got, "\n"))
	}
}

const (
	initialize = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"shell","version":"0"}}}`
	modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
)

// modern is a modern request with id 1; more are further params, each with a comma before it.
func modern(method string, more ...string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + modernMeta + strings.Join(more, "") + `}}`
}

// legacy is a request without metadata and with id 1.
func legacy(method, params string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
}

func supported(t testing.TB, line string) []any {
	t.Helper()
	a := parse(t, line)
	if a.Error == nil {
		t.Fatalf("no error: %s", line)
	}
	list, _ := a.Error.Data["supported"].([]any)
	return list
}

var allVersions = []any{"2026-07-28", "2025-11-25", "2025-06-18"}

// golden compares got with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path) //nolint:gosec // a fixed folder
	if err != nil {
		t.Fatalf("%v (make it with -update)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: %s", name, diff)
	}
}

func approvalRequired() error {
	return fault.New(fault.ApprovalRequired, "plan 20261015-104512-a1b2c3 needs a human approval (guarded mode): forti plan approve 20261015-104512-a1b2c3").
		With("plan_id", "20261015-104512-a1b2c3").With("reason", "missing").
		With("approve_command", "forti plan approve 20261015-104512-a1b2c3")
}
