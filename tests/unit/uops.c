/* XML in the format of uops.info: well-formed, without placeholder values, and
 * equal when read back. */
#include <math.h>

#include "host/codec/uops/names.h"
#include "host/codec/xml.h"
#include "tests/unit/model_world.h"
#include "tests/unit/unit.h"

static bool same_span(struct model_span x, struct model_span y)
{
	return x.has_value == y.has_value &&
	       (!x.has_value ||
		(fabs(x.low - y.low) <= 1e-5 * x.low && x.high - y.high == 0));
}

/* The parts of an unknown address count as one operand. */
static bool is_told(const struct operand *o)
{
	return o->read &&
	       (o->kind != OPERAND_MEM || o->role == ROLE_BASE ||
		o->role == ROLE_INDEX || o->role == ROLE_OPTIONAL_INDEX);
}

static void compare_form(const struct form *form, const struct model_form *f,
			 const struct model_form *g)
{
	if (!g || f->has_ports != g->has_ports || f->n_uses != g->n_uses ||
	    fabs(model_port_bound(f->uses, f->n_uses, NULL) -
		 model_port_bound(g->uses, g->n_uses, NULL)) > 1e-4)
		fail_msg("%s: other ports", f->name);
	for (int i = 0; i < form->n_operands; i++)
		for (int k = 0; k < form->n_operands; k++)
			if (is_told(&form->operands[i]) &&
			    form->operands[k].write &&
			    !same_span(model_latency(f, i, k),
				       model_latency(g, i, k)))
				fail_msg("%s %d>%d: another latency", f->name,
					 i, k);
}

TEST(comes_back)
{
	static const char *const cpus[][2] = {
		{ "x86_64", "znver4" },
		{ "aarch64", "neoverse-v2" },
		{ "riscv64", "sifive-p670" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cpus); i++) {
		SCOPED(close_world)
		struct world w = open_world(cpus[i][0], cpus[i][1]);
		char *text = written(&w, "uops", w.m);
		struct model *again = read_text(&w, "uops", text);

		assert_int_equal(again->n_forms, w.m->n_forms);
		for (size_t k = 0; k < w.m->n_forms; k++)
			compare_form(catalogue_form(w.c, w.m->forms[k].name),
				     &w.m->forms[k],
				     model_find(again, w.m->forms[k].name));
		assert_null(strstr(text, "cycles=\"\""));
		assert_null(strstr(text, "TP_unrolled=\"\""));
		assert_null(strstr(text, "=\"-"));
	}
}

TEST(uops_infos_words)
{
	static const struct model_port ports[] = { { .name = "p0" },
						   { .name = "p5" },
						   { .name = "div",
						     .pseudo = true } };
	static const struct model_use uses[] = { { 3, 2, 1 }, { 4, 1, 9 } };
	static const struct model_latency latencies[] = {
		{ 1, 0, { true, 3, 4 }, { 0 } },
	};
	static const struct model_form forms[] = {
		{ .name = "DIV",
		  .has_ports = true,
		  .n_uses = 2,
		  .uses = uses,
		  .n_latencies = 1,
		  .latencies = latencies },
		{ .name = "REM" },
	};
	const struct model m = { .isa = "riscv64",
				 .cpu = "a<b",
				 .source = "s",
				 .n_ports = 3,
				 .ports = ports,
				 .n_forms = 2,
				 .forms = forms };
	SCOPED(close_world) struct world w = open_world("riscv64", NULL);
	char *text = written(&w, "uops", &m);

	assert_part(text, "<measurement TP_loop=\"9\" TP_unrolled=\"9\" "
			  "TP_measured=\"0\" ports=\"2*p05\" TP_ports="
			  "\"9\" units=\"9*pA\" div_cycles=\"9\">");
	assert_part(text, "<latency start_op=\"2\" target_op=\"1\" "
			  "min_cycles=\"3\" max_cycles=\"4\" "
			  "low_cycles=\"3\" high_cycles=\"4\"/>");
	assert_part(text, "<architecture name=\"a&lt;b\">");
	/* REM has no values: its measurement has no attributes. */
	assert_part(text, "<measurement>");
}

