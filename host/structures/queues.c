/* How many instructions, results, loads, stores and waiting instructions a core has
 * in flight; probe_queues.c has the method. */
#include <math.h>

#include "host/solve/waiting.h"
#include "host/structures/finder.h"

enum {
	COARSE = 12, /* numbers of instructions of the first question */
	FINE = 7,    /* of the second */
	LEAST = 16,  /* instructions */
	MOST = 1200, /* of the first queue; a body stays within code of any core */
};

/* A pair of loads takes so many times as long when they wait for each other. */
static const double waits = 1.5;

struct queue {
	const char *key;
	enum probe_kind kind;
	const char *reason; /* how it was found */
	/* What a queue that is not full before is limited by. */
	const char *full;
};

static const struct queue queues[] = {
	{ "window", PROBE_WINDOW,
	  "two loads of memory wait for each other behind as many "
	  "instructions: additions, those of vectors, comparisons",
	  NULL },
	{ "registers.integer", PROBE_INTEGERS,
	  "as the window, with additions, whose results need registers",
	  "the window" },
	{ "registers.flags", PROBE_FLAGS,
	  "as the window, with comparisons, whose results are flags",
	  "the window" },
	{ "registers.vector", PROBE_VECTORS,
	  "as the window, with operations of vectors", "the window" },
	{ "queue.loads", PROBE_HITS, "as the window, with loads that hit",
	  "the window, or the registers of results," },
	{ "queue.stores", PROBE_STORES, "as the window, with stores that hit",
	  "the window" },
	{ "scheduler.integer", PROBE_WAITING,
	  "as the window, with additions that wait for the load",
	  "the window, or the registers of results," },
	{ "scheduler.vector", PROBE_WAITING_VECTORS,
	  "as the window, with additions of vectors that wait for the "
	  "load",
	  "the window, or the registers of results," },
	{ "scheduler.loads", PROBE_WAITING_LOADS,
	  "as the window, with loads whose address waits for the load",
	  "the window, or the queue of loads," },
};

struct search {
	struct core_finder *f;
	const struct queue *q;
	uint32_t low, high; /* that fits; that does not, 0: none */
	double few;         /* cycles of a pair with few instructions */
	const char *label;  /* of `low` */
	const char *reason; /* why it is not known */
};

static struct core_probe probe_of(const struct search *s, uint32_t n, bool far)
{
	struct core_probe p = finder_far(s->f, far);

	p.kind = s->q->kind;
	p.n = n;
	p.rough = true;
	return p;
}

/* More instructions never take less time, so a pair that takes long where a later one
 * does not was disturbed. */
static bool is_disturbed(const struct search *s, const struct probe_value *v,
			 uint32_t i)
{
	while (++i < COARSE)
		if (v[i].known && v[i].cycles <= waits * s->few)
			return true;
	return false;
}

/* Loads that hit, with as many instructions, are the control: these must not take as
 * long by themselves. */
static bool check_rise(struct search *s)
{
	struct core_probe p = probe_of(s, s->high, false);
	struct probe_value v;

	if (!finder_ask(s->f, &p, 1, &v))
		return false;
	if (v.known && v.cycles <= s->few)
		return true;
	s->high = 0;
	s->reason = v.known ? "the instructions alone take as long as a load "
			      "of memory"
			    : "no answer";
	return true;
}

static bool ask_coarse(struct search *s, uint32_t most)
{
	struct core_probe list[COARSE];
	struct probe_value v[COARSE];

	for (uint32_t i = 0; i < COARSE; i++)
		list[i] = probe_of(s, LEAST + (most - LEAST) * i / (COARSE - 1),
				   true);
	if (!finder_ask(s->f, list, COARSE, v))
		return false;
	s->reason = "no answer";
	s->few = v[0].cycles;
	for (uint32_t i = 1; i < COARSE; i++)
		if (v[i].known)
			s->few = fmin(s->few, v[i].cycles);
	for (uint32_t i = 0; v[0].known && i < COARSE; i++) {
		if (!v[i].known)
			continue;
		if (v[i].cycles > waits * s->few) {
			if (is_disturbed(s, v, i))
				continue;
			s->high = list[i].n;
			return check_rise(s);
		}
		s->low = list[i].n;
		s->label = v[i].label;
		s->reason = arena_printf(
			s->f->q->a,
			"from %u to %u instructions, the time did not rise: "
			"fewer fit, or more than were tried",
			(unsigned)LEAST, (unsigned)s->low);
	}
	return true;
}

