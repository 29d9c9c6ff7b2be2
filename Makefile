# Antipodes. `make` alone lists what can be made; only Python 3.11+, git and make are needed.
# Variables: PYTHON (which Python makes .venv), ARGS (passed on to the command of the target).

PYTHON ?= python3
ARGS   ?=

VENV  := .venv
BIN   := $(VENV)/bin
STAMP := $(VENV)/.synced
# The native edition of the kernels, for the processor of this machine; with it the engine of pages.
LIBRARY := src/antipodes/_kernels.abi3.so
READY := $(STAMP) $(LIBRARY)
# Node.js comes with .venv; the tools that check JavaScript come from npm into node_modules.
NODE  := PATH="$(CURDIR)/$(BIN):$$PATH"
NPM_STAMP := node_modules/.synced

SCHEMA := $(BIN)/check-jsonschema --quiet --builtin-schema
RANGE  ?= main..HEAD
SYSTEMS ?=
IMAGE  ?= antipodes
# The first line of pyproject.toml that names a version is the project's.
VERSION = $(shell sed -n 's/^version = "\(.*\)"$$/\1/p' pyproject.toml | head -1)

# Tests start hundreds of processes and import thousands of modules: compiled code is kept, whatever
# the shell says.
unexport PYTHONDONTWRITEBYTECODE

# Each process begins with neighbouring tests, which share fixtures such as a running site, and takes
# some of another's when it has done its own.
PARALLEL := -n auto --dist worksteal

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup run quick test test-all unit coverage mutants lint javascript types docs bench fuzz browser photographs crash test-mail test-scale test-deploy attack strength simulate format lock messages hooks style audit workflows commits release dist release-tag publish sign image push-image clean distclean

# An environment cannot be moved: when the stamp names another folder, set up again.
ifneq ($(shell cat $(STAMP) 2>/dev/null),$(CURDIR))
.PHONY: $(STAMP)
endif
MOVED := test -e $(STAMP) && test "$$(cat $(STAMP))" != "$(CURDIR)"

help: ## list the targets
	@echo "Antipodes: make TARGET, where TARGET is one of"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: $(READY) ## make or update the environment in .venv, and compile the kernels

run: $(READY) ## start the site, where one plays in a browser (ARGS="--port 8080")
	@$(BIN)/python -m tools.catalogues
	@$(BIN)/antipodes serve $(ARGS)

quick: $(READY) ## what changed, within half a minute: style, types, nearest tests (ARGS="--since main")
	@$(BIN)/python -m tools.quick $(ARGS)

# The docs are built beside the tests. The audit waits for answers of an index, beside everything else.
test: $(READY) ## every check: style, imports, types, docs, tests
	@mkdir -p build
	@$(MAKE) --no-print-directory audit >build/audit.log 2>&1 & audit=$$!; \
		$(MAKE) --no-print-directory types >build/types.log 2>&1 & types=$$!; \
		$(MAKE) --no-print-directory style; failed=$$?; \
		wait $$types || failed=1; cat build/types.log; \
		if test $$failed = 0; then \
			$(MAKE) --no-print-directory docs >build/docs.log 2>&1 & docs=$$!; \
			$(MAKE) --no-print-directory unit || failed=1; \
			wait $$docs || failed=1; cat build/docs.log; \
		fi; \
		wait $$audit || failed=1; cat build/audit.log; \
		test $$failed = 0
	@echo "==> All checks passed"

# What needs more than this environment: Chromium, servers for mail, PostgreSQL, Redis, nginx, Caddy.
SUITES := browser crash test-mail test-scale test-deploy

test-all: ## every check with every repetition (hours), then those in browsers and with real servers
	@TESTS=thorough $(MAKE) --no-print-directory test ARGS="-m ''"
	@$(MAKE) --no-print-directory coverage
	@for suite in $(SUITES); do $(MAKE) --no-print-directory $$suite || failed="$$failed $$suite"; done; \
		test -z "$$failed" || { echo "==> Failed:$$failed" >&2; exit 1; }

unit: $(READY) ## the tests alone (ARGS="-k hex -x")
	@echo "==> Running the tests"
	@$(BIN)/pytest $(PARALLEL) $(ARGS)

