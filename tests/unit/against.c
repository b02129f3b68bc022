/* A model with measured ports against a small source of LLVM's Skylake. */
#include "host/codec/codec.h"
#include "host/isa/catalogue.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/unit.h"

static const char source[] =
	"def SkylakeClientModel : SchedMachineModel {\n}\n"
	"let SchedModel = SkylakeClientModel in {\n"
	"multiclass SKLWriteResPair<X86FoldableSchedWrite SchedRW,\n"
	"    list<ProcResourceKind> ExePorts, int Lat,\n"
	"    list<int> Res = [1], int UOps = 1, int LoadUOps = 1> {\n}\n"
	"defm : SKLWriteResPair<WriteCRC32, [SKLPort1], 3>;\n"
	"defm : SKLWriteResPair<WriteFAdd, [SKLPort01], 4, [1], 1, 1>;\n"
	"defvar SKLPort1 = SKLPort15;\ndefvar SKLSwapPort = SKLPort15;\n"
	"def SKLSwap : SchedWriteRes<[ SKLSwapPort ]> { let Latency = 1; }\n"
	"def : InstRW<[SKLSwap], (instrs BSWAP32r)>;\n"
	"def SKLCount : SchedWriteRes<[SKLPort1]> {\n  let Latency = 3;\n"
	"  let NumMicroOps = 1;\n}\n"
	"def : InstRW<[SKLCount], (instrs POPCNT32rr)>;\n"
	"def : InstRW<[SKLCount], (instrs TZCNT32rr)>;\n"
	"def SKLMove : SchedWriteRes<[SKLPort06]> { let Latency = 1; }\n"
	"def : InstRW<[SKLMove], (instrs CMOV32rr)>;\n"
	"def SKLTest : SchedWriteRes<[SKLPort06]> { let Latency = 1; }\n"
	"def : InstRW<[SKLTest], (instrs BT32rr)>;\n"
	"def SKLBoth : SchedWriteRes<[SKLPort15, SKLPort1]> {\n"
	"  let Latency = 3;\n}\n"
	"def : InstRW<[SKLBoth], (instrs ANDN32rr)>;\n"
	"def : InstRW<[SKLBoth], (instrs IMUL32rr)>;\n"
	"} // SchedModel\n";

/* What was measured: the ports are those of the table of another form. */
static const struct row {
	const char *form, *ports_of;
	enum mark_kind mark;
	double slots; /* 0: the table's */
} rows[] = {
	{ "ADD32rr", "ADD32rr", MARK_MEASURED, 0 },
	{ "SUB32rr", "SUB32rr", MARK_MEASURED, 0 },
	{ "XOR32rr", "XOR32rr", MARK_MEASURED, 0 },
	{ "SHL32ri", "SHL32ri", MARK_MEASURED, 0 },
	{ "SHR32ri", "SHR32ri", MARK_MEASURED, 0 },
	{ "SAR32ri", "SAR32ri", MARK_MEASURED, 0 },
	{ "PEXT32rr", "PEXT32rr", MARK_MEASURED, 0 },
	{ "PDEP32rr", "PDEP32rr", MARK_MEASURED, 0 },
	{ "LZCNT32rr", "LZCNT32rr", MARK_MEASURED, 0 },
	/* Others. */
	{ "BSWAP32r", "SHL32ri", MARK_MEASURED, 0 },
	{ "POPCNT32rr", "SHL32ri", MARK_MEASURED, 2 },
	{ "CRC32r32r32", "SHL32ri", MARK_MEASURED, 0 },
	/* The same resource in the place of different ones. */
	{ "ANDN32rr", "SHL32ri", MARK_MEASURED, 0 },
	{ "IMUL32rr", "SHL32ri", MARK_MEASURED, 0 },
	{ "SHL64ri", "SHL32ri", MARK_MEASURED, 0 },
	{ "SHR64ri", "SHL32ri", MARK_MEASURED, 0 },
	{ "SAR64ri", "SHL32ri", MARK_MEASURED, 0 },
	/* No evidence. */
	{ "TZCNT32rr", "SHL32ri", MARK_PUBLISHED, 0 },
	{ "CMOV32rr", "LZCNT32rr", MARK_OPEN, 0 },
	/* Ports that too few forms name. */
	{ "BT32rr", "VPSHUFBrr", MARK_MEASURED, 0 },
	/* Micro-ops alone. */
	{ "ADDPSrr", "ADDPSrr", MARK_NONE, 2 },
	{ "VADDPSrr", "VADDPSrr", MARK_NONE, 2 },
};

/* The table's ports in the other order, as a search may name them. */
static model_ports other_name(model_ports ports, size_t n)
{
	model_ports ret = 0;

	for (size_t i = 0; i < n; i++)
		ret |= (ports >> i & 1) << (n - 1 - i);
	return ret;
}

