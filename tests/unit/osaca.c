/* OSACA's machine models: the reader applies OSACA's rules, and a written model
 * reads back with the same numbers. */
#include <math.h>

#include "host/codec/signature.h"
#include "host/model/complete.h"
#include "tests/unit/model_world.h"
#include "tests/unit/unit.h"

static void assert_cost(const struct model *m, const char *name, int from,
			int to, double latency, double bound)
{
	const struct model_form *f = known(m, name);
	struct model_span s = model_latency(f, from, to);

	assert_true(s.has_value);
	assert_float_equal(s.low, latency, 1e-9);
	assert_true(f->has_ports);
	assert_float_equal(model_port_bound(f->uses, f->n_uses, NULL), bound,
			   1e-6);
}

static const char x86[] =
	"osaca_version: 0.7.0\n"
	"micro_architecture: Some Core\n"
	"isa: x86\n"
	"ROB_size: 224\n"
	"dispatched_uops_per_cycle: 6\n"
	"load_latency: {gpr: 4.0, xmm: 5.0, ymm: 6.0}\n"
	"load_throughput:\n"
	"- {dst: ymm, base: '*', index: '*', offset: '*', scale: '*', "
	"port_pressure: [[2, ['2', '3']]]}\n"
	"load_throughput_default: [[1, ['2', '3']]]\n"
	"store_throughput: []\n"
	"store_throughput_default: [[1, '4']]\n"
	"ports: ['0', 0DV, '1', '2', '3', '4', '5', '6', '10']\n"
	"instruction_forms:\n"
	"- name: [add, sub]\n"
	"  operands:\n"
	"  - {class: register, name: gpr}\n"
	"  - {class: register, name: gpr}\n"
	"  latency: 1.0\n"
	"  throughput: 0.25\n"
	"  port_pressure: [[1, '0156']]\n"
	"  uops: 1\n"
	"- name: add\n" /* before lists of names; the first counts */
	"  operands:\n"
	"  - {class: register, name: '*'}\n"
	"  - {class: register, name: '*'}\n"
	"  latency: 9\n"
	"  port_pressure: [[1, '0']]\n"
	"- name: VADDPD\n"
	"  operands:\n"
	"  - {class: register, name: ymm}\n"
	"  - {class: register, name: ymm}\n"
	"  - {class: register, name: ymm}\n"
	"  latency: 4\n"
	"  throughput: ~\n"
	"  port_pressure: [[1, ['0', '10']]]\n"
	"- name: vdivpd\n"
	"  operands:\n"
	"  - {class: register, name: ymm}\n"
	"  - {class: register, name: ymm}\n"
	"  - {class: register, name: ymm}\n"
	"  latency: ~\n"
	"  throughput: 8.0\n"
	"  port_pressure: [[1, '0'], [8, [0DV]]]\n"
	"- name: mov\n"
	"  operands:\n"
	"  - {class: memory, base: '*', offset: '*', index: '*', scale: '*'}\n"
	"  - {class: register, name: gpr}\n"
	"  latency: 4\n"
	"  throughput: 0.0\n"
	"  port_pressure: [[1, '23']]\n"
	"- name: nop\n"
	"  operands: []\n"
	"  latency: 0\n"
	"  throughput: 0\n"
	"  port_pressure: []\n"
	"- name: xchg\n"
	"  operands:\n"
	"  - {class: register, name: gpr}\n"
	"  - {class: register, name: gpr}\n"
	"  latency: ~\n"
	"  throughput: ~\n"
	"  port_pressure: []\n";

