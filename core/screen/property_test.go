package screen

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/wire"
	"pgregory.net/rapid"
)

// hostileText is what a device or a client might choose as a name or value.
func hostileText(t *rapid.T, label string) string {
	return rapid.OneOf(
		rapid.String(),
		rapid.SampledFrom([]string{
			"\x1b[2J\x1b[H", "\x1b]8;;http://x\x1b\\y\x1b]8;;\x1b\\", "\x1b]52;c;AAAA\x07", "\r  1 + fake", "\nRISK: LOW\n", "\u202egnp", "a\u200b",
			"\U000e0041\U000e0042", strings.Repeat(" ", 500) + "x", "a\u0301\u0301\u0301\u0301", "\u009b2J", "\xff\xfe", "DIGEST sha256:00", "",
			"Type the code  AAAAAA  to approve: ", "東京東京東京東京東京東京東京東京東京東京東京東京", strings.Repeat("x", 300), `"`, "\u2028\u0085",
		}),
	).Draw(t, label)
}

func drawValue(t *rapid.T, depth int) any {
	switch n := rapid.IntRange(0, 7).Draw(t, "kind"); {
	case n == 0:
		return int64(rapid.IntRange(-5, 99).Draw(t, "integer"))
	case n == 1:
		return object{plan.SecretKey: hostileText(t, "secret")}
	case n == 2:
		return nil
	case n == 3 && depth > 0:
		return drawObject(t, depth-1)
	case n <= 5 && depth > 0:
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "rows") {
			list = append(list, drawValue(t, depth-1))
		}
		return list
	}
	return hostileText(t, "text")
}

func drawObject(t *rapid.T, depth int) object {
	o := object{}
	for range rapid.IntRange(0, 3).Draw(t, "attributes") {
		o[hostileText(t, "attribute")] = drawValue(t, depth)
	}
	return o
}

func drawKey(t *rapid.T) operation.Key {
	if rapid.Bool().Draw(t, "integer key") {
		return operation.IntegerKey(rapid.Int64Range(0, 99).Draw(t, "key"))
	}
	return operation.TextKey(hostileText(t, "key"))
}

func drawOperation(t *rapid.T, i int) plan.Operation {
	op := plan.Operation{
		Index: i, Resource: hostileText(t, "resource"), VDOM: hostileText(t, "vdom"), Key: drawKey(t),
		Op:     rapid.SampledFrom([]plan.Op{plan.OpCreate, plan.OpUpdate, plan.OpDelete, plan.OpAction, plan.OpMove, "other"}).Draw(t, "op"),
		Wire:   wire.Request{Method: hostileText(t, "method"), Path: hostileText(t, "path"), Body: drawObject(t, 2)},
		Before: drawObject(t, 2), Expect: drawObject(t, 2), Tier: plan.Tier(hostileText(t, "tier")),
		Secrets: []plan.SecretRef{{Ref: "s0", Pointer: hostileText(t, "pointer"), Name: hostileText(t, "secret name")}},
	}
	op.Wire.Query = []wire.Pair{{Name: hostileText(t, "query"), Value: hostileText(t, "value")}}
	if rapid.Bool().Draw(t, "order") {
		op.Order = &plan.Order{Before: []operation.Key{drawKey(t), op.Key, drawKey(t)}, After: []operation.Key{op.Key, drawKey(t)}}
	}
	return op
}

func drawSheet(t *rapid.T) Sheet {
	p := &plan.Plan{Kind: plan.Kind(hostileText(t, "plan kind")), CreatedAt: time.Unix(1_700_000_000, 0)}
	d := &p.Device
	for _, field := range []*string{&d.Profile, &d.Host, &d.VDOM, &d.Serial, &d.Version, &d.Model, &d.Trust,
		&p.Management.Local, &p.Management.Interface, &p.Management.APIUser, &p.Management.Save} {
		*field = hostileText(t, "field")
	}
	p.Risk.Tier = plan.Tier(hostileText(t, "tier"))
	for i := range rapid.IntRange(0, 3).Draw(t, "operations") {
		p.Operations = append(p.Operations, drawOperation(t, i))
		p.Risk.Reasons = append(p.Risk.Reasons, plan.Reason{Rule: hostileText(t, "rule"), Tier: plan.High, Operation: i - 1, Text: hostileText(t, "reason")})
	}
	p.Irreversible = []string{hostileText(t, "irreversible")}
	return Sheet{
		Plan: p, Digest: canon.Sum(nil), Mode: profile.Mode(hostileText(t, "mode")), Now: time.Unix(1_700_000_100, 0),
		Reason: hostileText(t, "claim"), Backup: Backup(hostileText(t, "backup")), Recent: []string{hostileText(t, "recent")},
		Unresolved: []string{hostileText(t, "unresolved")}, Wide: rapid.Bool().Draw(t, "wide"),
	}
}

// behindGutter is a line of data: a number or a mark of ours first.
var behindGutter = regexp.MustCompile(`^(  [@!#?*~]   |( {0,2}[0-9]{1,3}|[0-9]{4,}) [-+=>!x? ] )`)

