//go:build linux || darwin

package filestate_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/forti-mcp/forti/adapters/filestate"
	"github.com/forti-mcp/forti/adapters/internal/durable"
	"github.com/forti-mcp/forti/adapters/internal/durable/durabletest"
	"github.com/forti-mcp/forti/core/fault"
)

const (
	secretText  = `{"s0":"hunter2"}`
	backupText  = "#config-version=FGT60F\nconfig system global\n"
	journalText = "claim\nintent\nanswered\nend\n"
)

// story is a whole workflow, step by step. done tells of each step that the store
// called finished; the first error ends it.
func story(ctx context.Context, s *filestate.Store, done func(step string)) error {
	steps := []struct {
		name string
		do   func() error
	}{
		{"plan", func() error { return s.Plans().Put(ctx, stored(1)) }},
		{"secrets", func() error { return s.Secrets().Put(ctx, planID(1), []byte(secretText)) }},
		{"planned", func() error { return told(s.Audit().Append(ctx, entry(0))) }},
		{"approved", func() error { return told(s.Audit().Append(ctx, entry(1))) }},
		{"approval", func() error { return s.Approvals().Put(ctx, planID(1), []byte("first")) }},
		{"new approval", func() error { return s.Approvals().Put(ctx, planID(1), []byte("second")) }},
		{"begun", func() error { return told(s.Audit().Append(ctx, entry(2))) }},
		{"backup", func() error {
			_, err := s.Backups().Save(ctx, planID(1), func(w io.Writer) error {
				_, err := io.WriteString(w, backupText)
				return err
			})
			return err
		}},
		{"journal", func() error { return execute(ctx, s, done) }},
		{"erased", func() error { return s.Secrets().Erase(ctx, planID(1)) }},
		{"ended", func() error { return told(s.Audit().Append(ctx, entry(3))) }},
		{"revoked", func() error { return s.Approvals().Revoke(ctx, planID(1)) }},
	}
	for _, step := range steps {
		if err := step.do(); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		done(step.name)
	}
	return nil
}

func told[T any](_ T, err error) error { return err }

// execute writes the journal and tells of each line.
func execute(ctx context.Context, s *filestate.Store, done func(step string)) error {
	lines := strings.SplitAfter(strings.TrimSuffix(journalText, "\n"), "\n")
	j, err := s.Journals().Claim(ctx, planID(1), []byte(lines[0]))
	if err != nil {
		return err
	}
	done(lines[0])
	for _, line := range lines[1:] {
		line = strings.TrimSuffix(line, "\n") + "\n"
		if err := j.Append(ctx, []byte(line)); err != nil {
			return errors.Join(err, j.Close())
		}
		done(line)
	}
	return j.Close()
}

// memoryHome is home on a file system in memory where there is one: hundreds of
// them are needed here, and what a disk keeps is simulated anyway.
func memoryHome(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "filestate-") //nolint:usetesting // t.TempDir is on the disk
	if err != nil {
		return home(t)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return filepath.Join(dir, "home")
}

// record runs the story and records the calls.
func record(t *testing.T, failing func(durabletest.Call) error) (h string, r *durabletest.Recorder, err error) {
	t.Helper()
	h, r = memoryHome(t), &durabletest.Recorder{Fault: failing}
	must(t, os.Mkdir(h, 0o700))
	s := newStore(h)
	s.RotateAt(600)
	s.WrapSystem(func(sys durable.System) durable.System { return r.Wrap(sys) })
	return h, r, story(t.Context(), s, r.Mark)
}

// finished are the steps that the store called finished.
func finished(calls []durabletest.Call) map[string]bool {
	steps := map[string]bool{}
	for _, c := range calls {
		if c.Kind == durabletest.Mark {
			steps[c.Name] = true
		}
	}
	return steps
}

func TestEveryPublicationIsSyncedInOrder(t *testing.T) {
	_, r, err := record(t, nil)
	must(t, err)
	calls := r.Calls()
	if problem := durabletest.Disorder(calls); problem != "" {
		t.Error(problem)
	}
	if len(calls) < 80 {
		t.Errorf("only %d calls were recorded", len(calls))
	}
}

// After a crash at any point, whatever a disk may lose of what was not synced,
// everything that was called finished is there, nothing is half there, and the
// next program goes on.
func TestACrashAtAnyPointLosesNothingThatWasFinished(t *testing.T) {
	_, r, err := record(t, nil)
	must(t, err)
	calls, seen, images := r.Calls(), map[string]bool{}, 0
	for n := range len(calls) + 1 {
		for _, loss := range durabletest.Losses() {
			image, steps := durabletest.Crash(calls[:n], loss), finished(calls[:n])
			key := fmt.Sprint(image, steps)
			if seen[key] {
				continue
			}
			seen[key] = true
			images++
			h := memoryHome(t)
			must(t, os.Mkdir(h, 0o700), image.Write(h))
			if problem := check(t.Context(), h, steps); problem != "" {
				t.Fatalf("a crash after %d of %d calls (%s %s %s), %v: %s", n, len(calls), calls[max(0, n-1)].Kind,
					calls[max(0, n-1)].Name, calls[max(0, n-1)].To, loss, problem)
			}
			must(t, os.RemoveAll(filepath.Dir(h)))
		}
	}
	t.Logf("%d calls, %d different disks", len(calls), images)
}

