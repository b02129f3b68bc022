/* The loop is the one that longer calls execute most of; its cycles are the
 * slope between short and long calls over the iterations that each makes, so
 * that everything around the loop falls out.  What a call costs where its loop
 * ends depends on whether the core saw the end coming; so lengths vary at
 * random, by as much for short calls as for long ones, and it never does. */
#include "tests/validate/subject.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "common/crc32.h"
#include "host/base/file.h"
#include "host/predict/program.h"
#include "tests/validate/steps.h"

/* What the kernel writes and all that it reads stay in a first-level cache of
 * 32 KiB, in elements of 8 bytes.  Rows are the same memory, each a line
 * further on, and what is written is read by a later call: sums may grow until
 * they are infinite, which costs nothing, but never become small.  Loads run
 * some lines ahead of stores: that the low 12 bits are those of a store in
 * flight would be another effect, and so the last store that has them is nearly
 * a page of stores ago, more than are in flight.  Short calls have some hundred
 * iterations, too: until about so many Zen 5 takes part of their jumps for the
 * last. */
enum {
	N_ROWS = 9,
	LINE = 8,
	PAGE = 512,
	STEP = 64, /* lengths are multiples: remainders are the same then */
	N_STEPS = 4,
	SHORT = 1792,
	LONG = 3072,
	READ = LINE, /* where rows begin */
	ROOM = READ + LONG + STEP * N_STEPS + (N_ROWS + 2) * LINE,
	MAX_CODE = 1 << 16,
	MAX_FILE = 1 << 22,
};

typedef double (*kernel_function)(double *out, const double *const *rows,
				  double s, long n);

struct call {
	kernel_function kernel;
	double *out;
	const double *rows[N_ROWS];
	double s;
	long n;       /* of a single call */
	long n_calls; /* of a run, N_STEPS at a time */
	uint32_t random;
};

/* Factors with which values stay normal numbers. */
static double factor_of(const char *name)
{
	static const struct {
		const char *name;
		double s;
	} factors[] = {
		{ "gauss_seidel-", 0.25 },
		{ "pi-", 1e-3 },
	};

	for (size_t i = 0; i < ARRAY_LEN(factors); i++)
		if (strncmp(name, factors[i].name, strlen(factors[i].name)) ==
		    0)
			return factors[i].s;
	return 1;
}

static void lay_out(struct arena *a, const char *name, struct call *call)
{
	double *memory = arena_alloc(a, ROOM + PAGE, sizeof(double));

	memory += (PAGE - (uintptr_t)memory / sizeof(double) % PAGE) % PAGE;
	for (size_t i = 0; i < ROOM; i++)
		memory[i] = 1;
	call->out = memory + LINE;
	for (int r = 0; r < N_ROWS; r++)
		call->rows[r] = memory + READ + (r + 1) * LINE;
	call->s = factor_of(name);
	call->random = 1;
}

static void run_once(void *context)
{
	struct call *c = context;

	(void)c->kernel(c->out, c->rows, c->s, c->n);
}

/* xorshift32 of Marsaglia, "Xorshift RNGs", 2003. */
static uint32_t next_random(struct call *c)
{
	c->random ^= c->random << 13;
	c->random ^= c->random >> 17;
	c->random ^= c->random << 5;
	return c->random;
}

/* Calls must not overlap: where they do, short ones hide in each other and
 * the slope is not that of a loop. */
static void wait_for_all(void)
{
#if defined(__x86_64__)
	__asm__ volatile("mfence\n\tlfence" ::: "memory");
#elif defined(__riscv)
	__asm__ volatile("fence\n\tfence.i" ::: "memory");
#else
	__asm__ volatile("dmb ish\n\tisb" ::: "memory");
#endif
}

/* Each length as often as any other, in any order. */
static void run_calls(void *context, enum clock_length length)
{
	struct call *c = context;
	long base = length == CLOCK_LONG ? LONG : SHORT;

	for (long i = 0; i < c->n_calls; i += N_STEPS) {
		long lengths[N_STEPS];

		for (uint32_t k = 0; k < N_STEPS; k++) {
			uint32_t at = next_random(c) % (k + 1);

			lengths[k] = lengths[at];
			lengths[at] = base + STEP * (long)k;
		}
		for (uint32_t k = 0; k < N_STEPS; k++) {
			(void)c->kernel(c->out, c->rows, c->s, lengths[k]);
			wait_for_all();
		}
	}
}

