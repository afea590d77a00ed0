# One command each; `make help` lists them. The environment is made from the hashed pins and kept until they change.

PYTHON ?= python3
# The Pythons to measure, the reference first: versions, or paths of interpreters. Default: PYTHON, else the interpreter
# that the environment was made from, which may differ from the python3 on the path.
PYTHONS ?=
PROFILE ?= quick
PORT ?= 8000
COMMA := ,
BIN := .venv/bin
# Into the environment, whatever pip's settings are.
export PIP_USER := 0
# Without byte code, each of hundreds of commands would compile everything that it imports.
unexport PYTHONDONTWRITEBYTECODE
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet install --require-hashes
AS_PIP := requirements/as_pip.sh
UV := $(AS_PIP) $(BIN)/uv pip install --quiet --python .venv --require-hashes
NOT_INSTALLED := { echo "uv could not install: behind a proxy set HTTPS_PROXY, for a mirror UV_DEFAULT_INDEX," \
	"for a certificate of your network SSL_CERT_FILE, and run make $(MAKECMDGOALS) again"; exit 2; }
INSTALL = @echo "$(UV) $(1)"; $(UV) $(1) || $(NOT_INSTALLED)

WITH_ANOTHER := make $(MAKECMDGOALS) PYTHON=python3.13
EXISTS := command -v "$(PYTHON)" >/dev/null || { echo "there is no Python called $(PYTHON): $(WITH_ANOTHER)"; exit 2; }

# Making the environment empties its folder: through a link, that would be somebody else's.
UNLINKED := test ! -L .venv || \
	{ echo ".venv is a symbolic link, and what it leads to would be emptied or changed: rm .venv only removes the link"; exit 2; }

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup report try measure site serve dev test test-quick try-mine lint bench bench-try validate validate-long size pins clean alive

