/* Writes LLVM's scheduling model as TableGen text, to be included after a
 * target's instructions: resources, groups for sets of ports, writes with
 * latency and uops, read advances for operands with shorter latencies, InstRW
 * by expressions that match exactly the opcodes of one cost.
 *
 * TableGen has only whole cycles and takes a missing value for 1.  Forms with
 * an unknown or fractional value are therefore left out; the file's first lines
 * give their number. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/order.h"
#include "host/codec/codec.h"
#include "host/codec/llvm/against.h"
#include "host/codec/llvm/regex.h"
#include "host/codec/llvm/sched_names.h"
#include "host/codec/llvm/whole_td.h"
#include "host/codec/llvm/write.h"
#include "host/codec/number.h"
#include "host/isa/catalogue.h"
#include "host/isa/mc.h"

/* ---- one form ----------------------------------------------------------- */

/* Append "ports, ports|cycles, cycles". */
static enum reason td_add_resources(struct td *w, const struct model_form *f,
				    struct buffer *b, long *uops)
{
	double n = 0;

	for (size_t i = 0; i < f->n_uses; i++) {
		const struct model_use *u = &f->uses[i];
		bool single = (u->ports & (u->ports - 1)) == 0;
		size_t at = 0;

		while ((u->ports >> at & 1) == 0)
			at++;
		n += single && w->m->ports[at].pseudo ? 0 : u->n_uops;
		buffer_printf(b, "%s%s_%s", i > 0 ? ", " : "", w->prefix,
			      td_resource(w, u->ports));
	}
	buffer_printf(b, "|");
	for (size_t i = 0; i < f->n_uses; i++) {
		long cycles;

		if (!td_whole(f->uses[i].n_uops * f->uses[i].cycles, &cycles) ||
		    cycles == 0)
			return NOT_WHOLE;
		buffer_printf(b, "%s%ld", i > 0 ? ", " : "", cycles);
	}
	*uops = (long)ceil(n);
	return WRITTEN;
}

/* Number of results: leading explicit operands that are written registers. */
static int n_results(const struct form *form)
{
	int n = 0;

	while (n < form->n_explicit && form->operands[n].write &&
	       form->operands[n].kind == OPERAND_REG)
		n++;
	return n;
}

/* Is it another flag after a flag?  LLVM models all flags as one register. */
static bool joins_flags(const struct form *form, int operand)
{
	return operand > form->n_explicit && form->operands[operand].flag &&
	       form->operands[operand - 1].flag;
}

/* Append "latency,latency|" for all results.  For further implicit results,
 * such as flags, LLVM assumes the largest latency listed. */
static enum reason td_add_latencies(const struct form *form,
				    const struct model_form *f,
				    struct buffer *b, long *first)
{
	long cycles[FORM_MAX_OPERANDS], most = -1;
	int n_told = 0, n = 0;
	bool flags = false; /* the last result listed is the flags */

	for (int i = 0; i < form->n_operands; i++) {
		bool result = i < n_results(form), implicit;
		long its = -1;
		enum reason why;

		flags = flags && joins_flags(form, i);
		implicit = i >= form->n_explicit && form->operands[i].write;
		if (!result && !implicit)
			continue;
		why = td_longest_latency(form, f, i, 0, &its);
		if (why == NOT_WHOLE || (why != WRITTEN && result))
			return why;
		its = why == WRITTEN ? its : -1;
		if (flags)
			cycles[n - 1] =
				its > cycles[n - 1] ? its : cycles[n - 1];
		else
			cycles[n++] = its;
		flags = form->operands[i].flag;
		most = most > its ? most : its;
		n_told = its >= 0 ? n : n_told;
	}
	if (n > 0 && n_told == 0)
		return NO_LATENCY;
	for (int i = 0; i < n_told; i++)
		buffer_printf(b, "%s%ld", i > 0 ? "," : "",
			      cycles[i] >= 0 ? cycles[i] : most);
	if (n > 0)
		*first = cycles[0] >= 0 ? cycles[0] : most;
	/* A form without results has LLVM's default latency, 1. */
	buffer_printf(b, "%s|", n > 0 ? "" : "1");
	return WRITTEN;
}

