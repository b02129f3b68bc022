/* All structures of an invented core whose probes are formulas with noise, and the
 * file of caches that is written of them. */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "host/base/random.h"
#include "host/cache/caches.h"
#include "host/structures/structures.h"

/* What each probe of an invented core takes, with rows that are up to 2 % apart. */
struct whole {
	uint64_t random;
	bool edge;   /* the second level's edge looks like one more level */
	bool silent; /* nothing costs more than anything else: an emulator */
	bool moody;  /* more calls are predicted the second time */
	bool small;  /* one level of caches */
	/* Lines of the second level cost hardly more; walks side by side take as
	 * long as the lines in flight allow. */
	bool near, hidden;
	/* Another thread has half of the window, when it is searched first. */
	bool shared;
	bool one_file;   /* comparisons take registers of additions */
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
static double whole_queue(const struct core_probe *p, uint32_t most)
{
	return p->chain.places < 1000 ? p->n / 8.0
				      : 300 * (p->n > most ? 2 : 1);
}

static double whole_cycles(struct whole *w, const struct core_probe *p)
{
	static const double forward[FORWARD_N] = { 4, 4,  4, 14, 15,
						   5, 13, 7, 9,  11 };
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
		return whole_queue(p, w->window == WINDOW_ENDLESS   ? UINT32_MAX
				      : w->shared && w->windows < 2 ? 100
								    : 200);
	case PROBE_FLAGS:
		return whole_queue(p, w->one_file ? 120 : 90);
	case PROBE_WAITING_VECTORS:
		return whole_queue(p, 30);
	case PROBE_INTEGERS:
		return whole_queue(p, 120);
	case PROBE_HITS:
		return whole_queue(p, 70);
	case PROBE_STORES:
		return whole_queue(p, 50);
	case PROBE_WAITING:
		return whole_queue(p, 40);
	case PROBE_WAITING_LOADS:
		return whole_queue(p, 70);
	case PROBE_VECTORS:
		return whole_queue(p, 200);
	case PROBE_CHAINS: /* of a latency of 4 cycles, 64 wait */
		return p->n == 0   ? 0.5
		       : p->n == 1 ? 4
				   : 4 * (1 - 64.0 / PROBE_CHAIN_OPS);
	case PROBE_RELATED:
		return 10 + p->n + (p->n > 160 ? 20 : 10);
	case PROBE_PATTERN:
		return p->n > 4096 ? 12 : 3;
	case PROBE_UNRELATED:
		return 10 + p->n + 20;
	case PROBE_EXITS:
		return 2.0 + p->n + (p->n > 30 ? 20 : 0);
	case PROBE_CALLS:
		w->times += p->n == 4;
		calls = w->moody && w->times > 1 ? 32 : 16;
		return 8 + 3.0 * p->n +
		       (p->n > calls ? 20.0 * (p->n - calls) : 0);
	case PROBE_TARGETS:
		return p->n > 512 ? 3 : 1;
	case PROBE_TABLE:
		return p->n > 100 ? 20 : 5;
	case PROBE_FORWARD:
		return forward[p->n];
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

	return !w->simple || (kind != PROBE_FLAGS && kind != PROBE_VECTORS &&
			      kind != PROBE_WAITING_VECTORS);
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

TEST(all_of_a_core_is_found_in_its_intervals)
{
	static const struct {
		const char *key;
		double value, off;
	} all[] = {
		{ "l1.size", 32 << 10, 0 },     { "l1.line", 64, 0 },
		{ "l1.latency", 4, 0.1 },       { "l2.size", 512 << 10, 0 },
		{ "l3.size", 8 << 20, 0 },      { "l1.mshr", 12, 1 },
		{ "memory.latency", 300, 6 },   { "tlb1.entries", 64, 2 },
		{ "tlb2.entries", 1024, 20 },   { "tlb2.latency", 7, 1 },
		{ "page.walk", 60, 2 },         { "branch.penalty", 20, 1 },
		{ "branch.history", 161, 0 },   { "branch.loop", 30, 0 },
		{ "branch.patterns", 5e3, 99 }, { "branch.calls", 16, 0 },
		{ "branch.targets", 512, 40 },  { "branch.indirect", 100, 3 },
		{ "window", 200, 14 },          { "registers.integer", 120, 4 },
		{ "queue.loads", 70, 4 },       { "queue.stores", 50, 4 },
		{ "scheduler.integer", 40, 4 }, { "forward.two_stores", 15, 1 },
		{ "alias.4096", 5, 0.2 },       { "alias.partial", 2, 0.2 },
		{ "alias.next", 0, 0.1 },       { "drain.same", 1, 0.1 },
		{ "drain.line", 1, 0.1 },       { "drain.lines", 2, 0.1 },
		{ "registers.flags", 90, 4 },   { "scheduler.vector", 30, 4 },
		{ "forward.half", 5, 0.1 },     { "forward.narrow", 13, 0.2 },
		{ "forward.vector", 7, 0.1 },   { "forward.line", 9, 0.1 },
		{ "forward.page", 11, 0.2 },    { "tlb1.fill", 0.5, 0.02 },
		{ "queue.vectors", 64, 8 },
	};
	struct structures *s = calloc(1, sizeof(*s));
	struct arena a = { 0 };

	find_whole((struct whole){ .random = 1 }, &a, s);
	for (size_t i = 0; i < ARRAY_LEN(all); i++) {
		const struct core_finding *x = finding(s, all[i].key);
		bool good = x->known && x->value >= all[i].value - all[i].off &&
			    x->value <= all[i].value + all[i].off &&
			    x->low <= x->value && x->value <= x->high;

		if (!good)
			print_message("%s: %.3f (%.3f to %.3f), not %.3f: %s\n",
				      all[i].key, x->value, x->low, x->high,
				      all[i].value, x->reason);
		assert_true(good);
	}
	/* A difference is as uncertain as both of its values. */
	assert_true(finding(s, "alias.4096")->value -
			    finding(s, "alias.4096")->low >=
		    0.125);
	/* Limits that another queue may have set are none. */
	assert_false(finding(s, "registers.vector")->known);
	assert_false(finding(s, "scheduler.loads")->known);
	arena_free(&a);
	free(s);
}

TEST(the_file_of_a_core_is_one_of_caches)
{
	struct structures *s = calloc(1, sizeof(*s));
	struct buffer b = { 0 };
	struct caches list = { .n = 0 };
	struct arena a = { 0 };
	struct err e = { .code = ERR_OK };

	find_whole((struct whole){ .random = 2 }, &a, s);
	structures_file(&b, s, "invented");
	assert_int_equal(caches_parse(&a, "x", buffer_text(&b), &list, &e),
			 ERR_OK);
	assert_int_equal(list.n, 1);
	assert_int_equal(list.at[0].n_levels, 3);
	assert_int_equal(list.at[0].levels[2].bytes, 8 << 20);
	assert_int_equal(list.at[0].tlb.n_levels, 2);
	assert_int_equal(list.at[0].tlb.levels[1].entries % 16, 0);
	assert_int_equal(list.at[0].core.history, 161);
	assert_true(list.at[0].core.patterns >= 4700 &&
		    list.at[0].core.patterns <= 5100);
	assert_true(list.at[0].core.window >= 186);
	assert_true(list.at[0].core.loads >= 66);
	/* No more buffers than there are. */
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->list[i].key, "tlb2.entries") == 0)
			s->list[i].value = s->pages.level[1].low = 12;
	b.n = 0;
	structures_file(&b, s, "invented");
	assert_non_null(strstr(buffer_text(&b), "tlb2.entries = 12\n"));
	assert_non_null(strstr(buffer_text(&b), "tlb2.ways = 12\n"));
	assert_true(list.at[0].branch_penalty >= 19);
	assert_true(list.at[0].memory_bytes > 0);
	buffer_free(&b);
	arena_free(&a);
	free(s);
}

