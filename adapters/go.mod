module github.com/forti-mcp/forti/adapters

go 1.26.0

require github.com/forti-mcp/forti/core v0.0.0

require (
	github.com/forti-mcp/forti/fortios-client v0.0.0
	github.com/google/go-cmp v0.7.0
)

require (
	github.com/danieljoos/wincred v1.2.3 // indirect
	github.com/godbus/dbus/v5 v5.2.2 // indirect
	github.com/zalando/go-keyring v0.2.8
	golang.org/x/sys v0.49.0 // indirect
)

replace (
	github.com/forti-mcp/forti/core => ../core
	github.com/forti-mcp/forti/fortios-client => ../fortios-client
)
