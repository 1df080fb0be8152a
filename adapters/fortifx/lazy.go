package fortifx

import (
	"context"
	"io"
	"iter"

	"github.com/forti-mcp/forti/adapters/filestate"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
)

// The ports below are those of the files, which they look for at each use.

type plans struct{ *Store }

var _ port.Plans = plans{}

func (p plans) Put(ctx context.Context, s port.StoredPlan) error {
	files, err := p.Files(ctx)
	if err != nil {
		return err
	}
	return files.Plans().Put(ctx, s)
}

func (p plans) Get(ctx context.Context, id plan.ID) (port.StoredPlan, error) {
	files, err := p.Files(ctx)
	if err != nil {
		return port.StoredPlan{}, err
	}
	return files.Plans().Get(ctx, id)
}

var _ port.PlanPruner = plans{}

func (p plans) Prune(ctx context.Context, id plan.ID) error {
	files, err := p.Files(ctx)
	if err != nil {
		return err
	}
	return files.Plans().Prune(ctx, id)
}

var _ port.Inspector = plans{}

// Inspect looks at the files whatever the configuration says: it may be what is wrong.
func (p plans) Inspect(ctx context.Context) []error {
	files, err := p.Files(ctx)
	if err != nil {
		files = filestate.New(p.file.Home(), p.random, &filestate.Options{AllowNetworkFilesystem: true})
	}
	return files.Inspect(ctx)
}

func (p plans) List(ctx context.Context) ([]plan.ID, error) {
	files, err := p.Files(ctx)
	if err != nil {
		return nil, err
	}
	return files.Plans().List(ctx)
}

type planSecrets struct{ *Store }

var _ port.PlanSecrets = planSecrets{}

func (p planSecrets) Put(ctx context.Context, id plan.ID, file []byte) error {
	files, err := p.Files(ctx)
	if err != nil {
		return err
	}
	return files.Secrets().Put(ctx, id, file)
}

func (p planSecrets) Get(ctx context.Context, id plan.ID) ([]byte, error) {
	files, err := p.Files(ctx)
	if err != nil {
		return nil, err
	}
	return files.Secrets().Get(ctx, id)
}

func (p planSecrets) Erase(ctx context.Context, id plan.ID) error {
	files, err := p.Files(ctx)
	if err != nil {
		return err
	}
	return files.Secrets().Erase(ctx, id)
}

type approvals struct{ *Store }

var _ port.Approvals = approvals{}

func (a approvals) Put(ctx context.Context, id plan.ID, file []byte) error {
	files, err := a.Files(ctx)
	if err != nil {
		return err
	}
	return files.Approvals().Put(ctx, id, file)
}

func (a approvals) Get(ctx context.Context, id plan.ID) ([]byte, error) {
	files, err := a.Files(ctx)
	if err != nil {
		return nil, err
	}
	return files.Approvals().Get(ctx, id)
}

func (a approvals) Revoke(ctx context.Context, id plan.ID) error {
	files, err := a.Files(ctx)
	if err != nil {
		return err
	}
	return files.Approvals().Revoke(ctx, id)
}

func (a approvals) Revoked(ctx context.Context, id plan.ID) (bool, error) {
	files, err := a.Files(ctx)
	if err != nil {
		return false, err
	}
	return files.Approvals().Revoked(ctx, id)
}

type journals struct{ *Store }

var _ port.Journals = journals{}

func (j journals) Claim(ctx context.Context, id plan.ID, first []byte) (port.Journal, error) {
	files, err := j.Files(ctx)
	if err != nil {
		return nil, err
	}
	return files.Journals().Claim(ctx, id, first)
}

func (j journals) Continue(ctx context.Context, id plan.ID, good int) (port.Journal, error) {
	files, err := j.Files(ctx)
	if err != nil {
		return nil, err
	}
	return files.Journals().Continue(ctx, id, good)
}

func (j journals) Read(ctx context.Context, id plan.ID) ([]byte, error) {
	files, err := j.Files(ctx)
	if err != nil {
		return nil, err
	}
	return files.Journals().Read(ctx, id)
}

func (j journals) List(ctx context.Context) ([]plan.ID, error) {
	files, err := j.Files(ctx)
	if err != nil {
		return nil, err
	}
	return files.Journals().List(ctx)
}

type auditLog struct{ *Store }

var (
	_ port.AuditLog      = auditLog{}
	_ port.AuditRepairer = auditLog{}
)

func (a auditLog) Repair(ctx context.Context, e audit.Entry) (string, error) {
	files, err := a.Files(ctx)
	if err != nil {
		return "", err
	}
	return files.Audit().Repair(ctx, e)
}

func (a auditLog) Append(ctx context.Context, e audit.Entry) (audit.Head, error) {
	files, err := a.Files(ctx)
	if err != nil {
		return audit.Head{}, err
	}
	return files.Audit().Append(ctx, e)
}

func (a auditLog) Head(ctx context.Context) (head audit.Head, ok bool, err error) {
	files, err := a.Files(ctx)
	if err != nil {
		return audit.Head{}, false, err
	}
	return files.Audit().Head(ctx)
}

func (a auditLog) First(ctx context.Context) (audit.Link, error) {
	files, err := a.Files(ctx)
	if err != nil {
		return audit.Link{}, err
	}
	return files.Audit().First(ctx)
}

func (a auditLog) Lines(ctx context.Context) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		files, err := a.Files(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		files.Audit().Lines(ctx)(yield)
	}
}

func (a auditLog) Anchor(ctx context.Context) (head audit.Head, ok bool, err error) {
	files, err := a.Files(ctx)
	if err != nil {
		return audit.Head{}, false, err
	}
	return files.Audit().Anchor(ctx)
}

type backups struct{ *Store }

var (
	_ port.Backups      = backups{}
	_ port.BackupPruner = backups{}
)

func (b backups) List(ctx context.Context) ([]port.StoredBackup, error) {
	files, err := b.Files(ctx)
	if err != nil {
		return nil, err
	}
	return files.Backups().List(ctx)
}

func (b backups) Digest(ctx context.Context, id plan.ID) (canon.Digest, error) {
	files, err := b.Files(ctx)
	if err != nil {
		return canon.Digest{}, err
	}
	return files.Backups().Digest(ctx, id)
}

func (b backups) Remove(ctx context.Context, id plan.ID) error {
	files, err := b.Files(ctx)
	if err != nil {
		return err
	}
	return files.Backups().Remove(ctx, id)
}

func (b backups) Save(ctx context.Context, id plan.ID, fill func(w io.Writer) error) (port.Backup, error) {
	files, err := b.Files(ctx)
	if err != nil {
		return port.Backup{}, err
	}
	return files.Backups().Save(ctx, id, fill)
}

type locks struct{ *Store }

var _ port.Locks = locks{}

func (l locks) Lock(ctx context.Context, name string) (release func(), err error) {
	files, err := l.Files(ctx)
	if err != nil {
		return nil, err
	}
	return files.Locks().Lock(ctx, name)
}
