# What one does with a checkout; `make help` lists it. A fresh Debian or Ubuntu needs Swift and make, no more.

PREFIX ?= /usr/local
DESTDIR ?=
PROGRAM := .build/release/gallerygen

.DEFAULT_GOAL := help
.PHONY: help demo check test test-swift test-release test-command test-browser
.PHONY: faults sanitize fuzz build install uninstall format lint settings-reference clean

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' Makefile

demo: ## build the program and the sample gallery in public/, and say what to open
	@Scripts/demo

test: ## run every check: format, warnings, Swift tests, commands, a part of the faults, browser
	@Scripts/test all

check: ## run what takes less than a minute after a change: format, debug build, fast Swift tests, 30 command tests
	@Scripts/test check

test-swift: ## run the Swift tests, debug build; T=PATTERN, as for `swift test --filter`
	@Scripts/test swift "$(T)"

test-release: ## run the Swift tests, release build; T=PATTERN, as for `swift test --filter`
	@Scripts/test release "$(T)"

test-command: ## run the command tests, release build; T=PATTERN, as for `pytest -k`
	@Scripts/test command "$(T)"

test-browser: ## run the browser tests, release build; T=PATTERN, as for `pytest -k`
	@Scripts/test browser "$(T)"

sanitize: ## run the tests of transfers and pictures under the address and thread sanitizers
	@Scripts/sanitize

build: ## build the program in release mode
	@Scripts/install-packages build
	swift build -c release --product gallerygen

install: build ## install the program; PREFIX=/usr/local, DESTDIR for packagers
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 $(PROGRAM) "$(DESTDIR)$(PREFIX)/bin/gallerygen"

uninstall: ## remove what `make install` installed
	rm -f "$(DESTDIR)$(PREFIX)/bin/gallerygen"

format: ## rewrite the Swift sources in the project's format
	swift format -i --recursive Sources Plugins Tests Fuzz Package.swift

lint: ## say where the Swift sources are not in the project's format
	swift format lint --strict --recursive Sources Plugins Tests Fuzz Package.swift

settings-reference: ## write docs/SETTINGS.md from the table of settings
	swift build --product gallerygen
	.build/debug/gallerygen settings-reference > docs/SETTINGS.md

faults: ## kill builds, fail disks, cut power, damage ledgers at every point; docs/RELIABILITY.md tells more
	@Scripts/test faults "$(T)"

fuzz: ## feed broken input to all that reads what strangers send, SECONDS=60 for each kind; docs/FUZZING.md tells more
	@Scripts/fuzz $(or $(SECONDS),60)

clean: ## remove what was built: .build, .venv, the demo's site and state
	rm -rf .build .venv Samples/.gallerygen
	cd public && rm -rf index.html page album photo images assets status.json status.html status.js feed.xml
