package system

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// executable leads to the running program even where its file was replaced.
func executable() (string, error) { return "/proc/self/exe", nil }

// terminal names the controlling terminal, which redirections do not change.
func terminal() string {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return ""
	}
	return terminalName(stat)
}

// Positions and numbers of proc(5) and of the kernel's list of devices.
const (
	ttyField   = 4 // of the fields behind the program's name
	majorTTY   = 4
	majorPTS   = 136
	pseudoLast = 143
)

// terminalName finds tty_nr in the contents of /proc/self/stat. The program's
// name comes before it, in brackets, and may hold anything.
func terminalName(stat []byte) string {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= ttyField {
		return ""
	}
	number, err := strconv.ParseInt(string(fields[ttyField]), 10, 32)
	if err != nil || number == 0 {
		return ""
	}
	device := uint32(number) //nolint:gosec // the kernel prints the bits as a signed number
	major, minor := device>>8&0xfff, device&0xff|device>>12&0xfff00
	switch {
	case major >= majorPTS && major <= pseudoLast:
		return fmt.Sprintf("/dev/pts/%d", (major-majorPTS)<<20+minor)
	case major == majorTTY && minor < 64:
		return fmt.Sprintf("/dev/tty%d", minor)
	case major == majorTTY:
		return fmt.Sprintf("/dev/ttyS%d", minor-64)
	}
	return fmt.Sprintf("device %d:%d", major, minor)
}
