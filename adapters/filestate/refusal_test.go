//go:build linux || darwin

package filestate_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/adapters/filestate"
	"github.com/forti-mcp/forti/core/fault"
)

// filled is a home with one of everything.
func filled(t *testing.T) string {
	t.Helper()
	h := home(t)
	s, ctx := open(t, h), t.Context()
	must(t, s.Plans().Put(ctx, stored(1)), s.Secrets().Put(ctx, planID(1), []byte("{}")),
		s.Approvals().Put(ctx, planID(1), []byte("{}")), claimer{t, s}.claim(1))
	appendAll(t, s, 1, 2)
	release, err := s.Locks().Lock(ctx, "device")
	must(t, err)
	release()
	_, err = s.Backups().Save(ctx, planID(1), func(w io.Writer) error {
		_, err := io.WriteString(w, "#config-version=")
		return err
	})
	must(t, err)
	return h
}

// use is one use of the state.
type use struct {
	name string
	do   func(ctx context.Context, s *filestate.Store) error
}

func planUse() use {
	return use{"plan", func(ctx context.Context, s *filestate.Store) error { return s.Plans().Put(ctx, stored(9)) }}
}

func showUse() use {
	return use{"show", func(ctx context.Context, s *filestate.Store) error {
		_, err := s.Plans().Get(ctx, planID(1))
		return err
	}}
}

func secretsUse() use {
	return use{"secrets", func(ctx context.Context, s *filestate.Store) error {
		_, err := s.Secrets().Get(ctx, planID(1))
		return err
	}}
}

func approveUse() use {
	return use{"approve", func(ctx context.Context, s *filestate.Store) error {
		return s.Approvals().Put(ctx, planID(1), []byte("{}"))
	}}
}

func approvalUse() use {
	return use{"read the approval", func(ctx context.Context, s *filestate.Store) error {
		_, err := s.Approvals().Get(ctx, planID(1))
		return err
	}}
}

func claimUse() use {
	return use{"claim", func(ctx context.Context, s *filestate.Store) error {
		_, err := s.Journals().Claim(ctx, planID(9), []byte("claim\n"))
		return err
	}}
}

func journalUse() use {
	return use{"recover", func(ctx context.Context, s *filestate.Store) error {
		_, err := s.Journals().Continue(ctx, planID(1), 6)
		return err
	}}
}

func auditUse() use {
	return use{"audit", func(ctx context.Context, s *filestate.Store) error {
		_, err := s.Audit().Append(ctx, entry(9))
		return err
	}}
}

func backupUse() use {
	return use{"back up", func(ctx context.Context, s *filestate.Store) error {
		_, err := s.Backups().Save(ctx, planID(1), func(io.Writer) error { return nil })
		return err
	}}
}

func lockUse() use {
	return use{"lock", func(ctx context.Context, s *filestate.Store) error {
		_, err := s.Locks().Lock(ctx, "device")
		return err
	}}
}

func allUses() []use {
	return []use{planUse(), showUse(), secretsUse(), approveUse(), approvalUse(), claimUse(), journalUse(), auditUse(), backupUse(), lockUse()}
}

// single gives the files of filled and the uses that touch each.
func singles(t *testing.T, h string) map[string][]use {
	t.Helper()
	id := planID(1).String()
	locks := under(t, filepath.Join(h, "state/locks"))
	return map[string][]use{
		"state/plans/" + id + ".json":     {showUse()},
		"state/plans/" + id + ".digest":   {showUse()},
		"state/secrets/" + id + ".json":   {secretsUse()},
		"state/approvals/" + id + ".json": {approvalUse(), approveUse()},
		"state/journal/" + id + ".jsonl":  {journalUse()},
		"state/backups/" + id + ".conf":   {backupUse()},
		"state/locks/" + locks[0]:         {lockUse()},
		"state/audit.jsonl":               allUses(),
		"state/FORMAT":                    allUses(),
		"anchor.json":                     allUses(),
	}
}