coverage: $(READY) ## the tests, with the share of lines and branches that they execute
	@rm -rf build/coverage && mkdir -p build/coverage
	@$(BIN)/coverage run -m pytest $(PARALLEL) -q $(ARGS)
	@$(BIN)/coverage combine -q
	@$(BIN)/coverage report

# Cosmic Ray writes each change into the file, so it works on a copy.
MUTANTS := build/mutants
COSMIC_RAY := $(CURDIR)/$(BIN)/uv run --quiet --project $(CURDIR) --frozen --isolated --only-group mutants
mutants: $(READY) ## change the code of MODULE place by place, and list the changes that none of TESTS notices (MODULE=src/antipodes/clocks TESTS=tests/clocks)
	@rm -rf $(MUTANTS) && mkdir -p $(MUTANTS) && cp -R src tests tools pyproject.toml uv.lock $(MUTANTS)
	@printf '[cosmic-ray]\nmodule-path = "%s"\ntimeout = 120.0\ntest-command = "%s -q -x -n 0 -p no:cacheprovider %s"\n[cosmic-ray.distributor]\nname = "local"\n' \
		"$(MODULE)" "$(CURDIR)/$(BIN)/pytest" "$(TESTS)" >$(MUTANTS)/config.toml
	@cd $(MUTANTS) && export PYTHONPATH=src $(if $(findstring kernels,$(MODULE)),ANTIPODES_PLAIN=1) && $(COSMIC_RAY) cosmic-ray baseline config.toml && $(COSMIC_RAY) cosmic-ray init config.toml session.sqlite && \
		$(COSMIC_RAY) cosmic-ray exec config.toml session.sqlite && $(COSMIC_RAY) cr-report --surviving-only --show-diff session.sqlite

lint: style audit ## `make style` and `make audit`

style: $(STAMP) javascript workflows ## style, format, import rules, JavaScript, workflows, declared dependencies
	@echo "==> Checking style and format"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@echo "==> Checking the import rules"
	@$(BIN)/lint-imports --no-logo
	@echo "==> Checking that what is imported is declared"
	@$(BIN)/deptry src
	@$(BIN)/deptry tests tools bench docs --exclude docs/_build --ignore DEP002,DEP004

audit: $(STAMP) ## known vulnerabilities of the dependencies
	@echo "==> Auditing the dependencies"
	@$(BIN)/python tools/audit.py

