package exchange

// The statuses that the table knows. They stand here and not in net/http, which
// the core does not import.
const (
	statusOK               = 200
	statusBadRequest       = 400
	statusUnauthorized     = 401
	statusForbidden        = 403
	statusNotFound         = 404
	statusMethodNotAllowed = 405
	statusTooLarge         = 413
	statusFailedDependency = 424
	statusTooManyRequests  = 429
	statusInternalError    = 500
)

// ExplainStatus says what FortiOS means by an HTTP status, with the likely causes where
// there are several, or "" for others.
func ExplainStatus(status int) string { return statuses[status] }

var statuses = map[int]string{
	statusBadRequest:       "the device does not understand the path or the form of the request",
	statusUnauthorized:     "the device refuses the token: it is wrong, expired or revoked, this address is none of the API user's trusted hosts, or the API user has to show a certificate; correct it before the next try, because failed logins lock this address out",
	statusForbidden:        "the token may not do this: this address is none of the API user's trusted hosts, its admin profile lacks the permission, or the VDOM does not exist or is not one of the API user's",
	statusNotFound:         "there is no such object, or no such table or endpoint in the device's release or model",
	statusMethodNotAllowed: "the device does not take this method here: a row needs its key, a singleton takes no new rows, or the release wants another method",
	statusTooLarge:         "the request is larger than the device takes; send less at once",
	statusFailedDependency: "the object exists already, a parameter is missing, a value is not valid, or a feature that is needed is not set up on the device",
	statusTooManyRequests:  "the device has locked this address out after failed logins, which is not a rate limit: correct the token, then wait until the lock-out ends",
}
