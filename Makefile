# What a newcomer needs: make demo, make test. All steps are safe to repeat.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
GOLANGCI := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
SUITES := trixie
FUZZTIME := 20s
CORE := c cpp go java javascript pypy3 python3 _jury
TOOLS := _jury _statement
export CGO_ENABLED := 0

.PHONY: help
help: ## say what there is
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

.PHONY: go
go:
	@images/_base/go.sh

.PHONY: build
build: go ## bin/judge and bin/judge-agent
	@go build -ldflags '-s -w' -o bin/judge ./cmd/judge
	@go build -ldflags '-s -w' -o bin/judge-agent ./cmd/judge/agent

.PHONY: engine
engine:
	@images/_base/engine.sh
	@images/_base/base.sh $(SUITES)

.PHONY: images
images: SUITES := trixie bookworm
images: build engine ## the images of all languages
	@bin/judge images build

.PHONY: images-core
images-core: build engine ## the images that the demo needs
	@bin/judge images build $(CORE)

.PHONY: images-test
images-test: build engine ## the images that tests need
	@bin/judge images build $(CORE) $(TOOLS)

.PHONY: test-languages
test-languages: images ## the trials of every language, in boxes (LANGUAGES=... for some)
	@bin/judge languages test $(LANGUAGES)

.PHONY: demo
demo: images-core ## install, build, start what is missing; judge real submissions before your eyes
	@images/_base/demo.sh

.PHONY: stop
stop: ## end the judge that make demo started
	@images/_base/stop.sh

.PHONY: test
test: images-test ## every test: with Docker, as root
	@images/_base/compiler.sh
	@images/_base/postgres.sh
	@go vet -tags docker,postgres ./...
	@go test ./...
	@go test -tags postgres -p 1 -timeout 30m ./judge/store/... ./judge/queue ./judge/work ./migrations ./judge/webhook ./problems/blob ./api
	@go test -tags docker -p 1 -timeout 30m ./runner/bench ./runner/docker ./judge/grader
	@go test -tags docker,postgres -timeout 60m ./cmd/judge

.PHONY: test-chaos
test-chaos: images-test ## kill workers, API and Postgres while they judge; several workers and APIs on one database
	@images/_base/postgres.sh
	@go test -tags docker,postgres -count 1 -timeout 60m -v -run 'TestChaos|TestCluster|TestServeKilled' ./cmd/judge

.PHONY: race
race: go ## tests that need nothing installed, under the race detector (needs gcc)
	@CGO_ENABLED=1 go test -race ./...

.PHONY: lint
lint: go ## golangci-lint and shellcheck
	@go run $(GOLANGCI) run ./...
	@! command -v shellcheck >/dev/null || shellcheck -x images/_*/*.sh

.PHONY: fuzz
fuzz: go ## every fuzz target for FUZZTIME each
	@for p in $$(go list ./...); do \
		for f in $$(go test -list '^Fuzz' $$p | grep '^Fuzz' || true); do \
			echo "$$p $$f"; go test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5x $$p; \
		done; \
	done

.PHONY: bench
bench: images-test ## cost and accuracy of boxes, a store of a million submissions (see also judge bench submit)
	@bin/judge bench run
	@bin/judge bench io
	@bin/judge bench accuracy
	@bin/judge bench judging
	@bin/judge bench interactive
	@images/_base/postgres.sh
	@go test -tags postgres -run '^$$' -bench Million -benchtime 1x -timeout 60m ./judge/store

.PHONY: test-packages
test-packages: images-test ## judge testcases/solutions against the packages in PACKAGES=DIR, and verify those with them
	@test -n "$(PACKAGES)" || { echo "make test-packages PACKAGES=DIR: DIR holds problem packages named as the folders of testcases/solutions" >&2; exit 2; }
	@for s in testcases/solutions/*/; do \
		p=$$(basename $$s); \
		test -d "$(PACKAGES)/$$p" || { echo "$$p: not in $(PACKAGES), passed over"; continue; }; \
		bin/judge run --problem "$(PACKAGES)/$$p" $(SLOTS:%=--slots %) $${s}accepted/*; \
	done
	@work=$$(mktemp -d); trap 'rm -rf "$$work"' EXIT; \
	for s in testcases/solutions/*/; do \
		p=$$(basename $$s); \
		test -d "$(PACKAGES)/$$p" || continue; \
		cp -R "$(PACKAGES)/$$p" "$$work/$$p"; \
		mkdir -p "$$work/$$p/submissions"; \
		cp -R $$s/. "$$work/$$p/submissions/"; \
	done; \
	begun=$$(date +%s.%N); \
	bin/judge problem verify $(SLOTS:%=--slots %) "$$work" | tee "$$work/.report"; \
	runs=$$(sed -n 's/.* \([0-9]*\) runs, .*/\1/p' "$$work/.report" | awk '{ n += $$1 } END { print n }'); \
	date +%s.%N | awk -v begun="$$begun" -v n="$$runs" '{ s = $$1 - begun; printf "verified: %d cases judged in %.1f s, %.1f cases per second\n", n, s, n / s }'

.PHONY: test-conformance
test-conformance: images-test ## verify every package of testcases/conformance
	@bin/judge problem verify testcases/conformance

.PHONY: test-cgroup2
test-cgroup2: build ## the conformance suite on cgroup v2, in a virtual machine (an hour without KVM)
	@images/_base/compiler.sh
	@images/_cgroup2/test.sh

.PHONY: test-compose
test-compose: images-core ## docker-compose.yml whole: two workers, every sample over HTTP, one worker killed
	@images/_judge/test.sh
