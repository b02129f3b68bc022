/* From a request to a pack; see campaign.h. */
#include "host/campaign/campaign.h"

#include <inttypes.h>
#include <string.h>

#include "common/bend.h"
#include "host/image/image.h"
#include "host/isa/isa.h"
#include "host/link/link.h"
#include "host/plan/plan.h"

enum {
	MAX_RUNTIME = 64 << 20,
	ONCE_NS = 100, /* less than any kernel takes */
};

const char *campaign_cpu(struct arena *a, const struct board *b,
			 const char *cpu)
{
	const char *name = cpu ? cpu : b->cpu;

	if (cpu || *b->features == '\0')
		return *name == '\0' ? NULL : name;
	return arena_printf(a, "%s,%s", name, b->features);
}

char *campaign_path(struct campaign *c, const char *name)
{
	return arena_printf(&c->arena, "%s/%s", c->request->share, name);
}

static int find_board(struct campaign *c, struct err *e)
{
	const struct campaign_request *q = c->request;
	struct board *boards;
	const char *isa = q->isa;
	const char *core_isa = NULL;
	size_t n;

	/* The file of an invented core names its instruction set. */
	if (q->core &&
	    link_core_isa(&c->arena, q->core, &core_isa, e) != ERR_OK)
		return e->code;
	if (!isa)
		isa = core_isa;
	if (boards_read(&c->arena, campaign_path(c, "boards"), &boards, &n,
			e) != ERR_OK ||
	    board_find(boards, n, q->board, isa, &c->board, e) != ERR_OK)
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

/* Make the kernel of an experiment.  An experiment without a kernel is no
 * error, except for calibration: the reason is kept and stored with the
 * results. */
static int generate_one(struct campaign *c, const struct experiment *x,
			struct err *e)
{
	struct err why = { .code = ERR_OK, .message = "" };
	char label[PACK_MAX_LABEL];

	if (gen_add(c->gen, x, &why) == ERR_OK)
		return ERR_OK;
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
			    size_t n, struct err *e)
{
	for (unsigned width = 0; width < GEN_N_WIDTHS; width++)
		for (size_t i = 0; i < n; i++)
			if (gen_width(c->catalogue, &list[i]) == width &&
			    generate_one(c, &list[i], e) != ERR_OK)
				return e->code;
	return ERR_OK;
}

/* Make the kernels of all experiments.  A stretch is so short that an episode
 * of a busy sibling covers every width: so the solver can tell it from a probe
 * that is slow before one width alone.  It is so long that the changes of
 * width, a millisecond each, cost less than a hundredth of the time. */
static int generate(struct campaign *c, const struct experiment *list, size_t n,
		    bool once, struct err *e)
{
	enum { STRETCH = 1024 };
	struct gen_profile profile = c->profile;

	if (once) {
		profile.sandwich_ns = ONCE_NS;
		profile.n_sandwiches = 1;
		profile.n_visits = 1;
	}
	c->gen = gen_new(c->catalogue, &profile);
	for (size_t i = 0; i < n; i += STRETCH)
		if (generate_stretch(c, list + i,
				     n - i < STRETCH ? n - i : STRETCH,
				     e) != ERR_OK)
			return e->code;
	return gen_finish(c->gen, &c->pack, e);
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
	return catalogue_load(&ret->arena, ret->isa,
			      campaign_cpu(&ret->arena, ret->board, q->cpu),
			      &ret->catalogue, e);
}

int campaign_open(const struct campaign_request *q, struct campaign *ret,
		  struct err *e)
{
	struct plan_request plan = {
		.forms = q->forms,
		.families = q->families,
	};
	struct experiment *list;
	unsigned what;

	*ret = (struct campaign){ .request = q };
	if (plan_parse_what(q->what ? q->what : "latency,throughput", &what,
			    e) != ERR_OK ||
	    campaign_start(q, ret, e) != ERR_OK)
		return e->code;
	ret->what = what;
	plan.thorough = gen_has_loops(&ret->profile) && !q->once;
	plan.catalogue = ret->catalogue;
	plan.what = ret->what;
	plan.skipped = note_skipped;
	plan.context = ret;
	if (plan_make(&ret->arena, &plan, &list, &ret->n_experiments, e) !=
	    ERR_OK)
		return e->code;
	return generate(ret, list, ret->n_experiments, q->once, e);
}

void campaign_close(struct campaign *c)
{
	buffer_free(&c->pack);
	buffer_free(&c->reasons);
	gen_free(c->gen);
	if (c->catalogue)
		catalogue_free(c->catalogue);
	arena_free(&c->arena);
}

int campaign_image(struct campaign *c, struct buffer *ret, struct err *e)
{
	const struct image_kind *kind = image_kind_find(c->board->image);
	struct image_request q = {
		.board = c->board,
		.pack = c->pack.bytes,
		.n_pack = c->pack.n,
	};
	unsigned char *runtime;

	if (!kind)
		return err_set(e, ERR_INPUT, "%s: unknown image kind '%s'",
			       c->board->path, c->board->image);

	char *name = arena_printf(&c->arena, "runtime/%s", c->board->runtime);

	if (file_read(&c->arena, campaign_path(c, name), MAX_RUNTIME, &runtime,
		      &q.n_runtime, e) != ERR_OK)
		return e->code;
	q.runtime = runtime;
	return kind->build(&q, ret, e);
}
