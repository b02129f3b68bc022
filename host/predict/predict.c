/* Compute all bounds of a loop and choose the one that applies. */
#include "host/predict/predict.h"

#include <math.h>
#include <string.h>

#include "host/base/file.h"
#include "host/effect/effect.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/predict/executed.h"

/* Cycles of each of several taken branches: those of a jump, in code where each
 * leads to the next, 16 or 64 bytes on; at most `most`. */
static double cycles_of_taken(const struct body *b, double most)
{
	const char *const *name = b->program->c->isa->loop->line_branches;
	double least = most;

	for (; name && *name; name++) {
		const char *const names[] = { *name, arena_printf(b->a, "%s,16",
								  *name) };

		for (size_t i = 0; i < ARRAY_LEN(names); i++) {
			const struct model_form *f =
				model_find(b->model, names[i]);

			if (f && f->throughput.has_value &&
			    f->throughput.low > 0)
				least = fmin(least,
					     model_cycles(f->throughput));
		}
	}
	return least;
}

/* The branch that ends a loop takes a whole turn of the front end, several in a
 * row take less each. */
static double find_branch_bound(const struct body *b)
{
	const struct model *m = b->model;
	double turn = m->taken_branches > 0 ? 1 / m->taken_branches : 1;
	double n = fmax(1, b->loop->n_taken);

	return n > 1 ? fmax(turn, n * cycles_of_taken(b, turn)) : turn;
}

static void predict_find_width(struct prediction *p)
{
	const struct model *m = p->body.model;
	double slots = 0;

	for (size_t i = 0; i < p->body.n; i++)
		slots += p->body.ops[i].slots;
	if (m->width.has_value)
		p->width_bound = slots / m->width.high;
	/* A core that is not known to take several branches in a cycle takes
	 * one. */
	if (p->body.loop->closed)
		p->branch_bound = find_branch_bound(&p->body);
}

static void find_effect_bounds(struct prediction *p)
{
	for (size_t i = 0; effects[i]; i++) {
		if (effects[i]->bound)
			p->effect_bounds[i] =
				effects[i]->bound->cycles(&p->body);
		p->effect_bound = fmax(p->effect_bound, p->effect_bounds[i]);
	}
}

/* ---- the reason ---------------------------------------------------- */

static const char *predict_mnemonic(const struct op *o)
{
	return o->insn->instance.form ? o->insn->instance.form->mnemonic
				      : o->insn->text;
}

/* The first edge of a chain into a later iteration; NULL: none. */
static const struct edge *predict_carrying(const struct prediction *p,
					   const struct path *chain)
{
	for (size_t i = 0; i < chain->n; i++)
		if (p->graph.edges[chain->edges[i]].distance > 0)
			return &p->graph.edges[chain->edges[i]];
	return NULL;
}

const char *prediction_carrier(const struct prediction *p,
			       const struct path *chain)
{
	const struct edge *x = predict_carrying(p, chain);
	const struct link *l = x ? &p->graph.links[x->link] : NULL;

	return l ? op_read_name(&p->body, &p->body.ops[l->to], l->to_read) : "";
}

/* Role of an operand in its instruction, for the reason. */
static const char *operand_role(const struct op *o, uint32_t read)
{
	const struct operand *x;

	if (read == op_memory_read(o))
		return "data in memory";
	x = op_operand(o, &o->reads[read]);
	if (o->reads[read].address)
		return "address";
	if (!x || x->implicit)
		return "implicit operand";
	if (x->tied_to >= 0)
		return "destination operand";
	return o->reads[read].operand + 1 == op_form(o)->n_explicit &&
			       o->reads[read].operand > 1
		       ? "last operand"
		       : "source operand";
}

static void say_carried(struct buffer *b, const struct prediction *p)
{
	const struct path *c = &p->carried;
	const struct edge *x = predict_carrying(p, c);

	if (x) {
		const struct link *l = &p->graph.links[x->link];
		const struct op *to = &p->body.ops[l->to];

		buffer_printf(b,
			      "carried through %s by the %s of %s, %.4g "
			      "cycle%s",
			      op_read_name(&p->body, to, l->to_read),
			      operand_role(to, l->to_read),
			      predict_mnemonic(to), x->cycles,
			      x->cycles == 1 ? "" : "s");
	}
	if (c->n > 1)
		buffer_printf(b, "; the chain of %zu takes %.4g in all", c->n,
			      c->total);
	if (c->iterations > 1)
		buffer_printf(b, " over %u iterations",
			      (unsigned)c->iterations);
}

/* The effect whose bound is at least this; else taken branches. */
static const char *effect_reason(const struct prediction *p, double most)
{
	for (size_t i = 0; effects[i]; i++)
		if (p->effect_bounds[i] >= most)
			return effects[i]->bound->reason;
	return "taken branches";
}

static void say_throughput(struct buffer *b, struct arena *a,
			   const struct prediction *p)
{
	double most = p->throughput * (1 - 1e-9);

	const char *ports =
		model_ports_text(a, p->body.model, p->pressure.ports);

	if (p->pressure.bound >= most && strcmp(ports, LOAD_STORE_POOL) == 0)
		buffer_printf(b, "bound by %s", ports);
	else if (p->pressure.bound >= most)
		buffer_printf(b, "bound by ports %s", ports);
	else if (p->width_bound >= most)
		buffer_printf(b, "bound by the width of the front end");
	else
		buffer_printf(b, "bound by %s", effect_reason(p, most));
}

