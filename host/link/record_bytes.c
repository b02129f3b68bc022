/* See record_bytes.h.  Writes the records, as the runtime does, with numbers of
 * the size that is to be expected. */
#include "host/link/record_bytes.h"

#include "common/bend.h"
#include "common/row.h"
#include "common/say.h"

enum {
	/* info, pack, ready twice, done, bye: 900 to 1,300 with the boards of
	 * tests/qemu. */
	RECORDS_AROUND = 1200,
	ITERATIONS = 100, /* of each length: two or three digits */
};

/* Rows whose lengths take 1, 2 and 3 times `unit`. */
static void put_rows(struct wire_line *w, const char *key, uint64_t unit,
		     uint32_t n_rows, uint32_t row)
{
	enum { MAX_ROWS = 64 }; /* the limit of pack_check() */
	uint64_t values[MAX_ROWS * ROW_REF_WIDE];
	uint32_t n = n_rows < MAX_ROWS ? n_rows * row : MAX_ROWS * row;

	for (uint32_t i = 0; i < n; i++)
		values[i] = unit * (1 + i % PACK_LENGTHS);
	wire_list(w, key, values, n);
}

static void put_ticks(struct wire_line *w, const struct pack_header *h,
		      const struct pack_kernel *k, bool ref_clock)
{
	static const uint64_t chains[PACK_N_CALIB] = { ITERATIONS, ITERATIONS,
						       ITERATIONS };
	struct bend_plan plan = bend_plan(h->kernel_cycles, h->n_repeats);
	bool wide = k->flags & PACK_KERNEL_WIDE;

	if (ref_clock) {
		uint32_t row = wide ? ROW_REF_WIDE : ROW_REF;

		wire_list(w, "c", chains, PACK_N_CALIB);
		wire_u64(w, "o", 0);
		wire_u64(w, "row", row);
		put_rows(w, "d", h->sandwich_ns / PACK_LENGTHS, h->n_sandwiches,
			 row);
	} else {
		/* Two rows that agree are enough, and are said once. */
		put_rows(w, "d", plan.range / 2, 1, ROW_CORE);
		wire_u64(w, "rows", BEND_LEAST_ROWS);
		put_rows(w, "i", plan.range / 2, 1, ROW_CORE);
	}
}

static size_t sample_bytes(const void *pack, uint32_t index, bool ref_clock)
{
	const struct pack_kernel *k = &pack_kernels(pack)[index];
	struct wire_line w;

	wire_begin(&w, index, "sample");
	say_kernel(&w, pack, index);
	if (ref_clock)
		wire_u64(&w, "visit", 0);
	wire_u64(&w, "n", ITERATIONS);
	say_unroll(&w, "u", k);
	put_ticks(&w, pack_header(pack), k, ref_clock);
	return wire_end(&w);
}

uint64_t record_bytes(const void *pack, bool ref_clock)
{
	const struct pack_header *h = pack_header(pack);
	uint64_t n = 0;

	for (uint32_t k = 0; k < h->n_kernels; k++)
		if (!(pack_kernels(pack)[k].flags & PACK_KERNEL_CALIB))
			n += sample_bytes(pack, k, ref_clock);
	return RECORDS_AROUND + n * (ref_clock ? h->n_visits : 1);
}
