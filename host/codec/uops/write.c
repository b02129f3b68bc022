/* Writes XML in the format of uops.info: instructions with operands and, for
 * one architecture, a measurement with ports such as 1*p05+1*p23 and latencies
 * between operands.  Unknown values have no attribute. */
#include <math.h>
#include <string.h>

#include "host/codec/codec.h"
#include "host/codec/number.h"
#include "host/codec/uops/names.h"
#include "host/codec/uops/write.h"
#include "host/isa/isa.h"
#include "host/isa/mc.h"

static bool is_taken(const char *codes, size_t n, char code)
{
	for (size_t i = 0; i < n; i++)
		if (codes[i] == code)
			return true;
	return false;
}

/* A port's code is the last digit of its name if that is unique (p5: 5), else a
 * free character.  F and P come last: OSACA's importer takes them off the front
 * of a list of ports. */
static void choose_codes(const struct model *m, char *codes)
{
	static const char rest[] = "ABCDEGHIJKLMNOQRSTUVWXYZabcdefghijklmnoq"
				   "rstuvwxyz0123456789-_.FP";
	size_t n = m->n_ports;

	for (size_t i = 0; i < n; i++) {
		const char *name = m->ports[i].name;
		char last = *name != '\0' ? name[strlen(name) - 1] : '\0';

		if (last >= '0' && last <= '9' && !m->ports[i].pseudo &&
		    !is_taken(codes, n, last))
			codes[i] = last;
	}
	for (size_t i = 0, next = 0; i < n; i++) {
		if (codes[i] != '\0')
			continue;
		while (is_taken(codes, n, rest[next]))
			next++;
		codes[i] = rest[next];
	}
}

static void add_number(struct uops_writer *w, const char *key, double value)
{
	buffer_printf(w->out, " %s=\"", key);
	number_add(w->out, value);
	buffer_printf(w->out, "\"");
}

static bool is_exact(const struct model_span *s)
{
	return s->has_value && !span_is_wide(s);
}

/* ---- values ------------------------------------------------------------- */

static bool is_pseudo(const struct uops_writer *w, model_ports set)
{
	return (set & ~w->pseudo) == 0;
}

static void add_set(struct uops_writer *w, model_ports set)
{
	for (size_t p = 0; p < w->m->n_ports; p++)
		if ((set >> p & 1) != 0)
			buffer_add(w->out, &w->codes[p], 1);
}

/* 1*p05+1*p23 cannot express a uop that occupies its port for more than a
 * cycle.  The extra attribute port_cycles does, in the same order. */
static void add_busy(struct uops_writer *w, const struct model_form *f)
{
	bool longer = false;
	size_t n = 0;

	for (size_t i = 0; i < f->n_uses; i++)
		longer |= !is_pseudo(w, f->uses[i].ports) &&
			  f->uses[i].cycles != 1;
	if (!longer)
		return;
	buffer_printf(w->out, " port_cycles=\"");
	for (size_t i = 0; i < f->n_uses; i++) {
		if (is_pseudo(w, f->uses[i].ports))
			continue;
		buffer_printf(w->out, n++ > 0 ? "+" : "");
		number_add(w->out, f->uses[i].cycles);
	}
	buffer_printf(w->out, "\"");
}

/* Append 1*p05+1*p23; `units`: of the units that are no ports, with cycles. */
static size_t add_uses(struct uops_writer *w, const char *key,
		       const struct model_form *f, bool units)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n_uses; i++) {
		const struct model_use *u = &f->uses[i];

		if (is_pseudo(w, u->ports) != units)
			continue;
		if (n++ == 0)
			buffer_printf(w->out, " %s=\"", key);
		else
			buffer_printf(w->out, "+");
		number_add(w->out, units ? u->n_uops * u->cycles : u->n_uops);
		buffer_printf(w->out, "*p");
		add_set(w, u->ports);
	}
	if (n > 0)
		buffer_printf(w->out, "\"");
	return n;
}

static bool is_whole(double value)
{
	return value == floor(value);
}

/* uops.info's programs read whole uops and whole cycles of the divider; other
 * numbers have attributes of their own. */
static void add_ports(struct uops_writer *w, const struct model_form *f)
{
	const struct model_use *divider = NULL;
	bool all_whole = true;
	const char *mark;
	char room[MARK_ROOM];
	size_t n;

	for (size_t i = 0; i < f->n_uses; i++)
		if (is_pseudo(w, f->uses[i].ports))
			divider = &f->uses[i];
		else
			all_whole &= is_whole(f->uses[i].n_uops);
	n = add_uses(w, all_whole ? "ports" : "port_uses", f, false);
	if (n == 0)
		buffer_printf(w->out, " ports_none=\"1\"");
	mark = mark_text(f->mark, room);
	if (*mark != '\0')
		uops_attribute(w, "ports_mark", mark);
	add_busy(w, f);
	add_number(w, "TP_ports", model_port_bound(f->uses, f->n_uses, NULL));
	if (add_uses(w, "units", f, true) == 1 &&
	    is_whole(divider->n_uops * divider->cycles))
		add_number(w, "div_cycles", divider->n_uops * divider->cycles);
}

