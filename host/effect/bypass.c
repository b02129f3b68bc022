/* Results that reach instructions of another unit later: classes of forms.
 *
 * A chain that alternates between two forms, minus the latencies of both, gives
 * the sum of the bypass delays in both directions. Forms with the same sums
 * against all other forms are one class. The sum cannot be divided between the
 * directions, but every latency cycle uses both, so the division does not
 * matter. The whole delay is assigned to the results of the class that delays
 * more other forms. */
#include "host/effect/bypass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/isa/isa.h"
#include "host/model/claims_read.h"
#include "host/plan/forward.h"
#include "host/solve/judging.h"

enum { MAX_LEADERS = 64 };

/* The sum of three measurements must be this close to whole cycles. */
static const double whole_cycles_tolerance = 0.15;
/* Sums this close to the cost of the forms alone are equal, as for visits that
 * agree. */
static const double same = 0.02;

extern const struct effect effect_bypass;

/* ---- experiments --------------------------------------------------------- */

static enum form_domain domain_of(const struct experiment *x)
{
	return (enum form_domain)x->steps[0].form->domain;
}

bool bypass_other(const struct catalogue *c, const struct form *form,
		  const struct experiment *forms, size_t n,
		  struct experiment *ret)
{
	if (form->domain != DOMAIN_FP32 && form->domain != DOMAIN_FP64)
		return false;
	for (size_t i = 0; i < n; i++)
		if (forms[i].steps[0].form == form)
			return false;
	return forward_short(c, form, ret);
}

size_t bypass_references(const struct catalogue *c,
			 struct experiment ret[BYPASS_MAX_REFERENCES])
{
	enum { OF_A_KIND = 2 };
	struct experiment all[FORWARD_MAX_FORMS];
	size_t n = forward_forms(c, c->isa->forwarding, all, 0), kept = 0;

	n = forward_forms(c, c->isa->forwarding_types, all, n);
	for (size_t i = 0; i < n; i++) {
		size_t before = 0;

		for (size_t k = 0; k < kept; k++)
			before += forward_same_registers(c, &ret[k], &all[i]) &&
				  domain_of(&ret[k]) == domain_of(&all[i]);
		if (before < OF_A_KIND && domain_of(&all[i]) != DOMAIN_INT &&
		    kept < BYPASS_MAX_REFERENCES)
			ret[kept++] = all[i];
	}
	return kept;
}

static void add_turns(const struct effect_plan *q, const struct experiment *x,
		      const struct experiment *y)
{
	struct experiment turns;

	if (!forward_pair(q->catalogue, x, y, &turns))
		return;
	turns.kind = effect_kind(&effect_bypass);
	q->add(q->context, &turns);
}

/* Pair every form that is not on the list with two references of its type;
 * pair two references once. */
static void add_others(const struct effect_plan *q,
		       const struct experiment *list, size_t n)
{
	const struct catalogue *c = q->catalogue;
	struct experiment of[BYPASS_MAX_REFERENCES], x;
	size_t n_of = bypass_references(c, of);

	for (size_t i = 0; i < c->n_forms; i++) {
		const struct form *f = &c->forms[i];
		size_t k = 0;

		if (!q->is_chosen(q->choice, f) ||
		    !bypass_other(c, f, list, n, &x))
			continue;
		for (size_t m = 0; m < n_of; m++)
			if (of[m].steps[0].form == f)
				k = m;
		for (; k < n_of; k++)
			add_turns(q, &x, &of[k]);
	}
}

/* The forms of the ISA's list are paired with each other, all others with two
 * of them. */
static void plan(const struct effect_plan *q)
{
	struct experiment list[FORWARD_MAX_FORMS];
	size_t n = forward_forms(q->catalogue, q->catalogue->isa->forwarding,
				 list, 0);

	if (!q->thorough || !q->latencies)
		return;
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1;
		     k < n && q->is_chosen(q->choice, list[i].steps[0].form);
		     k++)
			if (q->is_chosen(q->choice, list[k].steps[0].form))
				add_turns(q, &list[i], &list[k]);
	add_others(q, list, n);
}

/* ---- claims -------------------------------------------------------------- */

static void compare_alone(const struct judge *j, const struct judge_end ends[2],
			  struct claim *c)
{
	double alone = ends[0].alone + ends[1].alone;
	double apart = ends[0].throughput + ends[1].throughput;