TEST(x86)
{
	SCOPED(close_world) struct world w = open_world("x86_64", NULL);
	struct model *m = read_text(&w, "osaca", x86);
	const struct import_text t = { .text = x86, .n = strlen(x86) };
	const char *isa = NULL;
	struct err e = { 0 };

	assert_int_equal(importer("osaca")->isa(&w.a, &t, &isa, &e), ERR_OK);
	assert_string_equal(isa, "x86_64");
	assert_string_equal(m->cpu, "Some Core");
	assert_int_equal(m->reorder_buffer, 224);
	assert_float_equal(m->width.low, 6, 0);
	assert_true(m->ports[1].pseudo);
	/* "add" without a width suffix, as assemblers accept it. */
	assert_cost(m, "ADD64rr", 2, 0, 9, 1);
	assert_cost(m, "SUB64rr", 2, 0, 1, 0.25);
	assert_cost(m, "SUB32rr", 1, 0, 1, 0.25);
	assert_cost(m, "VADDPDYrr", 1, 0, 4, 0.5);
	/* A memory operand instead of a register adds the cost of a load. */
	assert_cost(m, "VADDPDYrm", 1, 0, 4, 1);
	assert_cost(m, "VADDPDYrm", 2, 0, 10, 1);
	assert_cost(m, "SUB64rm", 1, 0, 1, 0.5);
	assert_cost(m, "SUB64rm", 2, 0, 5, 0.5);
	assert_cost(m, "MOV64rm", 1, 0, 4, 0.5);
	assert_false(known(m, "MOV64rm")->throughput.has_value);
	assert_false(known(m, "VADDPDYrr")->throughput.has_value);
	assert_int_equal(known(m, "VDIVPDYrr")->n_latencies, 0);
	assert_float_equal(known(m, "VDIVPDYrr")->uses[1].cycles, 8, 0);
	assert_true(known(m, "NOOP")->has_ports);
	assert_int_equal(known(m, "NOOP")->n_uses, 0);
	assert_false(known(m, "XCHG64rr")->has_ports);
	assert_null(model_find(m, "IMUL64rr"));
}

static const char aarch64[] =
	"isa: AArch64\n"
	"p_index_latency: 1\n"
	"load_latency: {x: 4, d: 6}\n"
	"ports: ['0', '1', '2', '12', '13']\n"
	"instruction_forms:\n"
	"- name: [ldr, ldur]\n"
	"  operands:\n"
	"  - {class: register, prefix: '*'}\n"
	"  - {class: memory, base: x, offset: '*', index: ~, scale: ~,\n"
	"     post_indexed: true, pre_indexed: false}\n"
	"  latency: 4.0\n"
	"  throughput: 0.5\n"
	"  port_pressure: [[1, '01'], [1, ['12', '13']]]\n"
	"- name: fmla\n"
	"  operands:\n"
	"  - {class: register, prefix: v, shape: d}\n"
	"  - {class: register, prefix: v, shape: d}\n"
	"  - {class: register, prefix: v, shape: d}\n"
	"  latency: 4.0\n"
	"  throughput: 0.1\n" /* less than its port allows */
	"  port_pressure: [[1, '2']]\n";

TEST(aarch64)
{
	SCOPED(close_world) struct world w = open_world("aarch64", NULL);
	struct model *m = read_text(&w, "osaca", aarch64);

	assert_cost(m, "LDRXpost", 2, 1, 4, 0.5);
	assert_cost(m, "LDRXpost", 2, 0, 1, 0.5);
	assert_null(model_find(m, "LDRXui"));
	assert_cost(m, "FMLAv2f64", 1, 0, 4, 1);
	assert_null(model_find(m, "FMLAv4f32"));
	assert_part(m->notes[m->n_notes - 1], "forms contradict themselves");
}

TEST(bad_files)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{ "instruction_forms:\n- [", "x.yml:3: not valid YAML" },
		{ "isa: AArch64\ninstruction_forms: []\n",
		  "x.yml: expected isa x86" },
		{ "isa: x86\nports: [['0']]\ninstruction_forms: []\n",
		  "x.yml:2: expected a list of port names" },
		{ "isa: x86\nports: ['0']\ninstruction_forms:\n- name: add\n"
		  "  port_pressure: [[1, '01']]\n",
		  "x.yml:5: expected cycles and known ports in port_pressure" },
		{ "isa: x86\nports: ['0']\ninstruction_forms:\n- name: add\n"
		  "  latency: -1\n",
		  "x.yml:5: expected a number from 0 to 1e9 or null" },
		{ "isa: x86\nports: ['0']\ninstruction_forms:\n- name: add\n"
		  "  latency: 9223372036854775808\n",
		  "x.yml:5: expected a number from 0 to 1e9 or null" },
		{ "isa: x86\nports: ['0']\ninstruction_forms:\n- latency: 1\n",
		  "x.yml:4: expected a name for each entry" },
	};
	SCOPED(close_world) struct world w = open_world("x86_64", NULL);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct err e;
		struct model *m;
		const char *says = e.message;

		/* An entry is left out, anything else is refused. */
		if (read_as(&w, "osaca", "x.yml", rows[i].text, &m, &e) ==
		    ERR_OK) {
			assert_int_equal(m->n_skipped, 1);
			assert_non_null(m->skipped);
			says = m->skipped;
		}
		if (strncmp(says, rows[i].says, strlen(rows[i].says)) != 0)
			fail_msg("%s\nexpected %s", says, rows[i].says);
	}
}

