/* Writes XML in the format of uops.info: instructions with operands and, for
 * one architecture, a measurement with ports such as 1*p05+1*p23 and latencies
 * between operands.  Unknown values have no attribute. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/export/export.h"
#include "host/export/number.h"
#include "host/isa/flags.h"
#include "host/isa/isa.h"
#include "host/isa/mc.h"
#include "host/model/uops_names.h"
#include "host/model/xml_operand.h"

struct uops_writer {
	struct buffer *out;
	const struct model *m;
	const struct catalogue *c;
	char codes[MODEL_MAX_PORTS]; /* one character for each port */
};

static bool is_taken(const struct uops_writer *w, size_t n, char code)
{
	for (size_t i = 0; i < n; i++)
		if (w->codes[i] == code)
			return true;
	return false;
}

/* A port's code is the last digit of its name if that is unique (p5: 5), else a
 * free character. */
static void choose_codes(struct uops_writer *w)
{
	static const char rest[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnoq"
				   "rstuvwxyz0123456789-_.";
	size_t n = w->m->n_ports;

	for (size_t i = 0; i < n; i++) {
		const char *name = w->m->ports[i].name;
		char last = *name != '\0' ? name[strlen(name) - 1] : '\0';

		if (last >= '0' && last <= '9' && !w->m->ports[i].pseudo &&
		    !is_taken(w, n, last))
			w->codes[i] = last;
	}
	for (size_t i = 0, next = 0; i < n; i++) {
		if (w->codes[i] != '\0')
			continue;
		while (is_taken(w, n, rest[next]))
			next++;
		w->codes[i] = rest[next];
	}
}

static void add_text(struct buffer *b, const char *text)
{
	static const struct {
		char c;
		const char *name;
	} rows[] = {
		{ '&', "&amp;" },
		{ '<', "&lt;" },
		{ '>', "&gt;" },
		{ '"', "&quot;" },
	};

	for (; *text != '\0'; text++) {
		size_t i = 0;

		while (i < ARRAY_LEN(rows) && rows[i].c != *text)
			i++;
		if (i < ARRAY_LEN(rows))
			buffer_printf(b, "%s", rows[i].name);
		else if ((unsigned char)*text >= ' ')
			buffer_add(b, text, 1);
	}
}

static void add_attribute(struct uops_writer *w, const char *key,
			  const char *text)
{
	buffer_printf(w->out, " %s=\"", key);
	add_text(w->out, text);
	buffer_printf(w->out, "\"");
}

static void add_number(struct uops_writer *w, const char *key, double value)
{
	char text[NUMBER_ROOM];

	number_text(value, text);
	add_attribute(w, key, text);
}

static bool is_exact(const struct model_span *s)
{
	static const double doubt = 0.05;

	return s->has_value && s->high - s->low <= doubt * s->high;
}

/* ---- operands ----------------------------------------------------------- */

static const char *type_of(const struct operand *o)
{
	if (o->kind == OPERAND_IMM)
		return "imm";
	if (o->kind == OPERAND_MEM)
		return "mem";
	if (o->kind == OPERAND_LABEL)
		return "relbr";
	if (o->flag)
		return "flags";
	return "reg";
}

/* flag_CF="r/w" */
static void add_flags(struct uops_writer *w, const struct form *f)
{
	for (int i = 0; i < f->n_operands; i++) {
		const struct operand *o = &f->operands[i];
		int flag = catalogue_flag(w->c, o->fixed_reg);
		char key[NUMBER_ROOM];

		if (flag < 0 || (!o->read && !o->write))
			continue;
		(void)snprintf(key, sizeof(key), "flag_%s",
			       w->c->isa->flags->names[flag]);
		add_attribute(w, key, !o->write ? "r" : o->read ? "r/w" : "w");
	}
}

/* REG1, MEM2 ...: uops.info's latencies are between named operands. */
static void add_operand_name(struct uops_writer *w, const struct operand *o,
			     int number)
{
	const char *type = type_of(o);

	buffer_printf(w->out, " name=\"");
	for (; *type != '\0'; type++)
		buffer_printf(w->out, "%c", toupper((unsigned char)*type));
	buffer_printf(w->out, "%d\"", number);
}

/* End the element, with the registers that the operand can be. */
static void add_registers(struct uops_writer *w, const struct operand *o)
{
	const struct reg_class *k = o->reg_class < w->c->n_classes
					    ? &w->c->classes[o->reg_class]
					    : NULL;

	if (o->kind != OPERAND_REG || o->flag || (!k && !o->fixed_reg)) {
		buffer_printf(w->out, "/>");
		return;
	}
	buffer_printf(w->out, ">");
	if (o->fixed_reg != REG_NONE)
		add_text(w->out, w->c->regs[o->fixed_reg].name);
	for (size_t i = 0; o->fixed_reg == REG_NONE && i < k->n_regs; i++) {
		buffer_printf(w->out, i > 0 ? "," : "");
		add_text(w->out, w->c->regs[k->regs[i]].name);
	}
	/* All its registers are reserved. */
	if (o->fixed_reg == REG_NONE && k->n_regs == 0)
		add_text(w->out, k->name);
	buffer_printf(w->out, "</operand>");
}

static void add_operand(struct uops_writer *w, const struct form *f, int number)
{
	const struct operand *first = NULL;
	bool read = false, write = false;

	for (int i = 0; i < f->n_operands; i++) {
		const struct operand *o = &f->operands[i];
		enum xml_part part;

		if (xml_operand(f, i, &part) != number)
			continue;
		if (!first)
			first = o;
		/* For memory: the access, not the registers of its address. */
		read |= o->kind == OPERAND_MEM ? (f->access & ACCESS_LOAD) != 0
					       : o->read;
		write |= o->kind == OPERAND_MEM
				 ? (f->access & ACCESS_STORE) != 0
				 : o->write;
	}
	buffer_printf(w->out, "\n   <operand idx=\"%d\"", number);
	add_operand_name(w, first, number);
	add_attribute(w, "type", type_of(first));
	if (read)
		add_attribute(w, "r", "1");
	if (write)
		add_attribute(w, "w", "1");
	if (first->implicit)
		add_attribute(w, "suppressed", "1");
	if (first->flag)
		add_flags(w, f);
	if (first->kind == OPERAND_REG && first->reg_class < w->c->n_classes &&
	    w->c->classes[first->reg_class].bits > 0)
		buffer_printf(w->out, " width=\"%u\"",
			      w->c->classes[first->reg_class].bits);
	else if (first->kind == OPERAND_MEM && f->data_bytes > 0)
		buffer_printf(w->out, " width=\"%u\"", 8u * f->data_bytes);
	add_registers(w, first);
}

static int n_numbers(const struct form *f)
{
	int most = 0;

	for (int i = 0; i < f->n_operands; i++) {
		enum xml_part part;
		int number = xml_operand(f, i, &part);

		most = number > most ? number : most;
	}
	return most;
}

/* ---- values ------------------------------------------------------------- */

static bool is_pseudo(const struct uops_writer *w, model_ports set)
{
	for (size_t i = 0; i < w->m->n_ports; i++)
		if ((set >> i & 1) != 0 && !w->m->ports[i].pseudo)
			return false;
	return true;
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
		char text[NUMBER_ROOM];

		if (is_pseudo(w, f->uses[i].ports))
			continue;
		number_text(f->uses[i].cycles, text);
		buffer_printf(w->out, "%s%s", n++ > 0 ? "+" : "", text);
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
		char text[NUMBER_ROOM];

		if (is_pseudo(w, u->ports) != units)
			continue;
		number_text(units ? u->n_uops * u->cycles : u->n_uops, text);
		if (n++ == 0)
			buffer_printf(w->out, " %s=\"%s*p", key, text);
		else
			buffer_printf(w->out, "+%s*p", text);
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
	size_t n;

	for (size_t i = 0; i < f->n_uses; i++)
		if (is_pseudo(w, f->uses[i].ports))
			divider = &f->uses[i];
		else
			all_whole &= is_whole(f->uses[i].n_uops);
	n = add_uses(w, all_whole ? "ports" : "port_uses", f, false);
	if (n == 0)
		buffer_printf(w->out, " ports_none=\"1\"");
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
	double near = round((s->low + s->high) / 2);

	return is_exact(s) && fabs((s->low + s->high) / 2 - near) <=
				       doubt * fmax(near, 1)
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
	for (int high = 0; high < 2; high++) {
		char key[NUMBER_ROOM];

		(void)snprintf(key, sizeof(key), "%s_cycles%s",
			       high ? "high" : "low", suffix);
		add_number(w, key, high ? s->high : s->low);
	}
}

/* Of several operands with the same number, the slowest. */
static void add_latency(struct uops_writer *w, const struct form *form,
			const struct model_form *f, int start, int target)
{
	static const char *const suffixes[XML_N_PARTS] = {
		[XML_VALUE] = "",
		[XML_BASE] = "_addr",
		[XML_INDEX] = "_addr_index",
	};
	struct model_span best[XML_N_PARTS] = { { 0 } };
	bool any = false;

	for (int i = 0; i < form->n_operands; i++)
		for (int k = 0; k < form->n_operands; k++) {
			enum xml_part part, written;
			struct model_span s;

			if (!form->operands[i].read ||
			    !form->operands[k].write ||
			    xml_operand(form, i, &part) != start ||
			    xml_operand(form, k, &written) != target)
				continue;
			s = model_latency(f, i, k);
			if (s.has_value &&
			    (!best[part].has_value || s.high > best[part].high))
				best[part] = s;
			any = any || s.has_value;
		}
	if (!any)
		return;
	buffer_printf(w->out,
		      "\n     <latency start_op=\"%d\" target_op=\"%d\"", start,
		      target);
	for (int part = 0; part < XML_N_PARTS; part++)
		if (best[part].has_value)
			add_span(w, suffixes[part], &best[part]);
	buffer_printf(w->out, "/>");
}

static void add_measurement(struct uops_writer *w, const struct form *form,
			    const struct model_form *f)
{
	int n = n_numbers(form);

	bool measured = is_exact(&f->throughput);
	double cycles = measured ? (f->throughput.low + f->throughput.high) / 2
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
		add_attribute(w, "TP_measured", "0");
	if (f->slots.has_value && whole(&f->slots) >= 0)
		buffer_printf(w->out, " uops=\"%ld\"", whole(&f->slots));
	if (f->has_ports)
		add_ports(w, f);
	if (f->values)
		add_attribute(w, "values", f->values);
	buffer_printf(w->out, ">");
	for (int start = 1; start <= n; start++)
		for (int target = 1; target <= n; target++)
			add_latency(w, form, f, start, target);
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
	buffer_add(&b, "", 1);
	add_attribute(w, key, (const char *)b.bytes);
	buffer_free(&b);
}

static void add_instruction(struct uops_writer *w, const struct model_form *f)
{
	const struct form *form = catalogue_form(w->c, f->name);

	if (!form)
		return;
	buffer_printf(w->out, "\n  <instruction");
	add_made(w, "asm", form, uops_mnemonic);
	add_attribute(w, "category",
		      form->flags & MC_CONTROL_FLOW ? "COND_BR" : "");
	add_attribute(w, "extension", w->m->isa);
	add_attribute(w, "form", form->name);
	add_made(w, "iclass", form, uops_mnemonic);
	add_made(w, "iform", form, uops_iform);
	add_made(w, "string", form, uops_string);
	buffer_printf(w->out, ">");
	for (int i = 1; i <= n_numbers(form); i++)
		add_operand(w, form, i);
	buffer_printf(w->out, "\n   <architecture");
	add_attribute(w, "name", uops_architecture(w->c, w->m->cpu));
	buffer_printf(w->out, ">");
	add_measurement(w, form, f);
	buffer_printf(w->out, "\n   </architecture>\n  </instruction>");
}

static int write_uops(const struct model *m, const struct catalogue *c,
		      struct buffer *ret, struct err *e)
{
	struct uops_writer w = { .out = ret, .m = m, .c = c };

	(void)e;
	choose_codes(&w);
	buffer_printf(ret, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<root");
	add_attribute(&w, "source", m->source);
	add_attribute(&w, "tool", export_tool(m));
	buffer_printf(ret, ">\n <ports");
	add_attribute(&w, "architecture", m->cpu);
	buffer_printf(ret, ">");
	for (size_t i = 0; i < m->n_ports; i++) {
		buffer_printf(ret, "\n  <port code=\"%c\"", w.codes[i]);
		add_attribute(&w, "name", m->ports[i].name);
		if (m->ports[i].pseudo)
			add_attribute(&w, "pseudo", "1");
		buffer_printf(ret, "/>");
	}
	buffer_printf(ret, "\n </ports>\n <extension");
	add_attribute(&w, "name", m->isa);
	buffer_printf(ret, ">");
	for (size_t i = 0; i < m->n_forms; i++)
		add_instruction(&w, &m->forms[i]);
	buffer_printf(ret, "\n </extension>\n</root>\n");
	return ERR_OK;
}

const struct exporter exporter_uops = {
	.name = "uops",
	.describe = "XML in the format of uops.info",
	.write_model = write_uops,
};
