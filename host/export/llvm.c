/* LLVM's scheduling model as TableGen text, to be included behind a target's
 * instructions: resources, groups for sets of ports, writes with latency and
 * uops, read advances from latencies of single operands, InstRW by opcode.
 *
 * TableGen has whole cycles and no unknowns, and what it is not told it takes
 * for 1: a form of which something is not known, or is no whole number, is left
 * out, and the first lines say how many. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/export/export.h"

enum reason { WRITTEN, NO_PORTS, NO_LATENCY, NOT_WHOLE, VARIANT, N_REASONS };

/* The cost of a form as text; equal texts share a definition. */
struct cost {
	const char *text;
	const char *opcode;
};

struct td {
	struct arena a;
	struct buffer *out;
	const struct model *m;
	const struct catalogue *c;
	const char *prefix; /* of every name */
	struct cost *costs;
	size_t n;
	size_t left_out[N_REASONS];
	/* Sets of several ports, each a group. */
	model_ports *groups;
	size_t n_groups;
};

/* Letters and digits, for a name. */
static char *identifier(struct arena *a, const char *text)
{
	char *name = arena_printf(
		a, "%s%s", isdigit((unsigned char)*text) ? "P" : "", text);

	for (char *c = name; *c != '\0'; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
	return name;
}

static bool whole(double value, long *ret)
{
	static const double doubt = 0.05;
	double near = round(value);

	*ret = (long)near;
	return fabs(value - near) <= doubt && near >= 0 && near < INT16_MAX;
}

static bool whole_span(const struct model_span *s, long *ret)
{
	static const double doubt = 0.1;

	return s->has_value && s->high - s->low <= doubt &&
	       whole((s->low + s->high) / 2, ret);
}

/* ---- one form ----------------------------------------------------------- */

/* "[ports, ports]|[cycles, cycles]" */
static enum reason add_resources(struct td *w, const struct model_form *f,
				 struct buffer *b, long *uops)
{
	double n = 0;

	for (size_t i = 0; i < f->n_uses; i++) {
		const struct model_use *u = &f->uses[i];
		bool single = (u->ports & (u->ports - 1)) == 0;
		size_t at = 0;

		if (single) {
			while ((u->ports >> at & 1) == 0)
				at++;
			n += w->m->ports[at].pseudo ? 0 : u->n_uops;
		} else {
			while (at < w->n_groups && w->groups[at] != u->ports)
				at++;
			if (at == w->n_groups)
				w->groups[w->n_groups++] = u->ports;
			n += u->n_uops;
		}
		buffer_printf(b, "%s%s_%s", i > 0 ? ", " : "", w->prefix,
			      single ? identifier(&w->a, w->m->ports[at].name)
				     : arena_printf(&w->a, "G%zu", at));
	}
	buffer_printf(b, "|");
	for (size_t i = 0; i < f->n_uses; i++) {
		long cycles;

		if (!whole(f->uses[i].n_uops * f->uses[i].cycles, &cycles) ||
		    cycles == 0)
			return NOT_WHOLE;
		buffer_printf(b, "%s%ld", i > 0 ? ", " : "", cycles);
	}
	*uops = (long)ceil(n);
	return WRITTEN;
}

/* The longest latency to a result, from any operand. */
static enum reason longest(const struct form *form, const struct model_form *f,
			   int destination, long *ret)
{
	struct model_span any = model_latency(f, MODEL_ANY, destination);
	bool known = whole_span(&any, ret);

	if (any.has_value && !known)
		return NOT_WHOLE;
	for (int i = 0; i < form->n_operands; i++) {
		struct model_span s = model_latency(f, i, destination);
		long cycles;

		if (!form->operands[i].read || !s.has_value)
			continue;
		if (!whole_span(&s, &cycles))
			return NOT_WHOLE;
		*ret = known && *ret > cycles ? *ret : cycles;
		known = true;
	}
	return known ? WRITTEN : NO_LATENCY;
}

/* Explicit operands before the first that is no result. */
static int n_results(const struct form *form)
{
	int n = 0;

	while (n < form->n_explicit && form->operands[n].write &&
	       form->operands[n].kind == OPERAND_REG)
		n++;
	return n;
}

/* "latency,latency|" of all results. */
static enum reason add_latencies(const struct form *form,
				 const struct model_form *f, struct buffer *b,
				 long *first)
{
	int n = n_results(form);
	bool any = false;

	for (int i = 0; i < form->n_operands; i++) {
		enum reason why;
		long cycles = 0;

		if (!(i < n ||
		      (i >= form->n_explicit && form->operands[i].write)))
			continue;
		why = longest(form, f, i, &cycles);
		if (why != WRITTEN)
			return why;
		buffer_printf(b, "%s%ld", any ? "," : "", cycles);
		if (!any)
			*first = cycles;
		any = true;
	}
	/* Without a result nobody waits for it: LLVM's default. */
	buffer_printf(b, "%s|", any ? "" : "1");
	return WRITTEN;
}

/* "0,2,0" of explicit uses, then of implicit ones. */
static void add_advances(const struct form *form, const struct model_form *f,
			 long first, struct buffer *b)
{
	int n = n_results(form), destination = n > 0 ? 0 : -1;
	size_t n_uses = 0;

	for (int i = form->n_explicit; destination < 0 && i < form->n_operands;
	     i++)
		if (form->operands[i].write)
			destination = i;
	for (int i = n; i < form->n_operands && destination >= 0; i++) {
		struct model_span s = model_latency(f, i, destination);
		long cycles;

		if (i >= form->n_explicit && !form->operands[i].read)
			continue;
		if (!form->operands[i].read || !whole_span(&s, &cycles))
			cycles = first;
		buffer_printf(b, "%s%ld", n_uses++ > 0 ? "," : "",
			      first - cycles);
	}
	buffer_printf(b, "|%d", (form->access & ACCESS_LOAD) != 0);
}

static enum reason describe(struct td *w, const struct form *form,
			    const struct model_form *f, struct buffer *b)
{
	long uops = 0, first = 0, slots;
	enum reason why;

	if (form->variant)
		return VARIANT;
	if (!f->has_ports)
		return NO_PORTS;
	why = add_resources(w, f, b, &uops);
	if (why != WRITTEN)
		return why;
	if (!whole_span(&f->slots, &slots))
		slots = uops;
	buffer_printf(b, "|%ld|", slots);
	why = add_latencies(form, f, b, &first);
	if (why != WRITTEN)
		return why;
	add_advances(form, f, first, b);
	return WRITTEN;
}

static int compare_costs(const void *a, const void *b)
{
	const struct cost *x = a, *y = b;
	int order = strcmp(x->text, y->text);

	return order ? order : strcmp(x->opcode, y->opcode);
}

static void collect(struct td *w)
{
	size_t n = w->m->n_forms;

	w->costs = ARENA_ARRAY(&w->a, struct cost, n + 1);
	w->groups = ARENA_ARRAY(&w->a, model_ports, n * 8 + 64);
	for (size_t i = 0; i < n; i++) {
		const struct model_form *f = &w->m->forms[i];
		const struct form *form = catalogue_form(w->c, f->name);
		struct buffer b = { 0 };
		enum reason why = form ? describe(w, form, f, &b) : VARIANT;

		w->left_out[why]++;
		buffer_add(&b, "", 1);
		if (why == WRITTEN)
			w->costs[w->n++] = (struct cost){
				arena_strdup(&w->a, (const char *)b.bytes),
				form->name,
			};
		buffer_free(&b);
	}
	if (w->n > 0)
		qsort(w->costs, w->n, sizeof(*w->costs), compare_costs);
}

/* ---- the text ----------------------------------------------------------- */

static void add_core(struct td *w)
{
	const struct model *m = w->m;
	long width;

	buffer_printf(w->out, "def %s_Model : SchedMachineModel {\n",
		      w->prefix);
	if (m->width.has_value && whole(floor(m->width.low), &width))
		buffer_printf(w->out, "  let IssueWidth = %ld;\n", width);
	if (m->in_order || m->reorder_buffer > 0)
		buffer_printf(w->out, "  let MicroOpBufferSize = %u;\n",
			      m->in_order ? 0 : m->reorder_buffer);
	buffer_printf(w->out,
		      "  let CompleteModel = 0;\n}\n\nlet SchedModel = "
		      "%s_Model in {\n",
		      w->prefix);
	for (size_t i = 0; i < m->n_ports; i++)
		buffer_printf(w->out, "def %s_%s : ProcResource<1>%s\n",
			      w->prefix, identifier(&w->a, m->ports[i].name),
			      m->in_order ? " { let BufferSize = 0; }" : ";");
	for (size_t g = 0; g < w->n_groups; g++) {
		bool first = true;

		buffer_printf(w->out, "def %s_G%zu : ProcResGroup<[", w->prefix,
			      g);
		for (size_t i = 0; i < m->n_ports; i++) {
			if ((w->groups[g] >> i & 1) == 0)
				continue;
			buffer_printf(w->out, "%s%s_%s", first ? "" : ", ",
				      w->prefix,
				      identifier(&w->a, m->ports[i].name));
			first = false;
		}
		buffer_printf(w->out, "]>%s\n",
			      m->in_order ? " { let BufferSize = 0; }" : ";");
	}
}

/* The part of a cost's text before the next '|', which is passed. */
static char *part(struct td *w, const char **text)
{
	size_t n = strcspn(*text, "|");
	char *copy = arena_printf(&w->a, "%.*s", (int)n, *text);

	*text += n + ((*text)[n] == '|');
	return copy;
}

static void add_write(struct td *w, size_t index, size_t number,
		      const char *resources, const char *cycles,
		      const char *uops, long latency)
{
	buffer_printf(w->out,
		      "def %s_W%zu_%zu : SchedWriteRes<[%s]> { let Latency = "
		      "%ld; let NumMicroOps = %s; ",
		      w->prefix, index, number, resources, latency, uops);
	if (*cycles != '\0')
		buffer_printf(w->out, "let ReleaseAtCycles = [%s]; ", cycles);
	buffer_printf(w->out, "}\n");
}

/* Reads that are early: of results of its own kind, as a chain has shown, but
 * where the rest of the form waits for memory, of any.  Returns how much of
 * the names counts: up to the last early one, 0 when there is none. */
static size_t add_reads(struct td *w, size_t index, const char *advances,
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

static void add_cost(struct td *w, size_t index, const char *text)
{
	const char *resources = part(w, &text), *cycles = part(w, &text);
	const char *uops = part(w, &text), *latencies = part(w, &text);
	const char *advances = part(w, &text);
	struct buffer names = { 0 };
	size_t n = 0, writes, reads;

	for (const char *at = latencies; *at != '\0'; n++) {
		char *end;
		long latency = strtol(at, &end, 10);

		/* Resources and uops are those of the first write. */
		add_write(w, index, n, n == 0 ? resources : "",
			  n == 0 ? cycles : "", n == 0 ? uops : "0", latency);
		buffer_printf(&names, "%s%s_W%zu_%zu", n > 0 ? ", " : "",
			      w->prefix, index, n);
		at = end + (*end == ',');
	}
	writes = names.n;
	reads = add_reads(w, index, advances, *text == '1', &names);
	buffer_printf(w->out, "def : InstRW<[%.*s], (instregex",
		      (int)(reads > 0 ? reads : writes),
		      (const char *)names.bytes);
	buffer_free(&names);
}

static int write_td(const struct model *m, const struct catalogue *c,
		    struct buffer *ret, struct err *e)
{
	struct td w = { .out = ret, .m = m, .c = c };
	size_t n_costs = 0;

	(void)e;
	w.prefix = arena_printf(&w.a, "Anechoic_%s", identifier(&w.a, m->cpu));
	collect(&w);
	buffer_printf(
		ret,
		"// Scheduling model of %s for LLVM 19; include it behind "
		"the target's instructions.\n// %zu forms. Left out: %zu "
		"without ports, %zu without a latency, %zu of no whole\n"
		"// cycles, %zu variants of an opcode.\n\n",
		identifier(&w.a, m->cpu), w.n, w.left_out[NO_PORTS],
		w.left_out[NO_LATENCY], w.left_out[NOT_WHOLE],
		w.left_out[VARIANT]);
	add_core(&w);
	for (size_t i = 0; i < w.n; i++) {
		const struct cost *x = &w.costs[i];
		bool first = i == 0 || strcmp(x[-1].text, x->text) != 0;
		bool last = i + 1 == w.n || strcmp(x[1].text, x->text) != 0;

		if (first)
			add_cost(&w, n_costs++, x->text);
		buffer_printf(ret, "%s\"^%s$\"", first ? " " : ",\n  ",
			      x->opcode);
		if (last)
			buffer_printf(ret, ")>;\n");
	}
	buffer_printf(ret, "} // SchedModel\n");
	arena_free(&w.a);
	return ERR_OK;
}

const struct exporter exporter_llvm = {
	.name = "llvm",
	.describe = "LLVM's scheduling model, TableGen",
	.write_model = write_td,
};
