module github.com/forti-mcp/forti/transport-stdio

go 1.26.0
