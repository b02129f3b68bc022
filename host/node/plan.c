#include "host/node/plan.h"

#include <limits.h>

#include "host/isa/isa.h"
#include "host/isa/mc_parse.h"

/* Where the plan is made. */
struct planner {
	const struct node_plan_request *q;
	struct node_plan *p;
};

/* ---- kernels ------------------------------------------------------------ */

static int add_code(struct node_plan *p, const struct node_assembler *how,
		    enum node_kind kind, const struct isa_width *w,
		    struct err *e)
{
	if (p->n_codes == NODE_MAX_CODES || !node_code_exists(how->c, kind, w))
		return ERR_OK;
	return node_code_make(how, kind, w, &p->codes[p->n_codes++], e);
}

static int add_codes(struct arena *a, const struct catalogue *c,
		     struct node_plan *p, struct err *e)
{
	const struct isa *isa = c->isa;
	struct node_assembler how = { .a = a, .c = c };

	if (mc_parser_open(isa->triple, isa->default_cpu, isa->features,
			   &how.parser, e) != ERR_OK)
		return e->code;
	for (const struct isa_width *w = isa->stream->widths; w->name; w++)
		for (int k = 0; k < NODE_LATENCY && e->code == ERR_OK; k++)
			(void)add_code(p, &how, (enum node_kind)k, w, e);
	if (e->code == ERR_OK)
		(void)add_code(p, &how, NODE_LATENCY, NULL, e);
	mc_parser_close(how.parser);
	return e->code;
}

/* ---- rows --------------------------------------------------------------- */

/* Vectors whose length is the core's are at least as wide as others. */
static unsigned rank(const struct isa_width *w)
{
	return w->scalable ? UINT_MAX : w->bytes;
}

static bool is_widest(const struct node_plan *p, size_t code)
{
	for (size_t i = 0; i < p->n_codes; i++)
		if (p->codes[i].kind == p->codes[code].kind &&
		    p->codes[i].width && p->codes[code].width &&
		    rank(p->codes[i].width) > rank(p->codes[code].width))
			return false;
	return true;
}

static void add_row(struct planner *n, size_t code, size_t level,
		    size_t n_cores)
{
	const struct node_code *k = &n->p->codes[code];
	const struct node_level *l = &n->q->levels->at[level];
	uint64_t bytes = 0;

	if (n->p->n == NODE_MAX_ROWS)
		return;
	if (k->n_arrays > 0)
		bytes = l->bytes == 0 && n->q->memory
				? n->q->memory
				: node_array_bytes(n->q->levels, level, n_cores,
						   k->n_arrays);
	if (k->n_arrays > 0 && bytes == 0)
		return;
	n->p->code[n->p->n] = (uint8_t)code;
	n->p->rows[n->p->n++] = (struct node_row){
		.kind = k->kind,
		.width = k->width ? k->width->name : "",
		.level = k->n_arrays > 0 ? l->name : "",
		.bytes = bytes,
		.n_arrays = k->n_arrays,
		.n_cores = n_cores,
		.per_iteration = k->per_iteration,
		.code = k->body,
		.n_code = k->n,
		.allocated = -1,
	};
}

/* Narrow registers matter in the core and in its first cache; beyond it,
 * the widest are enough.  Stores that bypass caches are for memory. */
static bool is_wanted(const struct planner *n, size_t code, size_t level,
		      size_t n_cores)
{
	const struct node_code *k = &n->p->codes[code];
	bool memory = n->q->levels->at[level].bytes == 0;

	if (n->q->loads_of_all)
		return k->kind == NODE_LOAD && is_widest(n->p, code) &&
		       n_cores == n->q->n_cores;
	if (k->kind == NODE_FLOPS)
		return level == 0;
	if (k->kind == NODE_STREAM && !memory)
		return false;
	return is_widest(n->p, code) || (level == 0 && n_cores == 1);
}

static void add_rows(struct planner *n, size_t n_cores)
{
	for (size_t level = 0; level < n->q->levels->n; level++)
		for (size_t code = 0; code < n->p->n_codes; code++)
			if (is_wanted(n, code, level, n_cores))
				add_row(n, code, level, n_cores);
}

/* Numbers of active cores: all small ones, then about four in each doubling. */
static size_t next_count(size_t n, size_t most)
{
	enum { ALL = 4, SHARE = 4 };
	size_t next = n < ALL ? n + 1 : n + n / SHARE;

	return n == most ? most + 1 : next < most ? next : most;
}

int node_plan_make(struct arena *a, const struct node_plan_request *q,
		   struct node_plan *ret, struct err *e)
{
	struct planner n = { q, ret };

	*ret = (struct node_plan){ .n = 0 };
	ret->rows = ARENA_ARRAY(a, struct node_row, NODE_MAX_ROWS);
	ret->code = ARENA_ARRAY(a, uint8_t, NODE_MAX_ROWS);
	if (!q->c->isa->stream || add_codes(a, q->c, ret, e) != ERR_OK)
		return err_set(e, ERR_INPUT, "no kernels on streams for %s",
			       q->c->isa->name);
	for (size_t k = 1; k <= q->n_cores; k = next_count(k, q->n_cores))
		add_rows(&n, k);
	return ERR_OK;
}

void node_plan_scale(struct arena *a, struct node_plan *p, uint64_t bytes)
{
	bool fits[NODE_MAX_CODES];

	for (size_t i = 0; i < p->n_codes; i++) {
		const struct isa_width *w = p->codes[i].width;

		fits[i] = w && w->scalable &&
			  node_code_scale(&p->codes[i], bytes);
	}
	for (size_t i = 0; i < p->n; i++) {
		const struct node_code *k = &p->codes[p->code[i]];
		struct node_row *row = &p->rows[i];

		if (!k->width || !k->width->scalable)
			continue;
		if (!fits[p->code[i]] || (row->bytes && row->bytes < k->step)) {
			row->problem = "no kernel for vectors of this length";
			continue;
		}
		row->width = arena_printf(a, "%s%u", k->width->name,
					  8 * (unsigned)bytes);
		row->per_iteration = k->per_iteration;
	}
}