/* As uops.info names instructions; the first form of several that look
 * alike. */
TEST(strings)
{
	static const char *const rows[][2] = {
		{ "ADD64rr", "ADD_01 (R64, R64)" },
		{ "ADD64rr_REV", "ADD_03 (R64, R64)" },
		{ "ADD64rr", "ADD (R64, R64)" },
		{ "ADD64rm", "ADD (R64, M64)" },
		{ "SHL64r1", "SHL (R64, 1)" },
		{ "SHL64rCL", "SHL (R64, CL)" },
		{ "SHLD64rrCL", "SHLD_CL (R64, R64, CL)" },
		{ "CMOV64rr", "CMOVZ (R64, R64)" },
		{ "SETCCr", "SETZ (R8l)" },
		{ "JCC_1", "JO (Rel8)" },
		{ "JCC_4", "JO (Rel32)" },
		{ "IMUL64rri8", "IMUL_IMMB (R64, R64, I8)" },
		{ "MOV64ri", "MOV (R64, I64)" },
		{ "LEA64r/r64", "LEA_B (R64)" },
		{ "LEA64r/r64,r64,disp8", "LEA_B_I_D8 (R64)" },
		{ "CMPSDrri_Int", "CMPSD_XMM (XMM, XMM, I8)" },
		{ "MMX_PADDBrr", "PADDB (MM, MM)" },
		{ "VADDPDrr", "VADDPD (XMM, XMM, XMM)" },
		{ "VADDPDZ128rr", "VADDPD_EVEX (XMM, XMM, XMM)" },
		{ "VADDPDZ128rmb", "VADDPD_EVEX (XMM, XMM, M64_1to2)" },
		{ "VADDPDZ128rmk", "VADDPD (XMM, K, XMM, M128)" },
		{ "VADDPDZrr", "VADDPD (ZMM, ZMM, ZMM)" },
		{ "VADDPDZrrbkz", "VADDPD_ER_Z (ZMM, K, ZMM, ZMM)" },
		{ "VADDSDZrrb_Int", "VADDSD_EVEX_ER (XMM, XMM, XMM)" },
		{ "VCMPPDZ128rrik", "VCMPPD (K, K, XMM, XMM, I8)" },
		{ "VRNDSCALEPSZrribkz", "VRNDSCALEPS_SAE_Z (ZMM, K, ZMM, I8)" },
		{ "VGATHERDPSZ256rm", "VGATHERDPS (YMM, K, VSIB_YMM)" },
		{ "VPMULLQZ128rr", "VPMULLQ (XMM, XMM, XMM)" },
	};
	SCOPED(close_world) struct world w = open_world("x86_64", NULL);
	const struct uops_names *names = uops_names_new(&w.a, w.c);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct form *f = uops_names_find(names, rows[i][1]);

		if (!f || strncmp(f->name, rows[i][0], strlen(f->name)) != 0)
			fail_msg("%s is %s", rows[i][1], f ? f->name : "none");
	}
	assert_string_equal(uops_names_find(names, "ADD_R0 (R8l, I8)")->name,
			    "ADD8ri");
	assert_null(uops_names_find(names, "ADD_R4 (R8l, I8)"));
}

/* Twenty ports without digits: none is F or P, which OSACA's importer takes off
 * the front of a list. */
TEST(codes_that_others_read)
{
	enum { N = 20 };
	static const char *const names[N] = {
		"a", "b", "c", "d", "e", "f", "g", "h", "i", "j",
		"k", "l", "m", "n", "o", "p", "q", "r", "s", "t",
	};
	struct model_port ports[N] = { { 0 } };
	static const struct model_form forms[] = { { .name = "REM" } };
	const struct model m = { .isa = "riscv64",
				 .cpu = "a",
				 .source = "s",
				 .n_ports = N,
				 .ports = ports,
				 .n_forms = 1,
				 .forms = forms };
	SCOPED(close_world) struct world w = open_world("riscv64", NULL);
	const char *text;

	for (size_t i = 0; i < N; i++)
		ports[i].name = names[i];
	text = written(&w, "uops", &m);
	assert_part(text, "<port code=\"E\" name=\"e\"/>");
	assert_part(text, "<port code=\"G\" name=\"f\"/>");
	assert_part(text, "<port code=\"V\" name=\"t\"/>");
	assert_null(strstr(text, "code=\"F\""));
	assert_null(strstr(text, "code=\"P\""));
}

