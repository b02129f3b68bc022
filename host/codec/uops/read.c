/* Reads uops.info's XML, also as `anechoic export --format uops` writes it. The
 * attribute form, or iform, may be the name of a form; else `string` says which
 * form it is, as names.h writes it. */
#include <stdio.h>
#include <string.h>

#include "host/base/order.h"
#include "host/codec/uops/read.h"
#include "host/codec/uops/spelling.h"
#include "host/isa/isa.h"

/* ---- instructions ------------------------------------------------------- */

static void begin_instruction(struct uops_reader *r, const struct xml_tag *t)
{
	const char *form = xml_get(t, "form"), *iform = xml_get(t, "iform");
	const char *string = xml_get(t, "string");

	r->form = catalogue_form(r->c, form ? form : iform ? iform : "");
	/* uops.info knows no names of LLVM. */
	if (!r->form && !form && string)
		r->form = uops_names_find(r->names, string);
	r->explicit_only = !form && (!iform || !catalogue_form(r->c, iform));
	r->n_read++;
	r->n_unknown += !r->form;
	r->measured = r->has_measurement = r->odd = false;
	r->latencies.n = r->same_latencies.n = r->n_listed = 0;
	r->f = (struct model_form){ .name = r->form ? r->form->name : NULL };
	if (r->form)
		r->numbers = uops_number_operands(r->form);
}

/* Are there latencies, and all of them zero? */
static bool is_free(const struct buffer *latencies)
{
	const struct model_latency *l = (const void *)latencies->bytes;
	size_t n = latencies->n / sizeof(*l), i = 0;

	while (i < n && l[i].cycles.high == 0)
		i++;
	return n > 0 && i == n;
}

static void add_form(struct uops_reader *r, struct model_form *f,
		     const struct buffer *latencies)
{
	f->n_latencies = latencies->n / sizeof(struct model_latency);
	f->latencies = arena_copy(r->a, latencies->bytes, latencies->n);
	buffer_add(&r->forms, f, sizeof(*f));
}

/* What needs no port and no time is done by the renamer: a move, or what does
 * not depend on its sources if they are one register. */
static void end_instruction(struct uops_reader *r)
{
	if (!r->form || !r->has_measurement || r->odd)
		return;
	r->f.eliminated = r->explicit_only && r->f.has_ports &&
			  r->f.n_uses == 0 && is_free(&r->latencies);
	r->f.zero_idiom = !r->f.eliminated && is_free(&r->same_latencies);
	add_form(r, &r->f, &r->latencies);
	if (r->same.name && (r->same.has_ports || r->same_latencies.n > 0))
		add_form(r, &r->same, &r->same_latencies);
	r->form = NULL;
}

static void see_name(struct uops_reader *r, const char *name)
{
	for (size_t i = 0; i < r->n_names_seen; i++)
		if (strcmp(r->names_seen[i], name) == 0)
			return;
	if (r->n_names_seen < UOPS_MAX_NAMES)
		r->names_seen[r->n_names_seen++] = arena_strdup(r->a, name);
}

/* Is it the architecture to read?  The first of the file, if none is wanted.
 * Its name is remembered. */
static bool uops_is_ours(struct uops_reader *r, const char *name)
{
	const char *cpu = uops_cpu(r->a, r->c, name);

	see_name(r, uops_architecture(r->c, cpu));
	if (r->wanted && strcmp(r->wanted, name) != 0 &&
	    strcmp(r->wanted, uops_architecture(r->c, cpu)) != 0 &&
	    strcmp(r->wanted, cpu) != 0)
		return false;
	if (!r->m->cpu)
		r->m->cpu = cpu;
	return strcmp(r->m->cpu, cpu) == 0;
}

static void read_measurement(struct uops_reader *r, const struct xml_tag *t)
{
	if (!r->form || !r->measured || r->has_measurement)
		return;
	r->has_measurement = true;
	if (r->explicit_only)
		uops_number_listed(r);
	uops_read_costs(r, t);
}

/* The bounds of this program's exports, else a number, else whole bounds. */
static struct model_span span_of_part(struct uops_reader *r,
				      const struct xml_tag *t, int part)
{
	static const char *const bounds[][2] = {
		{ "low_cycles", "high_cycles" },
		{ "cycles", "cycles" },
		{ "min_cycles", "max_cycles" },
	};
	struct model_span s = { .has_value = false };

	for (size_t i = 0; i < ARRAY_LEN(bounds) && !s.has_value; i++) {
		char low[40], high[40];

		(void)snprintf(low, sizeof(low), "%s%s", bounds[i][0],
			       uops_part_ends[part]);
		(void)snprintf(high, sizeof(high), "%s%s", bounds[i][1],
			       uops_part_ends[part]);
		s.has_value = uops_number(r, t, low, &s.low) &&
			      uops_number(r, t, high, &s.high);
	}
	return s;
}

