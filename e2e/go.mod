module github.com/forti-mcp/forti/e2e

go 1.26.0

replace (
	github.com/forti-mcp/forti/adapters => ../adapters
	github.com/forti-mcp/forti/core => ../core
	github.com/forti-mcp/forti/fortios-client => ../fortios-client
	github.com/forti-mcp/forti/transport-cli => ../transport-cli
	github.com/forti-mcp/forti/transport-stdio => ../transport-stdio
)

require (
	github.com/creack/pty v1.1.24
	github.com/forti-mcp/forti/adapters v0.0.0
	github.com/forti-mcp/forti/core v0.0.0
	github.com/forti-mcp/forti/fortios-client v0.0.0
	github.com/forti-mcp/forti/transport-stdio v0.0.0-00010101000000-000000000000
	github.com/google/go-cmp v0.7.0
	github.com/hiddeco/sshsig v0.2.0
	github.com/mark3labs/mcp-go v1.2.1
	github.com/modelcontextprotocol/go-sdk v1.8.0
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	go.uber.org/fx v1.24.0
	golang.org/x/crypto v0.58.0
)

require (
	github.com/danieljoos/wincred v1.2.3 // indirect
	github.com/gabriel-vasile/mimetype v1.4.16 // indirect
	github.com/go-playground/locales v0.14.2 // indirect
	github.com/go-playground/universal-translator v0.18.2 // indirect
	github.com/go-playground/validator/v10 v10.30.6 // indirect
	github.com/godbus/dbus/v5 v5.2.2 // indirect
	github.com/google/jsonschema-go v0.4.3 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/leodido/go-urn v1.5.0 // indirect
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/spf13/cast v1.7.1 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	github.com/zalando/go-keyring v0.2.8 // indirect
	go.uber.org/dig v1.19.0 // indirect
	go.uber.org/multierr v1.10.0 // indirect
	go.uber.org/zap v1.28.0 // indirect
	golang.org/x/oauth2 v0.35.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	golang.org/x/time v0.15.0 // indirect
)
