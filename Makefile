# Targets for people. `make help` prints this list.
#
# make                 build bin/vedette for this CPU, with the studio's page
# make EXE=name        build it as `name`; EVALFILE=path builds in another network; FEATURES=parquet reads and writes Parquet
# make engine          build only the engine (UCI, bench, perft, selfplay) without the tools; FEATURES=tune for SPSA
# make portable        build bin/vedette for every CPU of this architecture
# make net             train a network from random weights on an NVIDIA GPU (docs/gpu.md), or resume it
# make net DEVICE=cpu SCALE=0.0001   a trial on the CPU; RECIPE=path and WORK=folder select others
# make ship NET=path   make a network the built-in one (docs/network.md)
# make page            build only the studio's page (needs Node)
# make test            run what a change must pass: formatting, lints, tests, browser tests, documentation
# make proof           run `make test`, the long tests, the licence check, the sanitizers and each fuzz target for a minute: hours
# make notices         write bin/THIRD-PARTY.txt: the licences of everything that is part of the binary
# make bench           measure speed: perft against other libraries, a second thread, the match runner (GAMES=20: fewer games)
# make fuzz            fuzz each parser for FUZZ_SECONDS, 300 by default (needs nightly Rust and cargo-fuzz)
# make sanitize        run tests under AddressSanitizer, ThreadSanitizer, Miri and valgrind (needs nightly Rust)
# make cross           check the code for Windows, macOS and 64-bit ARM; NEON and bench on 64-bit ARM under qemu
# make signature       compare the node count of bench with the last `Bench: N` of the history
# make msrv            check the code with the oldest supported Rust
# make book            build the documentation as a book in target/book (needs mdBook)
# make dist            make the release archive of this system in target/dist; PGO=yes: with profile-guided optimisation
# make package         run cargo package for the libraries (docs/chess.md)
# make deb             make a Debian package in target/dist
# make web-lint        formatting and lints of the page (Biome); make format-device formats the GPU code (clang-format)
# make clean           remove everything that was built
#
# `make` and `make test` check for the tools they use and install missing ones (scripts/setup.sh). On a terminal they
# ask first. SETUP=no installs nothing; REQUIRE=all fails where something would be skipped.

EXE := bin/vedette
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe)
TARGET := $(or $(CARGO_TARGET_DIR),target)
CARGO := cargo
FUZZ_SECONDS := 300
# Not $(MAKE): make runs lines with that name even with -n.
SELF := $(MAKE)
GAMES := 200

# Absolute, because build scripts run in the folder of their crate.
ifdef EVALFILE
export EVALFILE := $(abspath $(EVALFILE))
endif

.PHONY: setup native portable engine test scripts format format-device lint web-lint classroom doc unit proof licences notices bench fuzz sanitize help clean

# Builds $(EXE) in a target folder, with flags for the compiler and for cargo. Each kind of build has its own folder,
# so that switching does not rebuild everything. A running binary cannot be overwritten, but it can be replaced.
define build
	@test ! -d "$(EXE)" || { echo "EXE=$(EXE) is a directory" >&2; exit 1; }
	RUSTFLAGS="$(strip $(RUSTFLAGS) $(2))" $(CARGO) build --release --locked --package vedette --target-dir "$(1)" $(3)
	@mkdir -p "$(dir $(EXE))"
	cp "$(1)/release/vedette$(SUFFIX)" "$(EXE)$(SUFFIX).new"
	mv -f "$(EXE)$(SUFFIX).new" "$(EXE)$(SUFFIX)"
endef

native: page
	$(call build,$(TARGET)/native,-C target-cpu=native,$(if $(FEATURES),--features $(FEATURES)))

portable: page
	$(call build,$(TARGET)/portable,,$(if $(FEATURES),--features $(FEATURES)))

engine:
	$(call build,$(TARGET)/engine,-C target-cpu=native,--no-default-features $(if $(FEATURES),--features $(FEATURES)))

# Self-play, training and matches from random weights, with the recipe of the shipped network.
RECIPE := nets/recipes/gpu.toml
WORK := nets/work
DEVICE := cuda
SCALE := 1
.PHONY: net
net: native
	"$(EXE)" gpu loop "$(RECIPE)" --output "$(WORK)" --device $(DEVICE) --scale $(SCALE) \
		$(if $(wildcard $(WORK)/state.json),--resume)

