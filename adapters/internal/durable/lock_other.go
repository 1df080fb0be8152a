//go:build !linux && !darwin

package durable

import "errors"

// directoriesSync is false: Windows cannot sync a directory.
const directoriesSync = false

// TryLock fails: this system has no locks that durable could use.
func TryLock(File, LockMode) (bool, error) { return false, errors.ErrUnsupported }

// Unlock fails, as TryLock does.
func Unlock(File) error { return errors.ErrUnsupported }