/* ---- written and read back ---------------------------------------------- */

/* OSACA's one latency is that of some pair of operands. */
static bool has_latency(const struct model_form *f, struct model_span one)
{
	for (size_t i = 0; i < f->n_latencies; i++)
		if (fabs(f->latencies[i].cycles.high - one.high) <=
		    0.05 * one.high)
			return true;
	return false;
}

/* Does a list of names in the file have this form? */
static bool is_listed(const char *text, const char *form)
{
	size_t n = strlen(form);

	for (const char *at = strstr(text, form); at; at = strstr(at + n, form))
		if ((at[-1] == ' ' || at[-1] == '\'') &&
		    (at[n] == ' ' || at[n] == '\''))
			return true;
	return false;
}

/* Values are equal, but for a measurement's doubt, if the file names the form.
 */
static size_t compare_models(const struct world *w, const struct model *m,
			     const struct model *again, const char *text)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n_forms; i++) {
		const struct model_form *f = &m->forms[i];
		const struct model_form *g = model_find(again, f->name);

		struct model_span one = { .has_value = false };

		if (!is_listed(text, f->name))
			continue;
		if (g && g->n_latencies > 0)
			one = g->latencies[0].cycles;
		if (!g || g->has_ports != f->has_ports ||
		    fabs(model_port_bound(g->uses, g->n_uses, NULL) -
			 model_port_bound(f->uses, f->n_uses, NULL)) >
			    0.05 * model_port_bound(f->uses, f->n_uses, NULL) ||
		    (f->throughput.low > 0 &&
		     fabs(g->throughput.low - f->throughput.low) >
			     0.05 * f->throughput.low) ||
		    (g->n_latencies > 0 && one.high > 0 &&
		     !has_latency(f, one)))
			fail_msg("%s %s: another cost", w->c->isa->name,
				 f->name);
		n++;
	}
	return n;
}

TEST(export_comes_back)
{
	static const char *const cpus[][2] = {
		{ "aarch64", "neoverse-v2" },
		{ "riscv64", "sifive-p670" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cpus); i++) {
		SCOPED(close_world)
		struct world w = open_world(cpus[i][0], cpus[i][1]);
		const char *text = written(&w, "osaca", w.m);
		struct model *again = read_text(&w, "osaca", text);

		assert_true(compare_models(&w, w.m, again, text) > 350);
		assert_null(strstr(text, "throughput: 0\n"));
	}
}

/* Checks that OSACA makes on every entry: keys, known ports, lists instead of
 * strings. */