/* May a result wait for an operand?  What keeps a part of its old value is none
 * that the form reads; 0 cycles are those of a result that does not wait. */
static bool waits(const struct operand *from, bool itself, double cycles)
{
	return from->read ||
	       ((from->keeps || (itself && from->write)) && cycles > 0);
}

static void add_latency(const struct uops_reader *r, int start, int target,
			int part, struct model_span s, struct buffer *ret)
{
	const struct form *f = r->form;

	for (int i = 0; s.has_value && i < f->n_operands; i++)
		for (int k = 0; k < f->n_operands; k++) {
			const struct operand *from = &f->operands[i];
			const struct operand *to = &f->operands[k];
			struct model_latency l = {
				.source = (int8_t)i,
				.destination = (int8_t)k,
				.cycles = s,
			};

			if (start > 0 && waits(from, i == k, s.high) &&
			    (to->write || to->keeps) &&
			    r->numbers.number[i] == start &&
			    (int)r->numbers.part[i] == part &&
			    r->numbers.number[k] == target)
				buffer_add(ret, &l, sizeof(l));
		}
}

static void read_latency(struct uops_reader *r, const struct xml_tag *t)
{
	double start = 0, target = 0;
	struct model_span same = { 0 };

	if (!r->form || !r->measured)
		return;
	if (!uops_number(r, t, "start_op", &start) ||
	    !uops_number(r, t, "target_op", &target) ||
	    start > UOPS_MAX_LISTED || target > UOPS_MAX_LISTED) {
		(void)xml_bad(&r->x, "start_op and target_op");
		return;
	}
	for (int part = 0; part < XML_N_PARTS; part++)
		add_latency(r, (int)start, (int)target, part,
			    span_of_part(r, t, part), &r->latencies);
	same.has_value = uops_number(r, t, "cycles_same_reg", &same.low);
	same.high = same.low;
	add_latency(r, (int)start, (int)target, XML_VALUE, same,
		    &r->same_latencies);
}

/* What is not a number, or not a port, leaves out its instruction. */
static void skip_odd(struct uops_reader *r)
{
	struct err again = { .code = ERR_OK };

	if (r->x.e->code != ERR_INPUT)
		return;
	if (r->odd) /* the instruction is counted */
		*r->x.e = again;
	else
		r->odd = skip_entry(&r->skips, r->x.e);
}

static void read_tag(struct uops_reader *r, const struct xml_tag *t)
{
	const char *name = xml_get(t, "name"), *of = xml_get(t, "architecture");

	/* Ports without an architecture are those of all. */
	if (strcmp(t->name, "ports") == 0)
		r->our_ports = t->open && (!of || uops_is_ours(r, of));
	if (strcmp(t->name, "port") == 0 && t->open && r->our_ports)
		uops_read_port(r, t);
	if (strcmp(t->name, "instruction") == 0 && t->open)
		begin_instruction(r, t);
	if (strcmp(t->name, "operand") == 0 && r->form && r->explicit_only)
		uops_read_operand(r, t);
	if (strcmp(t->name, "architecture") == 0)
		r->measured =
			t->open &&
			(name ? uops_is_ours(r, name)
			      : xml_bad(&r->x, "the name of an architecture"));
	if (strcmp(t->name, "measurement") == 0 && t->open)
		read_measurement(r, t);
	if (strcmp(t->name, "latency") == 0 && t->open)
		read_latency(r, t);
	skip_odd(r);
	if (strcmp(t->name, "instruction") == 0 && !t->open)
		end_instruction(r);
}

static void add_notes(struct uops_reader *r)
{
	if (r->n_unknown > 0)
		import_note(r->a, r->m, "%zu instructions have no form's name.",
			    r->n_unknown);
	if (r->n_partial > 0)
		import_note(r->a, r->m,
			    "The ports of %zu forms are left out: they do "
			    "not account for TP_ports.",
			    r->n_partial);
}

/* Sort by name; of several instructions with one form, the first counts. */
static size_t sort_forms(struct model_form *forms, size_t n)
{
	size_t kept = 0;

	order_sort(forms, n, sizeof(*forms), order_by_name);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 ||
		    strcmp(forms[kept - 1].name, forms[i].name) != 0)
			forms[kept++] = forms[i];
	return kept;
}