/* The whole number that a span is, but for a measurement's doubt; -1: none. */
static long whole(const struct model_span *s)
{
	static const double doubt = 0.02;
	double middle = span_middle(s), near = round(middle);

	return is_exact(s) && fabs(middle - near) <= doubt * fmax(near, 1)
		       ? (long)near
		       : -1;
}

/* uops.info's programs read whole cycles; low_cycles and high_cycles are the
 * bounds as they are. */
static void add_span(struct uops_writer *w, const char *suffix,
		     const struct model_span *s)
{
	long n = whole(s);

	if (n >= 0)
		buffer_printf(w->out, " cycles%s=\"%ld\"", suffix, n);
	else
		buffer_printf(w->out,
			      " min_cycles%s=\"%ld\" max_cycles%s=\"%ld\"",
			      suffix, (long)floor(s->low), suffix,
			      (long)ceil(s->high));
	if (s->low == s->high && n >= 0 && s->low == (double)n)
		return;
	buffer_printf(w->out, " low_cycles%s=\"", suffix);
	number_add(w->out, s->low);
	buffer_printf(w->out, "\" high_cycles%s=\"", suffix);
	number_add(w->out, s->high);
	buffer_printf(w->out, "\"");
}

/* Of several operands with the same number, the slowest. */
static void add_latency(struct uops_writer *w, const struct form *form,
			const struct uops_operands *numbers,
			const struct model_form *f, int start, int target)
{
	struct model_span best[XML_N_PARTS] = { { 0 } };
	bool any = false;

	for (int i = 0; i < form->n_operands; i++)
		for (int k = 0; k < form->n_operands; k++) {
			struct model_span *b = &best[numbers->part[i]], s;

			if (!form->operands[i].read ||
			    !form->operands[k].write ||
			    numbers->number[i] != start ||
			    numbers->number[k] != target)
				continue;
			s = model_latency(f, i, k);
			if (s.has_value && (!b->has_value || s.high > b->high))
				*b = s;
			any = any || s.has_value;
		}
	if (!any)
		return;
	buffer_printf(w->out,
		      "\n     <latency start_op=\"%d\" target_op=\"%d\"", start,
		      target);
	for (int part = 0; part < XML_N_PARTS; part++)
		if (best[part].has_value)
			add_span(w, uops_part_ends[part], &best[part]);
	buffer_printf(w->out, "/>");
}

static void add_measurement(struct uops_writer *w, const struct form *form,
			    const struct model_form *f)
{
	const struct uops_operands numbers = uops_number_operands(form);
	bool measured = is_exact(&f->throughput);
	double cycles = measured ? span_middle(&f->throughput)
			: f->has_ports
				? model_port_bound(f->uses, f->n_uses, NULL)
				: 0;

	buffer_printf(w->out, "\n    <measurement");
	/* Readers of ports want a throughput as well. */
	if (measured || f->has_ports) {
		add_number(w, "TP_loop", cycles);
		add_number(w, "TP_unrolled", cycles);
	}
	if (!measured && f->has_ports)
		uops_attribute(w, "TP_measured", "0");
	if (f->slots.has_value && whole(&f->slots) >= 0)
		buffer_printf(w->out, " uops=\"%ld\"", whole(&f->slots));
	if (f->has_ports)
		add_ports(w, f);
	if (f->values)
		uops_attribute(w, "values", f->values);
	buffer_printf(w->out, ">");
	for (int start = 1; start <= numbers.n; start++)
		for (int target = 1; target <= numbers.n; target++)
			add_latency(w, form, &numbers, f, start, target);
	buffer_printf(w->out, "\n    </measurement>");
}

/* An attribute with a name of uops.info. */
static void add_made(struct uops_writer *w, const char *key,
		     const struct form *form,
		     void (*make)(struct buffer *b, const struct catalogue *c,
				  const struct form *f))
{
	struct buffer b = { 0 };

	make(&b, w->c, form);
	uops_attribute(w, key, buffer_text(&b));
	buffer_free(&b);
}

