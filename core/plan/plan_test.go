package plan

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/forti-mcp/forti/core/fault"
)

func TestAnIDIsItsTimeInUTCAndThreeBytes(t *testing.T) {
	at := time.Date(2026, 10, 15, 12, 45, 12, 999, time.FixedZone("", 2*60*60))
	id := NewID(at, [RandomBytes]byte{0xa1, 0xb2, 0xc3})
	if got, want := id.String(), "20261015-104512-a1b2c3"; got != want {
		t.Errorf("id %s, want %s", got, want)
	}
	if id.IsZero() || !(ID{}).IsZero() {
		t.Error("the zero id is not told from others")
	}
}

func TestNothingElseIsAnID(t *testing.T) {
	bad := []string{
		"", "20270203-040506-d4e5f", "20270203-040506-d4e5f6d", "20270203-040506-D4E5F6", "20270203-040506-d4e5fg", "2027020-040506-d4e5f6",
		"20270203_040506_d4e5f6", " 20270203-040506-d4e5f6", "20270203-040506-d4e5f6\n", "20270203-040506-d4e5f6/..", "../20270203-040506-d4e5f6",
		"20270203-040506-d4e5f6\x00", "２0270203-040506-d4e5f6",
	}
	for _, text := range bad {
		id, err := ParseID(text)
		if fault.CodeOf(err) != fault.Usage || !id.IsZero() {
			t.Errorf("%q: %v, %v", text, id, err)
		}
		if strings.Contains(err.Error(), text) && text != "" {
			t.Errorf("%q: the error repeats what the caller sent", text)
		}
		if quoted, _ := json.Marshal(text); text != "" && json.Unmarshal(quoted, &id) == nil {
			t.Errorf("%q: read from JSON as %v", text, id)
		}
	}
}

func TestAnIDIsReadAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seconds := rapid.Int64Range(0, 253402300799).Draw(t, "seconds") // until the year 9999
		raw := rapid.SliceOfN(rapid.Byte(), RandomBytes, RandomBytes).Draw(t, "random")
		id := NewID(time.Unix(seconds, 0), [RandomBytes]byte(raw))
		if back, err := ParseID(id.String()); err != nil || back != id {
			t.Fatalf("%s is read as %v, %v", id, back, err)
		}
		data, err := json.Marshal(struct {
			ID ID `json:"id"`
		}{id})
		var back struct {
			ID ID `json:"id"`
		}
		if err != nil || json.Unmarshal(data, &back) != nil || back.ID != id {
			t.Fatalf("%s is read as %v", data, back.ID)
		}
	})
}

func TestNoIDIsWrittenAsNone(t *testing.T) {
	id := NewID(time.Unix(0, 0), [RandomBytes]byte{1})
	if err := id.UnmarshalText(nil); err != nil || !id.IsZero() {
		t.Errorf("empty text: %v, %v", id, err)
	}
}

func TestTiersAreOrdered(t *testing.T) {
	ascending := []Tier{Low, Medium, High, Critical}
	if !slices.Equal(Tiers(), ascending) {
		t.Errorf("tiers %v", Tiers())
	}
	for i, a := range ascending {
		for j, b := range ascending {
			want := ascending[max(i, j)]
			if got := a.Max(b); got != want {
				t.Errorf("the higher of %s and %s is %s", a, b, got)
			}
		}
	}
	Tiers()[0] = Critical
	if Low.Rank() != 0 {
		t.Error("a caller can change the order of the tiers")
	}
}

func TestAnUnknownTierIsCritical(t *testing.T) {
	for _, tier := range []Tier{"", "none", "LOW"} {
		if tier.Rank() != Critical.Rank() {
			t.Errorf("%q ranks %d", tier, tier.Rank())
		}
		if got := High.Max(tier); got.Rank() != Critical.Rank() {
			t.Errorf("the higher of high and %q is %q", tier, got)
		}
		if p := (&Plan{Risk: Risk{Tier: tier}}); !p.IsCritical() {
			t.Errorf("a plan of tier %q needs no backup", tier)
		}
	}
	if (&Plan{Risk: Risk{Tier: High}}).IsCritical() {
		t.Error("high is critical")
	}
}

func TestAPlanLivesSevenDays(t *testing.T) {
	created := time.Date(2026, 10, 15, 10, 45, 12, 0, time.UTC)
	tests := []struct {
		name    string
		now     time.Time
		expired bool
	}{
		{"new", created, false},
		{"one nanosecond before", created.Add(Lifetime - 1), false},
		{"exactly", created.Add(7 * 24 * time.Hour), true},
		{"long after", created.AddDate(1000, 0, 0), true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := (&Plan{CreatedAt: created}).Expired(test.now); got != test.expired {
				t.Errorf("Expired = %t", got)
			}
		})
	}
	if !(&Plan{}).Expired(created) {
		t.Error("a plan without a time of creation lives")
	}
}

func TestSecretsOfAllOperationsAreCounted(t *testing.T) {
	p := &Plan{Operations: []Operation{{Secrets: []SecretRef{{Ref: "s0"}, {Ref: "s1"}}}, {}, {Secrets: []SecretRef{{Ref: "s2"}}}}}
	if got := p.SecretCount(); got != 3 {
		t.Errorf("%d secrets, want 3", got)
	}
}
