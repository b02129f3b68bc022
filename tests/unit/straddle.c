/* Accesses across the end of a cache line or page: the address of each access
 * in the planned variants of every instruction set. */
#include "host/gen/assign.h"
#include "host/gen/gen.h"
#include "host/isa/instance.h"
#include "host/isa/memory.h"
#include "host/isa/variant.h"
#include "host/plan/plan.h"
#include "tests/unit/planned.h"

enum { ONE_PAGE = 4096, LINE = 64 };

static const uint64_t straddling =
	UINT64_C(1) << FAMILY_LINE | UINT64_C(1) << FAMILY_PAGE;

/* The first and last byte of an access are on different sides of a boundary,
 * and inside the memory. */
static void check_access(const struct assigned *a, const struct instance *in)
{
	const struct variant *v = in->form->variant;
	int part = form_part(in->form, ROLE_DISPLACEMENT);
	int64_t at = part < 0 ? 0 : in->imm[part] * in->form->unit_bytes;
	int64_t end;

	assert_non_null(v);
	for (unsigned gpr = 0; gpr < 32; gpr++) {
		if (!(a->memory.pointers >> gpr & 1))
			continue;
		at += a->memory.offset[gpr];
		end = at + 2 * v->head;
		assert_int_equal((at + v->head) % v->boundary, 0);
		assert_int_not_equal(at / v->boundary, (end - 1) / v->boundary);
		if (v->family == FAMILY_LINE)
			assert_true(at > 0 && end < ONE_PAGE);
		else
			assert_true(at < ONE_PAGE && end > ONE_PAGE);
		at -= a->memory.offset[gpr];
	}
}

static size_t check_plan(const struct catalogue *c,
			 const struct experiment *list, size_t n)
{
	size_t checked = 0;

	for (size_t k = 0; k < n; k++) {
		struct err e = { .code = ERR_OK, .message = "" };
		struct assigned a;

		if (!form_chosen(list[k].steps[0].form, straddling))
			continue;
		if (assign_registers(c, &list[k], 16, &a, &e) != ERR_OK) {
			/* The same as for the aligned form. */
			assert_part(e.message,
				    "the register of the loop counter");
			continue;
		}
		for (size_t op = 0; op < a.period; op++)
			for (size_t s = 0; s < a.n_steps; s++) {
				const struct instance *in = a.instances[op] + s;

				if (in->form->access)
					check_access(&a, in);
			}
		checked++;
	}
	return checked;
}

TEST(every_access_of_a_plan_crosses)
{
	for (size_t i = 0; isas[i]; i++) {
		SCOPED(arena_free) struct arena a = { 0 };
		struct err e = { .code = ERR_OK };
		struct plan_request q = {
			.catalogue = load(&a, isas[i]->name, NULL),
			.what = PLAN_LATENCY | PLAN_THROUGHPUT,
			.families = straddling,
		};
		struct experiment *list;
		size_t n;

		assert_int_equal(plan_make(&a, &q, &list, &n, &e), ERR_OK);
		assert_true(check_plan(q.catalogue, list, n) > 50);
	}
}

/* Distances from the boundary, computed by hand. */
TEST(places_are_where_the_width_says)
{
	static const struct {
		const char *isa, *label;
		unsigned offset;
		int64_t step;
	} rows[] = {
		{ "x86_64", "throughput:MOV64rm/line", 2048 + LINE - 4, LINE },
		{ "x86_64", "throughput:MOV64rm/page", ONE_PAGE - 4, 0 },
		{ "x86_64", "throughput:MOVZX32rm16/line", 2048 + LINE - 1,
		  LINE },
		{ "x86_64", "throughput:VMOVUPSYmr/line", 2048 + LINE - 16,
		  LINE },
		{ "x86_64", "throughput:VMOVUPSZ256rm/page", ONE_PAGE - 16, 0 },
		{ "x86_64", "throughput:VMOVUPSZrm/page", ONE_PAGE - 32, 0 },
		{ "x86_64", "throughput:ADD64rm/line", 2048 + LINE - 4, LINE },
		{ "x86_64", "throughput:ADD32mr/line", 2048 + LINE - 2, LINE },
		{ "x86_64", "throughput:ADDSDrm_Int/page", ONE_PAGE - 4, 0 },
		{ "x86_64", "throughput:VADDPSYrm/line", 2048 + LINE - 16,
		  LINE },
		{ "x86_64", "throughput:VADDPDZrmkz/line", 2048 + LINE - 32,
		  LINE },
		{ "x86_64", "throughput:VADDPDZrmb/line", 2048 + LINE - 4,
		  LINE },
		{ "aarch64", "throughput:LDRXui/line", 2048 + LINE - 4, LINE },
		{ "aarch64", "throughput:LD1Onev16b/line", 2048 + LINE - 8, 0 },
		{ "aarch64", "throughput:LD1Twov8b/line", 2048 + LINE - 8, 0 },
		{ "aarch64", "throughput:LD4Fourv4s/page", ONE_PAGE - 32, 0 },
		{ "aarch64", "throughput:LD1i32/line", 2048 + LINE - 2, 0 },
		{ "aarch64", "throughput:LD1D_IMM/line", 2048 + LINE - 8, 0 },
		{ "aarch64", "throughput:LDRHui/line", 2048 + LINE - 1, LINE },
		{ "aarch64", "throughput:LDRSHXui/line", 2048 + LINE - 1,
		  LINE },
		{ "aarch64", "throughput:STPQi/page", ONE_PAGE - 16, 0 },
		{ "aarch64", "throughput:STURSi/page", ONE_PAGE - 2, 0 },
		{ "riscv64", "throughput:LW/line", 2048 + LINE - 2, LINE },
		{ "riscv64", "throughput:C_SD/page", ONE_PAGE - 4, 0 },
		{ "riscv64", "throughput:VLE32_V/e32,m1,line", 2048 + LINE - 4,
		  0 },
		{ "riscv64", "throughput:VLE64_V/e64,m8,masked,line",
		  2048 + LINE - 8, 0 },
		{ "riscv64", "throughput:VSE8_V/e8,mf2,page", ONE_PAGE - 1, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows);) {
		const char *isa = rows[i].isa;
		struct catalogue *c = catalogue_of(isa);

		for (; i < ARRAY_LEN(rows) && rows[i].isa == isa; i++) {
			struct err e = { .code = ERR_OK };
			struct experiment x;
			struct assigned a;
			int part;

			if (experiment_parse(c, rows[i].label, &x, &e) != 0 ||
			    assign_registers(c, &x, 16, &a, &e) != 0)
				fail_msg("%s: %s", rows[i].label, e.message);
			assert_int_equal(a.memory.offset[c->isa->memory->base],
					 rows[i].offset);
			part = form_part(x.steps[0].form, ROLE_DISPLACEMENT);
			if (part >= 0 && a.period > 1)
				assert_int_equal(
					(a.instances[1][0].imm[part] -
					 a.instances[0][0].imm[part]) *
						x.steps[0].form->unit_bytes,
					rows[i].step);
		}
	}
}

