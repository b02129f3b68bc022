/* The default plan: for every measurable form the throughput of independent
 * instances, and a chain for each pair of a source and a destination that
 * share a register class. */
#include "host/plan/plan.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "host/plan/forward.h"
#include "host/plan/graph.h"
#include "host/plan/memory.h"
#include "host/plan/pairs.h"

struct planner {
	struct arena *a;
	const struct catalogue *c;
	unsigned what;
	const struct plan_request *request;
	struct experiment *list;
	size_t n, room;
	struct err *e;
};

int plan_parse_what(const char *words, unsigned *ret_what, struct err *e)
{
	static const struct {
		const char *word;
		unsigned bit;
	} known[] = {
		{ "latency", PLAN_LATENCY },
		{ "throughput", PLAN_THROUGHPUT },
	};
	unsigned what = 0;

	for (const char *at = words; *at != '\0';) {
		size_t n = strcspn(at, ",");
		size_t k = 0;

		while (k < ARRAY_LEN(known) &&
		       (strlen(known[k].word) != n ||
			strncmp(known[k].word, at, n) != 0))
			k++;
		if (k == ARRAY_LEN(known))
			return err_set(e, ERR_USAGE,
				       "--what: latency, "
				       "throughput or both, not '%.*s'",
				       (int)n, at);
		what |= known[k].bit;
		at += n + (at[n] == ',');
	}
	if (what == 0)
		return err_set(e, ERR_USAGE,
			       "--what: latency, throughput or both");
	*ret_what = what;
	return ERR_OK;
}

static void add(struct planner *p, const struct experiment *x)
{
	if (p->n == p->room) {
		p->room = p->room ? p->room * 2 : 1024;
		p->list = xrealloc(p->list, p->room, sizeof(*p->list));
	}
	p->list[p->n++] = *x;
}

/* The form that cuts a dependency through `bank`, NULL if the ISA has none
 * or needs none. */
static const struct form *breaker(const struct planner *p,
				  const struct form *of, uint8_t bank)
{
	const struct isa *isa = p->c->isa;
	/* Named values must come back. */
	const char *gpr =
		form_family(of) == FAMILY_FAST || form_family(of) == FAMILY_SLOW
			? isa->breaker_copy
			: isa->breaker_gpr;
	const char *name = bank == BANK_FLAGS ? isa->breaker_flags
			   : bank == BANK_GPR ? gpr
					      : NULL;

	return name ? catalogue_form(p->c, name) : NULL;
}

/* Append the helpers a pair needs; false when one is not to be had. */
static bool add_helpers(const struct planner *p, const struct pair *pair,
			struct experiment *x)
{
	for (size_t i = 0; i < pair->n_cuts; i++) {
		const struct form *f =
			breaker(p, x->steps[0].form, pair->cuts[i]);

		if (!f || x->n_steps == EXPERIMENT_MAX_STEPS)
			return false;
		x->steps[x->n_steps++] = (struct step){
			.form = f,
			.src = -1,
			.dst = -1,
			.count = 1,
			.helper = true,
		};
	}
	return true;
}

/* Independent instances; where the form carries a dependency on, also without
 * the helpers that cut it: an upper bound that no helper's cost blurs, and the
 * only one where a register cannot be cut. */
static void plan_throughput(struct planner *p, const struct form *f)
{
	struct experiment x = {
		.kind = EXPERIMENT_THROUGHPUT,
		.n_steps = 1,
		.steps[0] = { .form = f, .src = -1, .dst = -1, .count = 1 },
	};
	struct experiment alone = x;
	struct pair pair;
	bool cut =
		pair_independent(p->c, f, &pair) && add_helpers(p, &pair, &x);

	if (cut)
		add(p, &x);
	if (cut && p->request->thorough) {
		x.kind = EXPERIMENT_LOOP;
		add(p, &x);
	}
	if (cut && pair.n_cuts == 0)
		return;
	alone.kind = EXPERIMENT_DEPENDENT;
	add(p, &alone);
	/* The loop's own counter cuts flags once an iteration: where the core
	 * sees several iterations at a time, they run side by side. */
	if (pair.n_cuts == 1 && pair.cuts[0] == BANK_FLAGS) {
		alone.kind = EXPERIMENT_LOOP;
		add(p, &alone);
	}
}

