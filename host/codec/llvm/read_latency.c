/* Converts LLVM's latencies and read advances to latencies of operand pairs.
 *
 * LLVM has a latency for each definition.  A read advance of the consumer
 * shortens it, for results of all instructions or of listed ones.  The model's
 * latency of a pair is that of a chain of the form alone; differences for other
 * producers are bypasses. */
#include <limits.h>
#include <string.h>

#include "host/codec/llvm/read.h"
#include "host/isa/catalogue.h"
#include "host/isa/mc.h"

/* Bypass class of results that no read advance names. */
enum { OTHERS = 1 };

struct llvm_reader {
	struct llvm *l;
	const struct form *f;
	struct mc_opcode opcode;
	unsigned class;
	unsigned n_advances;
	unsigned writer; /* writer of the form's own results */
};

static bool same_register(const struct catalogue *c, uint16_t a, uint16_t b)
{
	const struct reg *x = &c->regs[a], *y = &c->regs[b];

	return x->bank == y->bank && x->index < y->index + y->span &&
	       y->index < x->index + x->span;
}

/* Convert LLVM's index of a definition or use to an operand of the form; -1:
 * none. */
static int operand_of(const struct llvm_reader *r, bool definition,
		      unsigned index)
{
	const struct mc_opcode *o = &r->opcode;
	unsigned n = definition ? o->n_defs : o->n_operands - o->n_defs;
	size_t n_implicit = definition ? o->n_implicit_defs : o->n_uses;
	const uint16_t *regs = definition ? o->defs : o->uses;

	if (index < n)
		return (int)(definition ? index : o->n_defs + index);
	if (index - n >= n_implicit)
		return -1;
	for (int i = r->f->n_explicit; i < r->f->n_operands; i++)
		if (same_register(r->l->c, r->f->operands[i].fixed_reg,
				  regs[index - n]))
			return i;
	return -1;
}

/* Does LLVM's operand denote this one?  LLVM has one operand for all flags. */
static bool is_operand(const struct llvm_reader *r, int found, int operand)
{
	return found == operand ||
	       (found >= 0 && found < r->f->n_operands &&
		r->f->operands[found].flag && r->f->operands[operand].flag);
}

static unsigned n_definitions(const struct llvm_reader *r)
{
	return r->opcode.n_defs + (unsigned)r->opcode.n_implicit_defs;
}

static struct llvm_reader reader_of(struct llvm *l, const struct form *f,
				    unsigned class)
{
	struct llvm_reader r = { .l = l, .f = f, .class = class };
	struct mc_sched_class k;

	mc_get_opcode(l->c->mc, f->opcode, &r.opcode);
	if (mc_sched_get_class(l->s, class, &k))
		r.n_advances = k.n_advances;
	for (unsigned i = 0; i < n_definitions(&r) && r.writer == 0; i++)
		(void)mc_sched_latency(l->s, class, i, &r.writer);
	return r;
}

/* Read advance of the operand for results of `writer`, in cycles. */
static int read_advance(const struct llvm_reader *r, int source,
			unsigned writer)
{
	int least = INT_MAX;

	for (unsigned i = 0; i < r->n_advances; i++) {
		struct mc_advance a;
		bool again = false;

		mc_sched_advance(r->l->s, r->class, i, &a);
		if (!is_operand(r, operand_of(r, false, a.use), source) ||
		    (a.writer != 0 && a.writer != writer))
			continue;
		/* If a use has several entries, the first one counts.  If an
		 * operand has several uses, the smallest advance counts. */
		for (unsigned k = 0; k < i && !again; k++) {
			struct mc_advance b;

			mc_sched_advance(r->l->s, r->class, k, &b);
			again = b.use == a.use &&
				(b.writer == 0 || b.writer == writer);
		}
		if (!again && a.cycles < least)
			least = a.cycles;
	}
	return least == INT_MAX ? 0 : least;
}

static void add_latency(struct model_form *f, struct model_latency *list,
			int source, int destination, int cycles)
{
	double value = cycles > 0 ? cycles : 0;

	list[f->n_latencies++] = (struct model_latency){
		.source = (int8_t)source,
		.destination = (int8_t)destination,
		.cycles = { true, value, value },
	};
}

/* Add the latencies to one result: a default for all sources, then those of
 * sources that differ. */
static void add_result(const struct llvm_reader *r, struct model_form *f,
		       struct model_latency *list, int destination, int cycles)
{
	add_latency(f, list, MODEL_ANY, destination, cycles);
	for (int i = 0; r->n_advances > 0 && i < r->f->n_operands; i++) {
		int early = read_advance(r, i, r->writer);

		if (r->f->operands[i].read && early != 0)
			add_latency(f, list, i, destination, cycles - early);
	}
}

