# The commands of daily work; `make help` lists them. Everything runs from a
# fresh checkout with nothing installed but Go, make, git and bash.

SHELL       := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

GO        ?= go
TOOL      := $(GO) tool -modfile=tools/go.mod
TESTFLAGS ?=
BENCH     ?= .
BENCHTIME ?= 1s
ROUNDS    ?= 9
REF       ?= HEAD
TIMES     ?= 1
BARS      ?= .
RACED     ?= ./...
CONFORMANCE ?= ./...
FUZZTIME  ?= 10m
FUZZ      ?= .
VERSION   ?=
ONLY      ?=

# Recorded traffic of real services is no part of the repository. Tests that
# need it skip, with a count, where this directory does not exist.
CORPUS    ?= ../shared/data/cassettes
export SCENARIO_CORPUS ?= $(abspath $(CORPUS))

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: quick
quick: build vet format-check ## what to run while working: build, vet, format, short tests
	$(GO) test -short ./...

.PHONY: test
test: test-go test-scenarios ## all tests, then the scenarios as the README runs them

.PHONY: check
check: format-check vet lint tidy-check generated-check race ## what a change has to pass besides `test`

.PHONY: build
build: ## compile everything; the command goes to bin/
	$(GO) build ./...
	$(GO) build -o bin/ ./cmd/...

.PHONY: test-go
test-go: ## the Go tests (TESTFLAGS=-v …)
	$(GO) test -timeout 20m $(TESTFLAGS) ./...

# What takes minutes: CI samples it (-short), or leaves it to a cheaper test of the same
# (TestTypes reads for each system what TestBuilds compiles).
LONG       := TestProgramRulesAgreeWithTheModule|TestRulesAgreeWithTheModule|TestResilienceInGoIsWhatItsConditionsSay|TestWhatIsComputedHasABudget|TestWhatInstancesReadHasABudget|TestStepsThatDidNotChange|TestScheduleBoundsEveryRun|TestJQStaysWithinItsMemory|TestLanesRepeat|TestKilledBenchGoesOn|TestChangeReachesWhatReadsIt|TestProgramsParse|TestWhatIsPlantedInAttributes|TestPlantedSecretsStandNowhere|TestPlantedSecretsOfPrograms
LONG_IN    := ./internal/explore ./internal/mutate/source ./interp ./interp/internal/judge ./stdlib ./scenariotest ./cmd/scenario
LONG_BUILD := TestBuilds$$/^(darwin|linux|windows)
# Scripts that run programs hundreds of times; others of their kind stay.
LONG_SCRIPT := TestScripts$$/^(mutate_exec|mutate_data|mutate_exec_beside|mutate_exec_together|explore_exec_model)$$

.PHONY: test-sampled
test-sampled: ## the Go tests, of those that take minutes a sample
	$(GO) test -timeout 45m $(TESTFLAGS) -skip '^($(LONG))$$|^$(LONG_BUILD)|^$(LONG_SCRIPT)' ./...
	$(GO) test -timeout 45m $(TESTFLAGS) -short -run '^($(LONG))$$' $(LONG_IN)

.PHONY: long
long: ## the Go tests that test-sampled samples, in full
	$(GO) test -timeout 20m $(TESTFLAGS) -run '^($(LONG))$$' $(LONG_IN)
	$(GO) test -timeout 20m $(TESTFLAGS) -run '^$(LONG_BUILD)' ./internal/platforms
	$(GO) test -timeout 20m $(TESTFLAGS) -run '^$(LONG_SCRIPT)' ./cmd/scenario

# The packages with benchmarks; modules of their own have none.
BENCHMARKED = $(shell grep -rl --include='*_test.go' --exclude-dir=conformance --exclude-dir=dist --exclude-dir=site --exclude-dir=packaging '^func Benchmark' . | xargs -n1 dirname | sort -u)

.PHONY: bench-once
bench-once: ## every benchmark once: none is found broken on the day that it is wanted, and nothing is timed
	$(GO) test -short -run '^$$' -bench . -benchtime 1x $(BENCHMARKED)

.PHONY: test-scenarios
test-scenarios: ## scenario test ./scenarios
	$(GO) run ./cmd/scenario test ./scenarios

# What is known are invariants of single scenarios that speak of their own run.
.PHONY: trust
trust: ## explore and mutate ./scenarios, and the tests of searches and of coverage in full
	$(GO) test -count=1 ./internal/explore -goals -finds 1000
	$(GO) run ./cmd/scenario explore --max-k 1 --except deadlock,wrong --baseline internal/explore/testdata/known.json ./scenarios
	$(GO) run ./cmd/scenario explore --max-k 1 --kinds wrong --except deadlock --baseline internal/explore/testdata/wrong.json ./scenarios
	$(GO) test -count=1 -run '^TestScores$$|^TestAssertionsKill$$|^TestScenariosKill$$' ./internal/mutate
	$(GO) test -count=1 ./internal/coverage

