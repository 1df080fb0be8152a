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

// edits is the Levenshtein distance of two texts, in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
