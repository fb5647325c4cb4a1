# Sets up, serves, tests and checks Pith Graph. Works from any shell and activates nothing:
# every program comes from .venv. Run `make` for the list of targets.

PORT ?= 8000
TEST_WORKERS ?= 2
EXAMPLES ?= 200000

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input
PIP_INSTALL := $(PIP) install --quiet --progress-bar off

# Files whose age says that a step is done.
PYTHON_READY := .venv/.ready
PAGES_READY := pith_graph/web/static/LICENSES.txt
PEERS := $(dir $(wildcard tests/peers/package-lock.json))
PEERS_READY := $(PEERS:%=%node_modules/.ready)

# What the benchmarks compare with: Node.js packages and a Python environment of their own.
BENCH_READY := bench/peers/node_modules/.ready bench/peers/.venv/.ready

# The machine's Node.js if it is 20 or later, else the one that pip installed into .venv.
WITH_NODE := if ! { node -e 'process.exit(parseInt(process.versions.node) < 20)' \
	&& npm --version; } >/dev/null 2>&1; then export PATH="$(CURDIR)/$(BIN):$$PATH"; fi
NPM_CI := npm ci --ignore-scripts --no-audit --no-fund --loglevel=error

UV_COMPILE := uv pip compile --universal --generate-hashes --no-header --no-annotate \
	--no-emit-index-url --python-version 3.11 --quiet

.PHONY: help setup serve test fuzz check bench bench-scale bench-timeline readme lock clean chromium wrk
.DELETE_ON_ERROR:

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | while IFS="$$(printf '\t')" read -r name text; \
		do printf '  make %-11s %s\n' "$$name" "$$text"; done

setup: $(PYTHON_READY) $(PAGES_READY) ## Create .venv, install the pinned packages, build the pages

serve: setup ## Set up, load the sample record and serve on http://127.0.0.1:8000 (PORT=)
	@$(BIN)/pith-graph db upgrade
	@$(BIN)/pith-graph ingest record seed/2509.00217.citation-record.json
	@exec $(BIN)/pith-graph serve --host 127.0.0.1 --port $(PORT)

test: setup $(PEERS_READY) chromium ## Run every test, on both databases and in a browser
	$(BIN)/pytest -n $(TEST_WORKERS)

fuzz: setup ## Compare the compiled execution with graphql-core on EXAMPLES generated operations
	PITH_FUZZ=$(EXAMPLES) $(BIN)/pytest -q -n $(TEST_WORKERS) tests/gql/execution/test_equality.py

check: setup ## Check format, lint, types, and that the generated files are up to date
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest -q tests/test_generated.py

bench: setup $(BENCH_READY) wrk ## Measure this server against others, as ratios (BENCH="--seed 7 --pace 0.2")
	$(BIN)/python -m bench.compare $(BENCH)

bench-timeline: setup ## Measure where the time of one request goes
	$(BIN)/python -m bench.timeline $(BENCH)

bench-scale: setup $(BENCH_READY) wrk ## Measure growth, to 10 million citations (BENCH="--large 1000000")
	$(BIN)/python -m bench.scale $(BENCH)

readme: setup ## Write the generated parts of the README anew
	$(BIN)/python -m tests.readme

# Three lists: development, the installed server, and what builds the wheel in the image.
lock: ## Write the requirements files anew from pyproject.toml (needs uv; UV_FLAGS=--upgrade)
	@command -v uv >/dev/null || { echo 'make lock needs uv: install it first.' >&2; exit 1; }
	$(UV_COMPILE) $(UV_FLAGS) pyproject.toml --extra dev -o requirements.txt
	$(UV_COMPILE) pyproject.toml -c requirements.txt -o requirements-runtime.txt
	$(UV_COMPILE) $(UV_FLAGS) bench/peers/requirements.in -o bench/peers/requirements.txt
	echo hatchling | $(UV_COMPILE) - -c requirements.txt -o requirements-build.txt

clean: ## Remove all that these targets made; databases stay
	rm -rf .venv pith_graph/web/static frontend/node_modules tests/peers/node_modules dist build
	rm -rf bench/peers/node_modules bench/peers/.venv
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis

# A candidate must run, since a version manager's stand-in may exist without a Python behind it.
.venv/bin/python:
	@for python in $(PYTHON) python3.13 python3.12 python3.11 python3; do \
		if "$$python" -c 'import ensurepip, sys, venv; \
			sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null; then \
			echo "Creating .venv with $$("$$python" --version) …"; \
			exec "$$python" -m venv --clear .venv; \
		fi; \
	done; \
	echo 'Pith Graph needs Python 3.11, 3.12 or 3.13 with its venv module (Debian: python3-venv).' >&2; \
	echo 'Install one, or name it: make setup PYTHON=/path/to/python3.13' >&2; \
	exit 1

$(PYTHON_READY): requirements.txt pyproject.toml .venv/bin/python
	@echo 'Installing the pinned Python packages …'
	@$(PIP_INSTALL) --require-hashes -r requirements.txt
	@$(PIP_INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

frontend/node_modules/.ready: frontend/package.json frontend/package-lock.json frontend/.npmrc \
		| $(PYTHON_READY)
	@echo 'Installing the pinned Node.js packages of the pages …'
	@$(WITH_NODE); cd frontend && $(NPM_CI)
	@touch $@

$(PAGES_READY): frontend/node_modules/.ready frontend/build.mjs $(wildcard frontend/src/*)
	@echo 'Building the pages …'
	@$(WITH_NODE); node frontend/build.mjs

tests/peers/node_modules/.ready: tests/peers/package.json tests/peers/package-lock.json \
		| $(PYTHON_READY)
	@echo 'Installing the pinned Node.js packages of the tests …'
	@$(WITH_NODE); cd tests/peers && $(NPM_CI)
	@touch $@

bench/peers/node_modules/.ready: bench/peers/package.json bench/peers/package-lock.json \
		| $(PYTHON_READY)
	@echo 'Installing PostGraphile and its Node.js for the benchmarks …'
	@$(WITH_NODE); cd bench/peers && $(NPM_CI)
	@touch $@

bench/peers/.venv/.ready: bench/peers/requirements.txt | $(PYTHON_READY)
	@echo 'Installing Datasette for the benchmarks …'
	@$(BIN)/python -m venv --clear bench/peers/.venv
	@bench/peers/.venv/bin/python -m pip --disable-pip-version-check --no-input install --quiet \
		--progress-bar off --require-hashes -r bench/peers/requirements.txt
	@touch $@

wrk:
	@if command -v wrk >/dev/null; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo 'Installing the load driver wrk …'; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
			apt-get install -y -qq --no-install-recommends wrk >/dev/null; \
	else \
		echo 'The benchmarks need wrk: install it (Debian: sudo apt-get install wrk)' >&2; \
		exit 1; \
	fi

chromium:
	@if [ -n "$$PITH_TEST_CHROMIUM" ] || command -v chromium >/dev/null; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo 'Installing Chromium for the browser tests …'; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
			apt-get install -y -qq --no-install-recommends chromium >/dev/null; \
	else \
		echo 'The browser tests need Chromium: install it (Debian: sudo apt-get install chromium)' >&2; \
		echo 'or name its program: PITH_TEST_CHROMIUM=/path/to/chrome make test' >&2; \
		exit 1; \
	fi
