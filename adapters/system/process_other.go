//go:build !linux && !darwin

package system

import "os"

func executable() (string, error) { return os.Executable() }

func terminal() string { return "" }
