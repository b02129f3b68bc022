/* Which forms share an entry of OSACA's machine model, and which need none; see
 * write.h. */
#include "host/codec/osaca/write.h"

#include <math.h>
#include <string.h>

#include "host/isa/isa.h"

static const struct model_form nothing = { .name = "" };

/* ---- equal costs -------------------------------------------------------- */

/* Do x and y differ by at most 2 % of the larger one, as two measurements of
 * the same cost may? */
static bool is_near(double x, double y)
{
	static const double doubt = 0.02;

	return fabs(x - y) <= doubt * fmax(fabs(x), fabs(y));
}

/* Uses of ports, without units that only bound a rate. */
static bool has_use(const struct model *m, const struct model_form *f,
		    const struct model_use *u)
{
	if ((u->ports & pseudo_ports(m)) != 0)
		return true;
	for (size_t i = 0; i < f->n_uses; i++)
		if (f->uses[i].ports == u->ports &&
		    is_near(f->uses[i].n_uops * f->uses[i].cycles,
			    u->n_uops * u->cycles))
			return true;
	return false;
}

/* Do both forms use the same ports for the same cycles?  Pseudo ports are
 * ignored. */
static bool has_same_ports(const struct model *m, const struct model_form *x,
			   const struct model_form *y)
{
	for (size_t i = 0; i < x->n_uses; i++)
		if (!has_use(m, y, &x->uses[i]))
			return false;
	for (size_t i = 0; i < y->n_uses; i++)
		if (!has_use(m, x, &y->uses[i]))
			return false;
	return true;
}

/* Does nothing that is known of both distinguish them? */
static bool costs_same(const struct model *m, const struct osaca_form *x,
		       const struct osaca_form *y)
{
	struct model_span lx, ly;
	double tx, ty;

	if (osaca_throughput(x->f, &tx) && osaca_throughput(y->f, &ty) &&
	    !is_near(tx, ty))
		return false;
	if (osaca_latency(x->form, x->f, &lx) &&
	    osaca_latency(y->form, y->f, &ly) &&
	    !is_near(span_middle(&lx), span_middle(&ly)))
		return false;
	return !x->f->has_ports || !y->f->has_ports ||
	       has_same_ports(m, x->f, y->f);
}

/* ---- which forms share an entry ----------------------------------------- */

static bool has_memory(const struct osaca_form *x)
{
	return signature_has(&x->s, SIGNATURE_MEMORY);
}

/* The form behind another spelling has its name at its own. */
static void add_cover(struct osaca_item *e, const struct osaca_form *x)
{
	size_t n = e->index == INDEX_NONE ? 2 : 1;

	for (size_t i = 0; x->f->has_ports && i < n; i++)
		e[i].mark = mark_weaker(e[i].mark, x->f->mark);
	if (!x->spelled)
		buffer_printf(&e->covers, e->covers.n > 0 ? " %s" : "%s",
			      x->form->name);
}

static void add_entry(struct osaca_entries *w, const struct osaca_form *x,
		      const char *name)
{
	struct osaca_item *e = &w->items[w->n];

	*e = (struct osaca_item){ .name = name, .x = x, .order = w->n };
	add_cover(e, x);
	w->n++;
	if (!has_memory(x) || !osaca_minds_index(w->core, x->f))
		return;
	e->index = INDEX_NONE;
	e[1] = (struct osaca_item){ .name = name,
				    .x = x,
				    .mark = e->mark,
				    .index = INDEX_SOME,
				    .order = w->n };
	w->n++;
}

static bool has_mnemonic(const struct osaca_entries *w, const char *name,
			 size_t n)
{
	for (size_t i = 0; i < w->forms->n_groups; i++) {
		const struct osaca_form *x =
			&w->forms->forms[w->forms->groups[i].first];

		if (x->s.n == n && strcmp(x->base, name) == 0)
			return true;
	}
	return false;
}

/* OSACA takes a mnemonic without an entry for the one with a v in front, before
 * it tries it without the letter of width. */
static bool is_taken_for_another(struct osaca_entries *w,
				 const struct osaca_form *x)
{
	return strcmp(x->s.name, x->base) != 0 && *x->s.name != 'v' &&
	       has_mnemonic(w, arena_printf(w->core->a, "v%s", x->s.name),
			    x->s.n) &&
	       !has_mnemonic(w, x->s.name, x->s.n);
}

/* One entry without the letter of width, and one for each mnemonic with such a
 * letter that costs something else. */
static void add_group(struct osaca_entries *w, const struct osaca_group *g)
{
	const struct osaca_form *of = &w->forms->forms[g->first];
	size_t first = w->n;

	add_entry(w, &of[0], of[0].base);
	if (is_taken_for_another(w, &of[0]))
		add_entry(w, &of[0], of[0].s.name);
	for (size_t i = 1; i < g->n; i++) {
		const struct osaca_form *x = &of[i];
		struct osaca_item *its = &w->items[first];

		if (x->score == 0 && !x->spelled) {
			w->n_unknown++;
			continue;
		}
		for (size_t k = first + 1; k < w->n; k++)
			if (strcmp(w->items[k].name, x->s.name) == 0 &&
			    w->items[k].index != INDEX_SOME)
				its = &w->items[k];
		if (its == &w->items[first] &&
		    costs_same(w->core->m, its->x, x) &&
		    is_taken_for_another(w, x))
			add_entry(w, x, x->s.name);
		else if (costs_same(w->core->m, its->x, x))
			add_cover(its, x);
		else if (its == &w->items[first] &&
			 strcmp(of[0].s.name, x->s.name) != 0)
			add_entry(w, x, x->s.name);
		else
			w->n_alike++;
	}
}

