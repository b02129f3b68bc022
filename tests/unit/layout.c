/* Layouts: the places of a kernel's accesses, for every instruction set. */
#include "host/isa/layout.h"
#include "host/gen/assign.h"
#include "host/gen/gen.h"
#include "host/isa/instance.h"
#include "host/isa/memory.h"
#include "host/isa/variant.h"
#include "tests/unit/planned.h"

/* Where the instance of a step accesses memory. */
static int64_t place(const struct catalogue *c, const struct assigned *a,
		     size_t step, size_t op)
{
	const struct instance *in = &a->instances[op][step];
	int part = form_part(in->form, ROLE_DISPLACEMENT);
	int base = form_part(in->form, ROLE_BASE);
	int64_t at = a->memory.offset[c->regs[in->reg[base]].index];

	return part < 0 ? at : at + in->imm[part] * in->form->unit_bytes;
}

static size_t count_places(const struct catalogue *c, const struct assigned *a)
{
	size_t n = 0;

	for (size_t op = 0; op < a->period; op++) {
		bool known = false;

		for (size_t k = 0; k < op; k++)
			known |= place(c, a, 0, k) == place(c, a, 0, op);
		n += !known;
	}
	return n;
}

/* By hand: the first two places, and how many there are. */
TEST(places_are_those_of_the_layout)
{
	static const struct {
		const char *isa, *label;
		int64_t first, step;
		size_t n;
	} rows[] = {
		{ "x86_64", "throughput:MOV64rm", -128, 72, 4 },
		{ "x86_64", "throughput:MOVBE16rm", -128, 72, 4 },
		{ "x86_64", "throughput:MOVUPSrm", -128, 80, 4 },
		{ "x86_64", "throughput:VMOVUPSYrm", -128, 96, 3 },
		{ "x86_64", "throughput:VMOVUPSZrm", 0, 64, 16 },
		{ "x86_64", "throughput:MOV64rm/consecutive", 0, 8, 16 },
		{ "x86_64", "throughput:MOV64rm/one-place", 0, 0, 1 },
		{ "x86_64", "throughput:MOV64mr", 0, 8, 16 },
		{ "x86_64", "throughput:MOV64mr/lines", 0, 72, 16 },
		{ "x86_64", "throughput:MOV64mr/one-place", 0, 0, 1 },
		{ "x86_64", "throughput:ADD64mr", 0, 8, 24 },
		{ "x86_64", "throughput:ADD64mr/lines", 0, 72, 24 },
		{ "aarch64", "throughput:LDRXui", 0, 72, 16 },
		{ "aarch64", "throughput:LDRXui/consecutive", 0, 8, 16 },
		{ "aarch64", "throughput:LDRBBui", 0, 72, 16 },
		{ "aarch64", "throughput:LDURXi", 0, 72, 4 },
		{ "aarch64", "throughput:LDPXi", 0, 80, 7 },
		{ "aarch64", "throughput:STRXui", 0, 8, 16 },
		{ "aarch64", "throughput:STRXui/lines", 0, 72, 16 },
		{ "aarch64", "throughput:STRXui/one-place", 0, 0, 1 },
		{ "aarch64", "throughput:STRQui", 0, 16, 16 },
		{ "aarch64", "throughput:STRXroX", 0, 8, 8 },
		{ "aarch64", "throughput:LDRXroX", 0, 72, 4 },
		{ "aarch64", "throughput:LDADDX", 0, 80, 8 },
		{ "aarch64", "throughput:LDADDX/consecutive", 0, 16, 8 },
		{ "riscv64", "throughput:LD", 0, 72, 16 },
		{ "riscv64", "throughput:SD", 0, 8, 16 },
		{ "riscv64", "throughput:SD/lines", 0, 72, 16 },
		{ "riscv64", "throughput:SD/one-place", 0, 0, 1 },
		{ "riscv64", "throughput:C_SD", 0, 8, 16 },
		{ "riscv64", "throughput:C_LD", 0, 72, 4 },
		{ "riscv64", "throughput:C_LW", 0, 8, 16 },
		{ "riscv64", "throughput:VSE32_V/e32,m1", 0, 64, 8 },
		{ "riscv64", "throughput:AMOADD_D", 0, 80, 8 },
		{ "riscv64", "throughput:AMOADD_W_AQ", 0, 80, 8 },
		{ "riscv64", "throughput:AMOADD_D/consecutive", 0, 16, 8 },
		{ "riscv64", "throughput:SC_D/pair", 0, 64, 8 },
		{ "riscv64", "dependent:AMOADD_D", 0, 0, 1 },
		/* A chain of pointers stays where it is. */
		{ "x86_64", "latency:MOV64rm@1>0", 0, 0, 1 },
		{ "aarch64", "latency:LDRXui@1>0", 0, 0, 1 },
		{ "riscv64", "latency:LD@1>0", 0, 0, 1 },
	};
	enum { MIDDLE = 2048 };

	for (size_t i = 0; i < ARRAY_LEN(rows);) {
		const char *isa = rows[i].isa;
		struct catalogue *c = catalogue_of(isa);

		for (; i < ARRAY_LEN(rows) && rows[i].isa == isa; i++) {
			struct assigned a;
			int64_t first, step;
			size_t n;

			assign(c, rows[i].label, 24, &a);
			first = place(c, &a, 0, 0) - MIDDLE;
			step = a.period > 1
				       ? place(c, &a, 0, 1) - MIDDLE - first
				       : 0;
			n = rows[i].step ? count_places(c, &a) : 1;
			if (first != rows[i].first || step != rows[i].step ||
			    n != rows[i].n)
				fail_msg("%s: %zu places, %lld apart from %lld",
					 rows[i].label, n, (long long)step,
					 (long long)first);
		}
	}
}

