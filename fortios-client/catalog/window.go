package catalog

import (
	"strconv"
	"strings"
)

// Absence says why a release lacks something.
type Absence string

// The absences. Present is the zero value: the release has it.
const (
	Present Absence = ""
	TooNew  Absence = "too new"  // it came with a later release
	Gone    Absence = "gone"     // it ended with an earlier release
	InGap   Absence = "in a gap" // earlier and later releases have it
)

// Covers reports whether release v has what w belongs to, given that it has
// the parent. The zero Version is covered always. A bound that is no release
// counts as open; the generator refuses such facts.
func (w Window) Covers(v Version) bool { return w.Absence(v) == Present }

// Absence says why release v lacks what w belongs to; Present if it does not.
func (w Window) Absence(v Version) Absence {
	if v.IsZero() {
		return Present
	}
	if len(w.Spans) == 0 {
		return absence(w.Since, w.Until, v)
	}
	var newer, older bool
	for _, span := range w.Spans {
		switch absence(span[0], span[1], v) {
		case Present:
			return Present
		case TooNew:
			newer = true
		case Gone, InGap:
			older = true
		}
	}
	switch {
	case newer && older:
		return InGap
	case newer:
		return TooNew
	default:
		return Gone
	}
}

func absence(since, until string, v Version) Absence {
	if from, _, ok := parseBound(since); ok && v.Compare(from) < 0 {
		return TooNew
	}
	if !reaches(until, v) {
		return Gone
	}
	return Present
}

// reaches reports whether until is v or later. A branch reaches all its
// patches; an open end reaches every release.
func reaches(until string, v Version) bool {
	to, branch, ok := parseBound(until)
	if !ok {
		return true
	}
	if branch {
		v.Patch = 0
	}
	return v.Compare(to) <= 0
}

// parseBound reads "7.4.1", or "7.4" as a branch with patch 0. It is apart from
// ParseVersion as it runs for every attribute and option: it allocates nothing.
func parseBound(text string) (v Version, branch, ok bool) {
	major, rest, found := strings.Cut(text, ".")
	if !found {
		return Version{}, false, false
	}
	minor, patch, full := strings.Cut(rest, ".")
	if !full {
		patch = "0"
	}
	var err [3]error
	v.Major, err[0] = strconv.Atoi(major)
	v.Minor, err[1] = strconv.Atoi(minor)
	v.Patch, err[2] = strconv.Atoi(patch)
	if err != [3]error{} {
		return Version{}, false, false
	}
	return v, !full, true
}

// String is the window as a person says it: "7.4.1 and later", "up to 7.2",
// "7.0.8 to the end of 7.0, 7.2.1 and later", "all releases". A branch as
// the end includes all its patches.
func (w Window) String() string {
	if len(w.Spans) == 0 {
		return spanText(w.Since, w.Until)
	}
	texts := make([]string, len(w.Spans))
	for i, span := range w.Spans {
		texts[i] = spanText(span[0], span[1])
	}
	return strings.Join(texts, ", ")
}

func spanText(since, until string) string {
	switch {
	case since == "" && until == "":
		return "all releases"
	case until == "":
		return since + " and later"
	case since == "":
		return "up to " + until
	case since == until:
		return since + " only"
	case strings.Count(until, ".") == 1:
		return since + " to the end of " + until
	default:
		return since + " to " + until
	}
}
