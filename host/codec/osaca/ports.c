/* Ports in OSACA's files, or sets of ports in their place; see core.h.  Ports
 * are always lists, because OSACA takes each letter of a string for a port.
 *
 * OSACA shares uops among ports step by step, in two passes over the block.
 * Where sets of ports overlap, its busiest port may be above the optimum, and
 * below it too.  The optimum is the maximum over sets Q of (cycles confined to
 * Q) / |Q|, and only unions of overlapping sets of uops can be that maximum
 * (host/model/bound.c).  So with sets each such union becomes a port of the
 * file, on which a uop that is confined to Q spends its cycles / |Q|.  There is
 * nothing left to share: OSACA's busiest port is the exact bound. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "host/codec/osaca/core.h"

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

	return nx != ny ? (nx > ny) - (nx < ny) : (*x > *y) - (*x < *y);
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
	buffer_add(&name, "", 1);
	osaca_quoted(b, (const char *)name.bytes);
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
		osaca_quoted(b, port_name(w, p));
		first = false;
	}
}

void osaca_add_ports(const struct osaca_core *w, struct buffer *b)
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
