package fortisim

import (
	"time"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// Behaviour switches what no recording or document settles. Each field says
// its letter (see the package comment) and its default.
type Behaviour struct {
	// CLIErrorList gives cli_error as a list of lines instead of one text.
	// Both are recorded (R); the list from 7.6.5, which is the default.
	CLIErrorList bool
	// EmptyAction adds action "" to configuration answers. Recorded with 7.6.5
	// and 8.0.1 (R); default from 7.6.5.
	EmptyAction bool
	// NextIndexIsSize makes next_idx the size of the table instead of the last
	// index looked at. Both recorded (R); default from 8.0.
	NextIndexIsSize bool
	// Lockout answers 429 to an address after failed log-ins, even with a good
	// token, for as long as system/global says (R, D). Default true.
	Lockout bool
	// TrustedHosts enforces the trusted hosts of system/api-user (D). Default true.
	TrustedHosts bool
	// StrictPaging refuses start and count beyond the rows, as the vendor's
	// text says (D); other clients see them cut (C). Default false.
	StrictPaging bool
	// FoldEqual makes the filters == and != ignore case: so says the 7.6.6
	// description, the tutorial says the contrary (D both). Default false.
	FoldEqual bool
	// StarIsLiteral makes the operators =* and !* compare whole values without
	// case, as one client's guide says (C); else "*" is a wildcard in them, as
	// another one uses it (?). Default false.
	StarIsLiteral bool
	// PlainTextIgnored makes plain-text-password=1 show no secret; else it shows
	// those of IPsec, RADIUS and TACACS+ (U, C). Default false.
	PlainTextIgnored bool
	// UnknownParameterRefused refuses a query parameter that the release does
	// not document; else it is ignored (?). Default false.
	UnknownParameterRefused bool
	// IgnoreUnknown drops attributes the release does not have and answers
	// success, as was reported for some (U); else error -61. Default false (?).
	IgnoreUnknown bool
	// IgnoreReadOnly drops read-only attributes; else "Can not edit" (U).
	// Default false.
	IgnoreReadOnly bool
	// RangeError is the number for an integer out of range: -651 in traces (U);
	// -45 and -650 are in tables of numbers. Default -651.
	RangeError int
	// DuplicateAccepted answers a POST on an existing key with 200 and
	// revision_changed false, changing nothing (?); else error -5. Default false.
	DuplicateAccepted bool
	// CreateSavedDespite500 saves an object whose creation is then refused for
	// a reference that does not exist, without the bad value (U). Default false.
	CreateSavedDespite500 bool
	// OneHasCounts gives the answer for one object the counts of a listing from
	// 7.0 on (I; 6.2.3 has none, R). Default true.
	OneHasCounts bool
	// InapplicableEmpty lists attributes that do not apply to an address's type
	// with empty values, as 6.2.0 did (U); else they are absent (R).
	// Default before 6.2.3.
	InapplicableEmpty bool
	// DefaultsAbsent leaves out attributes that have their default (U).
	// Default false.
	DefaultsAbsent bool
	// OptionSetsAsWritten keeps the order in which a set of options was
	// written; else the device's own (I). Default false.
	OptionSetsAsWritten bool
	// ClassnetKeepsHost keeps host bits of the type ipv4-classnet; else they
	// are cleared (I). Default false.
	ClassnetKeepsHost bool
	// DeleteSettles refuses with error -23 to delete an object within this
	// time after one of its users was deleted (U). Default 0: never.
	DeleteSettles time.Duration
	// NoopChangesRevision gives a write that changes nothing a new revision;
	// else revision_changed is false (C). Default false.
	NoopChangesRevision bool
}

// DefaultBehaviour is what is most likely for a release; for the zero Version,
// of the release that Options start with.
func DefaultBehaviour(v catalog.Version) Behaviour {
	if v.IsZero() {
		v = defaultVersion()
	}
	return Behaviour{
		CLIErrorList:      atLeast(v, 7, 6, 5),
		EmptyAction:       atLeast(v, 7, 6, 5),
		NextIndexIsSize:   atLeast(v, 8, 0, 0),
		InapplicableEmpty: !atLeast(v, 6, 2, 3),
		Lockout:           true,
		TrustedHosts:      true,
		RangeError:        -651,
		OneHasCounts:      true,
	}
}

func atLeast(v catalog.Version, major, minor, patch int) bool {
	return v.Compare(catalog.Version{Major: major, Minor: minor, Patch: patch}) >= 0
}