static bool ask_fine(struct search *s)
{
	struct core_probe list[FINE];
	struct probe_value v[FINE];
	size_t n = 0;

	for (uint32_t k = 1; k <= FINE; k++) {
		uint32_t x = s->low + (s->high - s->low) * k / (FINE + 1);

		if (x > s->low && (n == 0 || x > list[n - 1].n))
			list[n++] = probe_of(s, x, true);
	}
	if (n == 0)
		return true;
	if (!finder_ask(s->f, list, n, v))
		return false;
	/* Of a disturbed one a larger one may still fit. */
	for (size_t i = n; i-- > 0;) {
		if (!v[i].known)
			continue;
		if (v[i].cycles <= waits * s->few) {
			s->low = list[i].n;
			s->label = v[i].label;
			break;
		}
		s->high = list[i].n;
	}
	return true;
}

/* What others hold at least, in the order of `queues`; 0: not known. */
struct holds {
	double n[ARRAY_LEN(queues)];
	bool absent[ARRAY_LEN(queues)]; /* the core has no such queue */
};

/* The least that a queue which may be full before is known to hold.  0: of one,
 * *needs, it is not known, so any number may be its. */
static double limit_of(const struct holds *h, const struct queue *q,
		       const char **needs)
{
	static const struct {
		enum probe_kind kind, other;
	} limits[] = {
		{ PROBE_HITS, PROBE_INTEGERS },
		{ PROBE_WAITING, PROBE_INTEGERS },
		{ PROBE_WAITING, PROBE_FLAGS },
		{ PROBE_WAITING_VECTORS, PROBE_VECTORS },
		{ PROBE_WAITING_LOADS, PROBE_INTEGERS },
		{ PROBE_WAITING_LOADS, PROBE_HITS },
	};
	double ret = INFINITY;

	for (size_t k = 0; q->full && k < ARRAY_LEN(queues); k++) {
		bool limits_it = queues[k].kind == PROBE_WINDOW;

		for (size_t i = 0; i < ARRAY_LEN(limits); i++)
			limits_it |= limits[i].kind == q->kind &&
				     limits[i].other == queues[k].kind;
		if (!limits_it || h->absent[k] || h->n[k] >= ret)
			continue;
		ret = h->n[k];
		*needs = queues[k].key;
	}
	return ret;
}

static bool find_queue(struct core_finder *f, const struct queue *q,
		       struct holds *h)
{
	const struct core_finding *window = finder_known(f, "window");
	const char *needs = NULL;
	struct search s = { .f = f, .q = q };
	struct core_finding x = { .key = q->key, .unit = FINDING_COUNT };
	double limit = limit_of(h, q, &needs);

	h->absent[q - queues] = !finder_has(f, q->kind);
	if (h->absent[q - queues])
		s.reason = finder_no_answer(f, q->kind);
	else if (limit <= 0)
		s.reason = arena_printf(f->q->a, "needs %s", needs);
	else if (!ask_coarse(&s, window && q->full
					 ? (uint32_t)window->high + LEAST
					 : MOST))
		return false;
	x.reason = s.reason;
	if (s.low > 0 && s.high > 0) {
		if (!ask_fine(&s))
			return false;
		x.known = s.high < limit;
		x.at_least = !x.known;
		x.value = floor((s.low + s.high) / 2.0);
		x.label = s.label;
		x.low = s.low;
		x.high = s.high;
		x.reason = x.known ? q->reason
				   : arena_printf(f->q->a,
						  "%u fit: %s may be full "
						  "before",
						  (unsigned)s.low, q->full);
	}
	h->n[q - queues] = s.low;
	finder_add(f, x);
	return true;
}

/* A thread that shares the core may hold a part of each queue, and come or go.  The
 * window is searched once more; if it has another size, what was found meanwhile is
 * a bound. */
static bool check_window(struct core_finder *f)
{
	struct core_finding *window = finder_find(f, queues[0].key);
	struct search s = { .f = f, .q = &queues[0] };
	uint32_t first;

	if (!window || !window->known)
		return true;
	if (!ask_coarse(&s, MOST) || (s.high > 0 && !ask_fine(&s)))
		return false;
	/* Without an answer there is nothing against it. */
	if (s.low == 0 || (s.low < window->high && s.high > window->low))
		return true;
	first = (uint32_t)window->low;
	if (s.high > 0 && s.low > first) {
		window->low = s.low;
		window->high = s.high;
		window->label = s.label;
	}
	for (size_t i = 0; i < ARRAY_LEN(queues); i++) {
		struct core_finding *x = finder_find(f, queues[i].key);

		if (!x || !x->known)
			continue;
		x->known = false;
		x->at_least = true;
		x->reason = arena_printf(
			f->q->a,
			"at least %u fit; two searches of the window found %u "
			"and %u: another thread of the core may have had a "
			"part",
			(unsigned)x->low, (unsigned)first, (unsigned)s.low);
	}
	return true;
}

/* The parts of three that a file of registers serves in the window's instructions.
 * shared: comparisons may take the registers of additions. */
static double parts_of(enum probe_kind kind, bool shared)
{
	return kind == PROBE_INTEGERS || kind == PROBE_FLAGS ? 1 + shared
	       : kind == PROBE_VECTORS                       ? 1
							     : 0;
}

/* The window is known if each file of registers is known to hold more than the
 * window's instructions need of it.  If comparisons fill their file at the same
 * number as additions, both may be one file. */
static void bound_window(struct core_finder *f, const struct holds *h)
{
	struct core_finding *window = finder_find(f, queues[0].key);
	const struct core_finding *sums = finder_find(f, "registers.integer");
	const struct core_finding *flags = finder_find(f, "registers.flags");
	bool shared = sums && flags && flags->low <= sums->high &&
		      sums->low <= flags->high;

	for (size_t k = 0; k < ARRAY_LEN(queues); k++) {
		double parts = parts_of(queues[k].kind, shared);

		if (!window || !window->known || h->absent[k] || parts == 0 ||
		    window->high * parts / 3 < h->n[k])
			continue;
		window->known = false;
		window->at_least = true;
		window->reason =
			arena_printf(f->q->a, "%u fit: %s may be full before",
				     (unsigned)window->low, queues[k].key);
	}
}

/* Of chains of operations of vectors; host/solve/waiting.h has the method. */
static bool find_vectors(struct core_finder *f)
{
	enum { APART, ENDLESS, CHAINS, N };
	static const struct core_probe list[N] = {
		[APART] = { .kind = PROBE_CHAINS, .n = 0 },
		[ENDLESS] = { .kind = PROBE_CHAINS, .n = 1 },
		[CHAINS] = { .kind = PROBE_CHAINS, .n = PROBE_CHAINS_EACH },
	};
	static const char *const reasons[] = {
		[WAITING_OK] = "operations of vectors: so many of a chain wait "
			       "when the next one begins",
		[WAITING_NOT_SHOWN] = "operations of vectors take as long "
				      "apart as in chains",
		[WAITING_IMPLAUSIBLE] =
			"chains do not overlap, or more than two do",
	};
	struct probe_value v[N];
	struct core_finding x = { .key = "queue.vectors",
				  .unit = FINDING_COUNT,
				  .reason = finder_no_answer(f, PROBE_CHAINS) };
	enum waiting_result result;

	if (!finder_ask(f, list, N, v))
		return false;
	if (v[APART].known && v[ENDLESS].known && v[CHAINS].known) {
		const struct waiting w = { .low = v[CHAINS].low,
					   .high = v[CHAINS].high,
					   .endless = v[ENDLESS].cycles,
					   .apart = v[APART].cycles };

		result = waiting_count(&w, &x.low, &x.high);
		x.known = result == WAITING_OK;
		x.value = (x.low + x.high) / 2;
		x.label = v[CHAINS].label;
		x.reason = reasons[result];
	}
	finder_add(f, x);
	return true;
}

bool queues_find(struct core_finder *f)
{
	struct holds h = { .n = { 0 } };

	finder_say(f, "instructions in flight");
	for (size_t i = 0; i < ARRAY_LEN(queues); i++) {
		if (f->ret->levels.no_memory)
			finder_add(f, (struct core_finding){
					      .key = queues[i].key,
					      .unit = FINDING_COUNT,
					      .reason = "no set is beyond all "
							"levels" });
		else if (!find_queue(f, &queues[i], &h))
			return false;
	}
	if (!check_window(f))
		return false;
	bound_window(f, &h);
	return find_vectors(f);
}
