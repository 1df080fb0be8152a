package filestate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
)

// Plans keeps plans as plans/<id>.json, each with <id>.digest and
// <id>.remarks.json, which are there before the plan is.
type Plans struct{ store *Store }

var _ port.Plans = (*Plans)(nil)

func planFile(id plan.ID) string    { return plansDir + "/" + id.String() + ".json" }
func digestFile(id plan.ID) string  { return plansDir + "/" + id.String() + ".digest" }
func remarksFile(id plan.ID) string { return plansDir + "/" + id.String() + ".remarks.json" }

// Put stores a plan. The digest reserves the id, the plan file publishes it.
func (p *Plans) Put(ctx context.Context, s port.StoredPlan) error {
	v, err := p.store.in(ctx, plansDir, writing)
	if err != nil {
		return err
	}
	defer v.leave()
	taken := fault.New(fault.Conflict, "plan %s exists already", s.ID)
	if _, err := v.inspect(planFile(s.ID)); !errors.Is(err, fs.ErrNotExist) {
		return orElse(err, taken)
	}
	err = v.create(digestFile(s.ID), []byte(s.Digest.String()+"\n"))
	if errors.Is(err, fs.ErrExist) {
		return taken
	}
	if err == nil && len(s.Remarks) > 0 {
		err = v.create(remarksFile(s.ID), s.Remarks)
	}
	if err == nil {
		err = v.create(planFile(s.ID), s.File)
	}
	if errors.Is(err, fs.ErrExist) {
		return taken
	}
	if err != nil {
		return errors.Join(err, v.withdraw(s.ID))
	}
	return nil
}

// withdraw takes back what a failed Put published, the plan first. What cannot
// be removed stays without a plan and only keeps the id taken.
func (v *visit) withdraw(id plan.ID) error {
	for _, name := range []string{planFile(id), remarksFile(id), digestFile(id)} {
		if err := v.remove(name); err != nil {
			return err
		}
	}
	return nil
}

var _ port.PlanPruner = (*Plans)(nil)

// Prune removes everything of a plan, the journal last: the other way round, a crash
// could leave a plan and its approval without the claim that it was executed.
func (p *Plans) Prune(ctx context.Context, id plan.ID) error {
	for _, place := range []struct {
		dir   string
		names []string
	}{
		{plansDir, []string{planFile(id), remarksFile(id), digestFile(id)}},
		{secretsDir, []string{secretsFile(id)}},
		{approvalsDir, []string{approvalFile(id), revokedFile(id)}},
		{journalDir, []string{journalFile(id)}},
	} {
		if err := p.store.forget(ctx, place.dir, place.names); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) forget(ctx context.Context, dir string, names []string) error {
	v, err := s.in(ctx, dir, writing)
	if err != nil {
		return err
	}
	defer v.leave()
	for _, name := range names {
		if err := v.remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Get gives a plan. A plan whose digest is missing or unreadable is
// tampered_plan.
func (p *Plans) Get(ctx context.Context, id plan.ID) (port.StoredPlan, error) {
	v, err := p.store.in(ctx, plansDir, reading)
	if err != nil {
		return port.StoredPlan{}, missing(err, "plan %s does not exist", id)
	}
	defer v.leave()
	s := port.StoredPlan{ID: id}
	if s.File, err = v.read(planFile(id)); err != nil {
		return port.StoredPlan{}, missing(err, "plan %s does not exist", id)
	}
	if s.Digest, err = v.digest(id); err != nil {
		return port.StoredPlan{}, err
	}
	s.Remarks, err = v.read(remarksFile(id))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return port.StoredPlan{}, err
	}
	return s, nil
}

func (v *visit) digest(id plan.ID) (canon.Digest, error) {
	data, err := v.read(digestFile(id))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return canon.Digest{}, err
	}
	text, whole := strings.CutSuffix(string(data), "\n")
	digest, err := canon.ParseDigest(text)
	if err == nil && !whole {
		err = errors.New("the digest is cut off")
	}
	if err != nil {
		return canon.Digest{}, fault.Wrap(err, fault.TamperedPlan, "the digest of plan %s is missing or damaged; plan the change again", id).
			With("path", v.path(digestFile(id)))
	}
	return digest, nil
}

// List gives the plans' ids, newest first.
func (p *Plans) List(ctx context.Context) ([]plan.ID, error) {
	return p.store.ids(ctx, plansDir, ".json")
}

// ids lists the plans that have a file with an ending in a directory, newest
// first. Names that are not a plan's are none of ours.
func (s *Store) ids(ctx context.Context, dir, ending string) ([]plan.ID, error) {
	v, err := s.in(ctx, dir, reading)
	if errors.Is(err, errAbsent) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer v.leave()
	names, err := v.published(dir)
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	slices.Reverse(names)
	var ids []plan.ID
	for _, name := range names {
		if text, ok := strings.CutSuffix(name, ending); ok {
			if id, err := plan.ParseID(text); err == nil {
				ids = append(ids, id)
			}
		}
	}
	return ids, nil
}

// missing turns the absence of a file, or of all state, into not_found.
func missing(err error, format string, args ...any) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errAbsent) {
		return fault.Wrap(err, fault.NotFound, "%s", fmt.Sprintf(format, args...))
	}
	return err
}

// orElse is err, or other where there is none.
func orElse(err, other error) error {
	if err != nil {
		return err
	}
	return other
}
