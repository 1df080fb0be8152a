// Package verify is the command that checks the audit log.
package verify

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// Engine is what the command needs of the product.
type Engine interface {
	VerifyAudit(ctx context.Context) (audit.Report, error)
}

var _ Engine = (*engine.Engine)(nil)

// Options is what the command was asked.
type Options struct {
	*command.Frame
	Open command.Open[Engine]
	// Home fails where there is no home, so that a mistyped one is not good.
	Home func() error
	// Detailed asks for the statuses 0, 1 and 2.
	Detailed bool
}

// New makes the command.
func New(o Options) *cobra.Command {
	c := &cobra.Command{
		Use:   "verify",
		Short: "Check the audit chain and what it says against plans, approvals and journals",
		Long: `Check the audit log: the form, hash and place of each record, its head against
the anchor, and each record against the plans, approvals and journals.

Exit status: 0 the log is good; 1 the chain is broken; 3 consistent but
incomplete (a torn last line, an end that is still to be written, an outcome
that is unknown). With --detailed-exitcode: 0 good; 1 broken, or the check
itself failed; 2 consistent but incomplete.`,
		Args: command.Arguments(0),
		RunE: func(c *cobra.Command, _ []string) error { return run(c.Context(), &o) },
	}
	c.Flags().BoolVar(&o.Detailed, "detailed-exitcode", false, "Exit with 0 (good), 1 (broken or not checked) or 2 (incomplete).")
	return c
}

// Verdict is the result.
type Verdict struct {
	Status string `json:"status"`
	audit.Report
}

func run(ctx context.Context, o *Options) error {
	report, err := check(ctx, o)
	if err != nil {
		return err
	}
	v := Verdict{Status: "good", Report: report}
	status := 0
	switch {
	case report.Broken():
		v.Status, status = "broken", 1
	case report.Torn, len(report.Incomplete) > 0:
		v.Status, status = "incomplete", 3
		if o.Detailed {
			status = 2
		}
	}
	if err := o.Answer(v, nil, func(p *view.Page) { draw(p, v) }); err != nil || status == 0 {
		return err
	}
	return &command.ExitError{Status: status}
}

// check runs the check. With detailed statuses its failure is told apart by none
// but the 1.
func check(ctx context.Context, o *Options) (audit.Report, error) {
	if err := o.Home(); err != nil {
		return audit.Report{}, o.failed(err)
	}
	e, err := o.Open(ctx)
	if err != nil {
		return audit.Report{}, o.failed(err)
	}
	report, err := e.VerifyAudit(ctx)
	return report, o.failed(err)
}

func (o *Options) failed(err error) error {
	if err == nil || !o.Detailed {
		return err
	}
	return &command.StatusError{Status: 1, Err: err}
}

func draw(p *view.Page, v Verdict) {
	p.Field("audit log", v.Status)
	p.Field("records", strconv.Itoa(v.Records))
	if v.Head != nil {
		p.Field("head", strconv.FormatUint(v.Head.Seq, 10)+" "+v.Head.Hash.String())
	}
	if v.Problem != "" {
		p.Text("problem:    ", v.Problem)
	}
	if v.Torn {
		p.Say("torn:       the last line is incomplete; the next record sets it aside")
	}
	for _, text := range v.Incomplete {
		p.Text("incomplete: ", text)
	}
	for _, text := range v.Warnings {
		p.Text("warning:    ", text)
	}
}
