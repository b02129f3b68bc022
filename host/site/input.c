/* Reads databases and model files as cores with claims; see inner.h. */
#include <stdlib.h>
#include <string.h>

#include "host/codec/source.h"
#include "host/experiment/experiment.h"
#include "host/isa/catalogue_image.h"
#include "host/model/claims.h"
#include "host/site/inner.h"
#include "host/store/store_core.h"

/* ---- what inputs share --------------------------------------------------- */

static int open_catalogue(struct site *s, const char *isa, const char *path,
			  struct catalogue **ret, struct err *e)
{
	const struct isa *known = isa_find(isa);

	for (size_t i = 0; i < s->n_catalogues; i++)
		if (s->catalogues[i]->isa == known) {
			*ret = s->catalogues[i];
			return ERR_OK;
		}
	if (!known)
		return err_set(e, ERR_INPUT, "%s: unknown instruction set '%s'",
			       path, isa);
	if (catalogue_open(&s->a, known, true, ret, e) == ERR_OK)
		s->catalogues[s->n_catalogues++] = *ret;
	return e->code;
}

static int add_core(struct site *s, const struct site_core *c, struct err *e)
{
	if (s->n_cores == SITE_MAX_CORES)
		return err_set(e, ERR_USAGE, "site: more than %d cores",
			       SITE_MAX_CORES);
	s->cores[s->n_cores++] = *c;
	return ERR_OK;
}

