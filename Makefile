# make = what a change must pass: generate, tidy, lint, test.
MODULES := core fortios-client adapters transport-stdio transport-cli e2e
GOLANGCI := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

.PHONY: all generate tidy lint test race mutate demo

all: generate tidy lint test

generate:
	@for m in $(MODULES); do (cd $$m && go generate ./...) || exit 1; done

tidy:
	@for m in $(MODULES); do (cd $$m && GOWORK=off go mod tidy) || exit 1; done

lint:
	@gofmt -l $(MODULES)
	@for m in $(MODULES); do (cd $$m && go vet ./... && $(GOLANGCI) run ./...) || exit 1; done

# The cache of test results does not see what the tests of e2e build and read.
test:
	go clean -testcache
	go test work

race:
	go test -race ./core/engine/... ./core/fake/... ./adapters/... ./fortios-client/... ./transport-stdio/...

# Faults in the rules of risk, one at a time, that no test notices. Takes minutes.
mutate:
	go run ./e2e/cmd/mutate core/risk

demo:
	go run ./transport-cli/cmd/forti demo
