/* The native model file: a model that is written and read back is unchanged. */
#include "host/effect/written.h"
#include "tests/unit/model_world.h"
#include "tests/unit/unit.h"

/* Every field, set by hand: a field that the file omits must be found here. */
TEST(every_field)
{
	static const struct model_port ports[] = {
		{ .name = "p0", .no_index = true },
		{ .name = "div", .pseudo = true }
	};
	static const struct model_use uses[] = { { 1, 2, 1.5 }, { 3, 1, 0.1 } };
	static const struct model_latency latencies[] = {
		{ MODEL_ANY, 0, { true, 4, 4.25 }, { true, 1, 1 } },
		{ 2, MODEL_ANY, { true, 0, 0 }, { false, 0, 0 } },
	};
	static const uint8_t takes[] = { 0, 2 };
	static const struct model_form forms[] = {
		{ .name = "ADD",
		  .throughput = { true, 0.25, 1.0 / 3 },
		  .slots = { true, 0, 1 },
		  .room = 3,
		  .before = 2,
		  .has_ports = true,
		  .n_uses = 2,
		  .uses = uses,
		  .n_latencies = 2,
		  .latencies = latencies,
		  .eliminated = true,
		  .zero_idiom = true,
		  .bypass = 1,
		  .n_takes = 2,
		  .takes = takes,
		  .pairing = 1,
		  .evidence = "run 3; \"x\"\n\xc3\xa4" },
		{ .name = "SD", .has_ports = true },
		{ .name = "SUB" },
	};
	static const char *const names[] = { "", "fp", NULL };
	double bypass[3][MODEL_MAX_CLASSES] = { { 0 }, { 0, -1, 2 }, { 0 } };
	bool pairs[2][MODEL_MAX_CLASSES] = { { false }, { false, true } };
	static const struct model_mix mixes[] = {
		{ "LD", "SD", 2, 1, { true, 1.5, 1.51 } },
	};
	static const struct written written_sources[] = {
		{ "ADD", "SUB", 0.75 },
	};
	static const struct model_forward forwards[] = {
		{ "SD", "LD", { true, 4, 5 }, "ADD", true },
	};
	static const char *const notes[] = { "a", "b" };
	struct model m = {
		.isa = "riscv64",
		.cpu = "x",
		.source = "by hand",
		.width = { true, 1.5, 2 },
		.reorder_buffer = 1,
		.scheduler = 2,
		.load_queue = 3,
		.store_queue = 4,
		.general_queue = 9,
		.general_release = 10,
		.vector_queue = 5,
		.vector_registers = 6,
		.refill = 7,
		.taken_branches = 0.5,
		.lines = { .n = 3,
			   .cycles = { 0, 1, 1.5, 3 },
			   .rule = MODEL_LINES_EACH,
			   .free = 2,
			   .crossing = 2 },
		.binds_ports = true,
		.n_ports = 2,
		.ports = ports,
		.n_forms = ARRAY_LEN(forms),
		.forms = forms,
		.n_bypass = 3,
		.bypass_names = names,
		.bypass = bypass,
		.n_mixes = 1,
		.mixes = mixes,
		.n_forwards = 1,
		.forwards = forwards,
		.in_order = true,
		.order_known = true,
		.n_pairs = 2,
		.pair_names = names,
		.pairs = pairs,
		.n_notes = 2,
		.notes = notes,
	};
	SCOPED(close_world) struct world w = open_world("riscv64", NULL);
	const struct effect *sources = effect_find("written");
	const struct written *got;
	const struct model_form *f;
	struct model *r;
	size_t n_got;
	char *text;

	m.effects[effect_number(sources)] =
		(struct model_list){ 1, written_sources };
	text = written(&w, "model", &m);
	r = read_text(&w, "model", text);
	f = &r->forms[0];
	assert_ptr_equal(importer("model"), importers[0]);
	assert_string_equal(written(&w, "model", r), text);
	assert_string_equal(r->source, "by hand");
	assert_float_equal(r->width.low, 1.5, 0);
	assert_int_equal(r->scheduler, 2);
	assert_float_equal(r->taken_branches, 0.5, 0);
	assert_int_equal(r->lines.n, 3);
	assert_float_equal(r->lines.cycles[2], 1.5, 0);
	assert_int_equal(r->lines.rule, MODEL_LINES_EACH);
	assert_int_equal(r->lines.free, 2);
	assert_true(r->ports[0].no_index && !r->ports[1].no_index);
	assert_true(r->in_order && r->order_known && r->ports[1].pseudo &&
		    r->pairs[1][1]);
	assert_float_equal(r->bypass[1][2], 2, 0);
	assert_null(r->bypass_names[2]);
	got = model_effect(r, sources, &n_got);
	assert_int_equal(n_got, 1);
	assert_string_equal(got[0].form, "ADD");
	assert_string_equal(got[0].writer, "SUB");
	assert_float_equal(got[0].cycles, 0.75, 0);
	assert_string_equal(r->forwards[0].load, "LD");
	assert_string_equal(r->forwards[0].then, "ADD");
	assert_int_equal(r->n_mixes, 1);
	assert_string_equal(r->mixes[0].store, "SD");
	assert_float_equal(r->mixes[0].n_loads, 2, 0);
	assert_float_equal(r->mixes[0].cycles.high, 1.51, 0);
	assert_float_equal(r->forwards[0].cycles.high, 5, 0);
	assert_string_equal(r->notes[1], "b");
	assert_true(f->throughput.high == 1.0 / 3);
	assert_true(f->eliminated && f->zero_idiom);
	assert_int_equal(f->uses[1].ports, 3);
	assert_true(f->uses[1].cycles == 0.1);
	assert_int_equal(f->latencies[0].source, MODEL_ANY);
	assert_true(f->latencies[0].short_chain.has_value);
	assert_false(f->latencies[1].short_chain.has_value);
	assert_true(f->latencies[1].cycles.has_value);
	assert_int_equal(f->takes[1], 2);
	assert_string_equal(f->evidence, forms[0].evidence);
	assert_true(r->forms[1].has_ports);
	assert_int_equal(r->forms[1].n_uses, 0);
	assert_false(r->forms[1].throughput.has_value);
	assert_false(r->forms[2].has_ports);
}

