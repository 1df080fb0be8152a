package workflow

import (
	"strings"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

func TestTheDemonstrationTellsItsWholeStoryAndTouchesNoHome(t *testing.T) {
	t.Parallel()
	lab := harness.Empty(t)
	r := lab.Forti("demo", "--yes").Must(0)
	for _, part := range []string{"needs a human approval (guarded mode)", "to approve: ", "verified", "The configuration is as it was found", "Every step did what it says."} {
		if !strings.Contains(r.Stdout, part) {
			t.Errorf("the story does not tell %q:\n%s", part, r.Stdout)
		}
	}
	if lab.Exists(lab.Home) {
		t.Error("the person's own home was touched")
	}
}