	if (apart > 0 && c->low_cycles <= apart * (1 + judging_shows)) {
		c->low_cycles = j->min_cycles;
		c->verdict = VERDICT_THROUGHPUT_BOUND;
		return;
	}
	if (ends[0].alone <= 0 || ends[1].alone <= 0) {
		c->verdict = VERDICT_NO_CONTROL;
		return;
	}
	judging_say(j, c, "chains of each alone %.4g and %.4g", ends[0].alone,
		    ends[1].alone);
	if (c->high_cycles > alone + judging_most_extra) {
		c->has_value = false;
		c->verdict = VERDICT_IMPLAUSIBLE;
	}
	if (fabs(c->high_cycles - alone) > same * alone)
		c->detail = arena_printf(j->a, "%s: together %+.3g", c->detail,
					 c->high_cycles - alone);
}

/* They measure the sum of both directions; the chains of each form alone give
 * the sum if nothing depends on the reader.  One claim for each form. */
static int judge(const struct judge *j, const struct record *r, size_t n)
{
	double u;
	struct claim c = judging_latency(j, r, &u);
	struct judge_end ends[2];
	int ret = 0;

	(void)n;
	if (!judging_ends(j, &r->label, ends))
		return 0;
	if (c.has_value)
		compare_alone(j, ends, &c);
	c.low_cycles *= 1 - u;
	c.high_cycles *= 1 + u;
	for (int i = 0; i < 2 && ret == 0; i++) {
		c.form = ends[i].part->form;
		c.source = ends[i].pair;
		c.destination = ends[1 - i].part->text;
		ret = j->sink->each(j->sink->context, &c, j->e);
	}
	return ret;
}

/* ---- classes ------------------------------------------------------------- */

/* Bypass cycles of an alternating chain beyond the latencies of both forms. */
struct excess {
	struct model_form *form, *other;
	int cycles;
};

/* All of them with one form, sorted by the other one. */
struct excesses {
	struct model_form *form;
	const struct excess *list;
	size_t n;
};

struct bypass_classes {
	struct claim_reader *r;
	/* The representatives of each class and width, with which forms are
	 * compared. */
	size_t n_leaders;
	struct excesses leaders[MAX_LEADERS];
	size_t n; /* classes; [0] is none */
	const char **names;
};

static bool read_excess(const struct claim_reader *r, const struct claim *c,
			struct excess *ret)
{
	struct claim_pair x;
	double more;

	if (!claim_is(c, "forward") || !c->has_value ||
	    c->verdict != VERDICT_OK || !claims_pair(r, c, &x) ||
	    x.form == x.other || !x.own.has_value || !x.others.has_value)
		return false;
	more = claim_middle(c) - (x.own.low + x.own.high) / 2 -
	       (x.others.low + x.others.high) / 2;
	*ret = (struct excess){ x.form, x.other, (int)lround(more) };
	return fabs(more - round(more)) < whole_cycles_tolerance;
}

static int excess_by_form(const void *a, const void *b)
{
	const struct excess *x = a, *y = b;

	if (x->form != y->form)
		return x->form < y->form ? -1 : 1;
	return (x->other > y->other) - (x->other < y->other);
}

/* Does a form have the same sums as a leader, for all forms that both were
 * measured with? False when there are none. */
static bool is_same_class(const struct excesses *a, const struct excesses *to)
{
	const struct excess *x = a->list, *y = to->list;
	size_t n = 0;

	for (size_t i = 0, j = 0; i < a->n; i++) {
		int cycles = 0; /* with the leader itself */

		while (j < to->n && y[j].other < x[i].other)
			j++;
		if (x[i].other != to->form) {
			if (j == to->n || y[j].other != x[i].other)
				continue;
			cycles = y[j].cycles;
		}
		if (x[i].cycles != cycles)
			return false;
		n++;
	}
	return n > 0;
}

/* Add a leader. Leaders of the same mnemonic and different widths share a
 * class. */
static uint8_t add_leader(struct bypass_classes *k, const struct excesses *x)
{
	const char *name = catalogue_form(k->r->c, x->form->name)->mnemonic;
	uint8_t class = 1;

	if (k->n_leaders == MAX_LEADERS)
		return 0;
	while (class < k->n && strcmp(k->names[class], name) != 0)
		class ++;
	if (class == k->n) {
		k->names[class] = name;
		k->n++;
	}
	k->leaders[k->n_leaders++] = *x;
	return class;
}

static uint8_t class_of(struct bypass_classes *k, const struct excesses *x)
{
	for (size_t i = 0; i < k->n_leaders; i++)
		if (is_same_class(x, &k->leaders[i]))
			return k->leaders[i].form->bypass;
	return add_leader(k, x);
}

static int excesses_by_number(const void *a, const void *b)
{
	const struct excesses *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return (x->form > y->form) - (x->form < y->form);
}

