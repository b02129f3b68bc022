/* The pack builder; see gen.h and common/pack.h. */
#include "host/gen/gen.h"

#include <stdlib.h>
#include <string.h>

#include "common/bend.h"
#include "host/gen/builder.h"
#include "host/gen/initial.h"
#include "host/gen/kernel.h"
#include "host/gen/unite.h"
#include "host/isa/branch.h"
#include "host/isa/decoding.h"
#include "host/isa/isa.h"
#include "host/isa/surround.h"
#include "host/isa/variant.h"

enum {
	/* Instances in the shortest length unless longer bodies are requested:
	 * packs stay small, for serial lines and simulators. */
	DEFAULT_UNROLL = 8,
	/* Requested budgets: cycles per instance of the shortest length. */
	CYCLES_PER_UNROLL = 250,
	MAX_UNROLL = 48, /* longer bodies leave the small loop buffers */
	/* A small loop: its longest length fits into the loop buffers and the
	 * lengths differ by 24 ops, as assign.c wants them to. */
	LOOP_OPS = 8,
	LOOP_STEP = 24,
	/* METHOD: a chain is short up to 32 ops, less its first 8. */
	SHORT_OPS = 8,
	SHORT_STEP = 12,
	/* experiment_is_brief() */
	BRIEF_OPS = 2,
	BRIEF_STEP = 3,
	/* Jumps that do not fit a table of 16 targets; of a larger one the
	 * longest of three such loops may fit no more, and then they lie on no
	 * line. */
	LONG_OPS = 16,
	/* Of bodies too long for caches: half as long again. */
	DECODED_STEP = DECODING_OPS / 2,
};

void gen_profile_unroll(struct gen_profile *p, uint32_t unroll)
{
	if (unroll > MAX_UNROLL)
		unroll = MAX_UNROLL;
	for (uint32_t i = 0; i < PACK_LENGTHS; i++)
		p->unroll[i] = unroll * (i + 1);
	p->mix_unroll = unroll;
}

struct gen_profile gen_profile(uint32_t kernel_cycles)
{
	struct gen_profile p = {
		.kernel_cycles = kernel_cycles ? kernel_cycles : BEND_BUDGET,
		.n_repeats = BEND_ROWS,
		/* METHOD: kernels of 2-4 us, 11 sandwiches, three visits. */
		.sandwich_ns = 4000,
		.n_sandwiches = 11,
		.n_visits = 3,
		.ready_ms = 200,
	};
	uint32_t unroll = kernel_cycles / CYCLES_PER_UNROLL;

	gen_profile_unroll(&p,
			   unroll > DEFAULT_UNROLL ? unroll : DEFAULT_UNROLL);
	return p;
}

bool gen_has_loops(const struct gen_profile *p)
{
	return p->unroll[0] > 2 * LOOP_OPS;
}

struct gen *gen_new(const struct catalogue *c, const struct gen_profile *p)
{
	struct gen *g = xrealloc(NULL, 1, sizeof(*g));

	*g = (struct gen){ .c = c, .profile = *p };
	for (int i = 0; i < PACK_N_CALIB; i++)
		g->calib[i] = PACK_NO_KERNEL;
	return g;
}

void gen_free(struct gen *g)
{
	if (!g)
		return;
	buffer_free(&g->code);
	free(g->entries);
	free(g->images);
	free(g);
}

size_t gen_add_image(struct gen *g, const struct pack_image *image)
{
	for (size_t i = 0; i < g->n_images; i++)
		if (memcmp(&g->images[i], image, sizeof(*image)) == 0)
			return i;
	g->images = xrealloc(g->images, g->n_images + 1, sizeof(*image));
	g->images[g->n_images] = *image;
	return g->n_images++;
}

uint8_t gen_form_flags(const struct catalogue *c, const struct form *f)
{
	unsigned flags = 0;

	if (f->vector_state)
		flags |= PACK_KERNEL_VECTOR;
	if (f->streaming)
		flags |= PACK_KERNEL_STREAMING;
	if (form_family(f) == FAMILY_DIRTY)
		flags |= PACK_KERNEL_WIDE;
	if (form_family(f) == FAMILY_X87)
		flags |= PACK_KERNEL_X87;
	if (form_is_wide(c, f))
		flags |= PACK_KERNEL_WIDE;
	if (unite_is_widest(c, f))
		flags |= PACK_KERNEL_WIDE | PACK_KERNEL_WIDEST;
	return (uint8_t)flags;
}

