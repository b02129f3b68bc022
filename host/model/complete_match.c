/* Ports of published tables compared with measured ones; see
 * complete_read.h. */
#include <stdlib.h>
#include <string.h>

#include "host/isa/catalogue.h"
#include "host/model/complete_read.h"

/* A form of one uop in both: its ports in the tables and in the model. */
struct port_vote {
	model_ports published, measured;
	double cycles; /* its throughput */
};

struct vote_list {
	size_t n;
	struct port_vote *list;
};

/* ---- names ------------------------------------------------------------- */

/* "SPRPort05" is p5; other names stay. */
static const char *short_name(struct arena *a, const char *name)
{
	static const char word[] = "Port";
	const char *at = strstr(name, word);
	char *end;
	unsigned long n;

	if (!at || at[sizeof(word) - 1] < '0' || at[sizeof(word) - 1] > '9')
		return name;
	n = strtoul(at + sizeof(word) - 1, &end, 10);
	return *end == '\0' ? arena_printf(a, "p%lu", n) : name;
}

/* ---- forms in both ----------------------------------------------------- */

static bool is_one_uop(const struct model_form *f)
{
	return f->has_ports && f->n_uses == 1 && f->uses[0].n_uops == 1 &&
	       f->uses[0].cycles == 1;
}

static int by_ports(const void *a, const void *b)
{
	const struct port_vote *x = a, *y = b;

	if (x->published != y->published)
		return x->published < y->published ? -1 : 1;
	if (x->measured != y->measured)
		return x->measured < y->measured ? -1 : 1;
	return (x->cycles > y->cycles) - (x->cycles < y->cycles);
}

static bool is_access(const struct form *f)
{
	return form_loads(f) || form_stores(f);
}

/* Was it measured whether the table is right?  What is renamed away says
 * nothing of ports. */
static bool tells_of_table(const struct known_form *x)
{
	return x->table && x->own->throughput.has_value &&
	       !x->own->eliminated && !x->own->zero_idiom;
}

/* `accesses`: forms with an access, too. `ports`: only those with measured
 * ports that are not open. */
static struct vote_list collect_votes(struct completion *k,
				      const struct known_form *given,
				      bool accesses, bool ports)
{
	struct vote_list v = { 0 };

	v.list = ARENA_ARRAY(k->a, struct port_vote, k->given->n_forms + 1);
	for (const struct known_form *x = given; x->form; x++)
		if (tells_of_table(x) && is_one_uop(x->table) &&
		    (accesses || !is_access(x->form)) &&
		    (!ports ||
		     (is_one_uop(x->own) && x->own->mark.kind != MARK_OPEN)))
			v.list[v.n++] = (struct port_vote){
				x->table->uses[0].ports,
				ports ? x->own->uses[0].ports : 0,
				x->own->throughput.low,
			};
	qsort(v.list, v.n, sizeof(*v.list), by_ports);
	return v;
}

/* ---- groups ------------------------------------------------------------ */

static struct port_group *find_group(struct completion *k, model_ports ports)
{
	for (size_t i = 0; i < k->n_groups; i++)
		if (k->groups[i].ports == ports)
			return &k->groups[i];
	if (k->n_groups == COMPLETE_MAX_GROUPS)
		return NULL;
	k->groups[k->n_groups] = (struct port_group){ .ports = ports };
	return &k->groups[k->n_groups++];
}

/* Length of the prefix that all port names of the tables share. */
static size_t common_prefix(const struct model *t)
{
	size_t n = t->n_ports > 1 ? strlen(t->ports[0].name) : 0;

	for (size_t p = 1; p < t->n_ports; p++) {
		size_t same = 0;

		while (same < n &&
		       t->ports[p].name[same] == t->ports[0].name[same])
			same++;
		n = same;
	}
	for (size_t p = 0; p < t->n_ports; p++)
		if (t->ports[p].name[n] == '\0')
			return 0;
	return n;
}

/* "(FP0|FP1)": forms that the tables have on these ports. */
static const char *group_name(const struct completion *k, model_ports ports)
{
	const struct model *t = k->tables;
	size_t prefix = common_prefix(t);
	const char *name = "(";

	for (size_t p = 0; p < t->n_ports; p++)
		if ((ports >> p & 1) != 0)
			name = arena_printf(k->a, "%s%s%s", name,
					    name[1] ? "|" : "",
					    t->ports[p].name + prefix);
	return arena_printf(k->a, "%s)", name);
}

/* A quarter of the forms of a set are at least as fast as its pool. */
static void find_rates(struct completion *k, const struct known_form *given)
{
	struct vote_list v = collect_votes(k, given, false, false);

	for (size_t i = 0, end; i < v.n; i = end) {
		struct port_group *g = find_group(k, v.list[i].published);

		for (end = i;
		     end < v.n && v.list[end].published == v.list[i].published;)
			end++;
		if (!g)
			continue;
		g->cycles = v.list[i + (end - i) / 4].cycles;
		g->name = group_name(k, g->ports);
	}
}

/* A uop takes at least its share of its ports. */
static void count_faster(struct completion *k, const struct known_form *x)
{
	const struct model_form *t = x->table;

	for (size_t u = 0; u < t->n_uses; u++) {
		const struct model_use *use = &t->uses[u];
		struct port_group *g;

		if (use->cycles != 1 || use->n_uops != 1)
			continue;
		g = find_group(k, use->ports);
		if (!g)
			continue;
		if (t->n_uses == 1)
			g->kinds |= (uint32_t)1 << complete_kind(k->c, x->form);
		g->n_forms++;
		g->n_faster += x->own->throughput.high <
			       faster / model_ports_count(use->ports);
	}
}