static bool is_source(const struct operand *o)
{
	return o->kind == OPERAND_REG && o->read;
}

static bool is_result(const struct operand *o)
{
	return o->kind == OPERAND_REG && o->write;
}

static void skip(const struct planner *p, const struct form *f, int src,
		 int dst, const char *why)
{
	if (p->request->skipped)
		p->request->skipped(p->request->context, f, src, dst, why);
}

/* Control and status registers are no part of a chain. */
static bool is_state(const struct planner *p, const struct operand *o)
{
	uint8_t bank = p->c->regs[o->fixed_reg].bank;

	return o->fixed_reg != REG_NONE &&
	       (bank == BANK_STATE || bank == BANK_NONE);
}

/* A pair of different classes: a circle with the ISA's bridges. */
static void plan_circle(struct planner *p, const struct form *f, int src,
			int dst)
{
	struct experiment x;
	struct pair cuts;

	if (graph_chain(p->c, f, src, dst, &x, &cuts) &&
	    add_helpers(p, &cuts, &x))
		add(p, &x);
	else if (!is_state(p, &f->operands[src]) &&
		 !is_state(p, &f->operands[dst]))
		skip(p, f, src, dst, "nothing leads back to the source");
}

static void plan_pair(struct planner *p, const struct form *f, int src, int dst)
{
	struct experiment x = {
		.kind = EXPERIMENT_LATENCY,
		.n_steps = 1,
		.steps[0] = { .form = f,
			      .src = (int16_t)src,
			      .dst = (int16_t)dst,
			      .count = 1 },
	};
	struct pair pair;

	if (f->variant && f->variant->unchained) {
		skip(p, f, src, dst, f->variant->unchained);
		return;
	}
	if (!memory_allows(f, dst)) {
		skip(p, f, src, dst, "the result comes from memory");
		return;
	}

	enum pair_verdict verdict = pair_check(p->c, f, src, dst, &pair);

	if (verdict == PAIR_OTHER_CLASS)
		plan_circle(p, f, src, dst);
	if (verdict == PAIR_COUPLED)
		skip(p, f, src, dst,
		     "the form reads the chain's register once more");
	if (verdict != PAIR_OK)
		return;
	if (!add_helpers(p, &pair, &x)) {
		skip(p, f, src, dst, "no helper cuts another dependency");
		return;
	}
	add(p, &x);

	/* The twin with the chain broken: the same instances, independent.
	 * That is what the throughput is measured with. */
	if (p->what & PLAN_THROUGHPUT)
		return;
	x.kind = EXPERIMENT_CONTROL;
	x.n_steps = 1;
	if (pair_independent(p->c, f, &pair) && add_helpers(p, &pair, &x))
		add(p, &x);
}

static void plan_latency(struct planner *p, const struct form *f)
{
	struct experiment brief;

	if (p->request->thorough && forward_short(p->c, f, &brief))
		add(p, &brief);
	for (int src = 0; src < f->n_operands; src++) {
		if (!is_source(&f->operands[src]))
			continue;
		for (int dst = 0; dst < f->n_operands; dst++)
			if (is_result(&f->operands[dst]))
				plan_pair(p, f, src, dst);
	}

	if (f->variant && f->variant->unchained)
		return;

	struct experiment more[MEMORY_MAX_EXPERIMENTS];
	size_t n = memory_experiments(p->c, f, p->what & PLAN_THROUGHPUT, more);

	for (size_t i = 0; i < n; i++)
		add(p, &more[i]);
}

/* A calibration chain: the last source that chains to a result, so that on
 * two-address ISAs it is the tied one that is left constant-free. */
static int plan_chain(struct planner *p, const char *name)
{
	const struct form *f = catalogue_form(p->c, name);

	for (int src = 0; f && src < f->n_operands; src++)
		for (int dst = 0; dst < f->n_operands; dst++) {
			struct pair pair;

			if (!is_source(&f->operands[src]) ||
			    !is_result(&f->operands[dst]) ||
			    f->operands[src].implicit ||
			    pair_check(p->c, f, src, dst, &pair) != PAIR_OK)
				continue;
			add(p, &(struct experiment){
				       .kind = EXPERIMENT_CALIBRATE,
				       .n_steps = 1,
				       .steps[0] = { .form = f,
						     .src = (int16_t)src,
						     .dst = (int16_t)dst,
						     .count = 1 } });
			return ERR_OK;
		}
	return err_set(p->e, ERR_FAILED, "%s: calibration form %s",
		       p->c->isa->name, name);
}

