package credential

import (
	"fmt"
	"os"
	"path/filepath"
)

// session reports whether a desktop session's message bus is there. Without one
// the keyring's library would start a bus of its own, a program that stays behind
// and knows no keyring.
func session() bool {
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return true
	}
	dir := os.Getenv("XDG_RUNTIME_DIR")
	if dir == "" {
		dir = fmt.Sprintf("/run/user/%d", os.Getuid())
	}
	_, err := os.Stat(filepath.Join(dir, "bus")) //nolint:gosec // the user's own environment names the user's own folder
	return err == nil
}
