package crash

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

// TestADiskThatIsFullFromAnyWriteOnLeavesTheTruth lets every write of an apply, and
// all after it, fail half done for want of room. What the program tells then, and what
// it tells once there is room again, is what happened.
func TestADiskThatIsFullFromAnyWriteOnLeavesTheTruth(t *testing.T) {
	t.Parallel()
	mortal := harness.Mortal(t)
	l := newTemplate(t)
	const least = 15
	for n := 1; ; n++ {
		lab := l.again(t)
		where := fmt.Sprintf("full from write %d on", n)
		lab.Env = []string{"FORTI_FAILPOINT_FULL=" + strconv.Itoa(n)}
		cmd := lab.Command("forti", "apply", l.id, "-o", "json")
		cmd.Path, cmd.Args[0] = mortal, mortal
		out, err := cmd.Output()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		lab.Env = nil
		var told harness.Envelope
		must(t, json.Unmarshal(out, &told))
		var x harness.Execution
		if told.OK {
			told.Into(t, &x)
			if x.AuditError == "" {
				if n <= least {
					t.Errorf("only %d writes", n)
				}
				return // no write failed: there are no more
			}
		} else {
			x = told.Error.Execution(t)
		}
		if len(x.Operations) > 0 {
			l.judgeStatuses(t, harness.Plan{State: x.Status, Execution: &x}, l.effects(t), where+", told at once")
		}
		l.judge(t, lab, where)
	}
}
