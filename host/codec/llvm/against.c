/* Writes what a measured model says of LLVM's own scheduling model as a change
 * of its source: a unified diff (docs/exports.md).
 *
 * Each form asks for a latency and for cycles of its resource, if it was
 * measured and the table says something else; or it asks that they stay.  A
 * number of the source changes if all forms that it is for ask for the same.
 * Else an InstRW all of whose forms ask for the same gets a write of its own,
 * and forms that no InstRW lists get a new one.  What cannot be changed without
 * changing other forms is left out and counted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/order.h"
#include "host/codec/codec.h"
#include "host/codec/llvm/against.h"
#include "host/codec/llvm/classes.h"
#include "host/codec/number.h"
#include "host/codec/signature.h"
#include "host/isa/mc.h"
#include "host/isa/mc_sched.h"

/* The table and the measurement agree within this, of latencies also within
 * half a cycle. */
static const double same = 0.05;

/* ---- what forms ask for ------------------------------------------------- */

/* The latency of all results of a class; -1: they differ. */
static long class_latency(const struct against *w, unsigned class)
{
	struct mc_sched_class k;
	unsigned writer;
	long first;

	if (!mc_sched_get_class(w->sched, class, &k) || k.n_latencies == 0)
		return -1;
	first = mc_sched_latency(w->sched, class, 0, &writer);
	for (unsigned i = 1; i < k.n_latencies; i++)
		if (mc_sched_latency(w->sched, class, i, &writer) != first)
			return -1;
	return first;
}

static void ask_latency(const struct model_span *s, double table,
			struct against_form *ret)
{
	double value = span_middle(s), room = fmax(same * s->high, same);

	if (table >= s->low - room && table <= s->high + room)
		ret->wants[TDFILE_LATENCY] = ASKS_NOTHING;
	else if (ret->latency > 0 && s->high - s->low <= room &&
		 round(value) > 0 && fabs(value - round(value)) <= 2 * room)
		ret->wants[TDFILE_LATENCY] =
			round(value) / (double)ret->latency;
}

/* Cycles of a resource scale the throughput if nothing else bounds it. */
static void ask_release(const struct against *w, const struct model_span *s,
			const struct model_form *table,
			struct against_form *ret)
{
	double t = table->throughput.high;
	double front = table->slots.high / w->table->width.high;

	if (fabs(span_middle(s) - t) <= same * fmax(span_middle(s), t))
		ret->wants[TDFILE_RELEASE] = ASKS_NOTHING;
	else if (s->high - s->low <= same * s->high && t > front * (1 + same))
		ret->wants[TDFILE_RELEASE] = span_middle(s) / t;
}

/* What is known of all forms; the exact members of classes ask. */
static void ask_all(struct against *w, const struct class_report *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct class_finding *f = &r->findings[i];

		for (size_t k = 0; k < f->n_members; k++) {
			const struct class_member *m = &f->members[k];
			struct against_form *x =
				w->of_form[m->form - w->c->forms];

			if (!x)
				continue;
			if (f->kind == CLASS_LATENCY)
				ask_latency(&m->measured[f->kind], f->table, x);
			else if (f->kind == CLASS_THROUGHPUT)
				ask_release(w, &m->measured[f->kind],
					    model_find(w->table, m->form->name),
					    x);
		}
	}
}

/* The plain forms with a class, and which InstRW lists each. */
static int list_forms(struct against *w, const char *const *names)
{
	const char **opcodes =
		ARENA_ARRAY(w->a, const char *, w->c->n_forms + 1);
	bool *listed;

	w->list = ARENA_ARRAY(w->a, struct against_form, w->c->n_forms + 1);
	w->of_form =
		ARENA_ARRAY(w->a, struct against_form *, w->c->n_forms + 1);
	for (size_t i = 0; i < w->c->n_forms; i++) {
		const struct form *f = &w->c->forms[i];
		struct mc_inst m = { .opcode = f->opcode };
		struct against_form *x = &w->list[w->n];

		if (!names[i] || f->variant)
			continue;
		opcodes[w->n++] = f->name;
		w->of_form[i] = x;
		*x = (struct against_form){ .opcode = f->name,
					    .class_name = names[i],
					    .instrw = -1,
					    .release = 1 };
		if (!mc_sched_varies(w->sched, f->opcode))
			x->class = mc_sched_find(w->sched, &m);
		x->latency = x->class ? class_latency(w, x->class) : -1;
	}
	listed = ARENA_ARRAY(w->a, bool, w->n + 1);
	for (size_t k = 0; k < w->file.n_instrws; k++) {
		memset(listed, 0, w->n * sizeof(*listed));
		if (tdfile_match(&w->file, &w->file.instrws[k], opcodes, w->n,
				 listed, w->e) != ERR_OK)
			return w->e->code;
		for (size_t i = 0; i < w->n; i++)
			if (listed[i])
				w->list[i].instrw = (long)k;
	}
	return ERR_OK;
}

