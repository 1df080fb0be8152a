// Package simulate is the command that runs a simulated FortiGate.
package simulate

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

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

// Setup is which device is run. Empty fields leave the choice to the device.
type Setup struct {
	Listen string
	// Release is a FortiOS release such as 7.4.8, Seed the name of a first
	// configuration.
	Release, Seed string
	// Config is a FortiOS configuration file, Recordings a folder of answers and
	// Faults a file of faults.
	Config, Recordings, Faults string
	// Requests is a file that gets a line of JSON for each request.
	Requests string
	// Skipped is told of each line of Config that the release does not take.
	Skipped func(line int, problem string)
	// Unnoted is told that a request could not be written to Requests; the device
	// goes on.
	Unnoted func(err error)
}

// Start runs a device until its Close. Its failures are faults.
type Start func(ctx context.Context, s Setup) (*Server, error)

// Options is what the command was asked.
type Options struct {
	*command.Frame
	Start
	Setup
}

// New makes the command.
func New(f *command.Frame, start Start) *cobra.Command {
	o := &Options{Frame: f, Start: start}
	c := &cobra.Command{
		Use:   "simulate",
		Short: "Run a simulated FortiGate until it is interrupted",
		Long: `Run a simulated FortiGate: a branch office's configuration behind the FortiOS
REST API, over HTTPS with a certificate of its own. It forgets everything when
it ends, which is at the first interrupt.

It can start from a FortiOS configuration file, answer some requests as another
device was seen to, misbehave by rules in a file, and note every request that
reaches it, with the body, in a file of yours.`,
		Args: command.Arguments(0),
		RunE: func(c *cobra.Command, _ []string) error { return run(c.Context(), o) },
	}
	flags := c.Flags()
	flags.StringVar(&o.Listen, "listen", "127.0.0.1:8443", "Address and port to listen on; port 0 takes a free one.")
	flags.StringVar(&o.Release, "release", "", "FortiOS release, 6.4.0 to 7.6.x (default 7.4.8).")
	flags.StringVar(&o.Seed, "seed", "", "First configuration: branch or factory (default branch).")
	flags.StringVar(&o.Config, "config", "", "FortiOS configuration file to start from; a whole one replaces the first configuration.")
	flags.StringVar(&o.Recordings, "recordings", "", "Folder of recorded answers, with its index recordings.json.")
	flags.StringVar(&o.Faults, "faults", "", "YAML file of faults: which requests, and what befalls them.")
	flags.StringVar(&o.Requests, "requests", "", "New file to note each request in, one line of JSON each.")
	return c
}

func run(ctx context.Context, o *Options) error {
	o.Skipped = func(line int, problem string) {
		o.Tell(func(p *view.Page) { p.Text("skipped: ", fmt.Sprintf("%s line %d: %s", o.Config, line, problem)) })
	}
	o.Unnoted = func(err error) {
		o.Tell(func(p *view.Page) { p.Text("request not noted: ", err.Error()) })
	}
	s, err := o.Start(ctx, o.Setup)
	if err != nil {
		return err
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