# Copies a network to nets/vedette.nnue after a build with it has loaded it and run bench.
.PHONY: ship
ship:
	@test -f "$(NET)" || { echo "NET=$(NET): no such file; usage: make ship NET=path" >&2; exit 1; }
	@$(MAKE) --no-print-directory native EVALFILE="$(NET)"
	"$(EXE)" net info
	"$(EXE)" bench | tail -n 1
	cp "$(NET)" nets/vedette.nnue

# Tools for a build; scripts/test.sh checks for those of `make test`.
setup:
	@scripts/setup.sh build

# The studio's page, embedded in the binary. Without Node only the page is missing.
.PHONY: page page-test browser
page: setup
	@if scripts/setup.sh have node; then \
		$(MAKE) --no-print-directory web/dist/index.html \
			|| { echo "skipped: the studio's page (its build failed)" >&2; test "$(REQUIRE)" != all; }; \
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
	@sh scripts/tests/rating.sh

format:
	$(CARGO) fmt --all --check
	$(CARGO) fmt --manifest-path classroom/Cargo.toml --check

# The device code. Versions of clang-format differ in details; CI uses the one in .github/workflows/ci.yml.
format-device:
	clang-format -i crates/gpu/device/*.h crates/gpu/device/*.cpp crates/gpu/device/*.cu crates/train/src/backend/cuda/kernels.cu

lint:
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	@scripts/check-commits.sh

# Formatting and lints of the page, with Biome. It is not a dependency, because it is as large as all others together.
web-lint:
	cd web && npm run --silent lint

# The GPU code is tested in its CPU emulation, which needs a C++ compiler.
NO_EMULATION = $(shell scripts/setup.sh have c++ || echo yes)

# The workspace is tested with the mutants feature, because the tests of the doctor need it; without VEDETTE_MUTANT it
# changes nothing. The properties of the search are tested again without it, as the engine is shipped; the last line
# tests what only exists with the tune feature. Each line selects the whole workspace: another selection would give
# dependencies other features, and compile them again.
unit: page
	@scripts/cargo-test.sh --workspace $(if $(NO_EMULATION),--exclude gpu) --features vedette/mutants --locked \
		$(if $(NO_EMULATION),-- $(addprefix --skip ,$(shell sed -n '/^\#\[test\]/{n;s/^fn \([a-z0-9_]*\).*/\1/p;}' vedette/tests/gpu_cli.rs)))
	@scripts/cargo-test.sh --workspace --test games --test properties --locked
	@scripts/cargo-test.sh --workspace --test tune --features arena/tune --locked

# The exercises compile, and the answers pass their checks.
classroom:
	$(CARGO) check --manifest-path classroom/Cargo.toml --all-targets --locked --target-dir "$(TARGET)/classroom"
	$(CARGO) test --quiet --manifest-path classroom/Cargo.toml --features answers --locked --target-dir "$(TARGET)/classroom"

# Type check and tests of the page that need neither a browser nor the binary.
page-test: page
	cd web && npm run --silent check
	cd web && npm run --silent test:parts

# The page in a real browser, served by the debug binary of the tests.
browser: page
	cd web && VEDETTE="$(abspath $(TARGET))/debug/vedette$(SUFFIX)" npm run --silent test:browser

doc:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked

# All tests in an optimised build, and the ignored tests that need neither a GPU nor other files.
proof: test
	$(CARGO) test --workspace --profile quick --locked
	$(CARGO) test --package vedette-chess --package vedette-nnue --test proof --profile quick --locked -- --ignored proof
	scripts/tables.sh
	$(CARGO) test --package vedette-tables --test retrograde --profile quick --locked -- --ignored --nocapture
	$(CARGO) test --package vedette-engine --profile quick --locked -- --ignored
	$(CARGO) test --package review --test explanations --profile quick --locked -- --ignored --nocapture
	$(CARGO) test --package vedette-record --features parquet --test parquet --test dataset --locked
	$(CARGO) test --package vedette-record --package arena --package train --package studio --lib --test crashes --locked \
		-- --ignored --nocapture crash linear
	VEDETTE_PROOF=1 $(CARGO) test --package vedette-engine --package studio --package vedette --lib --bin vedette --profile quick --locked \
		-- model interleavings
	$(CARGO) test --package vedette --features mutants --bin vedette --test uci_transcripts --test doctor_mutants --profile quick --locked \
		-- --ignored --nocapture --skip full_runs
	$(CARGO) test --package vedette --test soak --test documentation --profile quick --locked -- --ignored --nocapture
	$(MAKE) portable EXE=target/games/vedette && scripts/games.sh target/games/vedette
	$(MAKE) native
	scripts/books.sh "$(EXE)"
	scripts/tests/cpu.sh "$(EXE)"
	$(MAKE) cross
	$(MAKE) licences
	@if rustup toolchain list 2> /dev/null | grep -q ^nightly; then $(MAKE) sanitize; else echo "skipped: sanitizers (no nightly Rust)"; fi
	@if command -v cargo-fuzz > /dev/null; then $(MAKE) fuzz FUZZ_SECONDS=60; else echo "skipped: fuzzing (no cargo-fuzz)"; fi

