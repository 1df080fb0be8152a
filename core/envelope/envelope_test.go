package envelope

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/forti-mcp/forti/core/fault"
)

func encoded(t *testing.T, e Envelope) string {
	t.Helper()
	data, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The one shape of every answer.
func TestTheShapeOfAnAnswer(t *testing.T) {
	start, returned := 0, 2
	tests := []struct {
		name string
		e    Envelope
		want string
	}{
		{"data", Success(map[string]any{"a": "b"}, nil), `{"ok":true,"data":{"a":"b"}}`},
		{"an empty list", Success([]any{}, nil), `{"ok":true,"data":[]}`},
		{"no HTML escapes", Success("<&>", nil), `{"ok":true,"data":"<&>"}`},
		{"meta", Success([]any{}, &Meta{Profile: "home", Start: &start, Returned: &returned, Redacted: []string{"/*/psk"}, Cut: []Cut{{"/m", 1, 2}}}),
			`{"ok":true,"data":[],"meta":{"profile":"home","start":0,"returned":2,"redacted":["/*/psk"],"cut":[{"pointer":"/m","kept":1,"total":2}]}}`},
		{"an error", Failed(fault.New(fault.NotFound, "none").With("nearest", []string{"x"})), `{"ok":false,"error":{"code":"not_found","message":"none","details":{"nearest":["x"]}}}`},
		{"an error without details", Of("x", &Meta{}, fault.New(fault.Conflict, "busy")), `{"ok":false,"error":{"code":"conflict","message":"busy"}}`},
		{"no error", Of("x", nil, nil), `{"ok":true,"data":"x"}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := encoded(t, test.e); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// The text of an error that is not ours may hold what must not leave the process.
func TestAStrangeErrorIsInternalAndSilent(t *testing.T) {
	got := encoded(t, Failed(errors.New("token abc123")))
	if strings.Contains(got, "abc123") || !strings.Contains(got, `"code":"internal"`) {
		t.Error(got)
	}
}

// Whoever put a device's words into an error: what its form gives away is masked.
func TestAnErrorShowsNoSecretThatItsFormGivesAway(t *testing.T) {
	const secret = "ENC Ab3d9Zk0/Ab3d9Zk0=="
	f := fault.New(fault.Usage, "x %s", secret).With("problems", []fault.Problem{{Pointer: "/set", Problem: "is " + secret}}).
		With("nearest", []string{"a", secret}).With("device_message", "said "+secret).With("n", 7).With("deep", map[string]any{"x": []any{secret}})
	got := encoded(t, Failed(f))
	want := `{"ok":false,"error":{"code":"usage","message":"x <redacted>","details":{"deep":{"x":["<redacted>"]},"device_message":"said <redacted>","n":7,` +
		`"nearest":["a","<redacted>"],"problems":[{"pointer":"/set","problem":"is <redacted>"}]}}}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if f.Details["device_message"] != "said "+secret {
		t.Error("the error itself was changed")
	}
}

func TestWhatCannotBeEncodedIsInternal(t *testing.T) {
	if _, err := Success(func() {}, nil).Encode(); fault.CodeOf(err) != fault.Internal {
		t.Error(err)
	}
	if _, err := Size(func() {}); fault.CodeOf(err) != fault.Internal {
		t.Error(err)
	}
	if _, err := Fit([]any{func() {}}, 100); fault.CodeOf(err) != fault.Internal {
		t.Error(err)
	}
	if _, _, _, err := Shrink(func() {}, 100); fault.CodeOf(err) != fault.Internal {
		t.Error(err)
	}
}

func TestSizeIsTheLengthOfTheEncoding(t *testing.T) {
	for _, v := range []any{nil, "", "<&>", "\u2028ü", []any{}, map[string]any{"a": []any{int64(1), "b"}}, 1 << 40} {
		n, err := Size(v)
		if want := encoded(t, Success(v, nil)); err != nil || v != nil && n != len(want)-len(`{"ok":true,"data":}`) {
			t.Errorf("%v: %d, %s, %v", v, n, want, err)
		}
	}
}

// As many of the first items as fit, the first one always.
func TestFitKeepsTheFirstItemsThatFit(t *testing.T) {
	item := strings.Repeat("x", 98) // 100 bytes as JSON, 101 with its comma
	items := []string{item, item, item}
	for budget, want := range map[int]int{0: 1, Overhead + 100: 1, Overhead + 201: 1, Overhead + 202: 2, Overhead + 302: 2, Overhead + 303: 3, 1 << 20: 3} {
		if n, err := Fit(items, budget); n != want || err != nil {
			t.Errorf("%d bytes: %d items, want %d, %v", budget, n, want, err)
		}
	}
	if n, err := Fit([]string{}, 0); n != 0 || err != nil {
		t.Error(n, err)
	}
}

func numbers(n int) []any {
	list := make([]any, n)
	for i := range list {
		list[i] = int64(1000 + i)
	}
	return list
}

func TestShrinkCutsTheLongestListsAndSaysSo(t *testing.T) {
	v := map[string]any{"name": "a", "long": numbers(1000), "short": numbers(3), "deep": map[string]any{"a/b": numbers(200)}}
	cut, cuts, fits, err := Shrink(v, 900)
	size, _ := Size(cut)
	if err != nil || !fits || size > 900 {
		t.Fatalf("%v %t %d", err, fits, size)
	}
	got := cut.(map[string]any)
	if len(got["short"].([]any)) != 3 || got["name"] != "a" || len(v["long"].([]any)) != 1000 {
		t.Errorf("a short list was cut, or the original: %v", got["short"])
	}
	want := []Cut{{"/deep/a~1b", len(got["deep"].(map[string]any)["a/b"].([]any)), 200}, {"/long", len(got["long"].([]any)), 1000}}
	if diff := cmp.Diff(want, cuts); diff != "" || cuts[0].Kept == 0 || cuts[1].Kept == 0 {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestWhatHasNoListsDoesNotShrink(t *testing.T) {
	if _, _, fits, err := Shrink(map[string]any{"text": strings.Repeat("x", 100)}, 50); fits || err != nil {
		t.Error(fits, err)
	}
	if v, cuts, fits, err := Shrink(numbers(4), 1<<20); len(v.([]any)) != 4 || cuts != nil || !fits || err != nil {
		t.Error(v, cuts, fits, err)
	}
	if v, cuts, fits, _ := Shrink(numbers(400), 50); !fits || len(v.([]any)) == 0 || cuts[0].Pointer != "" || cuts[0].Total != 400 {
		t.Error(v, cuts, fits)
	}
}

// The only row of a list is not lost for a long list in it.
func TestShrinkCutsListsWithinTheOnlyItemOfAList(t *testing.T) {
	v := map[string]any{"rows": []any{map[string]any{"id": int64(1), "deep": []any{map[string]any{"member": numbers(500)}}}}, "name": "a"}
	cut, cuts, fits, err := Shrink(v, 600)
	size, _ := Size(cut)
	if err != nil || !fits || size > 600 {
		t.Fatalf("%v %t %d", err, fits, size)
	}
	row := cut.(map[string]any)["rows"].([]any)[0].(map[string]any)
	left := len(row["deep"].([]any)[0].(map[string]any)["member"].([]any))
	if diff := cmp.Diff([]Cut{{"/rows/0/deep/0/member", left, 500}}, cuts); diff != "" || left < 10 || row["id"] != int64(1) {
		t.Error(diff, left, row["id"])
	}
	rows := []any{v["rows"].([]any)[0], v["rows"].([]any)[0], v["rows"].([]any)[0]}
	cut, cuts, fits, _ = Shrink(map[string]any{"rows": rows}, 1200)
	if !fits || len(cut.(map[string]any)["rows"].([]any)) != 1 || len(cuts) != 2 || cuts[0] != (Cut{"/rows", 1, 3}) {
		t.Errorf("%v %+v", fits, cuts)
	}
	if _, cuts, fits, _ = Shrink(map[string]any{"a": []any{strings.Repeat("x", 100)}}, 50); !fits || cuts[0] != (Cut{"/a", 0, 1}) {
		t.Errorf("%v %+v", fits, cuts)
	}
}

func TestShrinkReachesAnyDepth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawLists(t, 4)
		limit := rapid.IntRange(40, 400).Draw(t, "limit")
		cut, cuts, fits, err := Shrink(v, limit)
		if err != nil {
			t.Fatal(err)
		}
		size, _ := Size(cut)
		if whole, _ := Size(v); fits && size > limit || !fits && whole <= limit {
			t.Fatalf("%d of %d bytes, the limit is %d", size, whole, limit)
		}
		if !fits {
			return
		}
		for _, c := range cuts {
			is, was := at(cut, c.Pointer), at(v, c.Pointer)
			if len(is) != c.Kept || len(was) != c.Total || c.Kept >= c.Total {
				t.Fatalf("%+v, and there are %d of %d", c, len(is), len(was))
			}
		}
	})
}

// drawLists is a value of numbers in lists and objects within each other.
func drawLists(t *rapid.T, depth int) any {
	if depth == 0 {
		return int64(rapid.IntRange(0, 99_999).Draw(t, "n"))
	}
	list := []any{}
	for range rapid.IntRange(0, 4).Draw(t, "items") {
		list = append(list, drawLists(t, depth-1))
	}
	if rapid.Bool().Draw(t, "object") {
		return map[string]any{"l": list, "a/b": drawLists(t, depth-1)}
	}
	return list
}

// at is the list at a pointer.
func at(v any, pointer string) []any {
	for _, token := range strings.Split(pointer, "/")[1:] {
		switch x := v.(type) {
		case []any:
			n, _ := strconv.Atoi(token)
			v = x[n]
		case map[string]any:
			v = x[strings.ReplaceAll(token, "~1", "/")]
		}
	}
	list, _ := v.([]any)
	return list
}

// Whatever is shrunk: it fits or is said not to; every list is the beginning of what it
// was; and the cuts name exactly the shorter ones.
func TestWhatIsShrunkIsABeginning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := map[string]any{}
		for i := range rapid.IntRange(0, 5).Draw(t, "lists") {
			v[fmt.Sprint("l", i)] = numbers(rapid.IntRange(0, 60).Draw(t, "n"))
		}
		v["text"] = strings.Repeat("x", rapid.IntRange(0, 60).Draw(t, "text"))
		limit := rapid.IntRange(0, 600).Draw(t, "limit")
		before, _ := json.Marshal(v)
		cut, cuts, fits, err := Shrink(v, limit)
		if err != nil {
			t.Fatal(err)
		}
		if after, _ := json.Marshal(v); string(after) != string(before) {
			t.Fatal("the original changed")
		}
		if !fits {
			return
		}
		if size, _ := Size(cut); size > limit {
			t.Fatalf("%d bytes, the limit is %d", size, limit)
		}
		told := map[string]Cut{}
		for _, c := range cuts {
			told[strings.TrimPrefix(c.Pointer, "/")] = c
		}
		for name, item := range v {
			was, isList := item.([]any)
			if !isList {
				continue
			}
			is := cut.(map[string]any)[name].([]any)
			c, named := told[name]
			if cmp.Diff(was[:len(is)], is) != "" || named != (len(is) < len(was)) || named && (c.Kept != len(is) || c.Total != len(was)) {
				t.Fatalf("%s: %d of %d, told %+v", name, len(is), len(was), c)
			}
		}
	})
}
