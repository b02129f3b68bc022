/* From a request to a pack; see campaign.h. */
#include "host/campaign/campaign.h"

#include <inttypes.h>
#include <string.h>

#include "common/bend.h"
#include "host/base/board_places.h"
#include "host/campaign/shard.h"
#include "host/isa/isa.h"
#include "host/link/link.h"
#include "host/plan/plan.h"

enum { ONCE_NS = 100 }; /* less than any kernel takes */

const char *campaign_cpu(struct arena *a, const struct board *b,
			 const char *cpu)
{
	const char *name = cpu ? cpu : b->cpu;

	if (cpu || *b->features == '\0')
		return *name == '\0' ? NULL : name;
	if (*name == '\0')
		return b->features;
	return arena_printf(a, "%s,%s", name, b->features);
}

uint32_t campaign_n_measured(const struct campaign *c)
{
	return pack_n_measured(c->pack.bytes);
}

bool campaign_is_here(const struct campaign *c)
{
	return !c->request->tty &&
	       strcmp(c->board->transport, "process") == 0 &&
	       c->isa == isa_native();
}

char *campaign_path(struct campaign *c, const char *name)
{
	return arena_printf(&c->arena, "%s/%s", c->request->share, name);
}

static int find_board(struct campaign *c, struct err *e)
{
	const struct campaign_request *q = c->request;
	const char *isa = q->isa;
	const char *core_isa = NULL;

	/* The file of an invented core names its instruction set. */
	if (q->core &&
	    link_core_isa(&c->arena, q->core, &core_isa, e) != ERR_OK)
		return e->code;
	if (!isa)
		isa = core_isa;
	if (board_get(&c->arena, q->share, q->board, isa, &c->board, e) !=
	    ERR_OK)
		return e->code;
	c->isa = isa_find(c->board->isa);
	if (core_isa && strcmp(core_isa, c->board->isa) != 0)
		return err_set(e, ERR_INPUT,
			       "%s is a core for %s, and board '%s' is for %s",
			       q->core, core_isa, c->board->name,
			       c->board->isa);
	if (!c->isa)
		return err_set(e, ERR_INPUT, "%s: unknown instruction set '%s'",
			       c->board->path, c->board->isa);
	return ERR_OK;
}

static void keep_reason(struct campaign *c, char *reason)
{
	buffer_add(&c->reasons, &reason, sizeof(reason));
}

static void note_skipped(void *context, const struct form *form, int src,
			 int dst, const char *why)
{
	enum { NAME = 64 };
	struct campaign *c = context;
	char from[NAME], to[NAME];

	operand_name(c->catalogue, form, src, from, sizeof(from));
	operand_name(c->catalogue, form, dst, to, sizeof(to));
	keep_reason(c, arena_printf(&c->arena, "latency:%s@%s>%s: no chain: %s",
				    form->name, from, to, why));
}

/* One pass over the experiments. */
struct generation {
	const struct experiment *list;
	const bool *skip;     /* these have no kernel, or are of other shards */
	struct buffer origin; /* size_t: the experiment of each kernel */
};

/* Make the kernel of an experiment.  An experiment without a kernel is no
 * error, except for calibration: the reason is kept and stored with the
 * results. */
static int generate_one(struct campaign *c, const struct experiment *x,
			struct generation *g, struct err *e)
{
	struct err why = { .code = ERR_OK, .message = "" };
	char label[PACK_MAX_LABEL];

	size_t index = (size_t)(x - g->list);

	if (g->skip && g->skip[index])
		return ERR_OK;
	if (gen_add(c->gen, x, &why) == ERR_OK) {
		buffer_add(&g->origin, &index, sizeof(index));
		return ERR_OK;
	}
	if (x->kind == EXPERIMENT_CALIBRATE || x->kind == EXPERIMENT_PROBE)
		return err_set(e, ERR_FAILED, "%s", why.message);
	if (experiment_label(c->catalogue, x, label, e) != ERR_OK)
		return e->code;
	c->n_refused++;
	keep_reason(c, arena_printf(&c->arena, "%s: no kernel: %s", label,
				    why.message));
	return ERR_OK;
}

struct gen_profile campaign_profile(const struct board *b,
				    uint32_t kernel_cycles)
{
	enum { PROCESS_READY_MS = 2000 };
	struct gen_profile p =
		gen_profile(kernel_cycles ? kernel_cycles : b->kernel_cycles);

	if (kernel_cycles == 0 && b->unroll > 0)
		gen_profile_unroll(&p, b->unroll);
	if (b->transport && strcmp(b->transport, "process") == 0)
		p.ready_ms = PROCESS_READY_MS;
	if (b->ready_ms != BOARD_READY_USUAL)
		p.ready_ms = b->ready_ms;
	if (b->repeats > 0)
		p.n_repeats = b->repeats;
	if (b->visits > 0)
		p.n_visits = b->visits;
	return p;
}

/* Make the kernels of some experiments, ordered by width. */
static int generate_stretch(struct campaign *c, const struct experiment *list,
			    size_t n, struct generation *g, struct err *e)
{
	for (unsigned width = 0; width < GEN_N_WIDTHS; width++)
		for (size_t i = 0; i < n; i++)
			if (gen_width(c->catalogue, &list[i]) == width &&
			    generate_one(c, &list[i], g, e) != ERR_OK)
				return e->code;
	return ERR_OK;
}

/* Make the kernels of all experiments.  A stretch is so short that an episode
 * of a busy sibling covers every width: so the solver can tell it from a probe
 * that is slow before one width alone.  It is so long that the changes of
 * width, a millisecond each, cost less than a hundredth of the time. */