/* A quarter of the forms says so; single ones may be measured wrong, or have
 * another table. */
bool group_is_refuted(const struct completion *k, model_ports ports)
{
	for (size_t i = 0; i < k->n_groups; i++)
		if (k->groups[i].ports == ports)
			return k->groups[i].n_faster > 0 &&
			       4 * k->groups[i].n_faster >=
				       k->groups[i].n_forms;
	return false;
}

/* Ports of the plain accesses that no form without an access uses. */
static void find_memory(struct completion *k,
			const struct known_form *published)
{
	model_ports others = 0;

	for (const struct known_form *x = published; x->form; x++)
		for (size_t u = 0; u < x->own->n_uses; u++)
			*(is_access(x->form) ? &k->memory : &others) |=
				x->own->uses[u].ports;
	k->memory &= ~others;
}

/* ---- correspondence ---------------------------------------------------- */

struct match {
	/* Ports of the tables in sets that have another number of ports here,
	 * or several sets: they correspond to none. */
	model_ports differ;
	size_t n;
	struct {
		model_ports published, measured;
	} sets[COMPLETE_MAX_GROUPS];
};

/* The measured set that three quarters of the forms of a published set have. */
static void find_sets(const struct vote_list *v, struct match *ret)
{
	*ret = (struct match){ .n = 0 };
	for (size_t i = 0, end; i < v->n; i = end) {
		size_t best = i, most = 0;

		for (end = i; end < v->n &&
			      v->list[end].published == v->list[i].published;) {
			size_t first = end;

			while (end < v->n &&
			       v->list[end].published ==
				       v->list[first].published &&
			       v->list[end].measured == v->list[first].measured)
				end++;
			if (end - first > most) {
				most = end - first;
				best = first;
			}
		}
		if (4 * most < 3 * (end - i) || ret->n == COMPLETE_MAX_GROUPS ||
		    model_ports_count(v->list[best].published) !=
			    model_ports_count(v->list[best].measured)) {
			ret->differ |= v->list[best].published;
			continue;
		}
		ret->sets[ret->n].published = v->list[best].published;
		ret->sets[ret->n++].measured = v->list[best].measured;
	}
}

/* The sets that a port is in, one bit each. */
static uint64_t sets_of(const struct match *x, size_t port, bool published)
{
	uint64_t sets = 0;

	for (size_t i = 0; i < x->n; i++) {
		model_ports set =
			published ? x->sets[i].published : x->sets[i].measured;

		sets |= (uint64_t)(set >> port & 1) << i;
	}
	return sets;
}

static size_t n_ports_in(const struct match *x, uint64_t sets, size_t n_ports,
			 bool published)
{
	size_t n = 0;

	for (size_t p = 0; p < n_ports; p++)
		n += sets_of(x, p, published) == sets;
	return n;
}

/* Ports in the same sets correspond, if there are as many in both models. */
static void match_ports(struct completion *k, const struct known_form *given,
			struct model_port *ports)
{
	struct vote_list v = collect_votes(k, given, true, true);
	bool taken[MODEL_MAX_PORTS] = { false };
	struct match x;

	find_sets(&v, &x);
	for (size_t p = 0; p < k->tables->n_ports; p++) {
		uint64_t sets = sets_of(&x, p, true);
		size_t q = 0;

		if (sets == 0 || (x.differ >> p & 1) != 0 ||
		    n_ports_in(&x, sets, k->tables->n_ports, true) !=
			    n_ports_in(&x, sets, k->m.n_ports, false))
			continue;
		while (taken[q] || sets_of(&x, q, false) != sets)
			q++;
		taken[q] = true;
		k->mapped[p] = (model_ports)1 << q;
		ports[q].name = short_name(k->a, k->tables->ports[p].name);
		ports[q].no_index |= k->tables->ports[p].no_index;
	}
}

/* A name that another port has as well is none. */
static bool has_twins(const struct model_port *ports, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (strcmp(ports[i].name, ports[j].name) == 0)
				return true;
	return false;
}

void complete_open_ports(struct completion *k, const struct known_form *given,
			 const struct known_form *published)
{
	const struct model *from = k->given;
	bool tables = k->tables && k->tables != k->given;
	struct model_port *ports;

	if (tables && from->n_ports == 0)
		from = k->tables;
	ports = arena_copy(k->a, from->ports, from->n_ports * sizeof(*ports));
	k->m.ports = ports;
	k->m.n_ports = from->n_ports;
	if (tables && from == k->given)
		match_ports(k, given, ports);
	else
		for (size_t p = 0; p < from->n_ports; p++) {
			k->mapped[p] = (model_ports)1 << p;
			ports[p].name = short_name(k->a, ports[p].name);
		}
	if (has_twins(ports, from->n_ports))
		for (size_t p = 0; p < from->n_ports; p++)
			ports[p].name = from->ports[p].name;
	if (!tables)
		return;
	find_memory(k, published);
	find_rates(k, given);
	for (const struct known_form *x = given; x->form; x++)
		if (tells_of_table(x))
			count_faster(k, x);
}
