# Two commands do everything from a fresh clone: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LOWEST := .venv-lowest
ARGS ?=
# The camera modules of a Pi and, for Python 3.13, the library of its pins come with the system's Python only, so the
# environment looks there too where one of them is.
SITE := $(shell $(PYTHON) -c 'from importlib.util import find_spec; print("--system-site-packages" if find_spec("picamera2") or find_spec("lgpio") else "")')

.DEFAULT_GOAL := help
.PHONY: help install package run check test lint style types lowest emulator firmware fuzz soak axe bench bench-vision train docs words lock clean

help: ## this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "trueroll needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	$(PYTHON) -m venv $(SITE) $(VENV)
	touch $@

$(VENV)/.installed: $(VENV)/.made requirements/kiosk.txt pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/kiosk.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	touch $@

# Both in one go, which pip is quicker with; each file is compiled as it is used, as of most packages little is.
$(VENV)/.test: $(VENV)/.made requirements/kiosk.txt requirements/test.txt pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes \
	    -r requirements/kiosk.txt -r requirements/test.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	touch $(VENV)/.installed $@

# The kiosk's own pip installs there, too: a second one would take as long to make as a third of all that it installs.
$(LOWEST)/.installed: requirements/lowest.txt pyproject.toml | $(VENV)/.made
	test -x $(LOWEST)/bin/python || $(PYTHON) -m venv --without-pip $(LOWEST)
	$(BIN)/python -m pip --python $(LOWEST)/bin/python install --quiet --disable-pip-version-check --no-compile \
	    --require-hashes -r requirements/lowest.txt
	$(BIN)/python -m pip --python $(LOWEST)/bin/python install --quiet --disable-pip-version-check --no-build-isolation \
	    --no-deps --editable .
	touch $@

install: $(VENV)/.installed ## everything the kiosk needs, into .venv

package: $(VENV)/.installed ## a Debian package with all libraries; ARGS="trixie arm64", else for this computer's Debian
	@scripts/package.sh $(ARGS)

run: $(VENV)/.installed ## start the kiosk; ARGS="--demo" needs no hardware
	@$(BIN)/trueroll run $(ARGS)

lint: style types ## style and types

style: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test
	$(BIN)/mypy

# The lowest versions have wheels for Python 3.11 and 3.12 only; newer Pythons say so and go on.
HAS_LOWEST := $(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 13))'

lowest: ## each dependency's edge, on the lowest supported versions
	@if $(HAS_LOWEST); then \
	    $(MAKE) --no-print-directory $(LOWEST)/.installed && \
	    $(LOWEST)/bin/python -m pytest -q -p no:cacheprovider tests/lowest; \
	else echo "Lowest versions: left out, they have no wheels for this Python (3.11 and 3.12 have)."; fi

# Where it cannot be made, `lowest` tries again and says why.
.PHONY: lowest-made
lowest-made: $(VENV)/.made
	-@! $(HAS_LOWEST) || $(MAKE) --no-print-directory $(LOWEST)/.installed

EMULATOR := firmware_bridge/emulator
EMULATOR_FLAGS := -O2 -std=c11 -Wall -Wextra -Werror

emulator: build/emulator/tray-emulator build/emulator/readers.so ## the emulated tray, which runs the tray's firmware (GPL, for tests)

