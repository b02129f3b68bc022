/* All findings, in the order in which one needs another; see structures.h. */
#include "host/structures/finder.h"

#include <math.h>
#include <string.h>

enum {
	LINE = 64,   /* bytes between the places of chases */
	NEAR = 1024, /* bytes of a set that every first level holds */
};

/* ---- caches ------------------------------------------------------------------- */

static void add_size(struct core_finder *f, size_t i)
{
	const struct level_found *l = &f->ret->levels.level[i];
	const char *edge =
		l->gone_bytes > l->high_bytes * 3 / 2 || l->gone_bytes == 0
			? "; no sharp edge: others use the level, its sets are "
			  "chosen by physical addresses, or it keeps other "
			  "lines than the last ones used"
			: "";

	finder_add(
		f,
		(struct core_finding){
			.key = finder_key(f, i, "size"),
			.in_file = true,
			.unit = FINDING_BYTES,
			.known = true,
			.value = (double)l->bytes,
			.low = (double)l->low_bytes,
			.high = (double)l->high_bytes,
			.reason = arena_printf(
				f->q->a,
				"the last size whose chase takes as long as in "
				"smaller sets, and the first that takes "
				"longer%s",
				edge) });
}

static void add_level(struct core_finder *f, size_t i)
{
	const struct levels_found *v = &f->ret->levels;
	const struct level_found *l = &v->level[i];

	add_size(f, i);
	finder_add(f, (struct core_finding){
			      .key = finder_key(f, i, "line"),
			      .in_file = true,
			      .unit = FINDING_BYTES,
			      .known = i == 0 && v->line != 0,
			      .value = v->line,
			      .low = v->line,
			      .high = v->line,
			      .reason = i > 0     ? "not measured"
					: v->line ? "loads nearer to each "
						    "other miss together"
						  : v->no_line });
	finder_add(f,
		   (struct core_finding){
			   .key = finder_key(f, i, "ways"),
			   .in_file = true,
			   .unit = FINDING_COUNT,
			   .known = l->ways != 0,
			   .value = l->ways,
			   .low = l->ways,
			   .high = l->ways,
			   .reason = l->ways ? "so many columns of lines, the "
					       "level's size apart, fit"
					     : l->no_ways });
	finder_add(f, (struct core_finding){
			      .key = finder_key(f, i, "latency"),
			      .in_file = true,
			      .unit = FINDING_CYCLES,
			      .known = true,
			      .value = (l->low_cycles + l->high_cycles) / 2,
			      .low = l->low_cycles,
			      .high = l->high_cycles,
			      .reason = "a chase of pointers in sets that "
					"only this level holds" });
}

static bool find_caches(struct core_finder *f)
{
	struct levels_found *v = &f->ret->levels;

	finder_say(f, "caches");
	if (chases_find(f->q->a, f->q->oracle, v, f->e) != ERR_OK)
		return false;
	for (size_t i = 0; i < v->n; i++)
		add_level(f, i);
	if (v->n == 0)
		finder_add(
			f,
			(struct core_finding){
				.key = "l1.size",
				.unit = FINDING_BYTES,
				.reason = v->n_points == 0
						  ? "no answer"
						  : "loads took as long in all "
						    "sets: an emulator, no "
						    "cache, or more than the "
						    "memory" });
	finder_add(f, (struct core_finding){
			      .key = "memory.latency",
			      .in_file = true,
			      .unit = FINDING_CYCLES,
			      .known = !v->no_memory,
			      .value = (v->memory_low + v->memory_high) / 2,
			      .low = v->memory_low,
			      .high = v->memory_high,
			      .reason = v->no_memory ? v->no_memory
						     : "a chase of pointers in "
						       "sets that no level "
						       "holds" });
	return true;
}

/* ---- lines in flight ---------------------------------------------------------- */

