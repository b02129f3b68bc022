/* Changes of the numbers and resources of writes; see against.h. */
#include <math.h>
#include <string.h>

#include "host/codec/llvm/against.h"

/* ---- groups of forms ---------------------------------------------------- */

/* The same factor; of resources, which are negative, the same one. */
static bool agree(double x, double y)
{
	return x == y || fabs(x - y) <= AGAINST_SAME * fmax(x, y);
}

void against_poll(struct against_poll *p, const struct against_form *x,
		  int kind)
{
	double wants = x->wants[kind];

	if (wants == ASKS_UNKNOWN) {
		if (kind == TDFILE_PORTS && x->ours)
			p->opinion = OPINION_DIFFERENT;
		return;
	}
	if (p->opinion == OPINION_NONE) {
		p->factor = wants;
		p->from = x->from;
		p->opinion = OPINION_SAME;
	} else if (!agree(p->factor, wants) ||
		   (kind == TDFILE_PORTS && p->from != x->from)) {
		p->opinion = OPINION_DIFFERENT;
	}
}

bool against_poll_changes(const struct against_poll *p)
{
	return p->opinion == OPINION_SAME && p->factor != ASKS_NOTHING;
}

bool against_scale(const struct against_poll *p, int kind, long value,
		   struct against_change *ret)
{
	double x = (double)value * p->factor;

	if (kind == TDFILE_PORTS)
		*ret = (struct against_change){ kind, p->from,
						lround(-p->factor) };
	else
		*ret = (struct against_change){ kind, value, lround(x) };
	return kind == TDFILE_PORTS ||
	       (fabs(x - round(x)) <= AGAINST_SAME * x && ret->now > 0 &&
		ret->now != ret->before);
}

/* A resource by its name in the source, which may be that of a `defvar`; 0:
 * none. */
static unsigned resource_named(const struct against *w, const char *name,
			       size_t n)
{
	static const char word[] = "\ndefvar ";
	unsigned r = against_resource(w, name, n);

	for (const char *p = w->file.text;
	     !r && n > 0 && (p = strstr(p, word));) {
		p += strlen(word);
		if (strncmp(p, name, n) != 0)
			continue;
		p += n + strspn(p + n, " ");
		if (*p != '=')
			continue;
		p += 1 + strspn(p + 1, " ");
		r = against_resource(w, p, strcspn(p, " ;\n"));
	}
	return r;
}

/* The list of resources with another in the place of the one with these
 * ports. */
static const char *ports_text(const struct against *w,
			      const struct tdfile_number *list,
			      const struct against_change *k)
{
	const char *text = w->file.text, *ret = NULL;
	size_t end = list->at + list->n;

	for (size_t i = list->at; i < end;) {
		size_t n = strcspn(text + i, ", \t\n]");
		unsigned r = resource_named(w, text + i, n);

		if (r && w->ports[r] == w->ports[k->before]) {
			if (ret)
				return NULL;
			ret = arena_printf(w->a, "%.*s%s%.*s",
					   (int)(i - list->at), text + list->at,
					   w->resources[k->now].name,
					   (int)(end - i - n), text + i + n);
		}
		i += n + 1;
	}
	return ret;
}

const char *against_text(const struct against *w, const struct tdfile_write *x,
			 const struct against_change *k)
{
	const struct tdfile_number *n = &x->numbers[k->kind];

	if (n->n == 0)
		return NULL;
	if (k->kind == TDFILE_PORTS)
		return ports_text(w, n, k);
	return arena_printf(w->a, "%ld", k->now);
}

void against_apply(const struct against *w, struct against_form *y,
		   const struct against_change *k)
{
	y->wants[k->kind] = ASKS_NOTHING;
	switch (k->kind) {
	case TDFILE_PORTS:
		y->ports_before = w->ports[k->before];
		y->ports_now = w->ports[k->now];
		break;
	case TDFILE_LATENCY:
		y->added += k->now - k->before;
		break;
	case TDFILE_RELEASE:
		y->release *= (double)k->now / (double)k->before;
		break;
	default:
		y->more_uops += k->now - k->before;
	}
}

/* Change a number of a write; false: it is no literal, or shared. */
static bool edit(struct against *w, const struct tdfile_write *x,
		 const struct against_poll *p, int kind,
		 struct against_change *ret)
{
	const struct tdfile_number *n = &x->numbers[kind];
	const char *text;