// A call that fails, with the disk full or broken, is reported, loses nothing
// that was finished and leaves nothing half there; after it the next program
// goes on.
func TestAFailureOfAnyCallIsReportedAndLeavesNothingHalfDone(t *testing.T) {
	_, r, err := record(t, nil)
	must(t, err)
	for _, cause := range []error{syscall.ENOSPC, syscall.EIO} {
		for nth, c := range r.Calls() {
			if c.Kind == durabletest.Mark {
				continue
			}
			count := 0
			h, failed, err := record(t, func(durabletest.Call) error {
				if count++; count == nth+1-marksBefore(r.Calls(), nth) {
					return cause
				}
				return nil
			})
			if errors.Is(cause, syscall.ENOSPC) && spent(failed.Calls()) {
				must(t, err) // there was room for the rest
			}
			harmless := spent(failed.Calls()) || c.Kind == durabletest.Remove && durable.IsTemp(filepath.Base(c.Name))
			if (err == nil) != harmless || err != nil && fault.CodeOf(err) != fault.Config {
				t.Fatalf("call %d (%s %s) failed with %v and the store said: %v", nth, c.Kind, c.Name, cause, err)
			}
			if n := retried(failed.Calls()); n != "" {
				t.Fatalf("call %d (%s %s) failed with %v and was tried again: %s", nth, c.Kind, c.Name, cause, n)
			}
			if problem := check(t.Context(), h, finished(failed.Calls())); problem != "" {
				t.Fatalf("call %d (%s %s) failed with %v: %s", nth, c.Kind, c.Name, cause, problem)
			}
			must(t, os.RemoveAll(filepath.Dir(h)))
		}
	}
}

// spent reports whether the reserve was given back to the disk.
func spent(calls []durabletest.Call) bool {
	return slices.ContainsFunc(calls, func(c durabletest.Call) bool { return c.Kind == durabletest.Truncate && c.Name == "state/reserve" })
}

func marksBefore(calls []durabletest.Call, n int) int {
	return len(calls[:n]) - len(without(calls[:n], durabletest.Mark))
}

func without(calls []durabletest.Call, kind durabletest.Kind) (rest []durabletest.Call) {
	for _, c := range calls {
		if c.Kind != kind {
			rest = append(rest, c)
		}
	}
	return rest
}

// retried names the file that was synced again, or written to, after a sync of
// it failed.
func retried(calls []durabletest.Call) string {
	lost := map[int]bool{}
	for _, c := range calls {
		if lost[c.File] && (c.Kind == durabletest.Sync || c.Kind == durabletest.Write) {
			return c.Name
		}
		if c.Kind == durabletest.Sync && c.Err != nil {
			lost[c.File] = true
		}
	}
	return ""
}

func TestAfterAnUnconfirmedAuditRecordNothingMoreIsAppended(t *testing.T) {
	h, r := home(t), &durabletest.Recorder{}
	s := open(t, h)
	s.WrapSystem(func(sys durable.System) durable.System { return r.Wrap(sys) })
	appendAll(t, s, 0, 1)
	r.Fault = func(c durabletest.Call) error {
		if c.Kind == durabletest.Sync && c.Name == "state/audit.jsonl" {
			return syscall.EIO
		}
		return nil
	}
	wantCode(t, told(s.Audit().Append(t.Context(), entry(2))), fault.Config)
	r.Fault = nil
	before := len(r.Calls())
	wantCode(t, told(s.Audit().Append(t.Context(), entry(3))), fault.Config)
	for _, c := range r.Calls()[before:] {
		t.Errorf("%s %s after the failure", c.Kind, c.Name)
	}
	appendAll(t, open(t, h), 4, 4)
}

// withFault makes the calls of a store fail as fault says.
func withFault(s *filestate.Store, fault func(durabletest.Call) error) *durabletest.Recorder {
	r := &durabletest.Recorder{Fault: fault}
	s.WrapSystem(func(sys durable.System) durable.System { return r.Wrap(sys) })
	return r
}

func TestARepairWhoseAnchorWasNotWrittenIsAccepted(t *testing.T) {
	h := home(t)
	appendAll(t, open(t, h), 0, 2)
	edit(t, h, func(lines [][]byte) [][]byte { lines[2] = lines[2][:20]; return lines })
	s := open(t, h)
	withFault(s, func(c durabletest.Call) error {
		if c.To == "anchor.json" {
			return syscall.ENOSPC
		}
		return nil
	})
	wantCode(t, told(s.Audit().Append(t.Context(), entry(3))), fault.Config)
	s = open(t, h)
	appendAll(t, s, 4, 4)
	records, report := log(t, s)
	if report.Broken() || events(records) != "plan.created plan.created audit.repaired plan.created" {
		t.Errorf("%+v: %s", report, events(records))
	}
}

func TestAPlanThatCouldNotBeStoredCanBeStoredLater(t *testing.T) {
	s := open(t, home(t))
	full := true
	withFault(s, func(c durabletest.Call) error {
		if full && c.Kind == durabletest.Write && strings.Contains(string(c.Data), planID(1).String()) {
			return syscall.ENOSPC
		}
		return nil
	})
	err := s.Plans().Put(t.Context(), stored(1))
	wantCode(t, err, fault.Config)
	if !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("the error reads %q", err)
	}
	full = false
	must(t, s.Plans().Put(t.Context(), stored(1)))
}