workflows: $(STAMP) ## workflows of continuous integration, issue forms, compose.yaml and CITATION.cff
	@echo "==> Checking workflows and forms"
	@$(SCHEMA) vendor.github-workflows .github/workflows/*.yml
	@$(SCHEMA) vendor.dependabot .github/dependabot.yml
	@$(SCHEMA) vendor.github-issue-forms .github/ISSUE_TEMPLATE/bug.yml .github/ISSUE_TEMPLATE/idea.yml
	@$(SCHEMA) vendor.compose-spec deploy/compose.yaml
	@$(SCHEMA) vendor.citation-file-format CITATION.cff
	@$(BIN)/zizmor --quiet --offline --no-progress .github

commits: $(STAMP) ## check the commit messages of a range (RANGE=main..HEAD)
	@$(BIN)/python tools/commit_message.py --range "$(RANGE)"

javascript: $(NPM_STAMP) ## types, faults and format of the site's JavaScript and styles: tsc, eslint and prettier
	@echo "==> Checking the JavaScript"
	@if test -e $(NPM_STAMP); then \
		$(NODE) node_modules/.bin/tsc && $(NODE) node_modules/.bin/tsc -p tsconfig.worker.json && $(NODE) node_modules/.bin/eslint --max-warnings 0 . && $(NODE) node_modules/.bin/prettier --check --log-level warn .; \
	else echo "    NOT CHECKED: the npm registry cannot be reached (build/npm.log)."; fi

types: $(READY) ## mypy --strict
	@echo "==> Checking types"
	@$(BIN)/python -m mypy  # as a module, so that our tests go before a package called tests

docs: $(READY) ## build the docs, warnings are errors; run their examples
	@echo "==> Building the docs"
	@$(BIN)/sphinx-build -q -W --keep-going -b html -d docs/_build/doctrees docs docs/_build/html
	@$(BIN)/sphinx-build -q -W --keep-going -b doctest -d docs/_build/doctrees docs docs/_build/doctest
	@echo "    docs/_build/html/index.html"

bench: $(READY) ## measure the speed of the rules, of random games, of searches and of the site
	@$(BIN)/python bench/rules.py $(ARGS)
	@$(BIN)/python bench/playouts.py
	@$(BIN)/python bench/search.py
	@$(BIN)/python bench/server.py

fuzz: $(READY) ## long fuzzing of the parsers, and of the site's interface for programs
	@$(BIN)/pytest $(PARALLEL) tests/fuzz --hypothesis-profile=fuzz $(ARGS)
	@TESTS=thorough API_EXAMPLES=200 $(BIN)/pytest $(PARALLEL) tests/web/api/test_schema.py

simulate: $(READY) ## let people use a site in virtual time (ARGS="--days 30 --people 300 --seed 5")
	@$(BIN)/antipodes simulate $(ARGS)

browser: $(READY) ## play on the site in Chromium (ARGS="-k hex -x"); needs `apt install chromium`
	@$(BIN)/pytest -n 2 -v tests/browser $(ARGS)
	@echo "    pictures: build/browser/index.html"

photographs: $(READY) ## take new photographs for the comparison of the style guide in `make browser`
	@PHOTOGRAPHS=renew $(BIN)/pytest -n 0 -q tests/browser/test_styleguide.py -k photographs
	@git status --short tests/browser/photographs

crash: $(READY) ## kill the server in the middle of games, and look at what is left
	@$(BIN)/pytest -n 0 -v tests/crash $(ARGS)

test-mail: $(READY) ## play by mail with real servers; needs `apt install postfix dovecot-imapd dovecot-lmtpd swaks`
	@$(BIN)/pytest -n 0 -v tests/mailservers $(ARGS)

test-scale: $(READY) ## the site with PostgreSQL, Redis and several processes; needs `apt install postgresql redis-server nginx-light caddy`, and root for systemd
	@$(BIN)/pytest -n 0 -v tests/scale $(ARGS)

attack: $(READY) ## attack a server, and measure what players notice (ARGS="-k sockets --baseline FILE")
	@$(BIN)/pytest -n 0 -v tests/attack tests/crash/test_clocks.py $(ARGS)

test-deploy: $(READY) ## the wheel alone, and the site behind nginx and Caddy as deploy/ has them; needs `apt install nginx-light caddy`
	@$(BIN)/pytest -n 0 -v tests/deploy $(ARGS)

strength: $(READY) ## measure the strength of the computer players
	@$(BIN)/python bench/strength.py $(ARGS)

format: $(STAMP) ## format the code and repair what can be repaired
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@if test -e $(NPM_STAMP); then $(NODE) node_modules/.bin/prettier --write --log-level warn .; fi

lock: $(STAMP) ## update uv.lock after a change in pyproject.toml
	@$(BIN)/uv lock --python $(BIN)/python --default-index https://pypi.org/simple $(ARGS)

messages: $(READY) ## collect texts for translation, write the catalogues (see docs/translating.md)
	@$(BIN)/python -m tools.messages

hooks: $(STAMP) ## install the git hooks of .pre-commit-config.yaml
	@$(BIN)/pre-commit install

# The packages that extras bring, in the tested versions.
EXPORT := $(BIN)/uv export --quiet --frozen --no-emit-project --no-default-groups --all-extras
DIST := dist

release: $(READY) ## write a new version number and the changes of its release (VERSION=1.0.0); see docs/releasing.md
	@$(BIN)/python -m tools.release "$(VERSION)"

dist: $(STAMP) ## build wheel, source archive, constraints and bill of materials in dist (SYSTEMS=all for a wheel of each system)
	@rm -rf $(DIST)
	@$(BIN)/uv build --quiet --python $(BIN)/python --out-dir $(DIST)
	@for system in $(SYSTEMS:all=$$($(BIN)/python -m tools.compiler.native --list)); do \
		ANTIPODES_SYSTEM=$$system $(BIN)/uv build --quiet --wheel --python $(BIN)/python --out-dir $(DIST) || exit 1; done
	@$(EXPORT) --no-hashes --no-annotate --no-header > $(DIST)/constraints.txt
	@$(EXPORT) --format cyclonedx1.5 --preview-features sbom-export > $(DIST)/sbom.cdx.json
	@ls $(DIST)

release-tag: ## check that TAG, from the environment, names the version of pyproject.toml
	@test "$$TAG" = "v$(VERSION)" || { echo "The tag $$TAG is not v$(VERSION), the version in pyproject.toml." >&2; exit 1; }

publish: $(STAMP) ## send dist to the Python Package Index; a workflow does it when a tag is pushed
	@$(BIN)/uv publish --trusted-publishing automatic dist/*.whl dist/*.tar.gz

sign: $(STAMP) ## sign each file of dist with Sigstore, by the identity of the workflow or the person who runs it
	@$(BIN)/uv tool run --from sigstore==4.5.1 sigstore sign dist/*

image: ## build the container image (IMAGE=name)
	@docker build --file deploy/Dockerfile --tag "$(IMAGE):$(VERSION)" .

push-image: ## push the container image to its registry
	@docker push "$(IMAGE):$(VERSION)"

clean: ## remove caches and built files
	@rm -rf build dist docs/_build .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	@find src tests bench docs -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

distclean: clean ## remove .venv and node_modules as well
	@rm -rf $(VENV) node_modules

# --- set-up ---------------------------------------------------------------------------------

define NEED_VENV
$(PYTHON) cannot make virtual environments: its modules venv and ensurepip are missing.
On Debian and Ubuntu: sudo apt install python3-venv
endef
export NEED_VENV

RECENT := -c 'import sys; sys.exit(sys.version_info < (3, 11))'

# The version of uv that uv.lock names, so that set-up is the same everywhere.
UV_PIN = $$($(BIN)/python -c 'import tomllib; lock = tomllib.load(open("uv.lock", "rb")); print(next(p["version"] for p in lock["package"] if p["name"] == "uv"))')

$(STAMP): pyproject.toml uv.lock
	@if $(MOVED); then echo "==> $(VENV) was made in another folder: making it again"; rm -rf $(VENV); fi
	@$(BIN)/python $(RECENT) 2>/dev/null || $(PYTHON) $(RECENT) 2>/dev/null || { \
		echo "Antipodes needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V 2>/dev/null || echo not there)."; \
		echo "If you have one under another name, say so: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; } >&2
	@$(BIN)/python $(RECENT) 2>/dev/null || $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$$NEED_VENV" >&2; exit 1; }
	@$(BIN)/python $(RECENT) 2>/dev/null || { \
		echo "==> Making $(VENV) with $$($(PYTHON) -V)" && $(PYTHON) -m venv --clear $(VENV); }
	@test "$$($(BIN)/uv --version 2>/dev/null | cut -d' ' -f2)" = "$(UV_PIN)" || { \
		echo "==> Installing uv $(UV_PIN) in $(VENV)" && \
		{ $(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip >/dev/null; } && \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check "uv==$(UV_PIN)"; }
	@echo "==> Installing what uv.lock names (the first time takes a minute)"
	@VIRTUAL_ENV= UV_PROJECT_ENVIRONMENT=$(VENV) $(BIN)/uv sync --quiet --frozen --all-extras --no-extra train --compile-bytecode --python $(BIN)/python
	@echo "$(CURDIR)" > $(STAMP)
	@echo "==> $(VENV) is ready"

# Where the compiler does not run everything works in plain Python, slowly. The library comes last: while
# it is old, both are compiled again.
$(LIBRARY): $(wildcard src/antipodes/*/kernels/*.py tools/compiler/*) src/antipodes/search/device.py | $(STAMP)
	@echo "==> Compiling the kernels"
	@if $(BIN)/python -m ziglang version >/dev/null 2>&1; then \
		$(BIN)/python -m tools.compiler.wasm && $(BIN)/python -m tools.compiler.native; \
		else echo "    NOT COMPILED: the package ziglang does not run here."; fi

# Without the registry JavaScript stays unchecked; packages that differ from the lock are an error.
$(NPM_STAMP): package.json package-lock.json $(STAMP)
	@mkdir -p build
	@rm -f $@
	@if $(NODE) npm ci --no-audit --no-fund --fetch-retries=1 >build/npm.log 2>&1; then touch $@; \
		elif grep -qE "code (EUSAGE|EINTEGRITY)" build/npm.log; then cat build/npm.log >&2; exit 1; fi