# Tests under AddressSanitizer, ThreadSanitizer, Miri and valgrind.
sanitize:
	scripts/sanitize.sh address
	scripts/sanitize.sh thread
	scripts/sanitize.sh miri
	scripts/sanitize.sh valgrind

.PHONY: cross signature msrv release dist deb book package
# Other systems, as far as their targets and tools are installed.
cross:
	CARGO="$(CARGO)" scripts/cross.sh

signature:
	$(MAKE) portable EXE=$(TARGET)/signature/vedette
	scripts/check-bench.sh $(TARGET)/signature/vedette$(SUFFIX)

# Archive and package with the portable binary.
RELEASE := $(TARGET)/dist/bin/vedette
release:
	$(MAKE) portable EXE=$(RELEASE) $(if $(PGO),RUSTFLAGS="$$(scripts/pgo.sh "$(RUSTFLAGS)")")
	-$(MAKE) notices

dist: release
	scripts/dist.sh $(RELEASE)$(SUFFIX)

deb: release
	scripts/deb.sh $(RELEASE)$(SUFFIX)

book:
	@scripts/book.sh

# The libraries as crates.io would get them; cargo compiles each package alone.
package:
	$(CARGO) package --locked $(foreach crate,support chess uci nnue tables record stats engine,--package vedette-$(crate)) \
		--target-dir "$(TARGET)/package"

MSRV := $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
msrv:
	rustup toolchain install $(MSRV) --profile minimal
	RUSTUP_TOOLCHAIN=$(MSRV) $(CARGO) check --workspace --all-targets --locked --target-dir "$(TARGET)/msrv"

licences:
	@command -v cargo-deny > /dev/null || { echo "cargo-deny not found; install it with: cargo install --locked cargo-deny" >&2; exit 1; }
	$(CARGO) deny --all-features check licenses bans sources
	scripts/advisories.sh

# The licences of all crates and packages that are part of the binary, for those who distribute it.
notices:
	@mkdir -p bin
	$(CARGO) run --quiet --locked --package vedette --example notices > bin/THIRD-PARTY.txt

bench:
	RUSTFLAGS="$(strip $(RUSTFLAGS) -C target-cpu=native)" $(CARGO) bench --locked --package vedette-chess --bench perft --target-dir "$(TARGET)/native"
	RUSTFLAGS="$(strip $(RUSTFLAGS) -C target-cpu=native)" $(CARGO) bench --locked --package vedette-engine --bench threads --target-dir "$(TARGET)/native"
	RUSTFLAGS="$(strip $(RUSTFLAGS) -C target-cpu=native)" $(CARGO) bench --locked --package zoo --bench runner --target-dir "$(TARGET)/native" -- $(GAMES)

# Each target for FUZZ_SECONDS, beginning with its seeds and with what earlier runs found.
FUZZ := $(shell sed -n 's/^ *Target { name: "\([a-z_]*\)".*/\1/p' crates/hostile/src/lib.rs)
fuzz:
	@for target in $(FUZZ); do \
		$(CARGO) run --quiet --locked --package hostile --example seeds -- $$target fuzz/corpus/$$target \
			&& $(CARGO) +nightly fuzz run $$target fuzz/corpus/$$target -- -max_total_time=$(FUZZ_SECONDS) \
				-max_len=65536 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 || exit 1; \
	done

help:
	@sed -n 's/^# \(make.*\)/\1/p' Makefile

clean:
	$(CARGO) clean
	rm -rf bin web/dist web/node_modules
