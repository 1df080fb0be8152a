package harness

import (
	"encoding/json"
	"testing"
)

// Envelope is what every tool and every command with -o json answers. The types
// here are a client's own reading of it, apart from the product's.
type Envelope struct {
	OK    bool            `json:"ok"`
	Data  json.RawMessage `json:"data"`
	Meta  json.RawMessage `json:"meta"`
	Error *Failure        `json:"error"`
}

// Failure is the error of an envelope.
type Failure struct {
	Code    string          `json:"code"`
	Message string          `json:"message"`
	Details json.RawMessage `json:"details"`
}

// Details are the members of a failure's details that tests look at.
type Details struct {
	Reason         string     `json:"reason"`
	ApproveCommand string     `json:"approve_command"`
	PlanID         string     `json:"plan_id"`
	Path           string     `json:"path"`
	RetryAfter     int        `json:"retry_after_s"`
	Have           int        `json:"have"`
	Need           int        `json:"need"`
	Execution      *Execution `json:"execution"`
	Problems       []Problem  `json:"problems"`
}

// Problem is one mistake of the arguments.
type Problem struct {
	Pointer string `json:"pointer"`
	Problem string `json:"problem"`
}

// Plan is the data of a plan.
type Plan struct {
	Status     string      `json:"status"`
	PlanID     string      `json:"plan_id"`
	Digest     string      `json:"digest"`
	State      string      `json:"state"`
	Mode       string      `json:"mode"`
	Kind       string      `json:"kind"`
	Apply      string      `json:"apply"`
	Approve    string      `json:"approve"`
	Notes      []string    `json:"notes"`
	Risk       Risk        `json:"risk"`
	Operations []Operation `json:"operations"`
	Execution  *Execution  `json:"execution"`
}

// Risk is the verdict on a plan.
type Risk struct {
	Tier string `json:"tier"`
}

// Execution is what an apply did.
type Execution struct {
	Status     string      `json:"status"`
	PlanID     string      `json:"plan_id"`
	Operations []Operation `json:"operations"`
	Verified   int         `json:"verified"`
	Rollback   *Rollback   `json:"rollback"`
	Backup     *Backup     `json:"backup"`
	AuditError string      `json:"audit_error"`
}

// Operation is one operation of a plan or of an execution.
type Operation struct {
	Op       string `json:"op"`
	Resource string `json:"resource"`
	Key      any    `json:"key"`
	Status   string `json:"status"`
	Changed  string `json:"changed"`
	Observed string `json:"observed"`
	Code     string `json:"code"`
	Message  string `json:"message"`
}

// Rollback names the plan that undoes an execution.
type Rollback struct {
	PlanID string `json:"plan_id"`
}

// Backup is the configuration that was saved before a critical plan.
type Backup struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

// Statuses are the statuses of the operations, in order.
func (x Execution) Statuses() []string {
	list := make([]string, 0, len(x.Operations))
	for _, op := range x.Operations {
		list = append(list, op.Status)
	}
	return list
}

// Failed checks the code of a failure and gives it.
func (e Envelope) Failed(tb testing.TB, code string) Failure {
	tb.Helper()
	if e.OK || e.Error == nil {
		tb.Fatalf("no failure, want %s: %s", code, e.Data)
	}
	if e.Error.Code != code {
		tb.Fatalf("code %s, want %s: %s %s", e.Error.Code, code, e.Error.Message, e.Error.Details)
	}
	return *e.Error
}

// Into decodes the data of a success.
func (e Envelope) Into(tb testing.TB, data any) {
	tb.Helper()
	if !e.OK {
		tb.Fatalf("a failure: %s: %s %s", e.Error.Code, e.Error.Message, e.Error.Details)
	}
	if err := json.Unmarshal(e.Data, data); err != nil {
		tb.Fatalf("%v in %s", err, e.Data)
	}
}

// Read decodes the details.
func (f Failure) Read(tb testing.TB) Details {
	tb.Helper()
	var d Details
	f.Into(tb, &d)
	return d
}

// Into decodes the details as something of the test's own.
func (f Failure) Into(tb testing.TB, details any) {
	tb.Helper()
	if len(f.Details) == 0 {
		return
	}
	if err := json.Unmarshal(f.Details, details); err != nil {
		tb.Fatalf("%v in %s", err, f.Details)
	}
}

// Execution is the record that a failed apply carries.
func (f Failure) Execution(tb testing.TB) Execution {
	tb.Helper()
	var x Execution
	f.Into(tb, &x)
	return x
}
