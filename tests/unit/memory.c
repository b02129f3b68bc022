/* Memory forms in kernels: addresses stay where they are, whatever the chain,
 * and every access lies inside the memory a kernel has. */
#include "host/isa/memory.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "tests/unit/memory_plan.h"

enum { MEMORY_BYTES = 4096 };

/* Steps of latency cycles from a base. */
#define CLOSED "+AND64rr@1>0+LEA64r/r64,r64@1>0"
#define TO_SSE "+MOVPQIto64rr@1>0"
#define TO_VEX "+VMOVPQIto64rr@1>0"
#define TO_CF  "+CMOV64rr/b@EFLAGS.CF>0"
#define TO_OF  "+CMOV64rr/o@EFLAGS.OF>0"

TEST(chains_run_where_addresses_allow)
{
	static const struct {
		const char *isa, *label;
		bool wanted;
	} rows[] = {
		{ "x86_64", "latency:MOV64rm@1>0", true },
		{ "x86_64", "control:MOV64rm@1>0", true },
		{ "x86_64", "latency:MOV64rm@3>0", true },
		{ "x86_64", "latency:MOV32rm@1>0", false },
		{ "x86_64", "latency:MOV32rm@3>0", true },
		{ "x86_64", "latency:TZCNT64rm@3>0", false },
		{ "x86_64", "latency:ADD64rm@1>0", true },
		{ "x86_64", "latency:XADD64rm@1>0", false },
		{ "x86_64", "latency:ADC64mr@EFLAGS.CF>EFLAGS.CF", true },
		{ "x86_64", "latency:MOV64mr+MOV64rm", true },
		{ "x86_64", "latency:MOVAPSrm@3>0+MOVPQIto64rr@1>0", true },
		{ "x86_64", "latency:MOV32rm@1>0+ADD64rr@1>0", true },
		{ "x86_64", "latency:MOVZX32rm8@1>0+ADD64rr@1>0", true },
		{ "x86_64", "latency:MOV64rm@1>0+ADD64rr@1>0", false },
		{ "x86_64", "latency:MOV8rm@1>0+ADD64rr@1>0", false },
		{ "x86_64", "latency:ADD64rm@2>0+ADD64rr@1>0", false },
		{ "x86_64", "latency:MOVAPSrm@1>0+MOVPQIto64rr@1>0+ADD64rr@1>0",
		  true },
		{ "x86_64", "latency:VADDPDYrm@2>0" TO_VEX CLOSED, true },
		{ "x86_64", "latency:PADDDrm@2>0" TO_SSE CLOSED, true },
		{ "x86_64", "latency:VADDPDZrmbkz@3>0" TO_VEX CLOSED, true },
		{ "x86_64", "latency:MOVHPDrm@2>0" TO_SSE CLOSED, true },
		{ "x86_64", "latency:ADD64rm@2>0" CLOSED, true },
		{ "x86_64", "latency:XCHG64rm@2>0" CLOSED, true },
		{ "x86_64", "latency:MUL64m@0>RDX" CLOSED "+~MOV64ri32", true },
		{ "x86_64", "latency:CMP64rm@1>EFLAGS.CF" TO_CF CLOSED, true },
		{ "x86_64", "latency:CMP64rm@1>EFLAGS.OF" TO_OF CLOSED, false },
		{ "x86_64", "latency:ADD64mr@0>EFLAGS.CF" TO_CF CLOSED, true },
		{ "x86_64",
		  "latency:ADC64rm@2>EFLAGS.CF" TO_CF CLOSED "+~TEST64rr",
		  true },
		{ "x86_64", "latency:VPCMPEQBZ128rm@2>0+KMOVQrk@1>0" CLOSED,
		  true },
		{ "x86_64", "latency:MUL8m/high@0>AH" CLOSED, false },
		{ "x86_64", "control:ADD64rm@2>0" CLOSED, false },
		{ "x86_64", "latency:VPGATHERDDrm@3>0" TO_VEX CLOSED, true },
		/* The mask is set before each of them. */
		{ "x86_64", "latency:VPGATHERDDrm@3>1" TO_VEX CLOSED, false },
		{ "x86_64", "latency:VPGATHERDDrm@5>0", true },
		{ "x86_64", "latency:VPGATHERDDZrm@6>0", true },
		{ "x86_64", "latency:MOVHPDrm@4>0+MOVPQIto64rr@1>0", false },
		/* The upper halves are in use. */
		{ "x86_64",
		  "latency:VPTESTYrr@0>EFLAGS.CF" TO_CF "+VMOV64toPQIrr@1>0",
		  true },
		{ "x86_64", "control:MOV64mr+MOV64rm", true },
		{ "x86_64", "latency:MOV64mr/index+MOV64rm/index", true },
		{ "x86_64", "control:MOV64mr/index+MOV64rm/index", true },
		{ "x86_64", "latency:MOV64mr+MOV64rm+ADD64rr@1>0", true },
		{ "x86_64", "control:MOV64mr+MOV64rm+ADD64rr@1>0", true },
		{ "x86_64", "latency:MOV64mr/index+MOV64rm/index+ADD64rr@1>0",
		  true },
		{ "x86_64", "latency:MOV16mr+MOV16rm+ADD16rr@1>0", false },
		{ "x86_64", "dependent:ADD64mr", true },
		{ "x86_64", "dependent:INC8m", true },
		{ "x86_64", "dependent:LOCK_ADD64mr", false },
		{ "x86_64", "dependent:MOV64mr", false },
		{ "x86_64", "dependent:XCHG64rm", false },
		{ "x86_64", "throughput:LOCK_ADD64mr", true },
		{ "aarch64", "latency:LDRXui@1>0", true },
		{ "aarch64", "latency:LDRXpost@2>0", true },
		{ "aarch64", "latency:LDRXpost@2>1", true },
		{ "aarch64", "latency:LDRWroX@2>0", true },
		{ "aarch64", "latency:STRXpost@2>0", true },
		{ "aarch64", "latency:STRXpost@1>0", false },
		{ "aarch64", "latency:LDADDX@1>0", false },
		{ "aarch64", "latency:STRQui+LDRQui", true },
		{ "aarch64", "latency:GLD1D_IMM@2>0", true },
		{ "aarch64", "latency:GLD1W_D_IMM@2>0", false },
		{ "aarch64", "latency:LDFF1B@FFR>FFR", true },
		{ "aarch64", "throughput:LDFF1B+~SETFFR", true },
		{ "aarch64", "throughput:LDRXl", true },
		{ "aarch64", "latency:LDRSroX@2>0+FMOVDXr@1>0", true },
		{ "aarch64", "latency:LDRXroX@1>0", true },
		{ "aarch64", "latency:LDRXroX@2>0", true },
		{ "aarch64", "latency:LDRBBui@1>0+ADDXrs@1>0", true },
		{ "aarch64", "latency:LDRWpost@2>1+ADDXrs@1>0", true },
		{ "aarch64", "latency:LDPXi@2>1+ADDXrs@1>0", true },
		{ "aarch64", "latency:LDPQi@2>1+FMOVDXr@1>0+ADDXrs@1>0", true },
		{ "aarch64", "latency:LD1i8@3>0+FMOVDXr@1>0+ADDXrs@1>0",
		  false },
		{ "aarch64",
		  "latency:LD1i8@3>0+FMOVDXr@1>0+ANDXrs@1>0+ADDXrs@1>0", true },
		{ "aarch64", "latency:LDADDX@2>0+ANDXrs@1>0+ADDXrs@1>0",
		  false },
		{ "aarch64", "latency:GLD1D@3>0", true },
		{ "aarch64", "latency:LDFF1B@2>0+FMOVDXr@1>0+ADDXrs@1>0",
		  false },
		{ "aarch64", "latency:LD1W@1>0+CMPHS_PPzZI_B@2>0", true },
		{ "riscv64", "latency:LD@1>0", true },
		{ "riscv64", "latency:LW@1>0", false },
		{ "riscv64", "latency:FSD+FLD", true },
		{ "riscv64", "latency:LW@1>0+ADD@1>0", true },
		{ "riscv64", "latency:FLD@1>0+FMV_X_D@1>0+ADD@1>0", true },
		{ "riscv64", "latency:VLUXEI32_V/e32,m1@2>0", true },
		{ "riscv64", "latency:AMOADD_D@2>0", false },
		{ "riscv64", "latency:AMOADD_D@1>0+AND@1>0+ADD@1>0", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows);) {
		const char *isa = rows[i].isa;
		SCOPED(done) struct all w = plan_of(isa, NULL);

		for (; i < ARRAY_LEN(rows) && rows[i].isa == isa; i++)
			if (planned(&w, rows[i].label) != rows[i].wanted)
				fail_msg("%s: planned %d", rows[i].label,
					 !rows[i].wanted);
	}
}

