//go:build !failpoint

package durable

// point is where a crash test kills the process; nothing without its build tag.
func point() {}

func pointed(f File) File { return f }