/* Each finding has a row, and both curves are there, of finite numbers. */
TEST(the_page_of_a_core_has_all_findings)
{
	struct structures *s = calloc(1, sizeof(*s));
	struct buffer b = { 0 };
	struct arena a = { 0 };
	const char *at, *text;
	size_t rows = 0, pictures = 0;

	find_whole((struct whole){ .random = 2 }, &a, s);
	structures_html(&b, s);
	text = buffer_text(&b);
	for (at = text; (at = strstr(at, "<tr><td><code>")); at++)
		rows++;
	for (at = text; (at = strstr(at, "<svg")); at++)
		pictures++;
	assert_int_equal(rows, s->n);
	assert_int_equal(pictures, 2);
	assert_non_null(strstr(text, "not known"));
	assert_non_null(strstr(text, " or more"));
	assert_null(strstr(text, "nan"));
	buffer_free(&b);
	arena_free(&a);
	free(s);
}

TEST(an_edge_is_no_level)
{
	struct structures *s = calloc(1, sizeof(*s));
	struct arena a = { 0 };

	find_whole((struct whole){ .random = 3, .edge = true }, &a, s);
	assert_int_equal(s->levels.n, 3);
	assert_int_equal(s->levels.level[1].bytes, 512 << 10);
	assert_int_equal(s->levels.level[2].bytes, 8 << 20);
	arena_free(&a);
	free(s);
}