	if (!against_poll_changes(p) || x->shared ||
	    !against_scale(p, kind, n->value, ret))
		return false;
	text = against_text(w, x, ret);
	if (!text)
		return false;
	against_edit(w, n->at, n->n, text);
	w->n_changed[kind]++;
	return true;
}

/* ---- writes that InstRWs name ------------------------------------------- */

static bool is_listed(const struct against *w, const struct against_form *x,
		      const struct tdfile_write *write)
{
	return x->instrw >= 0 &&
	       strcmp(w->file.instrws[x->instrw].write, write->name) == 0;
}

/* All forms that they list. */
static void settle_listed(struct against *w, const struct tdfile_write *x,
			  int kind)
{
	struct against_poll p = { OPINION_NONE, 0, 0 };
	struct against_change k;

	for (size_t i = 0; i < w->n; i++)
		if (is_listed(w, &w->list[i], x))
			against_poll(&p, &w->list[i], kind);
	if (!edit(w, x, &p, kind, &k))
		return;
	for (size_t i = 0; i < w->n; i++)
		if (is_listed(w, &w->list[i], x))
			against_apply(w, &w->list[i], &k);
}

/* ---- writes of instructions' own definitions ---------------------------- */

/* Have both forms the same cost in the table?  They may have one write then. */
static bool same_cost(const struct against *w, const struct against_form *a,
		      const struct against_form *b)
{
	struct mc_sched_class x, y;

	if (a->class == b->class)
		return true;
	if (!mc_sched_get_class(w->sched, a->class, &x) ||
	    !mc_sched_get_class(w->sched, b->class, &y) ||
	    x.n_uops != y.n_uops || x.n_latencies != y.n_latencies ||
	    x.n_uses != y.n_uses)
		return false;
	return a->latency == b->latency &&
	       memcmp(x.uses, y.uses, x.n_uses * sizeof(*x.uses)) == 0;
}

/* Is the form's class, which no InstRW makes, of this write or of its load? */
static bool is_of_write(const struct against_form *x,
			const struct tdfile_write *of, bool load)
{
	size_t n = strlen(of->name);
	const char *rest = x->class_name + n;

	if (x->instrw >= 0 || strncmp(x->class_name, of->name, n) != 0)
		return false;
	if (load)
		return strncmp(rest, "Ld", 2) == 0 &&
		       (rest[2] == '\0' || rest[2] == '_');
	return *rest == '\0' || *rest == '_';
}

static bool may_have(const struct against *w, const struct against_form *y,
		     const struct against_form *one)
{
	return y->instrw < 0 && y->class && same_cost(w, y, one);
}

/* The names of classes do not say of all forms which write they have, so every
 * form of equal cost counts. */
static void settle_unlisted(struct against *w, const struct tdfile_write *x,
			    int kind)
{
	struct against_poll p = { OPINION_NONE, 0, 0 };
	const struct against_form *one = NULL;
	struct against_change k;

	for (size_t i = 0; i < w->n && !one; i++)
		if (w->list[i].class && is_of_write(&w->list[i], x, false))
			one = &w->list[i];
	if (!one)
		return;
	for (size_t i = 0; i < w->n; i++) {
		const struct against_form *y = &w->list[i];
		bool load = x->pair && is_of_write(y, x, true);

		if (may_have(w, y, one) || (load && kind == TDFILE_PORTS))
			against_poll(&p, y, kind);
		/* The write of a load grows by as much. */
		if (load && y->wants[kind] == ASKS_NOTHING)
			return;
	}
	if (!edit(w, x, &p, kind, &k))
		return;
	for (size_t i = 0; i < w->n; i++) {
		struct against_form *y = &w->list[i];

		if (!y->class || (!may_have(w, y, one) &&
				  !(x->pair && is_of_write(y, x, true))))
			continue;
		against_apply(w, y, &k);
		y->other_cost = y->other_cost || kind != TDFILE_LATENCY;
	}
}

void against_settle(struct against *w)
{
	const struct tdfile *f = &w->file;

	for (int kind = 0; kind < TDFILE_N_KINDS; kind++)
		for (size_t i = 0; i < f->n_writes; i++) {
			if (f->writes[i].numbers[kind].n == 0)
				continue;
			settle_listed(w, &f->writes[i], kind);
			settle_unlisted(w, &f->writes[i], kind);
		}
}
