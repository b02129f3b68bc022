/* Read the claims on the core itself; see claims.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/isa/catalogue.h"
#include "host/isa/windows.h"
#include "host/model/claims_read.h"
#include "host/model/lines.h"
#include "host/model/settled.h"

bool claim_is(const struct claim *c, const char *kind)
{
	return strcmp(c->kind, kind) == 0;
}

struct model_span claim_span(const struct claim *c)
{
	return (struct model_span){ c->has_value, c->low_cycles,
				    c->high_cycles };
}

int claim_bad(const struct claim *c, const char *expected, struct err *e)
{
	return err_set(
		e, ERR_INPUT, "run %lld: claim %s of '%s' on '%s': expected %s",
		(long long)c->run, c->kind, c->form, c->source, expected);
}

int claim_whole(const struct claim *c, int limit)
{
	if (!c->has_value || !(c->low_cycles >= 0 && c->low_cycles < limit) ||
	    c->low_cycles != floor(c->low_cycles))
		return -1;
	return (int)c->low_cycles;
}

static int claims_core_add_port(struct claim_reader *r, const struct claim *c,
				struct err *e)
{
	struct model_port *ports;
	size_t n = r->port_list.n / sizeof(*ports);
	int at = claim_whole(c, MODEL_MAX_PORTS);
	struct model_port port = {
		.name = c->source,
		.pseudo = strcmp(c->destination, "pseudo") == 0,
	};

	if (at < 0 || *c->source == '\0' || strchr(c->source, '|'))
		return claim_bad(c, "the name of a port and its place", e);
	while (n <= (size_t)at) {
		static const struct model_port none;

		buffer_add(&r->port_list, &none, sizeof(none));
		n++;
	}
	ports = (void *)r->port_list.bytes;
	ports[at] = port;
	return ERR_OK;
}

static int claims_core_add_core(struct claim_reader *r, const struct claim *c,
				struct err *e)
{
	if (claim_is(c, "port"))
		return claims_core_add_port(r, c, e);
	if (claim_is(c, "width"))
		r->m->width = claim_span(c);
	if (claim_is(c, "order"))
		r->m->order_known = r->m->in_order = true;
	if (claim_is(c, "note"))
		buffer_add(&r->notes, &c->detail, sizeof(c->detail));
	return ERR_OK;
}

/* Pairing claims name, for each form, a class of the `pair` claims. */
static int add_pairing(struct claim_reader *r, const struct claim *c,
		       const char **names, struct err *e)
{
	int number = claim_whole(c, MODEL_MAX_CLASSES);

	if (number < 1)
		return claim_bad(c, "the number of a class", e);
	names[number] = c->source;
	if (r->m->n_pairs <= (size_t)number)
		r->m->n_pairs = (size_t)number + 1;
	return ERR_OK;
}

static int class_number(const struct model *m, const char *name)
{
	for (size_t i = 1; i < m->n_pairs; i++)
		if (m->pair_names[i] && strcmp(m->pair_names[i], name) == 0)
			return (int)i;
	return -1;
}

static int claims_core_read_pairs(struct claim_reader *r,
				  const struct claim *list, size_t n,
				  struct err *e)
{
	const char **names = ARENA_ARRAY(r->a, const char *, MODEL_MAX_CLASSES);

	for (size_t i = 0; i < n; i++)
		if (claim_is(&list[i], "pairing") &&
		    add_pairing(r, &list[i], names, e) != ERR_OK)
			return e->code;
	if (r->m->n_pairs == 0)
		return ERR_OK;
	for (size_t i = 0; i < r->m->n_pairs; i++)
		names[i] = names[i] ? names[i] : "";
	r->m->pair_names = names;
	r->m->pairs =
		arena_alloc(r->a, MODEL_MAX_CLASSES, sizeof(*r->m->pairs));
	for (size_t i = 0; i < n; i++) {
		const struct claim *c = &list[i];
		int first, second;

		if (!claim_is(c, "pair"))
			continue;
		first = class_number(r->m, c->source);
		second = class_number(r->m, c->destination);
		if (first < 0 || second < 0)
			return claim_bad(c, "two classes of pairing", e);
		r->m->pairs[first][second] = claim_whole(c, 2) == 1;
	}
	return ERR_OK;
}

/* Of two states the slower: it needs no fortunate place. */
static double cycles_of(const struct claim *c)
{
	return claim_two_values(c) ? c->high_cycles
				   : (c->low_cycles + c->high_cycles) / 2;
}

/* Read how fast the core repeats the shortest loop. */
static void read_taken_branches(struct claim_reader *r)
{
	const struct claim *list = (const void *)r->values.bytes;
	size_t n = r->values.n / sizeof(*list);

	for (size_t i = 0; i < n && *list[i].form == '\0'; i++)
		if (claim_is(&list[i], "iteration") && list[i].has_value &&
		    *list[i].source == '\0' && list[i].low_cycles > 0)
			r->m->taken_branches = 1 / cycles_of(&list[i]);
}

