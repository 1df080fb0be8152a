package hazard

import (
	"os"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }

const update = `[{"op":"update","resource":"firewall/address","key":"srv-web","set":{"comment":"seen"}}]`

// write is the one change that the plan sends.
var write = fortisim.Match{Method: "PUT", Path: "cmdb/firewall/address/srv-web"}
