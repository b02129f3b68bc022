/* The order in which a port search finishes its forms; see ports.h.
 *
 * First come representatives: one for each combination of LLVM's scheduling
 * class, register width, memory access, number of operands, legacy SSE or not,
 * and base form or variant; those that share kernels with all others come
 * first, because the classes and the matrix are theirs.  Then come the forms
 * that compiled programs use most, then the rest, and last the same of vectors
 * of 64 bytes, which get no ports on cores where they close those of others, and of
 * forms that no compiler writes.  A search that ends early has finished the most useful forms. */
#include <stdlib.h>
#include <string.h>

#include "host/isa/isa.h"
#include "host/isa/mc.h"
#include "host/plan/ports.h"

enum {
	/* Fewer forms than this are one batch. */
	LEAST_FORMS = 1200,
	/* Chosen: enough for the classes and the matrix. */
	FIRST_BATCH = 600,
	/* A search may leave one batch unfinished, and begins none for which
	 * the time is short.  Each costs about a hundred requests of a few
	 * mixes, one or two seconds in all. */
	LATER_BATCH = 800,
};

enum worth { WORTH_GROUP, WORTH_COMMON, WORTH_REST };

struct batch_form {
	uint32_t at; /* in the list of the search */
	/* What forms of one group share. */
	struct batch_group {
		unsigned sched_class;
		uint16_t bits;
		uint8_t access, n_operands;
		bool variant, keeps_above;
	} group;
	size_t common; /* place in the ISA's list; the list's length: none */
	enum worth worth;
	const struct plan_ports_form *form;
};

/* Is a form's mnemonic ("addq") this stem ("add") and a suffix of at most one
 * letter? */
static bool has_stem(const char *mnemonic, const char *stem)
{
	size_t n = strlen(stem);

	return strncmp(mnemonic, stem, n) == 0 &&
	       (mnemonic[n] == '\0' || mnemonic[n + 1] == '\0');
}

static size_t place_among_common(const struct isa *isa, const struct form *f)
{
	size_t i = 0;

	while (isa->common && isa->common[i] &&
	       (f->variant || !has_stem(f->mnemonic, isa->common[i])))
		i++;
	return i;
}

static struct batch_group group_of(const struct catalogue *c,
				   const struct form *f)
{
	struct batch_group g = { .access = f->access,
				 .n_operands = f->n_explicit,
				 .variant = f->variant != NULL,
				 .keeps_above = c->isa->keeps_above &&
						c->isa->keeps_above(c, f),
				 .bits = (uint16_t)form_bits(c, f) };
	struct mc_opcode opcode;

	mc_get_opcode(c->mc, f->opcode, &opcode);
	g.sched_class = opcode.sched_class;
	return g;
}

static int compare_groups(const struct batch_group *x,
			  const struct batch_group *y)
{
	if (x->sched_class != y->sched_class)
		return x->sched_class < y->sched_class ? -1 : 1;
	if (x->bits != y->bits)
		return x->bits < y->bits ? -1 : 1;
	if (x->access != y->access)
		return x->access < y->access ? -1 : 1;
	if (x->n_operands != y->n_operands)
		return x->n_operands < y->n_operands ? -1 : 1;
	if (x->keeps_above != y->keeps_above)
		return x->keeps_above < y->keeps_above ? -1 : 1;
	return (x->variant > y->variant) - (x->variant < y->variant);
}

/* Groups are contiguous; in each group its representative is first: a common
 * form that suits mixes. */
static int compare_in_groups(const void *a, const void *b)
{
	const struct batch_form *x = a, *y = b;
	int order = compare_groups(&x->group, &y->group);

	if (order != 0)
		return order;
	if (x->common != y->common)
		return x->common < y->common ? -1 : 1;
	if (x->form->rank != y->form->rank)
		return x->form->rank < y->form->rank ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static bool is_last(const struct batch_form *x)
{
	return x->form->share >= SHARE_WIDEST;
}

static int compare_worth(const void *a, const void *b)
{
	const struct batch_form *x = a, *y = b;

	if (is_last(x) != is_last(y))
		return is_last(x) ? 1 : -1;
	if (x->worth != y->worth)
		return x->worth < y->worth ? -1 : 1;
	if (x->group.variant != y->group.variant)
		return x->group.variant ? 1 : -1;
	if (x->worth == WORTH_GROUP && x->form->share != y->form->share)
		return x->form->share < y->form->share ? -1 : 1;
	if (x->common != y->common)
		return x->common < y->common ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static void set_worth(struct batch_form *list, size_t n, size_t n_common)
{
	for (size_t i = 0; i < n; i++) {
		bool first = i == 0 || compare_groups(&list[i - 1].group,
						      &list[i].group) != 0;

		list[i].worth = first                       ? WORTH_GROUP
				: list[i].common < n_common ? WORTH_COMMON
							    : WORTH_REST;
	}
}

static uint16_t batch_at(size_t place)
{
	return place < FIRST_BATCH
		       ? 0
		       : (uint16_t)(1 + (place - FIRST_BATCH) / LATER_BATCH);
}

/* A breaker is measured no later than the forms that need it; the filler and
 * the move determine the width. */
static void set_breakers(const struct isa *isa, struct plan_ports_form *forms,
			 size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (forms[i].rank == 0 ||
		    (isa->breaker_copy &&
		     strcmp(forms[i].form->name, isa->breaker_copy) == 0))
			forms[i].batch = 0;
		for (size_t k = 0; k < forms[i].n_breakers; k++)
			forms[forms[i].breakers[k]].batch = 0;
	}
}

void plan_port_batches(struct arena *a, const struct catalogue *c,
		       struct plan_ports_form *forms, size_t n)
{
	struct batch_form *list = ARENA_ARRAY(a, struct batch_form, n + 1);
	size_t n_common = 0;

	if (n < LEAST_FORMS)
		return;
	while (c->isa->common && c->isa->common[n_common])
		n_common++;
	for (size_t i = 0; i < n; i++)
		list[i] = (struct batch_form){
			.at = (uint32_t)i,
			.group = group_of(c, forms[i].form),
			.common = place_among_common(c->isa, forms[i].form),
			.form = &forms[i],
		};
	qsort(list, n, sizeof(*list), compare_in_groups);
	set_worth(list, n, n_common);
	qsort(list, n, sizeof(*list), compare_worth);
	for (size_t i = 0; i < n; i++)
		forms[list[i].at].batch = batch_at(i);
	set_breakers(c->isa, forms, n);
}
