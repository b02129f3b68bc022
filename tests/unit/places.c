/* Where the forms of a mix access memory (host/gen/places.h). */
#include "host/gen/gen.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/unit.h"

enum { MEMORY = 4096 };

/* Every access of the shortest length is within a kernel's memory, through the
 * registers that the image sets. */
static void check_accesses(const struct catalogue *c,
			   const struct kernel_row *row)
{
	size_t at = 0, n, n_accesses = 0;
	struct instance in;

	for (; at < row->code_bytes[0]; at += n) {
		int base, number;
		int64_t address;

		n = instance_decode(c, row->code[0] + at,
				    row->code_bytes[0] - at, &in);
		assert_true(n > 0);
		base = in.form ? form_part(in.form, ROLE_BASE) : -1;
		number = in.form ? form_part(in.form, ROLE_DISPLACEMENT) : -1;
		if (base < 0 || in.reg[base] == REG_NONE)
			continue;
		address = (int64_t)row->image->gpr[c->regs[in.reg[base]].index];
		if (number >= 0)
			address += in.imm[number] * in.form->unit_bytes;
		assert_in_range(address, 0, MEMORY - in.form->access_bytes);
		n_accesses++;
	}
	assert_true(n_accesses > 0);
}

/* A mix has up to twelve steps: eight forms and what breaks their dependencies.
 * Each of the rows made a pack that no runtime accepts, or may have. */
TEST(every_access_is_within_the_memory)
{
	static const char *const rows[][2] = {
		{ "x86_64",
		  "mix:VADDPDZ128rr+VMULPDZ128rr+VSUBPDZ128rr+VMINPDZ128rr+"
		  "VMAXPDZ128rr+VINSERTI32x4Z256rm+SBB64mi8+~TEST64rr+"
		  "VCVTPD2QQZ128rmk" },
		{ "x86_64",
		  "mix:ADD64rm+ADD64mr+SUB64rm+SUB64mr+AND64rm+AND64mr+"
		  "OR64rm+OR64mr+XOR64rm+XOR64mr" },
		{ "aarch64",
		  "mix:LDRXui+STRXui+LDRWui+STRWui+LDRHHui+STRHHui+LDRBBui+"
		  "STRBBui+LDURXi+STURXi" },
		{ "riscv64", "mix:LD+SD+LW+SW+LH+SH+LB+SB+LBU+LHU+LWU" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct gen_profile p = gen_profile(2000);
		struct err e = { .code = ERR_OK, .message = "" };
		SCOPED(buffer_free) struct buffer pack = { 0 };
		struct catalogue *c = catalogue_of(rows[i][0]);
		struct experiment x;
		struct kernel_row row;
		struct gen *g;

		assert_ok(experiment_parse(c, rows[i][1], &x, &e), &e);
		g = gen_new(c, &p);
		if (gen_add(g, &x, &e) != ERR_OK ||
		    gen_finish(g, &pack, &e) != ERR_OK)
			fail_msg("%s: %s", rows[i][1], e.message);
		gen_kernel_row(g, 0, &row);
		check_accesses(c, &row);
		gen_free(g);
	}
}
