/* Select what a report shows; see report.h. */
#include "host/predict/report.h"

#include <math.h>
#include <string.h>

#include "host/base/file.h"

static const struct report_number_name number_names[N_NUMBERS] = {
	[NUMBER_THROUGHPUT] = { "throughput", NULL, "throughput" },
	[NUMBER_PORTS] = { "ports", "Ports", "port_bound" },
	[NUMBER_FRONT_END] = { "front end", "Front end", "front_end_bound" },
	[NUMBER_BRANCHES] = { "taken branches", "Taken branches",
			      "branch_bound" },
	[NUMBER_CARRIED] = { "loop-carried dependency",
			     "Loop-carried dependency", "loop_carried" },
	[NUMBER_CRITICAL] = { "critical path", "Critical path of one iteration",
			      "critical_path" },
	[NUMBER_WORST] = { "at worst alignment", "At the worst alignment",
			   "cycles_at_worst_alignment" },
	[NUMBER_CYCLES] = { "predicted", "Cycles per iteration", "cycles" },
	[NUMBER_ASSUMED] = { NULL, "Instructions with assumed values", NULL },
};

struct report_number_name report_number_name(enum report_number k)
{
	for (size_t i = 0; effects[i]; i++) {
		const struct effect_bound *x = effects[i]->bound;

		if (x && k == NUMBER_EFFECTS + i)
			return (struct report_number_name){ x->text, x->html,
							    x->json };
	}
	return number_names[k];
}

const struct report_stall report_stalls[SIM_N_STALLS] = {
	[SIM_STALL_FRONT_END] = { "front end", "front_end" },
	[SIM_STALL_PORTS] = { "ports", "ports" },
	[SIM_STALL_DEPENDENCY] = { "dependencies", "dependencies" },
	[SIM_STALL_LOADS] = { "loads", "loads" },
	[SIM_STALL_WINDOW] = { "reorder buffer", "reorder_buffer" },
	[SIM_STALL_SCHEDULER] = { "scheduler", "scheduler" },
	[SIM_STALL_VECTORS] = { "vector queue", "vector_queue" },
	[SIM_STALL_LOAD_BUFFER] = { "load buffer", "load_buffer" },
	[SIM_STALL_REGISTERS] = { "vector registers", "vector_registers" },
};

/* ---- ports ------------------------------------------------------------- */

/* Length of the prefix that all ports share. Pools, which follow the ports,
 * have names of their own and are ignored. */
static size_t report_prefix(const struct body *x)
{
	const struct model_port *ports = x->model->ports;
	size_t n = x->n_ports > 1 ? strlen(ports[0].name) : 0;

	for (size_t k = 1; k < x->n_ports; k++) {
		size_t same = 0;

		while (same < n && ports[k].name[same] == ports[0].name[same])
			same++;
		n = same;
	}
	/* No port is left without a name. */
	for (size_t k = 0; k < x->n_ports; k++)
		if (ports[k].name[n] == '\0')
			return 0;
	return n;
}

static struct report_port *report_ports(const struct prediction *p)
{
	enum { LONGEST = 10, LETTERS = 26 };
	const struct body *x = &p->body;
	size_t prefix = report_prefix(x);
	struct report_port *ret =
		ARENA_ARRAY(x->a, struct report_port, p->pressure.n_ports + 1);
	unsigned n_long = 0;

	for (size_t k = 0; k < p->pressure.n_ports; k++) {
		const char *name = x->model->ports[k].name;
		bool pool = k >= x->n_ports;
		struct report_port *port = &ret[k];

		port->name = pool ? name : name + prefix;
		port->sum = p->pressure.sum[k];
		port->is_used = port->sum > 0;
		port->is_long = pool && strlen(port->name) > LONGEST;
		port->heading =
			!port->is_long ? arena_printf(x->a, "%.15s", port->name)
			: n_long < LETTERS
				? arena_printf(x->a, "[%c]", 'a' + (int)n_long)
				: arena_printf(x->a, "[%u]", n_long);
		n_long += port->is_long && port->is_used;
	}
	return ret;
}

/* ---- where values come from -------------------------------------------- */

/* Is the model itself measured, rather than read from tables? */
static bool origin_is_measured(const struct body *b)
{
	static const char word[] = "measured";

	return strncmp(b->model->source, word, sizeof(word) - 1) == 0;
}

static void origin_add(struct buffer *out, const struct body *b,
		       const struct cost_origin *from)
{
	const struct model *tables = completed_tables(b->completion);
	const char *base = origin_is_measured(b) ? "measured" : "in the model";

	switch (from->origin) {
	case ORIGIN_MODEL:
		buffer_printf(out, "%s", base);
		return;
	case ORIGIN_CLASS:
		buffer_printf(out, "%s for %s", base,
			      from->like ? from->like : "forms of its class");
		return;
	case ORIGIN_PARTS:
		buffer_printf(out, "%s for %s", base,
			      from->like ? from->like
					 : "its access and its computation");
		return;
	case ORIGIN_TABLES:
		buffer_printf(out, "from %s",
			      tables ? tables->source : "tables");
		return;
	case ORIGIN_BETWEEN:
		buffer_printf(out, "between bounds (%s), their middle", base);
		return;
	default:
		buffer_printf(out, "assumed");
	}
}

static bool origin_is_same(const struct cost_origin *x,
			   const struct cost_origin *y)
{
	return x->origin == y->origin &&
	       (x->like == y->like ||
		(x->like && y->like && strcmp(x->like, y->like) == 0));
}

/* The ports need words of their own where there are none. */
static const char *origin_no_ports(const struct op *o)
{
	if (o->form->has_ports || o->eliminated)
		return NULL;
	if (o->costs->own_contradicted)
		return "no ports, those of the model contradict its throughput";
	return o->costs->table_contradicted
		       ? "no ports, the tables' contradict what was measured"
		       : "no ports";
}

/* Values of the same origin share its words. */
static const char *report_origin(const struct body *b, const struct op *o)
{
	static const char *const words[COST_N] = {
		[COST_LATENCY] = "latency",
		[COST_THROUGHPUT] = "throughput",
		[COST_PORTS] = "ports",
	};
	struct buffer out = { 0 };
	bool said[COST_N] = { false };
	const char *none, *text;

	if (!o->costs)
		return "unknown instruction";
	none = origin_no_ports(o);
	said[COST_PORTS] = none != NULL || o->eliminated;
	for (int k = 0; k < COST_N; k++) {
		if (said[k])
			continue;
		buffer_printf(&out, "%s%s", k > 0 ? ", " : "", words[k]);
		for (int j = k + 1; j < COST_N; j++)
			if (!said[j] &&
			    origin_is_same(&o->origin[k], &o->origin[j])) {
				buffer_printf(&out, ", %s", words[j]);
				said[j] = true;
			}
		buffer_printf(&out, " ");
		origin_add(&out, b, &o->origin[k]);
	}
	if (none)
		buffer_printf(&out, ", %s", none);
	buffer_add(&out, "", 1);
	text = arena_strdup(b->a, (const char *)out.bytes);
	buffer_free(&out);
	return text;
}

/* Does a value come from LLVM's tables, and was it corrected there? */
static bool report_is_corrected(const struct body *b, const struct op *o)
{
	const struct model *tables = completed_tables(b->completion);
	const struct model_form *f = NULL;
	bool used = false;

	for (int k = 0; o->costs && k < COST_N; k++)
		used = used ||
		       o->origin[k].origin ==
			       (b->model->llvm ? ORIGIN_MODEL : ORIGIN_TABLES);
	if (used && o->form)
		f = b->model->llvm ? model_find(b->model, o->form->name)
		    : tables       ? model_find(tables, o->form->name)
				   : NULL;
	return f && model_is_corrected(f);
}

static char report_mark(const struct op *o)
{
	static const char marks[ORIGIN_N] = {
		[ORIGIN_MODEL] = ' ',   [ORIGIN_CLASS] = 'c',
		[ORIGIN_PARTS] = 'p',   [ORIGIN_TABLES] = 't',
		[ORIGIN_BETWEEN] = 'b', [ORIGIN_ASSUMED] = 'X',
	};
	enum model_origin worst = ORIGIN_MODEL;

	if (o->assumed || !o->costs)
		return 'X';
	for (int k = 0; k < COST_N; k++)
		if (o->origin[k].origin > worst &&
		    o->origin[k].origin < ORIGIN_ASSUMED)
			worst = o->origin[k].origin;
	return marks[worst];
}

/* ---- columns ------------------------------------------------------------- */

static const struct report_column cost_columns[] = {
	{ "lat", "Latency", "latency", offsetof(struct report_row, latency),
	  false, NULL },
	{ "uops", "Uops", NULL, offsetof(struct report_row, slots), true,
	  NULL },
	{ NULL, NULL, "uops", offsetof(struct report_row, uops), false, NULL },
	{ "rtp", NULL, "reciprocal_throughput",
	  offsetof(struct report_row, throughput), false, NULL },
};

_Static_assert(ARRAY_LEN(cost_columns) + EFFECT_MAX <= REPORT_MAX_COLUMNS,
	       "room for the columns of all effects");

double report_value(const struct report *r, const struct report_column *c,
		    const struct report_row *x)
{
	return c->effect ? c->effect->value(&r->p->body, x->op)
			 : *(const double *)(const void *)((const char *)x +
							   c->at);
}

static bool is_shown(const struct report *r, const struct report_column *c)
{
	for (size_t i = 0; i < r->p->body.n; i++)
		if (report_value(r, c, &r->rows[i]) >= 0)
			return true;
	return false;
}

static void report_add_columns(struct report *r)
{
	memcpy(r->columns, cost_columns, sizeof(cost_columns));
	r->n_columns = ARRAY_LEN(cost_columns);
	for (size_t i = 0; effects[i]; i++) {
		const struct effect_column *x = effects[i]->column;
		struct report_column *c = &r->columns[r->n_columns];

		if (!x)
			continue;
		*c = (struct report_column){ .text = x->title,
					     .html = x->title,
					     .json = x->key,
					     .effect = x };
		r->n_columns += is_shown(r, c);
	}
}

/* ---- rows -------------------------------------------------------------- */

static void report_costs(struct report_row *r)
{
	const struct op *o = r->op;

	r->latency = r->uops = r->throughput = -1;
	r->slots = o->slots;
	for (size_t w = 0; w < o->n_writes; w++)
		for (size_t i = 0; i <= o->n_reads + 1; i++)
			r->latency = fmax(r->latency, op_latency(o, i, w));
	if (!o->form)
		return;
	if (o->form->has_ports) {
		r->uops = 0;
		for (size_t u = 0; u < o->form->n_uses; u++)
			r->uops += o->form->uses[u].n_uops;
	}
	if (o->form->throughput.has_value)
		r->throughput = model_cycles(o->form->throughput);
}

static struct report_row *report_rows(const struct prediction *p)
{
	const struct body *x = &p->body;
	struct report_row *ret = ARENA_ARRAY(x->a, struct report_row, x->n + 1);

	for (size_t i = 0; i < x->n; i++) {
		const struct op *o = &x->ops[i];
		struct report_row *r = &ret[i];

		r->op = o;
		r->text = o->insn->text;
		r->place =
			x->program->source
				? arena_printf(x->a, "%u",
					       (unsigned)o->insn->line)
				: arena_printf(
					  x->a, "%llx",
					  (unsigned long long)o->insn->address);
		r->origin = report_origin(x, o);
		r->corrected = report_is_corrected(&p->body, o);
		r->mark = r->corrected ? 't' : report_mark(o);
		report_costs(r);
		r->share = &p->pressure.share[i * p->pressure.n_ports];
		r->on_critical = p->critical.on[i];
		r->critical = p->critical.marks[i];
		r->on_carried = p->carried.on[i];
		r->carried = p->carried.marks[i];
	}
	return ret;
}

struct report report_table(const struct prediction *p)
{
	struct report r = {
		.p = p,
		.ports = report_ports(p),
		.rows = report_rows(p),
		.numbers = {
			[NUMBER_THROUGHPUT] = p->throughput,
			[NUMBER_PORTS] = p->pressure.bound,
			[NUMBER_FRONT_END] = p->width_bound,
			[NUMBER_BRANCHES] = p->branch_bound,
			[NUMBER_CARRIED] = p->carried.cycles,
			[NUMBER_CRITICAL] = p->critical.cycles,
			[NUMBER_WORST] = p->worst_cycles,
			[NUMBER_CYCLES] = p->cycles,
		},
	};

	for (size_t i = 0; i < p->body.n; i++)
		r.numbers[NUMBER_ASSUMED] += p->body.ops[i].assumed != NULL;
	memcpy(&r.numbers[NUMBER_EFFECTS], p->effect_bounds,
	       sizeof(p->effect_bounds));
	report_add_columns(&r);
	return r;
}

/* ---- the simulation ---------------------------------------------------- */

/* Means over the second half of the simulation, without its start. */
static void report_waits(struct report *r)
{
	const struct simulation *s = &r->simulation;
	size_t n = r->p->body.n;
	size_t iterations = s->n_events / n, first = iterations / 2;

	for (size_t i = first * n; i < iterations * n; i++) {
		const struct sim_event *e = &s->events[i];
		struct report_wait *x = &r->rows[e->op].wait;
		double count = (double)(iterations - first);

		x->operands += (e->ready - e->dispatched) / count;
		x->ports += (e->started - e->ready) / count;
		x->retirement += (e->retired - e->done) / count;
	}
}

struct report report_make(const struct prediction *p)
{
	struct report r = report_table(p);
	struct sim_options how = p->how;

	graph_chains(p->body.a, &p->graph, &p->carried, &r.chains);
	if (p->simulation.simulated == 0)
		return r;
	how.record = true;
	simulate(p->body.a, &p->graph, &p->pressure, &how, &r.simulation);
	report_waits(&r);
	return r;
}

/* ---- what if ----------------------------------------------------------- */

bool report_without(struct arena *a, const struct prediction *p, size_t gone,
		    struct prediction *ret)
{
	const struct predict_options how = { .bounds_only = !p->simulated };
	const struct program *old = p->body.program;
	struct program *program = arena_copy(a, old, sizeof(*old));
	struct loop *loop = arena_copy(a, p->body.loop, sizeof(*loop));
	double *crossings = ARENA_ARRAY(a, double, p->body.n);
	struct err none = { .code = ERR_OK };
	size_t n = 0;

	program->insns = ARENA_ARRAY(a, struct insn, p->body.n);
	for (size_t i = 0; i < p->body.n; i++) {
		if (i == gone)
			continue;
		program->insns[n] = old->insns[p->body.loop->first + i];
		if (loop->crossings)
			crossings[n] = loop->crossings[i];
		n++;
	}
	program->n = n;
	program->n_labels = program->n_marks = 0;
	loop->first = 0;
	loop->last = n - 1;
	if (loop->crossings)
		loop->crossings = crossings;
	return predict(a,
		       &(struct loop_on){ program, loop, p->body.completion },
		       &how, ret, &none) == ERR_OK;
}
