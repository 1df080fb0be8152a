package catalog

import "testing"

func TestTooNewIsCertainOnlyWhereReleasesAreKnown(t *testing.T) {
	r := Open().Releases()
	if len(r.All) != 42 || len(r.Dumped) != 18 {
		t.Fatalf("%d releases seen, %d dumped", len(r.All), len(r.Dumped))
	}
	for text, want := range map[string]bool{
		"7.2.8": true, "7.2.3": true, // between two that were seen
		"7.2.9": false, "7.0.13": false, "7.4.5": false, // newer than the newest of an old branch
		"7.6.6": true, "7.6.7": false, "8.0.0": false,
	} {
		if got := r.Certain(version(t, text)); got != want {
			t.Errorf("Certain(%s) = %v", text, got)
		}
	}
}

func TestAbsenceIsProvedByASeenReleaseOfTheBranch(t *testing.T) {
	r := Open().Releases()
	for _, test := range []struct {
		name   string
		window Window
		at     string
		want   bool
	}{
		{"not absent at all", Window{Since: "7.2.0"}, "7.2.8", false},
		{"a seen release", Window{Since: "7.4.0"}, "7.2.8", true},
		{"a later patch was seen without it", Window{Since: "7.4.0"}, "7.2.5", true},
		{"newer than what was seen of its branch", Window{Since: "7.6.0"}, "7.4.8", false},
		{"just before the first release seen with it", Window{Since: "7.2.8"}, "7.2.6", false},
		{"seen in between", Window{Since: "7.2.8"}, "7.2.3", true},
		{"gone, and seen to be", Window{Until: "7.0"}, "7.2.3", true},
		{"gone in the middle of a branch, not seen since", Window{Until: "7.2.2"}, "7.2.3", false},
		{"gone in the middle of a branch, seen since", Window{Until: "7.2.2"}, "7.2.5", true},
		{"a gap", Window{Spans: [][2]string{{"7.0.8", "7.0"}, {"7.2.1", ""}}}, "7.2.0", true},
		{"a branch of which nothing was seen", Window{Until: "7.6"}, "8.0.0", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := r.CertainlyAbsent(test.window, version(t, test.at)); got != test.want {
				t.Errorf("CertainlyAbsent(%s, %s) = %v", test.window, test.at, got)
			}
		})
	}
}
