//go:build !linux && !darwin

package filestate

import "io/fs"

// supported is false: this system has no owners and modes to check.
const supported = false

func owner(fs.FileInfo) uint32 { return 0 }

func links(fs.FileInfo) uint64 { return 0 }

func userID() uint32 { return 0 }

func networkFilesystem(string) (string, bool, error) { return "", false, nil }
