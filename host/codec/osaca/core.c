/* What OSACA's machine model says of ports, loads and stores; see write.h.
 *
 * Ports are always lists, because OSACA takes each letter of a string for a
 * port.
 *
 * OSACA shares uops among ports step by step, in two passes over the block.
 * Where sets of ports overlap, its busiest port may be above the optimum, and
 * below it too.  The optimum is the maximum over sets Q of (cycles confined to
 * Q) / |Q|, and only unions of overlapping sets of uops can be that maximum
 * (host/model/bound.c).  So with sets each such union becomes a port of the
 * file, on which a uop that is confined to Q spends its cycles / |Q|.  There is
 * nothing left to share: OSACA's busiest port is the exact bound. */
#include "host/codec/osaca/write.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/order.h"
#include "host/codec/codec.h"
#include "host/isa/isa.h"
#include "host/isa/memory.h"

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

static const char *port_name(const struct osaca_core *w, size_t port)
{
	const struct model_port *p = &w->m->ports[port];

	if (!p->pseudo)
		return p->name + (w->plain_ports ? 1 : 0);
	return osaca_is_divider(p->name) ? p->name
					 : arena_printf(w->a, "%sDV", p->name);
}

/* Ports whose address unit takes no index. */
static model_ports without_index(const struct osaca_core *w)
{
	model_ports ports = 0;

	for (size_t i = 0; i < w->m->n_ports; i++)
		if (w->m->ports[i].no_index)
			ports |= (model_ports)1 << i;
	return ports;
}

bool osaca_minds_index(const struct osaca_core *w, const struct model_form *f)
{
	model_ports ports = without_index(w);

	for (size_t i = 0; i < f->n_uses; i++)
		if ((f->uses[i].ports & ports) != 0 &&
		    (f->uses[i].ports & ~ports) != 0)
			return true;
	return false;
}

/* `ports` without those of `out`; `ports` itself if none would be left. */
static model_ports ports_without(model_ports ports, model_ports out)
{
	return (ports & ~out) != 0 ? ports & ~out : ports;
}

/* ---- which sets --------------------------------------------------------- */

static bool add_set(struct osaca_sets *s, model_ports set)
{
	if (set == 0)
		return true;
	for (size_t i = 0; i < s->n; i++)
		if (s->of[i] == set)
			return true;
	if (s->n == ARRAY_LEN(s->of))
		return false;
	s->of[s->n++] = set;
	return true;
}

static bool add_uses(const struct osaca_core *w, struct osaca_sets *s)
{
	model_ports out = without_index(w);

	for (size_t i = 0; i < w->m->n_forms; i++)
		for (size_t k = 0; k < w->m->forms[i].n_uses; k++) {
			model_ports ports = w->m->forms[i].uses[k].ports;

			if (!add_set(s, ports) ||
			    !add_set(s, ports_without(ports, out)))
				return false;
		}
	return true;
}

/* Also visits the unions that it adds. */
static bool add_unions(struct osaca_sets *s)
{
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < i; k++)
			if ((s->of[i] & s->of[k]) != 0 &&
			    !add_set(s, s->of[i] | s->of[k]))
				return false;
	return true;
}

/* Single ports first, in their order. */
static int by_size(const void *a, const void *b)
{
	const model_ports *x = a, *y = b;
	unsigned nx = model_ports_count(*x), ny = model_ports_count(*y);

	return nx != ny ? ORDER(nx, ny) : ORDER(*x, *y);
}

int osaca_core_begin(struct osaca_core *ret, bool sets, struct err *e)
{
	struct osaca_sets *s = ARENA_NEW(ret->a, struct osaca_sets);

	ret->plain_ports = has_plain_ports(ret->m);
	if (!sets)
		return ERR_OK;
	if (!add_uses(ret, s) || !add_unions(s))
		return err_set(e, ERR_INPUT,
			       "osaca-sets: unions of the model's sets of "
			       "ports: more than %d; export it as osaca",
			       MODEL_MAX_PORTS);
	qsort(s->of, s->n, sizeof(*s->of), by_size);
	ret->sets = s;
	return ERR_OK;
}

/* ---- writing ------------------------------------------------------------ */

static size_t stem_length(const char *name)
{
	size_t n = strlen(name);

	while (n > 0 && isdigit((unsigned char)name[n - 1]))
		n--;
	return n;
}

/* Ports with '+' between; of ports that differ in their number only, the number
 * alone after the first. */
static void add_set_name(const struct osaca_core *w, model_ports set,
			 struct buffer *b)
{
	const char *last = NULL;
	struct buffer name = { 0 };

