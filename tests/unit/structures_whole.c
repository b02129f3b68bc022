/* All structures of an invented core, the file of caches and the page that are
 * written of them. */
#include "tests/unit/structures_core.h"

#include "host/cache/caches.h"
#include "host/site/structures.h"

TEST(all_of_a_core_is_found_in_its_intervals)
{
	static const struct {
		const char *key;
		double value, off;
	} all[] = {
		{ "l1.size", 32 << 10, 0 },
		{ "l1.line", 64, 0 },
		{ "l1.latency", 4, 0.1 },
		{ "l2.size", 512 << 10, 0 },
		{ "l3.size", 8 << 20, 0 },
		{ "l1.mshr", 12, 1 },
		{ "memory.latency", 300, 6 },
		{ "tlb1.entries", 64, 2 },
		{ "tlb2.entries", 1024, 20 },
		{ "tlb2.latency", 7, 1 },
		{ "page.walk", 60, 2 },
		{ "branch.penalty", 20, 1 },
		{ "branch.history", 161, 0 },
		{ "branch.loop", 30, 0 },
		{ "branch.patterns", 566e2, 1e3 },
		{ "branch.calls", 16, 0 },
		{ "branch.targets", 512, 40 },
		{ "branch.indirect", 100, 3 },
		{ "window", 200, 14 },
		{ "registers.integer", 120, 4 },
		{ "queue.loads", 70, 4 },
		{ "queue.stores", 50, 4 },
		{ "scheduler.integer", 40, 4 },
		{ "forward.two_stores", 15, 1 },
		{ "alias.4096", 5, 0.2 },
		{ "alias.partial", 2, 0.2 },
		{ "alias.next", 0, 0.1 },
		{ "drain.same", 1, 0.1 },
		{ "drain.line", 1, 0.1 },
		{ "drain.lines", 2, 0.1 },
		{ "registers.flags", 90, 4 },
		{ "scheduler.vector", 30, 4 },
		{ "forward.half", 5, 0.1 },
		{ "forward.narrow", 13, 0.2 },
		{ "forward.vector", 7, 0.1 },
		{ "forward.line", 9, 0.1 },
		{ "forward.page", 11, 0.2 },
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
	assert_false(finding(s, "tlb1.fill")->known);
	assert_true(finding(s, "tlb1.fill")->at_least &&
		    finding(s, "tlb1.fill")->low >= 0.45);
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
	assert_true(list.at[0].core.patterns >= 55000 &&
		    list.at[0].core.patterns <= 58000);
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
	const struct claim like = { .board = "", .isa = "" };
	struct view_claims claims;
	size_t rows = 0, pictures = 0;

	find_whole((struct whole){ .random = 2 }, &a, s);
	claims = structures_claims(&a, s, &like);
	site_structures_page(&b, &claims);
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