/* Forms measured with the most other forms come first and become leaders. */
static void classify(struct bypass_classes *k, const struct excess *list,
		     size_t n_list)
{
	struct excesses *all = ARENA_ARRAY(k->r->a, struct excesses, n_list);
	size_t n = 0;

	for (size_t i = 0; i < n_list; i++) {
		if (n == 0 || all[n - 1].form != list[i].form)
			all[n++] =
				(struct excesses){ list[i].form, &list[i], 0 };
		all[n - 1].n++;
	}
	qsort(all, n, sizeof(*all), excesses_by_number);
	for (size_t i = 0; i < n; i++)
		all[i].form->bypass = class_of(k, &all[i]);
}

struct named_form {
	const char *mnemonic;
	struct model_form *form;
};

static int by_mnemonic(const void *a, const void *b)
{
	const struct named_form *x = a, *y = b;
	int order = strcmp(x->mnemonic, y->mnemonic);

	return order != 0 ? order : (x->form > y->form) - (x->form < y->form);
}

/* The class of all forms in the list that have one; 0: several or none. */
static uint8_t common_class(const struct named_form *list, size_t n)
{
	uint8_t class = 0;

	for (size_t i = 0; i < n; i++) {
		uint8_t own = list[i].form->bypass;

		if (own != 0 && class != 0 && own != class)
			return 0;
		class = own != 0 ? own : class;
	}
	return class;
}

/* A form that was not measured, such as one with a mask or a memory operand,
 * inherits the class of its mnemonic. */
static void inherit_classes(const struct bypass_classes *k)
{
	struct model_form *forms = (void *)k->r->forms.bytes;
	size_t n = k->r->forms.n / sizeof(*forms);
	struct named_form *list =
		ARENA_ARRAY(k->r->a, struct named_form, n + 1);
	const struct form *form = k->r->c->forms;

	/* Both lists have the same order, and the names are the catalogue's
	 * strings. */
	for (size_t i = 0; i < n; i++) {
		while (form->name != forms[i].name)
			form++;
		list[i] = (struct named_form){ form->mnemonic, &forms[i] };
	}
	qsort(list, n, sizeof(*list), by_mnemonic);
	for (size_t i = 0, end; i < n; i = end) {
		uint8_t class;

		for (end = i + 1; end < n && strcmp(list[end].mnemonic,
						    list[i].mnemonic) == 0;)
			end++;
		class = common_class(&list[i], end - i);
		for (size_t j = i; j < end; j++)
			if (list[j].form->bypass == 0)
				list[j].form->bypass = class;
	}
}

/* The delays are of the class whose leaders have more of them. */
static void fill_table(const struct bypass_classes *k,
		       const struct excess *list, size_t n, struct model *m)
{
	size_t late[MAX_LEADERS + 1] = { 0 };

	for (size_t i = 0; i < k->n_leaders; i++)
		for (size_t x = 0; x < k->leaders[i].n; x++)
			late[k->leaders[i].form->bypass] +=
				k->leaders[i].list[x].cycles != 0;
	for (size_t i = 0; i < n; i++) {
		uint8_t from = list[i].form->bypass, to = list[i].other->bypass;

		if (late[from] > late[to] ||
		    (late[from] == late[to] && from < to))
			m->bypass[from][to] = list[i].cycles;
	}
}

static void read_claims(struct claim_reader *r)
{
	struct bypass_classes k = { .r = r, .n = 1 };
	struct buffer found = { 0 };
	struct excess *list, x;
	size_t n;

	for (size_t i = 0; i < r->values.n; i++)
		if (read_excess(r, &r->values.list[i], &x))
			buffer_add(&found, &x, sizeof(x));
	list = (void *)found.bytes;
	n = found.n / sizeof(*list);
	if (n > 0) {
		qsort(list, n, sizeof(*list), excess_by_form);
		k.names = ARENA_ARRAY(r->a, const char *, MAX_LEADERS + 1);
		k.names[0] = "";
		classify(&k, list, n);
		r->m->n_bypass = k.n;
		r->m->bypass_names = k.names;
		r->m->bypass = arena_alloc(r->a, MODEL_MAX_CLASSES,
					   sizeof(*r->m->bypass));
		fill_table(&k, list, n, r->m);
		inherit_classes(&k);
	}
	buffer_free(&found);
}

static const struct experiment_row kind = {
	"forward", "forward", 2,
	EXPERIMENT_WAITS | EXPERIMENT_TIMES_CHAIN | EXPERIMENT_JUDGED |
		EXPERIMENT_CLAIMED | EXPERIMENT_PAIRED
};

static const struct effect_pairs pairs = {
	"Forwarding",
	"A chain that alternates between this form and its partner: cycles "
	"of one instance of each, and how much longer that is than the sum "
	"of their latencies",
	true,
};

const struct effect effect_bypass = {
	.name = "bypass",
	.kind = &kind,
	.pairs = &pairs,
	.plan = plan,
	.judge = judge,
	.read_claims = read_claims,
};