TEST(llvm_models_round_trip)
{
	static const char *const cpus[][2] = {
		{ "aarch64", "neoverse-v2" },
		{ "x86_64", "znver4" },
		{ "riscv64", "sifive-7-series" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cpus); i++) {
		SCOPED(close_world)
		struct world w = open_world(cpus[i][0], cpus[i][1]);
		char *text = written(&w, "model", w.m);
		const struct model *again = read_text(&w, "model", text);

		assert_string_equal(written(&w, "model", again), text);
	}
}

/* Keys sorted by name, as other tools write them: forms come before ports. */
TEST(any_order)
{
	SCOPED(close_world) struct world w = open_world("riscv64", NULL);
	struct model *m = read_text(
		&w, "model",
		"{\"cpu\":\"c\",\"format\":\"anechoic model 1\",\"forms\":"
		"[{\"name\":\"SUB\"},{\"name\":\"ADD\",\"uses\":[{"
		"\"ports\":[\"b\"]"
		",\"uops\":1}]}],\"isa\":\"riscv64\",\"ports\":[{\"name\":"
		"\"a\"},{\"name\":\"b\"}],\"source\":\"s\"}");

	assert_string_equal(m->forms[0].name, "ADD");
	assert_int_equal(m->forms[0].uses[0].ports, 2);
	assert_float_equal(m->forms[0].uses[0].cycles, 1, 0);
}

#define CORE                                                                 \
	"\"format\":\"anechoic model 1\",\"isa\":\"riscv64\",\"cpu\":\"c\"," \
	"\"source\":\"s\",\"ports\":[{\"name\":\"a\"}],"
#define DECOUPLED                                                \
	"\"decoupled\":[{\"producer\":\"ADD\",\"form\":\"ADD\"," \
	"\"behind\":\"ADD\",\"cycles\":0,"

TEST(bad_files)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{ "", "m.json:1: expected an object {...}" },
		{ "{}",
		  "m.json: format, isa, cpu, source or forms is missing" },
		{ "{\"format\":\"x\"}",
		  "m.json:1: expected format \"anechoic model 1\"" },
		{ "{\"format\":\"anechoic model 1, LLVM 22\"}",
		  "m.json: this model names forms and operands as another "
		  "LLVM does than this program was built with" },
		{ "{\n\"isa\":\"vax\"}",
		  "m.json:2: expected a model of riscv64, not of 'vax'" },
		{ "{\"colour\":1}",
		  "m.json:1: unknown or repeated key 'colour'" },
		{ "{\"cpu\":\"a\",\"cpu\":\"b\"}",
		  "m.json:1: unknown or repeated key 'cpu'" },
		{ "{\"width\":[2]}", "m.json:1: expected [low, high]" },
		{ "{\"width\":[2,3,4]}", "m.json:1: expected [low, high]" },
		{ "{" CORE "\"forms\":[{\"name\":\"NONE\"}]}",
		  "m.json:1: riscv64 has no form 'NONE'" },
		{ "{" CORE "\"forms\":[{\"name\":\"ADD\"},{\"name\":\"ADD\"}]}",
		  "s: form ADD: names must be sorted and occur once" },
		{ "{" CORE "\"forms\":[{\"name\":\"ADD\",\"uses\":[{\"ports\":"
		  "[\"z\"]}]}]}",
		  "m.json:1: expected a port of the model" },
		{ "{" CORE "\"forms\":[{\"name\":\"ADD\",\"throughput\":"
		  "[2,1]}]}",
		  "s: form ADD: an interval has low above high" },
		{ "{" CORE "\"forms\":[{\"name\":\"ADD\",\"throughput\":"
		  "[1,1e10]}]}",
		  "s: form ADD: an interval is above 1e9" },
		{ "{" CORE "\"forms\":[{\"name\":\"ADD\",\"latencies\":[{"
		  "\"from\":1,\"cycles\":[1,1e300]}]}]}",
		  "s: form ADD: a latency is above 1e9" },
		{ "{" CORE "\"forms\":[{\"name\":\"ADD\",\"latencies\":[{"
		  "\"from\":9,\"cycles\":[1,1]}]}]}",
		  "s: form ADD: a latency must be between two of its 3 "
		  "operands" },
		{ "{" CORE "\"written\":[{\"form\":\"ADD\",\"writer\":\"SUB\","
		  "\"cycles\":-1}],\"forms\":[]}",
		  "m.json:1: expected a form, a writer, and 0 to 100 cycles" },
		{ "{" CORE "\"written\":[{\"form\":\"ADD\",\"writer\":\"SUB\","
		  "\"cycles\":101}],\"forms\":[]}",
		  "m.json:1: expected a form, a writer, and 0 to 100 cycles" },
		{ "{" CORE "\"written\":[{\"form\":\"ADD\",\"cycles\":1}],"
		  "\"forms\":[]}",
		  "m.json:1: expected a form, a writer, and 0 to 100 cycles" },
		{ "{" CORE "\"written\":[{\"form\":\"ADD\",\"writer\":\"X\","
		  "\"cycles\":1}],\"forms\":[]}",
		  "m.json:1: riscv64 has no form 'X'" },
		{ "{" CORE DECOUPLED "\"n\":-5}],\"forms\":[]}",
		  "m.json:1: expected a whole number from 1 to 32" },
		{ "{" CORE DECOUPLED "\"n\":1.5}],\"forms\":[]}",
		  "m.json:1: expected a whole number from 1 to 32" },
		{ "{" CORE DECOUPLED "\"n\":33}],\"forms\":[]}",
		  "m.json:1: expected a whole number from 1 to 32" },
		{ "{" CORE "\"forms\":[{\"name\":\"ADD\",\"takes\":["
		  "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}]}",
		  "m.json:1: expected a class for each operand" },
		{ "{" CORE "\"forms\":[]} x",
		  "m.json:1: expected the end of the file" },
		{ "{" CORE "\"forms\":[{\"name\":\"ADD\",\"slots\":[1,1e999]}"
		  "]}",
		  "m.json:1: expected a number that a double can hold" },
	};
	SCOPED(close_world) struct world w = open_world("riscv64", NULL);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_refused(&w, "model", "m.json", rows[i].text,
			       rows[i].says, true);
}