/* One architecture is read: the user names it, unless there is one only. */
static int check_names(struct uops_reader *r)
{
	struct buffer b = { 0 };

	for (size_t i = 0; i < r->n_names_seen; i++)
		buffer_printf(&b, "%s%s", i > 0 ? ", " : "", r->names_seen[i]);
	if (r->wanted && !r->m->cpu)
		(void)err_set(r->x.e, ERR_INPUT,
			      "%s has no architecture '%.100s', but %s",
			      r->x.path, r->wanted, buffer_text(&b));
	else if (!r->wanted && r->n_names_seen > 1)
		(void)err_set(r->x.e, ERR_USAGE,
			      "%s has several architectures; choose one, such "
			      "as %s@%s, of %s",
			      r->x.path, r->x.path, r->names_seen[0],
			      buffer_text(&b));
	buffer_free(&b);
	return r->x.e->code;
}

static int uops_finish(struct uops_reader *r)
{
	struct model *m = r->m;
	struct model_form *forms;

	if (r->x.e->code != ERR_OK || check_names(r) != ERR_OK)
		return r->x.e->code;
	forms = buffer_take_list(r->a, &r->forms, sizeof(*forms), &m->n_forms);
	if (m->n_forms == 0 && r->skips.n > 0)
		return err_set(r->x.e, ERR_INPUT, "%s", r->skips.first.message);
	if (m->n_forms == 0)
		return err_set(r->x.e, ERR_INPUT,
			       "%s has no instruction whose iform is a form "
			       "of %s",
			       r->x.path, r->c->isa->name);
	m->forms = forms;
	m->isa = r->c->isa->name;
	m->source = arena_printf(r->a, "uops.info's XML: %s", r->x.path);
	m->n_forms = sort_forms(forms, m->n_forms);
	if (!r->has_list)
		uops_drop_ports(r, forms, m->n_forms);
	m->ports = arena_copy(r->a, r->ports, m->n_ports * sizeof(*r->ports));
	add_notes(r);
	import_count(r->a, m, r->n_read, &r->skips);
	m->n_unused = r->n_unknown;
	m->n_named = r->n_read;
	return model_check(m, r->c, r->x.e);
}

static void take_tag(struct xml *x, const struct xml_tag *t)
{
	read_tag(x->context, t);
}

static int read_uops(struct arena *a, const struct catalogue *c,
		     const struct import_text *t, struct model **ret,
		     struct err *e)
{
	struct uops_reader *r = ARENA_NEW(a, struct uops_reader);

	r->x = (struct xml){
		.path = t->path, .e = e, .tag = take_tag, .context = r
	};
	r->a = a;
	r->c = c;
	r->wanted = t->part;
	r->m = ARENA_NEW(a, struct model);
	r->names = uops_names_new(a, c);
	if (t->text)
		(void)xml_read(&r->x, t->text, t->n);
	else
		(void)xml_read_file(&r->x);
	if (uops_finish(r) == ERR_OK)
		*ret = r->m;
	buffer_free(&r->forms);
	buffer_free(&r->latencies);
	buffer_free(&r->same_latencies);
	return e->code;
}

static bool is_xml(const char *text, size_t n)
{
	size_t blank = strspn(text, " \t\r\n");

	return blank < n && text[blank] == '<';
}

/* The instruction set of the first extension.  uops.info's own file has the
 * names of x86's extensions. */
static void find_extension(struct xml *x, const struct xml_tag *t)
{
	const char **ret = x->context;
	const char *name = xml_get(t, "name");

	if (strcmp(t->name, "extension") != 0 || !t->open)
		return;
	for (size_t i = 0; name && isas[i]; i++)
		if (strcmp(isas[i]->name, name) == 0)
			*ret = isas[i]->name;
	if (!*ret)
		*ret = UOPS_ISA;
	x->done = true;
}

static int uops_find_isa(struct arena *a, const struct import_text *t,
			 const char **ret, struct err *e)
{
	struct xml x = {
		.path = t->path, .e = e, .tag = find_extension, .context = ret
	};

	(void)a;
	return xml_read(&x, t->text, t->n);
}

const struct importer importer_uops = {
	.name = "uops",
	.describe = "uops.info's XML, also as `anechoic export --format uops` "
		    "writes it",
	.streams = true,
	.is = is_xml,
	.isa = uops_find_isa,
	.read = read_uops,
};
