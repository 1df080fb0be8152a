// Package porttest holds what every implementation of a port must do, as suites
// that its own tests run.
//
// A suite takes a harness: functions that make a fresh fixture, and the list of
// what the fixture cannot offer. Each subtest gets a fixture of its own. An
// ability that is missing is declared in the harness's Without and its subtests
// are skipped by name; one that is neither offered nor declared fails, so that
// nothing is left out by accident.
//
//	func TestPlans(t *testing.T) {
//		porttest.RunPlans(t, porttest.State[port.Plans]{New: func(t *testing.T) func() port.Plans {
//			dir := t.TempDir()
//			return func() port.Plans { return mystate.Open(dir).Plans() }
//		}})
//	}
//
// A suite says what the ports' comments say, and nothing that only one
// implementation does. A fault found in one adapter becomes a subtest here.
package porttest
