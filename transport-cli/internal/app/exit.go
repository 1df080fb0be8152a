package app

import "github.com/forti-mcp/forti/core/fault"

// status is the exit status of a failure: the one place where codes become
// numbers.
func status(code fault.Code) int {
	switch code {
	case "":
		return 0
	case fault.Internal:
		return 1
	case fault.Usage, fault.ResultTooLarge:
		return 2
	case fault.Config:
		return 3
	case fault.Auth, fault.PermissionDenied:
		return 4
	case fault.PolicyDenied:
		return 5
	case fault.ApprovalRequired:
		return 6
	case fault.NotFound:
		return 7
	case fault.Conflict:
		return 8
	case fault.StalePlan, fault.TamperedPlan:
		return 9
	case fault.DeviceUnreachable, fault.TLS, fault.NotFortiOS:
		return 10
	case fault.DeviceError:
		return 11
	case fault.PartialFailure, fault.VerifyFailed:
		return 12
	case fault.OutcomeUnknown, fault.ManagementConnectivityLost:
		return 13
	}
	return 1
}
