module github.com/forti-mcp/forti/fortios-client

go 1.26.0
