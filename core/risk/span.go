package risk

import (
	"cmp"
	"slices"
)

// span is a closed range of numbers: addresses, ports, protocols.
type span struct{ lo, hi uint64 }

// spans is a set of numbers, as ranges in no order; they may overlap.
type spans []span

// merged is the same set as disjoint ranges in order, neighbours joined.
func (s spans) merged() spans {
	sorted := slices.Clone(s)
	slices.SortFunc(sorted, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	out := sorted[:0]
	for _, next := range sorted {
		if n := len(out); n > 0 && (next.lo <= out[n-1].hi || next.lo == out[n-1].hi+1) {
			out[n-1].hi = max(out[n-1].hi, next.hi)
			continue
		}
		out = append(out, next)
	}
	return out
}

// within counts the set's numbers in a range.
func (s spans) within(lo, hi uint64) uint64 {
	var n uint64
	for _, x := range s.merged() {
		if from, to := max(x.lo, lo), min(x.hi, hi); from <= to {
			n += to - from + 1
		}
	}
	return n
}

// without is the complement within the range from 0 to hi.
func (s spans) without(hi uint64) spans {
	var out spans
	next := uint64(0)
	for _, x := range s.merged() {
		if x.lo > hi {
			continue
		}
		if x.lo > next {
			out = append(out, span{next, x.lo - 1})
		}
		if x.hi >= hi {
			return out
		}
		next = max(next, x.hi+1)
	}
	return append(out, span{next, hi})
}

// covers reports whether every number of t is in s.
func (s spans) covers(t spans) bool {
	have := s.merged()
	for _, x := range t.merged() {
		i, _ := slices.BinarySearchFunc(have, x, func(h, x span) int { return cmp.Compare(h.hi, x.lo) })
		if i == len(have) || have[i].lo > x.lo || have[i].hi < x.hi {
			return false
		}
	}
	return true
}

func (s spans) contains(n uint64) bool { return s.covers(spans{{n, n}}) }
