module github.com/forti-mcp/forti/adapters

go 1.26.0

require github.com/forti-mcp/forti/core v0.0.0

require (
	github.com/forti-mcp/forti/fortios-client v0.0.0
	github.com/google/go-cmp v0.7.0
)

replace (
	github.com/forti-mcp/forti/core => ../core
	github.com/forti-mcp/forti/fortios-client => ../fortios-client
)
