package envelope

// Overhead is set aside for everything in an answer that is not data: the
// envelope's own members and meta.
const Overhead = 1200

// Size is the length of a value as [JSON].
func Size(v any) (int, error) {
	data, err := JSON(v)
	return len(data), err
}

// Fit says how many of the first items fit into a budget of bytes. The first one
// always counts: whether it fits by itself is for the caller to see.
func Fit[T any](items []T, budget int) (int, error) {
	used := Overhead
	for i, item := range items {
		n, err := Size(item)
		if err != nil {
			return 0, err
		}
		used += n + 1
		if used > budget && i > 0 {
			return i, nil
		}
	}
	return len(items), nil
}
