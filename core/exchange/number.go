package exchange

import (
	"github.com/forti-mcp/forti/core/fault"
)

// Explain says in a few words what one of FortiOS's error numbers means, or ""
// for a number that is not known. The texts end a sentence such as "the device
// refused: …" and hold nothing a device sent.
func Explain(number int) string { return numbers[number].text }

// Code is the fault code for an exchange of a class that did not end verified:
// the device's error number decides, then the HTTP status.
func (x Exchange) Code(class Class) fault.Code {
	switch class {
	case NotSent:
		return fault.DeviceUnreachable
	case TLSFailed:
		return fault.TLS
	case LockedOut:
		return fault.Auth
	case NotAPI:
		return fault.NotFortiOS
	case Accepted:
		return fault.VerifyFailed
	case AuthRefused:
		if x.Status == statusUnauthorized {
			return fault.Auth
		}
		return fault.PermissionDenied
	case Refused, RefusedDoubtful:
		return x.refusal()
	case Redirect:
		return fault.DeviceError
	case Ambiguous, WrongDevice:
	}
	return fault.OutcomeUnknown
}

func (x Exchange) refusal() fault.Code {
	if m, known := numbers[x.ErrorNumber]; known && m.code != "" {
		return m.code
	}
	if x.Status == statusNotFound {
		return fault.NotFound
	}
	return fault.DeviceError
}

// meaning is what a number says; an empty code stands for device_error.
type meaning struct {
	text string
	code fault.Code
}

// numbers is data: FortiOS's error numbers as far as clients and traces show them.
var numbers = map[int]meaning{
	-1:     {text: "a value is too long or too short"},
	-2:     {text: "the row number is out of range"},
	-3:     {text: "the object, or one that it names, does not exist", code: fault.NotFound},
	-4:     {text: "the table is full"},
	-5:     {text: "an object with this key exists already", code: fault.Conflict},
	-7:     {text: "the change conflicts with system settings"},
	-8:     {text: "an IP address is not valid"},
	-9:     {text: "a network mask is not valid"},
	-10:    {text: "a gateway address is not valid"},
	-14:    {text: "the API user's admin profile lacks the permission", code: fault.PermissionDenied},
	-15:    {text: "the entry is a duplicate", code: fault.Conflict},
	-16:    {text: "an address is not valid"},
	-17:    {text: "a name is not valid"},
	-18:    {text: "a service is not valid"},
	-19:    {text: "a schedule is not valid"},
	-20:    {text: "a value must not be blank"},
	-23:    {text: "the object is in use by another one", code: fault.Conflict},
	-30:    {text: "a password is not valid"},
	-31:    {text: "a password does not match"},
	-33:    {text: "a MAC address is not valid"},
	-36:    {text: "the address mapping of a virtual IP is not valid"},
	-37:    {text: "permission denied: the API user's admin profile lacks it, or what was asked for cannot be changed", code: fault.PermissionDenied},
	-39:    {text: "a file could not be used"},
	-45:    {text: "a value is out of range"},
	-48:    {text: "an end lies before its start"},
	-49:    {text: "the password policy is not met"},
	-50:    {text: "a value has the wrong format"},
	-54:    {text: "subnets overlap"},
	-55:    {text: "the default gateway exists already", code: fault.Conflict},
	-56:    {text: "a value that is needed is empty"},
	-61:    {text: "an input is not expected here"},
	-72:    {text: "a value is too long"},
	-73:    {text: "the end of a range lies below its start"},
	-92:    {text: "the port is taken by the system", code: fault.Conflict},
	-94:    {text: "the object is in use", code: fault.Conflict},
	-95:    {text: "the object is in use", code: fault.Conflict},
	-96:    {text: "the object is in use", code: fault.Conflict},
	-97:    {text: "the object is in use", code: fault.Conflict},
	-98:    {text: "the object is in use", code: fault.Conflict},
	-99:    {text: "the object is in use", code: fault.Conflict},
	-100:   {text: "a user of this name exists already", code: fault.Conflict},
	-101:   {text: "a server of this name exists already", code: fault.Conflict},
	-107:   {text: "the object is in use", code: fault.Conflict},
	-145:   {text: "a certificate is not valid"},
	-146:   {text: "a CA certificate is not valid"},
	-147:   {text: "the object is in use", code: fault.Conflict},
	-160:   {text: "the device refused without a particular reason"},
	-162:   {text: "an object of this name exists in the matching group table", code: fault.Conflict},
	-163:   {text: "a group of this name exists in the matching table", code: fault.Conflict},
	-542:   {text: "a certificate revocation list is not valid"},
	-553:   {text: "the name is taken by an interface, VDOM or zone", code: fault.Conflict},
	-560:   {text: "the word is reserved"},
	-580:   {text: "the limit of VDOMs is reached"},
	-650:   {text: "a value is out of range"},
	-651:   {text: "a value is not valid: it may name something that does not exist, or a name that is taken"},
	-653:   {text: "a regular expression is not valid"},
	-901:   {text: "the backup failed"},
	-902:   {text: "the restore failed"},
	-8102:  {text: "the device asks for the password of an administrator; a person must make this change on the device", code: fault.PermissionDenied},
	-10000: {text: "the action does not exist"},
	-10001: {text: "the request is empty"},
	-10002: {text: "the request is not valid"},
}
