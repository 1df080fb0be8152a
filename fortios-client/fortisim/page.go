package fortisim

import "strconv"

// window is the part of a table that an answer shows.
type window struct {
	rows    []*entry
	size    int // rows of the table
	matched int // rows after the filter
	last    int // index of the last row looked at
}

// pick filters and pages. Without a filter it costs no more than the page.
func (d *Device) pick(q *query, s *shape, rows []*entry, filters []filter) (window, *Refusal) {
	w := window{size: len(rows), matched: len(rows), rows: rows, last: len(rows) - 1}
	if len(filters) > 0 {
		w.rows = nil
		for _, e := range rows {
			if d.matches(s, e, filters) {
				w.rows = append(w.rows, e)
			}
		}
		w.matched = len(w.rows)
	}
	start, count := atoi(q.values.Get("start")), atoi(q.values.Get("count"))
	if start <= 0 && count <= 0 {
		return w, nil // everything (D)
	}
	total := len(w.rows)
	if d.behaviour().StrictPaging && (start >= max(total, 1) || count > total) {
		return w, refused(-2, "invalid index\n")
	}
	start = min(max(start, 0), total)
	end := total
	if count > 0 {
		end = min(start+count, total)
	}
	w.rows = w.rows[start:end]
	if len(filters) == 0 {
		w.last = max(end-1, 0)
	}
	return w, nil
}

func atoi(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}
