# What people run. Each goal is one line in the list below; `make help` prints it.
#
# make                 the engine for this machine, at bin/vedette
# make EXE=name        the same at another name; EVALFILE=path builds another network in (OpenBench calls it so)
# make portable        the engine for every CPU of this machine's kind, at bin/vedette
# make test            everything a change must pass: format, lints, all tests, the documentation
# make proof           the whole proof, which takes longer: deep perft, two million compared half moves, licences
# make bench           speed: perft beside other libraries, a second thread, the cost of the match runner
# make fuzz            five minutes of random input for each parser of the chess crate (needs nightly Rust and cargo-fuzz)
# make clean           removes what was built

EXE := bin/vedette
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe)
TARGET := $(or $(CARGO_TARGET_DIR),target)
CARGO := cargo
FUZZ_SECONDS := 300

# An absolute path, because the file is read from inside a crate's folder.
ifdef EVALFILE
export EVALFILE := $(abspath $(EVALFILE))
endif

.PHONY: native portable test format lint doc unit proof licences bench fuzz help clean

# Builds for different processors live in different folders, so that neither forgets the other.
native: FLAGS := -C target-cpu=native
native: FOLDER := $(TARGET)/native
native: engine

portable: FLAGS :=
portable: FOLDER := $(TARGET)/portable
portable: engine

.PHONY: engine
engine:
	@test ! -d "$(EXE)" || { echo "EXE=$(EXE) is a folder here; choose another name" >&2; exit 1; }
	RUSTFLAGS="$(strip $(RUSTFLAGS) $(FLAGS))" $(CARGO) build --release --locked --package vedette --target-dir "$(FOLDER)"
	@mkdir -p "$(dir $(EXE))"
	@# A program that is running cannot be written over, but its name can be given to another.
	cp "$(FOLDER)/release/vedette$(SUFFIX)" "$(EXE)$(SUFFIX).new"
	mv -f "$(EXE)$(SUFFIX).new" "$(EXE)$(SUFFIX)"

test: format lint unit doc

format:
	$(CARGO) fmt --all --check

lint:
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

unit:
	$(CARGO) test --workspace --locked
	$(CARGO) test --package engine --features mutants --lib --locked every_mutant
	$(CARGO) test --package lab --features tune --lib --locked spsa

doc:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked

proof: test
	VEDETTE_PROOF=1 $(CARGO) test --workspace --profile quick --locked
	$(MAKE) licences

licences:
	@command -v cargo-deny > /dev/null || { echo "cargo-deny is missing: cargo install --locked cargo-deny" >&2; exit 1; }
	$(CARGO) deny --all-features check licenses bans sources

bench:
	RUSTFLAGS="$(strip $(RUSTFLAGS) -C target-cpu=native)" $(CARGO) bench --locked --package chess --bench perft --target-dir "$(TARGET)/native"
	RUSTFLAGS="$(strip $(RUSTFLAGS) -C target-cpu=native)" $(CARGO) bench --locked --package engine --bench threads --target-dir "$(TARGET)/native"
	RUSTFLAGS="$(strip $(RUSTFLAGS) -C target-cpu=native)" $(CARGO) bench --locked --package lab --bench runner --target-dir "$(TARGET)/native"

fuzz:
	@for target in fen epd san uci; do \
		mkdir -p fuzz/corpus/$$target; \
		$(CARGO) +nightly fuzz run $$target fuzz/corpus/$$target fuzz/seeds/$$target -- -max_total_time=$(FUZZ_SECONDS) || exit 1; \
	done

help:
	@sed -n 's/^# \(make.*\)/\1/p' Makefile

clean:
	$(CARGO) clean
	rm -rf bin
