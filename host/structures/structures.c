/* All findings, in the order in which one needs another; see structures.h. */
#include "host/structures/finder.h"

#include <math.h>
#include <string.h>

/* Loads side by side that walk take so many times as long as others, or the time is
 * not that of the walks. */
static const double hides_walks = 1.5;

/* So many values of a step may be in doubt. */
static const double most_doubts = 0.25;

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
			.unit = FINDING_BYTES,
			.known = true,
			.label = l->label,
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
			      .unit = FINDING_CYCLES,
			      .known = true,
			      .label = l->label,
			      .value = (l->low_cycles + l->high_cycles) / 2,
			      .low = l->low_cycles,
			      .high = l->high_cycles,
			      .reason = "a chase of pointers in sets that "
					"only this level holds" });
}

static void add_caches(struct core_finder *f)
{
	const struct levels_found *v = &f->ret->levels;

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
	if (v->no_level)
		finder_add(f, (struct core_finding){
				      .key = finder_key(f, v->n, "size"),
				      .unit = FINDING_BYTES,
				      .reason = v->no_level });
	finder_add(f, (struct core_finding){
			      .key = "memory.latency",
			      .unit = FINDING_CYCLES,
			      .known = !v->no_memory,
			      .label = v->no_memory ? NULL
						    : v->points[v->n_points - 1]
							      .value.label,
			      .value = (v->memory_low + v->memory_high) / 2,
			      .low = v->memory_low,
			      .high = v->memory_high,
			      .reason = v->no_memory ? v->no_memory
						     : "a chase of pointers in "
						       "sets that no level "
						       "holds" });
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
		list[i] = finder_far(f, true);
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
		x.label = values[i].label;
		x.low = values[0].low / values[i].high;
		x.high = values[0].high / values[i].low;
	}
	x.known = most > 0;
	x.value = round(most);
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
				.unit = FINDING_CYCLES,
				.known = true,
				.value = p->level[i].cycles,
				.low = p->level[i].cycles,
				.high = p->level[i].cycles,
				.reason = "a line in a page of its own, less a "
					  "line among others" });
}

/* The least that a load takes if as many are in flight as l1.mshr says, each for a
 * walk and what one among others takes; 0: not known. */
static double in_flight(const struct core_finder *f)
{
	const struct core_finding *flight = finder_known(f, "l1.mshr");
	const struct pages_found *p = &f->ret->pages;

	if (!flight || flight->value <= 0)
		return 0;
	return (p->walk + p->points[p->n_points - 1].together) / flight->value;
}

/* Why loads with walks side by side, v[0], do not tell how far apart walks begin;
 * NULL: they do.  v[1]: the same loads without. */
static const char *why_no_interval(const struct core_finder *f,
				   const struct probe_value v[2])
{
	if (!v[0].known || !v[1].known)
		return "no answer";
	if (v[0].cycles <= hides_walks * v[1].cycles)
		return "walks side by side take less than 1.5 times as long as "
		       "loads without";
	if (v[0].cycles <= hides_walks * in_flight(f))
		return arena_printf(f->q->a,
				    "%.1f cycles or fewer: the lines in "
				    "flight may be the limit",
				    v[0].cycles);
	return NULL;
}

/* Walks side by side: what a load in a page of its own takes when so many wait, and
 * what one among others does.  Both have the same caches. */
static bool find_interval(struct core_finder *f)
{
	enum { SIDES = 24 };
	const struct pages_found *p = &f->ret->pages;
	struct core_finding x = { .key = "page.interval",
				  .unit = FINDING_CYCLES,
				  .reason = "needs page.walk" };
	struct core_probe list[2];
	struct probe_value v[2];

	if (p->n == 0 || p->no_walk) {
		finder_add(f, x);
		return true;
	}
	pages_walks(f->q->oracle, &f->ret->levels, p, list);
	for (size_t i = 0; i < 2; i++) {
		list[i].kind = PROBE_PARALLEL;
		list[i].n = SIDES;
	}
	if (!finder_ask(f, list, 2, v))
		return false;
	x.reason = why_no_interval(f, v);
	x.known = x.reason == NULL;
	x.label = v[0].label;
	x.value = v[0].cycles;
	x.low = v[0].low;
	x.high = v[0].high;
	if (x.known)
		x.reason = "loads of 24 chases side by side, each in a page in "
			   "no TLB";
	finder_add(f, x);
	return true;
}

/* Loads that hit in the second level of buffers, side by side, so that latency is
 * hidden, less those that hit in the first.  A lower bound: what limits these may
 * hide a part of it. */