.PHONY: platforms
platforms: ## everything builds for js/wasm, Windows, macOS and ARM (a minute each from scratch)
	$(GO) test -timeout 30m $(TESTFLAGS) ./internal/platforms

.PHONY: conformance
conformance: ## other people's clients and servers against this module, in a module of its own (CONFORMANCE=packages)
	@table=$$(mktemp); trap 'rm -f "$$table"' EXIT; cd conformance; $(GO) vet $(CONFORMANCE) && \
	CONFORMANCE_TABLE=$$table $(GO) test -timeout 10m $(TESTFLAGS) $(CONFORMANCE) && cat "$$table"

.PHONY: site
site: ## the web site with the playground, into bin/site (SITEFLAGS=-engine=false without its engine)
	cd site && $(GO) run . -o ../bin/site $(SITEFLAGS)

.PHONY: site-cost
site-cost: ## hold what the playground costs in a browser against its goals, on a machine that does nothing else
	cd site && SCENARIO_SITE_COST=1 $(GO) test -count=1 -timeout 20m -v -run '^TestPlayground$$' .

.PHONY: test-site
test-site: ## the site's tests; those in a browser skip where there is no Chromium
	cd site && $(GO) vet ./... && $(GO) test -timeout 20m $(TESTFLAGS) ./...

.PHONY: release
release: ## archives and packages for every system, into bin/release (VERSION=v1.2.3 ONLY=linux/amd64)
	cd packaging && $(GO) run . -o ../bin/release -version '$(VERSION)' -only '$(ONLY)'

.PHONY: test-release
test-release: ## what a release for linux/amd64 installs works, as do action.yml and the hooks
	cd packaging && $(GO) vet ./... && $(GO) test -timeout 20m $(TESTFLAGS) ./...

.PHONY: vscode
vscode: ## the extension for VS Code: its tests, and its package in bin/ (npm)
	$(GO) build -o bin/ ./cmd/scenario
	cd editors/vscode && npm ci --ignore-scripts --no-audit --no-fund && SCENARIO_COMMAND=../../bin/scenario npm test && npm run build && npm run package -- -o ../../bin/scenario.vsix && SCENARIO_VSIX=../../bin/scenario.vsix node --test opened/

.PHONY: dist
dist: ## workers and queues, in a module of its own: vet, staticcheck and tests
	cd dist && $(GO) vet ./... && $(GO) tool -modfile=../tools/go.mod staticcheck ./... && $(GO) test -timeout 15m $(TESTFLAGS) ./...

.PHONY: dist-kill
dist-kill: ## 200 runs of which each loses a worker, its submitter or the server (KILLS=200)
	cd dist && SCENARIO_KILLS=$(or $(KILLS),200) $(GO) test -timeout 20m -count=1 -v -run '^TestKills' ./cmd/scenario-dist

.PHONY: dist-full
dist-full: ## reports of ./scenarios on workers are those of the command, secrets of 100 runs, and both with the race detector
	cd dist && SCENARIO_SUITE=../scenarios $(GO) test -timeout 20m -count=1 -v -run '^Test(Reports|SensitiveValue)' ./cmd/scenario-dist
	cd dist && SCENARIO_SUITE=../scenarios $(GO) test -race -short -timeout 20m -count=1 -run '^Test(Reports|SensitiveValue|Kill|UnitThat)' ./cmd/scenario-dist

.PHONY: dist-cost
dist-cost: ## what a unit costs, what three workers gain, the memory of 100,000 units and trials: on a machine that does nothing else
	cd dist && SCENARIO_COST=1 $(GO) test -timeout 20m -count=1 -v -run '^Test(CostOfAUnit|ThreeWorkers|MemoryOfManyUnits|MemoryOfManyTrials)$$' ./cmd/scenario-dist

.PHONY: services
services: ## our players against real servers, started for it in a temporary directory (PostgreSQL)
	.ci/postgres sh -c 'cd conformance && $(GO) test -count=1 -v -run Server ./sql' | grep -E '^(no |--- |ok|FAIL|    )'

.PHONY: race
race: ## the Go tests with the race detector (RACEFLAGS=-short samples the long ones, RACED=packages)
	$(GO) test -race -timeout 20m $(RACEFLAGS) $(RACED)

.PHONY: vet
vet: ## go vet
	$(GO) vet ./...

.PHONY: lint
lint: ## staticcheck
	$(TOOL) staticcheck ./...

.PHONY: format
format: ## write every Go file as gofumpt has it
	$(TOOL) gofumpt -l -w .