TEST(export_has_osacas_keys)
{
	static const char *const keys[] = {
		"osaca_version: ",
		"micro_architecture: ",
		"arch_code: ",
		"isa: riscv\n",
		"ROB_size: ",
		"retired_uOps_per_cycle: ",
		"scheduler_size: ",
		"hidden_loads: ",
		"load_latency: {f: ~, v: ~, gpr: ~}\n",
		"load_throughput:",
		"load_throughput_default: ",
		"store_throughput:",
		"store_throughput_default: ",
		"ports: [",
		"port_model_scheme: ",
		"instruction_forms:",
	};
	static const struct model_port ports[] = { { .name = "p0" },
						   { .name = "p10" },
						   { .name = "div",
						     .pseudo = true } };
	static const struct model_use uses[] = { { 3, 1, 1 }, { 4, 1, 9 } };
	static const struct model_form forms[] = {
		{ .name = "DIV", .has_ports = true, .n_uses = 2, .uses = uses },
		{ .name = "DIVU",
		  .throughput = { true, 1, 1 },
		  .has_ports = true,
		  .n_uses = 1,
		  .uses = uses,
		  .eliminated = true }, /* OSACA knows no such */
		{ .name = "REM", .throughput = { true, 2, 2 } },
		{ .name = "REMU" }, /* OSACA does better without it */
	};
	const struct model m = { .isa = "riscv64",
				 .cpu = "it's",
				 .source = "s",
				 .n_ports = 3,
				 .ports = ports,
				 .n_forms = 4,
				 .forms = forms };
	SCOPED(close_world) struct world w = open_world("riscv64", NULL);
	const char *text;

	text = written(
		&w, "osaca",
		completed_fill(&w.a, model_complete(&w.a, w.c, &m, NULL)));
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		assert_part(text, keys[i]);
	assert_part(text, "ports: ['0', '10', 'div']\n");
	assert_part(text, "- &p0 [[1, ['0', '10']], [9, ['div']]]\n"
			  "- &p1 []\n");
	assert_part(text, "- {name: 'div', operands: *o0, latency: "
			  "~, throughput: 9, port_pressure: *p0, "
			  "llvm_name: 'DIV'}\n");
	assert_part(text, "- {name: 'divu', operands: *o0, latency: "
			  "~, throughput: 1, port_pressure: *p1, "
			  "ports_unknown: false, llvm_name: "
			  "'DIVU'}\n");
	assert_part(text, "- {name: 'rem', operands: *o0, latency: "
			  "~, throughput: 2, port_pressure: *p1, "
			  "ports_unknown: true, llvm_name: "
			  "'REM'}\n");
	assert_false(known(read_text(&w, "osaca", text), "REM")->has_ports);
	assert_null(strstr(text, "'REMU'"));
	assert_part(text, "micro_architecture: 'it''s'\n");
}

TEST(export_without_ports_fails)
{
	static const struct model_form forms[] = {
		{ .name = "REM", .throughput = { true, 2, 2 } },
	};
	const struct model m = { .isa = "riscv64",
				 .cpu = "c",
				 .source = "s",
				 .n_forms = 1,
				 .forms = forms };
	SCOPED(close_world) struct world w = open_world("riscv64", NULL);
	SCOPED(buffer_free) struct buffer b = { 0 };
	struct err e = { 0 };

	assert_int_equal(exporter_find("osaca")->write_model(&m, w.c, &b, &e),
			 ERR_FAILED);
	assert_part(e.message, "--what ports");
}

TEST(signatures)
{
	SCOPED(close_world) struct world w = open_world("x86_64", NULL);
	const struct isa *arm = isa_find("aarch64");
	struct signature s;

	assert_true(signature_parse(w.c->isa,
				    "vaddpd 8(%rax,%rcx,2), %zmm1, %zmm0 "
				    "{%k1} {z}",
				    &s));
	assert_int_equal(s.n, 3);
	assert_int_equal(s.operands[0].class, SIGNATURE_MEMORY);
	assert_true(s.operands[0].index);
	assert_true(s.operands[2].mask && s.operands[2].zero);
	assert_false(signature_parse(w.c->isa, "lock addq %rcx, (%rax)", &s));
	assert_true(signature_parse(arm, "ldr x1, [x0, x2, lsl #3]", &s));
	assert_true(s.n == 2 && s.operands[1].index);
	assert_true(signature_parse(arm, "ldr x1, [x0], #8", &s));
	assert_true(s.n == 2 && s.operands[1].after);
	assert_true(signature_parse(arm, "add x0, x1, w2, uxtw #2", &s));
	assert_int_equal(s.n, 3);
	assert_true(signature_parse(arm, "fmla z0.d, p0/m, z1.d, z2.d", &s));
	assert_int_equal(s.operands[1].predicate, 'm');
	assert_int_equal(s.operands[3].shape, 'd');
}
