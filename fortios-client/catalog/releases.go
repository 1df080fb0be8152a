package catalog

import "strings"

// Releases lists the FortiOS releases that the sources of the facts show. They
// are the resolution of every window: between two of them nothing is known.
type Releases struct {
	Sampled        []string          `json:"sampled"`          // by their names only
	Dumped         []string          `json:"dumped"`           // by a device's own schema
	Newest         map[string]string `json:"newest"`           // by source
	All            []string          `json:"all"`              // oldest first
	NewestOfBranch map[string]string `json:"newest_of_branch"` // "7.4" to "7.4.4"
}

// Certain reports whether the catalog's word on release v is final: v was
// seen, or a later patch of its branch was. Patches after the newest seen of
// their branch can have taken over features from the next one, so "too new"
// is an error only for certain releases, and a warning for others.
func (r Releases) Certain(v Version) bool {
	newest, ok := parseRelease(r.NewestOfBranch[v.Branch()])
	return ok && v.Compare(newest) <= 0
}

// CertainlyAbsent reports whether release v certainly lacks what w belongs to:
// w does not cover v, and a seen release of the same branch proves it (v
// itself; a later patch, for something that is too new; an earlier one, for
// something that is gone). Certain asks the same of a release as a whole;
// this is the finer question, as a bound may lie in the middle of a branch.
func (r Releases) CertainlyAbsent(w Window, v Version) bool {
	absence := w.Absence(v)
	if absence == Present {
		return false
	}
	for _, text := range r.All {
		seen, ok := parseRelease(text)
		if !ok || seen.Branch() != v.Branch() || w.Absence(seen) != absence {
			continue
		}
		order := seen.Compare(v)
		if order == 0 || absence == Gone && order < 0 || absence != Gone && order > 0 {
			return true
		}
	}
	return false
}

func parseRelease(text string) (Version, bool) {
	v, branch, ok := parseBound(strings.TrimPrefix(text, "v"))
	return v, ok && !branch
}
