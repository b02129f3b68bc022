/* Sets of ports that random mixes do not confirm.  Forms are grouped by all ports of
 * their uses.  If the mixes with forms of a group are off by more than most_mean on
 * average, these forms get no ports.  Chosen: published tables are as good then. */
#include <math.h>

#include "host/ports/infer.h"

/* Forms in mixes, of a group that is judged. */
enum { LEAST_OF_GROUP = 20 };

static const double most_mean = 0.05;

/* The mixes of the fit. */
struct drawn {
	struct infer *in;
	const struct ports_mix *mixes;
	double *errors; /* NAN: none, or it no longer counts */
	size_t n;
};

/* The error without what a front end of varying width may take. */
static double counted(const struct infer *in, double error)
{
	if (in->filler == PORTS_NONE && error < 0)
		return fmax(0, 1 - (1 + error) * (1 + infer_uneven));
	return fabs(error);
}

static void leave_out(const struct drawn *t, uint32_t form)
{
	for (size_t i = 0; i < t->n; i++)
		for (size_t k = 0; k < t->mixes[i].n; k++)
			if (t->mixes[i].part[k].form == form)
				t->errors[i] = NAN;
}

/* Forms that use the same ports, and the mixes with them. */
struct ports_used {
	model_ports ports;
	size_t n;
	double sum; /* of errors */
};

static model_ports ports_of(const struct ports_answer_form *f)
{
	model_ports ports = 0;

	for (size_t k = 0; k < f->n_uses; k++)
		ports |= f->uses[k].ports;
	return ports;
}

static struct ports_used *group_of(struct ports_used *list, size_t *n,
				   model_ports ports)
{
	size_t i = 0;

	while (i < *n && list[i].ports != ports)
		i++;
	if (i == *n)
		list[(*n)++] = (struct ports_used){ .ports = ports };
	return &list[i];
}

static bool has_ports(const struct ports_answer_form *f)
{
	return f->verdict == PORTS_OK || f->verdict == PORTS_OPEN;
}

/* The group whose mixes are off most, if that is too much; NULL: none.  Only forms
 * that leave_group() takes count: each call of it takes one at least. */
static const struct ports_used *worst_group(const struct drawn *t,
					    struct ports_used *list)
{
	const struct ports_used *worst = NULL;
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		for (size_t k = 0; !isnan(t->errors[i]) && k < t->mixes[i].n;
		     k++) {
			const struct ports_answer_form *f =
				&t->in->answers[t->mixes[i].part[k].form];
			struct ports_used *g;

			if (!has_ports(f))
				continue;
			g = group_of(list, &n, ports_of(f));
			g->n++;
			g->sum += counted(t->in, t->errors[i]);
		}
	for (size_t i = 0; i < n; i++)
		if (list[i].ports != 0 && list[i].n >= LEAST_OF_GROUP &&
		    list[i].sum > most_mean * (double)list[i].n &&
		    (!worst || list[i].sum * (double)worst->n >
				       worst->sum * (double)list[i].n))
			worst = &list[i];
	return worst;
}

static size_t leave_group(const struct drawn *t, const struct ports_used *g)
{
	struct infer *in = t->in;
	size_t n = 0;

	for (uint32_t i = 0; i < in->q->n_forms; i++) {
		struct ports_answer_form *w = &t->in->answers[i];

		if (!has_ports(w) || ports_of(w) != g->ports)
			continue;
		w->verdict = PORTS_LEFT;
		w->how = arena_printf(in->a,
				      "%s; but random mixes with forms on "
				      "these ports are off by %.0f %% on "
				      "average",
				      w->how, 100 * g->sum / (double)g->n);
		leave_out(t, i);
		n++;
	}
	return n;
}

/* The worst set of ports first; its mixes no longer count against others. */
void infer_leave_unconfirmed(struct infer *in, const struct ports_mix *mixes,
			     double *errors, size_t n)
{
	const struct drawn t = { in, mixes, errors, n };
	size_t most = PORTS_MAX_PARTS * n + 1, n_sets = 0, n_forms = 0;
	struct ports_used *list = ARENA_ARRAY(in->a, struct ports_used, most);
	const struct ports_used *worst;

	while ((worst = worst_group(&t, list)) != NULL) {
		n_forms += leave_group(&t, worst);
		n_sets++;
	}
	if (n_sets > 0)
		infer_note(in, arena_printf(
				       in->a,
				       "Random mixes with forms on %zu sets of "
				       "ports are off by over 5 %% on average: "
				       "the ports of these %zu forms are left "
				       "to published tables.",
				       n_sets, n_forms));
}

static bool has_class_of_loads(const struct infer *in)
{
	for (size_t c = 0; c < in->n_classes; c++)
		if (!in->classes[c].out &&
		    in->q->forms[in->classes[c].form].memory)
			return true;
	return false;
}

/* Else the stage of units would give each load ports of its own.  Seen on a Zen 5
 * where a false class had excluded all loads from the classes: loops that gather
 * were predicted a third too fast. */
void infer_leave_accesses(struct infer *in)
{
	size_t n = 0;

	if (in->n_loads == 0 || has_class_of_loads(in))
		return;
	for (size_t i = 0; i < in->q->n_forms; i++) {
		struct ports_answer_form *w = &in->answers[i];

		if (!in->q->forms[i].memory || !has_ports(w) || w->n_uses == 0)
			continue;
		w->verdict = PORTS_LEFT;
		w->how = arena_printf(
			in->a,
			"%s; but no class of loads was found, so which "
			"ports accesses to memory share is not known",
			w->how);
		n++;
	}
	if (n > 0)
		infer_note(in, arena_printf(in->a,
					    "No class of loads of one uop was "
					    "found: the ports of the %zu forms "
					    "that access memory are left to "
					    "published tables.",
					    n));
}
