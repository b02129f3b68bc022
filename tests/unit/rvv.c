/* RISC-V vector forms: one for each legal vector type and mask, on register
 * groups that the specification allows. */
#include "host/isa/instance.h"
#include "host/isa/mc.h"
#include "host/isa/variant.h"
#include "tests/unit/peers.h"
#include "tests/unit/unit.h"

static size_t count(const struct catalogue *c, const char *opcode)
{
	size_t n = strlen(opcode);
	size_t found = 0;

	for (size_t i = 0; i < c->n_forms; i++) {
		const struct form *f = &c->forms[i];

		if (strncmp(f->name, opcode, n) == 0 && f->name[n] == '/' &&
		    form_family(f) == FAMILY_VECTOR) {
			assert_int_equal(f->status, FORM_MEASURABLE);
			assert_string_equal(f->name + n + 1,
					    f->variant->suffix);
			found++;
		}
	}
	return found;
}

/* Number of combinations of SEW and LMUL that the specification allows, times
 * two if there is a mask. */
TEST(types_of_an_opcode)
{
	static const struct {
		const char *opcode;
		size_t n;
	} rows[] = {
		{ "VADD_VV", 2 * 22 },
		{ "VADC_VVM", 22 },
		{ "VMV_V_V", 22 },
		{ "VCOMPRESS_VM", 22 },
		{ "VFADD_VV", 2 * 15 },
		{ "VFSQRT_V", 2 * 15 },
		{ "VWADD_VV", 2 * 15 },
		{ "VNSRL_WI", 2 * 15 },
		{ "VFWADD_WV", 2 * 9 },
		{ "VFWCVT_F_X_V", 2 * 15 },
		{ "VZEXT_VF2", 2 * 15 },
		{ "VZEXT_VF8", 2 * 4 },
		{ "VRGATHEREI16_VV", 2 * 21 },
		{ "VREDSUM_VS", 2 * 22 },
		{ "VWREDSUM_VS", 2 * 18 },
		{ "VMSEQ_VV", 2 * 22 },
		{ "VMAND_MM", 7 },
		{ "VCPOP_M", 2 * 7 },
		{ "VMV_X_S", 4 },
		{ "VFMV_F_S", 3 },
		{ "VAESEM_VV", 5 },
		{ "VCLMUL_VV", 2 * 4 },
		{ "VLE8_V", 2 * 7 },
		{ "VSE64_V", 2 * 4 },
		{ "VLSEG2E32_V", 2 * 4 },
		{ "VLSEG8E8FF_V", 2 * 4 },
		{ "VLM_V", 7 },
		{ "VLSE32_V", 2 * 5 },
		{ "VSSSEG3E64_V", 2 * 2 },
		{ "VLUXEI16_V", 2 * 21 },
		{ "VSOXSEG8EI64_V", 2 * 10 },
	};
	struct catalogue *c = catalogue_of("riscv64");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (count(c, rows[i].opcode) != rows[i].n)
			fail_msg("%s: %zu forms, not %zu", rows[i].opcode,
				 count(c, rows[i].opcode), rows[i].n);
}

TEST(groups_follow_from_element_widths)
{
	static const struct {
		const char *form;
		const char *classes[3];
	} rows[] = {
		{ "VADD_VV/e8,mf8", { "VR", "VR", "VR" } },
		{ "VADD_VV/e8,m2", { "VRM2", "VRM2", "VRM2" } },
		{ "VADD_VV/e8,m2,masked", { "VRM2NoV0", "VRM2NoV0" } },
		{ "VWADD_VV/e16,m4", { "VRM8", "VRM4", "VRM4" } },
		{ "VWADD_WV/e16,m1", { "VRM2", "VRM2", "VR" } },
		{ "VWADD_VV/e8,mf4", { "VR", "VR", "VR" } },
		{ "VNSRL_WV/e32,m2", { "VRM2", "VRM4", "VRM2" } },
		{ "VFWMACC_VV/e32,m2", { "VRM4", "VRM4", "VRM2" } },
		{ "VMSEQ_VV/e8,m8", { "VR", "VRM8", "VRM8" } },
		{ "VREDSUM_VS/e8,m4", { "VR", "VRM4", "VR" } },
		{ "VRGATHEREI16_VV/e8,m4", { "VRM4", "VRM4", "VRM8" } },
		{ "VRGATHEREI16_VV/e64,m4", { "VRM4", "VRM4", "VR" } },
		{ "VZEXT_VF4/e32,m8", { "VRM8", "VRM2" } },
		{ "VMV_X_S/e64,m1", { "GPR", "VR" } },
		{ "VLSEG2E8_V/e8,m4", { "VRN2M4" } },
		{ "VSSEG5E8_V/e8,mf2,masked", { "VRN5M1NoV0" } },
	};
	struct catalogue *c = catalogue_of("riscv64");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct form *f = form(c, rows[i].form);

		for (int k = 0; k < 3 && rows[i].classes[k]; k++)
			assert_string_equal(
				c->classes[f->operands[k].reg_class].name,
				rows[i].classes[k]);
	}
}

