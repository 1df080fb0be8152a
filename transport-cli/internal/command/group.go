package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/forti-mcp/forti/core/fault"
)

// Group is a command that has commands below it and does nothing itself.
func Group(use, short string, below ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short, Args: cobra.ArbitraryArgs, RunE: Missing}
	c.AddCommand(below...)
	return c
}

// Missing answers a command that is not there, or that was left out.
func Missing(c *cobra.Command, args []string) error {
	var names []string
	for _, below := range c.Commands() {
		if below.IsAvailableCommand() {
			names = append(names, below.Name())
		}
	}
	known := "one of " + strings.Join(names, ", ")
	if len(args) == 0 {
		return Misused(c, "a command is missing; name %s", known)
	}
	return Misused(c, "%q is not a command; name %s", args[0], known)
}

// Misused is a usage error that points at the command's help.
func Misused(c *cobra.Command, format string, args ...any) *fault.Error {
	problem := fmt.Sprintf(format, args...)
	return fault.New(fault.Usage, "%s (see: %s --help)", problem, c.CommandPath()).
		With("problems", []fault.Problem{{Pointer: "", Problem: problem}})
}

// Arguments checks the number of arguments: the names in order, those from
// required on may be left out.
func Arguments(required int, names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < required {
			return Misused(c, "<%s> is missing", names[len(args)])
		}
		if len(args) > len(names) {
			return Misused(c, "%q is one argument too many", args[len(names)])
		}
		return nil
	}
}

// Exclusive refuses flags that do not go together.
func Exclusive(c *cobra.Command, one, other string) error {
	if c.Flags().Changed(one) && c.Flags().Changed(other) {
		return Misused(c, "--%s and --%s do not go together", one, other)
	}
	return nil
}