/* Append read advances, as "0,2,0": explicit uses, then implicit ones. */
static void td_add_advances(const struct form *form, const struct model_form *f,
			    long first, struct buffer *b)
{
	int n = n_results(form), destination = n > 0 ? 0 : -1;
	size_t n_uses = 0;
	bool flags = false;

	for (int i = form->n_explicit; destination < 0 && i < form->n_operands;
	     i++)
		if (form->operands[i].write)
			destination = i;
	for (int i = n; i < form->n_operands && destination >= 0; i++) {
		struct model_span s = model_latency(f, i, destination);
		long cycles;

		if (i >= form->n_explicit && !form->operands[i].read)
			continue;
		/* All flags share LLVM's one register, so the smallest advance
		 * counts. */
		if (form->operands[i].flag) {
			if (!flags)
				buffer_printf(b, "%s0",
					      n_uses++ > 0 ? "," : "");
			flags = true;
			continue;
		}
		if (!form->operands[i].read || !td_whole_span(&s, &cycles))
			cycles = first;
		buffer_printf(b, "%s%ld", n_uses++ > 0 ? "," : "",
			      first - cycles);
	}
	buffer_printf(b, "|%d", (form->access & ACCESS_LOAD) != 0);
}

/* *ret_opcode: the form's name in LLVM's tables. */
static enum reason td_describe_form(struct td *w, const struct form *form,
				    const struct model_form *f,
				    struct buffer *b, const char **ret_opcode)
{
	uint32_t number;
	long uops = 0, first = 0, slots;
	enum reason why;

	*ret_opcode = form->name;
	if (form->variant && !tables_find(w->tables, form, ret_opcode, &number))
		return VARIANT;
	if (!f->has_ports)
		return NO_PORTS;
	why = td_add_resources(w, f, b, &uops);
	if (why != WRITTEN)
		return why;
	if (!td_whole_span(&f->slots, &slots))
		slots = uops;
	buffer_printf(b, "|%ld|", slots);
	why = td_add_latencies(form, f, b, &first);
	if (why != WRITTEN)
		return why;
	/* Pseudo opcodes of the code generator have other operands. */
	if (form->variant)
		buffer_printf(b, "|0");
	else
		td_add_advances(form, f, first, b);
	return WRITTEN;
}

/* Do the comments of two costs differ? */
static int compare_comments(const struct cost *x, const struct cost *y)
{
	int order = strcmp(x->values, y->values);

	if (order == 0)
		order = ORDER(x->mark.kind, y->mark.kind);
	return order ? order : ORDER(x->mark.n_mixes, y->mark.n_mixes);
}

static int compare_costs(const void *a, const void *b)
{
	const struct cost *x = a, *y = b;
	int order = strcmp(x->text, y->text);

	if (order == 0)
		order = compare_comments(x, y);
	return order ? order : strcmp(x->opcode, y->opcode);
}

static int compare_opcodes(const void *a, const void *b)
{
	const struct cost *x = a, *y = b;
	int order = strcmp(x->opcode, y->opcode);

	return order ? order : strcmp(x->text, y->text);
}

/* LLVM's tables hold one cost per opcode.  Forms that share an opcode are
 * merged if their costs are equal, otherwise all are left out. */
static void join_opcodes(struct td *w)
{
	size_t n = 0, end;

	order_sort(w->costs, w->n, sizeof(*w->costs), compare_opcodes);
	for (size_t i = 0; i < w->n; i = end) {
		struct cost x = w->costs[i];

		for (end = i + 1;
		     end < w->n && strcmp(w->costs[end].opcode, x.opcode) == 0;
		     end++)
			x.mark = mark_weaker(x.mark, w->costs[end].mark);
		if (strcmp(w->costs[end - 1].text, x.text) == 0)
			w->costs[n++] = x;
		else
			w->left_out[UNLIKE] += end - i;
	}
	w->n = n;
}

