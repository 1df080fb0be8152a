package protocol

import (
	"maps"
	"slices"
)

func keys[V any](object map[string]V) []string { return slices.Sorted(maps.Keys(object)) }
