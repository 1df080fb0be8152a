//go:build unix && !linux

package app

import "golang.org/x/sys/unix"

// redirect makes the descriptor to lead where from does.
func redirect(from, to int) error { return unix.Dup2(from, to) }