static void td_collect(struct td *w)
{
	size_t n = w->m->n_forms;

	w->costs = ARENA_ARRAY(&w->a, struct cost, n + 1);
	w->groups = ARENA_ARRAY(&w->a, model_ports, n * 8 + 64);
	for (size_t i = 0; i < n; i++) {
		const struct model_form *f = &w->m->forms[i];
		const struct form *form = catalogue_form(w->c, f->name);
		struct buffer b = { 0 };
		const char *opcode = NULL, *values = f->values;
		enum reason why = VARIANT;

		if (form)
			why = td_describe_form(w, form, f, &b, &opcode);
		w->left_out[why]++;
		if (why == WRITTEN)
			w->costs[w->n++] = (struct cost){
				buffer_take(&w->a, &b),
				opcode,
				values && strcmp(values, "ones") != 0 ? values
								      : "",
				f->mark,
			};
		buffer_free(&b);
	}
	join_opcodes(w);
	order_sort(w->costs, w->n, sizeof(*w->costs), compare_costs);
}

/* ---- the text ----------------------------------------------------------- */

/* The part of a cost's text up to the next '|'; advances *text past it. */
static char *next_part(struct td *w, const char **text)
{
	size_t n = strcspn(*text, "|");
	char *copy = arena_printf(&w->a, "%.*s", (int)n, *text);

	*text += n + ((*text)[n] == '|');
	return copy;
}

/* Define read advances.  They apply to results of the same form, because a
 * chain measured that; if the rest of the form waits for memory, they apply to
 * results of any form.  Returns the length of `names` up to the last nonzero
 * advance, 0 if there is none. */
static size_t td_add_reads(struct td *w, size_t index, const char *advances,
			   bool any_producer, struct buffer *names)
{
	size_t n = 0, last = 0;

	for (const char *at = advances; *at != '\0';) {
		char *end;
		long cycles = strtol(at, &end, 10);

		n++;
		if (cycles == 0) {
			buffer_printf(names, ", ReadDefault");
		} else {
			buffer_printf(w->out,
				      "def %s_R%zu_%zu : "
				      "SchedReadAdvance<%ld",
				      w->prefix, index, n, cycles);
			if (!any_producer)
				buffer_printf(w->out, ", [%s_W%zu_0]",
					      w->prefix, index);
			buffer_printf(w->out, ">;\n");
			buffer_printf(names, ", %s_R%zu_%zu", w->prefix, index,
				      n);
			last = names->n;
		}
		at = end + (*end == ',');
	}
	return last;
}

static void td_add_cost(struct td *w, size_t index, const char *text)
{
	const char *resources = next_part(w, &text),
		   *cycles = next_part(w, &text);
	const char *uops = next_part(w, &text),
		   *latencies = next_part(w, &text);
	const char *advances = next_part(w, &text);
	struct buffer names = { 0 };
	size_t n = 0, writes, reads;

	for (const char *at = latencies; *at != '\0'; n++) {
		char *end;
		long latency = strtol(at, &end, 10);

		/* The first write carries the form's resources and uops. */
		buffer_printf(w->out,
			      "def %s_W%zu_%zu : SchedWriteRes<[%s]> { let "
			      "Latency = %ld; let NumMicroOps = %s; ",
			      w->prefix, index, n, n == 0 ? resources : "",
			      latency, n == 0 ? uops : "0");
		if (n == 0 && *cycles != '\0')
			buffer_printf(w->out, "let ReleaseAtCycles = [%s]; ",
				      cycles);
		buffer_printf(w->out, "}\n");
		buffer_printf(&names, "%s%s_W%zu_%zu", n > 0 ? ", " : "",
			      w->prefix, index, n);
		at = end + (*end == ',');
	}
	writes = names.n;
	reads = td_add_reads(w, index, advances, *text == '1', &names);
	buffer_printf(w->out, "def : InstRW<[%.*s], (instregex",
		      (int)(reads > 0 ? reads : writes),
		      (const char *)names.bytes);
	buffer_free(&names);
}