/* ---- the loop ---------------------------------------------------------- */

static uint64_t kernel_address(const struct program *p)
{
	for (size_t i = 0; i < p->n_labels; i++)
		if (strcmp(p->labels[i].name, "kernel") == 0)
			return p->insns[p->labels[i].insn].address;
	return 0;
}

/* What a call executed. */
struct trace {
	size_t n;
	uint32_t *order; /* indices of instructions; UINT32_MAX: another one */
	uint32_t *hits;  /* of each instruction */
};

/* From offsets in the code to instructions. */
static void index_trace(struct arena *a, const struct program *p,
			struct trace *t)
{
	uint32_t *at = ARENA_ARRAY(a, uint32_t, MAX_CODE);

	memset(at, 0xff, MAX_CODE * sizeof(*at));
	t->hits = ARENA_ARRAY(a, uint32_t, p->n + 1);
	for (size_t i = 0; i < p->n; i++) {
		uint64_t offset = p->insns[i].address - kernel_address(p);

		if (offset < MAX_CODE)
			at[offset] = (uint32_t)i;
	}
	for (size_t i = 0; i < t->n; i++) {
		t->order[i] = at[t->order[i]];
		if (t->order[i] != UINT32_MAX)
			t->hits[t->order[i]]++;
	}
}

static int list_loops(struct arena *a, const struct subject *s,
		      struct loop **ret, size_t *ret_n, struct err *e)
{
	struct loop_choice choice = { .function = "kernel" };
	struct loop_list list = { .n = 0 };
	int status = loops_find(a, &s->program, &choice, &list, e);

	*ret = list.loops;
	*ret_n = list.n;
	return status;
}

