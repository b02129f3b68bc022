/* Kernels of mixes: their instances, order and registers. */
#include "host/gen/gen.h"
#include "host/gen/kernel.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/unit.h"

enum { MOST = 4096 };

struct made {
	struct arena a;
	struct catalogue *c;
	struct experiment x;
	struct gen *g;
	struct kernel_row row;
	/* Instructions of the shortest length, in order. */
	size_t n;
	struct instance in[MOST];
};

static void make(struct made *w, const char *isa, const char *label)
{
	struct err e = { .code = ERR_OK, .message = "" };
	struct gen_profile p = gen_profile(2000);
	size_t at = 0;

	memset(w, 0, sizeof(*w));
	assert_ok(catalogue_load(&w->a, isa_find(isa), NULL, &w->c, &e), &e);
	assert_ok(experiment_parse(w->c, label, &w->x, &e), &e);
	w->g = gen_new(w->c, &p);
	assert_ok(gen_add(w->g, &w->x, &e), &e);
	gen_kernel_row(w->g, 0, &w->row);
	while (at < w->row.code_bytes[0] && w->n < MOST) {
		size_t n = instance_decode(w->c, w->row.code[0] + at,
					   w->row.code_bytes[0] - at,
					   &w->in[w->n++]);

		assert_true(n > 0);
		at += n;
	}
}

static void done(struct made *w)
{
	gen_free(w->g);
	arena_free(&w->a);
}

static bool is(const struct made *w, size_t i, const char *form)
{
	return w->in[i].form && strcmp(w->in[i].form->name, form) == 0;
}

static size_t count(const struct made *w, const char *form)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++)
		n += is(w, i, form);
	return n;
}

static const struct reg *reg_of(const struct made *w, size_t i, int operand)
{
	return &w->c->regs[w->in[i].reg[operand]];
}

/* Three of one and one of another, never two of the rarer in a row. */
TEST(forms_are_spread_evenly)
{
	struct made w;
	size_t n = 0, since = 0, bodies;

	make(&w, "x86_64", "mix:3xADD64rr+IMUL64rr");
	bodies = w.row.unroll[0];
	assert_int_equal(mix_instances(&w.x), 4);
	assert_int_equal(mix_instructions(&w.x), 4);
	assert_int_equal(count(&w, "ADD64rr"), 3 * bodies);
	assert_int_equal(count(&w, "IMUL64rr"), bodies);
	for (size_t i = 0; i < w.n; i++) {
		if (!is(&w, i, "IMUL64rr")) {
			since++;
			continue;
		}
		if (n++ > 0)
			assert_int_equal(since, 3);
		since = 0;
	}
	done(&w);
}

/* No instance reads what one of the two before it wrote. */
TEST(none_waits_for_its_neighbours)
{
	static const char *const labels[][2] = {
		{ "x86_64", "mix:2xADD64rr+IMUL64rr+SHL64ri" },
		{ "x86_64", "mix:5xVPADDDYrr+VMULPSYrr" },
		{ "aarch64", "mix:ADDXrs+MADDXrrr+2xEORXrs" },
		{ "riscv64", "mix:4xADD+MUL" },
	};

	for (size_t k = 0; k < ARRAY_LEN(labels); k++) {
		SCOPED(done) struct made w;
		size_t body;

		make(&w, labels[k][0], labels[k][1]);
		body = mix_instances(&w.x) * w.row.unroll[0];
		for (size_t i = 2; i < body && i < w.n; i++)
			for (size_t back = 1; back <= 2; back++)
				for (int o = 1; o < w.in[i].form->n_explicit;
				     o++)
					if (w.in[i].form->operands[o].kind ==
					    OPERAND_REG)
						assert_false(reg_overlap(
							reg_of(&w, i, o),
							reg_of(&w, i - back,
							       0)));
	}
}

/* Lengths differ by a multiple of the number that front ends take at a time. */
TEST(lengths_leave_the_same_rest)
{
	enum { GROUP = 24 };
	SCOPED(done) struct made w;

	make(&w, "riscv64", "mix:5xADD+MUL");
	for (int i = 1; i < PACK_LENGTHS; i++)
		assert_int_equal((w.row.unroll[i] - w.row.unroll[i - 1]) *
					 mix_instances(&w.x) % GROUP,
				 0);
}