	for (size_t p = 0; p < w->m->n_ports; p++) {
		const char *port = port_name(w, p);
		size_t n = stem_length(port);
		bool same = last && port[n] != '\0' && n == stem_length(last) &&
			    memcmp(port, last, n) == 0;

		if ((set >> p & 1) == 0)
			continue;
		buffer_printf(&name, "%s%s", last ? "+" : "",
			      port + (same ? n : 0));
		last = port;
	}
	export_quoted(b, buffer_text(&name));
	buffer_free(&name);
}

/* Append the names of ports, or that of their set. */
static void add_names(const struct osaca_core *w, model_ports ports,
		      struct buffer *b)
{
	bool first = true;

	if (w->sets)
		add_set_name(w, ports, b);
	for (size_t p = 0; !w->sets && p < w->m->n_ports; p++) {
		if ((ports >> p & 1) == 0)
			continue;
		buffer_printf(b, first ? "" : ", ");
		export_quoted(b, port_name(w, p));
		first = false;
	}
}

/* The names of all ports, or of the sets. */
static void add_all_ports(const struct osaca_core *w, struct buffer *b)
{
	size_t n = w->sets ? w->sets->n : w->m->n_ports;

	for (size_t i = 0; i < n; i++) {
		buffer_printf(b, i > 0 ? ", " : "");
		add_names(w, w->sets ? w->sets->of[i] : (model_ports)1 << i, b);
	}
}

/* Cycles of the form's uops that are confined to the set, by its ports. */
static double set_cycles(const struct model_form *f, model_ports set,
			 model_ports out)
{
	double cycles = 0;

	for (size_t k = 0; k < f->n_uses; k++)
		if ((ports_without(f->uses[k].ports, out) & ~set) == 0)
			cycles += f->uses[k].n_uops * f->uses[k].cycles;
	return cycles / model_ports_count(set);
}

void osaca_add_pressure(const struct osaca_core *w, const struct model_form *f,
			enum osaca_index index, struct buffer *b)
{
	model_ports out = index == INDEX_SOME ? without_index(w) : 0;
	size_t n = w->sets ? w->sets->n : f->n_uses;
	bool first = true;

	buffer_printf(b, "[");
	for (size_t i = 0; i < n; i++) {
		model_ports ports =
			w->sets ? w->sets->of[i]
				: ports_without(f->uses[i].ports, out);
		double cycles = w->sets ? set_cycles(f, ports, out)
					: f->uses[i].n_uops * f->uses[i].cycles;

		if (w->sets && cycles == 0)
			continue;
		buffer_printf(b, first ? "[" : ", [");
		osaca_add_number(b, true, cycles);
		buffer_printf(b, ", [");
		add_names(w, ports, b);
		buffer_printf(b, "]]");
		first = false;
	}
	buffer_printf(b, "]");
}

/* ---- loads and stores --------------------------------------------------- */

/* Are the registers of the form those that OSACA has this word for? */
static bool has_word(const struct isa *isa, const struct form *form,
		     const char *word)
{
	struct signature s;
	const char *its = signature_parse(isa, form->example, &s)
				  ? signature_word(&s)
				  : NULL;

	return strcmp(its ? its : "", word) == 0;
}