static int by_name(const void *a, const void *b)
{
	const struct model_form *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static struct model *measured(struct arena *a, const struct model *table)
{
	struct model *m = ARENA_NEW(a, struct model);
	struct model_port *ports =
		ARENA_ARRAY(a, struct model_port, table->n_ports);
	struct model_form *forms =
		ARENA_ARRAY(a, struct model_form, ARRAY_LEN(rows));

	*m = *table;
	for (size_t i = 0; i < m->n_ports; i++) {
		ports[i] = table->ports[m->n_ports - 1 - i];
		ports[i].name = arena_printf(a, "p%zu", i);
	}
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct model_form *like =
			model_find(table, rows[i].ports_of);
		struct model_use *uses =
			ARENA_ARRAY(a, struct model_use, like->n_uses);

		for (size_t u = 0; u < like->n_uses; u++) {
			uses[u] = like->uses[u];
			uses[u].ports = other_name(uses[u].ports, m->n_ports);
		}
		forms[i] = *model_find(table, rows[i].form);
		forms[i].uses = uses;
		forms[i].n_uses = like->n_uses;
		forms[i].throughput = like->throughput;
		forms[i].mark.kind = rows[i].mark;
		if (rows[i].slots > 0)
			forms[i].slots =
				(struct model_span){ true, rows[i].slots,
						     rows[i].slots };
	}
	qsort(forms, ARRAY_LEN(rows), sizeof(*forms), by_name);
	m->ports = ports;
	m->forms = forms;
	m->n_forms = ARRAY_LEN(rows);
	return m;
}

TEST(against)
{
	SCOPED(arena_free) struct arena a = { 0 };
	SCOPED(buffer_free) struct buffer out = { 0 };
	const struct export_against x = { "skylake", "x.td", source,
					  sizeof(source) - 1 };
	const struct catalogue *c;
	struct err e = { 0 };
	struct model *table, *m, *now;
	const char *text;

	c = catalogue_of("x86_64");
	assert_ok(import_llvm_plain(&a, c, "skylake", &table, &e), &e);
	m = measured(&a, table);
	assert_ok(exporter_find("llvm")->write_against(m, c, &x, &out, &e), &e);
	text = buffer_text(&out);
	assert_part(text,
		    "1 ports changed, 3 InstRW with another write, 1 new");
	/* In its place, with the blanks. */
	assert_part(text, "+def SKLSwap : SchedWriteRes<[ SKLPort06 ]>");
	/* A copy, because nothing is known of the other InstRW's form. */
	assert_part(
		text,
		"+def SKLCount_SKLPort06_for_SKLPort1_2uops : SchedWriteRes<"
		"[SKLPort06]> {\n+  let Latency = 3;\n"
		"+  let NumMicroOps = 2;\n+}\n");
	assert_part(
		text,
		"+def : InstRW<[SKLCount_SKLPort06_for_SKLPort1_2uops], (instrs "
		"POPCNT32rr)>;");
	/* Two copies of one write. */
	assert_part(text,
		    "+def SKLBoth_SKLPort06_for_SKLPort15 : SchedWriteRes<"
		    "[SKLPort06, SKLPort1]>");
	assert_part(text, "+def SKLBoth_SKLPort06_for_SKLPort1 : SchedWriteRes<"
			  "[SKLPort15, SKLPort06]>");
	assert_part(text, "+def : InstRW<[SKLBoth_SKLPort06_for_SKLPort15], "
			  "(instrs ANDN32rr)>;");
	assert_part(text, "+def : InstRW<[SKLBoth_SKLPort06_for_SKLPort1], "
			  "(instrs IMUL32rr)>;");
	assert_null(strstr(text, "+def SKLBoth :"));
	/* A new one, because others of the same cost are right. */
	assert_part(text,
		    "+def SkylakeClientWriteMeasured0 : SchedWriteRes<"
		    "[SKLPort06]> {\n+  let Latency = 3;\n+}\n"
		    "+def : InstRW<[SkylakeClientWriteMeasured0], (instrs "
		    "CRC32r32r32)>;");
	assert_part(text, "<WriteFAdd, [SKLPort01], 4, [1], 2, 1>;");
	assert_null(strstr(text, "+def SKLMove"));
	assert_null(strstr(text, "SKLMove_"));
	assert_null(strstr(text, "SKLTest_"));

	assert_ok(changed_llvm(&a, m, c, &x, &now, &e), &e);
	assert_int_equal(model_find(now, "BSWAP32r")->uses[0].ports,
			 model_find(table, "SHL32ri")->uses[0].ports);
	assert_int_equal(model_find(now, "CMOV32rr")->uses[0].ports,
			 model_find(table, "CMOV32rr")->uses[0].ports);
	assert_true(model_find(now, "POPCNT32rr")->slots.high == 2);
	assert_true(model_find(now, "POPCNT32rr")->throughput.high == 0.5);
	assert_true(model_find(now, "TZCNT32rr")->throughput.high == 1);
}