/* Bit 25 of an instruction of OP-V is 0 where it is masked. */
TEST(the_mask_is_in_the_bytes)
{
	SCOPED(done)
	struct all w =
		plan_of("riscv64", "^V(ADD|FMACC|WMUL|MSEQ|SLIDEUP)_V[VX]/");
	size_t n = 0;

	for (size_t i = 0; i < w.n; i++) {
		const struct form *f = w.list[i].steps[0].form;
		struct assigned a;
		unsigned char code[16];
		struct err e = { .code = ERR_OK };

		if (form_family(f) != FAMILY_VECTOR)
			continue;
		assert_ok(assign_registers(w.c, &w.list[i], 32, &a, &e), &e);
		assert_int_equal(instance_encode(w.c, &a.instances[0][0], code,
						 sizeof(code)),
				 4);
		assert_int_equal(code[3] >> 1 & 1, !f->variant->masked);
		n++;
	}
	assert_true(n > 500);
}

static const struct reg *vector_at(const struct all *w,
				   const struct instance *in, int operand)
{
	const struct reg *r = reg_at(w, in, operand);

	return in->form->operands[operand].kind == OPERAND_REG &&
			       r->bank == BANK_VECTOR
		       ? r
		       : NULL;
}

/* Registers for each of a segment's fields. */
static int fields(const struct form *f)
{
	const char *segment = strstr(f->name, "SEG");

	return segment ? segment[3] - '0' : 1;
}

/* Stricter than the specification (5.2, 5.3): a group starts at a multiple of
 * its size, v0 is not touched where it is the mask, and a result shares no
 * register with a source unless it is the same group read and written. */
static void check_groups(const struct all *w, const struct instance *in)
{
	const struct form *f = in->form;

	for (int i = 0; i < f->n_explicit; i++) {
		const struct reg *r = vector_at(w, in, i);
		bool is_mask = f->operands[i].fixed_reg != REG_NONE;

		if (!r)
			continue;

		int group = is_mask ? 1 : r->span / fields(f);

		if (r->index % group != 0 || r->index + r->span > 32)
			fail_msg("%s: %s", f->name, r->name);
		if (f->variant->masked && !is_mask && r->index == 0)
			fail_msg("%s: v0 as operand %d", f->name, i);
		for (int k = 0; f->operands[i].write && k < f->n_explicit;
		     k++) {
			const struct reg *s = vector_at(w, in, k);

			if (s && !f->operands[k].write &&
			    f->operands[k].tied_to < 0 && reg_overlap(r, s))
				fail_msg("%s: %s over %s", f->name, r->name,
					 s->name);
		}
	}
}

TEST(all_groups_are_legal)
{
	SCOPED(done) struct all w = plan_of("riscv64", "^V");
	size_t n_variants = 0;

	for (size_t i = 0; i < w.n; i++) {
		struct experiment back;
		char label[PACK_MAX_LABEL];
		struct err e = { .code = ERR_OK };
		static struct assigned a;

		if (form_family(w.list[i].steps[0].form) != FAMILY_VECTOR)
			continue;
		n_variants += w.list[i].kind == EXPERIMENT_THROUGHPUT;
		if (assign_registers(w.c, &w.list[i], 32, &a, &e) != ERR_OK ||
		    experiment_label(w.c, &w.list[i], label, &e) != ERR_OK ||
		    experiment_parse(w.c, label, &back, &e) != ERR_OK)
			fail_msg("%s", e.message);
		assert_ptr_equal(back.steps[0].form, w.list[i].steps[0].form);
		for (size_t op = 0; op < a.period; op++)
			check_groups(&w, &a.instances[op][0]);
	}
	assert_int_equal(n_variants, 15321);
}

static void assert_prologue(const struct catalogue *c, const char *name,
			    const char *first, const char *second)
{
	unsigned char code[64];
	char text[80];
	const struct instance i = { .form = form(c, name) };
	size_t n = c->isa->prologue(c, &i, 1, code, sizeof(code));

	assert_int_equal(n, second ? 8 : first ? 4 : 0);
	if (first) {
		assert_int_equal(instance_text(c, code, n, text, sizeof(text)),
				 4);
		assert_string_equal(text, first);
	}
	if (second) {
		assert_int_equal(
			instance_text(c, code + 4, n - 4, text, sizeof(text)),
			4);
		assert_string_equal(text, second);
	}
}

