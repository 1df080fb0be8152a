package adversary

import (
	"os"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }
