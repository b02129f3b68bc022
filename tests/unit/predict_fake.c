/* A thousand random loops for each ISA on random invented cores, with flags,
 * conditions, chains through memory, branches inside; of x86-64 pushes and pops,
 * and results in parts of registers. The prediction from the core's
 * description must match the core's own clock. The two implementations share
 * the description and nothing else.
 *
 *	unit_predict_fake [SEED [CORES]]
 *
 * tries other cores. */
#include <math.h>

#include "host/effect/decoupled.h"
#include "host/fake/loop.h"
#include "host/isa/flags.h"
#include "host/predict/executed.h"
#include "host/predict/predict.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/predict_ideal.h"
#include "tests/unit/random_loop.h"
#include "tests/unit/unit.h"

enum { LOOPS_PER_CORE = 20 };

static unsigned seed = 1, n_cores = 17;

/* ---- a core ------------------------------------------------------------ */

/* Has it a result and a register as operand 1?  Comparisons have no results
 * except flags. */
static bool has_pair(const struct set *set, const char *name)
{
	return !is_branch(set, name) && (strcmp(set->isa, "x86_64") != 0 ||
					 (strncmp(name, "CMP", 3) != 0 &&
					  strncmp(name, "TEST", 4) != 0 &&
					  strncmp(name, "SET", 3) != 0));
}

/* The cycles of forwarding beyond a load from the cache cannot be attributed to
 * one instruction, so there are none; on an in-order core also not fewer.  A pop
 * is a load like any other. */
static void draw_load(struct rng *r, struct buffer *b, bool in_order, bool pop)
{
	if (!pop) {
		r->load_latency = 1 + draw(r, 6);
		r->load_memory = in_order ? r->load_latency
					  : 1 + draw(r, r->load_latency);
	}
	buffer_printf(b, ", latency=%u, latency[mem>0]=%u", r->load_latency,
		      r->load_memory);
}

extern const struct effect effect_decoupled;

/* Does it compute with vectors or numbers in floating point? */
static bool is_vector(const char *name)
{
	return *name == 'F' || *name == 'V';
}

static void draw_form(struct rng *r, struct buffer *b, const struct set *set,
		      const char *name, uint32_t n_ports, bool in_order)
{
	uint32_t latency = 1 + draw(r, 6);
	bool pop = is_named(name, set->pop);
	bool store = is_named(name, set->store) || is_named(name, set->push);
	bool load = is_named(name, set->load) || pop;
	bool branch = is_branch(set, name);
	bool merges = set->merges && is_one_of(set->merges, name);
	uint32_t n = 1 + draw(r, 2);

	buffer_printf(b, "form %s(/.*)?: ", name);
	if (!load && !store && !branch && !merges && draw(r, 12) == 0) {
		buffer_printf(b, "eliminated\n");
		return;
	}
	buffer_printf(b, "ports=");
	for (uint32_t i = 0; i < n; i++) {
		uint32_t of = 1 + draw(r, (1u << n_ports) - 1);
		const char *between = i > 0 ? " + " : "";

		for (uint32_t p = 0; p < n_ports; p++)
			if (of >> p & 1) {
				buffer_printf(b, "%sp%u", between, p);
				between = "|";
			}
	}
	buffer_printf(b, ", occupancy=%u",
		      draw(r, 5) == 0 ? 1 + draw(r, 4) : 1);
	/* A store completes when it starts. */
	if (load)
		draw_load(r, b, in_order, pop);
	else
		buffer_printf(b, ", latency=%u", store || branch ? 1 : latency);
	if (merges)
		buffer_printf(b, ", merges");
	if (is_vector(name) || (r->queues_loads && load && !pop))
		buffer_printf(b, ", queued");
	if (!load && !store && has_pair(set, name) && draw(r, 3) == 0)
		buffer_printf(b, ", latency[1>0]=%u", 1 + draw(r, 6));
	if (draw(r, 3) == 0)
		buffer_printf(b, ", uops=%u", n + draw(r, 2));
	if (!load && !store && !branch && draw(r, 2) == 0)
		buffer_printf(b, ", class=%c", (int)('a' + draw(r, 2)));
	buffer_printf(b, "\n");
}

static void draw_core(struct rng *r, struct arena *a, const struct set *set,
		      struct core *ret)
{
	SCOPED(buffer_free) struct buffer b = { 0 };
	struct err e = { 0 };
	/* The core's clock distinguishes 16 sets of ports in a loop. */
	uint32_t n_ports = 1 + draw(r, 4);

	bool in_order = draw(r, 3) == 0, pairs = in_order && draw(r, 2) == 0;
	struct rng apart = *r; /* the other draws stay as they are */
	uint32_t queue =
		in_order && draw(&apart, 2) == 0 ? 1 + draw(&apart, 4) : 0;

	/* What a short queue holds up is measured form by form. */
	r->queues_loads = queue == 1 && draw(&apart, 2) == 0;
	buffer_printf(&b,
		      "isa = %s\nwidth = %u\nwindow = %u\ntaken = 1\n"
		      "stack_engine = 1\nqueue = %u\n%sports =",
		      set->isa, pairs ? 2 : 1 + draw(r, 8), 8 + draw(r, 200),
		      queue, in_order ? "order = in\n" : "");
	for (uint32_t p = 0; p < n_ports; p++)
		buffer_printf(&b, " p%u", p);
	buffer_printf(&b, "\nforward a>b = 1\nforward a>a = -1\n");
	if (pairs)
		buffer_printf(&b, "pair a>b\npair b>b\n");
	for (size_t i = 0; i < n_names(set); i++)
		draw_form(r, &b, set, set->names[i], n_ports, in_order);
	buffer_add(&b, "", 1);
	if (core_parse(a, "random.core", arena_strdup(a, (char *)b.bytes),
		       b.n - 1, ret, &e) != ERR_OK)
		fail_msg("%s\n%s", e.message, (char *)b.bytes);
}

/* ---- the same core as a model ------------------------------------------ */

static struct model_span exactly(double x)
{
	return (struct model_span){ true, x, x };
}

static void copy_form(struct arena *a, const struct core *core,
		      const struct core_form *f, const char *name,
		      struct model_form *ret)
{
	struct model_use *uses =
		ARENA_ARRAY(a, struct model_use, CORE_MAX_UOPS);
	struct model_latency *l =
		ARENA_ARRAY(a, struct model_latency, 1 + f->n_latencies);

	*ret = (struct model_form){
		.name = name,
		.slots = exactly(f->n_uops),
		.has_ports = true,
		.n_uses = f->n_port_uops,
		.uses = uses,
		.n_latencies = 1 + f->n_latencies,
		.latencies = l,
		.eliminated = f->eliminated,
		.bypass = f->class_id,
		.pairing = core->has_pairs ? f->pairing_id : 0,
	};
	for (uint32_t u = 0; u < f->n_port_uops; u++)
		uses[u] = (struct model_use){
			.ports = f->ports[u],
			.n_uops = 1,
			.cycles = u == 0 ? f->occupancy : 1,
		};
	l[0] = (struct model_latency){
		MODEL_ANY, MODEL_ANY, exactly(f->latency), { 0 }
	};
	/* Pops that take less than a cycle show a stack engine. */
	if (strcmp(name, "POP16r/alone") == 0) {
		*ret = (struct model_form){ .name = name,
					    .throughput = exactly(0.5) };
		return;
	}
	/* A latency through memory is a forward. */
	if (f->n_latencies > 0 && strcmp(f->latencies[0].src, "mem") == 0)
		ret->n_latencies = 1;
	for (size_t i = 0; i + 1 < ret->n_latencies; i++)
		l[1 + i] = (struct model_latency){
			(int8_t)atoi(f->latencies[i].src),
			(int8_t)atoi(f->latencies[i].dst),
			exactly(f->latencies[i].cycles),
			{ 0 }
		};
}

/* From the store to the load, including both; and from a push to a pop. */
static size_t forwards_of(struct arena *a, const struct set *set,
			  const struct core *core,
			  const struct model_forward **ret)
{
	struct model_forward *f = ARENA_ARRAY(a, struct model_forward, 2);
	uint32_t cycles = core_find(core, set->store)->latency +
			  core_find(core, set->load)->latencies[0].cycles;

	f[0] = (struct model_forward){ set->store, set->load, exactly(cycles),
				       NULL, false };
	f[1] = f[0];
	f[1].store = set->push;
	f[1].load = set->pop;
	*ret = f;
	return set->push ? 2 : 1;
}

/* What is seen behind a sum that waits: the length of the queue, and whether a
 * load goes through it. */
static void copy_queue(struct arena *a, const struct set *set,
		       const struct core *core, struct model *m)
{
	struct decoupled *x = ARENA_ARRAY(a, struct decoupled, 4);
	const char *const *sum = set->names;
	const double wait = 3;

	if (core->queue == 0)
		return;
	while (!is_vector(*sum) || !strstr(*sum, "ADD"))
		sum++;
	x[0] = (struct decoupled){ *sum, *sum, NULL, 0, 0 };
	x[1] = (struct decoupled){ *sum, *sum, *sum, core->queue, wait };
	x[2] = (struct decoupled){ *sum, *sum, *sum, core->queue - 1, 0 };
	x[3] = (struct decoupled){ *sum, *sum, set->load, 1,
				   core_find(core, set->load)->queued ? wait
								      : 0 };
	m->effects[effect_number(&effect_decoupled)] =
		(struct model_list){ 4, x };
}

static void copy_core(struct arena *a, const struct set *set,
		      const struct core *core, const struct catalogue *c,
		      struct model *ret)
{
	size_t n = n_names(set);
	struct model_form *forms = ARENA_ARRAY(a, struct model_form, n);
	struct model_port *ports =
		ARENA_ARRAY(a, struct model_port, core->n_ports);
	double(*bypass)[MODEL_MAX_CLASSES] =
		arena_alloc(a, core->n_classes, sizeof(*bypass));
	bool(*pairs)[MODEL_MAX_CLASSES] =
		arena_alloc(a, core->n_classes, sizeof(*pairs));
	const char **classes = ARENA_ARRAY(a, const char *, core->n_classes);
	struct err e = { 0 };

	for (size_t i = 0; i < n; i++)
		copy_form(a, core, core_find(core, set->names[i]),
			  set->names[i], &forms[i]);
	for (size_t p = 0; p < core->n_ports; p++)
		ports[p].name = core->ports[p];
	for (size_t i = 0; i < core->n_classes; i++) {
		classes[i] = core->classes[i];
		for (size_t k = 0; k < core->n_classes; k++)
			bypass[i][k] = core->forward[i][k];
		memcpy(pairs[i], core->pair[i],
		       core->n_classes * sizeof(**pairs));
	}
	*ret = (struct model){
		.isa = set->isa,
		.cpu = "random",
		.source = "random.core",
		.width = exactly(core->width),
		.reorder_buffer = core->window,
		.n_ports = core->n_ports,
		.ports = ports,
		.n_forms = n,
		.forms = forms,
		.n_bypass = core->n_classes,
		.bypass_names = classes,
		.bypass = bypass,
		.in_order = core->in_order,
		.n_pairs = core->has_pairs ? core->n_classes : 0,
		.pair_names = classes,
		.pairs = pairs,
	};
	ret->n_forwards = forwards_of(a, set, core, &ret->forwards);
	copy_queue(a, set, core, ret);
	assert_ok(model_check(ret, c, &e), &e);
}

/* ---- both clocks ------------------------------------------------------- */

static double fake_clock(const struct catalogue *c, const struct core *core,
			 const unsigned char *code, size_t n)
{
	struct fake_code loop = { .loop = code, .loop_bytes = n };
	struct fake_loop *l = fake_loop_new(c, core);
	struct err e = { 0 };
	double cycles;

	assert_ok(fake_loop_cycles(l, &loop, &cycles, &e), &e);
	fake_loop_free(l);
	return cycles;
}

static double predicted(struct arena *a, const struct catalogue *c,
			const struct model *m, const struct drawn *d,
			unsigned *n_memory)
{
	struct predict_options how = { .bounds_only = !m->in_order };
	struct program all = { .c = c }, p;
	struct loop loop;
	struct loop_on on = { &p, &loop, model_complete(a, c, m, NULL) };
	struct executed path = { d->n_executed, d->order, 1 };
	struct prediction x;
	struct err e = { 0 };

	assert_ok(program_add_bytes(a, &all,
				    &(struct code){ "loop", d->code, d->n }, 0,
				    DATA_REFUSED, &e),
		  &e);
	executed_program(a, &all, &path, &p, &loop);
	assert_ok(predict(a, &on, &how, &x, &e), &e);
	for (size_t i = 0; i < x.carried.n; i++) {
		const struct link *l =
			&x.graph.links[x.graph.edges[x.carried.edges[i]].link];

		if (l->to_read == op_memory_read(&x.body.ops[l->to])) {
			(*n_memory)++;
			break;
		}
	}
	return m->in_order ? x.cycles : fmax(x.cycles, ideal_cycles(a, &x));
}

/* The number of a set's loops that are predicted wrong. */
static unsigned try_set(const struct set *set, unsigned *n_carried)
{
	SCOPED(arena_free) struct arena all = { 0 };
	struct catalogue *c = load(&all, set->isa, NULL);
	struct rng r = { .state = seed };
	unsigned n_bad = 0;

	for (unsigned i = 0; i < n_cores; i++) {
		SCOPED(arena_free) struct arena a = { 0 };
		struct core core;
		struct model m;

		draw_core(&r, &a, set, &core);
		copy_core(&a, set, &core, c, &m);
		for (int k = 0; k < LOOPS_PER_CORE; k++) {
			struct drawn d = { .r = &r, .set = set, .c = c };
			double want, have;

			draw_loop(&d);
			want = fake_clock(c, &core, d.code, d.n);
			have = predicted(&a, c, &m, &d, n_carried);
			if (fabs(have - want) <= 0.01 * want)
				continue;
			n_bad++;
			print_error(
				"%s core %u%s loop %d: %g cycles, its clock "
				"says %g\n",
				set->isa, i, core.in_order ? " in order" : "",
				k, have, want);
		}
		core_free(&core);
	}
	return n_bad;
}

TEST(random_loops)
{
	unsigned n_bad = 0;

	for (size_t i = 0; i < ARRAY_LEN(sets); i++) {
		unsigned n_memory = 0;

		n_bad += try_set(&sets[i], &n_memory);
		/* Some of the chains go through memory. */
		assert_true(n_memory > 0);
	}
	assert_int_equal(n_bad, 0);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		seed = (unsigned)atoi(argv[1]);
	if (argc > 2)
		n_cores = (unsigned)atoi(argv[2]);
	return unit_run(NULL);
}
