/* Operands that differ between neighbouring instances: a core that remembers
 * recent operands finds no match. */
#include "catalogue_load.h"
#include "host/gen/gen.h"
#include "host/isa/carrier.h"
#include "tests/unit/planned.h"

struct world {
	struct arena a;
	struct catalogue *c;
	struct gen *g;
};

static int open_world(void **state)
{
	static struct world w;

	w = (struct world){ .g = NULL };
	w.c = load(&w.a, "riscv64", NULL);
	w.g = gen_of(w.c);
	*state = &w;
	return 0;
}

static int close_world(void **state)
{
	struct world *w = *state;

	gen_free(w->g);
	arena_free(&w->a);
	return 0;
}

EACH(open_world, close_world);

enum { N = 8, SOURCES = 2, FIELD = 31 };

/* The two sources of those instructions of a kernel that equal `like` under
 * `mask`. */
static void sources(const struct kernel_row *k, uint32_t mask, uint32_t like,
		    unsigned ret[N][SOURCES])
{
	size_t n = 0;

	for (size_t at = 0; at + 4 <= k->code_bytes[0] && n < N; at += 4) {
		uint32_t word;

		memcpy(&word, k->code[0] + at, sizeof(word));
		if ((word & mask) != like)
			continue;
		ret[n][0] = word >> 15 & FIELD;
		ret[n++][1] = word >> 20 & FIELD;
	}
	assert_int_equal(n, N);
}

