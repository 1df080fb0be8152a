//go:build !linux

package credential

// session is true: the keyring is part of the system.
func session() bool { return true }