/* Aligned accesses and those of one byte have no straddling variant. */
TEST(aligned_accesses_have_none)
{
	static const struct {
		const char *isa, *form;
	} rows[] = {
		{ "x86_64", "MOVAPSrm/line" },
		{ "x86_64", "MOV8rm/line" },
		{ "x86_64", "LOCK_ADD64mr/line" },
		{ "x86_64", "XCHG64rm/line" },
		{ "x86_64", "ADDPSrm/line" },
		{ "x86_64", "MMX_CVTPD2PIrm/line" },
		{ "x86_64", "VMOVNTDQArm/line" },
		{ "x86_64", "VPGATHERDDYrm/line" },
		{ "aarch64", "LDRBBui/line" },
		{ "aarch64", "LDRSBXui/line" },
		{ "aarch64", "LDAXRX/line" },
		{ "aarch64", "LDRXl/line" },
		{ "riscv64", "LB/line" },
		{ "riscv64", "AMOADD_D/line" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct catalogue *c = catalogue_of(rows[i].isa);

		assert_null(catalogue_form(c, rows[i].form));
	}
}

/* A chain of pointers across a boundary loads its own address; the memory has a
 * second page only for accesses across a page. */
TEST(pointers_stand_where_they_point)
{
	struct catalogue *c = catalogue_of("x86_64");
	SCOPED(gen_end) struct gen *g = gen_of(c);
	struct buffer pack = { 0 };
	struct err e = { .code = ERR_OK };
	struct kernel_row row;

	add_label(g, c, "latency:MOV64rm@1>0", &row);
	assert_int_equal(row.image->memory_fill, PACK_FILL_SELF);
	add_label(g, c, "latency:MOV64rm/line@1>0", &row);
	assert_int_equal(row.image->memory_fill, PACK_FILL_SELF_ODD);
	assert_int_equal(gen_finish(g, &pack, &e), ERR_OK);
	assert_int_equal(pack_header(pack.bytes)->memory_bytes, ONE_PAGE);
	buffer_free(&pack);
	add_label(g, c, "latency:MOV64rm/page@1>0", &row);
	assert_int_equal(row.image->memory_fill, PACK_FILL_SELF_ODD);
	assert_int_equal(gen_finish(g, &pack, &e), ERR_OK);
	assert_int_equal(pack_header(pack.bytes)->memory_bytes, 2 * ONE_PAGE);
	buffer_free(&pack);
}

/* Two variants that need different bases cannot be mixed. */
TEST(one_base_does_not_serve_two_places)
{
	struct catalogue *c = catalogue_of("x86_64");
	struct err e = { .code = ERR_OK };
	struct assigned assigned;
	struct experiment x;

	assert_ok(experiment_parse(c, "latency:MOV64mr/line+MOV64rm/line", &x,
				   &e),
		  &e);
	assert_int_equal(assign_registers(c, &x, 16, &assigned, &e), ERR_OK);
	x.steps[1].form = catalogue_form(c, "MOV64rm");
	assert_int_equal(assign_registers(c, &x, 16, &assigned, &e), ERR_INPUT);
}
