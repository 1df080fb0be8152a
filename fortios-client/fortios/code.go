package fortios

// Meaning explains a FortiOS error number in a few words; empty for a number
// that is not known. The table comes from recorded answers and from what clients
// know: the device's own text is the better witness.
func Meaning(code int) string { return meanings[code] }

var meanings = map[int]string{
	-1: "the value has a wrong length", -2: "the index is out of range", -3: "the object, or one it refers to, does not exist",
	-4: "the table is full", -5: "an object with this key exists", -7: "conflicts with the system's settings",
	-8: "invalid IP address", -9: "invalid network mask", -10: "invalid gateway", -14: "the token's privileges do not suffice",
	-15: "duplicate entry", -16: "no such address", -17: "no such name", -18: "no such service", -19: "no such schedule",
	-20: "must not be blank", -23: "the object is in use", -30: "invalid password", -31: "the password does not match",
	-33: "invalid MAC address", -36: "invalid mapping of a virtual IP", -37: "permission denied", -39: "invalid file",
	-45: "invalid range", -48: "the end lies before the start", -49: "violates the password policy", -50: "wrong format",
	-54: "the subnet overlaps with another", -55: "duplicate default gateway", -56: "an empty value is not allowed",
	-61: "unexpected input", -72: "the value is too long", -73: "the end lies below the start", -92: "the port is taken by the system",
	-94: "in use by another object", -95: "in use by another object", -96: "in use by another object", -97: "in use by another object",
	-98: "in use by another object", -99: "in use by another object", -100: "duplicate user", -101: "duplicate server",
	-107: "in use by another object", -145: "invalid certificate", -146: "invalid CA certificate", -147: "in use by another object",
	-160: "the command failed", -162: "the name is used by an address group", -163: "the name is used by an address",
	-542: "invalid revocation list", -553: "the name is used by an interface, a VDOM or a zone", -560: "the name is reserved",
	-580: "the limit of VDOMs is reached", -650: "the value is out of range", -651: "invalid value, a reference that does not exist, or a name that is not unique",
	-653: "invalid regular expression", -901: "the backup failed", -902: "the restore failed",
	-8102:  "the administrator's password is required: a person must make this change on the device",
	-10000: "invalid action", -10001: "no request", -10002: "invalid request",
}

// refusalKind sorts the numbers on which callers act.
func refusalKind(code int) Kind {
	switch code {
	case -5, -15, -100, -101:
		return KindDuplicate
	case -23, -94, -95, -96, -97, -98, -99, -107, -147:
		return KindInUse
	case -14, -37:
		return KindForbidden
	default:
		return KindRefused
	}
}
