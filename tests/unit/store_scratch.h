/* Shared by the tests of the store: a store in a scratch folder, and rows for
 * it. */
#ifndef UNIT_STORE_SCRATCH_H
#define UNIT_STORE_SCRATCH_H

#include <unistd.h>

#include "host/base/version.h"
#include "host/store/store_db.h"
#include "host/store/store_kernel.h"
#include "host/store/store_run.h"
#include "tests/unit/unit.h"

struct scratch {
	struct arena arena;
	struct err err;
	struct store *s;
	char folder[64];
	char path[80];
};

static inline int set_up(void **state)
{
	struct scratch *t = calloc(1, sizeof(*t));

	if (!t)
		return -1;
	(void)strcpy(t->folder, "/tmp/anechoic-store-XXXXXX");
	if (!mkdtemp(t->folder))
		return -1;
	(void)snprintf(t->path, sizeof(t->path), "%s/db", t->folder);
	*state = t;
	return store_open(t->path, true, &t->s, &t->err);
}

static inline int tear_down(void **state)
{
	struct scratch *t = *state;
	char command[100];

	store_close(t->s);
	arena_free(&t->arena);
	(void)snprintf(command, sizeof(command), "rm -rf '%s'", t->folder);
	free(t);
	return system(command);
}

static inline void ok(struct scratch *t, int ret)
{
	if (ret != ERR_OK)
		print_error("%s\n", t->err.message);
	assert_int_equal(ret, ERR_OK);
}

/* Expect an error with this code and this text in its message. */
static inline void refused(struct scratch *t, int ret, int code,
			   const char *says)
{
	assert_int_equal(ret, code);
	assert_part(t->err.message, says);
	t->err = (struct err){ .code = ERR_OK };
}

static inline void reopen(struct scratch *t)
{
	store_close(t->s);
	t->s = NULL;
	ok(t, store_open(t->path, false, &t->s, &t->err));
}

static inline int64_t ask(struct scratch *t, const char *sql)
{
	struct rows r = store_rows(t->s, &t->err, "test", sql, "");
	int64_t ret;

	assert_true(rows_next(&r));
	ret = sqlite3_column_int64(r.q, 0);
	ok(t, rows_end(&r));
	return ret;
}

/* A run by the version `tool` of the program, with the LLVM of this build, that
 * began at `date`. */
static inline int64_t new_run_of(struct scratch *t, const char *tool,
				 const char *date)
{
	struct run r = { .board = "fake",
			 .isa = "riscv64",
			 .cpu = "generic",
			 .clock = CLOCK_CORE,
			 .what = "latency",
			 .forms = ".*",
			 .tool = arena_printf(&t->arena, "%s%s", tool,
					      anechoic_llvm),
			 .date = date,
			 .ref_hz = 10000000,
			 .kernel_cycles = 2000 };

	ok(t, store_run_new(t->s, &r, &t->err));
	return r.id;
}

static inline int64_t new_run(struct scratch *t)
{
	return new_run_of(t, "0.1", "2026-01-02T03:04:05Z");
}

static const unsigned char code_bytes[] = "the machine code";

static inline struct kernel_row some_kernel(uint64_t id)
{
	static const struct pack_image image = { .gpr[7] = 77 };

	return (struct kernel_row){
		.id = id,
		.label = "latency:ADD@1>0",
		.unroll = { 8, 16, 24 },
		.ops_per_body = 2,
		.code = { code_bytes, code_bytes + 1, code_bytes + 2 },
		.code_bytes = { 3, 4, 5 },
		.image = &image,
	};
}

static inline void add_kernel(struct scratch *t, int64_t run, uint32_t index)
{
	struct kernel_row k = some_kernel(0xf000000000000000u + index);

	ok(t, store_kernel(t->s, run, index, &k, &t->err));
}

static const uint64_t three[] = { 0, 127, UINT64_MAX };

static inline void add_sample(struct scratch *t, int64_t run, uint32_t kernel,
			      uint32_t visit)
{
	struct sample m = { .kernel = kernel,
			    .visit = visit,
			    .n_iterations = 100 + visit,
			    .n_rows = 1,
			    .row = 3,
			    .values = three };

	ok(t, store_sample(t->s, run, &m, &t->err));
}

#endif