TEST(a_core_without_caches_shows_reasons)
{
	struct structures *s = calloc(1, sizeof(*s));
	struct arena a = { 0 };

	find_whole((struct whole){ .random = 4, .silent = true }, &a, s);
	assert_int_equal(s->n, 39);
	for (size_t i = 0; i < s->n; i++) {
		const struct core_finding *x = &s->list[i];

		assert_false(x->known);
		assert_non_null(x->reason);
	}
	arena_free(&a);
	free(s);
}

TEST(searches_that_differ_give_no_number)
{
	struct structures *s = calloc(1, sizeof(*s));
	struct arena a = { 0 };
	const struct core_finding *x;

	find_whole((struct whole){ .random = 5, .moody = true }, &a, s);
	x = finding(s, "branch.calls");
	assert_false(x->known);
	assert_string_equal(x->reason, "one search found 16, the next one 32");
	assert_true(finding(s, "branch.loop")->known);
	arena_free(&a);
	free(s);
}

TEST(queues_need_a_window)
{
	struct structures *s = calloc(1, sizeof(*s));
	struct arena a = { 0 };

	find_whole((struct whole){ .random = 6, .window = WINDOW_SILENT }, &a,
		   s);
	assert_string_equal(finding(s, "queue.stores")->reason, "needs window");
	assert_false(finding(s, "registers.integer")->known);
	/* It holds more than the others need. */
	find_whole((struct whole){ .random = 7, .window = WINDOW_ENDLESS }, &a,
		   s);
	assert_false(finding(s, "window")->known);
	assert_true(finding(s, "registers.integer")->known);
	arena_free(&a);
	free(s);
}

/* A difference whose interval has zero is none. */
TEST(a_level_that_costs_no_more_has_no_fill)
{
	struct structures *s = calloc(1, sizeof(*s));
	struct arena a = { 0 };

	find_whole((struct whole){ .random = 2 }, &a, s);
	assert_true(finding(s, "l1.fill")->known);
	find_whole((struct whole){ .random = 2, .near = true }, &a, s);
	assert_false(finding(s, "l1.fill")->known);
	assert_false(finding(s, "l1.write")->known);
	arena_free(&a);
	free(s);
}

/* 12 lines in flight, each for 60 cycles of a walk and 14 of a load, are 6.2 cycles
 * apart. */
TEST(walks_that_lines_in_flight_limit_have_no_interval)
{
	struct structures *s = calloc(1, sizeof(*s));
	struct arena a = { 0 };

	find_whole((struct whole){ .random = 9 }, &a, s);
	assert_true(finding(s, "page.interval")->known);
	find_whole((struct whole){ .random = 9, .hidden = true }, &a, s);
	assert_false(finding(s, "page.interval")->known);
	assert_non_null(strstr(finding(s, "page.interval")->reason,
			       "or fewer: the lines in flight"));
	arena_free(&a);
	free(s);
}

