/* Loads of what was just stored, and of what only seems so; probe_queues.c has the
 * methods. */
#include <math.h>

#include "host/structures/finder.h"

static const struct {
	const char *key, *reason;
	enum probe_kind kind;
	enum probe_forward n;
} forwards[] = {
	{ "forward.latency",
	  "a chain through memory: a store of 8 bytes, and a load of them",
	  PROBE_FORWARD, FORWARD_SAME },
	{ "forward.low_half",
	  "a chain through a store of 8 bytes, and a load of the lower 4",
	  PROBE_FORWARD, FORWARD_LOW },
	{ "forward.high_half",
	  "a chain through a store of 8 bytes, and a load of the upper 4",
	  PROBE_FORWARD, FORWARD_HIGH },
	{ "forward.shifted",
	  "a chain through a store of 8 bytes, and a load of the upper 4 and 4 "
	  "behind them",
	  PROBE_FORWARD, FORWARD_SHIFTED },
	{ "forward.two_stores",
	  "a chain through two stores of 8 bytes, and a load of 4 of each",
	  PROBE_FORWARD, FORWARD_TWO },
	{ "forward.half", "a chain through a store and a load of 4 bytes",
	  PROBE_FORWARD, FORWARD_HALF },
	{ "forward.narrow",
	  "a chain through a store of 4 bytes, and a load of 8", PROBE_FORWARD,
	  FORWARD_NARROW },
	{ "forward.vector",
	  "a chain through a store and a load of a vector, the widest up to 32 "
	  "bytes",
	  PROBE_FORWARD_VECTOR, FORWARD_SAME },
	{ "forward.line",
	  "a chain through a store and a load of 8 bytes in two lines",
	  PROBE_FORWARD, FORWARD_LINE },
	{ "forward.page",
	  "a chain through a store and a load of 8 bytes in two pages of 4,096",
	  PROBE_FORWARD, FORWARD_PAGE },
};
enum { FORWARDS = ARRAY_LEN(forwards) };

static void add_cycles(struct core_finder *f, const char *key,
		       enum probe_kind kind, const struct probe_value *v,
		       const char *reason)
{
	const char *no = f->ret->levels.n > 0
				 ? NULL
				 : "no set took longer than another, "
				   "so the clock may be that of an "
				   "emulator";

	finder_add(f,
		   (struct core_finding){
			   .key = key,
			   .unit = FINDING_CYCLES,
			   .known = v->known && !no,
			   .label = v->label,
			   .value = v->cycles,
			   .low = v->low,
			   .high = v->high,
			   .reason = no         ? no
				     : v->known ? reason
						: finder_no_answer(f, kind) });
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
enum { DRAINS = ARRAY_LEN(drains), PROBES = FORWARDS + ALIASES + 1 + DRAINS };

static void list_probes(const struct core_finder *f,
			struct core_probe list[PROBES])
{
	uint32_t line = levels_line(&f->ret->levels);

	static const struct chain one = { .places = 1, .step = 64 };

	for (uint32_t i = 0; i < FORWARDS; i++)
		list[i] = (struct core_probe){ .kind = forwards[i].kind,
					       .n = forwards[i].n };
	for (uint32_t i = 0; i <= ALIASES; i++)
		list[FORWARDS + i] = (struct core_probe){
			.kind = PROBE_ALIAS,
			.chain = one,
			.n = i < ALIASES ? aliases[i].less : OTHER,
		};
	for (uint32_t i = 0; i < DRAINS; i++)
		list[FORWARDS + ALIASES + 1 + i] = (struct core_probe){
			.kind = PROBE_DRAIN,
			.n = drains[i].step == LINE ? line : drains[i].step
		};
}

bool forward_find(struct core_finder *f)
{
	struct core_probe list[PROBES];
	struct probe_value v[PROBES];
	const struct probe_value *near = &v[FORWARDS], *other = near + ALIASES;

	finder_say(f, "forwarded stores");
	list_probes(f, list);
	if (!finder_ask(f, list, PROBES, v))
		return false;
	for (size_t i = 0; i < FORWARDS; i++)
		add_cycles(f, forwards[i].key, forwards[i].kind, &v[i],
			   forwards[i].reason);
	for (size_t i = 0; i < ALIASES; i++) {
		const struct probe_value more = {
			.known = near[i].known && other->known,
			.label = near[i].label,
			.cycles = fmax(0, near[i].cycles - other->cycles),
			.low = fmax(0, near[i].low - other->high),
			.high = fmax(0, near[i].high - other->low),
		};

		add_cycles(f, aliases[i].key, PROBE_ALIAS, &more,
			   aliases[i].reason);
	}
	for (size_t i = 0; i < DRAINS; i++)
		add_cycles(f, drains[i].key, PROBE_DRAIN, &other[1 + i],
			   drains[i].reason);
	return true;
}
