# The project's commands. `make demo` and `make test` do all the set-up that they need.

CONFIGURATION := release
BINARY := .build/$(CONFIGURATION)/ingest
SWIFT_BUILD := swift build -c $(CONFIGURATION) --static-swift-stdlib --product ingest
PREFIX ?= /usr/local
DESTDIR ?=
SHARE = $(DESTDIR)$(PREFIX)/share
# Megabytes of each data set of `make bench`, rounds of each timing, and the kit that has the bound.
MB ?= 30
ROUNDS ?= 5
# Inputs of `make fuzz` for each of its targets.
RUNS ?= 20000
BENCH_KIT ?= ../shared/bench

export INGEST := $(abspath $(BINARY))

.PHONY: deps deps-demo build demo test unit end-to-end broken fuzz \
	check-full lint format bench record check install clean help

help:
	@sed -n 's/^## //p' Makefile

## make deps      installs the Debian packages that are missing, and servers for the tests
deps:
	@.ci/deps

deps-demo:
	@.ci/deps build demo

## make build     builds .build/release/ingest
build:
	@echo "build: $(SWIFT_BUILD)"
	@$(SWIFT_BUILD)

## make demo      sets up, builds, and reads recorded newspaper articles into nyt.db
demo: deps-demo build
	@Tests/Scripts/show-demo.sh

## make test      sets up, builds, and runs everything that has to hold
test: deps lint build unit end-to-end
	@echo "test: all passed"

## make unit      the package's own tests
unit:
	@echo "unit: swift test"
	@swift test --disable-xctest

## make end-to-end  scripts that run the built binary
end-to-end:
	@Tests/Scripts/end-to-end.sh

## make broken    builds versions that are broken on purpose, and shows that a check notices each
broken:
	@python3 Tests/Scripts/broken.py

## make fuzz      feeds what reads foreign bytes with made-up ones, under the address sanitizer (RUNS=20000)
fuzz:
	@python3 Tests/Scripts/fuzzing.py --runs $(RUNS)

## make check-full  kills, disks, cut bodies, secrets, stops, a soak, sanitizers, fuzzing: all there is (PART=points)
check-full: build
	@python3 Tests/Scripts/full.py $(PART)

## make lint      formatting, sizes, names
lint:
	@echo "lint: swift-format, then Tests/Scripts/lint.py"
	@swift format lint --strict --parallel --recursive Package.swift Sources Tests
	@python3 Tests/Scripts/lint-test.py
	@python3 Tests/Scripts/lint.py

## make format    formats the Swift sources in place
format:
	@swift format format --in-place --parallel --recursive Package.swift Sources Tests

## make bench     compares with the bound of the bench kit (MB=30 ROUNDS=5 BENCH_KIT=../shared/bench)
bench: build
	@python3 benchmarks/bench.py --kit "$(BENCH_KIT)" --mb $(MB) --rounds $(ROUNDS)

## make record    writes the instruction counts and the golden files anew; fails when a golden file changed
record: build
	@python3 benchmarks/instructions.py --record
	@INGEST_RECORD=1 swift test --disable-xctest

## make check     what has to hold before a change is handed in
check: test
	@Tests/Scripts/fresh.sh

## make install   copies the binary, its manual page and completions below $(DESTDIR)$(PREFIX)
install: build
	@install -D -m 755 $(BINARY) "$(DESTDIR)$(PREFIX)/bin/ingest"
	@$(BINARY) help --man | install -D -m 644 /dev/stdin "$(SHARE)/man/man1/ingest.1"
	@$(BINARY) completions bash | install -D -m 644 /dev/stdin "$(SHARE)/bash-completion/completions/ingest"
	@$(BINARY) completions zsh | install -D -m 644 /dev/stdin "$(SHARE)/zsh/site-functions/_ingest"
	@$(BINARY) completions fish | install -D -m 644 /dev/stdin "$(SHARE)/fish/vendor_completions.d/ingest.fish"
	@echo "install: $(DESTDIR)$(PREFIX)/bin/ingest, and what belongs to it in $(SHARE)"

## make clean     removes what was built
clean:
	@rm -rf .build benchmarks/data
