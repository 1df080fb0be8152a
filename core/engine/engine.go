// Package engine is the use cases: discover, read, plan, approve, apply, audit.
//
// An Engine is made of ports and works the same for a model, a program and a
// person. It performs no I/O of its own, starts no goroutine and keeps nothing
// between calls; it is safe for concurrent use. Every error is a *fault.Error.
package engine

import (
	"errors"

	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/request"
)

// Ports are what an engine needs. Verifier, Named and Secrets may be nil: then
// no approval can be signed, and no plan may carry named or literal secrets.
type Ports struct {
	Profiles  port.Profiles
	Devices   port.Devices
	Catalog   port.Catalog
	Plans     port.Plans
	Secrets   port.PlanSecrets
	Approvals port.Approvals
	Journals  port.Journals
	Audit     port.AuditLog
	Backups   port.Backups
	Locks     port.Locks
	Named     port.NamedSecrets
	Verifier  port.Verifier
	Clock     port.Clock
	Random    port.Random
}

// Options adjust an engine. The zero value is safe.
type Options struct {
	// Version is the program's version, kept in plans for the reader.
	Version string
	// CommandSuffix is added to the commands that results name, such as
	// " --home /tmp/h" where the state is not in its usual place.
	CommandSuffix string
	// ResultBytes caps every result below the profile's budget; 0: no cap of its own.
	ResultBytes int
	// Visible limits the profiles that callers see; empty: all.
	Visible []string
}

// Caller says who asks. It goes into audit records and steers nothing.
type Caller struct {
	Program string
	// Client is what an MCP client calls itself; unverified.
	Client string
	User   string
	Host   string
	TTY    string
	UID    int
	PID    int
}

// Engine is the use cases over a set of ports.
type Engine struct {
	ports   Ports
	options Options
	decoder *request.Decoder
}

// New makes an engine. It fails where a required port is missing.
func New(p Ports, o *Options) (*Engine, error) {
	required := []struct {
		name string
		port any
	}{
		{"Profiles", p.Profiles}, {"Devices", p.Devices}, {"Catalog", p.Catalog}, {"Plans", p.Plans},
		{"Approvals", p.Approvals}, {"Journals", p.Journals}, {"Audit", p.Audit}, {"Backups", p.Backups},
		{"Locks", p.Locks}, {"Clock", p.Clock}, {"Random", p.Random},
	}
	for _, r := range required {
		if r.port == nil {
			return nil, errors.New("engine: port " + r.name + " is missing")
		}
	}
	e := &Engine{ports: p, decoder: request.NewDecoder()}
	if o != nil {
		e.options = *o
	}
	return e, nil
}

// Decode reads JSON arguments into a request, as [request.Decoder.Decode].
func (e *Engine) Decode(data []byte, into any) error { return e.bounded(e.decoder.Decode(data, into)) }

// bounded keeps the problems of a request within the budget that holds without a profile.
func (e *Engine) bounded(err error) error {
	return fewer(err, profile.Profile{}.Budget(e.options.ResultBytes))
}
