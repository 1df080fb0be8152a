//go:build !linux && !darwin

package config

import "io/fs"

func homeVariables() []string { return []string{"USERPROFILE", "HOME"} }

// others cannot tell here: this system has no owners and modes to look at.
func others(fs.FileInfo) string { return "" }
