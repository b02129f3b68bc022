/* Claims of invented runs in a scratch store. */
#ifndef TESTS_UNIT_CLAIMS_BENCH_H
#define TESTS_UNIT_CLAIMS_BENCH_H

#include "host/isa/isa.h"
#include "host/model/claims.h"
#include "host/model/settled.h"
#include "host/store/store_claim.h"
#include "tests/unit/store_scratch.h"

/* A claim; without a value if `low` is above `high`. A note has its text where
 * others have the destination. */
struct word {
	const char *form, *kind, *source, *destination;
	double low, high;
	const char *verdict;
};

static inline void claim(struct scratch *t, int64_t run, const struct word *r)
{
	bool is_note = strcmp(r->kind, "note") == 0;
	struct claim c = {
		.run = run,
		.isa = "riscv64",
		.form = r->form,
		.board = "fake",
		.kind = r->kind,
		.source = r->source,
		.destination = is_note ? "" : r->destination,
		.has_value = r->low <= r->high,
		.low_cycles = is_note ? 0 : r->low,
		.high_cycles = r->high,
		.verdict = verdict_of(r->verdict),
		.verdict_text = r->verdict,
		.label = "",
		.detail = is_note ? r->destination : "",
	};

	ok(t, store_claim(t->s, &c, &t->err));
}

static inline int64_t claimed(struct scratch *t, const struct word *rows,
			      size_t n,
			      int (*begin)(struct store *s, int64_t run,
					   struct err *e))
{
	int64_t run = new_run(t);

	ok(t, begin(t->s, run, &t->err));
	for (size_t i = 0; i < n; i++)
		claim(t, run, &rows[i]);
	ok(t, store_commit(t->s, &t->err));
	ok(t, store_run_finish(t->s, run, &t->err));
	return run;
}

/* A finished run with these claims on ports, or on values. */
static inline int64_t ports(struct scratch *t, const struct word *rows,
			    size_t n)
{
	return claimed(t, rows, n, store_port_claims_begin);
}

static inline int64_t values(struct scratch *t, const struct word *rows,
			     size_t n)
{
	return claimed(t, rows, n, store_claims_begin);
}

#endif
