/* Imports LLVM's scheduling models through LLVM's libraries (`--cpu NAME`).
 *
 * LLVM assigns instructions to scheduling classes; for some the class depends
 * on the operands.  A form has the class of its example instruction.  The model
 * has no value that the tables lack. */
#include <stdlib.h>
#include <string.h>

#include "host/codec/codec.h"
#include "host/codec/llvm/read.h"
#include "host/codec/signature.h"
#include "host/isa/facts.h"
#include "host/isa/instance.h"
#include "host/isa/match.h"

/* The instance with the same register for all operands of a class. */
static struct instance with_one_register(const struct form *f,
					 const struct instance *x)
{
	struct instance same = *x;
	const struct operand *ops = f->operands;

	for (int i = 1; i < f->n_explicit; i++)
		for (int k = 0; k < i; k++)
			if (ops[i].kind == OPERAND_REG &&
			    ops[k].kind == OPERAND_REG &&
			    ops[i].reg_class == ops[k].reg_class) {
				same.reg[i] = same.reg[k];
				break;
			}
	return same;
}

/* Does the class use no resource?  Then it is eliminated at rename. */
static bool is_renamed(const struct llvm *l, unsigned class)
{
	struct mc_sched_class k;

	return class != 0 && mc_sched_get_class(l->s, class, &k) &&
	       k.n_uses == 0;
}

static void mark_idioms(const struct llvm *l, const struct form *f,
			struct model_form *ret)
{
	struct instance x, same;
	struct mc_inst m, m_same;

	if (!form_example(l->c, f, 0, &x))
		return;
	same = with_one_register(f, &x);
	instance_to_mc(&x, &m);
	instance_to_mc(&same, &m_same);
	ret->eliminated = mc_sched_free_move(l->s, &m);
	ret->zero_idiom = mc_sched_zero_idiom(l->s, &m_same) &&
			  !mc_sched_zero_idiom(l->s, &m) &&
			  is_renamed(l, mc_sched_find(l->s, &m_same));
}

/* Is it a placeholder?  LLVM's x86 tables give unmeasured instructions 100
 * cycles, in one uop or in a hundred (WriteMicrocoded, WriteSystem). */
static bool is_placeholder(const struct llvm *l, unsigned class)
{
	enum { PLACEHOLDER = 100 };
	struct mc_sched_class k;
	unsigned writer;

	return mc_sched_get_class(l->s, class, &k) &&
	       (k.n_uops == 1 || k.n_uops == PLACEHOLDER) &&
	       mc_sched_latency(l->s, class, 0, &writer) == PLACEHOLDER;
}

static unsigned class_of(struct llvm *l, const struct form *f)
{
	struct instance x;
	struct mc_inst m = { .opcode = f->opcode };
	const char *name;
	unsigned class;

	if (!tables_find(l->tables, f, &name, &m.opcode) &&
	    !form_is_plain(l->c, f))
		return 0;
	if (mc_sched_varies(l->s, f->opcode)) {
		if (!form_example(l->c, f, 0, &x))
			return 0;
		instance_to_mc(&x, &m);
	}
	class = mc_sched_find(l->s, &m);
	if (class != 0 && is_placeholder(l, class)) {
		l->n_placeholders++;
		class = 0;
	}
	return class;
}

/* Find each form's class; returns the number of forms that have one. */
static size_t find_classes(struct llvm *l)
{
	size_t n = 0;

	l->tables = tables_new(l->a, l->c);
	l->of_form = ARENA_ARRAY(l->a, unsigned, l->c->n_forms);
	l->classes = ARENA_ARRAY(l->a, struct llvm_class, l->core.n_classes);
	for (size_t i = 0; i < l->c->n_forms; i++) {
		l->of_form[i] = class_of(l, &l->c->forms[i]);
		if (l->of_form[i] == 0)
			continue;
		l->classes[l->of_form[i]].seen = true;
		n++;
	}
	return n;
}

/* Set the cost of an eliminated move: no latency, only issue slots.  LLVM's
 * tables have the cost of a move that is not eliminated. */
static void set_eliminated(struct llvm *l, const struct llvm_class *k,
			   struct model_form *ret)
{
	static const struct model_latency free_of_charge = {
		.source = MODEL_ANY,
		.destination = MODEL_ANY,
		.cycles = { true, 0, 0 },
	};
	double cycles = (double)k->n_uops / l->core.width;

	ret->n_latencies = 1;
	ret->latencies = &free_of_charge;
	ret->throughput = (struct model_span){ true, cycles, cycles };
}

static void llvm_add_form(struct llvm *l, size_t index, struct model_form *ret)
{
	const struct form *f = &l->c->forms[index];
	unsigned class = l->of_form[index];
	const struct llvm_class *k = &l->classes[class];
	const char *name;
	uint32_t opcode;

	ret->name = f->name;
	ret->slots = (struct model_span){ true, k->n_uops, k->n_uops };
	ret->throughput = k->throughput;
	mark_idioms(l, f, ret);
	ret->has_ports = true;
	ret->mark.kind = MARK_PUBLISHED;
	if (ret->eliminated) {
		set_eliminated(l, k, ret);
	} else {
		ret->n_uses = k->n_uses;
		ret->uses = k->uses;
		llvm_latencies(l, f, class, ret);
	}
	if (mc_sched_varies(l->s, f->opcode) && *f->example != '\0')
		ret->evidence = arena_printf(l->a,
					     "as `%s`; depends on its "
					     "operands",
					     f->example);
	else if (tables_find(l->tables, f, &name, &opcode))
		ret->evidence = arena_printf(l->a, "as %s", name);
}

