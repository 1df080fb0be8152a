// Package create is the command that makes a plan out of a file of operations.
package create

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/transport-cli/internal/argument"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// Engine is what the command needs of the product.
type Engine interface {
	argument.Decoder
	Mistakes(ctx context.Context, r request.Plan, err error) error
	Plan(ctx context.Context, c engine.Caller, r request.Plan) (*engine.PlanView, error)
}

var _ Engine = (*engine.Engine)(nil)

// Options is what the command was asked.
type Options struct {
	*command.Frame
	Open command.Open[Engine]
	// File is a path, or "-" for standard input.
	File string

	Reason, VDOM string
	// Detailed asks for the statuses 0, 1 and 2.
	Detailed bool
}

// New makes the command.
func New(f *command.Frame, open command.Open[Engine]) *cobra.Command {
	o := &Options{Frame: f, Open: open}
	c := &cobra.Command{
		Use:   "create -f <file>",
		Short: "Work out a change and store it as a plan; the device is not touched",
		Long: `Work out a change and store it as a plan. The device is read, never changed.

The file is JSON or YAML: a request {"profile": …, "operations": […], "reason": …}
or the list of operations alone. "-" reads standard input.`,
		Example: `  forti plan create -f ops.yaml

  # ops.yaml
  - op: create
    resource: firewall/address
    object: {name: printer, subnet: 192.0.2.50/32}`,
		Args: command.Arguments(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if o.File == "" {
				return command.Misused(c, "-f <file> is missing")
			}
			err := run(c.Context(), o)
			var exit *command.ExitError
			if err != nil && o.Detailed && !errors.As(err, &exit) {
				return &command.StatusError{Status: 1, Err: err}
			}
			return err
		},
	}
	c.Flags().StringVarP(&o.File, "file", "f", "", `File with the operations, "-" for standard input.`)
	c.Flags().StringVar(&o.Reason, "reason", "", "Why; shown to the approver as the requester's claim.")
	c.Flags().StringVar(&o.VDOM, "vdom", "", "Virtual domain; overrides the profile's.")
	c.Flags().BoolVar(&o.Detailed, "detailed-exitcode", false, "Exit with 0 (nothing to change), 2 (a plan was stored) or 1 (an error).")
	return c
}

func run(ctx context.Context, o *Options) error {
	data, err := load(o.File, o.In)
	if err != nil {
		return err
	}
	e, err := o.Open(ctx)
	if err != nil {
		return err
	}
	var r request.Plan
	wrong := e.Decode(data, &r)
	if err := o.settle(&r); err != nil {
		return cmp.Or(wrong, err)
	}
	if wrong != nil {
		return e.Mistakes(ctx, r, wrong)
	}
	v, err := e.Plan(ctx, o.Caller, r)
	if err != nil {
		return err
	}
	if err := o.Answer(v, nil, func(p *view.Page) { p.Plan(v, false) }); err != nil {
		return err
	}
	if o.Detailed && !v.PlanID.IsZero() {
		return &command.ExitError{Status: storedStatus}
	}
	return nil
}

// storedStatus is the exit status where a plan was stored and the statuses are
// detailed.
const storedStatus = 2

// settle joins what the file and the flags say. They must not contradict each
// other: which of two devices a change is for is nothing to guess.
func (o *Options) settle(r *request.Plan) error {
	var problems fault.Problems
	for _, f := range []struct {
		flag, given string
		field       *string
	}{{"--profile", o.Profile, &r.Profile}, {"--vdom", o.VDOM, &r.VDOM}, {"--reason", o.Reason, &r.Reason}} {
		switch {
		case f.given == "":
		case *f.field != "" && *f.field != f.given:
			problems.Add(f.flag, "the file says something else; leave one of the two out")
		default:
			*f.field = f.given
		}
	}
	return problems.Err()
}
