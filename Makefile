# The tasks of development and installation. `make help` lists them. On a fresh Debian or Ubuntu, only Swift and make
# have to be installed first.

PREFIX ?= /usr/local
DESTDIR ?=
BUILD := .build/program
# Further arguments of `swift build`
BUILD_FLAGS :=
PROGRAM := $(BUILD)/release/gallerygen
# The man pages and completions, which are written when the program is built
SHARE := $(BUILD)/share

.DEFAULT_GOAL := help
.PHONY: help demo check test test-swift test-release test-command test-browser
.PHONY: faults sanitize fuzz deps build install uninstall deb dist format lint reference clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' Makefile

demo: ## build the program and the sample gallery in public/, and print the page to open
	@Scripts/demo

test: ## run all tests: format, warnings, Swift tests, command tests, some of the fault tests, browser tests
	@Scripts/test all

check: ## check a change in less than a minute: changed files' format, debug build, fast Swift and command tests
	@Scripts/test check

test-swift: ## run the Swift tests, debug build; T=PATTERN, as for `swift test --filter`
	@Scripts/test swift "$(T)"

test-release: ## run the Swift tests, release build; T=PATTERN, as for `swift test --filter`
	@Scripts/test release "$(T)"

test-command: ## run the command tests, release build; T=PATTERN, as for `pytest -k`
	@Scripts/test command "$(T)"

test-browser: ## run the browser tests, release build; T=PATTERN, as for `pytest -k`
	@Scripts/test browser "$(T)"

sanitize: ## run the tests of transfers, pictures and threads under the address and thread sanitizers
	@Scripts/sanitize

deps: ## install the packages that the build needs (on Debian and Ubuntu)
	@Scripts/install-packages build

build: ## build the program, its man pages and completions
	@Scripts/build-program --product gallerygen $(BUILD_FLAGS)
	@Scripts/shared-files "$(PROGRAM)" "$(SHARE)" "$(BUILD)/checkouts"

install: ## install the program that `make build` built; PREFIX=/usr/local, DESTDIR for packagers
	@Scripts/install-files install "$(PROGRAM)" "$(SHARE)" "$(DESTDIR)" "$(PREFIX)"

uninstall: ## remove the files that `make install` installed
	@Scripts/install-files uninstall "$(PROGRAM)" "$(SHARE)" "$(DESTDIR)" "$(PREFIX)"

deb: ## make a Debian package in .build/dist, which includes the Swift runtime
	@Scripts/package deb

dist: ## make a tarball with checksums and a list of components (CycloneDX) in .build/dist
	@Scripts/package dist

format: ## rewrite the Swift sources in the project's format
	swift format -i --recursive Sources Plugins Tests Fuzz Package.swift

lint: ## list the places where the Swift sources are not in the project's format
	swift format lint --strict --recursive Sources Plugins Tests Fuzz Package.swift

reference: ## update the generated pages of docs/: settings, reasons, exit codes, commands
	swift build --product gallerygen
	.build/debug/gallerygen reference settings > docs/reference/settings.md
	.build/debug/gallerygen reference reasons > docs/reference/reasons.md
	.build/debug/gallerygen reference exit-codes > docs/reference/exit-codes.md
	Scripts/reference .build/debug/gallerygen commands > docs/reference/commands.md

faults: ## kill builds, fail disks, cut the power and damage ledgers at every point; see docs/explanation/reliability.md
	@Scripts/test faults "$(T)"

fuzz: ## fuzz all parsers of untrusted input, SECONDS=60 for each
	@Scripts/fuzz $(or $(SECONDS),60)

clean: ## remove .build, .venv, and the site and state of the demo
	rm -rf .build .venv Samples/.gallerygen
	cd public && rm -rf index.html page album photo images assets feed.xml sitemap.xml robots.txt \
	    status.json status.html status.js photos.js kept.json