static void begin_instruction(struct uops_writer *w, const struct form *form)
{
	const struct uops_operands numbers = uops_number_operands(form);

	buffer_printf(w->out, "\n  <instruction");
	add_made(w, "asm", form, uops_assembly);
	uops_attribute(w, "category",
		       form->flags & MC_CONTROL_FLOW ? "COND_BR" : "");
	uops_attribute(w, "extension", w->m->isa);
	uops_attribute(w, "form", form->name);
	add_made(w, "iclass", form, uops_mnemonic);
	add_made(w, "iform", form, uops_iform);
	add_made(w, "string", form, uops_string);
	buffer_printf(w->out, ">");
	for (int i = 1; i <= numbers.n; i++)
		uops_operand(w, form, &numbers, i);
}

static void add_architecture(struct uops_writer *w, const struct form *form,
			     const struct model_form *f)
{
	buffer_printf(w->out, "\n   <architecture");
	uops_attribute(w, "name", uops_architecture(w->c, w->m->cpu));
	buffer_printf(w->out, ">");
	add_measurement(w, form, f);
	buffer_printf(w->out, "\n   </architecture>");
}

static void add_ports_of(struct uops_writer *w)
{
	const struct model *m = w->m;

	buffer_printf(w->out, "\n <ports");
	uops_attribute(w, "architecture", m->cpu);
	uops_attribute(w, "tool", export_tool(m));
	buffer_printf(w->out, ">");
	for (size_t i = 0; i < m->n_ports; i++) {
		buffer_printf(w->out, "\n  <port code=\"%c\"", w->codes[i]);
		uops_attribute(w, "name", m->ports[i].name);
		if (m->ports[i].pseudo)
			uops_attribute(w, "pseudo", "1");
		buffer_printf(w->out, "/>");
	}
	buffer_printf(w->out, "\n </ports>");
}

/* ---- several models ----------------------------------------------------- */

/* The form to write next: the first of all models' by name; NULL: none. */
static const char *next_name(const struct uops_writer *w, size_t n)
{
	const char *first = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct model *m = w[i].m;

		if (w[i].at < m->n_forms &&
		    (!first || strcmp(m->forms[w[i].at].name, first) < 0))
			first = m->forms[w[i].at].name;
	}
	return first;
}

/* An instruction with an architecture for each model that has the form. */
static void add_instruction(struct uops_writer *w, size_t n, const char *name)
{
	const struct form *form = catalogue_form(w->c, name);
	bool begun = false;

	for (size_t i = 0; i < n; i++) {
		const struct model_form *f = &w[i].m->forms[w[i].at];

		if (w[i].at == w[i].m->n_forms || strcmp(f->name, name) != 0)
			continue;
		w[i].at++;
		if (form && !begun)
			begin_instruction(&w[i], form);
		if (form)
			add_architecture(&w[i], form, f);
		begun = true;
	}
	if (form)
		buffer_printf(w->out, "\n  </instruction>");
}

/* An architecture's name says whose its values are. */
static int check_models(const struct model *const *list, size_t n,
			struct err *e)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(list[i]->cpu, list[k]->cpu) == 0)
				return err_set(e, ERR_INPUT,
					       "two models are of %s; a file "
					       "of uops.info has one of each "
					       "architecture",
					       list[i]->cpu);
	return ERR_OK;
}

static int write_several(const struct model *const *list, size_t n,
			 const struct catalogue *c, struct buffer *ret,
			 struct err *e)
{
	struct arena a = { 0 };
	struct buffer sources = { 0 };
	struct uops_writer *w;
	const char *name;

	if (check_models(list, n, e) != ERR_OK)
		return e->code;
	w = ARENA_ARRAY(&a, struct uops_writer, n);
	for (size_t i = 0; i < n; i++) {
		w[i].out = ret;
		w[i].c = c;
		w[i].m = list[i];
		w[i].pseudo = pseudo_ports(list[i]);
		choose_codes(list[i], w[i].codes);
		buffer_printf(&sources, "%s%s", i > 0 ? "; " : "",
			      list[i]->source);
	}
	buffer_printf(ret, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<root");
	uops_attribute(w, "source", buffer_text(&sources));
	if (n == 1)
		uops_attribute(w, "tool", export_tool(list[0]));
	buffer_printf(ret, ">");
	for (size_t i = 0; i < n; i++)
		add_ports_of(&w[i]);
	buffer_printf(ret, "\n <extension");
	uops_attribute(w, "name", c->isa->name);
	buffer_printf(ret, ">");
	while ((name = next_name(w, n)))
		add_instruction(w, n, name);
	buffer_printf(ret, "\n </extension>\n</root>\n");
	buffer_free(&sources);
	arena_free(&a);
	return ERR_OK;
}

static int write_uops(const struct model *m, const struct catalogue *c,
		      struct buffer *ret, struct err *e)
{
	return write_several(&m, 1, c, ret, e);
}

const struct exporter exporter_uops = {
	.name = "uops",
	.describe = "XML in the format of uops.info",
	.write_model = write_uops,
	.write_models = write_several,
};
