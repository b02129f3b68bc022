/* New writes: copies for InstRWs, and new InstRWs; see against.h. */
#include <string.h>

#include "host/base/order.h"
#include "host/codec/llvm/against.h"

/* ---- copies of writes --------------------------------------------------- */

/* The first change of the source from here to `end`; NULL: none is left. */
static const struct tdfile_edit *next_edit(const struct against *w, size_t at,
					   size_t end)
{
	const struct tdfile_edit *list = (const void *)w->edits.bytes;
	const struct tdfile_edit *first = NULL;

	for (size_t i = 0; i < w->edits.n / sizeof(*list); i++)
		if (list[i].n > 0 && list[i].at >= at &&
		    list[i].at + list[i].n <= end &&
		    (!first || list[i].at < first->at))
			first = &list[i];
	return first;
}

/* A part of the source, with what has changed in it so far. */
static void put_edited(const struct against *w, size_t at, size_t end,
		       struct buffer *ret)
{
	const struct tdfile_edit *x;

	for (; (x = next_edit(w, at, end)); at = x->at + x->n)
		buffer_printf(ret, "%.*s%s", (int)(x->at - at),
			      w->file.text + at, x->text);
	buffer_printf(ret, "%.*s", (int)(end - at), w->file.text + at);
}

/* A name for each list of changes of a write: copies of the same name are the
 * same. */
static const char *copy_name(const struct against *w,
			     const struct tdfile_write *x,
			     const struct against_change *list, size_t n)
{
	static const char *const units[TDFILE_N_KINDS] = {
		[TDFILE_LATENCY] = "cyc",
		[TDFILE_RELEASE] = "busy",
		[TDFILE_UOPS] = "uops",
	};
	const char *name = x->name;

	for (size_t i = 0; i < n; i++)
		name = list[i].kind == TDFILE_PORTS
			       ? arena_printf(w->a, "%s_%s_for_%s", name,
					      w->resources[list[i].now].name,
					      w->resources[list[i].before].name)
			       : arena_printf(w->a, "%s_%ld%s", name,
					      list[i].now, units[list[i].kind]);
	return name;
}

static int by_place(const void *a, const void *b)
{
	const struct tdfile_edit *x = a, *y = b;

	return ORDER(x->at, y->at);
}

/* A copy of a write with n changes, in front of a statement; NULL: the name is
 * taken. */
static const char *copy_write(struct against *w, const struct tdfile_write *x,
			      const struct against_change *list, size_t n,
			      size_t before)
{
	const char *name = copy_name(w, x, list, n);
	struct tdfile_edit parts[TDFILE_N_KINDS + 1];
	struct buffer text = { 0 };
	size_t at = x->at;

	for (size_t i = 0; i < w->n_names; i++)
		if (strcmp(w->names[i], name) == 0)
			return name;
	if (tdfile_find(&w->file, name))
		return NULL;
	for (size_t i = 0; i < n; i++) {
		const struct tdfile_number *p = &x->numbers[list[i].kind];

		parts[i] = (struct tdfile_edit){ p->at, p->n,
						 against_text(w, x, &list[i]) };
	}
	parts[n++] = (struct tdfile_edit){ x->name_at, strlen(x->name), name };
	order_sort(parts, n, sizeof(*parts), by_place);
	for (size_t i = 0; i < n; i++) {
		put_edited(w, at, parts[i].at, &text);
		buffer_printf(&text, "%s", parts[i].text);
		at = parts[i].at + parts[i].n;
	}
	put_edited(w, at, x->at + x->n, &text);
	buffer_printf(&text, "\n");
	against_edit(w, before, 0, buffer_take(w->a, &text));
	w->names[w->n_names++] = name;
	return name;
}

