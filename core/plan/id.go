package plan

import (
	"encoding/hex"
	"regexp"
	"sync"
	"time"

	"github.com/forti-mcp/forti/core/fault"
)

// ID names a plan: YYYYMMDD-HHMMSS-xxxxxx, its UTC time and 24 random bits. It is
// a name, not a capability. The zero ID is no plan.
type ID struct{ text string }

// RandomBytes is how many random bytes an ID takes.
const RandomBytes = 3

var idForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]{8}-[0-9]{6}-[0-9a-f]{6}$`) })

// NewID makes the id of a plan created at a time.
func NewID(at time.Time, random [RandomBytes]byte) ID {
	return ID{at.UTC().Format("20060102-150405-") + hex.EncodeToString(random[:])}
}

// ParseID reads an id. It comes from callers and is used in file names, so
// nothing but the exact form is taken.
func ParseID(text string) (ID, error) {
	if !idForm().MatchString(text) {
		return ID{}, fault.New(fault.Usage, "plan_id: must look like 20261015-104512-a1b2c3").
			With("problems", []fault.Problem{{Pointer: "/plan_id", Problem: "must look like 20261015-104512-a1b2c3"}})
	}
	return ID{text}, nil
}

// Time is when the plan was made, to the second; zero for the zero ID.
func (id ID) Time() time.Time {
	if id.IsZero() {
		return time.Time{}
	}
	at, err := time.Parse("20060102-150405", id.text[:15])
	if err != nil {
		return time.Time{} // the form admits days that no calendar has
	}
	return at
}

// IsZero reports whether there is no id.
func (id ID) IsZero() bool { return id.text == "" }

// String is the written form.
func (id ID) String() string { return id.text }

// MarshalText writes the id.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.text), nil }

// UnmarshalText reads an id; empty text is the zero ID.
func (id *ID) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*id = ID{}
		return nil
	}
	v, err := ParseID(string(text))
	if err != nil {
		return err
	}
	*id = v
	return nil
}