static int generate(struct campaign *c, struct generation *g, size_t n,
		    struct err *e)
{
	enum { STRETCH = 1024 };
	struct gen_profile profile = c->profile;

	if (c->request->once) {
		profile.sandwich_ns = ONCE_NS;
		profile.n_sandwiches = 1;
		profile.n_visits = 1;
	}
	c->gen = gen_new(c->catalogue, &profile);
	for (size_t i = 0; i < n; i += STRETCH)
		if (generate_stretch(c, g->list + i,
				     n - i < STRETCH ? n - i : STRETCH, g,
				     e) != ERR_OK)
			return e->code;
	return gen_finish(c->gen, &c->pack, e);
}

/* Leave out the kernels of other shards, and generate again. */
static int generate_shard(struct campaign *c, struct generation *g, size_t n,
			  struct err *e)
{
	const struct campaign_request *q = c->request;
	const struct pack_header *h = (const void *)c->pack.bytes;
	size_t n_kernels = gen_n_kernels(c->gen);
	const size_t *origin = (const void *)g->origin.bytes;
	bool *in = ARENA_ARRAY(&c->arena, bool, n_kernels + 1);
	bool *skip = ARENA_ARRAY(&c->arena, bool, n + 1);
	size_t n_others = 0;

	c->set_id = h->id;
	shard_choose(c->gen, q->shard, q->n_shards, in);
	memset(skip, true, n * sizeof(*skip));
	for (size_t k = 0; origin && k < n_kernels; k++) {
		const uint32_t place = (uint32_t)k;
		struct kernel_row row;

		gen_kernel_row(c->gen, k, &row);
		n_others += in[k] && !row.calib;
		skip[origin[k]] = !in[k];
		if (in[k])
			buffer_add(&c->places, &place, sizeof(place));
	}
	if (n_others == 0)
		return err_set(e, ERR_INPUT,
			       "--shard: the set has kernels of fewer than "
			       "%" PRIu32 " forms",
			       q->n_shards);
	gen_free(c->gen);
	c->gen = NULL;
	buffer_free(&c->pack);
	g->skip = skip;
	g->origin.n = 0;
	return generate(c, g, n, e);
}

/* A budget with which no value is known to a percent. */
static int check_budget(const struct campaign_request *q, const struct board *b,
			struct err *e)
{
	uint32_t asked = q->kernel_cycles ? q->kernel_cycles : b->kernel_cycles;

	if (asked == 0 || asked >= BEND_LEAST_BUDGET)
		return ERR_OK;
	return err_set(e, q->kernel_cycles ? ERR_USAGE : ERR_INPUT,
		       "%s must be at least %d for values to 1 %%, not %" PRIu32
		       "; the default is %d",
		       q->kernel_cycles ? "--kernel-cycles"
					: "'kernel_cycles' of the board",
		       BEND_LEAST_BUDGET, asked, BEND_BUDGET);
}

/* A CPU that LLVM does not know is named with the file that names it. */
static int load_forms(struct campaign *c, struct err *e)
{
	const char *cpu = campaign_cpu(&c->arena, c->board, c->request->cpu);
	struct err why = { .code = ERR_OK, .message = "" };

	if (catalogue_load(&c->arena, c->isa, cpu, &c->catalogue, &why) ==
	    ERR_OK)
		return ERR_OK;
	if (c->request->cpu)
		return err_set(e, why.code, "%s", why.message);
	return err_set(e, why.code, "%s: cpu, features: %s", c->board->path,
		       why.message);
}

int campaign_start(const struct campaign_request *q, struct campaign *ret,
		   struct err *e)
{
	*ret = (struct campaign){ .request = q };
	if (find_board(ret, e) != ERR_OK)
		return e->code;
	if (check_budget(q, ret->board, e) != ERR_OK)
		return e->code;
	ret->profile = campaign_profile(ret->board, q->kernel_cycles);
	ret->kernel_cycles = ret->profile.kernel_cycles;
	return load_forms(ret, e);
}

int campaign_open(const struct campaign_request *q, struct campaign *ret,
		  struct err *e)
{
	struct plan_request plan = {
		.forms = q->forms,
		.families = q->families,
	};
	struct generation g = { .skip = NULL };
	struct experiment *list;
	unsigned what;

	*ret = (struct campaign){ .request = q };
	if (plan_parse_what(q->what ? q->what : "latency,throughput", &what,
			    e) != ERR_OK ||
	    campaign_start(q, ret, e) != ERR_OK)
		return e->code;
	ret->what = what;
	plan.thorough = gen_has_loops(&ret->profile) && !q->once;
	plan.core_clock = ret->board->clock == CLOCK_CORE;
	plan.catalogue = ret->catalogue;
	plan.what = ret->what;
	plan.skipped = note_skipped;
	plan.context = ret;
	if (plan_make(&ret->arena, &plan, &list, &ret->n_experiments, e) !=
	    ERR_OK)
		return e->code;
	g.list = ret->experiments = list;
	if (generate(ret, &g, ret->n_experiments, e) == ERR_OK && q->shard)
		(void)generate_shard(ret, &g, ret->n_experiments, e);
	buffer_free(&g.origin);
	return e->code;
}

void campaign_close(struct campaign *c)
{
	buffer_free(&c->pack);
	buffer_free(&c->places);
	buffer_free(&c->reasons);
	gen_free(c->gen);
	if (c->catalogue)
		catalogue_free(c->catalogue);
	arena_free(&c->arena);
}
