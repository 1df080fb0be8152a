package app

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/forti-mcp/forti/adapters/sshsign"
	"github.com/forti-mcp/forti/adapters/system"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/command/apply"
	"github.com/forti-mcp/forti/transport-cli/internal/command/audit/repair"
	auditshow "github.com/forti-mcp/forti/transport-cli/internal/command/audit/show"
	"github.com/forti-mcp/forti/transport-cli/internal/command/audit/verify"
	backuplist "github.com/forti-mcp/forti/transport-cli/internal/command/backup/list"
	backupprune "github.com/forti-mcp/forti/transport-cli/internal/command/backup/prune"
	backupsave "github.com/forti-mcp/forti/transport-cli/internal/command/backup/save"
	"github.com/forti-mcp/forti/transport-cli/internal/command/configure"
	"github.com/forti-mcp/forti/transport-cli/internal/command/demo"
	"github.com/forti-mcp/forti/transport-cli/internal/command/discover"
	"github.com/forti-mcp/forti/transport-cli/internal/command/doctor"
	"github.com/forti-mcp/forti/transport-cli/internal/command/mcpconfig"
	"github.com/forti-mcp/forti/transport-cli/internal/command/plan/approve"
	"github.com/forti-mcp/forti/transport-cli/internal/command/plan/create"
	"github.com/forti-mcp/forti/transport-cli/internal/command/plan/export"
	"github.com/forti-mcp/forti/transport-cli/internal/command/plan/list"
	"github.com/forti-mcp/forti/transport-cli/internal/command/plan/prune"
	"github.com/forti-mcp/forti/transport-cli/internal/command/plan/revoke"
	"github.com/forti-mcp/forti/transport-cli/internal/command/plan/show"
	"github.com/forti-mcp/forti/transport-cli/internal/command/profiles"
	"github.com/forti-mcp/forti/transport-cli/internal/command/read"
	"github.com/forti-mcp/forti/transport-cli/internal/command/simulate"
	"github.com/forti-mcp/forti/transport-cli/internal/command/version"
	"github.com/forti-mcp/forti/transport-cli/internal/terminal"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// flags are those that every command takes.
type flags struct {
	profile string
	output  string
	home    string
	plain   bool
	verbose bool
}

// root makes the command tree.
func (a *app) root() *cobra.Command {
	c := &cobra.Command{
		Use:   "forti",
		Short: "Discover, read, plan and apply configuration on FortiGate firewalls",
		Long: `Discover, read, plan and apply configuration on FortiGate firewalls over the
FortiOS REST API. No change reaches a firewall that was not planned, shown and,
in guarded mode, approved by a person in that person's own terminal.

Begin with: forti demo`,
		Args:              cobra.ArbitraryArgs,
		RunE:              help,
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: func(*cobra.Command, []string) error { return a.begin() },
	}
	c.SetIn(a.frame.In)
	c.SetOut(a.frame.Out)
	c.SetErr(a.frame.Err)
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return command.Misused(c, "%s", err) })
	f := c.PersistentFlags()
	f.StringVarP(&a.flags.profile, "profile", "p", "", "Profile to work with; may be left out where one exists or a default is set.")
	f.StringVarP(&a.flags.output, "output", "o", "table", "Form of the result: table, json or yaml.")
	f.StringVar(&a.flags.home, "home", "", "Directory of configuration and state (FORTI_HOME, else ~/.forti).")
	f.BoolVar(&a.flags.plain, "no-color", false, "Write without colours (also NO_COLOR).")
	f.BoolVarP(&a.flags.verbose, "verbose", "v", false, "Tell the causes of errors too.")
	c.AddCommand(a.commands()...)
	return c
}

// help answers the program without a command; a command that is not there is a
// mistake.
func help(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	return command.Missing(c, args)
}

func (a *app) commands() []*cobra.Command {
	f := a.frame
	return []*cobra.Command{
		configure.New(configure.Options{
			Frame: f, Open: open[configure.Engine](a), Store: a.store, Certificate: certificate, Human: a.person,
			StoreToken: a.storeToken, Absolute: absolute,
		}),
		profiles.New(f, open[profiles.Engine](a)),
		discover.New(f, open[discover.Engine](a)),
		read.New(f, open[read.Engine](a)),
		command.Group("plan", "Make, show, list, export, approve, revoke and prune plans",
			create.New(f, open[create.Engine](a)),
			show.New(f, open[show.Engine](a)),
			list.New(f, open[list.Engine](a)),
			export.New(f, open[export.Engine](a)),
			approve.New(approve.Options{
				Frame: f, Open: open[approve.Engine](a), Human: a.human, Session: a.session, Signer: a.signer, Fingerprint: sshsign.Fingerprint,
			}),
			revoke.New(f, open[revoke.Engine](a)),
			prune.New(f, open[prune.Engine](a)),
		),
		apply.New(f, open[apply.Engine](a)),
		command.Group("audit", "Show, check and repair the audit log",
			auditshow.New(f, open[auditshow.Engine](a)),
			verify.New(verify.Options{Frame: f, Open: open[verify.Engine](a), Home: a.exists}),
			repair.New(f, open[repair.Engine](a)),
		),
		command.Group("backup", "List, save and prune configurations of devices",
			backuplist.New(f, open[backuplist.Engine](a)),
			backupprune.New(f, open[backupprune.Engine](a)),
			backupsave.New(f, open[backupsave.Engine](a)),
		),
		doctor.New(doctor.Options{Frame: f, Open: open[doctor.Engine](a), Home: a.existing}),
		simulate.New(f, a.simulate),
		demo.New(demo.Options{Frame: f, Set: a.stage, Human: a.human, Session: a.session}),
		mcpconfig.New(mcpconfig.Options{Frame: f, Home: a.otherHome, Server: a.server}),
		version.New(f, build()),
	}
}

// begin fills the frame: the arguments are understood and a command will run.
func (a *app) begin() error {
	format, err := view.ParseFormat(a.flags.output)
	if err != nil {
		return err
	}
	f := a.frame
	f.Format, f.Profile = format, a.flags.profile
	f.Style = view.Style{
		Colour: terminal.Is(f.Out) && !a.flags.plain && a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb",
		Width:  terminal.Columns(f.Out),
	}
	a.running = true
	f.Caller, f.Now = a.caller(), system.Clock{}.Now
	f.Suffix = a.suffix()
	return nil
}

// wanted is the form that arguments asked for which could not be understood.
func wanted(args []string, otherwise view.Format) view.Format {
	for i, arg := range args {
		text, ok := strings.CutPrefix(arg, "--output=")
		if !ok {
			text, ok = strings.CutPrefix(arg, "-o")
			text = strings.TrimPrefix(text, "=")
		}
		if (arg == "-o" || arg == "--output") && i+1 < len(args) {
			text, ok = args[i+1], true
		}
		if f, err := view.ParseFormat(text); ok && err == nil {
			return f
		}
	}
	return otherwise
}
