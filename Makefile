# What people run. Each goal is one line in the list below; `make help` prints it.
#
# make                 the engine for this machine with the studio's page, at bin/vedette
# make EXE=name        the same at another name; EVALFILE=path builds another network in (OpenBench calls it so)
# make portable        the engine for every CPU of this machine's kind, at bin/vedette
# make net             from random weights to a network on an NVIDIA GPU (docs/gpu.md); goes on where it was ended
# make net DEVICE=cpu SCALE=0.0001   the same as a trial on the CPU; RECIPE=path and WORK=folder are others
# make ship NET=path   makes a network the one that is built in (docs/network.md)
# make page            the studio's page alone (needs Node); without it the studio shows how to get it
# make test            everything a change must pass: format, lints, all tests, the page in a browser, the documentation
# make proof           the whole proof, which takes longer: deep perft, two million compared half moves, licences
# make bench           speed: perft beside other libraries, a second thread, the cost of the match runner
#                      (GAMES=20: fewer of its games)
# make fuzz            five minutes of random input for each parser of the chess crate (needs nightly Rust and cargo-fuzz)
# make clean           removes what was built
#
# make and make test look for the tools they use and install what is missing (scripts/setup.sh): on a terminal they ask
# first; SETUP=no never installs; REQUIRE=all fails where something would be left out.

EXE := bin/vedette
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe)
TARGET := $(or $(CARGO_TARGET_DIR),target)
CARGO := cargo
FUZZ_SECONDS := 300
# By this name, because a line with the usual one is run by `make -n` as well.
SELF := $(MAKE)
GAMES := 200

# An absolute path, because the file is read from inside a crate's folder.
ifdef EVALFILE
export EVALFILE := $(abspath $(EVALFILE))
endif

.PHONY: setup native portable test scripts format lint doc unit proof licences bench fuzz help clean

# Builds for different processors live in different folders, so that neither forgets the other.
native: FLAGS := -C target-cpu=native
native: FOLDER := $(TARGET)/native
native: engine

portable: FLAGS :=
portable: FOLDER := $(TARGET)/portable
portable: engine

.PHONY: engine
engine: page
	@test ! -d "$(EXE)" || { echo "EXE=$(EXE) is a folder here; choose another name" >&2; exit 1; }
	RUSTFLAGS="$(strip $(RUSTFLAGS) $(FLAGS))" $(CARGO) build --release --locked --package vedette --target-dir "$(FOLDER)"
	@mkdir -p "$(dir $(EXE))"
	@# A program that is running cannot be written over, but its name can be given to another.
	cp "$(FOLDER)/release/vedette$(SUFFIX)" "$(EXE)$(SUFFIX).new"
	mv -f "$(EXE)$(SUFFIX).new" "$(EXE)$(SUFFIX)"

# Games, lessons and matches from random weights on, as the recipe of the shipped network says.
RECIPE := nets/recipes/gpu.toml
WORK := nets/work
DEVICE := cuda
SCALE := 1
.PHONY: net
net: native
	"$(EXE)" gpu loop "$(RECIPE)" --output "$(WORK)" --device $(DEVICE) --scale $(SCALE) \
		$(if $(wildcard $(WORK)/state.json),--resume)

# A network becomes nets/vedette.nnue, which is built in and judges, once a program with it inside has read it and
# searched with it.
.PHONY: ship
ship:
	@test -f "$(NET)" || { echo "make ship NET=path: which network?" >&2; exit 1; }
	@$(MAKE) --no-print-directory native EVALFILE="$(NET)"
	"$(EXE)" net info
	"$(EXE)" bench | tail -n 1
	cp "$(NET)" nets/vedette.nnue

# What is missing is looked for first; `make test` has its own list.
setup:
	@scripts/setup.sh build