/* ---- loads that OSACA composes ------------------------------------------ */

/* The group with registers in the place of memory that OSACA would take for
 * this one; NULL: none.  *ret_word: of the first such register. */
static const struct osaca_form *register_form(const struct osaca_entries *w,
					      const struct osaca_group *g,
					      const char **ret_word)
{
	const struct osaca_form *x = &w->forms->forms[g->first];
	const struct osaca_group *from = g,
				 *end = &w->forms->groups[w->forms->n_groups];

	while (from > w->forms->groups &&
	       strcmp(w->forms->forms[from[-1].first].base, x->base) == 0)
		from--;
	for (; from < end; from++) {
		const struct osaca_form *y = &w->forms->forms[from->first];
		bool fits = y->s.n == x->s.n;

		if (strcmp(y->base, x->base) != 0)
			return NULL;
		for (size_t i = 0; fits && i < x->s.n; i++) {
			const struct signature_operand *o = &y->s.operands[i];

			if (x->s.operands[i].class != SIGNATURE_MEMORY) {
				fits = o->class == x->s.operands[i].class &&
				       o->file == x->s.operands[i].file &&
				       o->shape == x->s.operands[i].shape;
				continue;
			}
			fits = o->class == SIGNATURE_REGISTER;
			*ret_word = fits ? o->file->word : NULL;
		}
		if (fits && from != g && *ret_word)
			return y;
	}
	return NULL;
}

static bool is_complete(const struct osaca_form *x)
{
	struct model_span latency;
	double throughput;

	return osaca_latency(x->form, x->f, &latency) &&
	       osaca_throughput(x->f, &throughput);
}

/* Is the form the register form and a plain load, so that OSACA finds the same
 * without an entry, and the load apart from the operation? */
static bool is_composed(const struct osaca_entries *w,
			const struct osaca_form *x, const struct osaca_form *y,
			const char *word)
{
	struct osaca_core_access load =
		osaca_plain_access(w->core, word, ACCESS_LOAD);
	struct model_span lx, ly, loads;
	struct model_use uses[2 * MODEL_MAX_PORTS];
	struct model_form both = { .has_ports = true, .uses = uses };
	double tx;

	if (x->form == load.form || x->form->access != ACCESS_LOAD ||
	    !x->f->has_ports || !y->f->has_ports || !is_complete(y) ||
	    !load.f || !load.f->has_ports ||
	    !osaca_latency(load.form, load.f, &loads) ||
	    !osaca_latency(x->form, x->f, &lx) ||
	    !osaca_latency(y->form, y->f, &ly) ||
	    y->f->n_uses + load.f->n_uses > ARRAY_LEN(uses))
		return false;
	for (size_t i = 0; i < y->f->n_uses; i++)
		uses[both.n_uses++] = y->f->uses[i];
	for (size_t i = 0; i < load.f->n_uses; i++)
		uses[both.n_uses++] = load.f->uses[i];
	/* A form with one source has no latency but that of its address. */
	return has_same_ports(w->core->m, x->f, &both) &&
	       osaca_throughput(x->f, &tx) &&
	       is_near(tx, model_port_bound(uses, both.n_uses, NULL)) &&
	       (is_near(span_middle(&lx), span_middle(&ly)) ||
		is_near(span_middle(&lx),
			span_middle(&ly) + span_middle(&loads)));
}

static bool has_entry(const struct osaca_entries *w, const char *name,
		      const struct signature *s, const struct form *form)
{
	for (size_t i = 0; i < w->n; i++)
		if (strcmp(w->items[i].name, name) == 0 &&
		    osaca_compare_operands(&w->items[i].x->s,
					   w->items[i].x->form, s, form) == 0)
			return true;
	return false;
}

/* OSACA stops where it composes a form of a load or store and of a register
 * form without numbers.  An entry without numbers, with memory in the place of
 * a register, keeps it from that. */
static void add_guards(struct osaca_entries *w, const struct osaca_item *e)
{
	for (size_t i = 0; i < e->x->s.n; i++) {
		struct osaca_form *x = ARENA_NEW(w->core->a, struct osaca_form);

		if (e->x->s.operands[i].class != SIGNATURE_REGISTER)
			continue;
		*x = *e->x;
		x->f = &nothing;
		x->spelled = true;
		x->s.operands[i] =
			(struct signature_operand){ .class = SIGNATURE_MEMORY };
		if (!has_entry(w, e->name, &x->s, x->form) &&
		    !has_entry(w, x->base, &x->s, x->form))
			add_entry(w, x, e->name);
	}
}

void osaca_find_entries(struct osaca_entries *w)
{
	size_t n;

	w->items =
		ARENA_ARRAY(w->core->a, struct osaca_item,
			    (1 + SIGNATURE_OPERANDS) * w->forms->n_forms + 1);
	for (size_t i = 0; i < w->forms->n_groups; i++) {
		const struct osaca_group *g = &w->forms->groups[i];
		const struct osaca_form *x = &w->forms->forms[g->first];
		const char *word = NULL;
		const struct osaca_form *y =
			has_memory(x) ? register_form(w, g, &word) : NULL;

		if (x->score == 0)
			w->n_unknown += g->n;
		else if (y && is_composed(w, x, y, word))
			w->n_composed += g->n;
		else
			add_group(w, g);
	}
	n = w->n;
	for (size_t i = 0; i < n; i++)
		if (!has_memory(w->items[i].x) && !is_complete(w->items[i].x))
			add_guards(w, &w->items[i]);
}