static int plan_calibration(struct planner *p)
{
	const struct isa_calibration *k = &p->c->isa->calibration;
	const struct form *probe = catalogue_form(p->c, k->probe);

	if (plan_chain(p, k->chain_a) != ERR_OK ||
	    plan_chain(p, k->chain_b) != ERR_OK)
		return p->e->code;
	if (!probe)
		return err_set(p->e, ERR_FAILED, "%s: calibration form %s",
			       p->c->isa->name, k->probe);
	add(p, &(struct experiment){ .kind = EXPERIMENT_PROBE,
				     .n_steps = 1,
				     .steps[0] = { .form = probe,
						   .src = -1,
						   .dst = -1,
						   .count = 1 } });
	return ERR_OK;
}

int plan_expression(const char *forms, regex_t *ret, struct err *e)
{
	char why[120];
	int bad = regcomp(ret, forms ? forms : "", REG_EXTENDED | REG_NOSUB);

	if (bad == 0)
		return ERR_OK;
	(void)regerror(bad, ret, why, sizeof(why));
	return err_set(e, ERR_USAGE,
		       "--forms: an extended regular expression (%s)", why);
}

int plan_calibrate(struct arena *a, const struct catalogue *c,
		   struct experiment **ret, size_t *ret_n, struct err *e)
{
	struct planner p = { .a = a, .c = c, .e = e };
	int code = plan_calibration(&p);

	if (code == ERR_OK) {
		*ret = arena_copy(a, p.list, p.n * sizeof(*p.list));
		*ret_n = p.n;
	}
	free(p.list);
	return code;
}

struct choice {
	const regex_t *expression;
	uint32_t families;
};

static bool is_chosen(const struct choice *q, const struct form *f)
{
	return f->status == FORM_MEASURABLE && form_chosen(f, q->families) &&
	       regexec(q->expression, f->name, 0, NULL, 0) == 0;
}

/* Pairs of forms: what each costs alone tells what to make of the sum. */
static void plan_forwarding(struct planner *p, const struct choice *choice)
{
	struct experiment list[FORWARD_MAX_FORMS];
	size_t n = forward_forms(p->c, list);

	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++) {
			struct experiment x;

			if (is_chosen(choice, list[i].steps[0].form) &&
			    is_chosen(choice, list[k].steps[0].form) &&
			    forward_pair(p->c, &list[i], &list[k], &x))
				add(p, &x);
		}
}

static int plan_forms(struct planner *p, const struct plan_request *q)
{
	uint32_t families = q->families ? q->families : families_default();
	regex_t expression;
	size_t before = p->n;

	if (plan_expression(q->forms, &expression, p->e) != ERR_OK)
		return p->e->code;

	struct choice choice = { .expression = &expression,
				 .families = families };

	for (size_t i = 0; i < p->c->n_forms; i++) {
		const struct form *f = &p->c->forms[i];

		if (!is_chosen(&choice, f))
			continue;
		if (q->what & PLAN_THROUGHPUT)
			plan_throughput(p, f);
		if (q->what & PLAN_LATENCY)
			plan_latency(p, f);
	}
	if (q->thorough && (q->what & PLAN_LATENCY))
		plan_forwarding(p, &choice);
	regfree(&expression);
	if (p->n == before)
		return err_set(p->e, ERR_INPUT,
			       "--forms: an expression that "
			       "some measurable form of %s matches (see "
			       "`anechoic forms` and --variants)",
			       p->c->isa->name);
	return ERR_OK;
}

int plan_make(struct arena *a, const struct plan_request *q,
	      struct experiment **ret_experiments, size_t *ret_n, struct err *e)
{
	struct planner p = {
		.a = a, .c = q->catalogue, .what = q->what, .request = q, .e = e
	};
	int ret = plan_calibration(&p);

	if (ret == ERR_OK)
		ret = plan_forms(&p, q);
	if (ret == ERR_OK) {
		*ret_experiments = arena_copy(a, p.list, p.n * sizeof(*p.list));
		*ret_n = p.n;
	}
	free(p.list);
	return ret;
}
