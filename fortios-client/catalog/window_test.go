package catalog

import "testing"

// version is ParseVersion for literals of tests.
func version(t *testing.T, text string) Version {
	t.Helper()
	v, err := ParseVersion(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestWindowSaysWhichReleasesHaveSomething(t *testing.T) {
	backported := Window{Since: "7.0.8", Spans: [][2]string{{"7.0.8", "7.0"}, {"7.2.1", ""}}}
	closed := Window{Since: "6.2.3", Until: "7.0.2", Spans: [][2]string{{"6.2.3", "6.2.5"}, {"7.0.0", "7.0.2"}}}
	for _, test := range []struct {
		name   string
		window Window
		at     string
		want   Absence
	}{
		{"an open window has every release", Window{}, "6.0.0", Present},
		{"since is inclusive", Window{Since: "7.4.1"}, "7.4.1", Present},
		{"before since is too new", Window{Since: "7.4.1"}, "7.4.0", TooNew},
		{"patches count as numbers", Window{Since: "7.0.8"}, "7.0.12", Present},
		{"branches count as numbers", Window{Since: "7.4.0"}, "7.10.0", Present},
		{"until a release is inclusive", Window{Until: "7.0.2"}, "7.0.2", Present},
		{"after until a release is gone", Window{Until: "7.0.2"}, "7.0.3", Gone},
		{"until a branch covers all its patches", Window{Until: "7.2"}, "7.2.11", Present},
		{"after the branch is gone", Window{Until: "7.2"}, "7.4.0", Gone},
		{"both ends, inside", Window{Since: "6.2.0", Until: "6.4"}, "6.4.15", Present},
		{"both ends, before", Window{Since: "6.2.0", Until: "6.4"}, "6.0.9", TooNew},
		{"both ends, after", Window{Since: "6.2.0", Until: "6.4"}, "7.0.0", Gone},
		{"spans replace the hull: before", backported, "7.0.7", TooNew},
		{"spans replace the hull: first span to the end of its branch", backported, "7.0.17", Present},
		{"spans replace the hull: the gap", backported, "7.2.0", InGap},
		{"spans replace the hull: second span is open", backported, "7.6.6", Present},
		{"closed spans: before", closed, "6.0.0", TooNew},
		{"closed spans: gap", closed, "6.4.0", InGap},
		{"closed spans: after", closed, "7.0.3", Gone},
		{"no particular release has everything", Window{Since: "7.4.1", Until: "7.2"}, "0.0.0", Present},
		{"a bound that is no release is open", Window{Since: "soon", Until: "7.x"}, "7.0.0", Present},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := version(t, test.at)
			if got := test.window.Absence(v); got != test.want {
				t.Errorf("Absence(%s) = %q, want %q", v, got, test.want)
			}
			if got := test.window.Covers(v); got != (test.want == Present) {
				t.Errorf("Covers(%s) = %v", v, got)
			}
		})
	}
}

func TestWindowReadsLikeASentence(t *testing.T) {
	for want, window := range map[string]Window{
		"all releases":            {},
		"7.4.1 and later":         {Since: "7.4.1"},
		"up to 7.2":               {Until: "7.2"},
		"6.2.0 to 7.0.2":          {Since: "6.2.0", Until: "7.0.2"},
		"6.2.0 to the end of 7.0": {Since: "6.2.0", Until: "7.0"},
		"7.2.0 only":              {Since: "7.2.0", Until: "7.2.0"},
		"7.0.8 to the end of 7.0, 7.2.1 and later":   {Since: "7.0.8", Spans: [][2]string{{"7.0.8", "7.0"}, {"7.2.1", ""}}},
		"up to 6.4, 7.0.2 to 7.0.6, 7.2.1 and later": {Spans: [][2]string{{"", "6.4"}, {"7.0.2", "7.0.6"}, {"7.2.1", ""}}},
	} {
		if got := window.String(); got != want {
			t.Errorf("%+v reads %q, want %q", window, got, want)
		}
	}
}

func TestCoversAllocatesNothing(t *testing.T) {
	w := Window{Spans: [][2]string{{"7.0.8", "7.0"}, {"7.2.1", ""}}}
	v := Version{7, 6, 6}
	if n := testing.AllocsPerRun(100, func() { w.Covers(v) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestVersionIsReadAndOrdered(t *testing.T) {
	for text, want := range map[string]Version{"7.4.8": {7, 4, 8}, "v7.4.8": {7, 4, 8}, "7.4": {7, 4, 0}, "7.0.12": {7, 0, 12}} {
		if got := version(t, text); got != want {
			t.Errorf("ParseVersion(%q) = %v", text, got)
		}
	}
	for _, text := range []string{"", "7", "7.", "7.4.8.1", "7.4.-1", "7.4.x", "7.4.8 build1", "7.4.1000"} {
		if v, err := ParseVersion(text); err == nil {
			t.Errorf("ParseVersion(%q) = %v, want an error", text, v)
		}
	}
	if a, b := (Version{7, 0, 12}), (Version{7, 2, 0}); a.Compare(b) != -1 || b.Compare(a) != 1 || a.Compare(a) != 0 {
		t.Error("7.0.12 must come before 7.2.0")
	}
}
