package verify_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/command/audit/verify"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

type auditor struct {
	report audit.Report
	err    error
}

func (a auditor) VerifyAudit(context.Context) (audit.Report, error) { return a.report, a.err }

func TestEachVerdictHasItsStatus(t *testing.T) {
	head := &audit.Head{Seq: 3, Hash: canon.Sum([]byte("x"))}
	for _, tt := range []struct {
		name, says      string
		report          audit.Report
		plain, detailed int
	}{
		{"good", "good", audit.Report{Records: 4, Head: head, BadSeq: -1}, 0, 0},
		{"good with warnings", "good", audit.Report{Records: 4, Head: head, BadSeq: -1, Warnings: []string{"the clock"}}, 0, 0},
		{"empty", "good", audit.Report{BadSeq: -1}, 0, 0},
		{"broken", "broken", audit.Report{BadSeq: 2, Problem: "record 2"}, 1, 1},
		{"broken at the first record", "broken", audit.Report{BadSeq: 0, Problem: "record 0"}, 1, 1},
		{"broken and incomplete", "broken", audit.Report{BadSeq: 2, Torn: true}, 1, 1},
		{"torn", "incomplete", audit.Report{BadSeq: -1, Torn: true}, 3, 2},
		{"an end that is missing", "incomplete", audit.Report{BadSeq: -1, Incomplete: []string{"plan x"}}, 3, 2},
	} {
		for _, args := range [][]string{nil, {"--detailed-exitcode"}} {
			t.Run(tt.name, func(t *testing.T) {
				var out bytes.Buffer
				c := verify.New(options(&command.Frame{Out: &out, Err: &out, Format: view.JSON}, func(context.Context) (verify.Engine, error) {
					return auditor{report: tt.report}, nil
				}))
				c.SilenceErrors, c.SilenceUsage = true, true
				c.SetArgs(args)
				err := c.Execute()
				status, want := 0, tt.plain
				var exit *command.ExitError
				if errors.As(err, &exit) {
					status = exit.Status
				} else if err != nil {
					t.Fatal(err)
				}
				if args != nil {
					want = tt.detailed
				}
				if status != want {
					t.Errorf("exit status %d, want %d", status, want)
				}
				var e struct {
					OK   bool
					Data struct {
						Status  string
						Records int
					}
				}
				if err := json.Unmarshal(out.Bytes(), &e); err != nil || !e.OK || e.Data.Status != tt.says || e.Data.Records != tt.report.Records {
					t.Errorf("%v: %s", err, out.String())
				}
			})
		}
	}
}

func TestACheckThatFailsIsAFailure(t *testing.T) {
	var out bytes.Buffer
	failing := auditor{err: fault.New(fault.Config, "unreadable")}
	c := verify.New(options(&command.Frame{Out: &out, Err: &out}, func(context.Context) (verify.Engine, error) { return failing, nil }))
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs([]string{"--detailed-exitcode"})
	err := c.Execute()
	var status *command.StatusError
	if !errors.As(err, &status) || status.Status != 1 || fault.CodeOf(err) != fault.Config || out.Len() > 0 {
		t.Errorf("%v\n%s", err, out.String())
	}
}

func options(f *command.Frame, open command.Open[verify.Engine]) verify.Options {
	return verify.Options{Frame: f, Open: open, Home: func() error { return nil }}
}
