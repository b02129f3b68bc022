# The front door: `make run` does the main job, `make test` proves it.
BUILD ?= build
OUT ?= out
JOBS ?= 2
ANECHOIC = $(BUILD)/bin/anechoic

.PHONY: run build test bench deps clean lint

run: build
	@sh examples/first-run.sh $(ANECHOIC) $(OUT)

build: deps $(BUILD)/build.ninja
	@cmake --build $(BUILD) -j $(JOBS)

$(BUILD)/build.ninja:
	@cmake -S . -B $(BUILD) -G Ninja -DWERROR=$(if $(CI),ON,OFF)

deps:
	@sh cmake/packages.sh

test: build
	@ctest --test-dir $(BUILD) -j $(JOBS) --output-on-failure

bench: build
	@sh tests/bench.sh $(ANECHOIC)

clean:
	rm -rf $(BUILD)