TEST_ON(independent_instances_have_other_operands, struct world *w)
{
	enum { INTEGER = 0xfe00707f, FLOAT = 0xfe00007f };
	static const struct {
		const char *label;
		uint32_t mask, like;
	} rows[] = {
		{ "throughput:DIV", INTEGER, 0x02004033 },
		{ "throughput:DIV/fast", INTEGER, 0x02004033 },
		{ "throughput:REMUW/slow", INTEGER, 0x0200703b },
		{ "throughput:MULHU/wide", INTEGER, 0x02003033 },
		{ "throughput:FDIV_S", FLOAT, 0x18000053 },
		{ "throughput:FDIV_D/slow", FLOAT, 0x1a000053 },
		{ "throughput:FSQRT_D", FLOAT, 0x5a000053 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		bool is_float = rows[i].mask == FLOAT;
		struct kernel_row row;
		unsigned pairs[N][SOURCES];
		const uint64_t *v;

		add_label(w->g, w->c, rows[i].label, &row);
		v = is_float ? row.image->fp : row.image->gpr;
		sources(&row, rows[i].mask, rows[i].like, pairs);
		if (strcmp(rows[i].label, "throughput:REMUW/slow") == 0)
			assert_int_equal((uint32_t)v[pairs[0][0]] >> 24, 0x7f);
		for (size_t k = 1; k < N; k++)
			for (size_t ago = 1; ago <= k && ago < ISA_VARIED;
			     ago++)
				assert_true(v[pairs[k][0]] !=
					    v[pairs[k - ago][0]]);
	}
}

/* In a chain, a carrier restores the starting operand of each division. */
TEST_ON(carriers_bring_other_operands, struct world *w)
{
	enum { MASK = 0xfe00707f, OR = 0x00006033, DIVW = 0x0200403b };
	unsigned divides[N][SOURCES], ors[N][SOURCES];
	struct kernel_row row;
	const uint64_t *v;

	add_label(w->g, w->c, "latency:DIVW/slow@1>0+AND@1>0+OR@1>0", &row);
	v = row.image->gpr;
	sources(&row, MASK, DIVW, divides);
	sources(&row, MASK, OR, ors);
	for (size_t k = 0; k < N; k++) {
		uint32_t next = (uint32_t)v[ors[k][1]];

		/* Slow: all bits of a positive number of 32, by three. */
		assert_int_equal(next >> 24, 0x7f);
		assert_int_equal(v[divides[k][1]], 3);
		assert_true(next != (uint32_t)v[ors[(k + 1) % N][1]]);
	}
}

/* A product of the carrier's factor is the same value, and as wide. */
TEST_ON(products_bring_other_operands, struct world *w)
{
	enum {
		MASK = 0xfe00707f,
		OR = 0x00006033,
		MUL = 0x02000033,
		DIV = 0x02004033,
		REM = 0x02006033
	};
	static const struct {
		const char *label;
		uint32_t head;
		bool wide;
	} rows[] = {
		{ "latency:DIV@2>0+AND@1>0+OR@1>0+MUL@1>0", DIV, false },
		{ "latency:REM/slow@1>0+AND@1>0+OR@1>0+MUL/wide@1>0", REM,
		  true },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		unsigned heads[N][SOURCES], ors[N][SOURCES], muls[N][SOURCES];
		struct kernel_row row;
		const uint64_t *v;

		add_label(w->g, w->c, rows[i].label, &row);
		v = row.image->gpr;
		sources(&row, MASK, rows[i].head, heads);
		sources(&row, MASK, OR, ors);
		sources(&row, MASK, MUL, muls);
		for (size_t k = 0; k < N; k++) {
			uint64_t factor = v[muls[k][1]], part = v[ors[k][1]];
			uint64_t before = v[ors[(k + 1) % N][1]];

			assert_true(part != before);
			assert_int_equal(carrier_is_wide(factor), rows[i].wide);
			assert_int_equal(carrier_is_wide(part), rows[i].wide);
			if (rows[i].wide)
				assert_int_equal(part * factor >> 56, 0x7f);
			else
				assert_in_range(part * factor, 4, 7);
		}
		/* The first of all reads what the image has. */
		assert_int_equal(
			carrier_is_wide(v[heads[0][rows[i].wide ? 0 : 1]]),
			rows[i].wide);
	}
}

/* In order, a control must not wait for what only the chain reads. */
TEST_ON(the_control_breaks_at_the_source, struct world *w)
{
	enum { MASK = 0xfe00707f, MUL = 0x02000033, DIV = 0x02004033, RD = 7 };
	unsigned heads[N][SOURCES];
	struct kernel_row row;

	add_label(w->g, w->c, "control:DIV@1>0+AND@1>0+OR@1>0+MUL@1>0", &row);
	sources(&row, MASK, DIV, heads);
	for (size_t at = 0; at + 4 <= row.code_bytes[0]; at += 4) {
		uint32_t word;

		memcpy(&word, row.code[0] + at, sizeof(word));
		if ((word & MASK) != MUL)
			continue;
		for (size_t k = 0; k < N; k++)
			assert_int_not_equal(word >> RD & FIELD, heads[k][0]);
	}
	for (size_t k = 1; k < N; k++)
		assert_true(row.image->gpr[heads[k][0]] !=
			    row.image->gpr[heads[k - 1][0]]);
}

/* Floats of every width are added to a register that holds zero. */
TEST_ON(float_carriers_keep_the_type, struct world *w)
{
	enum { MASK = 0xfe00707f, FMAX_S = 0x28001053, FDIV_S = 0x18000053 };
	const uint64_t one = 0xffffffff3f800000;
	unsigned divides[N][SOURCES], sums[N][SOURCES];
	struct kernel_row row;
	const uint64_t *v;

	add_label(w->g, w->c, "latency:FDIV_S@1>0+FMIN_S@1>0+FMAX_S@1>0", &row);
	v = row.image->fp;
	sources(&row, MASK & ~0x7000u, FDIV_S, divides);
	sources(&row, MASK, FMAX_S, sums);
	for (size_t k = 0; k < N; k++) {
		assert_true(v[sums[k][1]] >> 32 == 0xffffffff);
		assert_true(v[sums[k][1]] >= one);
		assert_true(v[sums[k][1]] != v[sums[(k + 1) % N][1]]);
		assert_true(v[divides[k][1]] >= one);
	}
}