static int by_values(const void *a, const void *b)
{
	const struct site_values *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Add the forms of which only the model has something. */
static void list_model(struct site_core *c)
{
	size_t n = c->n_forms;

	for (size_t i = 0; c->model && i < c->model->n_forms; i++) {
		const struct site_values v = { .name = c->model->forms[i].name,
					       .model = &c->model->forms[i] };

		if (!n || !bsearch(&v, c->forms, n, sizeof(v), by_values))
			c->forms[c->n_forms++] = v;
	}
	qsort(c->forms, c->n_forms, sizeof(*c->forms), by_values);
}

/* List the forms of a core: of its claims, which are sorted by form, and of its
 * model. */
static void list_forms(struct site *s, struct site_core *c)
{
	size_t n = 0, room = c->claims.n + (c->model ? c->model->n_forms : 0);

	c->forms = ARENA_ARRAY(&s->a, struct site_values, room + 1);
	for (size_t i = 0; i < c->claims.n; i++) {
		const char *name = c->claims.list[i].form;

		/* Sums of latency cycles, and values of the whole core, are of
		 * no form. */
		if (*name == '\0' || strchr(name, '+'))
			continue;
		if (n == 0 || strcmp(c->forms[n - 1].name, name) != 0)
			c->forms[n++] = (struct site_values){
				.name = name,
				.claims.list = &c->claims.list[i],
				.model = c->model ? model_find(c->model, name)
						  : NULL,
			};
		c->forms[n - 1].claims.n++;
	}
	c->n_forms = n;
	list_model(c);
	for (size_t i = 0; i < c->n_forms; i++)
		c->forms[i].row = site_row_of(&s->a, c, &c->forms[i]);
}

/* ---- databases ----------------------------------------------------------- */

static int by_core(const struct claim *x, const struct claim *y)
{
	int order = strcmp(x->isa, y->isa);

	return order ? order : strcmp(x->board, y->board);
}

static int by_claim(const void *a, const void *b)
{
	const struct claim *x = a, *y = b;
	int order = by_core(x, y);

	if (!order)
		order = strcmp(x->form, y->form);
	if (!order)
		order = strcmp(x->kind, y->kind);
	if (!order)
		order = strcmp(x->source, y->source);
	return order ? order : strcmp(x->destination, y->destination);
}

static bool has_run(const struct site_core *c, int64_t run)
{
	for (size_t i = 0; i < c->claims.n; i++)
		if (c->claims.list[i].run == run)
			return true;
	return false;
}

static int read_runs(struct site *s, struct site_core *c, struct err *e)
{
	int64_t *ids;
	size_t n;

	if (store_runs(c->store, &s->a, &ids, &n, e) != ERR_OK)
		return e->code;
	c->runs = ARENA_ARRAY(&s->a, struct run, n + 1);
	for (size_t i = 0; i < n; i++)
		if (has_run(c, ids[i]) &&
		    store_run_get(c->store, &s->a, ids[i],
				  &c->runs[c->n_runs++], e) != ERR_OK)
			return e->code;
	if (c->n_runs == 0)
		return err_set(e, ERR_INPUT, "%s: values of no run", c->path);
	c->cpu = c->runs[c->n_runs - 1].cpu;
	return ERR_OK;
}

static int finish_core(struct site *s, struct site_core *c, struct err *e)
{
	c->source = arena_printf(&s->a, "measured on %s", c->board);
	list_forms(s, c);
	return add_core(s, c, e);
}

/* The core's claims are sorted.  A database of claims that make no model has
 * values all the same. */
static int add_measured(struct site *s, struct site_core *c, struct err *e)
{
	struct err none = { .code = ERR_OK };
	struct model *m = ARENA_NEW(&s->a, struct model);

	c->isa = c->claims.list->isa;
	c->board = c->claims.list->board;
	if (open_catalogue(s, c->isa, c->path, &c->catalogue, e) != ERR_OK ||
	    read_runs(s, c, e) != ERR_OK)
		return e->code;
	if (model_from_store(c->store, &s->a, c->board, c->catalogue, m,
			     &none) == ERR_OK &&
	    strcmp(m->isa, c->isa) == 0)
		c->model = m;
	return finish_core(s, c, e);
}

/* A database of a port search alone has a model, but no values. */
static int add_ports_only(struct site *s, struct site_core *c, struct err *e)
{
	struct model *m = ARENA_NEW(&s->a, struct model);
	struct err none = { .code = ERR_OK };

	c->runs = ARENA_NEW(&s->a, struct run);
	c->n_runs = 1;
	if (model_store_run(c->store, &s->a, NULL, c->runs, &none) != ERR_OK)
		return err_set(e, ERR_INPUT, "%s has no runs", c->path);
	c->isa = c->runs->isa;
	c->board = c->runs->board;
	c->cpu = c->runs->cpu;
	if (open_catalogue(s, c->isa, c->path, &c->catalogue, e) != ERR_OK)
		return e->code;
	if (model_from_store(c->store, &s->a, c->board, c->catalogue, m,
			     &none) != ERR_OK)
		return err_set(e, ERR_INPUT,
			       "%s has no values; 'anechoic solve --db %s' "
			       "makes them from its samples",
			       c->path, c->path);
	c->model = m;
	return finish_core(s, c, e);
}

/* The store has boards last in its order. */
static const struct claim *sort_by_core(struct site *s,
					const struct view_claims *all)
{
	struct claim *list;
	size_t i = 1;

	while (i < all->n && by_claim(&all->list[i - 1], &all->list[i]) <= 0)
		i++;
	if (i >= all->n)
		return all->list;
	list = arena_copy(&s->a, all->list, all->n * sizeof(*list));
	qsort(list, all->n, sizeof(*list), by_claim);
	return list;
}

static bool same_core(const struct claim *x, const struct claim *y)
{
	return by_core(x, y) == 0;
}

/* Read the values of the store's chosen core; *ret_n: how many. */
static int read_chosen(struct site *s, const struct site_core *c, size_t *ret_n,
		       struct err *e)
{
	struct view_claims all = { .n = 0 };

	if (view_read_claims(c->store, &s->a, 0, NULL, &all, e) != ERR_OK ||
	    site_check_stop(s, e) != ERR_OK)
		return e->code;
	*ret_n = all.n;
	all.list = sort_by_core(s, &all);
	while (all.n > 0 && e->code == ERR_OK) {
		struct site_core part = *c;

		part.claims = view_next(&all, same_core);
		(void)add_measured(s, &part, e);
	}
	return e->code;
}

bool site_choose(const struct site_core *c)
{
	const struct core_query q = { .if_there = c->identity };
	struct err none = { .code = ERR_OK };
	const char *chosen = "";
	struct arena a = { 0 };
	bool good = store_choose_core(c->store, &q, &none) == ERR_OK &&
		    store_chosen_core(c->store, &a, &chosen, &none) == ERR_OK &&
		    strcmp(chosen, c->identity) == 0;

	arena_free(&a);
	return good;
}

/* Is it the core of an earlier run of the list? */
static bool is_repeated(const struct core_id *list, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(list[k].core, list[i].core) == 0)
			return true;
	return false;
}

