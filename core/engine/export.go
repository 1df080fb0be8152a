package engine

import (
	"context"
	"encoding/json"
	"time"

	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/plan"
)

// Exported is a plan as another machine needs it to judge and sign it.
type Exported struct {
	PlanID plan.ID      `json:"plan_id"`
	Digest canon.Digest `json:"digest"`
	// Plan is the canonical bytes that the digest is of. Secrets are not in it.
	Plan json.RawMessage `json:"plan"`
	// Screen is the plan as a person reads it.
	Screen string `json:"screen"`
	// Statement is the canonical bytes to be signed, in the SSH signature namespace
	// Namespace.
	Statement string `json:"statement"`
	Namespace string `json:"namespace"`
	// Sign makes the signature of the statement, where it is in a file of that name.
	Sign string `json:"sign"`
}

// exportWidth is the width of an exported screen, in columns.
const exportWidth = 100

// Export gives what a signer on another machine needs, for a plan that can still be
// approved. The statement names the present time, from which its 24 hours count.
// Failures are those of [Engine.Review].
func (e *Engine) Export(ctx context.Context, c Caller, id plan.ID) (*Exported, error) {
	r, err := e.Review(ctx, c, id, exportWidth, true)
	if err != nil {
		return nil, err
	}
	s, err := e.load(ctx, id)
	if err != nil {
		return nil, err
	}
	if s.digest != r.Digest {
		return nil, errSwapped(id)
	}
	statement, err := r.Statement(e.ports.Clock.Now().Truncate(time.Second)).Encode()
	if err != nil {
		return nil, err
	}
	return &Exported{
		PlanID: id, Digest: s.digest, Plan: s.file, Screen: r.Screen, Statement: string(statement), Namespace: approval.Namespace,
		Sign: "ssh-keygen -Y sign -n " + approval.Namespace + " -f KEY " + StatementName(id),
	}, nil
}

// StatementName is the name of the file of a plan's statement.
func StatementName(id plan.ID) string { return id.String() + ".approval" }
