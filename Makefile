# Two commands: `make play` and `make test`. Both install what they need; again is quick.
# And three for the computer of a real table: `make install`, `make update`, `make rollback`.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := play
.PHONY: play test test-picamera2 test-pages install update rollback debian clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= $(shell nproc)

# what the table runs on, and what testing every part of it takes besides
DEBIAN_PLAY := python3-venv gcc libc6-dev gcc-avr avr-libc binutils-avr libsimavr-dev libelf-dev
DEBIAN_TEST := $(DEBIAN_PLAY) chromium
# and a Raspberry Pi besides: its camera, its name and its own network, a flasher for the lights;
# some of picamera2's parts are compiled again where the system's numpy is the old one
DEBIAN_TABLE := $(DEBIAN_PLAY) git make python3-dev avrdude avahi-daemon network-manager dnsmasq-base polkitd
DEBIAN_TABLE += $(if $(shell grep -sa 'Raspberry Pi' /proc/device-tree/model),python3-picamera2)

# PORT=8080 is another port; WORDS="--lang en" whatever else `arbitre play --help` lists
play: DEBIAN := $(DEBIAN_PLAY)
play: debian $(VENV)/installed
	@$(BIN)/arbitre play $(if $(PORT),--port $(PORT)) $(WORDS)

test: DEBIAN := $(DEBIAN_TEST)
test: debian $(VENV)/installed-for-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .
	$(BIN)/pytest -n $(JOBS) --dist worksteal -q

# the Pi camera's adapter on the real picamera2 without a Pi, in a Debian of its own: needs root,
# the machine's own mirror and 0.7 GB under build/
test-picamera2: $(VENV)/installed
	tests/vision/picamera2/run.sh build/picamera2 $(abspath $(BIN)/python)

# every game by taps in the browser, in both languages, and whole games: minutes
test-pages: DEBIAN := $(DEBIAN_TEST)
test-pages: debian $(VENV)/installed-for-tests
	$(BIN)/pytest -q tests/web/browser/all_games.py

# this computer as a table: /opt/arbitre, a service that starts with it, a name in the network, a
# network of its own. NAME is the computer's, ANYWAY=1 is for systems where this was never tried
NAME ?= arbitre
AS_ROOT := $(if $(filter 0,$(shell id -u)),,sudo)
INSTALL := $(AS_ROOT) env PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -m web.machine.install
install: DEBIAN := $(DEBIAN_TABLE)
install: debian
	$(INSTALL) install --name $(NAME) $(if $(ANYWAY),--anyway)

# what was published since, beside what runs; where it does not answer, the old one runs on
update: DEBIAN := $(DEBIAN_TABLE)
update: debian
	$(if $(SUDO_USER),sudo -u $(SUDO_USER)) git pull --ff-only
	$(INSTALL) update $(if $(ANYWAY),--anyway)

rollback:
	$(INSTALL) rollback

# asks Debian only for what is missing; without root it says so and goes on with what there is
debian:
	@missing=(); for package in $(DEBIAN); do \
	  [ "$$(dpkg-query -W -f '$${db:Status-Status}' $$package 2>/dev/null)" = installed ] || missing+=($$package); \
	done; \
	if [ $${#missing[@]} -gt 0 ]; then \
	  if [ $$(id -u) = 0 ]; then as=; elif sudo -n true 2>/dev/null || [ -t 0 ]; then as=sudo; else as=none; fi; \
	  if [ "$$as" = none ] || ! command -v apt-get >/dev/null; then \
	    echo "Not installed, and no right to install them: $${missing[*]}" >&2; \
	  else \
	    echo "Installing from Debian: $${missing[*]}"; \
	    $$as apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$as apt-get install -y -qq --no-install-recommends $${missing[@]} >/dev/null \
	      || echo "Some packages could not be installed: $${missing[*]}" >&2; \
	  fi; \
	fi

# a venv that failed half-way would look finished the next time
$(VENV)/bin/pip: | debian
	@echo "Making $(VENV) and filling it: a minute the first time, nothing later"
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "Nothing starts without Python's venv. Whoever may install here: apt-get install python3-venv" >&2; exit 1; }

$(VENV)/installed: pyproject.toml constraints.txt | $(VENV)/bin/pip
	@$(BIN)/pip install --disable-pip-version-check -qq -c constraints.txt -e .
	@touch $@

# ludopy asks for the OpenCV build with windows, which would overwrite ours: only its own code is wanted
$(VENV)/installed-for-tests: $(VENV)/installed
	$(BIN)/pip install --disable-pip-version-check -q -c constraints.txt -e '.[test]' chess
	$(BIN)/pip install --disable-pip-version-check -q -c constraints.txt --no-deps ludopy
	@touch $@

clean:
	rm -rf $(VENV) build