static bool find_parallel(struct core_finder *f)
{
	static const uint32_t sides[] = { 1, 4, 8, 12, 16, 24, 32, 48, 64 };
	enum { N = sizeof(sides) / sizeof(*sides) };
	const struct levels_found *v = &f->ret->levels;
	struct core_probe list[N];
	struct probe_value values[N];
	struct core_finding x = { .key = "l1.mshr",
				  .in_file = true,
				  .unit = FINDING_COUNT,
				  .reason = "no set is beyond all levels" };
	double most = 0;
	uint32_t at = 0;

	if (v->no_memory) {
		finder_add(f, x);
		return true;
	}
	finder_say(f, "lines in flight");
	for (size_t i = 0; i < N; i++) {
		list[i] = chases_probe(v->points[v->n_points - 1].bytes, LINE);
		list[i].kind = PROBE_PARALLEL;
		list[i].n = sides[i];
	}
	if (!finder_ask(f, list, N, values))
		return false;
	for (size_t i = 1; values[0].known && i < N; i++) {
		double flight = values[i].known
					? values[0].cycles / values[i].cycles
					: 0;

		if (flight <= most)
			continue;
		most = flight;
		at = sides[i];
	}
	x.known = most > 0;
	x.value = round(most);
	x.low = floor(most);
	x.high = ceil(most);
	x.reason = x.known ? arena_printf(f->q->a,
					  "%u chases side by side, in memory, "
					  "take so many times less for each "
					  "load than one",
					  (unsigned)at)
			   : "no answer";
	finder_add(f, x);
	return true;
}

/* ---- pages -------------------------------------------------------------------- */

static void add_buffers(struct core_finder *f, size_t i)
{
	const struct pages_found *p = &f->ret->pages;

	finder_add(
		f,
		(struct core_finding){
			.key = arena_printf(f->q->a, "tlb%u.entries",
					    (unsigned)i + 1),
			.in_file = !p->no_walk,
			.unit = FINDING_COUNT,
			.known = true,
			.value = p->level[i].low,
			.low = p->level[i].low,
			.high = p->level[i].high,
			.reason =
				"the last number of pages whose lines take as "
				"long as those of fewer, and the first that "
				"takes longer" });
	if (i > 0)
		finder_add(
			f,
			(struct core_finding){
				.key = arena_printf(f->q->a, "tlb%u.latency",
						    (unsigned)i + 1),
				.in_file = !p->no_walk,
				.unit = FINDING_CYCLES,
				.known = true,
				.value = p->level[i].cycles,
				.low = p->level[i].cycles,
				.high = p->level[i].cycles,
				.reason = "a line in a page of its own, less a "
					  "line among others" });
}

static bool find_pages(struct core_finder *f)
{
	struct pages_found *p = &f->ret->pages;

	finder_say(f, "pages");
	if (pages_find(f->q->a, f->q->oracle, &f->ret->levels, p, f->e) !=
	    ERR_OK)
		return false;
	for (size_t i = 0; i < p->n; i++)
		add_buffers(f, i);
	for (size_t i = p->n; i < PAGES_LEVELS; i++)
		finder_add(f,
			   (struct core_finding){
				   .key = arena_printf(f->q->a, "tlb%u.entries",
						       (unsigned)i + 1),
				   .unit = FINDING_COUNT,
				   .reason = p->n ? p->no_walk : p->reason });
	if (p->n == 0) {
		finder_add(f, (struct core_finding){ .key = "page.walk",
						     .unit = FINDING_CYCLES,
						     .reason = p->reason });
		return true;
	}
	finder_add(f, (struct core_finding){
			      .key = "page.size",
			      .in_file = !p->no_walk,
			      .unit = FINDING_BYTES,
			      .known = true,
			      .value = p->page_bytes,
			      .low = p->page_bytes,
			      .high = p->page_bytes,
			      .reason = "the pages that were used" });
	finder_add(f,
		   (struct core_finding){
			   .key = "page.walk",
			   .in_file = true,
			   .unit = FINDING_CYCLES,
			   .known = !p->no_walk,
			   .value = (p->walk_low + p->walk_high) / 2,
			   .low = p->walk_low,
			   .high = p->walk_high,
			   .reason = p->no_walk ? p->no_walk
						: "what a line in a page of "
						  "its own takes longer, when "
						  "no level has room for the "
						  "pages" });
	return true;
}

