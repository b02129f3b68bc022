/* Extensions of vendors: measured if they are named, with addresses of shapes
 * of their own. */
#include "host/isa/instance.h"
#include "host/isa/loop.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/unit.h"

TEST(vendors_are_named)
{
	static const struct {
		const char *cpu, *form;
		enum form_status status;
	} rows[] = {
		{ NULL, "TH_ADDSL", FORM_UNSUPPORTED },
		{ "generic-rv64", "TH_ADDSL", FORM_UNSUPPORTED },
		{ "generic-rv64,+xtheadba", "TH_ADDSL", FORM_MEASURABLE },
		{ "generic-rv64,+xtheadba", "TH_LRD", FORM_UNSUPPORTED },
		{ "generic-rv64,+xtheadba", "FADD_D", FORM_UNSUPPORTED },
		{ "+xtheadba", "FADD_D", FORM_MEASURABLE },
		{ "+xthead*", "TH_LRD", FORM_MEASURABLE },
		{ "+xthead*", "TH_DCACHE_CVA", FORM_CACHE },
		{ "+xthead*,-xtheadba", "TH_ADDSL", FORM_UNSUPPORTED },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct catalogue *c = catalogue_of_cpu("riscv64", rows[i].cpu);

		assert_status(c, rows[i].form, rows[i].status);
	}
}

/* Addresses of T-Head's loads and stores, and what becomes of the base. */
TEST(vendor_addresses)
{
	static const struct {
		unsigned char code[4]; /* made by llvm-mc */
		struct isa_address at;
		int64_t add; /* 0: the base stays */
	} rows[] = {
		/* th.ldd a0, a1, (a2), 1, 4 */
		{ { 0x0b, 0x45, 0xb6, 0xfa }, { 2, -1, 1, 16, 16, false }, 0 },
		/* th.lwib a0, (a1), -3, 2 */
		{ { 0x0b, 0xc5, 0xd5, 0x4d },
		  { 2, -1, 1, -12, 4, false },
		  -12 },
		/* th.lurh a0, a1, a2, 1 */
		{ { 0x0b, 0xc5, 0xc5, 0x32 }, { 1, 2, 2, 0, 2, false }, 0 },
		/* th.sdia a1, (a0), 4, 1 */
		{ { 0x8b, 0x55, 0x45, 0x7a }, { 2, -1, 1, 0, 8, true }, 8 },
	};
	struct catalogue *c = catalogue_of("riscv64");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct instance x;
		struct isa_address at;
		struct isa_step step;

		assert_int_equal(instance_decode(c, rows[i].code, 4, &x), 4);
		assert_true(c->isa->loop->address(c, &x, &at));
		assert_int_equal(at.base, rows[i].at.base);
		assert_int_equal(at.index, rows[i].at.index);
		assert_int_equal(at.scale, rows[i].at.scale);
		assert_int_equal(at.displacement, rows[i].at.displacement);
		assert_int_equal(at.bytes, rows[i].at.bytes);
		assert_int_equal(at.before, rows[i].at.before);
		assert_int_equal(c->isa->loop->step(c, &x, &step),
				 rows[i].add != 0);
		if (rows[i].add == 0)
			continue;
		assert_int_equal(step.add, rows[i].add);
		assert_int_equal(step.source, x.reg[at.base]);
	}
}