static const struct reg *reg_of(const struct all *w, const struct instance *in,
				int operand)
{
	return &w->c->regs[in->reg[operand]];
}

/* The bits of the GPRs that an instance writes. */
static uint32_t written(const struct all *w, const struct instance *in)
{
	uint32_t bits = 0;

	for (int i = 0; i < in->form->n_operands; i++) {
		const struct operand *o = &in->form->operands[i];
		uint16_t reg = o->implicit ? o->fixed_reg : in->reg[i];
		const struct reg *r = &w->c->regs[reg];

		if (o->write && r->bank == BANK_GPR)
			bits |= ((1u << r->span) - 1) << r->index;
	}
	return bits;
}

static bool writes_base(const struct experiment *x)
{
	for (size_t s = 0; s < x->n_steps; s++)
		if (form_writes_base(x->steps[s].form))
			return true;
	return false;
}

static bool is_base(const struct experiment_step *s)
{
	return s->src >= 0 && s->form->operands[s->src].role == ROLE_BASE;
}

static void check_places(const struct assigned *a, const struct instance *in)
{
	int displacement = form_part(in->form, ROLE_DISPLACEMENT);
	int64_t at = displacement < 0
			     ? 0
			     : in->imm[displacement] * in->form->unit_bytes;

	for (unsigned gpr = 0; gpr < 32; gpr++) {
		if (!(a->memory.pointers >> gpr & 1))
			continue;
		assert_in_range(a->memory.offset[gpr] + at, 0,
				MEMORY_BYTES - in->form->access_bytes);
		/* Only scalars use several bases. */
		if (displacement >= 0)
			assert_int_equal((a->memory.offset[gpr] + at) %
						 in->form->access_bytes,
					 0);
	}
}

