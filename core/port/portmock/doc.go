// Package portmock holds generated mocks of the ports whose order of calls
// matters: what is journalled before it is sent, and what is on record before it
// is approved. Everything else is tested with package fake.
//
// The generator reads the compiled interfaces, because its parser of source does
// not know generic types, and [port.AuditLog] returns one.
package portmock

import "github.com/forti-mcp/forti/core/port"

//go:generate go run github.com/golang/mock/mockgen@v1.6.0 -package portmock -write_package_comment=false -destination state.go github.com/forti-mcp/forti/core/port Approvals,Journals,Journal,Backups,Locks
//go:generate go run github.com/golang/mock/mockgen@v1.6.0 -package portmock -write_package_comment=false -destination auditlog.go github.com/forti-mcp/forti/core/port AuditLog
//go:generate go run github.com/golang/mock/mockgen@v1.6.0 -package portmock -write_package_comment=false -destination device.go github.com/forti-mcp/forti/core/port DeviceWriter

var (
	_ port.Approvals    = (*MockApprovals)(nil)
	_ port.Journals     = (*MockJournals)(nil)
	_ port.Journal      = (*MockJournal)(nil)
	_ port.Backups      = (*MockBackups)(nil)
	_ port.Locks        = (*MockLocks)(nil)
	_ port.AuditLog     = (*MockAuditLog)(nil)
	_ port.DeviceWriter = (*MockDeviceWriter)(nil)
)