/* No table has the size of an atomic, so a line is assumed. */
static unsigned bytes_of(const struct form *f)
{
	enum { WIDEST_ATOMIC = 16 };
	bool atomic = f->access == (ACCESS_LOAD | ACCESS_STORE) &&
		      form_part(f, ROLE_DISPLACEMENT) < 0;

	return atomic ? WIDEST_ATOMIC : f->access_bytes;
}

/* No layout makes an access cross a line. */
TEST(no_access_crosses_a_line)
{
	for (size_t i = 0; isas[i]; i++) {
		struct catalogue *c = catalogue_of(isas[i]->name);
		size_t checked = 0;

		for (const char *const *at = isas[i]->memory->layouts; *at;
		     at++) {
			const struct form *f = catalogue_form(c, *at);

			assert_non_null(f);
			for (; f < c->forms + c->n_forms &&
			       strncmp(f->name, *at, strlen(*at)) == 0;
			     f++) {
				char label[PACK_MAX_LABEL];
				struct assigned a;

				if (form_family(f) != FAMILY_LAYOUT)
					continue;
				(void)snprintf(label, sizeof(label),
					       "throughput:%s", f->name);
				assign(c, label, 24, &a);
				for (size_t op = 0; op < a.period; op++)
					assert_true(place(c, &a, 0,
							  op) % LAYOUT_LINE +
							    bytes_of(f) <=
						    LAYOUT_LINE);
				checked++;
			}
		}
		assert_true(checked >= 8);
	}
}

static bool loads(const struct assigned *a, size_t step)
{
	return a->instances[0][step].form->access & ACCESS_LOAD;
}

/* The stores of a mix go to one line, whatever is between them, so that a core
 * may write two of them in a cycle.  Those of forms that also load, or bypass
 * the caches, do not. */
TEST(stores_of_a_mix_share_a_line)
{
	static const struct {
		const char *isa, *label;
		size_t first, second;
		bool shared;
	} rows[] = {
		{ "x86_64", "mix:8xMOV64mr+VMOVUPSYmr", 0, 1, true },
		{ "x86_64", "mix:MOV64rm+KMOVBmk+ADD64mr+VMOVDQAmr", 1, 3,
		  true },
		{ "x86_64", "mix:ADD64mr+MOV64mr", 0, 1, false },
		{ "x86_64", "mix:MOV64mr+MOVNTI_64mr", 0, 1, false },
		{ "aarch64", "mix:STRXui+LDRXui+STRQui", 0, 2, true },
		{ "riscv64", "mix:SB+ADD+SD", 0, 2, true },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct catalogue *c = catalogue_of(rows[i].isa);
		size_t n_alike = 0;
		struct assigned a;

		assign(c, rows[i].label, 24, &a);
		for (size_t k = 0; k < a.period * a.period; k++) {
			size_t x = place(c, &a, rows[i].first, k % a.period);
			size_t y = place(c, &a, rows[i].second, k / a.period);

			n_alike += x / LAYOUT_LINE == y / LAYOUT_LINE;
		}
		if (n_alike != (rows[i].shared ? a.period * a.period : 0))
			fail_msg("%s: one line %zu times", rows[i].label,
				 n_alike);
	}
}

