/* Writes OSACA's machine model with sets of ports in the place of ports.
 *
 * OSACA shares uops among ports step by step, in two passes over the block.
 * Where sets of ports overlap, its busiest port may be above the optimum, and
 * below it too.  The optimum is the maximum over sets Q of (cycles confined to
 * Q) / |Q|, and only unions of overlapping sets of uops can be that maximum
 * (host/model/bound.c).  So each such union becomes a port of the file, on which
 * a uop that is confined to Q spends its cycles / |Q|.  There is nothing left to
 * share: OSACA's busiest port is the exact bound. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "host/codec/codec.h"
#include "host/codec/osaca/write_core.h"

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
	model_ports out = osaca_without_index(w);

	for (size_t i = 0; i < w->m->n_forms; i++)
		for (size_t k = 0; k < w->m->forms[i].n_uses; k++) {
			model_ports ports = w->m->forms[i].uses[k].ports;

			if (!add_set(s, ports) ||
			    !add_set(s, osaca_ports_without(ports, out)))
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

int osaca_use_sets(struct osaca_core *w, struct err *e)
{
	struct osaca_sets *s = ARENA_NEW(w->a, struct osaca_sets);

	if (!add_uses(w, s) || !add_unions(s))
		return err_set(e, ERR_INPUT,
			       "osaca-sets: unions of the model's sets of "
			       "ports: more than %d; export it as osaca",
			       MODEL_MAX_PORTS);
	qsort(s->of, s->n, sizeof(*s->of), by_size);
	w->sets = s;
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
void osaca_add_set_name(const struct osaca_core *w, model_ports set,
			struct buffer *b)
{
	const char *last = NULL;
	struct buffer name = { 0 };

	for (size_t p = 0; p < w->m->n_ports; p++) {
		const char *port = osaca_port_name(w, p);
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

void osaca_add_set_pressure(const struct osaca_core *w,
			    const struct model_form *f, model_ports out,
			    struct buffer *b)
{
	bool first = true;

	buffer_printf(b, "[");
	for (size_t i = 0; i < w->sets->n; i++) {
		model_ports set = w->sets->of[i];
		double cycles = 0;

		for (size_t k = 0; k < f->n_uses; k++)
			if ((osaca_ports_without(f->uses[k].ports, out) &
			     ~set) == 0)
				cycles += f->uses[k].n_uops * f->uses[k].cycles;
		if (cycles == 0)
			continue;
		buffer_printf(b, first ? "[" : ", [");
		osaca_add_number(b, true, cycles / model_ports_count(set));
		buffer_printf(b, ", [");
		osaca_add_set_name(w, set, b);
		buffer_printf(b, "]]");
		first = false;
	}
	buffer_printf(b, "]");
}

static int write_sets(const struct model *m, const struct catalogue *c,
		      struct buffer *ret, struct err *e)
{
	return osaca_write(m, c, true, ret, e);
}

const struct exporter exporter_osaca_sets = {
	.name = "osaca-sets",
	.describe = "OSACA's with sets of ports, whose sums are exact bounds",
	.completes = true,
	.write_model = write_sets,
};
