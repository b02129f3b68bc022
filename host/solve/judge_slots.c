/* How many slots of the front end an access with an index takes; see judging.h.
 *
 * Accesses are mixed with several numbers of instructions of one slot each,
 * so that the front end is the limit.  An access takes a number of slots,
 * and may have to begin where a number of them is left in its cycle: an Ice
 * Lake puts the two slots of an access into the first four of its five, or
 * leaves the rest of the cycle empty.  Simulating each pair of numbers shows
 * which explain the times; if these differ only in the room, the least is
 * taken. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/solve/judging.h"

enum { MAX_POINTS = 8, LEAST_POINTS = 3, MOST_SLOTS = 4 };

/* The error of a measurement, and the least distance of another bound.
 * Chosen: with six slots per cycle one slot more is a sixth of a cycle, and
 * these mixes take 1 to 2 cycles: `off` is half of the least of these shares.
 * A Granite Rapids server takes 3.2 % more for five of one slot each. */
static const double off = 0.04, other = 1.05;

struct point {
	unsigned n_slots;
	double cycles;
};

struct points {
	size_t n;
	struct point list[MAX_POINTS];
};

/* The 4 of "VADDPDrm/index+4xXOR32rr/same", if the mixed form is `slot`;
 * else 0. */
static unsigned slots_mixed(const char *form, const char *slot)
{
	const char *plus = strchr(form, '+');
	char *end;
	unsigned long n;

	if (!slot || !plus || strchr(plus + 1, '+'))
		return 0;
	n = strtoul(plus + 1, &end, 10);
	return n < 1000 && *end == 'x' && strcmp(end + 1, slot) == 0
		       ? (unsigned)n
		       : 0;
}

bool judging_is_slots(const struct judge *j, const struct record *r)
{
	return r->label.kind == EXPERIMENT_MIX &&
	       slots_mixed(r->label.form, j->sink->slot) > 0;
}

/* Cycles of an access and the instructions mixed with it. */
static double play(unsigned width, unsigned n, unsigned slots, unsigned room)
{
	enum { TURNS = 420 };
	unsigned used = 0, cycles = 0;

	for (unsigned i = 0; i < TURNS * (n + 1); i++) {
		bool access = i % (n + 1) == 0;

		if (used == width || (access && width - used < room)) {
			cycles++;
			used = 0;
		}
		used += access ? slots : 1;
		cycles += used > width;
		used = used > width ? used - width : used;
	}
	return (double)cycles / TURNS;
}

/* The records of one access are adjacent. */
static bool is_of(const struct judge *j, const struct record *r,
		  const char *access, size_t n)
{
	return judging_is_slots(j, r) &&
	       strncmp(r->label.form, access, n) == 0 &&
	       r->label.form[n] == '+';
}

static struct points points_of(const struct judge *j, const char *access,
			       size_t n)
{
	static const char suffix[] = "/index";
	size_t tail = strlen(suffix);
	const struct record *alone = NULL;
	struct points ret = { .n = 0 };

	if (n > tail)
		alone = judging_form(
			j, EXPERIMENT_THROUGHPUT,
			arena_printf(j->a, "%.*s", (int)(n - tail), access));
	for (size_t i = 0; i < j->n && ret.n < MAX_POINTS; i++) {
		const struct record *r = &j->records[i];
		double cycles;

		if (!is_of(j, r, access, n) || !judging_is_usable(r) ||
		    r->estimate.state != ESTIMATE_OK)
			continue;
		cycles = (r->estimate.low + r->estimate.high) / 2;
		if (judging_is_usable(alone) &&
		    cycles < other * alone->estimate.high)
			continue;
		ret.list[ret.n++] = (struct point){
			slots_mixed(r->label.form, j->sink->slot), cycles
		};
	}
	return ret;
}

static bool explains(const struct points *p, unsigned width, unsigned slots,
		     unsigned room)
{
	for (size_t i = 0; i < p->n; i++) {
		double cycles = play(width, p->list[i].n_slots, slots, room);

		if (fabs(p->list[i].cycles - cycles) > off * cycles)
			return false;
	}
	return true;
}

/* Slots, and how many must be left; 0: nothing explains the points, or several
 * numbers of slots do. */
static unsigned fit(const struct points *p, unsigned width, unsigned *ret_room)
{
	unsigned found = 0;

	for (unsigned slots = 1; slots <= MOST_SLOTS; slots++)
		for (unsigned room = 1; room <= width; room++) {
			if (!explains(p, width, slots, room))
				continue;
			if (found && found != slots)
				return 0;
			if (!found)
				*ret_room = room;
			found = slots;
		}
	return found;
}

static int give(const struct judge *j, struct claim *c, const char *kind,
		unsigned value)
{
	c->kind = kind;
	c->low_cycles = c->high_cycles = value;
	return j->sink->each(j->sink->context, c, j->e);
}

int judging_slots(const struct judge *j, const struct record *r)
{
	const char *access = r->label.form;
	size_t n = strcspn(access, "+");
	struct points p = points_of(j, access, n);
	struct buffer words = { 0 };
	unsigned slots = 0, room = 0;
	struct claim c = judging_base(j, r);
	int ret;

	/* Once for each access. */
	if (r > j->records && is_of(j, r - 1, access, n))
		return 0;
	if (j->width > 0 && p.n >= LEAST_POINTS)
		slots = fit(&p, (unsigned)lround(1 / j->min_cycles), &room);
	buffer_printf(&words, "slots of the front end, beside others:");
	for (size_t i = 0; i < p.n; i++)
		buffer_printf(&words, " %u: %.4g", p.list[i].n_slots,
			      p.list[i].cycles);
	buffer_add(&words, "", 1);
	c.form = arena_printf(j->a, "%.*s", (int)n, access);
	c.source = c.destination = "";
	c.has_value = slots > 0;
	c.verdict = slots > 0             ? "ok"
		    : p.n >= LEAST_POINTS ? "contradiction"
					  : "noisy";
	c.detail = arena_printf(j->a, "%s", (const char *)words.bytes);
	buffer_free(&words);
	ret = give(j, &c, "slots", slots);
	return ret == 0 && room > 1 ? give(j, &c, "slots-room", room) : ret;
}