static bool find_fill(struct core_finder *f)
{
	enum { SIDES = 24 };
	struct core_finding x = { .key = "tlb1.fill",
				  .unit = FINDING_CYCLES,
				  .reason = "no number of pages is between two "
					    "levels of buffers" };
	struct core_probe list[2];
	struct probe_value v[2];

	if (!pages_hits(f->q->oracle, &f->ret->levels, &f->ret->pages, list)) {
		finder_add(f, x);
		return true;
	}
	for (size_t i = 0; i < 2; i++) {
		list[i].kind = PROBE_PARALLEL;
		list[i].n = SIDES;
	}
	if (!finder_ask(f, list, 2, v))
		return false;
	x.value = v[0].cycles - v[1].cycles;
	x.low = v[0].low - v[1].high;
	x.high = v[0].high - v[1].low;
	x.at_least = v[0].known && v[1].known && x.low >= 0.01;
	x.reason = !v[0].known || !v[1].known ? "no answer"
		   : x.at_least
			   ? "loads of 24 chases side by side, each in a page "
			     "that the second level holds, less those that "
			     "the first does"
			   : "a page of the second level costs no more";
	finder_add(f, x);
	return true;
}

static bool add_pages(struct core_finder *f)
{
	const struct pages_found *p = &f->ret->pages;

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
			      .unit = FINDING_BYTES,
			      .known = true,
			      .value = p->page_bytes,
			      .low = p->page_bytes,
			      .high = p->page_bytes,
			      .reason = "the pages that were used" });
	finder_add(f,
		   (struct core_finding){
			   .key = "page.walk",
			   .unit = FINDING_CYCLES,
			   .known = !p->no_walk,
			   .value = p->walk,
			   .low = p->walk_low,
			   .high = p->walk_high,
			   .reason = p->no_walk ? p->no_walk
						: "what a line in a page of "
						  "its own takes longer, when "
						  "no level has room for the "
						  "pages" });
	return true;
}

/* Several chases side by side, each in pages of its own. */
static bool find_walks(struct core_finder *f)
{
	return f->ret->pages.n == 0 || (find_interval(f) && find_fill(f));
}

/* Translation says which levels are none. */
static bool find_levels(struct core_finder *f)
{
	struct structures *s = f->ret;
	const struct probe_oracle *o = f->q->oracle;

	finder_say(f, "caches");
	if (chases_find(f->q->a, o, &s->levels, f->e) != ERR_OK)
		return false;
	finder_say(f, "pages");
	if (pages_find(f->q->a, o, &s->levels, &s->pages, f->e) != ERR_OK)
		return false;
	/* Without a walk another level of buffers may serve more pages. */
	if (s->pages.n > 0 && !s->pages.no_walk)
		levels_beyond(f->q->a, &s->levels,
			      (uint64_t)s->pages.level[s->pages.n - 1].high *
				      s->pages.page_bytes);
	add_caches(f);
	return true;
}

/* As the request's oracle; counts what is in doubt. */
static int watch(void *context, const struct core_probe *list, size_t n,
		 struct probe_value *ret, struct err *e)
{
	struct core_finder *f = context;
	const struct probe_oracle *o = f->watched;

	if (o->ask(o->context, list, n, ret, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < n; i++) {
		f->n_values += ret[i].known;
		f->n_doubts += ret[i].known && (ret[i].alone || ret[i].busy);
	}
	return ERR_OK;
}

/* Mark what a step found: of one part of the core, its values are measured within
 * some seconds. */
static void judge_noise(const struct core_finder *f, size_t first)
{
	bool noisy = (double)f->n_doubts > most_doubts * (double)f->n_values;

	for (size_t i = first; i < f->ret->n && noisy; i++) {
		struct core_finding *x = &f->ret->list[i];

		if (!x->known)
			continue;
		x->noisy = true;
		x->reason = arena_printf(
			f->q->a,
			"%s; noisy: %zu of %zu values were not seen twice, or "
			"only while another thread of the core was busy",
			x->reason, f->n_doubts, f->n_values);
	}
}

int structures_find(const struct structures_request *q, struct structures *ret,
		    struct err *e)
{
	/* again: of values that the step before asked for. */
	static const struct {
		bool (*run)(struct core_finder *);
		bool again;
	} steps[] = {
		{ .run = find_levels },   { .run = add_pages, .again = true },
		{ .run = find_parallel }, { .run = streams_find },
		{ .run = find_walks },    { .run = jumps_find },
		{ .run = queues_find },   { .run = forward_find },
	};
	struct structures_request watched = *q;
	struct probe_oracle oracle = *q->oracle;
	struct core_finder f = {
		.q = &watched, .watched = q->oracle, .ret = ret, .e = e
	};

	watched.oracle = &oracle;
	oracle.ask = watch;
	oracle.context = &f;
	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
		size_t first = ret->n;

		if (!steps[i].again)
			f.n_values = f.n_doubts = 0;
		if (!steps[i].run(&f))
			break;
		judge_noise(&f, first);
	}
	return e->code;
}
