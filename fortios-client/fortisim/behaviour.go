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
	// ReadOnlyEchoRefused refuses a read-only attribute even where it has the
	// value that it has already (?). Default false.
	ReadOnlyEchoRefused bool
	// EmptyRefused refuses "" for numbers, options and addresses; else it unsets
	// those that have a default (U both). Default false.
	EmptyRefused bool
	// RenameAccepted lets a PUT change a key, and what names the object with it;
	// else it is refused (?). Default false.
	RenameAccepted bool
	// IntegerKeyAsText gives integer keys in mkey as text; else as numbers (U
	// both). Default false.
	IntegerKeyAsText bool
	// ForbiddenHTML answers 403 with the web server's page; else with JSON (R
	// both). Default false.
	ForbiddenHTML bool
	// HiddenSingletonDenied answers 403 for a singleton that the profile cannot
	// read; else 200 with its attributes left out (R). Default false.
	HiddenSingletonDenied bool
	// WriteDeniedIs37 answers a write to what the profile can only read with 500
	// and error -37; else with 403 (R for neither with a profile). Default false.
	WriteDeniedIs37 bool
	// AdminListEmpty gives API administrators an empty list of system/admin (U).
	// Default false.
	AdminListEmpty bool
	// SessionReadOnly refuses the writes of session log-ins: reported since
	// 7.2.4 (U). Default false, so that older clients can be tried.
	SessionReadOnly bool
	// TokensNeedAdminPassword asks tokens too for X-Admin-Passwd from 7.6.5; for
	// sessions it is recorded (R), for tokens not (?). Default false.
	TokensNeedAdminPassword bool
	// KeyNamedAPIKey calls the new key of generate-key api_key; else access_token
	// (D both). Default false.
	KeyNamedAPIKey bool
	// LockedTableError is the number for a write to a table that another
	// transaction has touched (?). Default -37.
	LockedTableError int
	// InterfaceInAnyVDOM lets a VDOM that does not manage the device give its
	// interfaces to another; else error -3 without scope=global (U). Default
	// false.
	InterfaceInAnyVDOM bool
	// ManagementAnswerLost resets the connection after a change of admin port,
	// certificate, trusted hosts, interface address, allowaccess or routes has
	// taken effect, instead of answering (U). Default false.
	ManagementAnswerLost bool
	// VDOMSwitchOutage is how long nobody reaches the device after a switch of
	// the VDOM mode (D). Default 20 s; 0 is not at all.
	VDOMSwitchOutage time.Duration
	// RebootOutage is how long a restart takes (I). Default 0: it is up again at
	// once.
	RebootOutage time.Duration
	// MonitorPagesFirst makes monitor lists page before they filter, as the
	// vendor's text says of older endpoints without naming them (D). Default
	// false.
	MonitorPagesFirst bool
	// Numbers are error numbers that are answered instead of others, such as
	// {-37: -160}: the numbers of most refusals are of tables or reports (U, ?).
	// Default none.
	Numbers map[int]int
	// Statuses are HTTP statuses that refusals have instead of others, such as
	// {424: 400} or {403: 404}: those of an unencoded slash, of a VDOM that does
	// not exist and of missing parameters are reports (U). Default none.
	Statuses map[int]int
	// EarlierAttributesKept stores what stood before the first bad attribute of
	// a change; else nothing of it (U). Default false.
	EarlierAttributesKept bool
	// PurgeRepeats makes a purge delete also what becomes unused on the way; else
	// that stays (I). Default false.
	PurgeRepeats bool
	// EncryptedRefused refuses secrets that begin with "ENC "; else they are taken
	// for the secret (U). Default false.
	EncryptedRefused bool
	// BackupByGet allows a backup by GET in every release; else until 7.4 (U).
	// Default false.
	BackupByGet bool
	// PagesNotFound answers 404 to what is not the API; else 200 with a jump to
	// the log-in page (U). Default false.
	PagesNotFound bool
	// EncodedSlashMissed does not find a name that has "/", which 6.2.0 did not
	// (U). Default in 6.2.0.
	EncodedSlashMissed bool
	// GzipLabel says that bodies are compressed, which they are not, unless the
	// client asks for identity (U, 7.6.4). Default false.
	GzipLabel bool
	// NegativeSerial gives the certificate a negative serial number (C). It
	// counts when Listen is called. Default false.
	NegativeSerial bool
	// MaxParallel is how many requests are answered at once; what is more gets
	// its connection reset (U). Default 0: any number.
	MaxParallel int
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

		EncodedSlashMissed: v == catalog.Version{Major: 6, Minor: 2},
		LockedTableError:   -37,
		VDOMSwitchOutage:   20 * time.Second,
		OneHasCounts:       true,
	}
}

func atLeast(v catalog.Version, major, minor, patch int) bool {
	return v.Compare(catalog.Version{Major: major, Minor: minor, Patch: patch}) >= 0
}
