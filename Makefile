# What one does with a checkout; `make help` lists it. A fresh Debian or Ubuntu needs Swift and make, no more.

PREFIX ?= /usr/local
DESTDIR ?=
# STATIC=1 links the Swift runtime into the program, so that it runs on machines without one.
ifdef STATIC
BUILD := .build/static
BUILD_FLAGS := --static-swift-stdlib --scratch-path .build/static -Xlinker -znow
else
BUILD := .build
endif
PROGRAM := $(BUILD)/release/gallerygen
# Man pages and completions, written when the program is built
SHARE := $(BUILD)/share

.DEFAULT_GOAL := help
.PHONY: help demo check test test-swift test-release test-command test-browser
.PHONY: faults sanitize fuzz deps build install uninstall deb dist format lint reference clean

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' Makefile

demo: ## build the program and the sample gallery in public/, and say what to open
	@Scripts/demo

test: ## run all tests: format, warnings, Swift tests, commands, a part of the faults, browser
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

deps: ## install the packages that the build needs (on Debian and Ubuntu)
	@Scripts/install-packages build

build: ## build the program, its man pages and completions; STATIC=1 includes the Swift runtime
	swift build -c release --product gallerygen $(BUILD_FLAGS)
	@Scripts/shared-files "$(PROGRAM)" "$(SHARE)" $(BUILD)/checkouts

install: ## copy what `make build` made; PREFIX=/usr/local, DESTDIR for packagers
	@Scripts/install-files install "$(PROGRAM)" "$(SHARE)" "$(DESTDIR)" "$(PREFIX)"

uninstall: ## remove what `make install` installed
	@Scripts/install-files uninstall "$(PROGRAM)" "$(SHARE)" "$(DESTDIR)" "$(PREFIX)"

deb: ## make a Debian package in .build/dist; the Swift runtime is included
	@Scripts/package deb

dist: ## make a tarball with checksums and a list of components (CycloneDX) in .build/dist
	@Scripts/package dist

format: ## rewrite the Swift sources in the project's format
	swift format -i --recursive Sources Plugins Tests Fuzz Package.swift

lint: ## say where the Swift sources are not in the project's format
	swift format lint --strict --recursive Sources Plugins Tests Fuzz Package.swift

reference: ## write the generated pages of docs/ again: settings, commands
	swift build --product gallerygen
	.build/debug/gallerygen reference settings > docs/reference/settings.md
	.build/debug/gallerygen reference reasons > docs/reference/reasons.md
	.build/debug/gallerygen reference exit-codes > docs/reference/exit-codes.md
	Scripts/reference .build/debug/gallerygen commands > docs/reference/commands.md

faults: ## kill builds, fail disks, cut power, damage ledgers at every point; docs/explanation/reliability.md tells more
	@Scripts/test faults "$(T)"

fuzz: ## feed broken input to all that reads what strangers send, SECONDS=60 for each kind
	@Scripts/fuzz $(or $(SECONDS),60)

clean: ## remove what was built: .build, .venv, the demo's site and state
	rm -rf .build .venv Samples/.gallerygen
	cd public && rm -rf index.html page album photo images assets status.json status.html status.js feed.xml sitemap.xml robots.txt
