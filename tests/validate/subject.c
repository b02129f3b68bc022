/* The loop is the one with most instructions executed; its cycles are the
 * slope between a short and a long call over the iterations that each makes,
 * so that everything around the loop falls out. */
#include "tests/validate/subject.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/predict/object.h"
#include "tests/validate/clock.h"
#include "tests/validate/steps.h"

enum {
	MAX_ROWS = 9,
	CACHE_BYTES = 28 << 10, /* of the smallest first-level cache, 32 KiB */
	STEP = 64,              /* elements; remainders are the same then */
	MAX_CODE = 1 << 16,
	MAX_FILE = 1 << 22,
};

typedef double (*kernel_function)(double *out, const double *const *rows,
				  double s, long n);

struct call {
	kernel_function kernel;
	double *out;
	const double *rows[MAX_ROWS];
	double s;
	long n;
};

static const struct kernel_kind {
	const char *name;
	int n_rows;
	double s; /* with which values stay normal numbers */
} kinds[] = {
	{ "add", 2, 1 },
	{ "copy", 1, 1 },
	{ "gauss_seidel", 2, 0.25 },
	{ "jacobi2d5", 3, 1 },
	{ "jacobi3d11", 9, 1 },
	{ "jacobi3d27", 9, 1 },
	{ "jacobi3d7", 5, 1 },
	{ "pi", 0, 1e-3 },
	{ "schoenauer", 3, 1 },
	{ "store", 0, 1 },
	{ "sum", 1, 1 },
	{ "triad", 2, 1 },
	{ "update", 0, 1 },
};

static const struct kernel_kind *kind_of(const char *name)
{
	size_t n = strcspn(name, "-");

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (strlen(kinds[i].name) == n &&
		    strncmp(kinds[i].name, name, n) == 0)
			return &kinds[i];
	return NULL;
}

/* Rows that each start at a line of their own. */
static void lay_out(struct arena *a, const struct kernel_kind *kind,
		    struct call *call, long *ret_short, long *ret_long)
{
	enum { LINE = 8 }; /* elements */
	long n = CACHE_BYTES / (8 * (kind->n_rows + 1)) / STEP * STEP;
	size_t stride;
	double *memory;

	n = n > 1024 ? 1024 : n;
	stride = (size_t)n + 2 * LINE;
	memory = arena_alloc(a, (stride + LINE) * (MAX_ROWS + 2), 8);
	memory += (64 - (uintptr_t)memory % 64) % 64 / 8;
	for (size_t i = 0; i < (stride + LINE) * (MAX_ROWS + 1); i++)
		memory[i] = 1;
	call->out = memory + LINE;
	for (int r = 0; r < MAX_ROWS; r++)
		call->rows[r] = memory + LINE +
				(size_t)(r % (kind->n_rows + 1) + 1) * stride;
	call->s = kind->s;
	*ret_long = n;
	*ret_short = n / 2 / STEP * STEP;
}

static void run_calls(void *context, long n_calls)
{
	struct call *c = context;

	for (long i = 0; i < n_calls; i++)
		(void)c->kernel(c->out, c->rows, c->s, c->n);
}

static void run_once(void *context)
{
	run_calls(context, 1);
}

/* ---- the loop ---------------------------------------------------------- */

static uint32_t hits_of(const struct program *p, size_t insn,
			const uint32_t *hits)
{
	uint64_t at = p->insns[insn].address;

	return at < MAX_CODE ? hits[at] : 0;
}

static int find_loop(struct arena *a, struct call *call, struct subject *s,
		     uint32_t *hits, struct err *e)
{
	struct loop_choice choice = { .function = "kernel" };
	struct loop *loops;
	uint64_t most = 0;
	size_t n, chosen;

	if (loops_find(a, &s->program, &choice, &loops, &n, &chosen, e) !=
	    ERR_OK)
		return e->code;
	if (!steps_count(run_once, call, (const void *)call->kernel, MAX_CODE,
			 hits))
		return err_set(e, ERR_FAILED, "%s: a trace expected", s->name);
	for (size_t i = 0; i < n; i++) {
		uint64_t executed = 0;

		for (size_t k = loops[i].first; k <= loops[i].last; k++)
			executed += hits_of(&s->program, k, hits);
		if (executed > most) {
			most = executed;
			s->loop = loops[i];
		}
	}
	if (most == 0 || !s->loop.closed)
		return err_set(e, ERR_FAILED, "%s: a loop expected", s->name);
	return ERR_OK;
}

static int measure(struct arena *a, struct call *call, long n_short,
		   long n_long, struct subject *s, struct err *e)
{
	uint32_t *hits = ARENA_ARRAY(a, uint32_t, MAX_CODE);
	double cycles[2];
	uint32_t iterations[2];
	long n[2] = { n_short, n_long };

	for (int i = 0; i < 2; i++) {
		call->n = n[i];
		if (find_loop(a, call, s, hits, e) != ERR_OK)
			return e->code;
		iterations[i] = hits_of(&s->program, s->loop.first, hits);
		cycles[i] = clock_cycles(run_calls, call);
		if (cycles[i] < 0)
			return err_set(e, ERR_FAILED,
				       "%s: a quiet machine expected", s->name);
	}
	if (iterations[1] <= iterations[0])
		return err_set(e, ERR_FAILED, "%s: iterations expected",
			       s->name);
	s->measured = (cycles[1] - cycles[0]) / (iterations[1] - iterations[0]);
	return ERR_OK;
}

int subject_measure(struct arena *a, const struct catalogue *c,
		    const char *base, struct subject *ret, struct err *e)
{
	const char *slash = strrchr(base, '/');
	const char *path = arena_printf(a, "%s.o", base);
	struct subject s = { .name = slash ? slash + 1 : base };
	const struct kernel_kind *kind = kind_of(s.name);
	struct call call = { .kernel = NULL };
	unsigned char *bytes;
	long n_short, n_long;
	void *library;
	size_t n;
	int status;

	if (!kind)
		return err_set(e, ERR_INPUT, "%s: one of the kernels expected",
			       s.name);
	if (file_read(a, path, MAX_FILE, &bytes, &n, e) != ERR_OK ||
	    program_from_object(a, c, path, bytes, n, &s.program, e) != ERR_OK)
		return e->code;
	library = dlopen(arena_printf(a, "%s.so", base), RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return err_set(e, ERR_FAILED, "%s: %s", s.name, dlerror());
	/* C has no conversion from an object pointer, POSIX has. */
	*(void **)(void *)&call.kernel = dlsym(library, "kernel");
	lay_out(a, kind, &call, &n_short, &n_long);
	status = measure(a, &call, n_short, n_long, &s, e);
	(void)dlclose(library);
	*ret = s;
	return status;
}
