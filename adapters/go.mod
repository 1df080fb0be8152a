module github.com/forti-mcp/forti/adapters

go 1.26.0
