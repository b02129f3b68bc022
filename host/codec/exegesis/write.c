/* Writes llvm-exegesis' benchmark files: a document for each form and
 * measurement.  `llvm-exegesis -mode=analysis` sorts them by LLVM's scheduling
 * classes and shows which disagree with them; it needs no counters for that.
 *
 * A file has one mode, because the analysis refuses a file whose entries
 * differ in it.  A form without an exact value is written with the reason as
 * its error, which the analysis leaves out.  All have an instruction with all
 * operands: the analysis resolves the scheduling class of each. */
#include "host/codec/exegesis/exegesis.h"

#include <stdio.h>
#include <string.h>

#include "host/codec/codec.h"
#include "host/codec/number.h"
#include "host/codec/signature.h"
#include "host/isa/instance.h"
#include "host/isa/match.h"
#include "host/isa/mc.h"
#include "host/isa/mc_sched.h"
#include "host/isa/variant.h"

struct exegesis_writer {
	const struct model *m;
	const struct catalogue *c;
	struct buffer *out;
	const char *cpu;
	unsigned mode;
	size_t n_values;
};

/* What is known of a form in the writer's mode. */
struct exegesis_value {
	bool has_value;
	double cycles;
	char error[128]; /* why not */
	char info[64];
};

static void operand_word(const struct form *f, const struct catalogue *c, int i,
			 char *ret, size_t room)
{
	const struct operand *o = &f->operands[i];

	if (o->implicit && o->fixed_reg < c->n_regs)
		(void)snprintf(ret, room, "%s", c->regs[o->fixed_reg].name);
	else
		(void)snprintf(ret, room, "%d", i);
}

/* The value of an interval, if one number may stand for it. */
static void take_span(const struct model_span *s, const char *what,
		      struct exegesis_value *v)
{
	char low[NUMBER_ROOM], high[NUMBER_ROOM];

	number_text(s->low, low);
	number_text(s->high, high);
	if (!s->has_value)
		(void)snprintf(v->error, sizeof(v->error), "no %s is known",
			       what);
	else if (span_is_wide(s))
		(void)snprintf(v->error, sizeof(v->error),
			       "%s is not exact: %s to %s", what, low, high);
	else
		v->cycles = span_middle(s);
	v->has_value = v->error[0] == '\0';
}

struct exegesis_pair {
	int source, destination;
	struct model_span cycles;
};

/* The longest pair of a form: one with an exact latency if no other must be
 * longer.  A load counts from its address, which is why all pairs of a form
 * that loads are considered; of others the exact ones are what a chain of this
 * form alone shows. */
static struct exegesis_pair longest_pair(const struct form *f,
					 const struct model_form *m)
{
	bool loads = (f->access & ACCESS_LOAD) != 0;
	struct exegesis_pair exact = { 0 }, any = { 0 };
	double least = 0;

	for (int n = f->n_operands, i = 0; i < n * n; i++) {
		struct exegesis_pair p = { i / n, i % n, { 0 } };

		if (!f->operands[p.source].read ||
		    !f->operands[p.destination].write)
			continue;
		p.cycles = model_latency(m, p.source, p.destination);
		if (!p.cycles.has_value)
			continue;
		least = least > p.cycles.low ? least : p.cycles.low;
		if (!any.cycles.has_value || p.cycles.high > any.cycles.high)
			any = p;
		if (!span_is_wide(&p.cycles) &&
		    (!exact.cycles.has_value ||
		     p.cycles.high > exact.cycles.high))
			exact = p;
	}
	return exact.cycles.has_value && !loads && exact.cycles.high >= least
		       ? exact
		       : any;
}

static void take_latency(const struct exegesis_writer *w, const struct form *f,
			 const struct model_form *m, struct exegesis_value *v)
{
	const struct exegesis_pair p = longest_pair(f, m);
	char from[ISA_NAME_ROOM], to[ISA_NAME_ROOM];

	take_span(&p.cycles, "latency", v);
	if (!v->has_value)
		return;
	operand_word(f, w->c, p.source, from, sizeof(from));
	operand_word(f, w->c, p.destination, to, sizeof(to));
	(void)snprintf(v->info, sizeof(v->info), EXEGESIS_PAIR "%.20s>%.20s",
		       from, to);
}

