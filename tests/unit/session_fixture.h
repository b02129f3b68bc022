/* A store, a run and a pack for sessions with the boards of session_board.h. */
#ifndef TESTS_UNIT_SESSION_FIXTURE_H
#define TESTS_UNIT_SESSION_FIXTURE_H

#include <unistd.h>

#include "host/base/file.h"
#include "host/link/link.h"
#include "host/store/store_run.h"
#include "tests/unit/pack_maker.h"
#include "tests/unit/unit.h"

#ifndef FIXTURE_KERNELS
#define FIXTURE_KERNELS 300 /* more than two commands */
#endif

enum {
	N_KERNELS = FIXTURE_KERNELS,
	N_CALIB = 3,
	N_WANTED = N_KERNELS - N_CALIB,
	N_VISITS = 3, /* of the packs of pack_maker.h */
	NOT = -1,
	N_BOARDS = 3, /* of a session on several cores */
};

struct fixture {
	struct arena arena;
	struct err err;
	char folder[64];
	char *pack_path;
	void *pack;
	struct store *store;
	struct run run;
	struct board board;
	struct link_request request;
	struct session session;
	bool skip[N_KERNELS];
	uint32_t cores[N_BOARDS];
	volatile int stop;
	struct link_progress progress; /* last */
	size_t stop_after;             /* visits; 0: never */
	size_t time_after;             /* the same: time is up */
	uint32_t samples[N_KERNELS];   /* after load() */
	const char *cause[N_KERNELS];
};

static void on_progress(void *context, const struct link_progress *p)
{
	struct fixture *f = context;

	assert_true(p->n_done <= p->n_total);
	assert_true(p->n_done >= f->progress.n_done);
	f->progress = *p;
	if (f->stop_after && p->n_done >= f->stop_after)
		f->stop = 1;
	if (f->time_after && p->n_done >= f->time_after)
		f->session.until_ms = 1;
}

static void check(struct fixture *f, int ret)
{
	assert_ok(ret, &f->err);
}

static void make_pack(struct fixture *f)
{
	static const uint32_t calib[PACK_N_CALIB] = { 0, 1, 299 };
	static struct pack_maker_kernel kernels[N_KERNELS];
	static char labels[N_KERNELS][32];
	const struct pack_maker m = {
		.isa = PACK_ISA_RISCV64,
		.n = N_KERNELS,
		.kernels = kernels,
		.calib = calib,
	};

	for (int k = 0; k < N_KERNELS; k++) {
		(void)snprintf(labels[k], sizeof(labels[k]), "throughput:K%d",
			       k);
		kernels[k].label = labels[k];
		kernels[k].flags =
			k == 0 || k == 1 || k == 299 ? PACK_KERNEL_CALIB : 0;
	}
	f->pack = pack_maker_make(&m);
	f->pack_path = arena_printf(&f->arena, "%s/pack", f->folder);
	check(f, file_write(f->pack_path, f->pack,
			    pack_header(f->pack)->total_bytes, &f->err));
}

static void make_run(struct fixture *f)
{
	f->run = (struct run){
		.board = "test",
		.isa = "riscv64",
		.cpu = "",
		.clock = CLOCK_CORE,
		.what = "throughput",
		.forms = "",
		.tool = "test",
		.date = "2000-01-01T00:00:00Z",
	};
	check(f, store_open(arena_printf(&f->arena, "%s/db", f->folder), true,
			    &f->store, &f->err));
	check(f, store_begin(f->store, &f->err));
	check(f, store_run_new(f->store, &f->run, &f->err));
	for (uint32_t k = 0; k < N_KERNELS; k++) {
		const struct pack_kernel *kernel = &pack_kernels(f->pack)[k];
		const struct kernel_row row = {
			.id = kernel->id,
			.label = pack_label(f->pack, kernel),
			.unroll = { 1, 2, 3 },
			.ops_per_body = 1,
			.calib = kernel->flags & PACK_KERNEL_CALIB,
		};

		check(f, store_kernel(f->store, f->run.id, k, &row, &f->err));
	}
	check(f, store_commit(f->store, &f->err));
}

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	if (!f)
		return -1;
	*state = f;
	(void)strcpy(f->folder, "/tmp/anechoic-session-XXXXXX");
	if (!mkdtemp(f->folder))
		return -1;
	make_pack(f);
	make_run(f);
	f->board = (struct board){
		.name = "test",
		.path = "boards/test/x.conf",
		.transport = "process",
		.package = "a-package",
		.timeout_s = 20, /* a loaded machine is no silent board */
	};
	f->request = (struct link_request){
		.board = &f->board,
		.pack = f->pack_path,
	};
	f->session = (struct session){
		.request = &f->request,
		.store = f->store,
		.run = f->run.id,
		.pack = f->pack,
		.skip = f->skip,
		.report = on_progress,
		.context = f,
		.stop = &f->stop,
	};
	return 0;
}

/* Several boards share the kernels.  Where they run does not matter here. */
static inline int set_up_several(void **state)
{
	int ret = set_up(state);

	if (ret == 0) {
		struct fixture *f = *state;

		f->session.cores = f->cores;
		f->session.n_cores = N_BOARDS;
	}
	return ret;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	char command[128];

	store_close(f->store);
	free(f->pack);
	(void)snprintf(command, sizeof(command), "rm -rf '%s'", f->folder);
	arena_free(&f->arena);
	free(f);
	return system(command);
}

static inline int run_board(struct fixture *f, const char *scenario)
{
	f->board.command = arena_printf(
		&f->arena, "/proc/self/exe board %s @PACK@", scenario);
	return session_run(&f->session, &f->err);
}

static int note(void *context, const struct kernel_result *r, struct err *e)
{
	struct fixture *f = context;

	(void)e;
	f->samples[r->index] = (uint32_t)r->n_samples;
	for (size_t i = 0; i < r->n_samples; i++) {
		assert_int_equal(r->samples[i].visit, i);
		assert_int_equal(r->samples[i].n_rows, 2);
		assert_int_equal(r->samples[i].n_iterations, 5);
		assert_int_equal(r->samples[i].values[0], 100 + r->index);
	}
	f->cause[r->index] =
		r->fault ? arena_strdup(&f->arena, r->fault->cause) : NULL;
	return 0;
}

static bool is_calib(uint32_t k)
{
	return k == 0 || k == 1 || k == 299;
}

/* Every wanted kernel has `visits` samples; but `odd` has a fault. */
static void assert_stored(struct fixture *f, uint32_t visits, int odd,
			  const char *cause)
{
	check(f,
	      store_kernels(f->store, f->run.id, note, f, &(struct err){ 0 }));
	for (uint32_t k = 0; k < N_KERNELS; k++) {
		if ((int)k == odd) {
			assert_string_equal(f->cause[k], cause);
			assert_int_equal(f->samples[k], 0);
			continue;
		}
		assert_null(f->cause[k]);
		assert_int_equal(f->samples[k],
				 is_calib(k) || f->skip[k] ? 0 : visits);
	}
}

static inline void assert_says(const struct fixture *f, int code,
			       const char *part)
{
	assert_int_equal(f->err.code, code);
	assert_part(f->err.message, part);
}

static inline int find_colour(void *context, const char *key, const char *value,
			      struct err *e)
{
	(void)e;
	if (strcmp(key, "colour") == 0 && strcmp(value, "green") == 0)
		++*(int *)context;
	return 0;
}

#endif
