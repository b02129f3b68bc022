/* Writes OSACA's machine model.  Users put it at ~/.osaca/data/<code>.yml,
 * replacing a code that OSACA knows, or pass its path.
 *
 * OSACA identifies instructions by mnemonic and operand types and has one
 * latency and port sets for each.  Further detail of a form is lost; of several
 * forms with the same text, the first is written.  Ports are always lists,
 * because OSACA takes each letter of a string for a port. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/export/export.h"
#include "host/export/number.h"
#include "host/export/osaca_entry.h"
#include "host/isa/memory.h"

struct osaca {
	struct arena a;
	struct buffer *out;
	const struct model *m;
	const struct catalogue *c;
	struct osaca_list list;
	bool plain_ports; /* ports are named p0, p1 ...; OSACA calls them 0, 1
			   * ... */
};

static void add_number(struct buffer *b, bool known, double value)
{
	char text[NUMBER_ROOM];

	if (!known) {
		buffer_printf(b, "~");
		return;
	}
	number_text(value, text);
	buffer_printf(b, "%s", text);
}

/* ---- ports -------------------------------------------------------------- */

static bool has_plain_ports(const struct model *m)
{
	for (size_t i = 0; i < m->n_ports; i++) {
		const char *name = m->ports[i].name;

		if (m->ports[i].pseudo)
			continue;
		if (*name != 'p' || !isdigit((unsigned char)name[1]) ||
		    strspn(name + 1, "0123456789") != strlen(name + 1))
			return false;
	}
	return m->n_ports > 0;
}

/* OSACA writes dividers as "0DV": a unit that is used together with port 0 and
 * is no port itself. */
static const char *port_name(struct osaca *w, size_t port)
{
	const struct model_port *p = &w->m->ports[port];
	size_t n = strlen(p->name);

	if (!p->pseudo)
		return p->name + (w->plain_ports ? 1 : 0);
	if ((n > 2 && strcmp(p->name + n - 2, "DV") == 0) ||
	    strcasestr(p->name, "div"))
		return p->name;
	return arena_printf(&w->a, "%sDV", p->name);
}

static void add_pressure(struct osaca *w, const struct model_form *f)
{
	buffer_printf(w->out, "[");
	for (size_t i = 0; i < f->n_uses; i++) {
		const struct model_use *u = &f->uses[i];
		bool first = true;

		buffer_printf(w->out, i > 0 ? ", [" : "[");
		add_number(w->out, true, u->n_uops * u->cycles);
		buffer_printf(w->out, ", [");
		for (size_t p = 0; p < w->m->n_ports; p++) {
			if ((u->ports >> p & 1) == 0)
				continue;
			buffer_printf(w->out, first ? "" : ", ");
			osaca_quoted(w->out, port_name(w, p));
			first = false;
		}
		buffer_printf(w->out, "]]");
	}
	buffer_printf(w->out, "]");
}

/* ---- values ------------------------------------------------------------- */

/* OSACA has no intervals, so a wide interval counts as unknown. */
static bool is_exact(const struct model_span *s)
{
	static const double doubt = 0.05;

	return s->has_value && s->high - s->low <= doubt * s->high;
}

static bool throughput_of(const struct model_form *f, double *ret)
{
	double bound =
		f->has_ports ? model_port_bound(f->uses, f->n_uses, NULL) : 0;
	bool known = is_exact(&f->throughput);

	*ret = known ? (f->throughput.low + f->throughput.high) / 2 : bound;
	return known || bound > 0;
}

/* The longest latency of all pairs; false if any of them is not exact. */
static bool latency_of(const struct model_form *f, double *ret)
{
	double longest = -1;

	for (size_t i = 0; i < f->n_latencies; i++) {
		const struct model_span *s = &f->latencies[i].cycles;

		if (!s->has_value)
			continue;
		if (!is_exact(s))
			return false;
		longest = fmax(longest, (s->low + s->high) / 2);
	}
	*ret = longest;
	return longest >= 0;
}

static void add_form(struct osaca *w, const struct osaca_form *x)
{
	double throughput, latency;
	bool has_throughput = throughput_of(x->f, &throughput);
	bool has_latency = latency_of(x->f, &latency);

	buffer_printf(w->out, "- name: ");
	osaca_quoted(w->out, x->s.name);
	buffer_printf(w->out, "\n  llvm_name: ");
	osaca_quoted(w->out, x->form->name);
	if (x->f->values) {
		buffer_printf(w->out, "  # operands held: ");
		export_comment(w->out, x->f->values);
	}
	buffer_printf(w->out, "\n  operands:%s\n", x->s.n > 0 ? "" : " []");
	for (size_t i = 0; i < x->s.n; i++)
		osaca_operand(w->out, w->c, &x->s.operands[i]);
	buffer_printf(w->out, "  latency: ");
	add_number(w->out, has_latency, latency);
	buffer_printf(w->out, "\n  throughput: ");
	add_number(w->out, has_throughput, throughput);
	buffer_printf(w->out, "\n  port_pressure: ");
	add_pressure(w, x->f);
	/* OSACA requires a list here.  The key ports_unknown is an extension of
	 * this program. */
	if (x->f->n_uses == 0)
		buffer_printf(w->out, "\n  ports_unknown: %s",
			      x->f->has_ports ? "false" : "true");
	buffer_printf(w->out, "\n  uops: ");
	add_number(w->out, is_exact(&x->f->slots), x->f->slots.low);
	buffer_printf(w->out, "\n");
}

/* ---- loads and stores --------------------------------------------------- */

/* The register file of a load or store of one register. */
static const struct isa_register_file *register_of(const struct osaca_form *x)
{
	for (size_t i = 0; i < x->s.n; i++)
		if (x->s.operands[i].class == SIGNATURE_REGISTER)
			return x->s.operands[i].file;
	return NULL;
}

