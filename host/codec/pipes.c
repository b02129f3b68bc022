/* Ports for a language of one cost a class; see pipes.h. */
#include "host/codec/pipes.h"

struct ports {
	struct arena *a;
	const struct model *m;
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

static void join_units(struct ports *p, const size_t *family, size_t *ret_port)
{
	const struct model *m = p->m;

	for (size_t i = 0; i < m->n_ports; i++)
		p->parent[i] = i;
	for (size_t i = 0; i < m->n_forms; i++) {
		size_t port = unit_of(m, &m->forms[i]), *its;

		if (family[i] == PIPES_NO_FAMILY || port == MODEL_MAX_PORTS)
			continue;
		its = &ret_port[family[i]];
		*its = *its == MODEL_MAX_PORTS ? port : *its;
		p->parent[root(p, port)] = root(p, *its);
	}
}

static void number_ports(struct ports *p)
{
	const struct model *m = p->m;

	p->list = ARENA_ARRAY(p->a, struct model_port, MODEL_MAX_PORTS);
	for (size_t i = 0; i < m->n_ports; i++) {
		if (root(p, i) != i)
			continue;
		p->number[i] = p->n;
		p->list[p->n++] = m->ports[i];
	}
	for (size_t i = 0; i < m->n_ports; i++)
		p->number[i] = p->number[root(p, i)];
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
	const struct model *m = p->m;
	bool *pipe = p->pipes[p->n];

	pipe[a] = pipe[b] = true;
	for (size_t i = 1; i < m->n_pairs; i++) {
		bool all = conflict(m, i, i);

		for (size_t k = 1; k < m->n_pairs && all; k++)
			all = !pipe[k] || conflict(m, i, k);
		pipe[i] = pipe[i] || all;
	}
	p->list[p->n] = (struct model_port){
		.name = arena_printf(p->a, "Pipe%zu", p->n - p->first_pipe),
		.pseudo = true,
	};
	p->n++;
}

/* A class that starts together with itself shares no pipe: in one cycle, a pipe
 * would take one of it. */
static void add_pipes(struct ports *p)
{
	const struct model *m = p->m;

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
	struct model_use *uses = ARENA_ARRAY(
		p->a, struct model_use, f->n_uses + p->n - p->first_pipe + 1);
	size_t n = f->n_uses;

	for (size_t i = 0; i < n; i++) {
		model_ports old = f->uses[i].ports;

		uses[i] = f->uses[i];
		uses[i].ports = 0;
		for (size_t k = 0; k < p->m->n_ports; k++)
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

const struct model *pipes_model(struct arena *a, const struct model *m,
				const size_t *family, size_t n_families,
				size_t *ret_port)
{
	struct model *ret = ARENA_NEW(a, struct model);
	struct model_form *forms =
		ARENA_ARRAY(a, struct model_form, m->n_forms + 1);
	struct ports *p = ARENA_NEW(a, struct ports);

	p->a = a;
	p->m = m;
	for (size_t i = 0; i < n_families; i++)
		ret_port[i] = MODEL_MAX_PORTS;
	join_units(p, family, ret_port);
	number_ports(p);
	for (size_t i = 0; i < n_families; i++)
		if (ret_port[i] < MODEL_MAX_PORTS)
			ret_port[i] = p->number[ret_port[i]];
	add_pipes(p);
	for (size_t i = 0; i < m->n_forms; i++) {
		forms[i] = m->forms[i];
		rewrite_form(p, &forms[i]);
	}
	*ret = *m;
	ret->ports = p->list;
	ret->n_ports = p->n;
	ret->forms = forms;
	return ret;
}