static void check_experiment(const struct all *w, const struct experiment *x)
{
	struct err e = { .code = ERR_OK, .message = "" };
	struct assigned a;
	uint32_t chain = 0;

	if (assign_registers(w->c, x, 16, &a, &e) != ERR_OK)
		return;
	/* A chain of pointers passes them on, and one through zeros computes
	 * them again from the base. */
	if (a.memory.self || writes_base(x) ||
	    (a.memory.all_zero && is_base(&x->steps[0])))
		chain = a.memory.pointers;
	for (size_t op = 0; op < a.period; op++)
		for (size_t s = 0; s < a.n_steps; s++) {
			const struct instance *in = &a.instances[op][s];

			/* Literals are in the code. */
			if (!in->form->access ||
			    (form_part(in->form, ROLE_BASE) < 0 &&
			     form_part(in->form, ROLE_ADDRESSES) < 0))
				continue;
			assert_int_not_equal(a.memory.pointers, 0);
			if (written(w, in) & a.memory.pointers & ~chain)
				fail_msg("%s writes its base", in->form->name);
			check_places(&a, in);
		}
}

TEST(addresses_stay_inside_the_memory)
{
	for (size_t i = 0; isas[i]; i++) {
		SCOPED(done) struct all w = plan_of(isas[i]->name, NULL);

		for (size_t k = 0; k < w.n; k++)
			if (w.list[k].steps[0].form->access)
				check_experiment(&w, &w.list[k]);
	}
}

