package app

import (
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// guard keeps standard output for the protocol: it gives a copy that no child
// process inherits, and lets the standard output handle be that of standard error.
func guard() (*os.File, error) {
	self := windows.CurrentProcess()
	var private windows.Handle
	err := windows.DuplicateHandle(self, windows.Handle(os.Stdout.Fd()), self, &private, 0, false, windows.DUPLICATE_SAME_ACCESS)
	if err != nil {
		return nil, fmt.Errorf("copying the standard output handle: %w", err)
	}
	if err := windows.SetStdHandle(windows.STD_OUTPUT_HANDLE, windows.Handle(os.Stderr.Fd())); err != nil {
		return nil, fmt.Errorf("pointing standard output at standard error: %w", err)
	}
	os.Stdout = os.Stderr // Go took its own copy of the handle when it started
	return os.NewFile(uintptr(private), "protocol"), nil
}