TEST(bad_files)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{ "<root>", "x.xml:1: expected well-formed XML: " },
		{ "<root></rot>", "x.xml:1: expected well-formed XML: " },
		{ "<a b=c/>", "x.xml:1: expected well-formed XML: " },
		{ "<a b='1' b='2'/>", "x.xml:1: expected well-formed XML: " },
		{ "<a b='&x;'/>", "x.xml:1: expected well-formed XML: " },
		{ "<!-- ", "x.xml:1: expected well-formed XML: " },
		{ "<!DOCTYPE a [<!ENTITY x 'y'>]><a/>",
		  "x.xml:1: expected no document type" },
		{ "<root/>", "x.xml has no instruction whose " },
		{ "<r>\n<instruction iform='ADD'><architecture name='c'>\n"
		  "<measurement ports='1*pZ'/></architecture></instruction></r>",
		  "x.xml:3: expected ports such as 1*p05+1*p23" },
		{ "<r><instruction iform='ADD'><architecture name='c'>"
		  "<measurement uops='-1'/></architecture></instruction></r>",
		  "x.xml:1: expected a number from 0 to 1e9" },
		{ "<r><instruction iform='ADD'><architecture name='c'>"
		  "<measurement TP_loop='9223372036854775808.00'/>"
		  "</architecture></instruction></r>",
		  "x.xml:1: expected a number from 0 to 1e9" },
	};
	SCOPED(close_world) struct world w = open_world("riscv64", NULL);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_refused(&w, "uops", "x.xml", rows[i].text, rows[i].says,
			       false);
}

TEST(least_throughput)
{
	static const struct {
		const char *attributes;
		double cycles; /* 0: none */
	} rows[] = {
		{ "TP_loop='0.25' TP_unrolled='0.38'", 0.25 },
		{ "TP_loop='0.5' TP_unrolled='0.25'", 0.25 },
		{ "TP_unrolled='1'", 1 },
		{ "TP='0.5' ports='1*p0'", 0.5 },
		{ "TP_ports='1'", 0 },
	};
	SCOPED(close_world) struct world w = open_world("riscv64", NULL);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *text = arena_printf(
			&w.a,
			"<r><instruction iform='ADD'><architecture name='c'>"
			"<measurement %s/></architecture></instruction></r>",
			rows[i].attributes);
		struct model *m = read_text(&w, "uops", text);

		assert_int_equal(m->n_forms, 1);
		assert_true(m->forms[0].throughput.low == rows[i].cycles);
		assert_int_equal(m->forms[0].throughput.has_value,
				 rows[i].cycles > 0);
	}
}

/* As uops.info's own file has it: what is fused, what an index splits, what one
 * register for all sources makes of it, and operands by their registers. */