static void td_add_comment(struct buffer *b, const struct cost *x)
{
	char room[MARK_ROOM];
	const char *mark = mark_text(x->mark, room);

	if (*mark != '\0')
		buffer_printf(b, " /* ports: %s */", mark);
	if (*x->values == '\0')
		return;
	buffer_printf(b, " /* operands held: ");
	export_comment(b, x->values);
	buffer_printf(b, " */");
}

/* Name the opcodes of the costs up to `end`, all of one text.  Expressions hold
 * opcodes of equal comments only. */
static void td_add_opcodes(struct td *w, const struct cost *x,
			   const struct cost *end)
{
	const char **names = ARENA_ARRAY(&w->a, const char *, end - x);
	const char *separator = " ";

	while (x < end) {
		const char *const *expressions;
		size_t n = 0, n_expressions;

		while (x + n < end && compare_comments(&x[n], x) == 0) {
			names[n] = x[n].opcode;
			n++;
		}
		n_expressions = llvm_regex_cover(&w->a, names, n, &expressions);
		for (size_t i = 0; i < n_expressions; i++) {
			buffer_printf(w->out, "%s\"%s\"", separator,
				      expressions[i]);
			td_add_comment(w->out, x);
			separator = ",\n  ";
		}
		x += n;
	}
	buffer_printf(w->out, ")>;\n");
}

static int write_td(const struct model *m, const struct catalogue *c,
		    struct buffer *ret, struct err *e)
{
	struct td w = { .out = ret, .m = m, .c = c };
	const struct sched_names *names = sched_names_of(c->isa);
	size_t n_costs = 0;

	if (names && names->extensions)
		return whole_td_write(m, c, ret, e);
	w.prefix =
		arena_printf(&w.a, "Anechoic_%s", td_identifier(&w.a, m->cpu));
	w.tables = tables_new(&w.a, c);
	td_name_ports(&w);
	td_collect(&w);
	export_tool_comment(ret, "//", m);
	export_completed(ret, "//", m);
	buffer_printf(
		ret,
		"// Scheduling model of %s for LLVM %s; include it behind "
		"the target's instructions.\n// %zu forms. Left out: %zu "
		"without ports, %zu without a latency, %zu of no whole\n"
		"// cycles, %zu variants of an opcode, %zu that share one with "
		"others of unlike cost.\n\n",
		td_identifier(&w.a, m->cpu), mc_version(), w.n,
		w.left_out[NO_PORTS], w.left_out[NO_LATENCY],
		w.left_out[NOT_WHOLE], w.left_out[VARIANT], w.left_out[UNLIKE]);
	td_add_core(&w, "");
	td_add_unsupported(&w);
	for (size_t i = 0, end; i < w.n; i = end) {
		for (end = i + 1; end < w.n && strcmp(w.costs[end].text,
						      w.costs[i].text) == 0;)
			end++;
		td_add_cost(&w, n_costs++, w.costs[i].text);
		td_add_opcodes(&w, &w.costs[i], &w.costs[end]);
	}
	buffer_printf(ret, "} // SchedModel\n");
	if (w.n == 0)
		(void)err_set(
			e, ERR_FAILED,
			"no form has ports and latencies of whole cycles, so "
			"the file would be empty: measure ports (anechoic "
			"measure --what ports), or name published tables "
			"(--tables)");
	arena_free(&w.a);
	return e->code;
}

const struct exporter exporter_llvm = {
	.name = "llvm",
	.describe = "LLVM's scheduling model, TableGen",
	.completes = true,
	.write_model = write_td,
	.write_against = against_write,
};
