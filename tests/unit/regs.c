/* Registers as the allocator sees them, the code of a loop's end, and the
 * starting values of a kernel. */
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/unit.h"

static const struct reg *reg(const struct catalogue *c, const char *name)
{
	uint16_t r = catalogue_register(c, name);

	if (r == REG_NONE)
		fail_msg("%s: no such register", name);
	return &c->regs[r];
}

static const struct reg_class *class(const struct catalogue *c,
				     const char *name)
{
	uint16_t k = catalogue_class(c, name);

	if (k == CLASS_NONE)
		fail_msg("%s: no such class", name);
	return &c->classes[k];
}

static bool has(const struct catalogue *c, const char *class_name,
		const char *name)
{
	const struct reg_class *k = class(c, class_name);

	for (size_t i = 0; i < k->n_regs; i++)
		if (&c->regs[k->regs[i]] == reg(c, name))
			return true;
	return false;
}

static void assert_reg(const struct catalogue *c, const char *name,
		       enum reg_bank bank, unsigned index, unsigned span)
{
	const struct reg *r = reg(c, name);

	if (r->bank != bank || r->index != index || r->span != span)
		fail_msg("%s: bank %d index %d span %d", name, r->bank,
			 r->index, r->span);
}

TEST(x86_64_aliases)
{
	struct catalogue *c = catalogue_of("x86_64");

	assert_reg(c, "AL", BANK_GPR, 0, 1);
	assert_reg(c, "AX", BANK_GPR, 0, 1);
	assert_reg(c, "EAX", BANK_GPR, 0, 1);
	assert_reg(c, "RAX", BANK_GPR, 0, 1);
	assert_reg(c, "AH", BANK_GPR, 0, 1);
	assert_true(reg(c, "AH")->high_byte);
	assert_reg(c, "BH", BANK_GPR, 3, 1);
	assert_reg(c, "R14B", BANK_GPR, 14, 1);
	assert_reg(c, "XMM9", BANK_VECTOR, 9, 1);
	assert_reg(c, "ZMM31", BANK_VECTOR, 31, 1);
	assert_reg(c, "MM3", BANK_FP, 3, 1);
	assert_reg(c, "K2_K3", BANK_MASK, 2, 2);
	assert_reg(c, "EFLAGS", BANK_FLAGS, 0, 6);
	assert_reg(c, "EFLAGS.ZF", BANK_FLAGS, 3, 1);
	assert_reg(c, "MXCSR", BANK_STATE, 0, 1);
	assert_reg(c, "CR0", BANK_NONE, 0, 1);
	assert_reg(c, "R16", BANK_NONE, 16, 1);
}

TEST(x86_64_members)
{
	struct catalogue *c = catalogue_of("x86_64");

	assert_true(has(c, "GR64", "RCX"));
	assert_true(has(c, "GR64", "RBP"));
	assert_false(has(c, "GR64", "RSP"));
	assert_false(has(c, "GR64", "RIP"));
	assert_false(has(c, "GR64", "R15"));
	assert_false(has(c, "GR32", "R15D"));
	assert_false(has(c, "GR64", "R16"));
	assert_false(has(c, "GR8", "AH"));
	assert_false(has(c, "GR8", "SPL"));
	assert_true(has(c, "GR8_ABCD_H", "AH"));
	assert_true(has(c, "VR128X", "XMM31"));
	assert_false(has(c, "VR128", "XMM16"));
	/* k0 means "no mask". */
	assert_true(has(c, "VK16", "K0"));
	assert_false(has(c, "VK16WM", "K0"));
	assert_int_equal(class(c, "GR64")->n_regs, 14);
	assert_int_equal(class(c, "VR512")->bits, 512);
}

TEST(aarch64_registers)
{
	struct catalogue *c = catalogue_of("aarch64");

	assert_reg(c, "W7", BANK_GPR, 7, 1);
	assert_reg(c, "X7", BANK_GPR, 7, 1);
	assert_reg(c, "FP", BANK_GPR, 29, 1);
	assert_reg(c, "B3", BANK_VECTOR, 3, 1);
	assert_reg(c, "Z3", BANK_VECTOR, 3, 1);
	assert_reg(c, "Q4_Q5_Q6", BANK_VECTOR, 4, 3);
	assert_reg(c, "P1_P2", BANK_MASK, 1, 2);
	/* ZAH1 has the odd tiles of 64 and 128 bits, ZAS1 each fourth of them
	 * from 1 on. */
	assert_reg(c, "ZA", BANK_MATRIX, 0, 16);
	assert_reg(c, "ZAB0", BANK_MATRIX, 0, 16);
	assert_reg(c, "ZAH1", BANK_MATRIX, 8, 8);
	assert_reg(c, "ZAS1", BANK_MATRIX, 8, 4);
	assert_reg(c, "ZAS2", BANK_MATRIX, 4, 4);
	assert_reg(c, "ZAD5", BANK_MATRIX, 10, 2);
	assert_reg(c, "ZAQ13", BANK_MATRIX, 11, 1);
	assert_reg(c, "NZCV", BANK_FLAGS, 0, 4);
	assert_reg(c, "NZCV.C", BANK_FLAGS, 2, 1);
	assert_int_equal(reg(c, "XZR")->bank, BANK_NONE);
	assert_int_equal(reg(c, "Z0_Z8")->bank, BANK_NONE);
	assert_true(has(c, "DD", "D30_D31"));
	assert_false(has(c, "DD", "D31_D0"));
	assert_true(has(c, "GPR64", "X27"));
	assert_false(has(c, "GPR64", "X28"));
	assert_false(has(c, "GPR64", "X18"));
	assert_false(has(c, "GPR64", "LR"));
	assert_false(has(c, "GPR64", "XZR"));
	assert_false(has(c, "GPR64sp", "SP"));
	assert_false(has(c, "XSeqPairsClass", "X18_X19"));
}