/* Directly before each instance, on the register that it would wait for. */
TEST(breakers_stand_before_their_instances)
{
	struct made w;

	make(&w, "x86_64", "mix:2xADC64rr+~TEST64rr+ADD64rr+MUL64r+~MOV64ri32");
	assert_int_equal(mix_instances(&w.x), 4);
	assert_int_equal(mix_instructions(&w.x), 7);
	assert_int_equal(count(&w, "ADC64rr"), 2 * w.row.unroll[0]);
	assert_int_equal(count(&w, "TEST64rr"), count(&w, "ADC64rr"));
	assert_int_equal(count(&w, "MOV64ri32"), count(&w, "MUL64r"));
	for (size_t i = 0; i < w.n; i++) {
		if (is(&w, i, "ADC64rr"))
			assert_true(i > 0 && is(&w, i - 1, "TEST64rr"));
		if (!is(&w, i, "MUL64r"))
			continue;
		assert_true(i > 0 && is(&w, i - 1, "MOV64ri32"));
		assert_string_equal(reg_of(&w, i - 1, 0)->name, "RAX");
		assert_int_not_equal(reg_of(&w, i, 0)->index,
				     reg_of(&w, i - 1, 0)->index);
	}
	done(&w);
}

/* Of all instances of a form: the first byte accessed, and the first after the
 * last one. */
static void accessed(const struct made *w, const char *form, int64_t *ret_from,
		     int64_t *ret_to)
{
	*ret_from = INT64_MAX;
	*ret_to = INT64_MIN;
	for (size_t i = 0; i < w->n; i++) {
		const struct instance *in = &w->in[i];
		int64_t at;

		if (!is(w, i, form))
			continue;
		at = in->imm[form_part(in->form, ROLE_DISPLACEMENT)] *
		     in->form->unit_bytes;
		if (at < *ret_from)
			*ret_from = at;
		if (at + in->form->access_bytes > *ret_to)
			*ret_to = at + in->form->access_bytes;
	}
}

/* A load of what another form just stored waits for it, also of 64 bytes. */
TEST(none_loads_what_another_stores)
{
	int64_t from, to, its_from, its_to;
	SCOPED(done) struct made w;

	make(&w, "x86_64", "mix:ADD64mr+VADDPSZrm+VMOVAPSZmr");
	accessed(&w, "ADD64mr", &from, &to);
	accessed(&w, "VADDPSZrm", &its_from, &its_to);
	assert_true(from < to && its_from < its_to);
	assert_true(to <= its_from || its_to <= from);
	accessed(&w, "VMOVAPSZmr", &from, &to);
	assert_true(from < to);
	assert_true(to <= its_from || its_to <= from);
}

/* In-order cores start no two together that write one register or load and
 * share a base. */
TEST(neighbours_keep_apart)
{
	static const char *const rows[][2] = {
		{ "riscv64", "mix:ADD+FADD_D+SUB+XOR+AND" },
		{ "aarch64", "mix:ADDv16i8+ADDWri+ADDWrs" },
		{ "riscv64", "mix:C_LW+C_SD+C_LD" },
		{ "aarch64", "mix:STURXi+LDURXi+STURDi" },
	};
	struct made w;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++, done(&w)) {
		make(&w, rows[i][0], rows[i][1]);
		for (size_t k = 1; k < w.n / 2; k++) {
			int b = form_part(w.in[k].form, ROLE_BASE);
			unsigned both =
				w.in[k].form->access | w.in[k - 1].form->access;

			assert_true(reg_of(&w, k, 0) != reg_of(&w, k - 1, 0));
			assert_true(b < 0 || both == ACCESS_STORE ||
				    reg_of(&w, k, b) != reg_of(&w, k - 1, b));
		}
	}
}

