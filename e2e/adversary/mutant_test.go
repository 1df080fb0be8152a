package adversary

import (
	"bufio"
	"context"
	"io"
	"testing"

	"go.uber.org/fx"

	"github.com/forti-mcp/forti/adapters/fortifx"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/transport-stdio/mcp"
)

// inProcess is the same server without a process of its own, so that a part of it can
// be exchanged.
type inProcess struct {
	in  io.Writer
	out *bufio.Reader
}

func (s inProcess) ask(t *testing.T, line string) string {
	t.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		t.Fatal(err)
	}
	answer, err := s.out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// build makes an engine over a home.
func build(t *testing.T, home string, more ...fx.Option) *engine.Engine {
	t.Helper()
	eng, stop, err := fortifx.Build(t.Context(), fortifx.Options{Home: home}, more...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return eng
}

func serve(t *testing.T, eng *engine.Engine) inProcess {
	t.Helper()
	s, err := mcp.New(eng, nil)
	if err != nil {
		t.Fatal(err)
	}
	in, requests := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- s.Serve(t.Context(), in, out) }()
	t.Cleanup(func() {
		_ = requests.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return inProcess{requests, bufio.NewReader(answers)}
}

// credulous is the operator's configuration, read by a product that has forgotten to
// ask for approvals: every guarded profile counts as autonomous.
type credulous struct{ port.Profiles }

func (c credulous) List(ctx context.Context) ([]profile.Profile, string, error) {
	list, fallback, err := c.Profiles.List(ctx)
	for i := range list {
		list[i].Mode = profile.Autonomous
	}
	return list, fallback, err
}

// The test that no call gets a write would notice a product that does not ask.
func TestAProductThatSkipsTheApprovalIsCaughtByTheSameCalls(t *testing.T) {
	t.Parallel()
	lab := newLab(t)
	plans := targets(t, lab, person{lab})
	s := serve(t, build(t, lab.Home, fx.Decorate(func(p port.Profiles) port.Profiles { return credulous{p} })))
	if c := newCampaign(); !c.run(t, calls, s, lab.Device, plans) {
		t.Errorf("%d calls of a product without approvals got no write", calls)
	}
}