.PHONY: format-check
format-check: ## name the Go files that gofumpt would change
	@changed=$$($(TOOL) gofumpt -l .); \
	if [ -n "$$changed" ]; then printf 'gofumpt would change (run `make format`):\n%s\n' "$$changed"; exit 1; fi

.PHONY: tidy-check
tidy-check: ## go.mod and go.sum of every module are as `go mod tidy` writes them
	$(GO) mod tidy -diff
	cd tools && $(GO) mod tidy -diff
	cd conformance && $(GO) mod tidy -diff
	cd dist && $(GO) mod tidy -diff
	cd site && $(GO) mod tidy -diff
	cd packaging && $(GO) mod tidy -diff

.PHONY: generated-check
generated-check: ## generated pages and tables are what `go generate` writes now
	@sum() { find docs cassette/internal/forms/published.go -type f -exec sha256sum {} + | sort; }; \
	before=$$(sum); $(GO) generate ./...; \
	if ! diff <(echo "$$before") <(sum); then echo 'generated files were stale: commit what `go generate ./...` wrote'; exit 1; fi

.PHONY: determinism
determinism: ## equal bytes from run to run, whatever the process, the cores and the order
	.ci/determinism

.PHONY: corpus
corpus: ## recorded traffic, host by host: what is read of it, what is not and why (CORPUS=dir)
	@if [ ! -d "$$SCENARIO_CORPUS" ]; then echo "no recorded traffic at $$SCENARIO_CORPUS (set CORPUS): every test of it skips"; fi
	@$(GO) test -count=1 -v -run 'Corpus|Recorded' ./providers/adaptertest ./cassette/... ./interp 2>&1 | awk -f .ci/corpus.awk

.PHONY: bench
bench: ## the speed against its floors and goals, in alternated rounds, ten minutes (BARS=RE ROUNDS=9 KEEP=-keep)
	$(GO) run ./internal/bench -rounds '$(ROUNDS)' -only '$(BARS)' $(KEEP)

.PHONY: bench-compare
bench-compare: ## this tree against the commit REF, pair by pair: red if it costs a tenth more unless that is too noisy, or less where the noise allows (REF=HEAD BARS=RE TIMES=1 PLANT=FILE:FUNCTION:ROUNDS)
	$(GO) run ./internal/bench -compare '$(REF)' -only '$(BARS)' -plant '$(PLANT)' -times '$(TIMES)'

.PHONY: bench-growth
bench-growth: ## what one of many costs: suites to 50,000 files, files to 20,000 scenarios, 10,000 actors, with all reports (fifteen minutes)
	$(GO) run ./internal/bench -growth -rounds '$(ROUNDS)' -only '$(BARS)'

.PHONY: bench-wire
bench-wire: ## the speed of the transport, serve and interception, beside other servers (npm, Java)
	$(GO) run ./internal/bench -wire -rounds '$(ROUNDS)' -only '$(BARS)'

.PHONY: benchmarks
benchmarks: ## the Go benchmarks (BENCH=RE BENCHTIME=1s)
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchtime $(BENCHTIME) -benchmem ./...

.PHONY: compare-record
compare-record: ## measure what docs/comparison.md says of other tools (npm, Java, Terraform)
	$(GO) run ./internal/versus -write docs/comparison.md

.PHONY: endurance
endurance: ## days of retries, 10,000 streams, connections and cases, a thousand runs of clients that give up, clients that mean harm: the long forms (ten minutes)
	SCENARIO_ENDURANCE=1 $(GO) test -count=1 -v -run '^(TestManyStreams|TestClientThatGivesUpAsksAgain|TestClientThatGivesUpMakesOneCall)$$' ./internal/server
	SCENARIO_ENDURANCE=1 $(GO) test -count=1 -v -run '^TestImpatientClients$$' ./internal/serve
	SCENARIO_ENDURANCE=1 $(GO) test -count=1 -v -timeout 20m -run '^TestLanesRepeatOnTheWire$$' ./internal/sut
	SCENARIO_ENDURANCE=1 $(GO) test -count=1 -v -run '^TestManyCasesFitIntoMemory$$' ./cmd/scenario
	cd conformance && SCENARIO_ENDURANCE=1 $(GO) test -count=1 -v -run '^(TestThreeDaysOfRetries|TestHostileClients|TestIdleConnections|TestListenersAreLocal)$$' ./clients
	cd conformance && SCENARIO_ENDURANCE=1 $(GO) test -count=1 -v -run '^TestPolicies$$' ./policies

.PHONY: fuzz
fuzz: ## every fuzz target in turn (FUZZTIME=10m each, FUZZ=RE to choose)
	.ci/fuzz '$(FUZZTIME)' '$(FUZZ)'

.PHONY: tools
tools: ## build the pinned tools into Go's cache
	$(TOOL) gofumpt -version
	$(TOOL) staticcheck -version
