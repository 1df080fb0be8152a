// Package show is the command that lists the records of the audit log.
package show

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// Engine is what the command needs of the product.
type Engine interface {
	Audit(ctx context.Context, q engine.AuditQuery) (*engine.AuditRecords, error)
}

var _ Engine = (*engine.Engine)(nil)

// Options is what the command was asked.
type Options struct {
	*command.Frame
	Open         command.Open[Engine]
	Plan, Event  string
	Since, Until string
	Last         int
}

// lines is how many records are shown where --last is not given.
const lines = 50

// New makes the command.
func New(f *command.Frame, open command.Open[Engine]) *cobra.Command {
	o := &Options{Frame: f, Open: open}
	c := &cobra.Command{
		Use:   "show",
		Short: "List records of the audit log: who planned, approved, refused and applied what",
		Long: `List records of the audit log, oldest first: the newest 50 of those that fit.
With --profile, those of one profile. Whether the chain holds is for forti audit
verify to say.`,
		Args: command.Arguments(0),
		RunE: func(c *cobra.Command, _ []string) error { return run(c.Context(), o) },
	}
	flags := c.Flags()
	flags.StringVar(&o.Plan, "plan", "", "Records of this plan, and of the plans that undo it.")
	flags.StringVar(&o.Event, "event", "", "Records of one kind, such as apply.end.")
	flags.StringVar(&o.Since, "since", "", "From this time on: 2026-10-15, 2026-10-15T10:45:00Z, or an age such as 24h.")
	flags.StringVar(&o.Until, "until", "", "Before this time.")
	flags.IntVar(&o.Last, "last", lines, "How many of the newest; 0 for all.")
	return c
}

func run(ctx context.Context, o *Options) error {
	q, err := o.query()
	if err != nil {
		return err
	}
	e, err := o.Open(ctx)
	if err != nil {
		return err
	}
	found, err := e.Audit(ctx, q)
	if err != nil {
		return err
	}
	return o.Answer(found, nil, func(p *view.Page) { draw(p, found) })
}

func (o *Options) query() (q engine.AuditQuery, err error) {
	q.Profile, q.Event, q.Last = o.Profile, audit.Event(o.Event), o.Last
	var problems fault.Problems
	if o.Last < 0 {
		problems.Add("--last", "must be at least 0")
	}
	if o.Plan != "" {
		if q.Plan, err = plan.ParseID(o.Plan); err != nil {
			problems.Add("--plan", fault.From(err).Message)
		}
	}
	for _, f := range []struct {
		flag, text string
		to         *time.Time
	}{{"--since", o.Since, &q.Since}, {"--until", o.Until, &q.Until}} {
		if f.text == "" {
			continue
		}
		t, ok := moment(f.text, o.Now)
		if !ok {
			problems.Add(f.flag, "is not a time such as 2026-10-15, 2026-10-15T10:45:00Z or 24h")
		}
		*f.to = t
	}
	return q, problems.Err()
}

// moment reads a date in UTC, a time, or an age.
func moment(text string, now func() time.Time) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	age, err := time.ParseDuration(text)
	return now().Add(-age), err == nil && age >= 0
}

func draw(p *view.Page, found *engine.AuditRecords) {
	if len(found.Records) == 0 {
		p.Say("no record fits")
	}
	rows := make([][]string, 0, len(found.Records))
	for _, r := range found.Records {
		rows = append(rows, []string{
			strconv.FormatUint(r.Seq, 10), r.At.UTC().Format(time.RFC3339), string(r.Event), planOf(r), r.Profile, who(r), what(r),
		})
	}
	if len(rows) > 0 {
		p.Table([]string{"record", "time", "event", "plan", "profile", "who", "what"}, rows)
	}
	if left := found.Total - len(found.Records); left > 0 {
		p.Text("", strconv.Itoa(left)+" older records fit too: --last 0 shows all")
	}
	if found.Torn {
		p.Say("the last line is torn; the next record sets it aside")
	}
}

func planOf(r audit.Record) string {
	if r.PlanID.IsZero() {
		return ""
	}
	return r.PlanID.String()
}

// who is the user and the program that wrote a record, and what a client calls
// itself.
func who(r audit.Record) string {
	text := r.User
	if r.Host != "" {
		text += "@" + r.Host
	}
	for _, more := range []string{r.Program, r.Client} {
		if more != "" {
			text += " " + more
		}
	}
	return strings.TrimSpace(text)
}

// what is the gist of a record.
func what(r audit.Record) string {
	var words []string
	add := func(lead, text string) {
		if text != "" {
			words = append(words, strings.TrimSpace(lead+" "+text))
		}
	}
	add("", string(r.State))
	add("", r.Code)
	add("mode", string(r.Mode))
	add("risk", string(r.Risk))
	if r.Approval != nil {
		add(r.Approval.Method+" by", r.Approval.Approver)
	}
	if n := len(r.Ops); n > 0 {
		words = append(words, strconv.Itoa(n)+" operations")
	}
	add("reason", r.Reason)
	add("", r.Note)
	return strings.Join(words, ", ")
}
