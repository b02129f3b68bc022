/* An invented core whose probes are formulas with noise, and what the command finds
 * of it. */
#ifndef TESTS_UNIT_STRUCTURES_CORE_H
#define TESTS_UNIT_STRUCTURES_CORE_H

#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "host/base/random.h"
#include "host/structures/structures.h"

/* What each probe of an invented core takes, with rows that are up to 2 % apart. */
struct whole {
	uint64_t random;
	bool edge;     /* the second level's edge looks like one more level */
	bool silent;   /* nothing costs more than anything else: an emulator */
	bool unsteady; /* more calls are predicted the second time */
	bool small;    /* one level of caches */
	/* Lines of the second level cost hardly more; walks side by side take as
	 * long as the lines in flight allow. */
	bool near, hidden;
	/* Another thread has half of the window, when it is searched first. */
	bool shared;
	bool one_file;   /* comparisons take registers of additions */
	bool slow_code;  /* of many instructions */
	bool slow_first; /* the first pair of each queue is disturbed */
	bool simple;     /* no vectors and no flags */
	bool busy; /* another thread of the core runs while jumps are asked */
	unsigned windows; /* that the window was searched */
	enum { WINDOW_ENDS, WINDOW_ENDLESS, WINDOW_SILENT } window;
	unsigned times; /* that calls were asked for */
};

static const struct {
	uint64_t bytes;
	double cycles;
} whole_levels[] = { { 32 << 10, 4 }, { 512 << 10, 14 }, { 8 << 20, 50 } };

static double whole_chase(const struct whole *w, const struct chain *c)
{
	uint64_t bytes = (uint64_t)c->places * 64;
	bool apart = c->step > 4096;
	double more = !apart              ? 0
		      : c->places <= 64   ? 0
		      : c->places <= 1024 ? 7
					  : 60;

	if (w->edge && bytes > 512 << 10 && bytes <= 1000 << 10)
		return 20;
	/* Columns share sets; all levels have 8 ways. */
	for (size_t i = 0; i < ARRAY_LEN(whole_levels); i++) {
		bool columns = c->per > 0 && c->stride >= whole_levels[i].bytes;

		if (w->small && i > 0)
			break;
		if (columns ? c->places / c->per <= 8
			    : bytes <= whole_levels[i].bytes)
			return whole_levels[i].cycles + more;
	}
	return 300;
}

/* Pairs of loads are as slow as two behind so many instructions. */
static double whole_queue(const struct whole *w, const struct core_probe *p,
			  uint32_t most)
{
	return p->chain.places < 1000
		       ? p->n / (w->slow_code && p->n > 600 ? 1.0 : 8.0)
		       : 300 * (p->n > most ? 2 : 1);
}