/* An InstRW whose forms ask for the same, while others of its write do not. */
static void copy_for(struct against *w, size_t index)
{
	const struct tdfile_instrw *r = &w->file.instrws[index];
	const struct tdfile_write *x = tdfile_find(&w->file, r->write);
	struct against_change list[TDFILE_N_KINDS];
	const char *name;
	size_t n = 0;

	if (r->several || !x || !x->own || x->advanced || x->at > r->at)
		return;
	for (int kind = 0; kind < TDFILE_N_KINDS; kind++) {
		struct against_poll p = { OPINION_NONE, 0, 0 };

		for (size_t i = 0; i < w->n; i++)
			if (w->list[i].instrw == (long)index)
				against_poll(&p, &w->list[i], kind);
		if (against_poll_changes(&p) &&
		    against_scale(&p, kind, x->numbers[kind].value, &list[n]) &&
		    against_text(w, x, &list[n]))
			n++;
	}
	name = n > 0 ? copy_write(w, x, list, n, r->at) : NULL;
	if (!name)
		return;
	against_edit(w, r->write_at, strlen(r->write), name);
	w->n_writes++;
	for (size_t i = 0; i < w->n; i++)
		for (size_t k = 0; k < n && w->list[i].instrw == (long)index;
		     k++)
			against_apply(w, &w->list[i], &list[k]);
}

/* ---- new InstRWs -------------------------------------------------------- */

/* What changes for a form alone. */
static size_t changes_of(const struct against *w, const struct against_form *x,
			 struct against_change ret[TDFILE_N_KINDS])
{
	struct mc_sched_use uses[MC_SCHED_MAX_USES];
	struct mc_sched_class c;
	long values[TDFILE_N_KINDS] = { [TDFILE_LATENCY] = x->latency };
	size_t n = 0;

	(void)mc_sched_get_class(w->sched, x->class, &c);
	values[TDFILE_UOPS] = c.n_uops;
	/* One number is for all resources of a class. */
	if (against_uses(w, x->class, uses) == 1)
		values[TDFILE_RELEASE] = uses[0].cycles;
	for (int kind = 0; kind < TDFILE_N_KINDS; kind++) {
		struct against_poll p = { OPINION_NONE, 0, 0 };

		against_poll(&p, x, kind);
		n += against_poll_changes(&p) &&
		     against_scale(&p, kind, values[kind], &ret[n]);
	}
	return n;
}

/* A new InstRW replaces all writes and reads of an instruction, so a class with
 * advances of operands, or with several results, keeps its own.  So does one of
 * which other things than the latency have changed in the source: the table has
 * the old ones. */
static bool may_replace(const struct against *w, const struct against_form *x)
{
	struct mc_sched_class k;

	return x->instrw < 0 && x->class && !x->other_cost &&
	       mc_sched_get_class(w->sched, x->class, &k) &&
	       k.n_advances == 0 && k.n_latencies == 1 && x->latency > 0;
}

static bool same_changes(const struct against_change *x, size_t n,
			 const struct against_change *y, size_t m)
{
	bool same = n == m;

	for (size_t i = 0; i < n && same; i++)
		same = x[i].kind == y[i].kind && x[i].before == y[i].before &&
		       x[i].now == y[i].now;
	return same;
}

/* Forms of one class without an InstRW that ask for the same: a new write with
 * the resources of the class, and an InstRW that names the forms. */
static void add_instrw(struct against *w, size_t first)
{
	const struct against_form *x = &w->list[first];
	const unsigned class = x->class;
	struct against_change list[TDFILE_N_KINDS], its[TDFILE_N_KINDS];
	size_t n = changes_of(w, x, list);
	const char *name, *separator = "";

	if (n == 0)
		return;
	name = arena_printf(w->a, "%sWriteMeasured%zu", w->prefix,
			    w->n_instrws++);
	buffer_printf(&w->added, "\ndef %s : SchedWriteRes<[", name);
	against_put_cost(w, x, list, n, &w->added);
	buffer_printf(&w->added, "def : InstRW<[%s], (instrs ", name);
	for (size_t i = first; i < w->n; i++) {
		struct against_form *y = &w->list[i];

		if (y->instrw >= 0 || y->class != class || y->other_cost ||
		    !same_changes(list, n, its, changes_of(w, y, its)))
			continue;
		buffer_printf(&w->added, "%s%s", separator, y->opcode);
		separator = ",\n                        ";
		for (size_t k = 0; k < n; k++)
			against_apply(w, y, &list[k]);
	}
	buffer_printf(&w->added, ")>;\n");
}

void against_add_new(struct against *w)
{
	w->names = ARENA_ARRAY(w->a, const char *, w->file.n_instrws + 1);
	for (size_t i = 0; i < w->file.n_instrws; i++)
		copy_for(w, i);
	for (size_t i = 0; i < w->n; i++)
		if (may_replace(w, &w->list[i]))
			add_instrw(w, i);
}