static uint8_t kernel_flags(const struct catalogue *c,
			    const struct experiment *x)
{
	unsigned flags = 0;

	for (size_t s = 0; s < x->n_steps; s++)
		flags |= gen_form_flags(c, x->steps[s].form);
	if (x->kind == EXPERIMENT_CALIBRATE || x->kind == EXPERIMENT_PROBE ||
	    x->kind == EXPERIMENT_WAKE)
		flags |= PACK_KERNEL_CALIB;
	return (uint8_t)flags;
}

unsigned gen_width(const struct catalogue *c, const struct experiment *x)
{
	uint8_t flags = kernel_flags(c, x);

	if (flags & PACK_KERNEL_CALIB)
		return 0;
	if (flags & PACK_KERNEL_WIDEST)
		return GEN_N_WIDTHS - 1;
	return flags & PACK_KERNEL_WIDE ? 1 : 0;
}

enum kernel_class gen_class(uint8_t flags, unsigned access)
{
	enum { REGISTERS, LOAD, STORE };
	int width = flags & PACK_KERNEL_WIDEST   ? KERNEL_BITS_512
		    : flags & PACK_KERNEL_WIDE   ? KERNEL_BITS_256
		    : flags & PACK_KERNEL_VECTOR ? KERNEL_VECTOR
						 : KERNEL_GENERAL;

	return (enum kernel_class)(width + (access & ACCESS_STORE ? STORE
					    : access & ACCESS_LOAD
						    ? LOAD
						    : REGISTERS));
}

/* The class of an experiment's kernel: its width, and whether it loads or
 * stores. */
static enum kernel_class kernel_class(const struct catalogue *c,
				      const struct experiment *x)
{
	unsigned access = 0;

	for (size_t s = 0; s < x->n_steps; s++)
		access |= x->steps[s].form->access;
	return gen_class(kernel_flags(c, x), access);
}

void gen_align_code(struct gen *g)
{
	static const unsigned char zeros[GEN_CODE_ALIGN];
	size_t over = g->code.n % GEN_CODE_ALIGN;

	if (over)
		buffer_add(&g->code, zeros, GEN_CODE_ALIGN - over);
}

/* Ops of a length, before it is rounded up to whole periods. */
static uint32_t wanted_ops(const struct gen *g, const struct experiment *x,
			   int length)
{
	unsigned few = x->kind == EXPERIMENT_THROUGHPUT
			       ? branch_few(g->c->isa, x->steps[0].form->name)
			       : 0;

	if (decoding_is_long(x->steps[0].form))
		return DECODING_OPS + (uint32_t)length * DECODED_STEP;
	if (few > 0)
		return few * (uint32_t)(length + 2) / 2;
	if (x->kind == EXPERIMENT_LONG)
		return LONG_OPS * (uint32_t)(length + 1);
	if (x->kind == EXPERIMENT_LOOP)
		return LOOP_OPS + (uint32_t)length * LOOP_STEP;
	if (x->kind == EXPERIMENT_SHORT)
		return SHORT_OPS + (uint32_t)length * SHORT_STEP;
	if (experiment_is_brief(g->c, x))
		return BRIEF_OPS + (uint32_t)length * BRIEF_STEP;
	/* A body has many instances: several iterations are better than long
	 * ones. */
	if (experiment_kind_is(x->kind, EXPERIMENT_BEHIND))
		return DEFAULT_UNROLL * (uint32_t)(length + 1);
	if (experiment_kind_is(x->kind, EXPERIMENT_CUT))
		return EXPERIMENT_QUEUE_OPS * (uint32_t)(length + 1);
	return g->profile.unroll[length];
}

/* Lengths of a mix are in bodies. */
static int emit_mix(struct gen *g, const struct experiment *x,
		    const struct assigned *a, struct pack_kernel *k,
		    struct err *e)
{
	uint32_t bodies = mix_bodies(x, g->profile.mix_unroll);

	for (uint32_t i = 0; i < PACK_LENGTHS; i++) {
		gen_align_code(g);
		k->unroll[i] = bodies * (i + 1);
		k->code_offset[i] = (uint32_t)g->code.n;
		if (mix_emit(g->c, x, a, k->unroll[i], &g->code, e) != ERR_OK)
			return e->code;
		k->code_bytes[i] = (uint32_t)g->code.n - k->code_offset[i];
	}
	return ERR_OK;
}

/* Lengths are in chains: a body is one chain. */
static int emit_window(struct gen *g, const struct experiment *x,
		       const struct assigned *a, struct pack_kernel *k,
		       struct err *e)
{
	for (uint32_t i = 0; i < PACK_LENGTHS; i++) {
		gen_align_code(g);
		k->unroll[i] = i + 1;
		k->code_offset[i] = (uint32_t)g->code.n;
		if (window_emit(g->c, x, a, i + 1, &g->code, e) != ERR_OK)
			return e->code;
		k->code_bytes[i] = (uint32_t)g->code.n - k->code_offset[i];
	}
	return ERR_OK;
}

