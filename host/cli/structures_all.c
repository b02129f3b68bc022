/* Bandwidth by all cores at once, which `node` measures, as findings. */
#include "host/cli/structures.h"

#include <string.h>

#include "host/node/node.h"

static void add_all(struct campaign *c, struct structures *s, const char *level,
		    const char *why, const struct node_result *r,
		    uint64_t bytes)
{
	struct node_value v = { .value = 0 };
	struct core_finding x = { .unit = FINDING_RATE, .reason = why };
	bool memory = bytes == 0;

	if (s->n == STRUCTURES_MOST)
		return;
	x.key = memory ? "memory.bandwidth.all"
		       : arena_printf(&c->arena, "l%s.bandwidth.all",
				      level + 1);
	if (!why)
		x.reason = node_loads_of_all(r, level, bytes, &v);
	/* It may be a text of the row. */
	if (x.reason)
		x.reason = arena_strdup(&c->arena, x.reason);
	x.known = x.reason == NULL;
	x.noisy = x.known && !v.steady;
	if (x.known)
		x.reason = arena_printf(
			&c->arena,
			"%zu cores load at once, each an array of its own, "
			"with the widest registers: their sum, in a cycle of "
			"one core%s",
			r->n_cores,
			x.noisy ? "; noisy: the best rate was reached only "
				  "once, so this is the median"
				: "");
	x.value = v.value;
	x.low = v.low;
	x.high = v.high;
	s->list[s->n++] = x;
}

/* "48K,1024K": what was found. */
static const char *list_levels(struct arena *a, const struct structures *s)
{
	const char *list = "";

	for (size_t i = 0; i < s->levels.n; i++)
		list = arena_printf(
			a, "%s%s%lluK", list, i ? "," : "",
			(unsigned long long)s->levels.level[i].bytes >> 10);
	return list;
}

/* Half of the largest set, a power of two; each core has one. */
static uint64_t memory_bytes(const struct structures *s)
{
	uint64_t most = 1, n = s->levels.n_points;

	while (n > 0 && 4 * most <= s->levels.points[n - 1].bytes)
		most *= 2;
	return most;
}

int structures_add_all(const struct campaign_request *q, struct campaign *c,
		       struct structures *s, struct err *e)
{
	enum { MS = 300 };
	const struct node_request n = { .campaign = q,
					.root = "",
					.levels = list_levels(&c->arena, s),
					.memory = memory_bytes(s),
					.ms = MS,
					.loads_of_all = true };
	struct err failed = { .code = ERR_OK };
	struct campaign other = { .request = NULL };
	struct node_result r = { .n = 0 };
	const char *why = NULL;

	if (s->levels.n == 0)
		why = "needs l1.size";
	else if (!campaign_is_here(c))
		why = "needs a process on each core";
	else if (campaign_start(q, &other, &failed) != ERR_OK ||
		 node_run(&n, &other, &r, &failed) != ERR_OK)
		why = arena_strdup(&c->arena, failed.message);
	for (size_t i = 0; i < s->levels.n; i++)
		add_all(c, s, arena_printf(&c->arena, "L%zu", i + 1), why, &r,
			s->levels.level[i].bytes);
	if (!s->levels.no_memory)
		add_all(c, s, "memory", why, &r, 0);
	campaign_close(&other);
	return failed.code == ERR_INTERRUPTED
		       ? err_set(e, ERR_INTERRUPTED, "%s", failed.message)
		       : ERR_OK;
}
