//go:build !linux && !darwin

package config

func homeVariables() []string { return []string{"USERPROFILE", "HOME"} }
