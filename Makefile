# The front door: `make run` does the main job, `make test` proves it.
BUILD ?= build
OUT ?= out
JOBS ?= 2
SEED ?= 1
ANECHOIC = $(BUILD)/bin/anechoic

PREFIX ?= /usr/local

.PHONY: run build test test-all test-loaded test-slurm lint-deep coverage boards bench estimate-check \
	campaigns validate deps with-tests install deb clean

WERROR = -DWERROR=$(if $(CI),ON,OFF)
COMPILE = cmake --build $(BUILD) -j $(JOBS)

# What the first table needs comes first: the program, and the runtime of this
# machine's own instruction set.
run:
	@sh cmake/packages.sh run
	@test -f $(BUILD)/build.ninja || \
		cmake -S . -B $(BUILD) -G Ninja -DWITH_TESTS=OFF $(WERROR) >/dev/null
	@$(COMPILE) --target anechoic target_$(shell uname -m)
	@sh examples/first-run.sh $(ANECHOIC) $(OUT) here
	@$(COMPILE) --target target_riscv64 target_aarch64
	@sh examples/first-run.sh $(ANECHOIC) $(OUT) emulated

build: deps $(BUILD)/build.ninja
	@$(COMPILE)

# `make run` may have made a build without tests.
$(BUILD)/build.ninja: with-tests
with-tests:
	@{ test -f $(BUILD)/build.ninja && \
		grep -q '^WITH_TESTS:BOOL=ON' $(BUILD)/CMakeCache.txt; } || \
		cmake -S . -B $(BUILD) -G Ninja -DWITH_TESTS=ON $(WERROR)

deps:
	@sh cmake/packages.sh

test: deps $(BUILD)/build.ninja $(BUILD)/sanitize/build.ninja
	@sh tests/test.sh $(BUILD) $(JOBS) build

# Also those of tests/wide.txt, and those of the host without the sanitizers.
test-all: deps $(BUILD)/build.ninja $(BUILD)/sanitize/build.ninja
	@sh tests/test.sh $(BUILD) $(JOBS) all

# All tests while other programs want the CPUs: none may fail.
test-loaded: build $(BUILD)/sanitize/build.ninja
	@cmake --build $(BUILD)/sanitize -j $(JOBS)
	@sh tests/test.sh $(BUILD) $(JOBS) loaded

$(BUILD)/sanitize/build.ninja:
	@cmake -S . -B $(BUILD)/sanitize -G Ninja -DSANITIZE=ON \
		-DWERROR=$(if $(CI),ON,OFF)

# Checks that take too long for each test run; tests/README.md. The runtimes'
# sources want the headers of their build.
lint-deep: build
	@sh cmake/packages.sh cppcheck
	@python3 -B tests/lint/deep.py $(BUILD) $(JOBS)

# Which lines of the host the tests execute (TESTS=REGEX: these tests).
TESTS ?= .
coverage: deps
	@cmake -S . -B $(BUILD)/coverage -G Ninja -DCOVERAGE=ON >/dev/null
	@cmake --build $(BUILD)/coverage -j $(JOBS)
	@find $(BUILD)/coverage -name '*.gcda' -delete
	-@ctest --test-dir $(BUILD)/coverage -j $(JOBS) --output-on-failure \
		-R '$(TESTS)' -E '^(lint|install|recipes|library.variables)'
	@python3 -B tests/coverage.py $(BUILD)/coverage $(JOBS)

# On real daemons, as root.
test-slurm: build
	@sh cmake/packages.sh slurm-wlm munge
	sh tests/slurm/test.sh $(CURDIR)/$(BUILD)/bin/anechoic $(CURDIR)

bench: build
	@sh tests/bench.sh $(ANECHOIC)
	@sh tests/bench_predict.sh $(ANECHOIC) $(DB)
	@sh tests/bench_estimate.sh $(ANECHOIC)
	@sh tests/bench_site.sh $(ANECHOIC) $(DB)
	-@$(MAKE) -s estimate-check
	@[ -z "$(DB)" ] || python3 -B tests/bench_merge.py $(ANECHOIC) $(DB) 10

# IPC of eight kernels in three sizes: `estimate`, with the caches that `structures`
# measures, beside native runs; some 20 minutes.
estimate-check: build
	@sh tests/estimate/check_ipc.sh $(BUILD) $(if $(DB),--db $(DB))

# Boards, lines and hosts that fail at random, 200 times in every kind, the
# ports of random cores, 300 noisy machines, 2000 mutated files (SEED=N), loops of
# 500 invented cores, all vector forms of QEMU, and the library
# without memory; `test` does a part of each.
campaigns: build $(BUILD)/sanitize/build.ninja
	@cmake --build $(BUILD)/sanitize -j $(JOBS)
	-@python3 -B tests/hostile/hostile.py $(BUILD)/sanitize/bin/anechoic \
		2000 $(SEED) $(BUILD)/hostile-failures
	@sh tests/link/all.sh $(BUILD)
	-@for isa in riscv64 aarch64; do \
		sh tests/fake/all.sh $(BUILD) 300 1 $$isa; done
	-@$(BUILD)/sanitize/bin/unit_predict_hostile 20
	-@$(BUILD)/sanitize/bin/unit_predict_fake 1 500
	-@sh tests/cli/rvv.sh $(ANECHOIC) $(BUILD)/rvv
	-@sh tests/adversary/all.sh $(BUILD)
	-@sh tests/ports/all.sh $(BUILD)
	-@sh tests/library/all.sh $(BUILD)

# Images booted on all machines of tests/boards/matrix.cfg; `test` does a dozen.
boards: build
	@JOBS=$(JOBS) sh tests/boards/matrix.sh $(BUILD)

# Predictions of compiled loops beside what they take here; DB=FILE is a
# database of this machine, else LLVM's tables are the model.
validate: build
	@sh tests/validate/validate.sh $(BUILD) $(if $(DB),db $(DB))

# Into DESTDIR and PREFIX; `cmake --install` does the same.
install: build
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(PREFIX)

# A Debian package of what is installed: build/deb/anechoic_*.deb
deb: build
	@cpack --config $(BUILD)/CPackConfig.cmake -B $(BUILD)/deb
	@ls $(BUILD)/deb/*.deb

clean:
	rm -rf $(BUILD)