static double whole_cycles(struct whole *w, const struct core_probe *p)
{
	static const double forward[FORWARD_N] = {
		4, 4, 4, 14, 15, 5, 13, 9, 11
	};
	static const double drain[] = { 1, 2 };
	bool pair = p->kind == PROBE_CHASE && p->chain.per == 2;
	uint32_t calls;

	switch (p->kind) {
	case PROBE_CHASE:
		/* Of a line, the second hits. */
		return pair ? (14 + (p->chain.step < 64 ? 4 : 14)) / 2.0
			    : whole_chase(w, &p->chain);
	case PROBE_PARALLEL:
		/* Walks begin 30 cycles apart. */
		if (p->chain.step > 4096)
			return p->chain.places <= 1024 ? 1 : w->hidden ? 9 : 30;
		if (p->chain.places <= 384) /* in the first level */
			return 0.5;
		return whole_chase(w, &p->chain) / (p->n < 12 ? p->n : 12);
	case PROBE_READ:
	case PROBE_WRITE:
		return p->n <= 32 << 10    ? 2
		       : p->n <= 512 << 10 ? (w->near ? 2.03 : 3)
					   : 9;
	case PROBE_JUMPS:
		return 13;
	case PROBE_KNOWN:
		return 3;
	case PROBE_WINDOW:
		w->windows += p->n == 16 && p->chain.places > 1000;
		return whole_queue(w, p,
				   w->window == WINDOW_ENDLESS   ? UINT32_MAX
				   : w->shared && w->windows < 2 ? 100
								 : 200);
	case PROBE_FLAGS:
		return whole_queue(w, p, w->one_file ? 120 : 90);
	case PROBE_WAITING_VECTORS:
		return whole_queue(w, p, 30);
	case PROBE_INTEGERS:
		return whole_queue(w, p, 120);
	case PROBE_HITS:
		return whole_queue(w, p, 70);
	case PROBE_STORES:
		return whole_queue(w, p, 50);
	case PROBE_WAITING:
		return whole_queue(w, p, 40);
	case PROBE_WAITING_LOADS:
		return whole_queue(w, p, 70);
	case PROBE_VECTORS:
		return whole_queue(w, p, 200);
	case PROBE_CHAINS: /* of a latency of 4 cycles, 64 wait */
		return p->n == 0   ? 0.5
		       : p->n == 1 ? 4
				   : 4 * (1 - 64.0 / PROBE_CHAIN_OPS);
	case PROBE_RELATED:
		return 10 + p->n + (p->n > 160 ? 20 : 10);
	case PROBE_PATTERN:
		return probe_pattern_entries(p->n) > 60000 ? 12 : 3;
	case PROBE_UNRELATED:
		return 10 + p->n + 20;
	case PROBE_EXITS:
		return 2.0 + p->n + (p->n > 30 ? 20 : 0);
	case PROBE_CALLS:
		w->times += p->n == 4;
		calls = w->unsteady && w->times > 1 ? 32 : 16;
		return 8 + 3.0 * p->n +
		       (p->n > calls ? 20.0 * (p->n - calls) : 0);
	case PROBE_TARGETS:
		return p->n > 512 ? 3 : 1;
	case PROBE_TABLE:
		return p->n > 100 ? 20 : 5;
	case PROBE_FORWARD:
		return forward[p->n];
	case PROBE_FORWARD_VECTOR:
		return 7;
	case PROBE_DRAIN:
		return drain[p->n == 64];
	default:
		return p->n == 0 ? 9 : p->n == 4 ? 6 : 4;
	}
}

static int ask_whole(void *context, const struct core_probe *list, size_t n,
		     struct probe_value *ret, struct err *e)
{
	struct whole *w = context;

	(void)e;
	for (size_t i = 0; i < n; i++) {
		double cycles = w->silent ? 1 : whole_cycles(w, &list[i]);

		if (w->slow_first && list[i].n == 16 && list[i].rough &&
		    list[i].chain.places > 1000)
			cycles *= 1.6;
		cycles *= 1 + 0.01 * random_unit(&w->random);
		ret[i] = (struct probe_value){
			.known = w->window != WINDOW_SILENT ||
				 list[i].kind != PROBE_WINDOW,
			.busy = w->busy && (list[i].kind == PROBE_EXITS ||
					    list[i].kind == PROBE_CALLS ||
					    list[i].kind == PROBE_TABLE),
			.cycles = cycles,
			.low = cycles * 0.99,
			.high = cycles * 1.01,
			.label = "x"
		};
	}
	return ERR_OK;
}

static bool exists(const void *context, enum probe_kind kind)
{
	const struct whole *w = context;

	return !w->simple ||
	       (kind != PROBE_FLAGS && kind != PROBE_VECTORS &&
		kind != PROBE_WAITING_VECTORS && kind != PROBE_CHAINS &&
		kind != PROBE_FORWARD_VECTOR);
}

static void find_whole(struct whole w, struct arena *a, struct structures *ret)
{
	struct probe_oracle o = { .ask = ask_whole,
				  .context = &w,
				  .most_bytes = 256 << 20,
				  .page_bytes = 4096,
				  .resolution = 0.04 };
	struct structures_request q = {
		.a = a, .oracle = &o, .exists = exists, .context = &w
	};
	struct err e = { .code = ERR_OK };

	assert_int_equal(structures_find(&q, ret, &e), ERR_OK);
}

static const struct core_finding *finding(const struct structures *s,
					  const char *key)
{
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->list[i].key, key) == 0)
			return &s->list[i];
	print_message("no finding %s\n", key);
	fail();
	return NULL;
}

#endif