TEST(prologue_sets_type_and_v0)
{
	struct catalogue *c = catalogue_of("riscv64");

	assert_prologue(c, "VADD_VV/e32,m2",
			"vsetvli gp, zero, e32, m2, ta, ma", "vmv1r.v v0, v1");
	assert_prologue(c, "VADD_VV/e8,mf8,masked",
			"vsetvli gp, zero, e8, mf8, ta, ma", NULL);
	assert_prologue(c, "VADC_VVM/e64,m8",
			"vsetvli gp, zero, e64, m8, ta, ma", NULL);
	assert_prologue(c, "ADD", NULL, NULL);
}

static void add_register(const struct catalogue *c, struct mc_inst *m,
			 const char *name)
{
	m->kind[m->n] = MC_VALUE_REG;
	m->value[m->n++] = catalogue_register(c, name);
}

/* LLVM 22's decoder has the V0 of a carry behind the operands that are encoded. */
TEST(what_stands_behind_the_operands_is_what_the_form_has)
{
	struct catalogue *c = catalogue_of("riscv64");
	struct instance x;
	struct mc_inst m;

	assert_true(form_example(c, form(c, "VADC_VVM/e32,m1"), 0, &x));
	instance_to_mc(&x, &m);
	assert_true(instance_equals_mc(c, &x, &m));
	add_register(c, &m, "V0");
	assert_true(instance_equals_mc(c, &x, &m));
	m.value[m.n - 1] = catalogue_register(c, "V1");
	assert_false(instance_equals_mc(c, &x, &m));
	m.value[m.n - 1] = catalogue_register(c, "V0");
	add_register(c, &m, "V0");
	assert_false(instance_equals_mc(c, &x, &m));

	assert_true(form_example(c, form(c, "ADD"), 0, &x));
	instance_to_mc(&x, &m);
	add_register(c, &m, "X0");
	assert_false(instance_equals_mc(c, &x, &m));
}

TEST(values_fit_the_elements)
{
	struct catalogue *c = catalogue_of("riscv64");

	assert_int_equal(form(c, "VADD_VV/e32,m1")->domain, DOMAIN_INT);
	assert_int_equal(form(c, "VFADD_VV/e16,m1")->domain, DOMAIN_FP16);
	assert_int_equal(form(c, "VMFEQ_VV/e64,m1")->domain, DOMAIN_FP64);
	assert_int_equal(form(c, "VFWADD_VV/e32,m1")->domain, DOMAIN_FP32);
	assert_int_equal(form(c, "VFNCVT_F_F_W/e32,m1")->domain, DOMAIN_FP64);
	assert_int_equal(form(c, "VFNCVT_X_F_W/e8,m1")->domain, DOMAIN_FP16);
	assert_int_equal(form(c, "VFCVT_F_X_V/e32,m1")->domain, DOMAIN_INT);
}

TEST(a_unit_may_lack_widths)
{
	static const struct {
		const char *cpu, *form;
		enum form_status status;
	} rows[] = {
		{ "generic-rv64", "VADD_VV/e8,m1", FORM_UNSUPPORTED },
		{ "generic-rv64,+zve32x", "VADD_VV/e32,m1", FORM_MEASURABLE },
		{ "generic-rv64,+zve32x", "VADD_VV/e64,m1", FORM_UNSUPPORTED },
		{ "generic-rv64,+zve32x", "VADD_VV/e64,m8", FORM_UNSUPPORTED },
		{ "generic-rv64,+zve32x", "VADD_VV/e8,mf8", FORM_UNSUPPORTED },
		{ "generic-rv64,+v", "VADD_VV/e8,mf8", FORM_MEASURABLE },
		{ "generic-rv64,+v", "VFADD_VV/e64,m1", FORM_MEASURABLE },
		{ "generic-rv64,+v", "VFADD_VV/e16,m1", FORM_UNSUPPORTED },
		{ "generic-rv64,+v", "VFWCVT_F_X_V/e8,m1", FORM_UNSUPPORTED },
		{ "generic-rv64,+v", "VFWCVT_F_X_V/e16,m1", FORM_MEASURABLE },
		{ "generic-rv64,+v,+zvfh", "VFADD_VV/e16,m1", FORM_MEASURABLE },
		{ "spacemit-x60", "VFADD_VV/e16,m1", FORM_MEASURABLE },
		{ "spacemit-x60", "VAESEM_VV/e32,m1", FORM_UNSUPPORTED },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		SCOPED(arena_free) struct arena a = { 0 };
		struct catalogue *c = load(&a, "riscv64", rows[i].cpu);

		assert_status(c, rows[i].form, rows[i].status);
	}
}
