package fault

import (
	"slices"
	"strconv"
	"strings"
)

// Problem is one failure of a request, with the JSON pointer of its place.
type Problem struct {
	Pointer string `json:"pointer"`
	Problem string `json:"problem"`
}

// String is the pointer and the problem, as "/operations/0/op: must be …".
func (p Problem) String() string {
	if p.Pointer == "" {
		return p.Problem
	}
	return p.Pointer + ": " + p.Problem
}

// Problems collects the failures of one request so that all are reported
// together. The zero value is ready.
type Problems []Problem

// Add appends a failure.
func (ps *Problems) Add(pointer, problem string) {
	*ps = append(*ps, Problem{Pointer: pointer, Problem: problem})
}

// Err is nil when there are no problems, else one usage error with all of them.
func (ps Problems) Err() error {
	if len(ps) == 0 {
		return nil
	}
	texts := make([]string, 0, len(ps))
	for _, p := range ps {
		texts = append(texts, p.String())
	}
	return New(Usage, "%s", strings.Join(texts, "; ")).With("problems", []Problem(ps))
}

// Sort puts problems into the order in which their places stand in a request: numbers by
// their size. Those of one place keep their order.
func (ps Problems) Sort() {
	slices.SortStableFunc(ps, func(a, b Problem) int { return comparePointers(a.Pointer, b.Pointer) })
}

func comparePointers(a, b string) int {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	return slices.CompareFunc(as, bs, func(x, y string) int {
		n, errN := strconv.Atoi(x)
		m, errM := strconv.Atoi(y)
		if errN == nil && errM == nil {
			return n - m
		}
		return strings.Compare(x, y)
	})
}

// Within reports whether a place is another one or a part of it.
func Within(pointer, place string) bool {
	return pointer == place || strings.HasPrefix(pointer, place+"/")
}

// Pointer builds a JSON pointer (RFC 6901) from tokens: strings and ints.
func Pointer(tokens ...any) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteByte('/')
		switch v := t.(type) {
		case int:
			b.WriteString(strconv.Itoa(v))
		case string:
			b.WriteString(escapeToken(v))
		}
	}
	return b.String()
}

// Unescape gives the name that a token of a pointer stands for.
func Unescape(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}

func escapeToken(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
}