TEST(loads_go_from_line_to_line)
{
	SCOPED(done) struct all w = plan_of("x86_64", "^MOVAPSrm$");
	struct assigned a;

	assign(w.c, "throughput:MOVAPSrm", 16, &a);
	assert_true(a.period >= 16);
	for (size_t op = 0; op < 16; op++) {
		const struct instance *in = a.instances[op];

		assert_int_equal(in->imm[4],
				 -128 + (64 + 16) * (int64_t)(op % 4));
		assert_int_equal(in->reg[3], REG_NONE);
		assert_int_equal(reg_of(&w, in, 1)->index,
				 w.c->isa->memory->base);
	}
}

TEST(what_modifies_goes_through_many_places)
{
	SCOPED(done) struct all w = plan_of("x86_64", "^ADD64mr$");
	struct assigned a;

	assign(w.c, "throughput:ADD64mr", 16, &a);
	assert_int_equal(a.period, 24);
	assert_int_equal(a.instances[23][0].imm[3], 23 * 8);

	/* No displacement: several bases, each its own place. */
	SCOPED(done) struct all r = plan_of("riscv64", "^AMOADD_D$");

	assign(r.c, "throughput:AMOADD_D", 16, &a);

	const struct reg *first = reg_of(&r, &a.instances[0][0], 1);
	const struct reg *second = reg_of(&r, &a.instances[1][0], 1);

	assert_int_not_equal(first->index, second->index);
	assert_int_not_equal(a.memory.offset[first->index],
			     a.memory.offset[second->index]);
}

TEST(a_base_chain_follows_pointers)
{
	SCOPED(done) struct all w = plan_of("x86_64", "^MOV64rm$");
	struct assigned a;

	assign(w.c, "latency:MOV64rm@1>0", 16, &a);
	assert_true(a.memory.self);
	for (size_t op = 0; op < a.period; op++) {
		const struct instance *in = a.instances[op];
		const struct instance *next = a.instances[(op + 1) % a.period];

		assert_int_equal(in->reg[0], next->reg[1]);
		assert_int_equal(in->imm[4], 0);
		assert_true(a.memory.pointers >> reg_of(&w, in, 1)->index & 1);
	}
}

TEST(an_index_chain_runs_through_zeros)
{
	SCOPED(done) struct all w = plan_of("x86_64", "^ADD64rm$");
	struct gen_profile p = gen_profile(2000);
	struct err e = { .code = ERR_OK, .message = "" };
	struct experiment x;
	struct kernel_row row;
	struct assigned a;

	assign(w.c, "latency:ADD64rm@4>0", 16, &a);
	assert_true(a.memory.all_zero);
	for (size_t op = 0; op < a.period; op++) {
		const struct instance *in = a.instances[op];
		const struct instance *next = a.instances[(op + 1) % a.period];

		assert_int_equal(in->reg[0], next->reg[4]);
		/* The tied source's own chain is longer. */
		assert_int_not_equal(in->reg[0], next->reg[1]);
	}

	SCOPED(gen_end) struct gen *g = gen_new(w.c, &p);

	assert_ok(experiment_parse(w.c, "latency:ADD64rm@4>0", &x, &e), &e);
	assert_int_equal(gen_add(g, &x, &e), ERR_OK);
	gen_kernel_row(g, 0, &row);
	for (unsigned gpr = 0; gpr < 16; gpr++)
		if (!(row.image->gpr_is_memory >> gpr & 1))
			assert_int_equal(row.image->gpr[gpr], 0);
	for (size_t i = 0; i < sizeof(row.image->memory); i++)
		assert_int_equal(row.image->memory[i], 0);
}