/* ---- groups of forms ---------------------------------------------------- */

enum opinion { OPINION_NONE, OPINION_SAME, OPINION_DIFFERENT };

/* Gather what forms ask for; NONE so far, or the factor of all. */
struct poll {
	enum opinion opinion;
	double factor;
};

static void poll_add(struct poll *p, double wants)
{
	if (wants == ASKS_UNKNOWN)
		return;
	if (p->opinion == OPINION_NONE) {
		p->factor = wants;
		p->opinion = OPINION_SAME;
	} else if (fabs(p->factor - wants) > same * fmax(p->factor, wants)) {
		p->opinion = OPINION_DIFFERENT;
	}
}

/* Does everyone who was measured ask for a change, and for the same one? */
static bool poll_changes(const struct poll *p)
{
	return p->opinion == OPINION_SAME && p->factor != ASKS_NOTHING;
}

/* The new number; 0: it is no whole one. */
static long scaled(long value, double factor)
{
	double x = (double)value * factor;

	return fabs(x - round(x)) <= same * x ? lround(x) : 0;
}

/* A form's number has become another in the source. */
static void change(struct against_form *y, int kind, long before, long now)
{
	y->wants[kind] = ASKS_NOTHING;
	if (kind == TDFILE_LATENCY)
		y->added += now - before;
	else
		y->release *= (double)now / (double)before;
}

/* Change a number of a write to *ret; false: it is no literal, or shared. */
static bool edit_number(struct against *w, const struct tdfile_write *x,
			int kind, double factor, long *ret)
{
	const struct tdfile_number *n = &x->numbers[kind];
	long value = scaled(n->value, factor);

	*ret = value;
	if (x->shared || n->n == 0 || value <= 0 || value == n->value)
		return false;
	against_edit(w, n->at, n->n, arena_printf(w->a, "%ld", value));
	w->n_numbers++;
	return true;
}

static const char *write_of(const struct against *w,
			    const struct against_form *x)
{
	return x->instrw < 0 ? NULL : w->file.instrws[x->instrw].write;
}

/* A write that InstRWs name: all forms that they list. */
static void settle_listed(struct against *w, const struct tdfile_write *x,
			  int kind)
{
	struct poll p = { OPINION_NONE, 0 };
	long now;

	for (size_t i = 0; i < w->n; i++) {
		const char *name = write_of(w, &w->list[i]);

		if (name && strcmp(name, x->name) == 0)
			poll_add(&p, w->list[i].wants[kind]);
	}
	if (!poll_changes(&p) || !edit_number(w, x, kind, p.factor, &now))
		return;
	for (size_t i = 0; i < w->n; i++) {
		const char *name = write_of(w, &w->list[i]);

		if (name && strcmp(name, x->name) == 0)
			change(&w->list[i], kind, x->numbers[kind].value, now);
	}
}

