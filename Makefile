# The few commands of this repository. Each sets up what it needs and may be run in any order, twice,
# and without root. Say `make help` for the list.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# The first Python that is new enough; say another with `make PYTHON=…`.
ifndef PYTHON
PYTHON := $(shell for python in python3.11 python3 python3.12 python3.13 python3.14; do \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& { echo "$$python"; break; }; done)
endif
BIN := .venv/bin
PACKAGES := studio vision hardware web
HERE = $(wildcard $(PACKAGES))
ARGS ?=
# Three test processes for two cores: those that work a browser or a device often wait for it. With
# four a simulated camera may be kept from the processor for longer than a table waits for a card.
WORKERS ?= 3

.PHONY: help demo test soak check format fix types imports docs-coverage ui-check unit setup ui lock reference wheel clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

demo: setup ui ## a whole embedded studio in the browser; options in ARGS="…"
	@exec $(BIN)/cutcard demo $(ARGS)

test: setup ui check unit ## style, types, import rules, documentation coverage and all tests but the long ones

soak: setup ui ## the long form: all kills, long random runs, fuzzing
	@CUTCARD_SOAK=1 $(BIN)/python -m pytest -m soak --timeout=3600 -o faulthandler_timeout=3500 $(ARGS)

unit: setup ui
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

check: format types imports docs-coverage ui-check ## everything but the tests

format: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

fix: setup ## let ruff repair and format what it can
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

types: setup
	@$(BIN)/mypy $(HERE)

imports: setup
	@$(BIN)/lint-imports --no-cache --no-logo

docs-coverage: setup
	@$(BIN)/interrogate --quiet $(HERE) || { $(BIN)/interrogate -v $(HERE); exit 1; }

setup:
	@if [ -z "$(PYTHON)" ]; then \
		echo "Cutcard needs Python 3.11 or newer: install it, or say where it is with make PYTHON=…" >&2; \
		exit 2; fi
	@$(PYTHON) tools/set_up.py

ui: setup ## build the front end, if its sources changed
	@$(BIN)/python tools/build_ui.py

ui-check: setup
	@$(BIN)/python tools/build_ui.py --check

lock: ## resolve the dependencies again and write the lock files (needs the network)
	@$(PYTHON) tools/lock.py

reference: setup ## write the references of configuration and platform and the pages "when …" again
	@$(BIN)/python tools/reference.py
	@$(BIN)/python tools/when.py
	@$(BIN)/python tools/platform_reference.py

wheel: setup ui ## build the wheel into dist/
	@$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

clean: ## remove what was built and installed
	rm -rf .venv dist web/static web/ui/node_modules .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