/* Name the queue that held dispatch for most of the cycles, if any. */
static void say_held(struct buffer *b, const struct prediction *p)
{
	static const double most_of = 0.3;
	const struct simulation *s = &p->simulation;
	const struct model *m = p->body.model;
	const struct {
		uint32_t size;
		const char *before, *behind;
	} queues[SIM_N_HOLDS] = {
		[SIM_HOLD_WINDOW] = { m->reorder_buffer,
				      "instructions wait for room among ", "" },
		[SIM_HOLD_GENERAL] = { m->general_queue, "",
				       " instructions on general registers "
				       "fill the scheduler" },
		[SIM_HOLD_VECTORS] = { m->vector_queue, "",
				       " instructions on vectors wait for "
				       "their sources" },
		[SIM_HOLD_LOADS] = { m->load_queue,
				     "loads wait for room among ", "" },
		[SIM_HOLD_REGISTERS] = { m->vector_registers,
					 "vector registers run out, ",
					 " are written before one is free "
					 "again" },
	};
	enum sim_hold by = SIM_HOLD_WINDOW;

	for (enum sim_hold h = SIM_HOLD_WINDOW; h <= SIM_HOLD_REGISTERS; h++)
		if (s->held[h] > s->held[by])
			by = h;
	if ((double)s->held[by] > most_of * (double)s->elapsed &&
	    queues[by].size > 0)
		buffer_printf(b, "%s%u%s", queues[by].before,
			      (unsigned)queues[by].size, queues[by].behind);
	else
		buffer_printf(b, "uops get in each other's way");
}

static const char *predict_explain(struct arena *a, const struct prediction *p)
{
	struct buffer b = { 0 };
	double bound = fmax(p->throughput, p->carried.cycles);
	const char *text;

	if (bound <= 0)
		buffer_printf(&b, "nothing known bounds it");
	else if (p->carried.cycles >= p->throughput * (1 - 1e-9))
		say_carried(&b, p);
	else
		say_throughput(&b, a, p);
	if (bound > 0 && p->simulated && p->cycles > bound * 1.02) {
		buffer_printf(&b, ", and %.1f %% more because ",
			      100 * (p->cycles / bound - 1));
		say_held(&b, p);
	}
	buffer_add(&b, "", 1);
	text = arena_strdup(a, (const char *)b.bytes);
	buffer_free(&b);
	return text;
}

static int predict_aligned(struct arena *a, const struct loop_on *l,
			   const struct predict_options *o, bool worst,
			   struct prediction *ret, struct err *e)
{
	struct prediction p = { 0 };

	if (body_bind(a, l, worst, &p.body, e) != ERR_OK)
		return e->code;
	*ret = p;
	/* The graph keeps a pointer to the body, so use its final address. */
	graph_build(a, &ret->body, &ret->graph);
	graph_critical_path(a, &ret->graph, &ret->critical);
	graph_carried(a, &ret->graph, &ret->carried);
	pressure_find(a, &ret->body, o->equal_split, &ret->pressure);
	predict_find_width(ret);
	find_effect_bounds(ret);
	ret->throughput = fmax(fmax(ret->pressure.bound, ret->width_bound),
			       fmax(ret->branch_bound, ret->effect_bound));
	ret->cycles = fmax(ret->throughput, ret->carried.cycles);
	ret->how.fetch = fmax(ret->branch_bound, ret->effect_bound);
	if (!o->bounds_only) {
		simulate(a, &ret->graph, &ret->pressure, &ret->how,
			 &ret->simulation);
		ret->simulated = !ret->simulation.sizes_assumed &&
				 ret->body.model->width.has_value;
		if (ret->simulated && ret->simulation.cycles > ret->cycles)
			ret->cycles = ret->simulation.cycles;
	}
	ret->timeline = o->timeline;
	ret->columns = o->columns;
	ret->why = predict_explain(a, ret);
	return ERR_OK;
}

/* The loop without what its jumps skip, if nothing else is known of its path. */
static const struct loop_on *follow_jumps(struct arena *a,
					  const struct loop_on *l)
{
	struct loop_on *ret = ARENA_NEW(a, struct loop_on);
	struct program *p = ARENA_NEW(a, struct program);
	struct loop *loop = ARENA_NEW(a, struct loop);
	struct executed path;

	if (!l->loop->closed || l->loop->straight || l->loop->n_taken > 0 ||
	    l->loop->crossings ||
	    !executed_follow(a, l->program, l->loop, &path))
		return l;
	executed_program(a, l->program, &path, p, loop);
	p->source = l->program->source;
	loop->label = l->loop->label;
	loop->function = l->loop->function;
	*ret = (struct loop_on){ p, loop, l->completion };
	return ret;
}

int predict(struct arena *a, const struct loop_on *l,
	    const struct predict_options *o, struct prediction *ret,
	    struct err *e)
{
	struct prediction worst;

	l = follow_jumps(a, l);
	if (predict_aligned(a, l, o, false, ret, e) != ERR_OK ||
	    !o->any_alignment)
		return e->code;
	if (predict_aligned(a, l, o, true, &worst, e) != ERR_OK)
		return e->code;
	ret->worst_cycles = fmax(worst.cycles, ret->cycles);
	for (size_t i = 0; i < ret->body.n; i++)
		ret->body.ops[i].may_straddle = worst.body.ops[i].straddles;
	return ERR_OK;
}