/* Have both forms the same cost in the table?  They may have one write then. */
static bool same_cost(const struct against *w, unsigned a, unsigned b)
{
	struct mc_sched_class x, y;

	if (a == b)
		return true;
	if (!mc_sched_get_class(w->sched, a, &x) ||
	    !mc_sched_get_class(w->sched, b, &y) || x.n_uops != y.n_uops ||
	    x.n_latencies != y.n_latencies || x.n_uses != y.n_uses)
		return false;
	return class_latency(w, a) == class_latency(w, b) &&
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

/* A write of instructions' own definitions.  The names of classes do not say
 * of all forms which write they have, so every form of equal cost counts. */
static void settle_unlisted(struct against *w, const struct tdfile_write *x,
			    int kind)
{
	struct poll p = { OPINION_NONE, 0 };
	unsigned class = 0;
	long now;

	for (size_t i = 0; i < w->n && class == 0; i++)
		if (is_of_write(&w->list[i], x, false))
			class = w->list[i].class;
	if (class == 0)
		return;
	for (size_t i = 0; i < w->n; i++) {
		const struct against_form *y = &w->list[i];

		if (y->instrw < 0 && y->class && same_cost(w, y->class, class))
			poll_add(&p, y->wants[kind]);
		/* The write of a load grows by as much. */
		if (x->pair && is_of_write(y, x, true) &&
		    y->wants[kind] == ASKS_NOTHING)
			return;
	}
	if (!poll_changes(&p) || !edit_number(w, x, kind, p.factor, &now))
		return;
	for (size_t i = 0; i < w->n; i++) {
		struct against_form *y = &w->list[i];

		if (y->instrw >= 0 || !y->class ||
		    (!same_cost(w, y->class, class) &&
		     !is_of_write(y, x, true)))
			continue;
		change(y, kind, x->numbers[kind].value, now);
		y->other_cycles = y->other_cycles || kind == TDFILE_RELEASE;
	}
}

/* ---- new writes --------------------------------------------------------- */

/* The first change of a number from here to `end`; NULL: none is left. */
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

/* A copy of a write with another latency, in front of a statement. */
static const char *copy_write(struct against *w, const struct tdfile_write *x,
			      long latency, size_t before)
{
	const char *name = arena_printf(w->a, "%s_%ldcyc", x->name, latency);
	const struct tdfile_number *n = &x->numbers[TDFILE_LATENCY];
	struct buffer text = { 0 };

	for (size_t i = 0; i < w->n_names; i++)
		if (strcmp(w->names[i], name) == 0)
			return name;
	if (tdfile_find(&w->file, name))
		return NULL;
	put_edited(w, x->at, x->name_at, &text);
	buffer_printf(&text, "%s", name);
	put_edited(w, x->name_at + strlen(x->name), n->at, &text);
	buffer_printf(&text, "%ld", latency);
	put_edited(w, n->at + n->n, x->at + x->n, &text);
	buffer_printf(&text, "\n");
	against_edit(w, before, 0, buffer_take(w->a, &text));
	w->names[w->n_names++] = name;
	return name;
}

/* An InstRW whose forms ask for the same, while others of its write do not. */
static void settle_instrw(struct against *w, size_t index)
{
	const struct tdfile_instrw *r = &w->file.instrws[index];
	const struct tdfile_write *x = tdfile_find(&w->file, r->write);
	struct poll p = { OPINION_NONE, 0 };
	const char *name;
	long latency;

	for (size_t i = 0; i < w->n; i++)
		if (w->list[i].instrw == (long)index)
			poll_add(&p, w->list[i].wants[TDFILE_LATENCY]);
	if (!poll_changes(&p) || r->several || !x || !x->own || x->advanced ||
	    x->at > r->at || x->numbers[TDFILE_LATENCY].n == 0)
		return;
	latency = scaled(x->numbers[TDFILE_LATENCY].value, p.factor);
	name = latency > 0 ? copy_write(w, x, latency, r->at) : NULL;
	if (!name)
		return;
	against_edit(w, r->write_at, strlen(r->write), name);
	w->n_writes++;
	for (size_t i = 0; i < w->n; i++)
		if (w->list[i].instrw == (long)index)
			change(&w->list[i], TDFILE_LATENCY,
			       x->numbers[TDFILE_LATENCY].value, latency);
}

/* Forms of one class without an InstRW that ask for one latency: a new write
 * with the resources of the class, and an InstRW that names the forms. */
static void add_instrw(struct against *w, size_t first, size_t index)
{
	const struct against_form *x = &w->list[first];
	const double factor = x->wants[TDFILE_LATENCY];
	const char *name =
		arena_printf(w->a, "%sWriteMeasured%zu", w->prefix, index);
	long latency = lround((double)x->latency * factor);
	const char *separator = "";

	buffer_printf(&w->added, "\ndef %s : SchedWriteRes<[", name);
	against_resources(w->sched, x->class, latency, &w->added);
	buffer_printf(&w->added, "def : InstRW<[%s], (instrs ", name);
	for (size_t i = first; i < w->n; i++) {
		struct against_form *y = &w->list[i];

		if (y->instrw >= 0 || y->class != x->class ||
		    y->wants[TDFILE_LATENCY] != factor)
			continue;
		buffer_printf(&w->added, "%s%s", separator, y->opcode);
		separator = ",\n                        ";
		if (i != first)
			change(y, TDFILE_LATENCY, y->latency, latency);
	}
	buffer_printf(&w->added, ")>;\n");
	change(&w->list[first], TDFILE_LATENCY, x->latency, latency);
	w->n_instrws++;
}

/* A new InstRW replaces all writes and reads of an instruction, so a class with
 * advances of operands, or with several results, keeps its own.  So does one
 * whose cycles have changed in the source: the table has the old ones. */
static bool may_replace(const struct against *w, const struct against_form *x)
{
	struct mc_sched_class k;

	return x->instrw < 0 && x->class && !x->other_cycles &&
	       x->wants[TDFILE_LATENCY] != ASKS_UNKNOWN &&
	       x->wants[TDFILE_LATENCY] != ASKS_NOTHING &&
	       mc_sched_get_class(w->sched, x->class, &k) &&
	       k.n_advances == 0 && k.n_latencies == 1 && x->latency > 0;
}

static void settle_all(struct against *w)
{
	const struct tdfile *f = &w->file;

	w->names = ARENA_ARRAY(w->a, const char *, f->n_instrws + 1);
	for (int kind = 0; kind < TDFILE_N_KINDS; kind++)
		for (size_t i = 0; i < f->n_writes; i++) {
			if (f->writes[i].numbers[kind].n == 0)
				continue;
			settle_listed(w, &f->writes[i], kind);
			settle_unlisted(w, &f->writes[i], kind);
		}
	for (size_t i = 0; i < f->n_instrws; i++)
		settle_instrw(w, i);
	for (size_t i = 0; i < w->n; i++)
		if (may_replace(w, &w->list[i]))
			add_instrw(w, i, w->n_instrws);
	for (size_t i = 0; i < w->n; i++)
		for (int kind = 0; kind < TDFILE_N_KINDS; kind++)
			w->n_left += w->list[i].wants[kind] != ASKS_UNKNOWN &&
				     w->list[i].wants[kind] != ASKS_NOTHING;
}

/* ---- all of it ---------------------------------------------------------- */

static int settle(struct against *w, const struct model *m, const char *cpu)
{
	struct class_report report;
	struct class_request q = { .c = w->c, .ours = m, .tolerance = same };

	if (import_llvm_plain(w->a, w->c, cpu, &w->table, w->e) != ERR_OK ||
	    llvm_class_names(w->a, w->c, cpu, &q.names, w->e) != ERR_OK ||
	    list_forms(w, q.names) != ERR_OK)
		return w->e->code;
	q.table = w->table;
	class_compare(w->a, &q, &report);
	ask_all(w, &report);
	w->prefix = against_prefix(w->a, &w->file);
	settle_all(w);
	return w->e->code;
}

static int against_compare(struct against *w, const struct model *m,
			   const struct export_against *x)
{
	if (tdfile_read(w->a, x->path, x->text, x->n, &w->file, w->e) ==
		    ERR_OK &&
	    mc_sched_open(w->c->isa->triple, x->cpu, &w->sched, w->e) == ERR_OK)
		(void)settle(w, m, x->cpu);
	return w->e->code;
}

static void against_free(struct against *w)
{
	mc_sched_close(w->sched);
	buffer_free(&w->edits);
	buffer_free(&w->added);
}

int against_write(const struct model *m, const struct catalogue *c,
		  const struct export_against *x, struct buffer *ret,
		  struct err *e)
{
	struct arena a = { 0 };
	struct against w = { .a = &a, .c = c, .e = e };

	if (against_compare(&w, m, x) == ERR_OK)
		against_put_diff(&w, ret);
	against_free(&w);
	arena_free(&a);
	return e->code;
}

int changed_llvm(struct arena *a, const struct model *m,
		 const struct catalogue *c, const struct export_against *x,
		 struct model **ret, struct err *e)
{
	struct against w = { .a = a, .c = c, .e = e };

	if (against_compare(&w, m, x) == ERR_OK)
		*ret = against_table(&w);
	against_free(&w);
	return e->code;
}
