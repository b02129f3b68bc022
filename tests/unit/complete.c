/* The layers of a completed model, each on invented models, where it must
 * apply. */
#include "host/model/complete.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/unit.h"

/* A form: throughput (0: unknown), latency of all pairs (negative: unknown),
 * and ports as "ab c": one uop on a or b, one on c (NULL: unknown). */
struct row {
	const char *name;
	double throughput, latency;
	const char *ports;
};

struct layers {
	struct arena a;
	struct catalogue *c;
	struct completion *k;
};

static struct model_span exactly(double x)
{
	return (struct model_span){ true, x, x };
}

static void set_ports(struct arena *a, struct model_form *f, const char *text)
{
	struct model_use *uses = ARENA_ARRAY(a, struct model_use, 8);

	f->has_ports = true;
	f->uses = uses;
	f->n_uses = *text != '\0';
	for (; *text; text++)
		if (*text == ' ')
			f->n_uses++;
		else
			uses[f->n_uses - 1].ports |= (model_ports)1
						     << (*text - 'a');
	for (size_t i = 0; i < f->n_uses; i++)
		uses[i].n_uops = uses[i].cycles = 1;
}

static int by_name(const void *a, const void *b)
{
	const struct model_form *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* `ports`: names of one letter; "" for none. */
static struct model *model_of(struct layers *l, const char *source,
			      const char *ports, const struct row *rows,
			      size_t n)
{
	struct model *m = ARENA_NEW(&l->a, struct model);
	struct model_form *forms = ARENA_ARRAY(&l->a, struct model_form, n);
	struct model_port *list =
		ARENA_ARRAY(&l->a, struct model_port, MODEL_MAX_PORTS);
	struct err e = { 0 };

	for (; *ports; ports++)
		list[m->n_ports++].name = arena_printf(
			&l->a, "%sPort%c", source, '0' + *ports - 'a');
	for (size_t i = 0; i < n; i++) {
		struct model_latency *x =
			ARENA_ARRAY(&l->a, struct model_latency, 1);

		*x = (struct model_latency){
			MODEL_ANY, MODEL_ANY, exactly(rows[i].latency), { 0 }
		};
		forms[i].name = rows[i].name;
		forms[i].n_latencies = rows[i].latency >= 0;
		forms[i].latencies = x;
		if (rows[i].throughput > 0)
			forms[i].throughput = exactly(rows[i].throughput);
		if (rows[i].ports)
			set_ports(&l->a, &forms[i], rows[i].ports);
	}
	qsort(forms, n, sizeof(*forms), by_name);
	m->isa = "x86_64";
	m->cpu = "invented";
	m->source = source;
	m->width = exactly(8);
	m->ports = list;
	m->n_forms = n;
	m->forms = forms;
	assert_ok(model_check(m, l->c, &e), &e);
	return m;
}

static struct layers open_layers(void)
{
	struct layers l = { .a = { 0 } };

	l.c = load(&l.a, "x86_64", NULL);
	return l;
}

static void complete(struct layers *l, const struct row *rows, size_t n,
		     const char *ports, const struct row *tables,
		     size_t n_tables)
{
	struct model *m = model_of(l, "measured", ports, rows, n);
	struct model *t = n_tables > 0
				  ? model_of(l, "T", "abcdef", tables, n_tables)
				  : NULL;

	l->k = model_complete(&l->a, l->c, m, t);
}

static const struct completed_form *get(struct layers *l, const char *name)
{
	const struct form *f = catalogue_form(l->c, name);

	assert_non_null(f);
	return completed_form(l->k, f);
}

static void assert_origin(const struct completed_form *f, enum model_cost cost,
			  enum model_origin want)
{
	if (f->origin[cost].origin != want)
		fail_msg("%s: cost %d is of layer %d, expected %d",
			 f->form->name, cost, f->origin[cost].origin, want);
}

static void assert_near(double have, double want, const char *what)
{
	if (have < want - 0.005 || have > want + 0.005)
		fail_msg("%s: %g, expected %g", what, have, want);
}

static void assert_latency(const struct completed_form *f, int source,
			   double want, enum model_origin layer)
{
	enum model_origin have;

	assert_near(completed_latency(f, source, 0, &have), want,
		    f->form->name);
	assert_int_equal(have, layer);
}

static void close_layers(struct layers *l)
{
	arena_free(&l->a);
}

/* ---- model before class before tables ---------------------------------- */

TEST(order_of_layers)
{
	static const struct row rows[] = {
		{ "VADDPDYrr", 0.5, 3, NULL },
	};
	static const struct row tables[] = {
		{ "VADDPDYrr", 0.5, 4, "ab" },
		{ "VADDPDZ256rr", 0.5, 4, "ab" },
		{ "VDIVPDYrr", 8, 13, "a" },
		{ "VMULPDYrr", 0.5, 4, "ab" },
	};
	SCOPED(close_layers) struct layers l = open_layers();

	complete(&l, rows, ARRAY_LEN(rows), "", tables, ARRAY_LEN(tables));
	assert_latency(get(&l, "VADDPDYrr"), 1, 3, ORIGIN_MODEL);
	assert_origin(get(&l, "VADDPDYrr"), COST_PORTS, ORIGIN_TABLES);
	/* The other encoding of the same instruction. */
	assert_latency(get(&l, "VADDPDZ256rr"), 1, 3, ORIGIN_CLASS);
	assert_origin(get(&l, "VADDPDZ256rr"), COST_THROUGHPUT, ORIGIN_CLASS);
	/* No measured form resembles a division. */
	assert_latency(get(&l, "VDIVPDYrr"), 1, 13, ORIGIN_TABLES);
	assert_near(get(&l, "VDIVPDYrr")->costs.throughput.low, 8, "table");
	/* Nothing at all. */
	assert_latency(get(&l, "PDEP64rr"), 1, 1, ORIGIN_ASSUMED);
	assert_origin(get(&l, "PDEP64rr"), COST_THROUGHPUT, ORIGIN_ASSUMED);
	assert_false(get(&l, "PDEP64rr")->costs.has_ports);
}

/* ---- classes ----------------------------------------------------------- */

/* Names next to each other say nothing: a store is no load, a division of 32
 * bytes is none of 16, a product is no sum. */
TEST(no_neighbours)
{
	static const struct row rows[] = {
		{ "MOV64rm", 0.25, 4, NULL },   { "VDIVPDrr", 4, 13, NULL },
		{ "VMOVUPDYrm", 0.5, 7, NULL }, { "ADD64rr", 0.25, 1, NULL },
		{ "VPSLLDYrr", 0.5, 1, NULL },
	};
	static const char *const unknown[] = { "MOV64mr", "VDIVPDYrr",
					       "VMOVUPDYmr", "IMUL64rr",
					       "ADC64rr" };
	SCOPED(close_layers) struct layers l = open_layers();

	complete(&l, rows, ARRAY_LEN(rows), "", NULL, 0);
	for (size_t i = 0; i < ARRAY_LEN(unknown); i++) {
		const struct completed_form *f = get(&l, unknown[i]);

		assert_origin(f, COST_THROUGHPUT, ORIGIN_ASSUMED);
		assert_false(f->costs.throughput.has_value);
		assert_latency(f, 1, 1, ORIGIN_ASSUMED);
	}
}

/* No value: a class whose members disagree, or that contradicts the form. */
TEST(classes_agree)
{
	static const struct row rows[] = {
		{ "ADD32rr", 0.5, 1, "ab" }, { "AND32rr", 0.5, 1, "ab" },
		{ "OR32rr", 0.5, 1, "ab" },  { "SUB32rr", 0.5, 1, "ab" },
		{ "XOR32rr", 1, 1, NULL },   { "SHL32ri", 1, 1, "c" },
		{ "SHR32ri", 0.5, 2, "cd" }, { "CMP32rr", 0.5, -1, NULL },
	};
	SCOPED(close_layers) struct layers l = open_layers();

	complete(&l, rows, ARRAY_LEN(rows), "abcd", NULL, 0);
	/* LLVM has sums and differences in one class. */
	assert_origin(get(&l, "ADD32rr_REV"), COST_PORTS, ORIGIN_CLASS);
	/* Four of these five are equally fast; this one is not. */
	assert_false(get(&l, "XOR32rr")->costs.has_ports);
	/* Two shifts that differ. */
	assert_false(get(&l, "SAR32ri")->costs.has_ports);
	assert_false(get(&l, "SAR32ri")->costs.throughput.has_value);
}

/* Of a form with an interval of a flag alone the class has the other latencies,
 * and not the tables. */
TEST(flag_alone)
{
	static const struct row rows[] = {
		{ "XOR64rr", 0.2, 1, NULL },
		{ "XOR64rr_REV", 0.2, 1, NULL },
	};
	static const struct row tables[] = { { "XOR64rr", 0.2, 2, "a" } };
	SCOPED(close_layers) struct layers l = open_layers();
	struct model *m = model_of(&l, "measured", "", rows, ARRAY_LEN(rows));
	struct model_latency flag = { 2, 3, { true, 1, 2 }, { 0 } };

	/* The first by name is XOR64rr. */
	((struct model_form *)(uintptr_t)m->forms)->latencies = &flag;
	l.k = model_complete(&l.a, l.c, m, model_of(&l, "T", "a", tables, 1));
	assert_latency(get(&l, "XOR64rr"), 2, 1, ORIGIN_CLASS);
}

/* ---- parts ------------------------------------------------------------- */

TEST(parts)
{
	static const struct row rows[] = {
		{ "VMOVUPDYmr", 1, -1, "e" },
		{ "VMOVUPDYrm", 0.5, 7, "cd" },
		{ "VSQRTPDYr", 9, 20, "a" },
		{ "VADDPDYrr", 0.5, 3, "ab" },
	};
	SCOPED(close_layers) struct layers l = open_layers();
	const struct completed_form *f;

	complete(&l, rows, ARRAY_LEN(rows), "abcde", NULL, 0);
	f = get(&l, "VSQRTPDYm");
	assert_origin(f, COST_THROUGHPUT, ORIGIN_PARTS);
	assert_near(f->costs.throughput.low, 9, "the slower part");
	f = get(&l, "VADDPDYrm");
	assert_origin(f, COST_PORTS, ORIGIN_PARTS);
	assert_int_equal(f->costs.n_uses, 2);
	assert_int_equal(f->n_access, 1);
	assert_int_equal(f->costs.uses[0].ports, 3 << 2);
	assert_int_equal(f->costs.uses[1].ports, 3);
	assert_latency(f, 1, 3, ORIGIN_PARTS);
	assert_latency(f, 2, 10, ORIGIN_PARTS);
}

/* The time of a pair bounds both of its forms. */
TEST(pairs)
{
	static const struct row rows[] = {
		{ "ST_FP32m/x87,fld1", 2, -1, NULL },
		{ "ST_FP80m/x87,fld1", 7, -1, NULL },
	};
	SCOPED(close_layers) struct layers l = open_layers();
	const struct completed_form *f;

	complete(&l, rows, ARRAY_LEN(rows), "", NULL, 0);
	f = get(&l, "ST_FP80m");
	assert_origin(f, COST_THROUGHPUT, ORIGIN_PARTS);
	assert_near(f->costs.throughput.low, 5, "without the other form");
	assert_near(f->costs.throughput.high, 7, "the pair");
	assert_near(get(&l, "ST_FP32m")->costs.throughput.low, 0, "no bound");
}

/* ---- tables ------------------------------------------------------------ */

/* A sum twice as fast as two ports can be, and a product twice as slow: both
 * lose the ports of the tables. One table latency that is wrong keeps the
 * others out. */
TEST(contradicted_tables)
{
	static const struct row rows[] = {
		{ "ADD64rr", 0.25, 1, NULL },
		{ "IMUL64rr", 2, 3, NULL },
		{ "POPCNT64rr", 1, 3, NULL },
	};
	static const struct row tables[] = {
		{ "ADD64rr", 0.5, 1, "ab" },
		{ "IMUL64rr", 1, 5, "c" },
		{ "POPCNT64rr", 1, 3, "d" },
	};
	SCOPED(close_layers) struct layers l = open_layers();

	complete(&l, rows, ARRAY_LEN(rows), "", tables, ARRAY_LEN(tables));
	assert_false(get(&l, "ADD64rr")->costs.has_ports);
	assert_true(get(&l, "ADD64rr")->table_contradicted);
	assert_false(get(&l, "IMUL64rr")->costs.has_ports);
	assert_true(get(&l, "POPCNT64rr")->costs.has_ports);
	assert_near(get(&l, "IMUL64rr")->table_error, 2, "latencies");
}

/* Forms on a set of ports that measured forms exceed lose it, even if their own
 * throughput agrees; they share the measured value of the set. */
TEST(refuted_set)
{
	static const struct row rows[] = {
		{ "ADD64rr", 0.25, 1, NULL },
		{ "BLSR64rr", 0.5, 1, NULL },
		{ "SUB64rr", 0.25, 1, NULL },
	};
	static const struct row tables[] = {
		{ "ADD64rr", 0.5, 1, "ab" },
		{ "BLSR64rr", 0.5, 1, "ab" },
		{ "SUB64rr", 0.5, 1, "ab" },
	};
	SCOPED(close_layers) struct layers l = open_layers();
	const struct completed_form *f;
	double shared = 0;

	complete(&l, rows, ARRAY_LEN(rows), "", tables, ARRAY_LEN(tables));
	f = get(&l, "BLSR64rr");
	assert_false(f->costs.has_ports);
	for (size_t i = 0; i < f->n_charges; i++)
		if (completed_pool_name(l.k, f->charges[i].pool))
			shared = f->charges[i].cycles;
	assert_near(shared, 0.25, "its part of the set");
}

/* Ports that a search left open count only where the tables have none, and
 * stand for no class. */
TEST(open_ports_come_last)
{
	static const struct row rows[] = {
		{ "VADDPDYrr", 0.5, 3, "ab cd" },
		{ "VADDPDZ256rr", 0.5, 3, NULL },
		{ "VPADDDYrr", 0.5, 3, "ab" },
	};
	static const struct row tables[] = {
		{ "VADDPDYrr", 0.5, 3, "ab" },
		{ "VADDPDZ256rr", 0.5, 3, "ab" },
		{ "VPADDDYrr", 0.5, 3, "ab" },
	};

	for (int open = 0; open <= 1; open++) {
		SCOPED(close_layers) struct layers l = open_layers();
		struct model *m = model_of(&l, "measured", "abcd", rows, 3);
		struct model *t = model_of(&l, "T", "ab", tables, 3);
		struct model_form forms[3];

		memcpy(forms, m->forms, sizeof(forms));
		forms[0].mark.kind = open ? MARK_OPEN : MARK_MEASURED;
		m->forms = forms;
		l.k = model_complete(&l.a, l.c, m, t);
		assert_origin(get(&l, "VADDPDYrr"), COST_PORTS,
			      open ? ORIGIN_TABLES : ORIGIN_MODEL);
		assert_origin(get(&l, "VADDPDZ256rr"), COST_PORTS,
			      open ? ORIGIN_TABLES : ORIGIN_CLASS);
	}
}

/* ---- the core ---------------------------------------------------------- */

/* Width and queues of the tables count where the model has none. */
TEST(core)
{
	static const struct row rows[] = { { "ADD64rr", 0.25, 1, NULL } };
	SCOPED(close_layers) struct layers l = open_layers();
	struct model *m = model_of(&l, "measured", "", rows, 1);
	struct model *t = model_of(&l, "T", "ab", rows, 1);
	const struct model *x;

	t->width = exactly(6);
	t->reorder_buffer = 512;
	t->store_queue = 72;
	m->width.has_value = false;
	x = completed_model(model_complete(&l.a, l.c, m, t));
	assert_near(x->width.low, 6, "width of the tables");
	assert_int_equal(x->reorder_buffer, 512);
	m->issue_width = exactly(4);
	x = completed_model(model_complete(&l.a, l.c, m, t));
	assert_near(x->width.low, 4, "width of the fastest kernel");
	m->width = exactly(5);
	m->load_queue = 100;
	x = completed_model(model_complete(&l.a, l.c, m, t));
	assert_near(x->width.low, 5, "its own width");
	assert_int_equal(x->load_queue, 100);
	assert_int_equal(x->store_queue, 0);
	assert_int_equal(x->reorder_buffer, 512);
	m->reorder_buffer = 224;
	x = completed_model(model_complete(&l.a, l.c, m, t));
	assert_int_equal(x->reorder_buffer, 224);
}

/* What the front end explains needs no other unit: 4 slots in 2 cycles. */
TEST(bound_by_front_end)
{
	static const struct row rows[] = { { "ADD64rr", 2, 1, "a" } };

	for (int slots = 0; slots <= 4; slots += 4) {
		SCOPED(close_layers) struct layers l = open_layers();
		struct model *m = model_of(&l, "measured", "a", rows, 1);
		struct model_form f = m->forms[0];
		size_t n_needed = 0;

		m->width = exactly(2);
		f.slots = exactly(slots);
		f.slots.has_value = slots > 0;
		m->forms = &f;
		l.k = model_complete(&l.a, l.c, m, NULL);
		for (size_t i = 0; i < get(&l, "ADD64rr")->n_charges; i++)
			n_needed += get(&l, "ADD64rr")->charges[i].needs;
		assert_int_equal(n_needed > 0, slots == 0);
	}
}

/* Tables that count no uop for what needs no port: the front end handles it. */
TEST(no_uop_takes_a_slot)
{
	static const struct row rows[] = { { "ADD64ri8/one", 0.125, 0, "" } };
	SCOPED(close_layers) struct layers l = open_layers();
	struct model *m = model_of(&l, "measured", "a", rows, 1);
	struct model *t = model_of(&l, "tables", "a", rows, 1);
	struct model_form f = t->forms[0];

	f.slots = exactly(0);
	t->forms = &f;
	l.k = model_complete(&l.a, l.c, m, t);
	assert_near(get(&l, "ADD64ri8/one")->costs.slots.low, 1, "measured");
	l.k = model_complete(&l.a, l.c, t, t);
	assert_near(get(&l, "ADD64ri8/one")->costs.slots.low, 1, "tables");
}

/* ---- names of ports ---------------------------------------------------- */

/* Measured classes of two and of one port match the tables' groups. */
TEST(names_of_ports)
{
	static const struct row rows[] = {
		{ "ADD64rr", 0.5, 1, "bc" },  { "IMUL64rr", 1, 3, "a" },
		{ "POPCNT64rr", 1, 3, NULL }, { "SUB64rr", 0.5, 1, "bc" },
		{ "SHL64ri", 1, 1, "d" },     { "VPADDDrr", 1, 1, "d" },
	};
	static const struct row tables[] = {
		{ "SHL64ri", 1, 1, "a" },    { "ADD64rr", 0.5, 1, "de" },
		{ "IMUL64rr", 1, 3, "b" },   { "POPCNT64rr", 1, 3, "b" },
		{ "SUB64rr", 0.5, 1, "de" }, { "VPADDDrr", 0.5, 1, "ac" },
	};
	SCOPED(close_layers) struct layers l = open_layers();
	const struct completed_form *f;
	const struct model *m;

	complete(&l, rows, ARRAY_LEN(rows), "abcd", tables, ARRAY_LEN(tables));
	m = completed_model(l.k);
	assert_string_equal(m->ports[0].name, "p1");
	assert_string_equal(m->ports[1].name, "p3");
	assert_string_equal(m->ports[2].name, "p4");
	/* One port measured where the tables have two: none of them has a name
	 * here, although the shift has the same number of ports. */
	assert_string_equal(m->ports[3].name, "measuredPort3");
	f = get(&l, "POPCNT64rr");
	assert_origin(f, COST_PORTS, ORIGIN_TABLES);
	assert_int_equal(f->costs.uses[0].ports, 1);
}

/* Forms on one published set have two measured sets: its ports correspond to
 * none, although all forms of the larger set have one.  What the tables say is
 * contradicted without that, too. */
TEST(split_set_corresponds_to_none)
{
	static const struct row rows[] = {
		{ "ADD64rr", 0.5, 1, "ab" },  { "SUB64rr", 0.5, 1, "cd" },
		{ "IMUL64rr", 0.5, 3, "ac" }, { "POPCNT64rr", 0.5, 3, NULL },
		{ "LZCNT64rr", 2, 3, NULL },
	};
	static const struct row tables[] = {
		{ "ADD64rr", 0.5, 1, "ab" },   { "SUB64rr", 0.5, 1, "ab" },
		{ "IMUL64rr", 0.5, 3, "bc" },  { "POPCNT64rr", 0.5, 3, "bc" },
		{ "LZCNT64rr", 0.5, 3, "bc" },
	};
	SCOPED(close_layers) struct layers l = open_layers();

	complete(&l, rows, ARRAY_LEN(rows), "abcd", tables, ARRAY_LEN(tables));
	assert_false(get(&l, "POPCNT64rr")->costs.has_ports);
	assert_false(get(&l, "POPCNT64rr")->table_contradicted);
	assert_true(get(&l, "LZCNT64rr")->table_contradicted);
}
