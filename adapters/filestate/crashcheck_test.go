//go:build linux || darwin

package filestate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/adapters/filestate"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/fault"
)

// check looks at a home with a new program's eyes and says what is wrong, "" for
// nothing. finished are the steps of the story that must be there.
func check(ctx context.Context, h string, finished map[string]bool) string {
	s := newStore(h)
	for _, look := range []func() error{
		func() error { return checkPlan(ctx, s, finished["plan"]) },
		func() error { return checkJournal(ctx, s, finished) },
		func() error { return checkApproval(ctx, s, finished) },
		func() error { return checkLog(ctx, s, finished) },
		func() error { return checkSecrets(ctx, s, h, finished) },
		func() error { return checkBackup(h, finished["backup"]) },
		func() error { return s.Plans().Put(ctx, stored(7)) },
	} {
		if err := look(); err != nil {
			return err.Error()
		}
	}
	return ""
}

// whole demands one of the contents, or absence where nothing is finished.
func whole(what string, got []byte, err error, finished bool, contents ...string) error {
	if fault.CodeOf(err) == fault.NotFound && !finished {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if !slices.Contains(contents, string(got)) {
		return fmt.Errorf("%s: %q", what, got)
	}
	return nil
}

func checkPlan(ctx context.Context, s *filestate.Store, finished bool) error {
	want := stored(1)
	got, err := s.Plans().Get(ctx, want.ID)
	if err == nil && (got.Digest != want.Digest || !bytes.Equal(got.Remarks, want.Remarks)) {
		return errors.New("the plan came without its digest or remarks")
	}
	return whole("plan", got.File, err, finished, string(want.File))
}

func checkJournal(ctx context.Context, s *filestate.Store, finished map[string]bool) error {
	got, err := s.Journals().Read(ctx, planID(1))
	must := ""
	for _, line := range strings.SplitAfter(journalText, "\n") {
		if finished[line] {
			must += line
		}
	}
	if fault.CodeOf(err) == fault.NotFound && must == "" {
		return nil
	}
	if err != nil || !strings.HasPrefix(journalText, string(got)) || !strings.HasPrefix(string(got), must) || !strings.HasPrefix(string(got), "claim\n") {
		return fmt.Errorf("journal %q, at least %q is finished: %w", got, must, err)
	}
	j, err := s.Journals().Continue(ctx, planID(1), bytes.LastIndexByte(got, '\n')+1)
	if err != nil {
		return err
	}
	return errors.Join(j.Append(ctx, []byte("recovered\n")), j.Close())
}

func checkApproval(ctx context.Context, s *filestate.Store, finished map[string]bool) error {
	allowed := []string{"second"}
	if !finished["new approval"] {
		allowed = append(allowed, "first")
	}
	got, err := s.Approvals().Get(ctx, planID(1))
	revoked, failed := s.Approvals().Revoked(ctx, planID(1))
	if failed != nil || finished["revoked"] && !revoked {
		return fmt.Errorf("revoked %v: %w", revoked, failed)
	}
	return whole("approval", got, err, finished["approval"], allowed...)
}

func checkLog(ctx context.Context, s *filestate.Store, finished map[string]bool) error {
	if _, err := s.Audit().Append(ctx, entry(5)); err != nil {
		return err
	}
	first, err := s.Audit().First(ctx)
	if err != nil {
		return err
	}
	var told []audit.Record
	report, err := audit.Verify(first, s.Audit().Lines(ctx), func(r audit.Record) {
		if r.Event == audit.PlanCreated {
			told = append(told, r)
		}
	})
	if err != nil || report.Broken() || report.Torn {
		return fmt.Errorf("audit log %+v: %w", report, err)
	}
	for n, step := range []string{"planned", "approved", "begun", "ended"} {
		if finished[step] && (len(told) <= n || told[n].PlanID != planID(n)) {
			return fmt.Errorf("the record of %q is gone", step)
		}
	}
	if last := told[len(told)-1]; last.PlanID != planID(5) {
		return errors.New("the newest record is not the last one")
	}
	return nil
}

func checkSecrets(ctx context.Context, s *filestate.Store, h string, finished map[string]bool) error {
	got, err := s.Secrets().Get(ctx, planID(1))
	if !finished["erased"] {
		if fault.CodeOf(err) == fault.NotFound && finished["journal"] {
			return nil // an erasure that was not called finished may have happened
		}
		return whole("secrets", got, err, finished["secrets"], secretText)
	}
	return filepath.WalkDir(h, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte("hunter2")) {
			return fmt.Errorf("%s still holds the secret", path)
		}
		return err
	})
}

func checkBackup(h string, finished bool) error {
	got, err := os.ReadFile(filepath.Join(h, "state/backups", planID(1).String()+".conf"))
	if errors.Is(err, fs.ErrNotExist) {
		err = fault.New(fault.NotFound, "no backup")
	}
	return whole("backup", got, err, finished, backupText)
}
