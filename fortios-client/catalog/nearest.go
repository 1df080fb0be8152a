package catalog

import (
	"cmp"
	"slices"
	"strings"
)

// nearestCount is how many paths Nearest offers at most.
const nearestCount = 3

// maxNearestPath bounds the work: a longer text is no path that was meant.
const maxNearestPath = 128

// Nearest is up to three paths that path may have been meant as, nearest
// first: by the number of letters to change, or by a last segment that is the
// same. It is for error messages, and empty where nothing is near.
func (c *Catalog) Nearest(path string) []string {
	if path == "" || len(path) > maxNearestPath {
		return nil
	}
	type candidate struct {
		path     string
		distance int
	}
	var near []candidate
	wanted, allowed := joined(path), 1+len(path)/4
	for e := range c.Entries("") {
		d := distance(wanted, joined(e.Path), allowed)
		if last := lastSegment(e.Path); last == path || last == lastSegment(path) {
			d = min(d, allowed)
		}
		if d <= allowed {
			near = append(near, candidate{e.Path, d})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var out []string
	for _, n := range near[:min(len(near), nearestCount)] {
		out = append(out, n.path)
	}
	return out
}

// joined makes the separators alike: firewall.address is firewall/address.
func joined(path string) string {
	return strings.Join(strings.Fields(plain(path)), "/")
}

func lastSegment(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// distance is the number of letters to add, drop, change or swap with the next
// to get from a to b; more than limit where it is more.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		if slices.Min(row) > limit {
			return limit + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
