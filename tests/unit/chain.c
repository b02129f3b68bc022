/* Cycles of pointers: each goes through all of its places once, group by group. */
#include "common/chain.h"
#include "tests/unit/unit.h"

static const struct chain chains[] = {
	{ .places = 1, .step = 64 },
	{ .places = 2, .step = 8 },
	{ .places = 1000, .step = 64 },
	{ .places = 1000, .step = 64, .group = 1000 },
	{ .places = 1000, .step = 64, .group = 128 },
	{ .places = 3000, .step = 64, .group = 1 },
	{ .places = 100, .step = 64, .group = 2000 },
	{ .places = 501, .step = 16, .stride = 512, .per = 2, .group = 2 },
	{ .places = 77, .step = 64, .stride = 4096, .per = 7 },
	{ .places = 65, .step = 4160 },
};

static uint32_t place_of(const struct chain *c, uint64_t at)
{
	for (uint32_t i = 0; i < c->places; i++)
		if (chain_place(c, i) == at)
			return i;
	fail_msg("%llu is no place", (unsigned long long)at);
	return 0;
}

TEST(a_chain_is_one_cycle)
{
	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(chains); k++) {
		const struct chain *c = &chains[k];
		uint64_t bytes = chain_bytes(c);
		uint64_t *words = calloc(bytes / 8 + 1, 8);
		bool *seen = calloc(c->places, sizeof(*seen));
		uint64_t at = chain_place(c, 0);
		uint32_t n_changes = 0, group = c->group ? c->group : c->places;

		assert_true(chain_fits(c, bytes));
		assert_false(chain_fits(c, bytes - 1));
		chain_fill(c, words, 0);
		assert_true(words[0] == at);
		for (uint32_t i = 0; i < c->places; i++) {
			uint32_t here = place_of(c, at), next;

			assert_false(seen[here]);
			seen[here] = true;
			at = words[at / 8];
			next = place_of(c, at);
			n_changes += here / group != next / group;
		}
		assert_true(at == chain_place(c, 0));
		/* One change into each group, one more into a short one. */
		assert_true(n_changes <= c->places / group + 2);
		free(words);
		free(seen);
	}
}

TEST(impossible_chains_are_refused)
{
	static const struct chain bad[] = {
		{ .places = 0, .step = 64 },
		{ .places = 10, .step = 0 },
		{ .places = 10, .step = 12 },
		{ .places = UINT32_MAX, .step = 8 },
		{ .places = 10, .step = 64, .stride = 64, .per = 2 },
		{ .places = 10, .step = 64, .stride = 132, .per = 2 },
		{ .places = 1 << 20, .step = 1 << 30 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_false(chain_fits(&bad[i], 256 << 20));
}