static void read_issue_width(struct claim_reader *r)
{
	const struct claim *list = (const void *)r->values.bytes;
	size_t n = r->values.n / sizeof(*list);

	for (size_t i = 0; i < n && *list[i].form == '\0'; i++)
		if (claim_is(&list[i], "issue-width") &&
		    strcmp(list[i].verdict, "ok") == 0)
			r->m->issue_width = claim_span(&list[i]);
}

/* Read what short loops take, by their lines of code. */
static void read_lines(struct claim_reader *r)
{
	const struct claim *list = (const void *)r->values.bytes;
	size_t n = r->values.n / sizeof(*list);
	struct buffer loops = { 0 };
	double width = r->m->width.has_value ? r->m->width.high : 0;
	double crossing = 0;

	for (size_t i = 0; i < n && *list[i].form == '\0'; i++) {
		const struct claim *c = &list[i];
		unsigned long first = strtoul(c->source, NULL, 10);
		unsigned long second = strtoul(c->destination, NULL, 10);

		if (!c->has_value)
			continue;
		if (claim_is(c, "issue-width") && width == 0)
			width = c->high_cycles;
		if (claim_is(c, "crossing") &&
		    (crossing == 0 || cycles_of(c) < crossing))
			crossing = fmax(0, cycles_of(c));
		if (claim_is(c, "iteration") && first > 0 &&
		    first <= MODEL_MAX_LINE && second <= MODEL_MAX_LINE)
			buffer_add(&loops,
				   &(struct lines_loop){
					   (uint32_t)first,
					   (uint32_t)second,
					   cycles_of(c),
				   },
				   sizeof(struct lines_loop));
	}
	if (width > 0)
		r->m->lines =
			lines_fit((const void *)loops.bytes,
				  loops.n / sizeof(struct lines_loop), width);
	r->m->lines.crossing = crossing;
	buffer_free(&loops);
}

/* Read how many instructions the core holds until they retire. */
static void read_buffers(struct claim_reader *r)
{
	const struct {
		const char *kind;
		uint32_t *size;
	} buffers[] = {
		{ ISA_LOAD_BUFFER, &r->m->load_queue },
		{ ISA_REORDER_BUFFER, &r->m->reorder_buffer },
		{ ISA_VECTOR_REGISTERS, &r->m->vector_registers },
	};
	const struct claim *list = (const void *)r->values.bytes;
	size_t n = r->values.n / sizeof(*list);

	for (size_t i = 0; i < n && *list[i].form == '\0'; i++)
		for (size_t k = 0; k < ARRAY_LEN(buffers); k++)
			if (claim_is(&list[i], buffers[k].kind) &&
			    list[i].has_value && list[i].low_cycles >= 1 &&
			    list[i].high_cycles < 1e6)
				*buffers[k].size =
					(uint32_t)lround((list[i].low_cycles +
							  list[i].high_cycles) /
							 2);
}

/* Read the latest start after a stall. The model frees any number of entries
 * per cycle and dispatches into them at once; this delay makes up for what that
 * costs in hardware. */
static void read_start(struct claim_reader *r)
{
	enum { LONGEST = 1000 };
	const struct claim *list = (const void *)r->values.bytes;
	size_t n = r->values.n / sizeof(*list);

	for (size_t i = 0; i < n && *list[i].form == '\0'; i++)
		if (claim_is(&list[i], ISA_WINDOW_START) && list[i].has_value &&
		    list[i].high_cycles > 0 && list[i].high_cycles < LONGEST)
			r->m->refill = (uint32_t)lround(list[i].high_cycles);
}

/* Read whether instructions start in program order.  A port search of an older
 * run may have shown it, too. */
static void read_order(struct claim_reader *r)
{
	const struct claim *list = (const void *)r->values.bytes;
	size_t n = r->values.n / sizeof(*list);

	for (size_t i = 0; i < n && *list[i].form == '\0'; i++)
		if (claim_is(&list[i], "program-order") && list[i].has_value) {
			r->m->order_known = true;
			r->m->in_order = list[i].low_cycles > 0;
		}
}

int claims_core(struct claim_reader *r, struct err *e)
{
	const struct claim *list = (const void *)r->ports.bytes;
	size_t n = r->ports.n / sizeof(*list);

	for (size_t i = 0; i < n; i++)
		if (*list[i].form == '\0' &&
		    claims_core_add_core(r, &list[i], e) != ERR_OK)
			return e->code;
	read_order(r);
	read_issue_width(r);
	read_taken_branches(r);
	read_lines(r);
	read_buffers(r);
	read_start(r);
	r->m->ports = (const void *)r->port_list.bytes;
	r->m->n_ports = r->port_list.n / sizeof(struct model_port);
	for (size_t i = 0; i < r->m->n_ports; i++)
		if (!r->m->ports[i].name)
			return err_set(e, ERR_INPUT,
				       "run %lld: claims: port %zu has no name",
				       (long long)r->ports_run, i);
	return claims_core_read_pairs(r, list, n, e);
}