/* ---- jumps and the window ------------------------------------------------------ */

static bool find_jumps(struct core_finder *f)
{
	const struct core_probe list[] = { { .kind = PROBE_JUMPS },
					   { .kind = PROBE_KNOWN } };
	struct probe_value v[2];
	struct core_finding x = { .key = "branch.penalty",
				  .in_file = true,
				  .unit = FINDING_CYCLES };

	finder_say(f, "mispredicted jumps");
	if (!finder_ask(f, list, 2, v))
		return false;
	x.known = v[0].known && v[1].known;
	/* Half of the random ones go as predicted. */
	x.value = 2 * (v[0].cycles - v[1].cycles);
	x.low = 2 * (v[0].low - v[1].high);
	x.high = 2 * (v[0].high - v[1].low);
	x.reason = "jumps by random bits, less jumps that are always taken; "
		   "half of the random ones go as predicted";
	if (!x.known)
		x.reason = "no answer";
	else if (x.value < 1) {
		x.known = false;
		x.reason = "random jumps cost no more than others: an "
			   "emulator, or nothing is predicted";
	}
	finder_add(f, x);
	return true;
}

enum { WINDOWS = 14 };

/* Between which numbers of instructions the loads begin to wait, or why that is
 * not known.  `near`: the same with loads that hit. */
static void judge_window(struct core_finding *x, const struct core_probe *list,
			 const struct probe_value *far,
			 const struct probe_value *near)
{
	uint32_t low = 0, high = 0;

	x->reason = "no answer";
	for (uint32_t i = 0; far[0].known && high == 0 && i < WINDOWS; i++) {
		if (!far[i].known || !near[i].known)
			continue;
		if (near[i].cycles > far[0].cycles) {
			x->reason = "the instructions alone take as long as a "
				    "load of memory";
			return;
		}
		if (far[i].cycles > 1.5 * far[0].cycles) {
			high = list[i].n;
			continue;
		}
		low = list[i].n;
		x->reason = "loads of memory never waited for each other";
	}
	if (low == 0 || high == 0)
		return;
	x->known = true;
	x->value = (low + high) / 2.0;
	x->low = low;
	x->high = high;
	x->reason = "two loads of memory wait for each other behind as many "
		    "instructions";
}

/* A load that misses all caches, n instructions, and another one: they take as long
 * as one of them, if all are in flight at once. */
static bool find_window(struct core_finder *f)
{
	enum { STEP = 64, LEAST = 32 };
	const struct levels_found *v = &f->ret->levels;
	struct core_probe list[2 * WINDOWS];
	struct probe_value values[2 * WINDOWS];
	struct core_finding x = { .key = "window",
				  .unit = FINDING_COUNT,
				  .reason = "no set is beyond all levels" };

	if (v->no_memory) {
		finder_add(f, x);
		return true;
	}
	finder_say(f, "instructions in flight");
	for (uint32_t i = 0; i < 2 * WINDOWS; i++) {
		uint64_t bytes =
			i < WINDOWS ? v->points[v->n_points - 1].bytes : NEAR;

		list[i] = chases_probe(bytes, LINE);
		list[i].kind = PROBE_WINDOW;
		list[i].n = LEAST + i % WINDOWS * STEP;
	}
	if (!finder_ask(f, list, 2 * WINDOWS, values))
		return false;
	judge_window(&x, list, values, values + WINDOWS);
	finder_add(f, x);
	return true;
}

int structures_find(const struct structures_request *q, struct structures *ret,
		    struct err *e)
{
	static bool (*const steps[])(struct core_finder *) = {
		find_caches, find_parallel, streams_find,
		find_pages,  find_jumps,    find_window,
	};
	struct core_finder f = { .q = q, .ret = ret, .e = e };

	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (!steps[i](&f))
			break;
	return e->code;
}
