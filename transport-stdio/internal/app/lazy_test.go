//go:build unix

package app

import (
	"strings"
	"testing"

	"github.com/forti-mcp/forti/adapters/fortifx"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/transport-stdio/mcp"
)

func TestTheEngineIsPutTogetherByTheFirstCallAndOnce(t *testing.T) {
	t.Parallel()
	l := &lazy{options: fortifx.Options{Home: private(t)}}
	s, err := mcp.New(l, nil)
	if err != nil {
		t.Fatal(err)
	}
	serve := func(line string) string {
		var out strings.Builder
		if err := s.Serve(t.Context(), strings.NewReader(line), &out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	if serve(ping); l.built != nil {
		t.Error("a ping needs an engine")
	}
	if got := serve(callDiscover); !strings.Contains(got, `"isError":false`) || l.built == nil {
		t.Errorf("got %s", got)
	}
	first := l.built
	if serve(callDiscover); l.built != first {
		t.Error("a second engine was made")
	}
	if err := l.close(t.Context()); err != nil {
		t.Error(err)
	}
}

const callDiscover = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"forti_discover","arguments":{"what":"devices"},` +
	`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`

func TestAnEngineThatCannotBePutTogetherIsTheAnswerOfEachCall(t *testing.T) {
	t.Parallel()
	broken := &lazy{options: fortifx.Options{Home: "not absolute"}}
	closed := &lazy{options: fortifx.Options{Home: private(t)}}
	if err := closed.close(t.Context()); err != nil {
		t.Error(err)
	}
	for _, l := range []*lazy{broken, closed} {
		_, discover := l.Discover(t.Context(), engine.Caller{}, request.Discover{})
		_, read := l.Read(t.Context(), engine.Caller{}, request.Read{})
		_, plan := l.Plan(t.Context(), engine.Caller{}, request.Plan{})
		_, apply := l.Apply(t.Context(), engine.Caller{}, request.Apply{}, nil)
		for i, err := range []error{l.Decode([]byte("{}"), &request.Discover{}), discover, read, plan, apply} {
			if fault.CodeOf(err) != fault.Internal || fault.From(err).Err == nil {
				t.Errorf("call %d: %v", i, err)
			}
		}
		if err := l.close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}