/* What the core lacks is unknown, and limits nothing else. */
TEST(a_core_without_vectors_and_flags_has_other_queues)
{
	static const char *const none[] = { "registers.flags",
					    "registers.vector",
					    "scheduler.vector",
					    "forward.vector" };
	struct structures *s = calloc(1, sizeof(*s));
	struct arena a = { 0 };

	find_whole((struct whole){ .random = 10, .simple = true }, &a, s);
	for (size_t i = 0; i < ARRAY_LEN(none); i++)
		assert_false(finding(s, none[i])->known);
	assert_string_equal(finding(s, "registers.flags")->reason, "no flags");
	assert_true(finding(s, "scheduler.integer")->known);
	assert_true(finding(s, "forward.two_stores")->known);
	arena_free(&a);
	free(s);
}

/* The larger window is a bound, as is all that was found with the smaller one. */
TEST(a_window_that_changes_is_a_bound)
{
	struct structures *s = calloc(1, sizeof(*s));
	struct arena a = { 0 };
	const struct core_finding *x;

	find_whole((struct whole){ .random = 11, .shared = true }, &a, s);
	x = finding(s, "window");
	assert_false(x->known);
	assert_true(x->at_least);
	assert_true(x->low >= 186 && x->low <= 200);
	assert_non_null(strstr(x->reason, "another thread of the core"));
	x = finding(s, "scheduler.integer");
	assert_true(x->at_least && x->low >= 36 && x->low <= 40);
	arena_free(&a);
	free(s);
}

/* Two thirds of 200 instructions need more than the 120 registers. */
TEST(a_window_that_registers_may_end_is_a_bound)
{
	struct structures *s = calloc(1, sizeof(*s));
	struct arena a = { 0 };
	const struct core_finding *x;

	find_whole((struct whole){ .random = 13, .one_file = true }, &a, s);
	x = finding(s, "window");
	assert_true(!x->known && x->at_least && x->low >= 186);
	assert_non_null(strstr(x->reason, "registers.integer may be full"));
	assert_true(finding(s, "registers.integer")->known);
	arena_free(&a);
	free(s);
}

TEST(a_disturbed_first_pair_hides_no_queue)
{
	struct structures *s = calloc(1, sizeof(*s));
	struct arena a = { 0 };
	const struct core_finding *x;

	find_whole((struct whole){ .random = 14, .slow_first = true }, &a, s);
	x = finding(s, "window");
	assert_true(x->known && x->low <= 200 && x->high >= 200);
	assert_true(finding(s, "queue.stores")->known);
	arena_free(&a);
	free(s);
}

/* Of the step that it disturbed alone. */
TEST(another_thread_of_the_core_makes_findings_noisy)
{
	struct structures *s = calloc(1, sizeof(*s));
	struct buffer b = { 0 };
	struct arena a = { 0 };

	find_whole((struct whole){ .random = 12, .busy = true }, &a, s);
	assert_true(finding(s, "branch.calls")->known);
	assert_true(finding(s, "branch.calls")->noisy);
	assert_false(finding(s, "window")->noisy);
	assert_false(finding(s, "l1.size")->noisy);
	structures_file(&b, s, "invented");
	assert_part(buffer_text(&b), "another thread of the core");
	find_whole((struct whole){ .random = 12 }, &a, s);
	assert_false(finding(s, "branch.calls")->noisy);
	buffer_free(&b);
	arena_free(&a);
	free(s);
}

TEST(memory_is_no_second_level)
{
	struct structures *s = calloc(1, sizeof(*s));
	struct arena a = { 0 };

	find_whole((struct whole){ .random = 8, .small = true }, &a, s);
	assert_int_equal(s->levels.n, 1);
	assert_false(finding(s, "l1.fill")->known);
	assert_false(finding(s, "l1.write")->known);
	assert_true(finding(s, "memory.bandwidth")->known);
	arena_free(&a);
	free(s);
}
