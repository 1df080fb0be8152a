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
