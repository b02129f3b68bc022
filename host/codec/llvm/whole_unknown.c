/* Writes what of a target a whole model does not know, which LLVM requires of
 * every model; and its reads.  See whole_td.h. */
#include <string.h>

#include "host/codec/llvm/whole_td.h"
#include "host/isa/catalogue.h"

/* Vectors' names of a family stand together, but others may be between, as
 * "WriteVMov1V" in those of "WriteVMov". */
bool whole_td_begins_family(const struct whole *w, size_t index)
{
	const struct whole_name *x = &w->names[index];

	if (x->grouping < 0)
		return false;
	for (size_t i = index; i-- > 0;) {
		const struct whole_name *y = &w->names[i];

		if (strncmp(y->name, x->name, x->family) != 0)
			return true;
		if (y->grouping >= 0 && whole_same_family(x, y))
			return false;
	}
	return true;
}

static bool has_cost(const struct whole *w, const struct sched_extension *x)
{
	for (size_t i = 0; i < w->n_names; i++)
		if (w->names[i].extension == x && w->names[i].cost)
			return true;
	return false;
}

/* Is the name of an extension that is unsupported as a whole? */
static bool left_to_extension(const struct whole *w, const struct whole_name *x)
{
	return x->extension && !has_cost(w, x->extension);
}

/* Does the CPU lack all forms of the extension's writes?  False if there are
 * none. */
static bool lacks(const struct whole *w, const struct catalogue *cpu,
		  const struct sched_extension *x)
{
	size_t n = 0;

	for (size_t i = 0; i < w->c->n_forms; i++) {
		const struct whole_name *name =
			whole_write_of(w, w->of_form[i]);
		const struct form *f;

		if (!name || name->extension != x)
			continue;
		f = catalogue_form(cpu, w->c->forms[i].name);
		if (f && f->status != FORM_UNSUPPORTED)
			return false;
		n++;
	}
	return n > 0;
}

const char *whole_td_features(struct whole_td *t)
{
	struct err e = { 0 };
	struct catalogue *cpu;
	const char *list = "";

	/* LLVM may not know the CPU. */
	if (strcmp(t->w->m->cpu, "any") == 0 ||
	    catalogue_load(&t->td.a, t->w->c->isa, t->w->m->cpu, &cpu, &e) !=
		    ERR_OK)
		return list;
	for (const struct sched_extension *x = t->w->known->extensions;
	     x->multiclass; x++)
		if (!has_cost(t->w, x) && lacks(t->w, cpu, x))
			list = arena_printf(&t->td.a, "%s%s%s", list,
					    *list != '\0' ? " " : "",
					    x->feature);
	catalogue_free(cpu);
	return list;
}

/* ---- lists -------------------------------------------------------------- */

enum list {
	LIST_NAMES,     /* one by one */
	LIST_GROUPINGS, /* families by grouping */
	LIST_WIDTHS,    /* families by grouping and width */
	N_LISTS,
};

/* How the names of a family are told; LIST_NAMES if they are of several kinds,
 * or one of them says something of its own. */
static enum list list_of(const struct whole *w, const struct whole_name *x)
{
	bool groupings = false, both = false;

	for (size_t i = 0; i < w->n_names; i++) {
		const struct whole_name *y = &w->names[i];

		if (!whole_same_family(x, y))
			continue;
		if (y->cost || (y->read && y->advance != 0 && !y->split) ||
		    (y->grouping < 0 && !y->worst))
			return LIST_NAMES;
		groupings = groupings || (y->grouping >= 0 && y->sew == 0);
		both = both || (y->grouping >= 0 && y->sew > 0);
	}
	if (groupings == both)
		return LIST_NAMES;
	return groupings ? LIST_GROUPINGS : LIST_WIDTHS;
}

static void add_to_list(struct whole_td *t, struct buffer *lists, size_t index)
{
	const struct whole_name *x = &t->w->names[index];
	enum list kind = list_of(t->w, x);
	struct buffer *b = &lists[kind];
	const char *blank = b->n > 0 ? " " : "";

	if (kind == LIST_NAMES)
		buffer_printf(b, "%s%s", blank, x->name);
	else if (whole_td_begins_family(t->w, index))
		buffer_printf(b, "%s\"%.*s\"", blank, (int)x->family, x->name);
}

static void put_lists(struct whole_td *t, struct buffer *lists,
		      const char *const *bodies, const char *before)
{
	for (int i = 0; i < N_LISTS; i++) {
		td_add_names(t->out,
			     arena_printf(&t->td.a, "%sforeach x = [", before),
			     buffer_text(&lists[i]), bodies[i]);
		buffer_free(&lists[i]);
	}
}

void whole_td_put_unknown(struct whole_td *t)
{
	static const char *const bodies[N_LISTS] = {
		"] in\n  def : WriteRes<x, []>;\n",
		"] in\n  defm \"\" : LMULWriteRes<x, []>;\n",
		"] in\n  defm \"\" : LMULSEWWriteRes<x, []>;\n",
	};
	struct buffer lists[N_LISTS] = { { 0 } };

	buffer_printf(t->out, "\n// No value was measured.\n");
	for (const struct sched_extension *x = t->w->known->extensions;
	     x->multiclass; x++)
		if (!has_cost(t->w, x))
			buffer_printf(t->out, "defm : %s;\n", x->multiclass);
	for (size_t i = 0; i < t->w->n_names; i++) {
		const struct whole_name *x = &t->w->names[i];

		if (!x->read && !x->cost && !x->flow &&
		    !left_to_extension(t->w, x))
			add_to_list(t, lists, i);
	}
	put_lists(t, lists, bodies, "let Unsupported = true in\n");
}

/* ---- reads -------------------------------------------------------------- */

static void put_advance(struct whole_td *t, const struct whole_name *x)
{
	const char *separator = "";

	buffer_printf(t->out, "def : ReadAdvance<%s, %ld, [", x->name,
		      x->advance);
	for (size_t i = 0; i < x->n_writes; i++) {
		buffer_printf(t->out, "%s%s", separator, x->writes[i]);
		separator = ", ";
	}
	buffer_printf(t->out, "]>;\n");
}

void whole_td_put_reads(struct whole_td *t)
{
	static const char *const bodies[N_LISTS] = {
		"] in\n  def : ReadAdvance<x, 0>;\n",
		"] in\n  defm \"\" : LMULReadAdvance<x, 0>;\n",
		"] in\n  defm \"\" : LMULSEWReadAdvance<x, 0>;\n",
	};
	struct buffer lists[N_LISTS] = { { 0 } };

	buffer_printf(t->out, "\n// When operands are read.\n");
	for (size_t i = 0; i < t->w->n_names; i++) {
		const struct whole_name *x = &t->w->names[i];

		if (!x->read || left_to_extension(t->w, x))
			continue;
		if (x->advance != 0 && !x->split)
			put_advance(t, x);
		else
			add_to_list(t, lists, i);
	}
	put_lists(t, lists, bodies, "");
	buffer_printf(t->out, "\n");
}