/* All forms that need setup have it, at any place. */
TEST(set_up_is_that_of_all_forms)
{
	enum { VSETVLI_E32_M2 = 0x0d1071d7, VMV1R_V0_V1 = 0x9e103057 };
	static const uint32_t first_false = 0x2518e400; /* pfalse p0.b */
	static const uint32_t last_false = 0x2518e40f;
	static const struct {
		const char *isa, *label;
		size_t n;
		uint32_t first, last;
	} rows[] = {
		{ "riscv64", "mix:3xADD+VADD_VV/e32,m2", 2, VSETVLI_E32_M2,
		  VMV1R_V0_V1 },
		{ "riscv64", "mix:VADD_VV/e32,m2+VMUL_VV/e32,m2", 2,
		  VSETVLI_E32_M2, VMV1R_V0_V1 },
		/* v0 stays the mask of the form that has one. */
		{ "riscv64", "mix:VADD_VV/e32,m2+VMUL_VV/e32,m2,masked", 1,
		  VSETVLI_E32_M2, VSETVLI_E32_M2 },
		{ "riscv64", "mix:2xADD+MUL", 0, 0, 0 },
		{ "aarch64", "mix:ADDXrs+ADD_ZPmZ_D/false", 16, first_false,
		  last_false },
		{ "aarch64", "mix:ADD_ZZZ_D+ADD_ZPmZ_D/false", 16, first_false,
		  last_false },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		SCOPED(done) struct made w;
		uint32_t words[16];
		unsigned char again[16];

		make(&w, rows[i].isa, rows[i].label);
		memcpy(words, w.row.code[0], sizeof(words));
		if (rows[i].n > 0) {
			assert_int_equal(words[0], rows[i].first);
			assert_int_equal(words[rows[i].n - 1], rows[i].last);
		}
		/* The body follows. */
		for (size_t k = rows[i].n; k < rows[i].n + 2; k++) {
			size_t n = instance_encode(w.c, &w.in[k], again,
						   sizeof(again));
			bool is_form = false;

			assert_true(n > 0);
			for (size_t s = 0; s < w.x.n_steps; s++)
				is_form |= w.in[k].form->opcode ==
					   w.x.steps[s].form->opcode;
			assert_true(is_form);
		}
	}
}

static void refuse(const char *isa, const char *label, const char *why)
{
	struct catalogue *c = catalogue_of(isa);
	struct err e = { .code = ERR_OK, .message = "" };
	struct gen_profile p = gen_profile(2000);
	struct experiment x;
	struct gen *g;

	assert_ok(experiment_parse(c, label, &x, &e), &e);
	g = gen_new(c, &p);
	if (gen_add(g, &x, &e) == ERR_OK)
		fail_msg("%s is a kernel", label);
	if (!strstr(e.message, why))
		fail_msg("%s: %s", label, e.message);
	assert_int_equal(gen_n_kernels(g), 0);
	gen_free(g);
}

