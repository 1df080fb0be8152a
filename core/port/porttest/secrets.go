package porttest

import (
	"bytes"
	"testing"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
)

// RunPlanSecrets checks [port.PlanSecrets].
func RunPlanSecrets(t *testing.T, h State[port.PlanSecrets]) {
	h.run(t, "Get gives back what Put stored", func(t *testing.T, open func() port.PlanSecrets) {
		id, file := ids(1)[0], []byte("{\"s0\":\"\x00\xff\"}")
		must(t, open().Put(t.Context(), id, file))
		got, err := open().Get(t.Context(), id)
		must(t, err)
		if !bytes.Equal(got, file) {
			t.Errorf("%d bytes came back as %d", len(file), len(got))
		}
	})
	h.run(t, "secrets that were never put are not found", func(t *testing.T, open func() port.PlanSecrets) {
		p := open()
		must(t, p.Put(t.Context(), ids(2)[0], []byte("{}")))
		_, err := p.Get(t.Context(), ids(2)[1])
		wantCode(t, err, fault.NotFound)
	})
	h.run(t, "Erase removes them for every process, and no others", secretsErase)
	h.run(t, "Erase of nothing is no error", func(t *testing.T, open func() port.PlanSecrets) {
		must(t, open().Erase(t.Context(), ids(1)[0]))
	})
	h.run(t, "bytes are not shared with the caller", func(t *testing.T, open func() port.PlanSecrets) {
		p, id, file := open(), ids(1)[0], []byte("secret")
		must(t, p.Put(t.Context(), id, file))
		clear(file)
		first, err := p.Get(t.Context(), id)
		must(t, err)
		clear(first)
		second, err := p.Get(t.Context(), id)
		must(t, err)
		if string(second) != "secret" {
			t.Error("the stored bytes changed with the caller's")
		}
	})
}

func secretsErase(t *testing.T, open func() port.PlanSecrets) {
	p, list := open(), ids(2)
	for _, id := range list {
		must(t, p.Put(t.Context(), id, []byte("{}")))
	}
	must(t, p.Erase(t.Context(), list[0]))
	must(t, p.Erase(t.Context(), list[0]))
	for _, p := range []port.PlanSecrets{p, open()} {
		_, err := p.Get(t.Context(), list[0])
		wantCode(t, err, fault.NotFound)
		_, err = p.Get(t.Context(), list[1])
		must(t, err)
	}
}