// ownLines are all lines that may begin in the first column.
var ownLines = regexp.MustCompile(`^(` + strings.Join([]string{
	``, `PLAN [-0-9a-f]*(, which undoes plan [-0-9a-f]*)?`, `Made [-0-9: UTC]+; can be applied until [-0-9: UTC]+\.`, `RISK: (LOW|MEDIUM|HIGH|CRITICAL)`,
	`Lesser findings, shown with their operations: \d+\.`, `THIS PLAN CAN LOCK THIS PROGRAM OUT OF THE DEVICE\.`, `WHAT [A-Z ]+`,
	`OPERATIONS: \d+, in this order`, `Backup: [A-Za-z ;,.]+`, `The device may not keep the changes:`, `Nothing reverts by itself: commit-confirm is not armed\.`,
	`Applied to this device in the last 24 hours: \d+\.`, `Plans with an unknown outcome: \d+\.`, `Other plans waiting: \d+\.`, `NOTE`,
	`DIGEST sha256:[0-9a-f]{64}`, `short: [0-9a-f ]{14}`, `An approval is for exactly this digest and holds for 24 hours\.`,
	`Approvals(, each signed)?: \d+ of \d+\.`, `To refuse: press Ctrl-C\. To withdraw the plan for good: forti plan revoke [-0-9a-f]*`,
	`THE REQUESTER CLAIMS \(this was not checked\)`,
}, `|`) + `)$`)

func badRune(r rune) bool {
	return r != '\n' && (r < 0x20 || r >= 0x7f && r < 0xa0 || !unicode.IsPrint(r))
}

func TestNoTextOfOthersCanDrawALine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSheet(t)
		page := Render(s, 2000)
		for line := range strings.Lines(page.Text) {
			line = strings.TrimSuffix(line, "\n")
			if !behindGutter.MatchString(line) && !ownLines.MatchString(line) {
				t.Fatalf("a line that is neither ours nor behind the gutter: %q", line)
			}
		}
		if page.Operations != len(s.Plan.Operations) {
			t.Fatalf("%d operations shown, %d planned", page.Operations, len(s.Plan.Operations))
		}
	})
}

func TestEveryWidthHoldsAndOnlyPrintableTextComesOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSheet(t)
		width := rapid.IntRange(0, 120).Draw(t, "width")
		page := Render(s, width)
		if !utf8.ValidString(page.Text) || strings.ContainsFunc(page.Text, badRune) {
			t.Fatalf("unprintable text: %q", page.Text)
		}
		if width == 0 {
			width = DefaultWidth
		}
		var own []string
		for line := range strings.Lines(page.Text) {
			line = strings.TrimSuffix(line, "\n")
			if w := redact.Width(line); w > max(width, MinWidth) {
				t.Fatalf("a line of %d columns on a screen of %d: %q", w, width, line)
			}
			if !strings.HasPrefix(line, " ") && !regexp.MustCompile(`^[0-9]{3,} `).MatchString(line) {
				own = append(own, line)
			}
		}
		// What begins in the first column is the same words at every width.
		if got, want := squeeze(strings.Join(own, "")), squeeze(ownText(Render(s, 2000).Text)); got != want {
			t.Fatalf("our own words differ between widths:\n%s\n%s", got, want)
		}
	})
}

func ownText(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !behindGutter.MatchString(line) {
			b.WriteString(line)
		}
	}
	return b.String()
}

func squeeze(s string) string { return strings.NewReplacer(" ", "", "\n", "").Replace(s) }

func TestNothingOfARequestIsLeftOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-z]{1,12}( [0-9]{1,5})?`)
		o := object{}
		for i := range rapid.IntRange(1, 6).Draw(t, "attributes") {
			o[fmt.Sprintf("attribute%d", i)] = rapid.OneOf(
				rapid.Map(word, func(s string) any { return s }),
				rapid.Map(word, func(s string) any { return []any{object{"name": s, "value": s + "x"}} }),
				rapid.Map(word, func(s string) any { return object{"inner": s} }),
			).Draw(t, "value")
		}
		kind := rapid.SampledFrom([]plan.Op{plan.OpCreate, plan.OpUpdate, plan.OpAction, plan.OpDelete}).Draw(t, "op")
		op := plan.Operation{Op: kind, Resource: "a/b", Key: operation.TextKey("k"), Wire: wire.Request{Method: "POST", Path: "/p", Body: o}}
		if kind == plan.OpDelete {
			op.Wire.Body, op.Before = nil, o
		}
		text := Render(Sheet{Plan: &plan.Plan{Operations: []plan.Operation{op}}}, 2000).Text
		var need func(v any)
		need = func(v any) {
			switch x := v.(type) {
			case string:
				if !strings.Contains(text, `"`+x+`"`) {
					t.Fatalf("%q is not on the screen:\n%s", x, text)
				}
			case []any:
				for _, e := range x {
					need(e)
				}
			case object:
				for k, e := range x {
					if !strings.Contains(text, k) {
						t.Fatalf("%q is not on the screen:\n%s", k, text)
					}
					need(e)
				}
			}
		}
		need(o)
	})
}