/* The widest plain load or store of a register file.  The instruction set names
 * it, because other forms that load or store also compute. */
static const struct osaca_form *plain_access(
	const struct osaca *w, const struct isa_register_file *file, int access)
{
	const struct isa_forward *list = w->c->isa->memory->forwards;
	const struct osaca_form *widest = NULL;

	for (; list->store; list++) {
		const char *name =
			access == ACCESS_LOAD ? list->load : list->store;

		for (size_t i = 0; i < w->list.n; i++) {
			const struct osaca_form *x = &w->list.entries[i];
			const struct isa_register_file *its = register_of(x);

			if (strcmp(x->form->name, name) == 0 && its &&
			    strcmp(its->word, file->word) == 0 &&
			    x->f->has_ports)
				widest = x;
		}
	}
	return widest;
}

static bool is_repeated(const struct isa *isa, size_t file)
{
	for (size_t i = 0; i < file; i++)
		if (strcmp(isa->register_files[i].word,
			   isa->register_files[file].word) == 0)
			return true;
	return false;
}

/* List every register file: OSACA fails if one is missing. */
static void add_load_latency(struct osaca *w)
{
	const struct isa_register_file *files = w->c->isa->register_files;

	buffer_printf(w->out, "load_latency: {");
	for (size_t i = 0; files[i].pattern; i++) {
		const struct osaca_form *x =
			plain_access(w, &files[i], ACCESS_LOAD);
		double cycles = 0;
		bool known = x && latency_of(x->f, &cycles);

		if (is_repeated(w->c->isa, i))
			continue;
		buffer_printf(w->out, "%s%s: ", i == 0 ? "" : ", ",
			      files[i].word);
		add_number(w->out, known, cycles);
	}
	buffer_printf(w->out, "}\n");
}

static void add_access(struct osaca *w, int access)
{
	const struct isa_register_file *files = w->c->isa->register_files;
	const char *what = access == ACCESS_LOAD ? "load" : "store";
	const struct osaca_form *any = NULL;
	size_t n = 0;

	buffer_printf(w->out, "%s_throughput:", what);
	for (size_t i = 0; files[i].pattern; i++) {
		const struct osaca_form *x =
			is_repeated(w->c->isa, i)
				? NULL
				: plain_access(w, &files[i], access);

		if (!x)
			continue;
		if (!any)
			any = x;
		buffer_printf(w->out,
			      "%s- {%s: %s, base: '*', index: '*', offset: "
			      "'*', scale: '*', port_pressure: ",
			      n++ == 0 ? "\n" : "",
			      access == ACCESS_LOAD ? "dst" : "src",
			      files[i].word);
		add_pressure(w, x->f);
		buffer_printf(w->out, "}\n");
	}
	buffer_printf(w->out,
		      "%s%s_throughput_default: ", n == 0 ? " []\n" : "", what);
	if (any)
		add_pressure(w, any->f);
	else
		buffer_printf(w->out, "[]");
	buffer_printf(w->out, "\n");
}

/* ---- the file ----------------------------------------------------------- */

static void add_size(struct buffer *b, const char *key, uint32_t n)
{
	buffer_printf(b, "%s: ", key);
	add_number(b, n > 0, n);
	buffer_printf(b, "\n");
}

static void add_core(struct osaca *w)
{
	const struct model *m = w->m;
	struct buffer *b = w->out;

	buffer_printf(b, "osaca_version: 0.7.0\nmicro_architecture: ");
	osaca_quoted(b, m->cpu);
	buffer_printf(b, "\narch_code: ");
	osaca_quoted(b, m->cpu);
	buffer_printf(b, "\nisa: %s\n", w->c->isa->osaca_name);
	add_size(b, "ROB_size", m->reorder_buffer);
	buffer_printf(b, "dispatched_uops_per_cycle: ");
	add_number(b, is_exact(&m->width), m->width.high);
	buffer_printf(b, "\nretired_uOps_per_cycle: ~\n");
	add_size(b, "scheduler_size", m->scheduler);
	buffer_printf(b, "hidden_loads: false\n");
	add_load_latency(w);
	add_access(w, ACCESS_LOAD);
	add_access(w, ACCESS_STORE);
	buffer_printf(b, "ports: [");
	for (size_t i = 0; i < m->n_ports; i++) {
		buffer_printf(b, i > 0 ? ", " : "");
		osaca_quoted(b, port_name(w, i));
	}
	buffer_printf(b, "]\nport_model_scheme: ");
	osaca_quoted(b, m->source);
	buffer_printf(b, "\n");
}

static int write_osaca(const struct model *m, const struct catalogue *c,
		       struct buffer *ret, struct err *e)
{
	struct osaca w = { .out = ret, .m = m, .c = c };

	(void)e;
	w.plain_ports = has_plain_ports(m);
	osaca_collect(&w.a, m, c, false, &w.list);
	buffer_printf(ret,
		      "# %zu forms; %zu more look like one of them in "
		      "assembly, %zu have no text that OSACA reads, of %zu "
		      "nothing is known.\n",
		      w.list.n, w.list.n_alike, w.list.n_unwritten,
		      w.list.n_unknown);
	add_core(&w);
	buffer_printf(ret, "instruction_forms:%s\n", w.list.n > 0 ? "" : " []");
	for (size_t i = 0; i < w.list.n; i++)
		add_form(&w, &w.list.entries[i]);
	arena_free(&w.a);
	return ERR_OK;
}

const struct exporter exporter_osaca = {
	.name = "osaca",
	.describe = "OSACA's machine model: ~/.osaca/data/<code>.yml",
	.write_model = write_osaca,
};
