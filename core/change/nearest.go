package change

// Nearest is the name that differs least from what was given, or "" where none
// is close: at most a third of the letters, and at least one, may differ.
func Nearest(given string, names []string) string {
	best, distance := "", max(1, len(given)/3)+1
	for _, name := range names {
		if d := edits(given, name); d < distance {
			best, distance = name, d
		}
	}
	return best
}

// edits counts the letters, in bytes, that must be added, dropped, replaced or swapped
// with their neighbour to make one text the other.
func edits(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j+1]+1, next[j]+1, row[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
