/* The scheduler of general registers from chains that follow each other: sizes of
 * simulated schedulers are inside the claims, and chains that no scheduler limits
 * make none. */
#include <math.h>

#include "host/experiment/experiment.h"
#include "host/isa/windows.h"
#include "host/solve/judge.h"
#include "tests/unit/record.h"
#include "tests/unit/unit.h"

enum { MAX = 16, PORTS = 6, WIDTH = 8 };

static const uint32_t groups[] = { 2, 3, 4, 5, 6, 8, 10 };

struct bench {
	struct arena a;
	struct record records[MAX];
	char labels[MAX][64];
	size_t n;
	struct claim queue, release;
};

static int keep(void *context, struct claim *c, struct err *e)
{
	struct bench *b = context;

	(void)e;
	if (strcmp(c->kind, ISA_GENERAL_QUEUE) == 0)
		b->queue = *c;
	if (strcmp(c->kind, ISA_GENERAL_RELEASE) == 0)
		b->release = *c;
	return 0;
}

static struct record *add(struct bench *b, const char *label, double cycles)
{
	assert_true(b->n < MAX);
	(void)snprintf(b->labels[b->n], sizeof(b->labels[b->n]), "%s", label);
	b->records[b->n] = record_of(&b->a, b->n, b->labels[b->n], cycles);
	return &b->records[b->n++];
}

static struct record *add_chains(struct bench *b, uint32_t n, double cycles)
{
	char label[64];

	(void)snprintf(label, sizeof(label), "chains:%uxC@1>0", (unsigned)n);
	return add(b, label, cycles);
}

static void open(struct bench *b, double latency)
{
	*b = (struct bench){ .n = 0 };
	(void)add(b, "latency:C@1>0", latency);
	(void)add(b, "throughput:C", 1.0 / PORTS);
}

static void judge(struct bench *b)
{
	static const struct isa_windows windows = { .general = "C@1>0" };
	struct judge_sink sink = { .max_width = 12,
				   .windows = &windows,
				   .slot = "S",
				   .each = keep,
				   .context = b };
	struct err e = { .code = ERR_OK };

	assert_ok(judge_records(&b->a, b->records, b->n, &sink, &e), &e);
}

/* ---- a core, cycle by cycle ------------------------------------------------------ */

struct waiting {
	uint32_t chain;
	bool started;
	uint32_t until; /* it leaves */
};

/* Cycles between the beginnings of chains of so many instructions. */
static double play(uint32_t length, uint32_t entries, uint32_t release)
{
	enum { CHAINS = 40, FROM = 20, MOST = 256 };
	static struct waiting list[MOST];
	static uint32_t done_at[CHAINS]; /* of the last that has started */
	uint32_t n = 0, sent = 0, begun[CHAINS] = { 0 };

	memset(done_at, 0, sizeof(done_at));
	for (uint32_t now = 1; sent < CHAINS * length; now++) {
		uint32_t left = 0, used = 0;

		for (uint32_t i = 0; i < n; i++) {
			struct waiting x = list[i];

			/* The list is in order of dispatch. */
			if (!x.started && used < PORTS &&
			    done_at[x.chain] < now) {
				x.started = true;
				x.until = now + release;
				done_at[x.chain] = now;
				used++;
			}
			if (!x.started || x.until > now)
				list[left++] = x;
		}
		n = left;
		for (uint32_t i = 0;
		     i < WIDTH && n < entries && sent < CHAINS * length; i++) {
			uint32_t chain = sent++ / length;

			if (begun[chain] == 0)
				begun[chain] = now;
			list[n++] = (struct waiting){ .chain = chain };
		}
	}
	return (double)(begun[CHAINS - 1] - begun[FROM]) / (CHAINS - 1 - FROM);
}

static void add_core(struct bench *b, uint32_t entries, uint32_t release)
{
	for (size_t i = 0; i < ARRAY_LEN(groups); i++)
		(void)add_chains(b, groups[i],
				 play(groups[i] * EXPERIMENT_WINDOW_GROUPS,
				      entries, release));
}

TEST(entries_and_release_are_inside_the_claims)
{
	static const uint32_t entries[] = { 40, 64, 88, 97, 120, 160 };
	static const uint32_t releases[] = { 0, 2, 5, 10, 14 };
	unsigned n_claims = 0;

	for (size_t q = 0; q < ARRAY_LEN(entries); q++)
		for (size_t r = 0; r < ARRAY_LEN(releases); r++) {
			struct bench b;
			double low, high;

			open(&b, 1);
			add_core(&b, entries[q], releases[r]);
			judge(&b);
			low = b.release.low_cycles;
			high = b.release.high_cycles;
			if (b.queue.has_value) {
				n_claims++;
				/* Chains begin in whole cycles: an entry and
				 * half a cycle more or less. */
				if (b.queue.low_cycles > entries[q] + 1 ||
				    b.queue.high_cycles + 1 < entries[q] ||
				    (b.release.has_value &&
				     (low > releases[r] + 0.5 ||
				      high + 0.5 < releases[r])))
					fail_msg("%u, %u: %g..%g, %g..%g",
						 (unsigned)entries[q],
						 (unsigned)releases[r],
						 b.queue.low_cycles,
						 b.queue.high_cycles, low,
						 high);
			}
			arena_free(&b.a);
		}
	assert_true(n_claims >= 24);
}

/* All chains overlap by the same part, as if something else took the time. */
TEST(no_scheduler_makes_no_claim)
{
	for (unsigned part = 40; part < 95; part += 5)
		for (size_t first = 0; first + 4 <= ARRAY_LEN(groups);
		     first++) {
			struct bench b;

			open(&b, 1);
			for (size_t i = first; i < ARRAY_LEN(groups); i++)
				(void)add_chains(
					&b, groups[i],
					part / 100.0 * groups[i] *
						EXPERIMENT_WINDOW_GROUPS);
			judge(&b);
			if (b.queue.has_value)
				fail_msg("%u %% from %u: %s", part,
					 (unsigned)first, b.queue.detail);
			arena_free(&b.a);
		}
}

/* Of instructions of two cycles, of two states, and of few chains. */
TEST(other_chains_make_no_claim)
{
	for (int which = 0; which < 3; which++) {
		struct bench b;

		open(&b, which == 0 ? 2 : 1);
		add_core(&b, 88, 10);
		for (size_t i = 2; which == 1 && i < b.n; i++)
			b.records[i].estimate.state = VERDICT_TWO_STATES;
		b.n -= which == 2 ? 4 : 0;
		judge(&b);
		assert_false(b.queue.has_value);
		assert_false(b.release.has_value);
		arena_free(&b.a);
	}
}