// refused demands that a use is refused with the path and a command, and that
// the thing stays as it is.
func refused(t *testing.T, h, path, command string, u use) {
	t.Helper()
	before, err := os.Lstat(path)
	must(t, err)
	err = u.do(t.Context(), newStore(h))
	if fault.CodeOf(err) != fault.Config {
		t.Fatalf("%s: error %v, want config", u.name, err)
	}
	if text := err.Error(); !strings.Contains(text, path) || !strings.Contains(text, command+" "+path) {
		t.Errorf("%s: the error names neither %s nor %q: %s", u.name, path, command, text)
	}
	after, err := os.Lstat(path)
	must(t, err)
	if before.Mode() != after.Mode() || !os.SameFile(before, after) {
		t.Errorf("%s: it was changed from %v to %v", u.name, before.Mode(), after.Mode())
	}
}

func TestDirectoriesThatOthersCanReadAreRefused(t *testing.T) {
	for _, name := range []string{".", "state", "state/plans", "state/secrets", "state/approvals", "state/journal", "state/backups", "state/locks"} {
		for _, mode := range []os.FileMode{0o755, 0o701, 0o770} {
			t.Run(name+" "+mode.String(), func(t *testing.T) {
				h := filled(t)
				must(t, os.Chmod(filepath.Join(h, name), mode))
				for _, u := range allUses() {
					refused(t, h, filepath.Join(h, name), "chmod 700", u)
				}
			})
		}
	}
}

func TestFilesThatOthersCanReadAreRefused(t *testing.T) {
	h := filled(t)
	for name, uses := range singles(t, h) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			path := filepath.Join(h, name)
			must(t, os.Chmod(path, 0o644))
			for _, u := range uses {
				refused(t, h, path, "chmod 600", u)
			}
			must(t, os.Chmod(path, 0o600))
		})
	}
}

func TestForeignOwnersAreRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	h := filled(t)
	for name, uses := range singles(t, h) {
		path := filepath.Join(h, name)
		must(t, os.Chown(path, 4711, -1))
		for _, u := range uses {
			refused(t, h, path, "chown 0", u)
		}
		must(t, os.Chown(path, 0, -1))
	}
	must(t, os.Chown(filepath.Join(h, "state"), 4711, -1))
	refused(t, h, filepath.Join(h, "state"), "chown 0", planUse())
}

func TestLinksToValidCopiesAreRefused(t *testing.T) {
	for _, name := range []string{".", "state", "state/plans", "state/journal"} {
		t.Run("symbolic link "+name, func(t *testing.T) {
			h := filled(t)
			path := filepath.Join(h, name)
			must(t, os.Rename(path, h+".elsewhere"), os.Symlink(h+".elsewhere", path))
			for _, u := range allUses() {
				refused(t, h, path, "rm", u)
			}
		})
	}
	for name, uses := range singles(t, filled(t)) {
		t.Run("symbolic link "+filepath.Base(name), func(t *testing.T) {
			h := filled(t)
			path := filepath.Join(h, name)
			must(t, os.Rename(path, path+".elsewhere"), os.Symlink(filepath.Base(path)+".elsewhere", path))
			for _, u := range uses {
				refused(t, h, path, "rm", u)
			}
		})
		t.Run("hard link "+filepath.Base(name), func(t *testing.T) {
			h := filled(t)
			path := filepath.Join(h, name)
			must(t, os.Link(path, path+".elsewhere"))
			for _, u := range uses {
				refused(t, h, path, "cp -p", u)
			}
		})
	}
}

func TestADanglingLinkDoesNotMakeAFileElsewhere(t *testing.T) {
	for name, u := range map[string]use{"state/audit.jsonl": auditUse(), "state/locks": lockUse(), "anchor.json": auditUse()} {
		t.Run(name, func(t *testing.T) {
			h := home(t)
			open(t, h)
			if name == "state/locks" {
				name += "/" + filepath.Base(lockPath(t, h))
			}
			must(t, os.Symlink("elsewhere", filepath.Join(h, name)))
			refused(t, h, filepath.Join(h, name), "rm", u)
			if exists(filepath.Join(h, filepath.Dir(name), "elsewhere")) {
				t.Error("a file was made at the end of the link")
			}
		})
	}
}

// lockPath makes a lock file and removes it again, for its name.
func lockPath(t *testing.T, h string) string {
	t.Helper()
	release, err := open(t, h).Locks().Lock(t.Context(), "device")
	must(t, err)
	release()
	path := filepath.Join(h, "state/locks", under(t, filepath.Join(h, "state/locks"))[0])
	must(t, os.Remove(path))
	return path
}

