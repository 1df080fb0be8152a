//go:build race

package fortisim_test

// raced says that the race detector is on, which makes everything slower.
const raced = true
