module github.com/forti-mcp/forti/adapters

go 1.26.0

require (
	github.com/forti-mcp/forti/core v0.0.0
	github.com/forti-mcp/forti/fortios-client v0.0.0
	github.com/google/go-cmp v0.7.0
	github.com/hiddeco/sshsig v0.2.0
	github.com/zalando/go-keyring v0.2.8
	go.uber.org/fx v1.24.0
	go.uber.org/zap v1.28.0
	golang.org/x/crypto v0.58.0
	golang.org/x/sys v0.49.0
	pgregory.net/rapid v1.3.0
)

require (
	github.com/danieljoos/wincred v1.2.3 // indirect
	github.com/gabriel-vasile/mimetype v1.4.16 // indirect
	github.com/go-playground/locales v0.14.2 // indirect
	github.com/go-playground/universal-translator v0.18.2 // indirect
	github.com/go-playground/validator/v10 v10.30.6 // indirect
	github.com/godbus/dbus/v5 v5.2.2 // indirect
	github.com/leodido/go-urn v1.5.0 // indirect
	go.uber.org/dig v1.19.0 // indirect
	go.uber.org/multierr v1.10.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace (
	github.com/forti-mcp/forti/core => ../core
	github.com/forti-mcp/forti/fortios-client => ../fortios-client
)
