# Belfry. `make` alone lists the targets; each does its own set-up.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules --no-print-directory
# Two cores are soon full: one target after the other, each with its own workers.
.NOTPARALLEL:

# A bare container or a service account may have no home: caches go here then.
ifneq ($(shell test -w "$${HOME:-}" && echo yes),yes)
export HOME := $(CURDIR)/.cache/home
$(shell mkdir -p '$(HOME)')
endif

# The version comes from LDFLAGS; asking git again fails where the clone belongs
# to another user.
export GOFLAGS := $(GOFLAGS) -buildvcs=false

# mariadbd is in /usr/sbin, which an ordinary user's PATH leaves out.
export PATH := $(PATH):/usr/local/go/bin:/usr/sbin:/sbin

VERSION := $(shell git describe --tags --always --dirty --match 'v*' 2>/dev/null || echo dev)
LDFLAGS := -X main.version=$(VERSION)
# Test binaries at a time: each may start a database of its own.
JOBS := $(shell n=$$(getconf _NPROCESSORS_ONLN); echo $$((n > 4 ? 4 : n)))
NPM := npm --no-audit --no-fund --no-update-notifier --loglevel=error

# Extra flags: make run ARGS="--listen 127.0.0.1:0", make test-go GOTESTFLAGS=-count=1,
# make test-faults FAULTS='-run F01,F07 -seed 42'
ARGS ?=
GOTESTFLAGS ?=
FAULTS ?=
SIMULATION ?=

##@ Run

.PHONY: run
run: build ## Start Belfry here: one process, SQLite, a demo (ARGS= is handed on)
	@exec bin/belfry dev $(ARGS)

.PHONY: build
build: setup-build console/dist/index.html ## Build bin/belfry with the console inside
	@go build -ldflags '$(LDFLAGS)' -o bin/belfry .

.PHONY: env
env: ## Write .env with random secrets for Docker Compose
	@scripts/env

##@ Test

.PHONY: test
test: setup-test test-go test-sdk test-examples test-simulation test-faults-short test-console test-e2e ## Run every test

.PHONY: test-go
test-go: test-coord test-server ## Server: all packages with the race detector

# Alone: its real Redis clients have short time limits.
.PHONY: test-coord
test-coord: setup-test
	@echo '== go test -race: ownership'
	@$(call go-test,.,./services/coord/...)

.PHONY: test-server
test-server: setup-test
	@echo '== go test -race: server'
	@$(call go-test,.,$$(go list ./... | grep -v /services/coord))

.PHONY: test-sdk
test-sdk: setup-test ## Worker SDK and what goes with it, modules of their own
	@for module in $(patsubst %/go.mod,%,worker-sdk/go.mod $(wildcard worker-sdk/*/go.mod)); do \
		echo "== go test -race: $$module"; \
		$(call go-test,"$$module"); \
	done

.PHONY: test-examples
test-examples: setup-test ## Example workers, modules of their own
	@for module in $(patsubst %/go.mod,%,$(wildcard examples/go.mod examples/*/go.mod)); do \
		echo "== go test -race: $$module"; \
		$(call go-test,"$$module"); \
	done

.PHONY: test-console
test-console: setup-build console/node_modules/.package-lock.json ## Console: unit tests
	@echo '== console: unit tests'
	@$(NPM) --prefix console test --silent

.PHONY: test-e2e
test-e2e: setup-test build ## Console: browser tests in Chromium
	@echo '== console: browser tests'
	@BELFRY_BINARY='$(CURDIR)/bin/belfry' $(NPM) --prefix console run e2e --silent

.PHONY: test-simulation
test-simulation: setup-test ## Servers and workers in one process, broken by chance, some hundred times (SIMULATION=, see docs/faults.md)
	@echo '== simulation'
	@go test ./internal/simulation -count=1 -args $(SIMULATION)

.PHONY: test-faults
test-faults: setup-test bin/belfry-faults ## Break servers, workers and databases on purpose, at most 20 minutes (FAULTS=, see docs/faults.md)
	@go run ./faults -belfry bin/belfry-faults $(FAULTS)

.PHONY: test-faults-short
test-faults-short:
	@echo '== faults: the short list'
	@$(MAKE) test-faults FAULTS=-short

# With fail points, which no other build has. Go knows what changed.
.PHONY: bin/belfry-faults
bin/belfry-faults: setup-build
	@go build -tags failpoints -o $@ .

.PHONY: bench
bench: build ## Measure, beside River and Asynq too (ARGS="-run peers", see docs/benchmarks.md)
	@scripts/setup bench
	@cd bench && go run . $(ARGS)

# SQLite is C turned into Go. Watching each of its memory accesses makes the tests many
# times slower and finds nothing of ours: a connection has one user at a time. Only this
# package: it knows neither atomics nor locks, and its copies of generic code, which the
# linker may take for everybody's, would hide those of others.
UNWATCHED := -gcflags=modernc.org/sqlite/lib=-race=false

# go-test MODULE [PACKAGES]: the race detector needs cgo. Packages without tests are left
# out of the output; what fails is printed by go test itself.
define go-test
CGO_ENABLED=1 go -C $(1) test -race $(UNWATCHED) -p $(JOBS) -timeout 10m $(GOTESTFLAGS) $(or $(2),./...) | { grep -v '\[no test files\]$$' || true; }
endef

##@ Check

.PHONY: lint
lint: setup-build console/node_modules/.package-lock.json ## Run every linter and static check
	@scripts/lint

.PHONY: check-generated
check-generated: setup-build ## Fail if a generated file is out of date
	@scripts/check-generated

.PHONY: release-checks
release-checks: setup-build ## Before a release: known weaknesses (needs the network), licences, bill of materials
	@scripts/release-checks

.PHONY: ci
ci: ## All that continuous integration runs
	@.ci/run

##@ Change

.PHONY: generate
generate: setup-build console/node_modules/.package-lock.json console/tools/node_modules/.package-lock.json ## Write the generated code of server and console anew
	@go generate ./...
	@$(NPM) --prefix console run codegen --silent

.PHONY: fmt
fmt: setup-build console/node_modules/.package-lock.json ## Format Go and TypeScript
	@scripts/golangci fmt
	@$(NPM) --prefix console run format --silent

.PHONY: clean
clean: ## Remove what was built (not caches, not .env, not .belfry)
	@rm -rf bin console/coverage console/test-results
	@find console/dist -mindepth 1 ! -name .gitkeep -delete

.PHONY: help
help: ## List the targets
	@awk 'BEGIN { FS = ":.*## " } \
		/^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z0-9-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

# Set-up

.PHONY: setup-build
setup-build:
	@scripts/setup build

.PHONY: setup-test
setup-test:
	@scripts/setup test

# npm writes node_modules/.package-lock.json itself, so it stands for "installed
# as locked", whoever ran npm.
console/node_modules/.package-lock.json console/tools/node_modules/.package-lock.json: %/node_modules/.package-lock.json: %/package-lock.json
	@echo 'Installing the npm packages of $*'
	@$(NPM) --prefix $* ci
	@touch $@

# Folders are among the sources so that a removed file counts as a change.
CONSOLE_SOURCES := $(shell find console/src console/public console/build 2>/dev/null) \
	$(wildcard console/index.html console/*.ts console/*.json)

console/dist/index.html: console/node_modules/.package-lock.json $(CONSOLE_SOURCES)
	@echo 'Building the console'
	@$(NPM) --prefix console run build --silent -- --logLevel warn
	@touch $@