/* Lengths are in bodies. */
static int emit_iteration(struct gen *g, const struct experiment *x,
			  const struct assigned *a, struct pack_kernel *k,
			  struct err *e)
{
	for (int i = 0; i < PACK_LENGTHS; i++) {
		gen_align_code(g);
		k->unroll[i] = 1 + (uint32_t)i;
		k->code_offset[i] = (uint32_t)g->code.n;
		if (iteration_emit(g->c, x, a, k->unroll[i], &g->code, e) !=
		    ERR_OK)
			return e->code;
		k->code_bytes[i] = (uint32_t)g->code.n - k->code_offset[i];
	}
	return ERR_OK;
}

static int emit_slopes(struct gen *g, const struct experiment *x,
		       const struct assigned *a, struct pack_kernel *k,
		       struct kernel_ops *known, struct err *e)
{
	for (int i = 0; i < PACK_LENGTHS; i++) {
		/* A chain must close over whole periods. */
		uint32_t period = (uint32_t)a->period;
		uint32_t want = wanted_ops(g, x, i);
		uint32_t unroll = (want + period - 1) / period * period;

		if (i > 0 && unroll <= k->unroll[i - 1])
			unroll = k->unroll[i - 1] + period;
		gen_align_code(g);
		k->unroll[i] = unroll;
		k->code_offset[i] = (uint32_t)g->code.n;
		if (kernel_emit(g->c, a, unroll, known, &g->code, e) != ERR_OK)
			return e->code;
		k->code_bytes[i] = (uint32_t)g->code.n - k->code_offset[i];
	}
	return ERR_OK;
}

static int emit_lengths(struct gen *g, const struct experiment *x,
			const struct assigned *a, struct pack_kernel *k,
			uint32_t *ret_more, struct err *e)
{
	struct kernel_ops *known;
	int code;

	if (x->kind == EXPERIMENT_MIX)
		return emit_mix(g, x, a, k, e);
	if (experiment_kind_is(x->kind, EXPERIMENT_CUT_GROUPS))
		return emit_window(g, x, a, k, e);
	if (experiment_kind_is(x->kind, EXPERIMENT_WHOLE))
		return emit_iteration(g, x, a, k, e);
	known = xrealloc(NULL, 1, sizeof(*known));
	known->n = 0;
	known->n_more = 0;
	code = emit_slopes(g, x, a, k, known, e);
	*ret_more = known->n_more;
	free(known);
	return code;
}

uint64_t gen_kernel_id(const struct gen *g, const struct pack_kernel *k)
{
	uint64_t h = gen_hash_start;

	for (int i = 0; i < PACK_LENGTHS; i++) {
		h = gen_hash(h, &k->unroll[i], sizeof(k->unroll[i]));
		h = gen_hash(h, g->code.bytes + k->code_offset[i],
			     k->code_bytes[i]);
	}
	h = gen_hash(h, &g->images[k->image], sizeof(struct pack_image));
	h = gen_hash(h, &k->counter, sizeof(k->counter));
	return gen_hash(h, &k->flags, sizeof(k->flags));
}

static void note_calibration(struct gen *g, const struct experiment *x)
{
	uint32_t index = (uint32_t)g->n_entries - 1;

	if (x->kind == EXPERIMENT_WAKE && g->c->isa->calibration.loads &&
	    strcmp(x->steps[0].form->name, g->c->isa->calibration.loads) == 0)
		g->loads = index + 1;
	else if (x->kind == EXPERIMENT_WAKE && g->wake[0] == 0)
		g->wake[0] = index + 1;
	else if (x->kind == EXPERIMENT_WAKE)
		g->wake[1] = index + 1;
	else if (x->kind == EXPERIMENT_PROBE)
		g->calib[PACK_CALIB_PROBE] = index;
	else if (x->kind != EXPERIMENT_CALIBRATE)
		return;
	else if (g->calib[PACK_CALIB_CHAIN_A] == PACK_NO_KERNEL)
		g->calib[PACK_CALIB_CHAIN_A] = index;
	else
		g->calib[PACK_CALIB_CHAIN_B] = index;
}

