package credential_test

import (
	"errors"
	"testing"

	"github.com/forti-mcp/forti/adapters/credential"
)

func TestWithoutASessionTheSystemsKeyringIsNotStarted(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	if _, err := (credential.System{}).Get("forti-test", "none"); !errors.Is(err, credential.ErrNoKeyring) {
		t.Errorf("got %v", err)
	}
}