/* No form of a mix loads what another stores, by displacements or bases. */
TEST(mixes_keep_apart)
{
	static const struct {
		const char *isa, *label;
		size_t n;
	} rows[] = {
		{ "aarch64", "mix:STRXui+LDRXui+STURXi+LDPXi", 4 },
		{ "riscv64", "mix:LH+SD+LD+C_SD+SB", 5 },
		{ "x86_64", "mix:MOV64rm+MOV64mr+ADD64mr/lines+MOVUPSrm", 4 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct catalogue *c = catalogue_of(rows[i].isa);
		struct assigned a;

		assign(c, rows[i].label, 24, &a);
		for (size_t s = 0; s < rows[i].n; s++)
			for (size_t t = 0; t < rows[i].n; t++)
				for (size_t k = 0;
				     s != t && (loads(&a, s) || loads(&a, t)) &&
				     k < a.period * a.period;
				     k++)
					assert_true(
						place(c, &a, s, k % a.period) !=
						place(c, &a, t, k / a.period));
	}
}

/* Bytes from one body of a kernel to the next. */
static uint32_t body_bytes(const struct catalogue *c, const char *label)
{
	SCOPED(gen_end) struct gen *g = gen_of(c);
	struct kernel_row row;
	uint32_t bytes, n;

	add_label(g, c, label, &row);
	bytes = (uint32_t)(row.code_bytes[2] - row.code_bytes[1]);
	n = row.unroll[2] - row.unroll[1];
	assert_int_equal(bytes % n, 0);
	return bytes / n;
}

TEST(branches_are_as_far_apart_as_they_say)
{
	static const struct {
		const char *isa, *label;
		uint32_t bytes;
	} rows[] = {
		{ "x86_64", "throughput:JMP_1/taken", 64 },
		{ "x86_64", "throughput:JMP_1/taken,16", 16 },
		{ "x86_64", "throughput:JMP_1/taken,dense", 2 },
		{ "x86_64", "throughput:JMP_4/taken", 64 },
		{ "x86_64", "throughput:JCC_1/taken", 64 },
		{ "x86_64", "throughput:JCC_1/taken,16", 16 },
		{ "x86_64", "throughput:JCC_1/not-taken", 2 },
		{ "x86_64", "throughput:JCC_4/taken", 64 },
		{ "x86_64", "throughput:JRCXZ/taken", 64 },
		{ "x86_64", "throughput:JECXZ/taken", 64 },
		{ "x86_64", "throughput:LOOP/taken", 64 },
		{ "x86_64", "throughput:TEST32ri/jcc,taken", 64 },
		{ "x86_64", "throughput:CMP64mi8/jcc,taken", 64 },
		{ "x86_64", "throughput:CMP64rr/jcc,not-taken", 5 },
		{ "aarch64", "throughput:B/taken", 64 },
		{ "aarch64", "throughput:Bcc/taken,16", 16 },
		{ "aarch64", "throughput:Bcc/taken,dense", 4 },
		{ "aarch64", "throughput:CBZX/taken", 64 },
		{ "aarch64", "throughput:SUBSXri/b.cond,taken", 64 },
		{ "aarch64", "throughput:SUBSXri/b.cond,not-taken", 8 },
		{ "riscv64", "throughput:BEQ/taken", 64 },
		{ "riscv64", "throughput:BEQ/taken,16", 16 },
		{ "riscv64", "throughput:JAL/taken,dense", 4 },
		{ "riscv64", "throughput:C_J/taken", 64 },
		{ "riscv64", "throughput:C_J/taken,dense", 2 },
		{ "riscv64", "throughput:C_BEQZ/taken", 64 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows);) {
		const char *isa = rows[i].isa;
		struct catalogue *c = catalogue_of(isa);

		for (; i < ARRAY_LEN(rows) && rows[i].isa == isa; i++)
			if (body_bytes(c, rows[i].label) != rows[i].bytes)
				fail_msg("%s: %u bytes apart", rows[i].label,
					 body_bytes(c, rows[i].label));
	}
}