/* Collect the longest latency of each written operand; -1: unknown. */
static void longest_latencies(const struct llvm_reader *r, int *cycles)
{
	for (int i = 0; i < FORM_MAX_OPERANDS; i++)
		cycles[i] = -1;
	for (unsigned i = 0; i < n_definitions(r); i++) {
		unsigned writer;
		int at = operand_of(r, true, i);
		int n = mc_sched_latency(r->l->s, r->class, i, &writer);

		for (int k = 0; k < r->f->n_operands; k++)
			if (is_operand(r, at, k) && r->f->operands[k].write &&
			    n > cycles[k])
				cycles[k] = n;
	}
}

/* The bypass table has one column for all sources with the same read
 * advances. */
static uint8_t bypass_column(struct llvm *l, const struct llvm_reader *r,
			     int source)
{
	struct model *m = l->m;
	double delta[MODEL_MAX_CLASSES] = { 0 };
	int own = read_advance(r, source, r->writer);
	bool any = false;
	size_t at = 1;

	delta[OTHERS] = own - read_advance(r, source, 0);
	for (size_t w = 1; w < l->n_writers; w++)
		if (l->writers[w] != 0)
			delta[l->writers[w]] =
				own - read_advance(r, source, (unsigned)w);
	for (size_t i = 0; i < MODEL_MAX_CLASSES; i++)
		any = any || delta[i] != 0;
	if (!any)
		return 0;
	for (; at < m->n_bypass; at++) {
		size_t row = 1;

		while (row < l->n_rows && m->bypass[row][at] == delta[row])
			row++;
		if (row == l->n_rows)
			return (uint8_t)at;
	}
	if (m->n_bypass == MODEL_MAX_CLASSES) {
		l->crowded = true;
		return 0;
	}
	for (size_t row = 1; row < l->n_rows; row++)
		m->bypass[row][at] = delta[row];
	l->names[at] =
		arena_printf(l->a, "operand %d of %s", source, r->f->name);
	m->n_bypass++;
	return (uint8_t)at;
}

static void add_takes(const struct llvm_reader *r, struct model_form *ret)
{
	uint8_t takes[FORM_MAX_OPERANDS] = { 0 };

	for (int i = 0; r->n_advances > 0 && i < r->f->n_operands; i++) {
		takes[i] =
			r->f->operands[i].read ? bypass_column(r->l, r, i) : 0;
		if (takes[i] != 0)
			ret->n_takes = (size_t)i + 1;
	}
	if (ret->n_takes > 0)
		ret->takes = arena_copy(r->l->a, takes, ret->n_takes);
}

void llvm_latencies(struct llvm *l, const struct form *f, unsigned class,
		    struct model_form *ret)
{
	enum { ROOM = FORM_MAX_OPERANDS * (FORM_MAX_OPERANDS + 1) };
	struct llvm_reader r = reader_of(l, f, class);
	struct model_latency list[ROOM];
	int cycles[FORM_MAX_OPERANDS];

	longest_latencies(&r, cycles);
	for (int i = 0; i < f->n_operands; i++)
		if (cycles[i] >= 0)
			add_result(&r, ret, list, i, cycles[i]);
	ret->latencies =
		arena_copy(l->a, list, ret->n_latencies * sizeof(*list));
	if (l->m->n_bypass == 0)
		return;
	ret->bypass = r.writer < l->n_writers && l->writers[r.writer] != 0
			      ? l->writers[r.writer]
			      : OTHERS;
	if (!l->names[ret->bypass])
		l->names[ret->bypass] =
			arena_printf(l->a, "results of %s", f->name);
	add_takes(&r, ret);
}

/* Assign bypass classes to the writers that read advances of seen classes
 * name. */
void llvm_bypass(struct llvm *l)
{
	struct model *m = l->m;
	size_t n = OTHERS + 1;

	l->n_writers = UINT16_MAX + 1; /* LLVM stores writer ids in 16 bits */
	l->writers = ARENA_ARRAY(l->a, uint8_t, l->n_writers);
	for (unsigned k = 1; k < l->core.n_classes; k++) {
		struct mc_sched_class class;

		if (!l->classes[k].seen || !mc_sched_get_class(l->s, k, &class))
			continue;
		for (unsigned i = 0; i < class.n_advances; i++) {
			struct mc_advance a;

			mc_sched_advance(l->s, k, i, &a);
			if (a.writer == 0 || a.writer >= l->n_writers ||
			    l->writers[a.writer] != 0)
				continue;
			if (n == MODEL_MAX_CLASSES) {
				l->crowded = true;
				continue;
			}
			l->writers[a.writer] = (uint8_t)n++;
		}
	}
	if (n == OTHERS + 1)
		return;
	l->n_rows = m->n_bypass = n;
	l->names = ARENA_ARRAY(l->a, const char *, MODEL_MAX_CLASSES);
	l->names[0] = "";
	l->names[OTHERS] = "other results";
	m->bypass_names = l->names;
	m->bypass = arena_alloc(l->a, MODEL_MAX_CLASSES, sizeof(*m->bypass));
}