static void find_value(const struct exegesis_writer *w, const struct form *f,
		       struct exegesis_value *v)
{
	const struct model_form *m = model_find(w->m, f->name);
	static const struct model_form nothing;

	*v = (struct exegesis_value){ .has_value = false };
	if (!m && f->status != FORM_MEASURABLE) {
		(void)snprintf(v->error, sizeof(v->error), "not measured: %s",
			       form_status_word(f->status));
		return;
	}
	m = m ? m : &nothing;
	if (w->mode == EXEGESIS_LATENCY)
		take_latency(w, f, m, v);
	else if (w->mode == EXEGESIS_THROUGHPUT)
		take_span(&m->throughput, "throughput", v);
	else
		take_span(&m->slots, "number of micro-ops", v);
}

/* ---- the text ----------------------------------------------------------- */

/* Operands of a form that has no example: the first register of each class. */
static void any_operands(const struct catalogue *c, const struct form *f,
			 struct instance *ret)
{
	*ret = (struct instance){ .form = f };
	for (int i = 0; i < f->n_explicit; i++) {
		const struct operand *o = &f->operands[i];

		ret->imm[i] = o->imm;
		if (o->fixed_reg != REG_NONE)
			ret->reg[i] = o->fixed_reg;
		else if (o->reg_class < c->n_classes &&
			 c->classes[o->reg_class].n_regs > 0)
			ret->reg[i] = c->classes[o->reg_class].regs[0];
	}
}

static void put_instruction(struct exegesis_writer *w, const struct instance *x)
{
	char opcode[OPCODE_ROOM];
	struct mc_inst m;

	instance_to_mc(x, &m);
	buffer_printf(w->out, "'%s", name_opcode(x->form->name, opcode));
	for (uint32_t i = 0; i < m.n; i++) {
		if (m.kind[i] != MC_VALUE_REG)
			buffer_printf(w->out, " " EXEGESIS_NUMBER "%llx",
				      (unsigned long long)m.value[i]);
		else if (m.value[i] == REG_NONE)
			buffer_printf(w->out, " %s", EXEGESIS_NO_REGISTER);
		else
			buffer_printf(w->out, " %s",
				      w->c->regs[m.value[i]].name);
	}
	buffer_printf(w->out, "'\n");
}

static void put_code(struct exegesis_writer *w, const struct instance *x)
{
	unsigned char code[MC_MAX_CODE];
	/* LLVM's encoder takes correct operands for granted. */
	size_t n = x->form->status == FORM_MEASURABLE
			   ? instance_encode(w->c, x, code, sizeof(code))
			   : 0;

	buffer_printf(w->out, "assembled_snippet: '");
	for (size_t i = 0; i < n; i++)
		buffer_printf(w->out, "%02X", code[i]);
	buffer_printf(w->out, "'\n");
}

static void put_measurement(struct exegesis_writer *w,
			    const struct exegesis_value *v)
{
	char text[NUMBER_ROOM];

	if (!v->has_value) {
		buffer_printf(w->out, "measurements: []\n");
		return;
	}
	number_text(v->cycles, text);
	buffer_printf(w->out,
		      "measurements:\n  - { key: %s, value: %s, "
		      "per_snippet_value: %s }\n",
		      exegesis_modes[w->mode].key, text, text);
	w->n_values++;
}