struct osaca_core_access osaca_plain_access(const struct osaca_core *w,
					    const char *word, int access)
{
	const struct isa_forward *list = w->c->isa->memory->forwards;
	struct osaca_core_access widest = { .f = NULL };

	for (; list->store; list++) {
		const char *name =
			access == ACCESS_LOAD ? list->load : list->store;
		const struct model_form *f = model_find(w->m, name);
		const struct form *form = catalogue_form(w->c, name);

		if (f && form && osaca_score(form, f) > 0 &&
		    has_word(w->c->isa, form, word))
			widest = (struct osaca_core_access){ form, f };
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
static void add_load_latency(const struct osaca_core *w, struct buffer *b)
{
	const struct isa_register_file *files = w->c->isa->register_files;

	buffer_printf(b, "load_latency: {");
	for (size_t i = 0; files[i].pattern; i++) {
		struct osaca_core_access x =
			osaca_plain_access(w, files[i].word, ACCESS_LOAD);
		struct model_span s;
		bool known = x.f && osaca_latency(x.form, x.f, &s);

		if (is_repeated(w->c->isa, i))
			continue;
		buffer_printf(b, "%s%s: ", i == 0 ? "" : ", ", files[i].word);
		osaca_add_number(b, known, known ? osaca_number(&s) : 0);
	}
	buffer_printf(b, "}\n");
}

static void add_row(const struct osaca_core *w, const struct model_form *f,
		    int access, const char *word, enum osaca_index index,
		    struct buffer *b)
{
	buffer_printf(b,
		      "- {%s: %s, base: '*', index: %s, offset: '*', scale: "
		      "'*', port_pressure: ",
		      access == ACCESS_LOAD ? "dst" : "src", word,
		      osaca_index(index, true));
	osaca_add_pressure(w, f, index, b);
	buffer_printf(b, "}\n");
}

static void add_access(const struct osaca_core *w, int access, struct buffer *b)
{
	const struct isa_register_file *files = w->c->isa->register_files;
	const char *what = access == ACCESS_LOAD ? "load" : "store";
	const struct model_form *any = NULL;
	size_t n = 0;

	buffer_printf(b, "%s_throughput:", what);
	for (size_t i = 0; files[i].pattern; i++) {
		const struct model_form *f =
			osaca_plain_access(w, files[i].word, access).f;

		if (!f || !f->has_ports || is_repeated(w->c->isa, i))
			continue;
		if (!any)
			any = f;
		buffer_printf(b, n++ == 0 ? "\n" : "");
		if (osaca_minds_index(w, f)) {
			add_row(w, f, access, files[i].word, INDEX_NONE, b);
			add_row(w, f, access, files[i].word, INDEX_SOME, b);
		} else {
			add_row(w, f, access, files[i].word, INDEX_ANY, b);
		}
	}
	buffer_printf(b, "%s%s_throughput_default: ", n == 0 ? " []\n" : "",
		      what);
	if (any)
		osaca_add_pressure(w, any, INDEX_ANY, b);
	else
		buffer_printf(b, "[]");
	buffer_printf(b, "\n");
}

/* From stored to loaded data beyond the latency of the load, the longest of all
 * registers: OSACA has one number, and adds the load itself. */
static void add_forwarding(const struct osaca_core *w, struct buffer *b)
{
	double longest = -1;

	for (size_t i = 0; i < w->m->n_forwards; i++) {
		const struct model_forward *x = &w->m->forwards[i];
		const struct model_form *f = model_find(w->m, x->load);
		const struct form *form = catalogue_form(w->c, x->load);
		struct model_span s;

		if (x->cycles.has_value && f && form && !x->then &&
		    strcmp(x->store, x->load) != 0 &&
		    osaca_latency(form, f, &s))
			longest =
				fmax(longest, (x->cycles.low + x->cycles.high -
					       s.low - s.high) /
						      2);
	}
	if (w->m->n_forwards == 0)
		return;
	buffer_printf(b, "store_to_load_forward_latency: ");
	osaca_add_number(b, true, longest > 0 ? longest : 0);
	buffer_printf(b, "\n");
}

/* From a base to the base that an access has written back. */
static void add_index_latency(const struct osaca_core *w, struct buffer *b)
{
	double longest = -1;

	for (size_t i = 0; i < w->m->n_forms; i++) {
		const struct model_form *f = &w->m->forms[i];
		const struct form *form = catalogue_form(w->c, f->name);

		for (size_t k = 0; form && k < f->n_latencies; k++) {
			const struct model_latency *l = &f->latencies[k];

			if (l->source >= 0 && l->destination >= 0 &&
			    form->operands[l->source].kind == OPERAND_MEM &&
			    form->operands[l->source].tied_to ==
				    l->destination &&
			    l->cycles.has_value && !span_is_wide(&l->cycles))
				longest =
					fmax(longest, osaca_number(&l->cycles));
		}
	}
	if (longest < 0)
		return;
	buffer_printf(b, "p_index_latency: ");
	osaca_add_number(b, true, longest);
	buffer_printf(b, "\n");
}

/* ---- the file's head ---------------------------------------------------- */

static void add_size(struct buffer *b, const char *key, uint32_t n)
{
	buffer_printf(b, "%s: ", key);
	osaca_add_number(b, n > 0, n);
	buffer_printf(b, "\n");
}

void osaca_add_core(const struct osaca_core *w, struct buffer *b)
{
	const struct model *m = w->m;

	buffer_printf(b, "osaca_version: 0.7.0\nmicro_architecture: ");
	export_quoted(b, m->cpu);
	buffer_printf(b, "\narch_code: ");
	export_quoted(b, m->cpu);
	buffer_printf(b, "\nisa: %s\n", w->c->isa->osaca_name);
	add_size(b, "ROB_size", m->reorder_buffer);
	buffer_printf(b, "dispatched_uops_per_cycle: ");
	osaca_add_number(b, m->width.has_value && !span_is_wide(&m->width),
			 m->width.high);
	buffer_printf(b, "\nretired_uOps_per_cycle: ~\n");
	add_size(b, "scheduler_size", m->scheduler);
	buffer_printf(b, "hidden_loads: false\n");
	add_load_latency(w, b);
	add_access(w, ACCESS_LOAD, b);
	add_access(w, ACCESS_STORE, b);
	add_forwarding(w, b);
	add_index_latency(w, b);
	buffer_printf(b, "ports: [");
	add_all_ports(w, b);
	buffer_printf(b, "]\nport_model_scheme: ");
	export_quoted(b, m->source);
	buffer_printf(b, "\n");
}
