// Package mcpconfig is the command that prints what an MCP client needs in its
// configuration to start forti-mcp.
package mcpconfig

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// Options is what the command was asked.
type Options struct {
	*command.Frame
	// Home is the home to name, "" for the usual one.
	Home func() string
	// Server finds the program forti-mcp.
	Server func() string

	Client   string
	ReadOnly bool
}

// New makes the command.
func New(o Options) *cobra.Command {
	c := &cobra.Command{
		Use:   "mcp-config <" + strings.Join(names(), "|") + ">",
		Short: "Print the configuration that makes an MCP client start forti-mcp",
		Args:  command.Arguments(1, "client"),
		RunE: func(c *cobra.Command, args []string) error {
			o.Client = args[0]
			return run(c, &o)
		},
		ValidArgs: names(),
	}
	c.Flags().BoolVar(&o.ReadOnly, "read-only", false, "Offer discovery and reading only; nothing can be planned or applied.")
	return c
}

// Snippet is the result.
type Snippet struct {
	Client string `json:"client"`
	// File is where the client keeps its configuration.
	File string `json:"file"`
	// Text is what to put there.
	Text string `json:"text"`
}

func run(c *cobra.Command, o *Options) error {
	known, ok := find(o.Client)
	if !ok {
		return command.Misused(c, "%q is not a known client; name one of %s", o.Client, strings.Join(names(), ", "))
	}
	text, err := known.write(o.Server(), o.arguments())
	if err != nil {
		return err
	}
	s := Snippet{Client: o.Client, File: known.file, Text: text}
	if err := o.Answer(s, nil, func(p *view.Page) { p.Block(s.Text) }); err != nil {
		return err
	}
	o.Tell(func(p *view.Page) { p.Text("put this into: ", s.File) })
	return nil
}

func (o *Options) arguments() []string {
	args := []string{}
	if home := o.Home(); home != "" {
		args = append(args, "--home", home)
	}
	if o.Profile != "" {
		args = append(args, "--profile", o.Profile)
	}
	if o.ReadOnly {
		args = append(args, "--read-only")
	}
	return args
}

func names() []string {
	list := make([]string, 0, len(clients))
	for _, c := range clients {
		list = append(list, c.name)
	}
	return list
}

func find(name string) (client, bool) {
	for _, c := range clients {
		if c.name == name {
			return c, true
		}
	}
	return client{}, false
}
