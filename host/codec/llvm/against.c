/* Writes what a measured model says of LLVM's own scheduling model as a change
 * of its source: a unified diff (docs/exports/llvm.md).
 *
 * Each form asks for a latency, for ports, for cycles of its resource and for
 * micro-ops, if they were measured and the table says something else; or it asks
 * that they stay.  A
 * number of the source changes if all forms that it is for ask for the same.
 * Else an InstRW all of whose forms ask for the same gets a write of its own,
 * and forms that no InstRW lists get a new one.  What cannot be changed without
 * changing other forms is left out and counted. */
#include <math.h>
#include <string.h>

#include "host/codec/codec.h"
#include "host/codec/llvm/against.h"
#include "host/codec/llvm/write.h"
#include "host/codec/number.h"
#include "host/isa/mc.h"
#include "host/isa/mc_sched.h"

static const double same = AGAINST_SAME;

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
			struct against_form *ret)
{
	double t = ret->table->throughput.high;
	double front = ret->table->slots.high / w->table->width.high;

	if (fabs(span_middle(s) - t) <= same * fmax(span_middle(s), t))
		ret->wants[TDFILE_RELEASE] = ASKS_NOTHING;
	else if (s->high - s->low <= same * s->high && t > front * (1 + same))
		ret->wants[TDFILE_RELEASE] = span_middle(s) / t;
}

static void ask_uops(const struct model_span *s, double table,
		     struct against_form *ret)
{
	long value;

	if (!td_whole_span(s, &value))
		return;
	ret->wants[TDFILE_UOPS] =
		table > 0 ? (double)value / table : ASKS_UNKNOWN;
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
				ask_release(w, &m->measured[f->kind], x);
			else
				ask_uops(&m->measured[f->kind], f->table, x);
		}
	}
}

/* The plain forms with a class, and which InstRW lists each. */
static int list_forms(struct against *w, const struct model *ours,
		      const char *const *names)
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
					    .ours = model_find(ours, f->name),
					    .table = model_find(w->table,
								f->name),
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

/* ---- all of it ---------------------------------------------------------- */

static int settle(struct against *w, const struct model *m, const char *cpu)
{
	struct class_report report;
	struct class_request q = { .c = w->c, .ours = m, .tolerance = same };

	if (import_llvm_plain(w->a, w->c, cpu, &w->table, w->e) != ERR_OK ||
	    llvm_class_names(w->a, w->c, cpu, &q.names, w->e) != ERR_OK ||
	    list_forms(w, m, q.names) != ERR_OK)
		return w->e->code;
	q.table = w->table;
	class_compare(w->a, &q, &report);
	ask_all(w, &report);
	against_read_resources(w);
	against_ask_ports(w, m);
	w->prefix = against_prefix(w->a, &w->file);
	against_settle(w);
	against_add_new(w);
	for (size_t i = 0; i < w->n; i++)
		for (int kind = 0; kind < TDFILE_N_KINDS; kind++)
			w->n_left += w->list[i].wants[kind] != ASKS_UNKNOWN &&
				     w->list[i].wants[kind] != ASKS_NOTHING;
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