build/emulator/tray-emulator: $(wildcard $(EMULATOR)/*.[ch]) | $(AFTER)
	@mkdir -p $(@D)
	$(CC) $(EMULATOR_FLAGS) -o $@ $(filter %.c,$^) -lsimavr -lelf -lm

# The reader's model alone, for the tests of its registers.
build/emulator/readers.so: $(addprefix $(EMULATOR)/,mfrc522.c picc.c mfrc522.h picc.h) | $(AFTER)
	@mkdir -p $(@D)
	$(CC) $(EMULATOR_FLAGS) -fPIC -shared -o $@ $(filter %.c,$^)

build/emulator/bench.elf: tests/firmware_bridge/bench_firmware/main.c | $(AFTER)
	@mkdir -p $(@D)
	avr-gcc -mmcu=atmega328p -DF_CPU=16000000UL -Os -std=gnu11 -Wall -Wextra -Werror -o $@ $<

firmware: | $(AFTER) ## the tray's firmware, and how much of the chip it takes; see docs/tray.md
	@$(MAKE) --no-print-directory -C firmware_bridge/firmware BUILD=$(CURDIR)/build/firmware

# The firmware's portable part on this computer, watched by the sanitizers: for tests and for fuzzing.
FIRMWARE := firmware_bridge/firmware/core
HOST := tests/firmware_bridge/firmware_host
HOST_FLAGS := -std=gnu11 -g -O1 -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all
HOST_HEADERS := $(wildcard $(FIRMWARE)/*.h $(HOST)/*.h $(EMULATOR)/mfrc522.h $(EMULATOR)/picc.h)
CODEC := $(addprefix $(FIRMWARE)/,checksum.c framing.c messages.c)
DESK := $(HOST)/desk_board.c $(wildcard $(FIRMWARE)/*.c) $(addprefix $(EMULATOR)/,mfrc522.c picc.c)
HOST_PROGRAMS := $(addprefix build/host/,codec desk fuzz-codec fuzz-tray)
SECONDS ?= 600
SEED ?= $(shell date +%s)

.PHONY: firmware-host
firmware-host: $(HOST_PROGRAMS)

build/host/codec: $(HOST)/codec.c $(CODEC)
build/host/desk: $(HOST)/desk.c $(DESK)
build/host/fuzz-codec: $(HOST)/fuzz_codec.c $(CODEC)
build/host/fuzz-tray: $(HOST)/fuzz_tray.c $(DESK)
build/host/fuzz-codec build/host/fuzz-tray: HOST_FLAGS += -fsanitize-coverage=trace-pc
build/host/fuzz-codec build/host/fuzz-tray: build/host/fuzz-engine.o

# The engine itself is not watched: it would breed on its own steps.
build/host/fuzz-engine.o: $(HOST)/fuzz_engine.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -g -O2 -Wall -Wextra -Werror -c -o $@ $<

$(HOST_PROGRAMS): $(HOST_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(HOST_FLAGS) -o $@ $(filter %.c %.o,$^)

fuzz: firmware-host ## breed inputs for the firmware's codec and whole portable part; SECONDS=600 SEED=…
	@mkdir -p build/fuzz
	cd build/fuzz && ../host/fuzz-codec $(SECONDS) $(SEED) && ../host/fuzz-tray $(SECONDS) $(SEED)

# Python keeps what it compiled, whatever the shell says otherwise: the tests load the program often.
check test lowest soak: export PYTHONDONTWRITEBYTECODE :=

check: $(VENV)/.test ## style, types and the quick tests of what changed, in less than a minute; ARGS="--since REVISION"
	@$(BIN)/python -m tests.check $(ARGS)

# Packages come over the network while others install; what is compiled with them waits (AFTER).
INSTALLED := packages $(VENV)/.test lowest-made firmware emulator build/emulator/bench.elf

.PHONY: packages
packages:
	@scripts/system-packages.sh

# In the folders' own order the long files of e2e come early and many short ones last, so that all end together; those
# whose tests wait come among the long ones (WAITING in tests/conftest.py), as the cores rest while they are all that is left;
# six at once on two cores, because a page's test waits for a browser, and a tray's for its clock: with four, the cores
# rest for two fifths of the time. Types and the lowest versions use what is left of them beside, from the moment that
# all is installed; where they find nothing they say nothing, so that pytest's closing line comes last. pytest's
# temporary files lie in memory where 2 GB are free there and programs in it may run: to write them to the disk costs tests
# of storage most of their time.
test: ## install what tests need, then style, types and every test in its short form; ARGS="--hypothesis-seed=new"
	$(MAKE) --no-print-directory --jobs=3 --output-sync=target AFTER=packages $(INSTALLED)
	@mkdir -p build
	@nice -n 5 $(MAKE) --no-print-directory --keep-going types lowest > build/beside.txt 2>&1 & beside=$$!; \
	trap "kill $$beside" HUP INT TERM; \
	$(MAKE) --no-print-directory style || { kill $$beside; exit 1; }; \
	free=`df --output=avail /dev/shm 2> /dev/null | tail -n 1`; room=; \
	[ "$${free:-0}" -lt 2000000 ] || findmnt --noheadings --output OPTIONS --target /dev/shm | grep -qw noexec || \
	    room=`mktemp -d /dev/shm/roll-XXXXXX 2> /dev/null`; \
	trap 'rm -rf "$$room"' EXIT; \
	env $${room:+"TMPDIR=$$room"} \
	    $(BIN)/python -m pytest --numprocesses=6 --dist=loadfile --no-loadscope-reorder $(ARGS); tests=$$?; \
	wait $$beside; beside=$$?; [ $$beside = 0 ] || cat build/beside.txt; exit $$((tests | beside))

# The soak writes firmware to the emulated board by the real tool, through real boot loaders.
soak: $(VENV)/.test ## the long forms of the tests, from a new seed; ARGS="replug=200 frames=100000 tests=tests/rules seed=7"
	@scripts/system-packages.sh avrdude arduino-core-avr
	$(BIN)/python -m tests.soak $(ARGS)

bench: $(VENV)/.test ## print what the kiosk costs on this machine, and which marks are held; ARGS=--pages for these alone
	@scripts/system-packages.sh
	$(BIN)/python -m tests.bench $(ARGS)

axe: $(VENV)/.test ## print what axe finds on every page in every state; some minutes
	@scripts/system-packages.sh
	$(BIN)/python -m tests.bench.axe $(ARGS)

bench-vision: $(VENV)/.test ## print how well dice are read
	$(BIN)/python -m tests.bench.vision_report $(ARGS)

$(VENV)/.training: $(VENV)/.installed requirements/training.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/training.txt
	touch $@

train: $(VENV)/.training ## train the reader's networks on rendered dice; hours on two cores
	$(BIN)/python -m vision.training $(ARGS)

docs: $(VENV)/.test ## write what is generated: rules by ID, settings, pictures
	@scripts/system-packages.sh
	$(BIN)/python -m tests.rules_reference
	$(BIN)/python -m kiosk.config > docs/configuration.md
	$(BIN)/python -m tests.tray_wiring > docs/tray.svg
	$(BIN)/python -m tests.docs_pictures

words: $(VENV)/.test ## collect every template for those who translate; docs/languages.md
	$(BIN)/python -m tests.words

lock: ## write the lock files anew
	scripts/lock.sh

clean: ## remove what make made
	rm -rf $(VENV) $(LOWEST) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