# The studio's page, which goes into the program. Without Node everything else is built.
.PHONY: page page-test browser
page: setup
	@if scripts/setup.sh have node; then \
		$(MAKE) --no-print-directory web/dist/index.html \
			|| { echo "left out: the studio's page (its build failed)" >&2; test "$(REQUIRE)" != all; }; \
	fi

web/node_modules/.package-lock.json: web/package-lock.json
	cd web && npm ci --ignore-scripts --fetch-retries=1 --loglevel=error

web/dist/index.html: web/node_modules/.package-lock.json web/build.mjs $(shell find web/src web/static -type f)
	cd web && npm run --silent build

test:
	@MAKE="$(SELF)" CARGO="$(CARGO)" scripts/test.sh

scripts:
	@sh scripts/tests/setup.sh
	@MAKE="$(SELF)" sh scripts/tests/make.sh

format:
	$(CARGO) fmt --all --check

lint:
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	@scripts/check-commits.sh

# The code for GPUs is tested by its emulation on the CPU, which needs a C++ compiler.
NO_EMULATION = $(shell scripts/setup.sh have c++ || echo yes)

# The program of the tests can have the engine's named bugs, so that the doctor has something to find and nothing is built twice
# for it; without VEDETTE_MUTANT it has none. The engine's own tests are of the engine that is shipped, which cannot have them.
# What only the bugs and the tunable parameters have is tested at last, in one build.
unit: page
	@scripts/cargo-test.sh --workspace --exclude engine $(if $(NO_EMULATION),--exclude gpu) --features vedette/mutants --locked \
		$(if $(NO_EMULATION),-- $(addprefix --skip ,$(shell sed -n '/^\#\[test\]/{n;s/^fn \([a-z0-9_]*\).*/\1/p;}' vedette/tests/gpu_cli.rs)))
	@scripts/cargo-test.sh --package engine --locked
	@scripts/cargo-test.sh --package engine --package arena --lib --test properties --locked \
		--features engine/mutants,arena/tune -- every_mutant spsa options params

# What of the page needs no browser, and no program.
page-test: page
	cd web && npm run --silent check
	cd web && npm run --silent test:parts

# The page in a real browser, with the program that the tests have just built.
browser: page
	cd web && VEDETTE="$(abspath $(TARGET))/debug/vedette$(SUFFIX)" npm run --silent test:browser

doc:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked

proof: test
	VEDETTE_PROOF=1 $(CARGO) test --workspace --profile quick --locked
	$(CARGO) test --package engine --profile quick --locked -- --ignored
	VEDETTE_PROOF=1 $(CARGO) test --package vedette --features mutants --profile quick --test doctor_mutants --locked -- --nocapture
	$(MAKE) licences

licences:
	@command -v cargo-deny > /dev/null || { echo "cargo-deny is missing: cargo install --locked cargo-deny" >&2; exit 1; }
	$(CARGO) deny --all-features check licenses bans sources

bench:
	RUSTFLAGS="$(strip $(RUSTFLAGS) -C target-cpu=native)" $(CARGO) bench --locked --package chess --bench perft --target-dir "$(TARGET)/native"
	RUSTFLAGS="$(strip $(RUSTFLAGS) -C target-cpu=native)" $(CARGO) bench --locked --package engine --bench threads --target-dir "$(TARGET)/native"
	RUSTFLAGS="$(strip $(RUSTFLAGS) -C target-cpu=native)" $(CARGO) bench --locked --package zoo --bench runner --target-dir "$(TARGET)/native" -- $(GAMES)

fuzz:
	@for target in fen epd san uci; do \
		mkdir -p fuzz/corpus/$$target; \
		$(CARGO) +nightly fuzz run $$target fuzz/corpus/$$target fuzz/seeds/$$target -- -max_total_time=$(FUZZ_SECONDS) || exit 1; \
	done

help:
	@sed -n 's/^# \(make.*\)/\1/p' Makefile

clean:
	$(CARGO) clean
	rm -rf bin web/dist web/node_modules
