package syntax

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAFileIsReadAsNestedBlocks(t *testing.T) {
	got, err := Parse([]byte(`#config-version=FGVMK6-7.4.8
# a comment

config system global
    set hostname "fw \"one\""
    unset alias
end
config firewall policy
    edit 1
        set srcintf "lan" 'dmz net'
        set comments "first line
second line \\ end"
        config nested
            edit "a b"
            next
        end
    next
    edit 2
    next
end
config vdom
edit root
config system settings
set x 1
end
end
`))
	if err != nil {
		t.Fatal(err)
	}
	want := Body{Blocks: []Block{
		{Line: 4, Name: "system global", Body: Body{Sets: []Set{
			{Line: 5, Name: "hostname", Values: []string{`fw "one"`}}, {Line: 6, Name: "alias", Unset: true},
		}}},
		{Line: 8, Name: "firewall policy", Body: Body{Entries: []Entry{
			{Line: 9, Key: "1", Body: Body{
				Sets: []Set{
					{Line: 10, Name: "srcintf", Values: []string{"lan", "dmz net"}},
					{Line: 11, Name: "comments", Values: []string{"first line\nsecond line \\ end"}},
				},
				Blocks: []Block{{Line: 13, Name: "nested", Body: Body{Entries: []Entry{{Line: 14, Key: "a b"}}}}},
			}},
			{Line: 18, Key: "2"},
		}}},
		{Line: 21, Name: "vdom", Body: Body{Entries: []Entry{{Line: 22, Key: "root", Body: Body{
			Blocks: []Block{{Line: 23, Name: "system settings", Body: Body{Sets: []Set{{Line: 24, Name: "x", Values: []string{"1"}}}}}},
		}}}}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestWhatCannotBeReadIsNamedByItsLine(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"open quote", "config a b\nset x \"1\n\n", "line 2: a quoted text does not end"},
		{"no end", "config a b\nset x 1\n", "line 1: config has no end"},
		{"no next", "config a b\nedit 1\nset x 1\n", "line 2: edit has no next"},
		{"end of nothing", "end\n", `line 1: "end" closes nothing`},
		{"next of nothing", "config a b\nnext\nend", "line 1: config has no end"},
		{"unknown command", "config a b\nshow full configuration now\nend", `line 2: "show full configuration" is not expected`},
		{"edit in an entry", "config a b\nedit 1\nedit 2\n", `line 3: "edit 2" is not expected`},
		{"too deep", strings.Repeat("config a\n", 20), "line 17: config nests deeper than 16"},
		{"config without a name", "config\nend", `line 1: "config" is not expected`},
		{"line numbers count inside of quotes", "config a b\nset x \"1\n2\n3\"\nnonsense\nend", `line 5: "nonsense"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Parse([]byte(c.file)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
	if _, err := Parse(bytes.Repeat([]byte("#"), MaxBytes+1)); err == nil {
		t.Error("a file of any size is read")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("config a b\nedit \"x\"\nset y 'z' \\\" \nnext\nend\n"))
	f.Fuzz(func(_ *testing.T, raw []byte) {
		_, _ = Parse(raw) // any outcome but a panic or a hang
	})
}
