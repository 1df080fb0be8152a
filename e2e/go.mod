module github.com/forti-mcp/forti/e2e

go 1.26.0
