/* Read the claims on the core itself; see claims.h. */
#include <math.h>

#include "host/isa/windows.h"
#include "host/model/claims_read.h"

/* What is read before the claims that it needs. */
struct core_reader {
	struct claim_reader *r;
	struct err *e;
};

static void read_port(struct core_reader *k, const struct claim *c)
{
	static const struct model_port none;
	struct buffer *list = &k->r->port_list;
	int at = claim_whole(c, MODEL_MAX_PORTS);

	if (at < 0 || *c->source == '\0' || strchr(c->source, '|')) {
		(void)claims_bad(c, "the name of a port and its place", k->e);
		return;
	}
	while (list->n / sizeof(none) <= (size_t)at)
		buffer_add(list, &none, sizeof(none));
	((struct model_port *)(void *)list->bytes)[at] = (struct model_port){
		.name = c->source,
		.pseudo = strcmp(c->destination, "pseudo") == 0,
	};
}

static void read_width(struct core_reader *k, const struct claim *c)
{
	k->r->m->width = claim_span(c);
}

/* A port search may have shown it. */
static void read_order(struct core_reader *k, const struct claim *c)
{
	(void)c;
	k->r->m->order_known = k->r->m->in_order = true;
}

static void read_note(struct core_reader *k, const struct claim *c)
{
	buffer_add(&k->r->notes, &c->detail, sizeof(c->detail));
}

static void read_issue_width(struct core_reader *k, const struct claim *c)
{
	if (c->verdict == VERDICT_OK)
		k->r->m->issue_width = claim_span(c);
}

/* Read the latest start after a stall. The model frees any number of entries
 * per cycle and dispatches into them at once; this delay makes up for what that
 * costs in hardware. */
static void read_start(struct core_reader *k, const struct claim *c)
{
	enum { LONGEST = 1000 };

	if (c->has_value && c->high_cycles > 0 && c->high_cycles < LONGEST)
		k->r->m->refill = (uint32_t)lround(c->high_cycles);
}

/* Claims on the core that are more than the value of a field. */
static const struct {
	const char *kind;
	void (*read)(struct core_reader *k, const struct claim *c);
} core_claims[] = {
	{ "port", read_port },
	{ "width", read_width },
	{ "order", read_order },
	{ "note", read_note },
	{ "issue-width", read_issue_width },
	{ ISA_WINDOW_START, read_start },
};

static void read_claim(struct core_reader *k, const struct claim *c)
{
	if (claim_set_field(c, &model_record, k->r->m))
		return;
	for (size_t i = 0; i < ARRAY_LEN(core_claims); i++)
		if (claim_is(c, core_claims[i].kind))
			core_claims[i].read(k, c);
}

static void read_claims(struct core_reader *k, struct claim_list l)
{
	for (size_t i = 0; i < l.n && *l.list[i].form == '\0'; i++)
		read_claim(k, &l.list[i]);
}

/* ---- pairs --------------------------------------------------------- */

/* Pairing claims name, for each form, a class of the `pair` claims. */
static int add_pairing(struct claim_reader *r, const struct claim *c,
		       const char **names, struct err *e)
{
	int number = claim_whole(c, MODEL_MAX_CLASSES);

	if (number < 1)
		return claims_bad(c, "the number of a class", e);
	names[number] = c->source;
	if (r->m->n_pairs <= (size_t)number)
		r->m->n_pairs = (size_t)number + 1;
	return ERR_OK;
}

static int class_number(const struct model *m, const char *name)
{
	for (size_t i = 1; i < m->n_pairs; i++)
		if (strcmp(m->pair_names[i], name) == 0)
			return (int)i;
	return -1;
}

static int add_pair(struct model *m, const struct claim *c, struct err *e)
{
	int first = class_number(m, c->source);
	int second = class_number(m, c->destination);

	if (first < 0 || second < 0)
		return claims_bad(c, "two classes of pairing", e);
	m->pairs[first][second] = claim_whole(c, 2) == 1;
	return ERR_OK;
}

static int read_pairs(struct claim_reader *r, struct err *e)
{
	const char **names = ARENA_ARRAY(r->a, const char *, MODEL_MAX_CLASSES);
	struct claim_list l = r->ports;

	for (size_t i = 0; i < MODEL_MAX_CLASSES; i++)
		names[i] = "";
	for (size_t i = 0; i < l.n; i++)
		if (claim_is(&l.list[i], "pairing") &&
		    add_pairing(r, &l.list[i], names, e) != ERR_OK)
			return e->code;
	if (r->m->n_pairs == 0)
		return ERR_OK;
	r->m->pair_names = names;
	r->m->pairs =
		arena_alloc(r->a, MODEL_MAX_CLASSES, sizeof(*r->m->pairs));
	for (size_t i = 0; i < l.n; i++)
		if (claim_is(&l.list[i], "pair") &&
		    add_pair(r->m, &l.list[i], e) != ERR_OK)
			return e->code;
	return ERR_OK;
}

int claims_core(struct claim_reader *r, struct err *e)
{
	struct core_reader k = { .r = r, .e = e };

	read_claims(&k, r->ports);
	if (e->code == ERR_OK)
		read_claims(&k, r->values);
	if (e->code != ERR_OK)
		return e->code;
	/* They are there to read forms; claims_about() makes them last. */
	r->m->ports = (const void *)r->port_list.bytes;
	r->m->n_ports = r->port_list.n / sizeof(struct model_port);
	for (size_t i = 0; i < r->m->n_ports; i++)
		if (!r->m->ports[i].name)
			return err_set(e, ERR_INPUT,
				       "run %lld: claims: port %zu has no name",
				       (long long)r->ports_run, i);
	return read_pairs(r, e);
}
