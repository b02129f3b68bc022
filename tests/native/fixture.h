/* A runtime as a child process with a pack made by hand, for the tests of
 * runtimes.  Arguments of each: <isa> <runtime file> <emulator, or nothing>. */
#ifndef TESTS_NATIVE_FIXTURE_H
#define TESTS_NATIVE_FIXTURE_H

#include <unistd.h>

#include "common/load.h"
#include "common/row.h"
#include "tests/native/child.h"
#include "tests/native/pack.h"
#include "tests/unit/unit.h"

enum {
	/* Kernels of the pack that most tests run. */
	ADD = PACK_N_CALIB,
	ILLEGAL,
	NULL_LOAD,
	HANG,
	LOAD,
	XOR,
	N_KERNELS,
	ROWS = 11,
	EXIT_REFUSED = 1,
};

static const struct hand_isa *isa;
static const char *runtime, *emulator;
static struct hand_pack pack;
static struct child child;
static char pack_path[] = "/tmp/anechoic-native-XXXXXX";

static inline void write_pack(size_t n)
{
	FILE *f = fopen(pack_path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(pack.bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static inline struct pack_header *header(void)
{
	return (struct pack_header *)pack.bytes;
}

static inline void build(void)
{
	const struct hand_kernel kernels[] = {
		[ADD] = { .label = "add", HAND_BODY(isa->add) },
		[ILLEGAL] = { .label = "illegal", HAND_BODY(isa->illegal) },
		[NULL_LOAD] = { .label = "null", HAND_BODY(isa->load) },
		[HANG] = { .label = "hang", HAND_BODY(isa->hang) },
		[LOAD] = { .label = "load",
			   HAND_BODY(isa->load),
			   .image.gpr_is_memory = 1u << isa->address },
		[XOR] = { .label = "xor", HAND_BODY(isa->xor) },
	};

	hand_build(&pack, isa, kernels + PACK_N_CALIB,
		   N_KERNELS - PACK_N_CALIB);
	assert_int_equal(pack_check(pack.bytes, pack.n), PACK_OK);
}

static inline void start(void)
{
	write_pack(pack.n);
	child_start(&child, emulator, runtime, pack_path);
}

static inline uint64_t number(const struct wire_record *r, const char *key)
{
	uint64_t value = 0;

	assert_non_null(r);
	assert_true(wire_get_u64(r, key, &value));
	return value;
}

static inline void assert_word(const struct wire_record *r, const char *key,
			       const char *expected)
{
	char word[WIRE_LINE_MAX];

	assert_non_null(r);
	assert_true(wire_get_word(r, key, word, sizeof(word)));
	assert_string_equal(word, expected);
}

/* Send a record of the host. */
static inline void send_run(uint64_t from, uint64_t to, uint64_t visit)
{
	struct wire_line w;

	wire_begin(&w, 0, "run");
	wire_u64(&w, "from", from);
	wire_u64(&w, "to", to);
	wire_u64(&w, "visit", visit);
	child_send(&child, w.text, wire_end(&w));
}

static inline void send_bye(void)
{
	struct wire_line w;

	wire_begin(&w, 1, "bye");
	child_send(&child, w.text, wire_end(&w));
}

static inline void send_text(const char *s)
{
	child_send(&child, s, strlen(s));
}

/* Run tests on the runtime of the arguments; returns the exit status. */
static inline int run_on_runtime(int argc, char **argv)
{
	if (argc < 3 || !hand_isa(argv[1])) {
		(void)fprintf(stderr, "%s: expected ISA RUNTIME [EMULATOR]\n",
			      argv[0]);
		return 2;
	}
	isa = hand_isa(argv[1]);
	runtime = argv[2];
	emulator = argc > 3 ? argv[3] : "";

	int fd = mkstemp(pack_path);

	if (fd < 0) {
		perror(pack_path);
		return 1;
	}
	(void)close(fd);

	int failed = unit_run(NULL);

	(void)unlink(pack_path);
	return failed;
}

#endif