/* One loop has one vector type, and one value of a predicate. */
TEST(what_cannot_be_united_is_refused)
{
	static const struct {
		const char *isa, *label, *why;
	} rows[] = {
		{ "riscv64", "mix:VADD_VV/e32,m1+VADD_VV/e8,m1", "type" },
		{ "riscv64", "mix:VADD_VV/e32,m1+VADD_VV/e32,m2", "type" },
		{ "riscv64", "mix:ADD+VADD_VV/e32,m1+VMUL_VV/e16,mf2", "type" },
		{ "riscv64", "mix:VADD_VV/e8,m1+VMUL_VV/e8,m1,vl1", "length" },
		{ "riscv64", "mix:VADD_VV/e32,m1+VMUL_VV/e32,m1,tu", "type" },
		{ "riscv64", "mix:VADD_VV/e32,m1+VSETVLI", "control register" },
		{ "riscv64", "mix:VLE32FF_V/e32,m1+VADD_VV/e32,m1", "length" },
		{ "aarch64", "mix:ADD_ZPmZ_D+SUB_ZPmZ_D/false", "predicates" },
		{ "aarch64", "mix:LDRXui+LDRAAindexed", "signed" },
		{ "x86_64", "mix:ADDPDrr/dirty+MULPDrr", "upper halves" },
		{ "x86_64", "mix:ADDPDrr+VMULPDYrr", "upper halves" },
		{ "x86_64", "mix:ADD64rr+MOV64rm+MOV64rm/page", "places" },
		{ "x86_64", "mix:DIV64m/slow+DIV64m/fast", "memory" },
		{ "x86_64", "mix:DIV64r/slow+DIV64r/fast", "own" },
		{ "x86_64", "mix:DIVPDrm/denormal+ADDPDrm", "memory" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		refuse(rows[i].isa, rows[i].label, rows[i].why);
}

/* ---- values -------------------------------------------------------------- */

/* The registers that the n-th instance of a form reads, as 64-bit words. */
static uint64_t source_of(const struct made *w, const char *form, int operand)
{
	uint64_t value = 0;
	const struct reg *r;
	size_t i = 0;
	char opcode[64];

	(void)snprintf(opcode, sizeof(opcode), "%s", form);
	opcode[strcspn(opcode, "/")] = '\0';
	while (i < w->n && !is(w, i, opcode))
		i++;
	assert_true(i < w->n);
	r = reg_of(w, i, operand);
	if (r->bank == BANK_FP)
		return w->row.image->fp[r->index];
	memcpy(&value, w->row.image->vector[r->index], sizeof(value));
	return value;
}

/* Each form reads numbers of its own type and family. */
TEST(values_are_each_forms_own)
{
	static const struct {
		const char *isa, *label, *form;
		int operand;
		uint64_t value, mask;
	} rows[] = {
		/* Bytes of one are tiny floats, their products denormal. */
		{ "x86_64", "mix:PADDDrr+MULPDrr", "MULPDrr", 2,
		  0x3ff0000000000000, UINT64_MAX },
		{ "x86_64", "mix:PADDDrr+MULPSrr", "MULPSrr", 2, 0x3f800000,
		  UINT32_MAX },
		{ "riscv64", "mix:FADD_D+FADD_S", "FADD_S", 1,
		  0xffffffff3f800000, UINT64_MAX },
		{ "riscv64", "mix:FADD_S+FADD_D", "FADD_D", 1,
		  0x3ff0000000000000, UINT64_MAX },
		{ "x86_64", "mix:ADDPDrr+SQRTPDr/slow", "ADDPDrr", 2,
		  0x3ff0000000000000, UINT64_MAX },
		/* A little below 1, with full mantissas. */
		{ "x86_64", "mix:ADDPDrr+SQRTPDr/slow", "SQRTPDr", 1,
		  0x3feff00000000000, 0xfffff00000000000 },
		{ "x86_64", "mix:ADDPDrr+SQRTPDr/zero", "SQRTPDr", 1, 0,
		  UINT64_MAX },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		SCOPED(done) struct made w;
		uint64_t value;

		make(&w, rows[i].isa, rows[i].label);
		value = source_of(&w, rows[i].form, rows[i].operand) &
			rows[i].mask;
		if (value != rows[i].value)
			fail_msg("%s: %016llx", rows[i].label,
				 (unsigned long long)value);
	}
}

/* A float in memory is a float for any order of forms. */
TEST(memory_is_that_of_who_cares)
{
	static const struct {
		const char *label;
		uint64_t value;
	} rows[] = {
		{ "mix:MOV64rm+MULPDrm", 0x3ff0000000000000 },
		{ "mix:ADD64rr+MULPDrm", 0x3ff0000000000000 },
		{ "mix:ADD64rr+MOV64rm", 1 },
		{ "mix:ADDPDrm+SQRTPDm/slow", 0x3feff9fef17fd375 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		SCOPED(done) struct made w;
		uint64_t value;

		make(&w, "x86_64", rows[i].label);
		memcpy(&value, w.row.image->memory, sizeof(value));
		if (value != rows[i].value)
			fail_msg("%s: %016llx", rows[i].label,
				 (unsigned long long)value);
	}
}

/* The page boundary is in the middle of two pages, not at the end of one. */
TEST(memory_is_as_large_as_any_form_needs)
{
	SCOPED(done) struct made w;
	SCOPED(buffer_free) struct buffer pack = { 0 };
	struct err e = { .code = ERR_OK };
	struct pack_header h;

	make(&w, "x86_64", "mix:ADD64rr+MOV64rm/page");
	assert_int_equal(gen_finish(w.g, &pack, &e), ERR_OK);
	memcpy(&h, pack.bytes, sizeof(h));
	assert_int_equal(h.memory_bytes, 8192);
}

/* With wider vectors, legacy SSE preserves the upper part of its result's
 * register, so it waits for a register that nothing reads. */
TEST(results_that_merge_rotate)
{
	enum { DEAD = 4, MORE = 5 };
	static const struct {
		const char *label;
		bool few;
	} rows[] = {
		{ "mix:3xCVTDQ2PSrr+VADDPDrr", true },
		{ "mix:3xCVTDQ2PSrr/dirty+VADDPDYrr", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		SCOPED(done) struct made w;
		uint32_t seen = 0;
		int n = 0;

		make(&w, "x86_64", rows[i].label);
		for (size_t k = 0; k < w.n; k++)
			if (is(&w, k, "CVTDQ2PSrr"))
				seen |= 1u << reg_of(&w, k, 0)->index;
		for (int r = 0; r < 32; r++)
			n += seen >> r & 1;
		assert_true(rows[i].few ? n <= DEAD : n >= MORE);
	}
}