struct code_entry *gen_new_entry(struct gen *g)
{
	if (g->n_entries == g->entries_room) {
		g->entries_room = g->entries_room ? 2 * g->entries_room : 256;
		g->entries = xrealloc(g->entries, g->entries_room,
				      sizeof(*g->entries));
	}
	g->entries[g->n_entries] = (struct code_entry){ .label = "" };
	return &g->entries[g->n_entries];
}

/* Results that are read again need registers to rotate through, even in a small
 * loop: eight registers cannot hide four cycles at two instances in a cycle. */
static int assign(const struct gen *g, const struct experiment *x,
		  struct assigned *ret, struct err *e)
{
	uint32_t most = x->kind == EXPERIMENT_MIX ? ASSIGN_MAX_PERIOD
						  : wanted_ops(g, x, 0);
	int code = assign_registers(g->c, x, most, ret, e);

	if (code == ERR_OK && x->kind == EXPERIMENT_LOOP && ret->chains > 0)
		code = assign_registers(g->c, x, LOOP_STEP, ret, e);
	return code;
}

static uint32_t n_instances(const struct assigned *a)
{
	uint32_t n = 0;

	for (size_t s = 0; s < a->n_steps; s++)
		n += a->together[s];
	return n;
}

static int add_assigned(struct gen *g, const struct experiment *x,
			struct assigned *a, struct err *e)
{
	struct pack_image image;
	size_t code_before = g->code.n;
	uint32_t more = 0;
	struct code_entry *n = gen_new_entry(g);
	struct pack_kernel *k = &n->kernel;

	if (experiment_label(g->c, x, n->label, e) != ERR_OK ||
	    unite_check(g->c, x, e) != ERR_OK || assign(g, x, a, e) != ERR_OK ||
	    initial_image(g->c, x, a, &image, e) != ERR_OK ||
	    emit_lengths(g, x, a, k, &more, e) != ERR_OK) {
		g->code.n = code_before;
		return e->code;
	}
	n->chains = (uint32_t)a->chains;
	n->instructions =
		x->kind == EXPERIMENT_MIX ||
				experiment_kind_is(x->kind, EXPERIMENT_WHOLE)
			? mix_instructions(x)
		: experiment_kind_is(x->kind, EXPERIMENT_CUT_GROUPS)
			? window_instructions(x)
			: n_instances(a) + more;
	k->image = (uint16_t)gen_add_image(g, &image);
	if (g->memory_bytes < initial_memory_bytes(x, a))
		g->memory_bytes = initial_memory_bytes(x, a);
	k->counter =
		a->flagless ? g->c->isa->counter_flagless : g->c->isa->counter;
	k->flags = kernel_flags(g->c, x);
	n->class = kernel_class(g->c, x);
	k->id = gen_kernel_id(g, k);
	g->n_entries++;
	note_calibration(g, x);
	return ERR_OK;
}

int gen_add(struct gen *g, const struct experiment *x, struct err *e)
{
	struct assigned *a = xrealloc(NULL, 1, sizeof(*a));
	int code = add_assigned(g, x, a, e);

	free(a);
	return code;
}

bool gen_may_mix(const struct catalogue *c, const struct form *x,
		 const struct form *y)
{
	return !unite_clash(c, x, y);
}

double gen_wait(const struct catalogue *c, const struct gen_profile *p,
		const struct experiment *x)
{
	struct err ignored = { .code = ERR_OK, .message = "" };
	struct assigned *a;
	bool waits = false;
	double wait = 0;

	for (size_t s = 0; s < x->n_steps; s++)
		waits |= x->steps[s].latency > 1;
	if (!waits)
		return 0;
	a = xrealloc(NULL, 1, sizeof(*a));
	if (assign_registers(c, x, ASSIGN_MAX_PERIOD, a, &ignored) == ERR_OK)
		wait = mix_wait(x, a, mix_bodies(x, p->mix_unroll));
	free(a);
	return wait;
}

size_t gen_n_kernels(const struct gen *g)
{
	return g->n_entries;
}

void gen_kernel_row(const struct gen *g, size_t index, struct kernel_row *ret)
{
	const struct code_entry *n = &g->entries[index];
	const struct pack_kernel *k = &n->kernel;

	*ret = (struct kernel_row){
		.id = k->id,
		.label = n->label,
		.ops_per_body = 1,
		.chains = n->chains,
		.instructions = n->instructions,
		.calib = k->flags & PACK_KERNEL_CALIB,
		.class = n->class,
		.image = &g->images[k->image],
	};
	for (int i = 0; i < PACK_LENGTHS; i++) {
		ret->unroll[i] = k->unroll[i];
		ret->code[i] = g->code.bytes + k->code_offset[i];
		ret->code_bytes[i] = k->code_bytes[i];
	}
}