/* What is executed more often when the call is longer, and most of that. */
static int find_loop(struct arena *a, struct subject *s,
		     const struct trace traces[CLOCK_N], struct err *e)
{
	struct loop *loops;
	int64_t most = 0;
	size_t n;

	if (list_loops(a, s, &loops, &n, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < n; i++) {
		int64_t more = 0;

		for (size_t k = loops[i].first; k <= loops[i].last; k++)
			more += (int64_t)traces[CLOCK_LONG].hits[k] -
				traces[CLOCK_SHORT].hits[k];
		if (more > most) {
			most = more;
			s->loop = loops[i];
		}
	}
	return most > 0 && s->loop.closed
		       ? ERR_OK
		       : err_set(e, ERR_FAILED, "%s: a loop expected", s->name);
}

static int trace(struct arena *a, struct subject *s, long n, struct trace *ret,
		 struct err *e)
{
	s->call->n = n;
	ret->order = ARENA_ARRAY(a, uint32_t, STEPS_MAX);
	if (!steps_trace(run_once, s->call, (const void *)s->call->kernel,
			 MAX_CODE, ret->order, &ret->n))
		return err_set(e, ERR_FAILED, "%s: a trace expected", s->name);
	index_trace(a, &s->program, ret);
	return ERR_OK;
}

static int find_all(struct arena *keep, struct arena *a, struct subject *s,
		    struct err *e)
{
	static const long lengths[CLOCK_N] = { 2 * STEP, 3 * STEP };
	struct trace traces[CLOCK_N];
	const struct trace *longer = &traces[CLOCK_LONG];
	double more;

	for (int l = 0; l < CLOCK_N; l++)
		if (trace(a, s, lengths[l], &traces[l], e) != ERR_OK)
			return e->code;
	if (find_loop(keep, s, traces, e) != ERR_OK)
		return e->code;
	more = (double)longer->hits[s->loop.first] -
	       traces[CLOCK_SHORT].hits[s->loop.first];
	s->per_element =
		more / (double)(lengths[CLOCK_LONG] - lengths[CLOCK_SHORT]);
	s->path = executed_find(keep, &s->loop, longer->order, longer->n);
	return s->per_element > 0 ? ERR_OK
				  : err_set(e, ERR_FAILED,
					    "%s: iterations expected", s->name);
}

int subject_trace(struct arena *a, struct subject *s, struct err *e)
{
	struct arena own = { 0 };
	int ret = find_all(a, &own, s, e);

	arena_free(&own);
	return ret;
}

bool subject_recall(struct arena *a, struct subject *s, size_t first,
		    double per_element, const char *path)
{
	struct err e = { 0 };
	struct loop *loops;
	size_t n;

	if (list_loops(a, s, &loops, &n, &e) != ERR_OK || !(per_element > 0) ||
	    !executed_parse(a, path, s->program.n, &s->path))
		return false;
	for (size_t i = 0; i < n; i++)
		if (loops[i].first == first && loops[i].closed) {
			s->loop = loops[i];
			s->per_element = per_element;
			return true;
		}
	return false;
}

/* ---- measuring --------------------------------------------------------- */

/* As many calls as take a while, but no time slice. */
static void choose_calls(struct call *c)
{
	enum { GOAL_CYCLES = 16000, MAX_CALLS = 1 << 12 };

	for (c->n_calls = N_STEPS; c->n_calls < MAX_CALLS; c->n_calls *= 2)
		if (clock_cycles(run_calls, c) > GOAL_CYCLES)
			return;
}

/* Loads of 32 bytes are slow after an instruction of 64 bytes.  A loop with such
 * instructions has this cost itself, so it is not probed. */
static clock_probes probes_of(const struct program *p)
{
	bool has_ymm = false, has_zmm = false;

	for (size_t i = 0; i < p->n; i++) {
		has_ymm |= strstr(p->insns[i].text, "ymm") != NULL;
		has_zmm |= strstr(p->insns[i].text, "zmm") != NULL;
	}
	return 1U << CLOCK_FRONT | 1U << CLOCK_WINDOW |
	       (has_ymm && !has_zmm ? 1U << CLOCK_LOADS : 0);
}

int subject_open(struct arena *a, const struct catalogue *c, const char *base,
		 struct subject **ret, struct err *e)
{
	const char *slash = strrchr(base, '/');
	const char *path = arena_printf(a, "%s.so", base);
	struct subject *s = ARENA_NEW(a, struct subject);
	unsigned char *bytes;
	void *library;
	size_t n;

	s->name = slash ? slash + 1 : base;
	if (file_read(a, path, MAX_FILE, &bytes, &n, e) != ERR_OK ||
	    program_from_object(a, c, &(struct code){ path, bytes, n },
				&s->program, e) != ERR_OK)
		return e->code;
	/* Never closed: it ends with the program. */
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return err_set(e, ERR_FAILED, "%s: %s", s->name, dlerror());
	s->call = ARENA_NEW(a, struct call);
	/* C has no conversion from an object pointer, POSIX has. */
	*(void **)(void *)&s->call->kernel = dlsym(library, "kernel");
	if (!s->call->kernel)
		return err_set(e, ERR_FAILED, "%s: a kernel expected", s->name);
	lay_out(a, s->name, s->call);
	s->probes = probes_of(&s->program);
	for (size_t i = 0; i < s->program.n; i++) {
		const char *text = s->program.insns[i].text;

		s->crc = crc32_update(s->crc, text, strlen(text) + 1);
	}
	*ret = s;
	return ERR_OK;
}

void subject_visit(struct subject *s, size_t n,
		   const struct clock_silence *silence)
{
	enum { FEW = 4 };
	static const double most_seconds = 20e-3;
	double start = clock_now();

	clock_settle();
	if (s->call->n_calls == 0)
		choose_calls(s->call);
	clock_wake(run_calls, s->call);
	for (size_t i = 0; i < n && s->n_rows < SUBJECT_MAX_ROWS &&
			   (i < FEW || clock_now() - start < most_seconds);
	     i++)
		s->n_rows += clock_row(run_calls, s->call, s->probes, silence,
				       &s->rows[s->n_rows]);
}

size_t subject_n_quiet(const struct subject *s,
		       const struct clock_silence *silence)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_rows; i++)
		n += clock_is_quiet(&s->rows[i], s->probes, silence);
	return n;
}

void subject_finish(struct subject *s, const struct clock_silence *silence)
{
	struct clock_row quiet[SUBJECT_MAX_ROWS];
	size_t n = 0;

	for (size_t i = 0; i < s->n_rows; i++)
		if (clock_is_quiet(&s->rows[i], s->probes, silence))
			quiet[n++] = s->rows[i];
	s->measured =
		clock_difference(quiet, n) /
		((double)s->call->n_calls * (LONG - SHORT) * s->per_element);
}
