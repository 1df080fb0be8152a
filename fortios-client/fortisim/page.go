package fortisim

import (
	"slices"
	"strconv"
)

// window is the part of a table that an answer shows.
type window struct {
	rows    []*entry
	size    int  // rows of the table
	matched int  // rows after the filter
	last    int  // index of the last row looked at
	limited bool // unfiltered_count ended the search
}

// pick filters, sorts and pages, in this order (D). Without a filter and an
// order it costs no more than the page.
func (d *Device) pick(q *query, s *shape, rows rowSource, sifted sieve) (window, *Refusal) {
	w := window{size: rows.size(), matched: rows.size(), last: rows.size() - 1}
	orders := d.sortOrders(q, s)
	if !sifted.empty() || len(orders) > 0 {
		w.rows = d.sift(q, s, rows, sifted, &w)
		w.matched = len(w.rows)
		d.sortRows(s, w.rows, orders)
		rows = rowList(w.rows)
	}
	from, to, no := d.page(q, rows.size())
	if no != nil {
		return w, no
	}
	if sifted.empty() {
		w.last = max(to-1, 0)
	}
	w.rows = make([]*entry, 0, to-from)
	for i := from; i < to; i++ {
		w.rows = append(w.rows, rows.at(i))
	}
	return w, nil
}

// sift are the rows that pass. unfiltered_count is how many rows are looked at
// at most (D; what exactly it counts, I).
func (d *Device) sift(q *query, s *shape, rows rowSource, sifted sieve, w *window) []*entry {
	limit := atoi(q.values.Get("unfiltered_count"))
	var out []*entry
	seen := 0
	for e := range each(rows) {
		if limit > 0 && seen == limit {
			w.limited, w.last = true, seen-1
			break
		}
		seen++
		if d.passes(s, e, sifted) {
			out = append(out, e)
		}
	}
	return out
}

// page are the first place and the one after the last. skip_to counts like
// start (D).
func (d *Device) page(q *query, total int) (from, to int, no *Refusal) {
	from, count := max(atoi(q.values.Get("start")), atoi(q.values.Get("skip_to"))), atoi(q.values.Get("count"))
	if from <= 0 && count <= 0 {
		return 0, total, nil // everything (D)
	}
	if d.behaviour().StrictPaging {
		if from >= max(total, 1) || count > total {
			return 0, 0, refused(-2, "invalid index\n") // D
		}
		if count > total-max(from, 0) {
			return 0, total, nil // everything, says the same text (D)
		}
	}
	from = min(max(from, 0), total)
	to = total
	if count > 0 {
		to = from + min(count, total-from)
	}
	return from, to, nil
}

func atoi(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}

// sortRows sorts by the first order, equal rows by the next, and so on.
func (d *Device) sortRows(s *shape, rows []*entry, orders []order) {
	if len(orders) == 0 {
		return
	}
	slices.SortStableFunc(rows, func(a, b *entry) int {
		for _, o := range orders {
			c := compareValues(d.firstValue(s, a, o.key), d.firstValue(s, b, o.key))
			if o.down {
				c = -c
			}
			if c != 0 {
				return c
			}
		}
		return 0
	})
}

func (d *Device) firstValue(s *shape, e *entry, key []string) string {
	if values := d.valuesAt(s, e, key); len(values) > 0 {
		return values[0]
	}
	return ""
}