TEST(a_load_takes_over_what_was_stored)
{
	SCOPED(done) struct all w = plan_of("aarch64", "^LDRDui$");
	struct assigned a;

	assign(w.c, "latency:STRDui+LDRDui", 16, &a);
	for (size_t op = 0; op < a.period; op++) {
		const struct instance *store = &a.instances[op][0];
		const struct instance *load = &a.instances[op][1];

		assert_int_equal(store->reg[0], load->reg[0]);
		assert_int_equal(store->reg[1], load->reg[1]);
		assert_int_equal(store->imm[2], load->imm[2]);
	}
	assign(w.c, "control:STRDui+LDRDui", 16, &a);
	for (size_t op = 0; op < a.period; op++)
		for (size_t other = 0; other < a.period; other++)
			assert_int_not_equal(a.instances[op][0].reg[0],
					     a.instances[other][1].reg[0]);
}

TEST(a_sum_adds_the_base_to_a_loaded_zero)
{
	SCOPED(done) struct all w = plan_of("riscv64", "^FLD$");
	struct assigned a;

	assign(w.c, "latency:FLD@1>0+FMV_X_D@1>0+ADD@1>0", 16, &a);
	assert_true(a.memory.all_zero);
	assert_false(a.memory.self);
	for (size_t op = 0; op < a.period; op++) {
		const struct instance *load = &a.instances[op][0];
		const struct instance *back = &a.instances[op][1];
		const struct instance *sum = &a.instances[op][2];
		unsigned base = reg_of(&w, sum, 2)->index;

		assert_int_equal(load->reg[0], back->reg[1]);
		assert_int_equal(back->reg[0], sum->reg[1]);
		assert_int_equal(sum->reg[0],
				 a.instances[(op + 1) % a.period][0].reg[1]);
		assert_true(a.memory.pointers >> base & 1);
		assert_int_not_equal(base, reg_of(&w, sum, 0)->index);
		assert_int_not_equal(base, reg_of(&w, sum, 1)->index);
	}
}

TEST(chains_without_ends_are_refused)
{
	static const char *const bad[] = {
		"latency:ADD64rr",          "latency:MOV64mr",
		"latency:MOV64rm+MOV64mr",  "latency:MOV64mr+ADD64rr",
		"latency:MOV64mr+~MOV64rm", "calibrate:ADD64rr",
	};
	SCOPED(done) struct all w = plan_of("x86_64", "^ADD64rr$");

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct err e = { .code = ERR_OK, .message = "" };
		struct experiment x;

		if (experiment_parse(w.c, bad[i], &x, &e) != ERR_INPUT)
			fail_msg("accepted: '%s'", bad[i]);
	}
}

/* The cost of a sum's other parts, and of all of them without the sum. */
TEST(sums_are_planned_with_their_parts)
{
	static const struct {
		const char *isa, *forms, *labels[4];
	} rows[] = {
		{ "x86_64",
		  "^MOVZX32rm8$",
		  { "latency:MOVZX32rm8@1>0+ADD64rr@1>0", "latency:ADD64rr@1>0",
		    "control:ADD64rr@1>0", "control:ADD64rr" } },
		{ "x86_64",
		  "^CVTSI642SDrr_Int$",
		  { "latency:CVTSI642SDrr_Int@2>0+MOVPQIto64rr@1>0",
		    "control:MOVPQIto64rr", "throughput:CVTSI642SDrr_Int",
		    NULL } },
		{ "aarch64",
		  "^LDRBBui$",
		  { "latency:LDRBBui@1>0+ADDXrs@1>0", "latency:ADDXrs@1>0",
		    "control:ADDXrs", NULL } },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		SCOPED(done) struct all w = plan_of(rows[i].isa, rows[i].forms);

		for (size_t k = 0; k < 4 && rows[i].labels[k]; k++)
			if (!planned(&w, rows[i].labels[k]))
				fail_msg("no %s", rows[i].labels[k]);
	}
}
