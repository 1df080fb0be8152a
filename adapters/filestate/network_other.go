//go:build !linux && !darwin

package filestate

func networkFilesystem(string) (string, bool, error) { return "", false, nil }