help: ## list the commands
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:[^#]*## /	/' | expand -t 15

setup: .venv/site.done ## make the environment in .venv (seconds)

# The complete map takes half an hour: python -m runners run --profile map. This part of it takes five minutes.
PART_OF_map := --rounds 3 --case "10 tasks" --case "100 tasks" --case "1,000 tasks"
THE_PYTHON = --python "$$(command -v "$(PYTHON)")"
MEASURE = $(AS_PIP) $(BIN)/python -m runners run --profile $(PROFILE) $(PART_OF_$(PROFILE)) \
	$(if $(PYTHONS),$(foreach python,$(subst $(COMMA), ,$(PYTHONS)),--python $(python)),$(if $(filter file,$(origin PYTHON)),,$(THE_PYTHON)))
# Status 3 of the generator: some result files were left out; it has named them, and so does the site.
SITE = { $(BIN)/python -m generate || test $$? -eq 3; } && \
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict --config-file build/mkdocs.yml

# The run's last lines are its answer, or that the machine was busy: the output of the site builder is left out.
# Status 4 of the run: some series have no value; it has named them, and the site is built all the same.
report: .venv/site.done ## measure this machine's Python (or PYTHONS="3.11 3.13"), build the site, print where it is (about 5 minutes)
	@status=0; $(MEASURE) || status=$$?; \
	test $$status -eq 0 || test $$status -eq 4 || exit $$status; \
	{ $(SITE); } >/dev/null || exit; \
	echo "The site is in build/site; to browse it: make serve"; \
	test $$status -eq 0 || echo "Not all could be measured: the run's last lines above, after its tables, say what and why"; \
	exit $$status

# It measures with PYTHON if that is given, else with the active environment. Further options: OPTIONS="--at-once 50".
try: .venv/site.done ## measure your own function with every model: make try WORK=thumbs.py:resize ITEMS=photos.txt
	@test -n "$(WORK)" || { echo "which function? make try WORK=thumbs.py:resize ITEMS=photos.txt"; exit 2; }
	@$(AS_PIP) $(BIN)/python -m runners try "$(WORK)" $(if $(ITEMS),--items "$(ITEMS)") \
	$(if $(filter file,$(origin PYTHON)),,$(THE_PYTHON)) $(OPTIONS)

measure: .venv/site.done
	$(MEASURE)

site: .venv/site.done ## build the site from results/ and results/local/
	$(SITE)

serve: ## browse the built site on this machine (PORT=8000)
	@test -d build/site || { echo "there is no site yet: run make report"; exit 2; }
	@"$(PYTHON)" -c 'import socket; socket.create_server(("127.0.0.1", $(PORT)))' 2>/dev/null || \
		{ echo "port $(PORT) can't be had: make serve PORT=8001"; exit 2; }
	@echo "http://127.0.0.1:$(PORT)/ (Ctrl-C ends it)"
	@"$(PYTHON)" -m http.server --bind 127.0.0.1 --directory build/site $(PORT)

dev: .venv/site.done ## build, serve and watch: an edited page, template, style or script is in the browser in seconds
	$(BIN)/python -m generate dev --port $(PORT)

# Two workers; tests that depend on time or load the machine run in one of them, one after the other (tests/conftest.py).
PYTEST := $(BIN)/python -m pytest -n 2
QUICK := -m "not serial and not processes"

test: .venv/dev.done ## pass all tests (about 5 minutes)
	$(PYTEST)

test-quick: .venv/dev.done ## pass the tests that need no browser and start no processes (about a minute)
	$(PYTEST) $(QUICK)

try-mine: .venv/dev.done ## pass the tests nearest to what you changed (BASE=main)
	$(BIN)/python tests/nearest.py $(or $(BASE),main)

lint: .venv/dev.done ## lint and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/mypy --config-file= --strict --explicit-package-bases tests/harness/faulty tests/validate/planted

bench: .venv/dev.done site ## print what generating costs, and what pages cost in a browser
	$(BIN)/python tests/bench_generate.py
	$(BIN)/python tests/bench_site.py

bench-try: .venv/dev.done ## print how often try finds the model known to be best (40 minutes, idle machine)
	$(BIN)/python tests/bench_try.py

validate: .venv/dev.done ## try the statistics on the committed runs, and keep the figures (half a minute)
	$(BIN)/python tests/validate

validate-long: .venv/dev.done ## measure planted slowdowns, and compare with pyperf and load generators (half an hour, idle machine)
	$(BIN)/python tests/validate slowdown pyperf meters

size: ## print the size of the project (for another checkout: python tests/size.py FOLDER)
	@"$(PYTHON)" tests/size.py

pins: .venv/site.done ## pin every requirement again, with hashes
	PATH="$(CURDIR)/$(BIN):$$PATH" $(AS_PIP) requirements/pin.sh

clean: ## remove everything that can be rebuilt; results stay
	rm -rf build .venv .cache

# An environment outlives the Python that it was made from if that is upgraded or removed.
alive:
	@$(if $(filter file,$(origin PYTHON)),,$(EXISTS))
	@test -L .venv || test ! -e .venv/site.done || $(BIN)/python -c '' 2>/dev/null || \
		{ echo "the Python that .venv was made from is gone: rm -rf .venv, then make $(MAKECMDGOALS) again"; exit 2; }

# pip only installs uv, which installs the rest in seconds instead of half a minute.
.venv/site.done: requirements/uv.txt requirements/site.txt | alive
	@$(UNLINKED)
	@$(EXISTS)
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11) and 3)' || \
		{ test $$? -eq 3 && echo "$(PYTHON) is older than Python 3.11: $(WITH_ANOTHER)"; exit 2; }
	"$(PYTHON)" -m venv --clear .venv
	$(PIP) -r requirements/uv.txt
	$(call INSTALL,-r requirements/site.txt)
	@touch $@

.venv/dev.done: .venv/site.done requirements/dev.txt requirements/runners.txt
	@$(UNLINKED)
	$(call INSTALL,-r requirements/dev.txt -r requirements/runners.txt)
	@touch $@
