//go:build !linux && !darwin

package system

import "time"

func sinceBoot() (time.Duration, bool) { return 0, false }

func bootID() string { return "" }
