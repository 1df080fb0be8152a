package fortisim_test

import (
	"testing"

	"github.com/forti-mcp/forti/fortios-client/catalog"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

func TestTheBranchSeedIsTrueOnEveryRelease(t *testing.T) {
	for _, text := range []string{"6.2.3", "6.4.4", "7.0.12", "7.2.8", "7.4.1", "7.4.8", "7.6.4", "7.6.6", "8.0.1"} {
		t.Run(text, func(t *testing.T) {
			v, err := catalog.ParseVersion(text)
			if err != nil {
				t.Fatal(err)
			}
			d, err := fortisim.New(&fortisim.Options{Version: v})
			if err != nil {
				t.Fatal(err)
			}
			if got := len(d.Rows("root", "firewall/policy")); got != 6 {
				t.Errorf("%d policies, want 6", got)
			}
		})
	}
}