/* A database has one core or several, whose values stay separate. */
static int read_database(struct site *s, const char *path, struct err *e)
{
	struct site_core c = { .path = path };
	struct core_id *cores;
	int64_t *runs;
	size_t n_runs, n = 0, n_all = 0;

	if (store_open_to_read(path, &c.store, e) != ERR_OK)
		return e->code;
	s->stores[s->n_stores++] = c.store;
	if (store_runs(c.store, &s->a, &runs, &n_runs, e) != ERR_OK)
		return e->code;
	cores = ARENA_ARRAY(&s->a, struct core_id, n_runs + 1);
	for (size_t i = 0; i < n_runs && e->code == ERR_OK; i++) {
		if (store_run_core(c.store, &s->a, runs[i], &cores[i], e) !=
		    ERR_OK)
			return e->code;
		c.identity = cores[i].core;
		if (is_repeated(cores, i) || !site_choose(&c))
			continue;
		if (read_chosen(s, &c, &n, e) == ERR_OK && n == 0)
			(void)add_ports_only(s, &c, e);
		n_all++;
	}
	if (e->code == ERR_OK && n_all == 0)
		return err_set(e, ERR_INPUT,
			       "%s has no values; 'anechoic solve --db %s' "
			       "makes them from its samples",
			       path, path);
	return e->code;
}

/* ---- model files --------------------------------------------------------- */

static void add_value(struct buffer *claims, struct claim c, const char *kind,
		      const struct model_span *v)
{
	if (!v->has_value)
		return;
	c.kind = kind;
	c.has_value = true;
	c.low_cycles = v->low;
	c.high_cycles = v->high;
	buffer_add(claims, &c, sizeof(c));
}

static const char *end_name(struct site *s, const struct catalogue *c,
			    const struct form *f, int operand)
{
	char name[ISA_NAME_ROOM];

	if (operand == MODEL_ANY || !f)
		return "any";
	operand_name(c, f, operand, name, sizeof(name));
	return arena_strdup(&s->a, name);
}

static void add_form_values(struct site *s, const struct site_core *core,
			    const struct model_form *f, struct buffer *claims)
{
	const struct form *form = catalogue_form(core->catalogue, f->name);
	struct claim c = { .isa = core->isa,
			   .form = f->name,
			   .board = "",
			   .source = "",
			   .destination = "",
			   .verdict = VERDICT_MODEL,
			   .label = "",
			   .detail = f->evidence ? f->evidence : "" };

	add_value(claims, c, "throughput", &f->throughput);
	for (size_t i = 0; i < f->n_latencies; i++) {
		const struct model_latency *l = &f->latencies[i];

		c.source = end_name(s, core->catalogue, form, l->source);
		c.destination =
			end_name(s, core->catalogue, form, l->destination);
		add_value(claims, c, "latency", &l->cycles);
		add_value(claims, c, "latency-short", &l->short_chain);
	}
}

static int read_model(struct site *s, const char *path, struct err *e)
{
	const struct model_source source = { .file = path, .isa = s->r->isa };
	struct site_core c = { .path = path };
	struct buffer claims = { 0 };
	const struct isa *isa;
	struct model *m;

	if (model_source_isa(&s->a, &source, &isa, e) != ERR_OK ||
	    open_catalogue(s, isa->name, path, &c.catalogue, e) != ERR_OK ||
	    model_load(&s->a, c.catalogue, &source, &m, e) != ERR_OK)
		return e->code;
	if (m->n_forms == 0)
		return err_set(e, ERR_INPUT, "%s: a model without forms", path);
	c.model = m;
	c.isa = isa->name;
	c.identity = "";
	c.board = "";
	c.cpu = m->cpu ? m->cpu : "";
	c.source = m->source ? m->source : "";
	for (size_t i = 0; i < m->n_forms; i++)
		add_form_values(s, &c, &m->forms[i], &claims);
	c.claims.list = buffer_take_list(&s->a, &claims, sizeof(struct claim),
					 &c.claims.n);
	c.claims.list = sort_by_core(s, &c.claims);
	list_forms(s, &c);
	return add_core(s, &c, e);
}

int site_read(struct site *s, const char *path, struct err *e)
{
	return store_is_database(path) ? read_database(s, path, e)
				       : read_model(s, path, e);
}
