package risk

import "strings"

// matches tests a path against a pattern: "*" stands for any text without a
// slash, {a,b} for one of its alternatives; groups do not nest.
func matches(pattern, path string) bool {
	for pattern != "" {
		switch pattern[0] {
		case '{':
			end := strings.IndexByte(pattern, '}')
			if end < 0 {
				return false
			}
			for option := range strings.SplitSeq(pattern[1:end], ",") {
				if matches(option+pattern[end+1:], path) {
					return true
				}
			}
			return false
		case '*':
			for i := 0; ; i++ {
				if matches(pattern[1:], path[i:]) {
					return true
				}
				if i == len(path) || path[i] == '/' {
					return false
				}
			}
		default:
			if path == "" || path[0] != pattern[0] {
				return false
			}
			pattern, path = pattern[1:], path[1:]
		}
	}
	return path == ""
}

// watches reports whether one of the patterns matches; no pattern matches all.
func watches(patterns []string, path string) bool {
	if len(patterns) == 0 {
		return true
	}
	for _, p := range patterns {
		if matches(p, path) {
			return true
		}
	}
	return false
}

// call is an action's path without the device's name for "no action".
func call(path string) string { return strings.TrimSuffix(path, "/select") }