TEST(riscv64_registers)
{
	struct catalogue *c = catalogue_of("riscv64");

	assert_reg(c, "X10", BANK_GPR, 10, 1);
	assert_reg(c, "F4_D", BANK_FP, 4, 1);
	assert_reg(c, "F4_F", BANK_FP, 4, 1);
	assert_reg(c, "V8M2", BANK_VECTOR, 8, 2);
	assert_reg(c, "V8M2_V10M2", BANK_VECTOR, 8, 4);
	assert_reg(c, "V8_V9_V10", BANK_VECTOR, 8, 3);
	assert_int_equal(reg(c, "X0")->bank, BANK_NONE);
	assert_true(has(c, "GPR", "X5"));
	assert_true(has(c, "GPR", "X30"));
	assert_false(has(c, "GPR", "X0"));
	assert_false(has(c, "GPR", "X1"));
	assert_false(has(c, "GPR", "X2"));
	assert_false(has(c, "GPR", "X31"));
	assert_int_equal(class(c, "GPR")->n_regs, 26);
}

/* Decode the loop's end and return the target of its branch. */
static void check_loop(const char *isa, const char *branch, size_t before)
{
	static const size_t lengths[] = { 4, 64, 4088, 4096, 8192, 102400 };
	struct catalogue *c = catalogue_of(isa);

	for (size_t i = 0; i < ARRAY_LEN(lengths); i++) {
		unsigned char code[64];
		char text[64], want[64];
		size_t n =
			c->isa->loop_end(lengths[i], false, code, sizeof(code));
		size_t at = before;

		assert_true(n > before);
		at += instance_text(c, code + before, n - before, text,
				    sizeof(text));
		/* x86 branch offsets count from the next instruction. */
		size_t from = strcmp(isa, "x86_64") == 0 ? at : before;

		snprintf(want, sizeof(want), "%s-%zu", branch,
			 lengths[i] + from);
		assert_string_equal(text, want);
		assert_true(instance_text(c, code + at, n - at, text,
					  sizeof(text)) == n - at);
		assert_part(text, "ret");
		assert_int_equal(
			c->isa->loop_end(lengths[i], false, code, n - 1), 0);
	}
}

TEST(loops_come_back)
{
	check_loop("x86_64", "jne ", 4);
	check_loop("aarch64", "cbnz x28, #", 4);
	check_loop("riscv64", "j ", 8);
}

TEST(flagless_loop_leaves_flags_alone)
{
	struct catalogue *c = catalogue_of("x86_64");
	unsigned char code[64];
	size_t n = c->isa->loop_end(100, true, code, sizeof(code));
	size_t at = 0, steps = 0;
	char text[64];

	while (at < n) {
		struct instance x;
		size_t size = instance_decode(c, code + at, n - at, &x);

		assert_true(size > 0);
		for (unsigned i = 0; i < x.form->n_operands; i++) {
			const struct operand *o = &x.form->operands[i];

			if (o->write && o->fixed_reg)
				assert_int_not_equal(c->regs[o->fixed_reg].bank,
						     BANK_FLAGS);
		}
		if (steps == 2) {
			instance_text(c, code + at, n - at, text, sizeof(text));
			assert_string_equal(text, "jmp -111");
		}
		at += size;
		steps++;
	}
	assert_int_equal(steps, 4);
}

TEST(loops_refuse_what_they_cannot_reach)
{
	unsigned char code[64];

	assert_int_equal(isa_find("aarch64")->loop_end(1 << 20, false, code,
						       sizeof(code)),
			 0);
	assert_int_equal(isa_find("riscv64")->loop_end(1 << 20, false, code,
						       sizeof(code)),
			 0);
	assert_int_equal(isa_find("x86_64")->loop_end((size_t)1 << 31, false,
						      code, sizeof(code)),
			 0);
}

TEST(images_hold_normal_values)
{
	struct pack_image image;
	double d;
	float f;

	memset(&image, 0, sizeof(image));
	isa_find("x86_64")->init_image(DOMAIN_FP64, &image);
	memcpy(&d, image.vector[31] + 8, sizeof(d));
	assert_true(d == 1.0);
	assert_int_equal(image.mask[7], UINT64_MAX);
	/* RDX:RAX divided by any register neither faults nor changes from
	 * division to division. */
	assert_int_equal(image.gpr[2], 0);
	assert_int_equal(image.gpr[0], image.gpr[11]);

	isa_find("aarch64")->init_image(DOMAIN_FP32, &image);
	memcpy(&f, image.vector[5] + 4, sizeof(f));
	assert_true(f == 1.0f);

	isa_find("riscv64")->init_image(DOMAIN_FP32, &image);
	assert_int_equal(image.fp[9], 0xffffffff3f800000);
	isa_find("riscv64")->init_image(DOMAIN_FP16, &image);
	assert_int_equal(image.fp[9], 0xffffffffffff3c00);
	isa_find("riscv64")->init_image(DOMAIN_FP64, &image);
	assert_int_equal(image.fp[9], 0x3ff0000000000000);
	for (size_t i = 0; i < 32; i++)
		assert_int_not_equal(image.gpr[i], 0);
}

TEST(registry)
{
	for (size_t i = 0; isas[i]; i++) {
		assert_ptr_equal(isa_find(isas[i]->name), isas[i]);
		assert_ptr_equal(isa_by_pack(isas[i]->pack_isa), isas[i]);
	}
	assert_null(isa_find("vax"));
	assert_null(isa_by_pack(99));
	assert_non_null(isa_native());
}