TEST(uops_infos_measurements)
{
#define INSTRUCTION(string, operands, measured)                \
	"<instruction iform='x' string='" string "'>" operands \
	"<architecture name='SKL'>" measured "</architecture></instruction>"
#define OPERAND(number, type, text) \
	"<operand idx='" number "' name='x' type='" type "'>" text "</operand>"
	static const char text[] = "<root>" INSTRUCTION(
		"ADD (R64, M64)",
		OPERAND("1", "reg", "RAX,RCX") OPERAND("2", "mem", "")
			OPERAND("3", "flags", ""),
		"<measurement uops='2' uops_retire_slots='1' "
		"ports='1*p0156+1*p23' uops_retire_slots_indexed='2' "
		"ports_indexed='1*p0156+1*p23'>"
		"<latency start_op='2' target_op='3' cycles_addr='6'/>"
		"</measurement>") INSTRUCTION("MOV (M64, R64)",
					      OPERAND("1", "mem", "")
						      OPERAND("2", "reg", ""),
					      "<measurement uops='2' uops_retire_slots='1' "
					      "ports='1*p237+1*p4' "
					      "ports_indexed='1*p23+1*p4'/>")
		INSTRUCTION(
			"SUB_2B (R64, R64)",
			OPERAND("1", "reg", "") OPERAND("2", "reg", ""),
			"<measurement uops='1' ports='1*p0156' "
			"uops_same_reg='0'>"
			"<latency start_op='2' target_op='1' "
			"cycles='1' cycles_same_reg='0'/>"
			"</measurement>") INSTRUCTION("MOV_89 (R64, R64)",
						      OPERAND("1", "reg", "")
							      OPERAND("2",
								      "reg",
								      ""),
						      "<measurement uops='0' uops_retire_slots='1' "
						      "uops_same_reg='1' ports_same_reg='1*p0156'>"
						      "<latency start_op='2' target_op='1' "
						      "cycles='0' cycles_same_reg='1'/>"
						      "</measurement>")
			INSTRUCTION("DIV (R64)",
				    OPERAND("1", "reg", "")
					    OPERAND("2", "reg", "RAX")
						    OPERAND("3", "reg", "RDX"),
				    "<measurement uops='2' TP_unrolled='21.00' "
				    "ports='2*p0' div_cycles='7' "
				    "complex_decoder='1'>"
				    "<latency start_op='3' target_op='2' "
				    "cycles='35'/></measurement>")
				INSTRUCTION(
					"LEA_B_I_D8 (R64)",
					OPERAND("1", "reg", "")
						OPERAND("2", "agen", ""),
					"<measurement uops='1' ports='1*p1'>"
					"<latency start_op='2' target_op='1' "
					"cycles_addr='3' cycles_addr_index='2'/>"
					"</measurement>")
					INSTRUCTION(
						"XADD (M64, R64)",
						OPERAND("1", "mem", "")
							OPERAND("2", "reg", ""),
						"<measurement uops='4' ports='4*p0156'>"
						"<latency start_op='1' target_op='2' "
						"cycles_addr='7'/></measurement>") "</root>";
	SCOPED(close_world) struct world w = open_world("x86_64", NULL);
	const struct model *m = read_text(&w, "uops", text);
	const struct model_form *f = known(m, "ADD64rm");
	int flag = catalogue_form(w.c, "ADD64rm")->n_explicit;

	assert_string_equal(m->cpu, "skylake");
	assert_true(f->slots.low == 1 && f->indexed_slots.low == 2);
	/* From the base to a flag. */
	assert_true(model_latency(f, 2, flag).low == 6);
	for (size_t p = 0; p < m->n_ports; p++)
		assert_int_equal(m->ports[p].no_index,
				 strcmp(m->ports[p].name, "p7") == 0);
	assert_true(known(m, "SUB64rr_REV")->zero_idiom);
	f = known(m, "MOV64rr");
	assert_true(f->eliminated && f->has_ports && f->n_uses == 0);
	f = known(m, "MOV64rr/same");
	assert_true(!f->eliminated && f->n_uses == 1);
	assert_true(model_latency(f, 1, 0).low == 1);
	f = known(m, "DIV64r");
	assert_true(f->first_decoder && f->n_uses == 2);
	assert_true(f->uses[1].cycles == 21);
	assert_string_equal(model_ports_text(&w.a, m, f->uses[1].ports),
			    "divider");
	/* RDX to RAX, which have no text. */
	assert_int_equal(f->n_latencies, 1);
	assert_true(f->latencies[0].cycles.low == 35);
	f = known(m, "LEA64r/r64,r64,disp8");
	assert_true(model_latency(f, 1, 0).low == 3);
	assert_true(model_latency(f, 3, 0).low == 2);
	f = known(m, "XADD64rm");
	assert_true(model_latency(f, 2, 0).low == 7);
}
