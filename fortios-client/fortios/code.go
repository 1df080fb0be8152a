package fortios

import "net/http"

// Meaning explains a FortiOS error number in a few words; empty for a number
// that is not known. The table comes from recorded answers and from what clients
// know: the device's own text is the better witness.
func Meaning(code int) string { return meanings[code] }

var meanings = map[int]string{
	-1:     "a value is too long or too short",
	-2:     "the row number is out of range",
	-3:     "the object, or one that it names, does not exist",
	-4:     "the table is full",
	-5:     "an object with this key exists already",
	-7:     "the change conflicts with system settings",
	-8:     "an IP address is not valid",
	-9:     "a network mask is not valid",
	-10:    "a gateway address is not valid",
	-14:    "the API user's admin profile lacks the permission",
	-15:    "the entry is a duplicate",
	-16:    "an address is not valid",
	-17:    "a name is not valid",
	-18:    "a service is not valid",
	-19:    "a schedule is not valid",
	-20:    "a value must not be blank",
	-23:    "the object is in use by another one",
	-30:    "a password is not valid",
	-31:    "a password does not match",
	-33:    "a MAC address is not valid",
	-36:    "the address mapping of a virtual IP is not valid",
	-37:    "permission denied: the API user's admin profile lacks it, or what was asked for cannot be changed",
	-39:    "a file could not be used",
	-45:    "a value is out of range",
	-48:    "an end lies before its start",
	-49:    "the password policy is not met",
	-50:    "a value has the wrong format",
	-54:    "subnets overlap",
	-55:    "the default gateway exists already",
	-56:    "a value that is needed is empty",
	-61:    "an input is not expected here",
	-72:    "a value is too long",
	-73:    "the end of a range lies below its start",
	-92:    "the port is taken by the system",
	-94:    "the object is in use",
	-95:    "the object is in use",
	-96:    "the object is in use",
	-97:    "the object is in use",
	-98:    "the object is in use",
	-99:    "the object is in use",
	-100:   "a user of this name exists already",
	-101:   "a server of this name exists already",
	-107:   "the object is in use",
	-145:   "a certificate is not valid",
	-146:   "a CA certificate is not valid",
	-147:   "the object is in use",
	-160:   "the device refused without a particular reason",
	-162:   "an object of this name exists in the matching group table",
	-163:   "a group of this name exists in the matching table",
	-542:   "a certificate revocation list is not valid",
	-553:   "the name is taken by an interface, VDOM or zone",
	-560:   "the word is reserved",
	-580:   "the limit of VDOMs is reached",
	-650:   "a value is out of range",
	-651:   "a value is not valid: it may name something that does not exist, or a name that is taken",
	-653:   "a regular expression is not valid",
	-901:   "the backup failed",
	-902:   "the restore failed",
	-8102:  "the device asks for the password of an administrator; a person must make this change on the device",
	-10000: "the action does not exist",
	-10001: "the request is empty",
	-10002: "the request is not valid",
}

// StatusMeaning explains what FortiOS means by an HTTP status, with the likely causes
// where there are several; empty for others.
func StatusMeaning(status int) string { return statuses[status] }

var statuses = map[int]string{
	http.StatusBadRequest:            "the device does not understand the path or the form of the request",
	http.StatusUnauthorized:          "the device refuses the token: it is wrong, expired or revoked, this address is none of the API user's trusted hosts, or the API user has to show a certificate; correct it before the next try, because failed logins lock this address out",
	http.StatusForbidden:             "the token may not do this: this address is none of the API user's trusted hosts, its admin profile lacks the permission, or the VDOM does not exist or is not one of the API user's",
	http.StatusNotFound:              "there is no such object, or no such table or endpoint in the device's release or model",
	http.StatusMethodNotAllowed:      "the device does not take this method here: a row needs its key, a singleton takes no new rows, or the release wants another method",
	http.StatusRequestEntityTooLarge: "the request is larger than the device takes; send less at once",
	http.StatusFailedDependency:      "the object exists already, a parameter is missing, a value is not valid, or a feature that is needed is not set up on the device",
	http.StatusTooManyRequests:       "the device has locked this address out after failed logins, which is not a rate limit: correct the token, then wait until the lock-out ends",
}

// refusalKind sorts the numbers on which callers act. -3 is none of them: it may be about
// another object than the one that was asked for, and so is no proof that this is absent.
func refusalKind(code int) Kind {
	switch code {
	case -5, -15, -55, -100, -101, -162, -163, -553:
		return KindDuplicate
	case -23, -92, -94, -95, -96, -97, -98, -99, -107, -147:
		return KindInUse
	case -14, -37, -8102:
		return KindForbidden
	default:
		return KindRefused
	}
}