/* Slots of the front end.  LLVM's issue width may be what a core can decode or
 * start in a cycle; no more than is published are dispatched. */
static unsigned width_of(const struct llvm *l)
{
	struct known_cores cores = facts_read(l->a);
	const struct known_core *core =
		facts_of_cpu(&cores, l->c->isa->name, l->core.cpu);
	const struct core_fact *f = core ? facts_get(core, "width", 0) : NULL;
	unsigned most = f ? (unsigned)strtoul(f->value, NULL, 10) : 0;

	return most > 0 && most < l->core.width ? most : l->core.width;
}

static void llvm_add_core(struct llvm *l)
{
	const struct mc_sched_core *k = &l->core;
	struct model *m = l->m;

	m->isa = l->c->isa->name;
	m->cpu = arena_strdup(l->a, k->cpu);
	m->source = arena_printf(l->a, "LLVM's tables of %s", k->cpu);
	m->llvm = true;
	m->width = (struct model_span){ true, k->width, k->width };
	m->in_order = k->uop_buffer <= 1;
	m->order_known = true;
	m->reorder_buffer = k->reorder_buffer;
	if (m->reorder_buffer == 0 && !m->in_order)
		m->reorder_buffer = k->uop_buffer;
	for (const char *const *cpu = l->c->isa->binding_cpus; cpu && *cpu;
	     cpu++)
		m->binds_ports = m->binds_ports || name_matches(*cpu, k->cpu);
	m->load_queue = k->load_queue;
	m->store_queue = k->store_queue;
}

static void llvm_add_notes(struct llvm *l)
{
	struct model *m = l->m;

	if (*l->core.same_as != '\0')
		import_note(l->a, m, "LLVM has the same tables for %s.",
			    l->core.same_as);
	if (m->n_forms < l->c->n_forms)
		import_note(l->a, m,
			    "LLVM's tables lack %zu of %zu forms, %zu of them "
			    "for a placeholder of 100 cycles.",
			    l->c->n_forms - m->n_forms, l->c->n_forms,
			    l->n_placeholders);
	if (l->crowded)
		import_note(l->a, m,
			    "There are more kinds of forwarding than the "
			    "model holds; the rest is left out.");
}

static int llvm_fill_model(struct llvm *l, struct err *e)
{
	struct model_form *forms;
	size_t n;

	mc_sched_get_core(l->s, &l->core);
	if (l->core.width == 0)
		return err_set(e, ERR_INPUT,
			       "cpu %s: LLVM's model has no issue width",
			       l->core.cpu);
	l->core.width = width_of(l);
	llvm_add_core(l);
	n = find_classes(l);
	l->ports = ARENA_ARRAY(l->a, struct model_port, MODEL_MAX_PORTS);
	if (llvm_ports(l, e) != ERR_OK)
		return e->code;
	l->m->ports = l->ports;
	llvm_bypass(l);
	forms = ARENA_ARRAY(l->a, struct model_form, n);
	for (size_t i = 0; i < l->c->n_forms; i++)
		if (l->of_form[i] != 0)
			llvm_add_form(l, i, &forms[l->m->n_forms++]);
	l->m->forms = forms;
	if (!l->plain)
		llvm_correct(l, forms);
	llvm_add_notes(l);
	return model_check(l->m, l->c, e);
}

static int import_tables(struct llvm *l, const char *cpu, struct model **ret,
			 struct err *e)
{
	if (mc_sched_open(l->c->isa->triple, cpu, &l->s, e) != ERR_OK)
		return e->code;
	l->m = ARENA_NEW(l->a, struct model);
	if (llvm_fill_model(l, e) == ERR_OK)
		*ret = l->m;
	mc_sched_close(l->s);
	return e->code;
}

int import_llvm(struct arena *a, const struct catalogue *c, const char *cpu,
		struct model **ret, struct err *e)
{
	struct llvm l = { .a = a, .c = c };

	return import_tables(&l, cpu, ret, e);
}

int import_llvm_plain(struct arena *a, const struct catalogue *c,
		      const char *cpu, struct model **ret, struct err *e)
{
	struct llvm l = { .a = a, .c = c, .plain = true };

	return import_tables(&l, cpu, ret, e);
}

int llvm_class_names(struct arena *a, const struct catalogue *c,
		     const char *cpu, const char *const **ret, struct err *e)
{
	struct llvm l = { .a = a, .c = c };
	const char **names;

	if (mc_sched_open(c->isa->triple, cpu, &l.s, e) != ERR_OK)
		return e->code;
	mc_sched_get_core(l.s, &l.core);
	(void)find_classes(&l);
	names = ARENA_ARRAY(a, const char *, c->n_forms + 1);
	for (size_t i = 0; i < c->n_forms; i++) {
		struct mc_sched_class k = { .name = "" };

		if (l.of_form[i] == 0)
			continue;
		(void)mc_sched_get_class(l.s, l.of_form[i], &k);
		names[i] = *k.name != '\0'
				   ? arena_strdup(a, k.name)
				   : arena_printf(a, "class %u", l.of_form[i]);
	}
	*ret = names;
	mc_sched_close(l.s);
	return e->code;
}
