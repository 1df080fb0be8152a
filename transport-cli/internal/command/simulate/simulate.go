// Package simulate is the command that runs a simulated FortiGate.
package simulate

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// Server is a simulated FortiGate at an address.
type Server struct {
	Host      string `json:"host"`
	Port      int    `json:"port"`
	PinSHA256 string `json:"pin_sha256"`
	// Token is the token of an administrator that exists in this process alone.
	Token   string `json:"token"`
	Serial  string `json:"serial"`
	Version string `json:"version"`
	// Configure is a command that makes a profile of it, with the token in the
	// variable FORTI_SIM_TOKEN.
	Configure string `json:"configure"`

	// Close ends it.
	Close func() error `json:"-"`
}

// Options is what the command was asked.
type Options struct {
	*command.Frame
	// Start runs a device at an address until its Close.
	Start  func(ctx context.Context, addr string) (*Server, error)
	Listen string
}

// New makes the command.
func New(f *command.Frame, start func(ctx context.Context, addr string) (*Server, error)) *cobra.Command {
	o := &Options{Frame: f, Start: start}
	c := &cobra.Command{
		Use:   "simulate",
		Short: "Run a simulated FortiGate until it is interrupted",
		Long: `Run a simulated FortiGate: a branch office's configuration behind the FortiOS
REST API, over HTTPS with a certificate of its own. It forgets everything when
it ends, which is at the first interrupt.`,
		Args: command.Arguments(0),
		RunE: func(c *cobra.Command, _ []string) error { return run(c.Context(), o) },
	}
	c.Flags().StringVar(&o.Listen, "listen", "127.0.0.1:8443", "Address and port to listen on; port 0 takes a free one.")
	return c
}

func run(ctx context.Context, o *Options) error {
	s, err := o.Start(ctx, o.Listen)
	if err != nil {
		return fault.Wrap(err, fault.Usage, "the simulated FortiGate cannot listen on %q; choose another address with --listen", o.Listen).
			With("problems", []fault.Problem{{Pointer: "--listen", Problem: "cannot be listened on"}})
	}
	s.Configure = fmt.Sprintf("forti configure sim --host %s --port %d --mode guarded --token-env FORTI_SIM_TOKEN --pin %s%s",
		s.Host, s.Port, s.PinSHA256, o.Suffix)
	if err := o.Answer(s, nil, func(p *view.Page) { draw(p, s) }); err != nil {
		return errors.Join(err, s.Close())
	}
	<-ctx.Done()
	return s.Close()
}

func draw(p *view.Page, s *Server) {
	p.Field("device", s.Serial+" FortiOS "+s.Version)
	p.Field("host", s.Host)
	p.Field("port", strconv.Itoa(s.Port))
	p.Field("pin", s.PinSHA256)
	p.Field("token", s.Token)
	p.Say("")
	p.Say("Make a profile of it, with the token in the environment of every command:")
	p.Field("", "export FORTI_SIM_TOKEN="+s.Token)
	p.Field("", s.Configure)
	p.Say("")
	p.Say("Ctrl-C ends it.")
}
