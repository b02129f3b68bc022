/* Loads of what was just stored, and of what only seems so; probe_queues.c has the
 * methods. */
#include <math.h>

#include "host/structures/finder.h"

static const char *const keys[FORWARD_N] = {
	[FORWARD_SAME] = "forward.latency",
	[FORWARD_LOW] = "forward.low_half",
	[FORWARD_HIGH] = "forward.high_half",
	[FORWARD_SHIFTED] = "forward.shifted",
	[FORWARD_TWO] = "forward.two_stores",
	[FORWARD_HALF] = "forward.half",
	[FORWARD_NARROW] = "forward.narrow",
	[FORWARD_VECTOR] = "forward.vector",
	[FORWARD_LINE] = "forward.line",
	[FORWARD_PAGE] = "forward.page",
};

static const char *const reasons[FORWARD_N] = {
	[FORWARD_SAME] = "a chain through memory: a store of 8 bytes, and a "
			 "load of them",
	[FORWARD_LOW] = "a chain through a store of 8 bytes, and a load of the "
			"lower 4",
	[FORWARD_HIGH] =
		"a chain through a store of 8 bytes, and a load of the "
		"upper 4",
	[FORWARD_SHIFTED] = "a chain through a store of 8 bytes, and a load of "
			    "the upper 4 and 4 behind them",
	[FORWARD_TWO] = "a chain through two stores of 8 bytes, and a load of "
			"4 of each",
	[FORWARD_HALF] = "a chain through a store and a load of 4 bytes",
	[FORWARD_NARROW] =
		"a chain through a store of 4 bytes, and a load of 8",
	[FORWARD_VECTOR] =
		"a chain through a store and a load of a vector, the "
		"widest up to 32 bytes",
	[FORWARD_LINE] = "a chain through a store and a load of 8 bytes in two "
			 "lines",
	[FORWARD_PAGE] = "a chain through a store and a load of 8 bytes in two "
			 "pages of 4,096",
};

static void add_cycles(struct core_finder *f, const char *key,
		       const struct probe_value *v, const char *reason)
{
	const char *no = f->ret->levels.n > 0
				 ? NULL
				 : "no set took longer than another, "
				   "so the clock may be that of an "
				   "emulator";

	finder_add(f,
		   (struct core_finding){ .key = key,
					  .unit = FINDING_CYCLES,
					  .known = v->known && !no,
					  .label = v->label,
					  .value = v->cycles,
					  .low = v->low,
					  .high = v->high,
					  .reason = no         ? no
						    : v->known ? reason
							       : "no answer" });
}

/* What a load takes longer if a store before it is 4,096 bytes away, less so many:
 * the same place in the page, or one that overlaps it; or another place. */
static const struct {
	const char *key, *reason;
	uint32_t less;
} aliases[] = {
	{ "alias.4096",
	  "what a load takes longer if a store before it is 4,096 bytes away",
	  0 },
	{ "alias.partial",
	  "what a load takes longer if a store before it is 4,092 bytes "
	  "away: 4 of its 8 bytes overlap",
	  4 },
	{ "alias.next",
	  "what a load takes longer if a store before it is 4,088 bytes "
	  "away: none overlaps",
	  8 },
};
enum { ALIASES = ARRAY_LEN(aliases), OTHER = 1024 };

/* So many bytes from one store to the next; of LINE those of a line. */
enum { LINE = 1 };
static const struct {
	const char *key, *reason;
	uint32_t step;
} drains[] = {
	{ "drain.same", "a store in a row of them, all of the same 8 bytes",
	  0 },
	{ "drain.line", "a store in a row of them, each of the next 8 bytes",
	  8 },
	{ "drain.lines",
	  "a store in a row of them, each into the next line of 2 KB", LINE },
};
enum { DRAINS = ARRAY_LEN(drains), PROBES = FORWARD_N + ALIASES + 1 + DRAINS };

static void list_probes(const struct core_finder *f,
			struct core_probe list[PROBES])
{
	uint32_t line = levels_line(&f->ret->levels);

	static const struct chain one = { .places = 1, .step = 64 };

	for (uint32_t i = 0; i < FORWARD_N; i++)
		list[i] = (struct core_probe){ .kind = PROBE_FORWARD, .n = i };
	for (uint32_t i = 0; i <= ALIASES; i++)
		list[FORWARD_N + i] = (struct core_probe){
			.kind = PROBE_ALIAS,
			.chain = one,
			.n = i < ALIASES ? aliases[i].less : OTHER,
		};
	for (uint32_t i = 0; i < DRAINS; i++)
		list[FORWARD_N + ALIASES + 1 + i] = (struct core_probe){
			.kind = PROBE_DRAIN,
			.n = drains[i].step == LINE ? line : drains[i].step
		};
}

bool forward_find(struct core_finder *f)
{
	struct core_probe list[PROBES];
	struct probe_value v[PROBES];
	const struct probe_value *near = &v[FORWARD_N], *other = near + ALIASES;

	finder_say(f, "forwarded stores");
	list_probes(f, list);
	/* A core without vectors forwards none: its place has another probe. */
	if (!finder_has(f, PROBE_VECTORS))
		list[FORWARD_VECTOR].n = FORWARD_SAME;
	if (!finder_ask(f, list, PROBES, v))
		return false;
	if (!finder_has(f, PROBE_VECTORS))
		v[FORWARD_VECTOR].known = false;
	for (size_t i = 0; i < FORWARD_N; i++)
		add_cycles(f, keys[i], &v[i], reasons[i]);
	for (size_t i = 0; i < ALIASES; i++) {
		const struct probe_value more = {
			.known = near[i].known && other->known,
			.label = near[i].label,
			.cycles = fmax(0, near[i].cycles - other->cycles),
			.low = fmax(0, near[i].low - other->high),
			.high = fmax(0, near[i].high - other->low),
		};

		add_cycles(f, aliases[i].key, &more, aliases[i].reason);
	}
	for (size_t i = 0; i < DRAINS; i++)
		add_cycles(f, drains[i].key, &other[1 + i], drains[i].reason);
	return true;
}
