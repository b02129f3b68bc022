/* The least value of a key in the environments of earlier runs. */
#include "store_scratch.h"

EACH(set_up, tear_down);

static int64_t run_of(struct scratch *t, const char *date, const char *tool,
		      const char *value)
{
	int64_t run = new_run_of(t, tool, date);

	ok(t, store_env(t->s, run, "probe", value, &t->err));
	return run;
}

static void least_is(struct scratch *t, int64_t run, const char *value)
{
	char text[40];

	ok(t, store_env_least(t->s, run, "probe", text, sizeof(text), &t->err));
	assert_string_equal(text, value);
}

/* A run does not start from what it or a later one has found, so that it can be
 * repeated. */
TEST_ON(only_earlier_runs_count, struct scratch *t)
{
	int64_t later = run_of(t, "2026-01-03T00:00:00Z", "0.1", "22 90");
	int64_t first = run_of(t, "2026-01-01T00:00:00Z", "0.1", "24.8 82");
	int64_t mine = run_of(t, "2026-01-02T00:00:00Z", "0.1", "9.5 81");

	(void)run_of(t, "2026-01-01T00:00:00Z", "0.0", "3 80");
	least_is(t, first, "");
	least_is(t, mine, "24.8 82");
	least_is(t, later, "9.5 81");
}
