package durabletest

import (
	"fmt"
	"path"

	"github.com/forti-mcp/forti/adapters/internal/durable"
)

// Disorder says where the calls break the rules, "" where they keep them. The
// contents of a file are synced before a name of it is published; the directory
// is synced after a publication or a removal, and everything written is synced,
// before the next mark. Marks stand where a caller was told that its work is done.
func Disorder(calls []Call) string {
	o := order{fresh: map[int]bool{}, dirty: map[int]string{}, waiting: map[string]string{}}
	for i, c := range calls {
		if c.Err != nil {
			continue
		}
		if problem := o.take(c); problem != "" {
			return fmt.Sprintf("call %d: %s", i, problem)
		}
	}
	return ""
}

// order is what still has to be synced.
type order struct {
	// fresh files were never synced, dirty ones have writes that were not.
	fresh   map[int]bool
	dirty   map[int]string
	waiting map[string]string
}

func (o *order) take(c Call) string {
	switch c.Kind {
	case Create:
		o.fresh[c.File] = true
	case Write, Truncate:
		o.dirty[c.File] = c.Name
	case Sync:
		delete(o.fresh, c.File)
		delete(o.dirty, c.File)
	case Link, Rename:
		o.waiting[path.Dir(c.To)] = c.To
		if o.fresh[c.File] || o.dirty[c.File] != "" {
			return c.To + " is published before its contents are synced"
		}
	case Mkdir:
		o.waiting[path.Dir(c.Name)] = c.Name
	case Remove:
		if !durable.IsTemp(path.Base(c.Name)) {
			o.waiting[path.Dir(c.Name)] = c.Name
		}
	case SyncDir:
		delete(o.waiting, c.Name)
	case Mark:
		return o.mark(c.Name)
	}
	return ""
}

func (o *order) mark(what string) string {
	for dir, name := range o.waiting {
		return fmt.Sprintf("%q is done, but %s was not synced after the change of %s", what, dir, name)
	}
	for _, name := range o.dirty {
		return fmt.Sprintf("%q is done, but %s was not synced", what, name)
	}
	return ""
}