static void put_form(struct exegesis_writer *w, const struct form *f,
		     const struct exegesis_value *v)
{
	struct instance x;

	if (!form_example(w->c, f, 0, &x))
		any_operands(w->c, f, &x);
	buffer_printf(w->out, "---\nmode: %s\nkey:\n  instructions:\n    - ",
		      exegesis_modes[w->mode].mode);
	put_instruction(w, &x);
	buffer_printf(w->out, "  config: ");
	export_quoted(w->out, f->variant ? f->variant->suffix : "");
	buffer_printf(w->out, "\n  register_initial_values: []\ncpu_name: ");
	export_quoted(w->out, w->cpu);
	buffer_printf(w->out, "\nllvm_triple: %s\nmin_instructions: 1\n",
		      w->c->isa->triple);
	put_measurement(w, v);
	buffer_printf(w->out, "error: ");
	export_quoted(w->out, v->error);
	buffer_printf(w->out, "\ninfo: ");
	export_quoted(w->out, v->info);
	buffer_printf(w->out, "\n");
	put_code(w, &x);
	buffer_printf(w->out, "...\n");
}

/* Forms of several instructions, as a comparison with its branch, are none of
 * llvm-exegesis'.  Neither are system rows: their costs are those of a leaf, of a
 * line's state or of code in front, which an entry cannot say.  Variants without
 * a value are no entries. */
static bool is_entry(const struct exegesis_writer *w, const struct form *f)
{
	if (f->variant && !form_is_plain(w->c, f) && !model_find(w->m, f->name))
		return false;
	switch (form_family(f)) {
	case FAMILY_FUSED:
	case FAMILY_PAIR:
	case FAMILY_STACK:
	case FAMILY_STRING:
	case FAMILY_SYSTEM:
	case FAMILY_X87:
		return false;
	default:
		return true;
	}
}

/* The analysis takes the measurements of the first entry for those of all: the
 * forms with a value come first. */
static int write_mode(struct exegesis_writer *w, struct err *e)
{
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < w->c->n_forms; i++) {
			const struct form *f = &w->c->forms[i];
			struct exegesis_value v;

			if (!is_entry(w, f))
				continue;
			find_value(w, f, &v);
			if (v.has_value == (pass == 0))
				put_form(w, f, &v);
		}
	if (w->n_values == 0)
		(void)err_set(e, ERR_FAILED,
			      "no form has an exact value of the mode '%s', so "
			      "the file would be empty",
			      exegesis_modes[w->mode].mode);
	return e->code;
}

/* A name that LLVM has a table for; else one that it knows, and the analysis
 * needs --mcpu and --analysis-override-benchmark-triple-and-cpu. */
static const char *cpu_name(const struct model *m, const struct isa *isa)
{
	return mc_sched_knows(isa->triple, m->cpu) ? m->cpu : "generic";
}

static int write_exegesis(unsigned mode, const struct model *m,
			  const struct catalogue *c, struct buffer *ret,
			  struct err *e)
{
	struct exegesis_writer w = {
		.m = m,
		.c = c,
		.out = ret,
		.cpu = cpu_name(m, c->isa),
		.mode = mode,
	};

	export_tool_comment(ret, "#", m);
	return write_mode(&w, e);
}

static int write_latency(const struct model *m, const struct catalogue *c,
			 struct buffer *ret, struct err *e)
{
	return write_exegesis(EXEGESIS_LATENCY, m, c, ret, e);
}

static int write_throughput(const struct model *m, const struct catalogue *c,
			    struct buffer *ret, struct err *e)
{
	return write_exegesis(EXEGESIS_THROUGHPUT, m, c, ret, e);
}

static int write_uops(const struct model *m, const struct catalogue *c,
		      struct buffer *ret, struct err *e)
{
	return write_exegesis(EXEGESIS_UOPS, m, c, ret, e);
}

const struct exporter exporter_exegesis = {
	.name = "exegesis",
	.describe = "llvm-exegesis' benchmark file, latencies",
	.write_model = write_latency,
};

const struct exporter exporter_exegesis_throughput = {
	.name = "exegesis-throughput",
	.describe = "llvm-exegesis' benchmark file, inverse throughputs",
	.write_model = write_throughput,
};

const struct exporter exporter_exegesis_uops = {
	.name = "exegesis-uops",
	.describe = "llvm-exegesis' benchmark file, micro-ops",
	.write_model = write_uops,
};