func TestOtherThingsInTheirPlaceAreRefused(t *testing.T) {
	h := filled(t)
	for name, uses := range singles(t, h) {
		path := filepath.Join(h, name)
		must(t, os.Rename(path, path+".kept"), os.Mkdir(path, 0o700))
		for _, u := range uses {
			refused(t, h, path, "mv", u)
		}
		must(t, os.Remove(path), os.Rename(path+".kept", path))
	}
	path := filepath.Join(h, "state/plans")
	must(t, os.Rename(path, path+".kept"), os.WriteFile(path, nil, 0o600))
	refused(t, h, path, "mv", planUse())
}

func TestALaterLooseModeIsFoundAtTheNextUse(t *testing.T) {
	h := filled(t)
	s := open(t, h)
	must(t, showUse().do(t.Context(), s))
	path := filepath.Join(h, "state/plans", planID(1).String()+".json")
	must(t, os.Chmod(path, 0o604))
	wantCode(t, showUse().do(t.Context(), s), fault.Config)
	must(t, os.Chmod(path, 0o600), os.Chmod(filepath.Join(h, "state"), 0o750))
	wantCode(t, showUse().do(t.Context(), s), fault.Config)
}

func TestAHomeBelowADirectoryOfOthersIsRefused(t *testing.T) {
	for _, test := range []struct {
		name, command string
		spoil         func(t *testing.T, above string) string
	}{
		{"writable by the group", "chmod go-w", func(t *testing.T, above string) string {
			must(t, os.Chmod(above, 0o770)) //nolint:gosec // that is the test
			return above
		}},
		{"writable by all", "chmod go-w", func(t *testing.T, above string) string {
			must(t, os.Chmod(above, 0o777)) //nolint:gosec // that is the test
			return above
		}},
		{"missing", "mkdir -p", func(t *testing.T, above string) string {
			must(t, os.Remove(above))
			return above
		}},
		{"reached by a link into one", "chmod go-w", func(t *testing.T, above string) string {
			loose := above + ".loose"
			must(t, os.Remove(above), os.Mkdir(loose, 0o700), os.Chmod(loose, 0o772), os.Symlink(filepath.Base(loose), above)) //nolint:gosec // that is the test
			return loose
		}},
		{"reached by links without an end", "", func(t *testing.T, above string) string {
			must(t, os.Remove(above), os.Symlink(filepath.Base(above), above))
			return above
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			above := home(t)
			must(t, os.Mkdir(above, 0o700))
			path := test.spoil(t, above)
			h := filepath.Join(above, "home")
			_, err := filestate.Open(h, &counting{}, nil)
			wantCode(t, err, fault.Config)
			if test.command != "" && !strings.Contains(err.Error(), test.command+" "+path) {
				t.Errorf("the error reads %q", err)
			}
			if exists(h) {
				t.Error("the home was made")
			}
		})
	}
}

func TestASoundLinkAboveHomeIsFollowed(t *testing.T) {
	above := home(t)
	must(t, os.Mkdir(above, 0o700), os.Symlink("../"+filepath.Base(filepath.Dir(above))+"/home", above+".link"))
	s := open(t, filepath.Join(above+".link", "h"))
	must(t, s.Plans().Put(t.Context(), stored(1)))
}

func TestAStickyDirectoryAboveHomeIsTaken(t *testing.T) {
	above := home(t)
	must(t, os.Mkdir(above, 0o700), os.Chmod(above, 0o777|os.ModeSticky)) //nolint:gosec // that is the test
	open(t, filepath.Join(above, "h"))
}

func TestANetworkFileSystemIsRefusedUnlessAllowed(t *testing.T) {
	h := home(t)
	s := newStore(h)
	s.PretendRemote("NFS")
	must(t, os.Mkdir(h, 0o700))
	err := planUse().do(t.Context(), s)
	wantCode(t, err, fault.Config)
	if !strings.Contains(err.Error(), "NFS") || !strings.Contains(err.Error(), "state.allow_network_filesystem") {
		t.Errorf("the error reads %q", err)
	}
	s = filestate.New(h, &counting{}, &filestate.Options{AllowNetworkFilesystem: true})
	s.PretendRemote("NFS")
	must(t, planUse().do(t.Context(), s))
}

func TestARelativeHomeIsRefused(t *testing.T) {
	_, err := filestate.Open("home", &counting{}, nil)
	wantCode(t, err, fault.Config)
}

func TestAnotherFormatIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"newer version":       `{"format":"forti-state","install":"00112233445566778899aabbccddeeff","v":2}` + "\n",
		"two keys":            `{"format":"forti-state","install":"00112233445566778899aabbccddeeff","v":1,"v":1}` + "\n",
		"a key in other case": `{"format":"forti-state","install":"00112233445566778899aabbccddeeff","V":1}` + "\n",
		"an unknown key":      `{"format":"forti-state","install":"00112233445566778899aabbccddeeff","v":1,"x":1}` + "\n",
		"bytes after it":      `{"format":"forti-state","install":"00112233445566778899aabbccddeeff","v":1}` + "\n\n",
		"torn":                `{"format":"forti-st`,
		"empty":               "",
		"no installation":     `{"format":"forti-state","install":"","v":1}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			h := filled(t)
			must(t, os.WriteFile(filepath.Join(h, "state/FORMAT"), []byte(text), 0o600))
			for _, u := range allUses() {
				wantCode(t, u.do(t.Context(), newStore(h)), fault.Config)
			}
		})
	}
}

func TestStateThatLostItsFormatIsNotGivenANewOne(t *testing.T) {
	h := filled(t)
	must(t, os.Remove(filepath.Join(h, "state/FORMAT")))
	for _, u := range allUses() {
		wantCode(t, u.do(t.Context(), newStore(h)), fault.Config)
	}
	if exists(filepath.Join(h, "state/FORMAT")) {
		t.Error("it was")
	}
}

func TestEverythingMadeIsForTheOwnerOnly(t *testing.T) {
	h := filled(t)
	for _, name := range append(under(t, h), ".") {
		info, err := os.Lstat(filepath.Join(h, name))
		must(t, err)
		want := os.FileMode(0o600)
		if info.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, want %v", name, info.Mode().Perm(), want)
		}
	}
}

func TestPathsInCommandsAreOneWord(t *testing.T) {
	h := filepath.Join(filepath.Dir(home(t)), "it's a home")
	open(t, h)
	must(t, os.Chmod(h, 0o755)) //nolint:gosec // that is the test
	err := planUse().do(t.Context(), newStore(h))
	wantCode(t, err, fault.Config)
	if want := `chmod 700 '` + strings.ReplaceAll(h, "'", `'\''`) + "'"; !strings.Contains(err.Error(), want) {
		t.Errorf("the error reads %q, want %s", err, want)
	}
}

// A use stops at the first thing that is wrong; an inspection gives all, and nothing else.
func TestAnInspectionGivesEverythingThatIsRefused(t *testing.T) {
	h := filled(t)
	must(t, os.WriteFile(filepath.Join(h, "state/plans/notes.txt"), nil, 0o644), //nolint:gosec // that is the test
		os.Mkdir(filepath.Join(h, "state/old"), 0o755)) //nolint:gosec // that is the test
	if found := newStore(h).Inspect(t.Context()); len(found) != 0 {
		t.Fatalf("nothing is wrong: %v", found)
	}
	spoilt := []string{".", "state", "state/plans", "state/secrets", "state/approvals", "state/journal", "state/backups", "state/locks"}
	for name := range singles(t, h) {
		spoilt = append(spoilt, name)
	}
	for _, name := range spoilt {
		must(t, os.Chmod(filepath.Join(h, name), 0o705)) //nolint:gosec // that is the test
	}
	told := map[string]bool{}
	for _, err := range newStore(h).Inspect(t.Context()) {
		f := fault.From(err)
		path, _ := f.Details["path"].(string)
		command, _ := f.Details["command"].(string)
		if f.Code != fault.Config || !strings.HasPrefix(command, "chmod ") {
			t.Errorf("%v, details %v", err, f.Details)
		}
		told[path] = true
	}
	for _, name := range spoilt {
		if path := filepath.Join(h, name); !told[path] {
			t.Errorf("%s is not told", path)
		}
	}
	if len(told) != len(spoilt) {
		t.Errorf("%d are told of %d: %v", len(told), len(spoilt), told)
	}
	for _, err := range newStore(filepath.Join(h, "nowhere", "home")).Inspect(t.Context()) {
		if path := fault.From(err).Details["path"]; path != filepath.Join(h, "nowhere") {
			t.Errorf("%v", err)
		}
	}
}
