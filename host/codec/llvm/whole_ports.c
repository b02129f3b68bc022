/* Ports of a whole model; see whole_ports(). */
#include <string.h>

#include "host/codec/llvm/whole.h"
#include "host/isa/catalogue.h"

struct ports {
	struct whole *w;
	size_t parent[MODEL_MAX_PORTS]; /* of units that are one */
	size_t number[MODEL_MAX_PORTS]; /* of the new port */
	struct model_port *list;
	size_t n, first_pipe;
	/* By pipe, from first_pipe: the classes of pairs that share it. */
	bool pipes[MODEL_MAX_PORTS][MODEL_MAX_CLASSES];
};

static size_t root(const struct ports *p, size_t i)
{
	while (p->parent[i] != i)
		i = p->parent[i];
	return i;
}

static size_t port_of(model_ports ports)
{
	size_t i = 0;

	while ((ports >> i & 1) == 0)
		i++;
	return i;
}

/* ---- units that are not pipelined --------------------------------------- */

/* The form's only unit that is not pipelined; MODEL_MAX_PORTS: it has none, or
 * several. */
static size_t unit_of(const struct model *m, const struct model_form *f)
{
	size_t found = MODEL_MAX_PORTS, n = 0;

	for (size_t i = 0; i < f->n_uses; i++) {
		model_ports ports = f->uses[i].ports;

		if (model_ports_count(ports) != 1 ||
		    !m->ports[port_of(ports)].pseudo)
			continue;
		found = port_of(ports);
		n++;
	}
	return n == 1 ? found : MODEL_MAX_PORTS;
}

static void join_units(struct ports *p)
{
	const struct model *m = p->w->m;
	struct whole_family *seen =
		ARENA_ARRAY(p->w->a, struct whole_family, p->w->n_names + 1);
	size_t n = 0;

	for (size_t i = 0; i < m->n_ports; i++)
		p->parent[i] = i;
	for (size_t i = 0; i < m->n_forms; i++) {
		const struct form *f =
			catalogue_form(p->w->c, m->forms[i].name);
		size_t port = unit_of(m, &m->forms[i]), at = 0;
		const struct whole_name *x = NULL;

		if (f && port < MODEL_MAX_PORTS)
			x = whole_write_of(p->w,
					   p->w->of_form[f - p->w->c->forms]);
		if (!x)
			continue;
		while (at < n && !whole_same_family(seen[at].of, x))
			at++;
		if (at == n)
			seen[n++] = (struct whole_family){ x, port };
		p->parent[root(p, port)] = root(p, seen[at].port);
	}
	p->w->families = seen;
	p->w->n_families = n;
}

static void number_ports(struct ports *p)
{
	const struct model *m = p->w->m;

	p->list = ARENA_ARRAY(p->w->a, struct model_port, MODEL_MAX_PORTS);
	for (size_t i = 0; i < m->n_ports; i++) {
		if (root(p, i) != i)
			continue;
		p->number[i] = p->n;
		p->list[p->n++] = m->ports[i];
	}
	for (size_t i = 0; i < m->n_ports; i++)
		p->number[i] = p->number[root(p, i)];
	for (size_t i = 0; i < p->w->n_families; i++)
		p->w->families[i].port = p->number[p->w->families[i].port];
}

/* ---- forms that do not start together ----------------------------------- */

static bool conflict(const struct model *m, size_t a, size_t b)
{
	return !m->pairs[a][b] && !m->pairs[b][a];
}

static bool share_pipe(const struct ports *p, size_t a, size_t b)
{
	for (size_t i = p->first_pipe; i < p->n; i++)
		if (p->pipes[i][a] && p->pipes[i][b])
			return true;
	return false;
}

/* A pipe for two classes, and all others that start with none of it. */
static void add_pipe(struct ports *p, size_t a, size_t b)
{
	const struct model *m = p->w->m;
	bool *pipe = p->pipes[p->n];

	pipe[a] = pipe[b] = true;
	for (size_t i = 1; i < m->n_pairs; i++) {
		bool all = conflict(m, i, i);

		for (size_t k = 1; k < m->n_pairs && all; k++)
			all = !pipe[k] || conflict(m, i, k);
		pipe[i] = pipe[i] || all;
	}
	p->list[p->n] = (struct model_port){
		.name = arena_printf(p->w->a, "Pipe%zu", p->n - p->first_pipe),
		.pseudo = true,
	};
	p->n++;
}

/* A class that starts together with itself shares no pipe: in one cycle, a pipe
 * would take one of it. */
static void add_pipes(struct ports *p)
{
	const struct model *m = p->w->m;

	p->first_pipe = p->n;
	for (size_t a = 1; a < m->n_pairs; a++)
		for (size_t b = a; b < m->n_pairs; b++)
			if (conflict(m, a, b) && conflict(m, a, a) &&
			    conflict(m, b, b) && !share_pipe(p, a, b) &&
			    p->n < MODEL_MAX_PORTS)
				add_pipe(p, a, b);
}

/* ---- the new model ------------------------------------------------------ */

static void rewrite_form(const struct ports *p, struct model_form *f)
{
	struct model_use *uses =
		ARENA_ARRAY(p->w->a, struct model_use,
			    f->n_uses + p->n - p->first_pipe + 1);
	size_t n = f->n_uses;

	for (size_t i = 0; i < n; i++) {
		model_ports old = f->uses[i].ports;

		uses[i] = f->uses[i];
		uses[i].ports = 0;
		for (size_t k = 0; k < p->w->m->n_ports; k++)
			if (old >> k & 1)
				uses[i].ports |= (model_ports)1 << p->number[k];
	}
	for (size_t i = p->first_pipe; i < p->n; i++)
		if (f->has_ports && p->pipes[i][f->pairing])
			uses[n++] =
				(struct model_use){ (model_ports)1 << i, 1, 1 };
	f->uses = uses;
	f->n_uses = n;
}

void whole_ports(struct whole *w)
{
	struct model *m = ARENA_NEW(w->a, struct model);
	struct model_form *forms =
		ARENA_ARRAY(w->a, struct model_form, w->m->n_forms + 1);
	struct ports *p = ARENA_NEW(w->a, struct ports);

	p->w = w;
	join_units(p);
	number_ports(p);
	add_pipes(p);
	for (size_t i = 0; i < w->m->n_forms; i++) {
		forms[i] = w->m->forms[i];
		rewrite_form(p, &forms[i]);
	}
	*m = *w->m;
	m->ports = p->list;
	m->n_ports = p->n;
	m->forms = forms;
	w->m = m;
}
