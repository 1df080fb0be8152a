module github.com/forti-mcp/forti/transport-cli

go 1.26.0
