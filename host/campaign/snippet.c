/* Plans the kernel of own code; see snippet.h. */
#include "host/campaign/snippet.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/crc32.h"
#include "host/isa/isa.h"

enum {
	/* A loop runs so long that its begin and end, which the core may or may
	 * not foresee, are a small part: cycles of the shortest length, on a
	 * reference clock, and on one that counts cycles. */
	REF_CYCLES = 2000,
	CORE_CYCLES = 300,
	/* Cycles of a body that are assumed at first: so many instructions in
	 * each. */
	PER_CYCLE = 2,
	LEAST_TRIPS = 16,
	MOST_TRIPS = 4000,
	/* The lengths of a loop are as 2, 3 and 4: of a loop whose memory allows
	 * a few hundred trips, none is short.  Until about so many a Zen 5 takes
	 * part of the jumps back for the last one. */
	FIRST_PART = 2,
	MOST_WALK = 1 << 20, /* through memory of the user's size */
	/* Straight code is longer than the windows of cores: of 300 blocks on a
	 * Zen 5 (448 entries) 77 lay on no line with 400 instructions in the
	 * shortest length, 55 with 800, 108 with 1600, which its cache of decoded
	 * instructions does not hold. */
	STRAIGHT = 800,
	LEAST_COPIES = 4,
	MOST_COPIES = 512,
	NAME_ROOM = 64,
	SHRINK = 16, /* a part by which a loop gets shorter at once */
};

/* The name of a label: letters, digits and what is no mark of labels. */
static char *label_name(struct arena *a, const char *name)
{
	const char *base = strrchr(name, '/');
	char *ret = arena_strdup(a, base ? base + 1 : name);

	if (strlen(ret) > NAME_ROOM)
		ret[NAME_ROOM] = '\0';
	for (char *at = ret; *at != '\0'; at++)
		if (!isalnum((unsigned char)*at) && !strchr("_.-", *at))
			*at = '_';
	/* A digit before an x would be a count. */
	return isalpha((unsigned char)*ret) ? ret : arena_printf(a, "_%s", ret);
}

static uint32_t add_data(const struct snippet *s, uint32_t crc)
{
	for (size_t i = 0; i < s->gen.n_data; i++) {
		const struct gen_data *d = &s->gen.data[i];

		crc = crc32_update(crc, &d->at, sizeof(d->at));
		crc = crc32_update(crc, &d->bytes, sizeof(d->bytes));
		crc = crc32_update(crc, d->value, d->value_bytes);
	}
	return crc;
}

/* Its name, and a hash of all that decides its time but for the number of
 * iterations. */
static int name_it(struct arena *a, const struct snippet_request *q,
		   struct snippet *s, struct err *e)
{
	uint32_t crc = crc32_update(0, s->gen.code, s->gen.n);
	uint8_t how = s->own_loop;

	crc = crc32_update(crc, s->gen.frame.init, s->gen.frame.n_init);
	crc = add_data(s, crc);
	crc = crc32_update(crc, &q->memory_bytes, sizeof(q->memory_bytes));
	crc = crc32_update(crc, &how, sizeof(how));
	crc = crc32_update(crc, &s->gen.image, sizeof(s->gen.image));
	crc = crc32_update(crc, s->gen.frame.bias, sizeof(s->gen.frame.bias));
	crc = crc32_update(crc, &s->gen.frame.reset,
			   sizeof(s->gen.frame.reset));
	crc = crc32_update(crc, &s->gen.frame.trip, sizeof(s->gen.frame.trip));
	crc = crc32_update(crc, &s->gen.frame.stack,
			   sizeof(s->gen.frame.stack));
	crc = crc32_update(crc, &s->gen.frame.offset,
			   sizeof(s->gen.frame.offset));
	s->key = arena_printf(a, "%s#%08" PRIx32, label_name(a, q->name), crc);
	s->label = arena_printf(a, "code:%s", s->key);
	if (strlen(s->label) >= PACK_MAX_LABEL)
		return err_set(e, ERR_INPUT, "%s: the name is too long",
			       q->name);
	s->gen.label = s->label;
	return ERR_OK;
}

/* The trips of each length vary by an eighth of what the lengths differ by. */
static int64_t varied(int64_t trips)
{
	enum { PART = 8 };

	return trips / PART > 0 ? trips / PART : 1;
}

static int64_t most_trips(int64_t trips)
{
	return (FIRST_PART + PACK_LENGTHS - 1) * trips +
	       (FRAME_TRIPS - 1) * varied(trips);
}

static int64_t clamp(double x, int64_t least, int64_t most)
{
	return x < (double)least ? least : x > (double)most ? most : (int64_t)x;
}

/* Bodies of the shortest length, by time alone. */
static int64_t wanted_bodies(const struct snippet_request *q,
			     const struct snippet *s)
{
	double n = (double)s->n_order;
	double cycles = q->cycles > 0 ? q->cycles : n / PER_CYCLE;

	if (s->own_loop)
		return clamp((q->core_clock ? CORE_CYCLES : REF_CYCLES) /
				     (FIRST_PART * cycles),
			     LEAST_TRIPS, MOST_TRIPS);
	return clamp(STRAIGHT / n + 1, LEAST_COPIES, MOST_COPIES);
}

static int64_t span_of(const struct snippet_request *q, struct snippet *s,
		       const struct snippet_trip *trip, int64_t n)
{
	snippet_extents(q, s, trip,
			s->own_loop ? most_trips(n) : PACK_LENGTHS * n);
	snippet_begin_extents(s);
	snippet_data_extents(q, s);
	return snippet_span(q, s);
}

/* So many that the addresses of a loop go through all of the memory that was
 * asked for. */
static int64_t walk_bodies(const struct snippet_request *q, struct snippet *s,
			   const struct snippet_trip *trip, int64_t n)
{
	int64_t before = span_of(q, s, trip, n);

	while (n < MOST_WALK) {
		int64_t more = n + n / 8 + 1;
		int64_t span = span_of(q, s, trip, more);

		if (span <= before || span > s->room)
			break;
		before = span;
		n = more;
	}
	(void)span_of(q, s, trip, n);
	return n;
}

/* As many bodies as keep all addresses near, or at least in the memory. */
static int64_t choose_bodies(const struct snippet_request *q, struct snippet *s,
			     const struct snippet_trip *trip)
{
	int64_t least = s->own_loop ? LEAST_TRIPS : LEAST_COPIES;
	int64_t near = s->walks ? s->room : SNIPPET_NEAR;
	int64_t n = wanted_bodies(q, s);

	while (n > 1) {
		int64_t span = span_of(q, s, trip, n);

		if (span <= near || (n <= least && ((q->pages && !s->walks) ||
						    span <= s->room)))
			break;
		n -= n / SHRINK + 1;
	}
	return s->walks && s->own_loop ? walk_bodies(q, s, trip, n) : n;
}

static void set_lengths(struct snippet *s, const struct snippet_trip *trip,
			int64_t n)
{
	for (int i = 0; i < PACK_LENGTHS; i++) {
		int64_t bodies = n * (i + (s->own_loop ? FIRST_PART : 1));

		s->gen.bodies[i] = (uint32_t)bodies;
		s->gen.trip_first[i] = trip->first + trip->per_trip * bodies;
	}
	s->gen.frame.trip_step = trip->per_trip * varied(n);
}

/* Where the loop ends follows from values that the code of --init must not
 * change. */
static int check_begin(struct arena *a, const struct snippet_request *q,
		       const struct snippet *s, const struct snippet_trip *t,
		       struct err *e)
{
	const int regs[] = { t->reg, t->like };

	for (size_t i = 0; i < 2; i++)
		if (regs[i] >= 0 && (s->init.writes >> regs[i] & 1))
			return err_set(e, ERR_INPUT,
				       "%s: --init changes %s, on which the "
				       "end of the loop depends",
				       q->name,
				       frame_gpr(a, q->program->c->isa,
						 (unsigned)regs[i]));
	return ERR_OK;
}

/* Instructions of a body; 0: jumps may leave some out. */
static uint32_t retired(const struct snippet *s)
{
	size_t last = s->n_called + s->n_insns;

	for (size_t k = s->n_called > 0; k + s->own_loop < last; k++)
		if (snippet_insn(s, k)->jumps ||
		    (s->n_called == 0 && snippet_insn(s, k)->calls))
			return 0;
	return (uint32_t)s->n_order;
}

int snippet_plan(struct arena *a, const struct snippet_request *q,
		 struct snippet *ret, struct err *e)
{
	struct snippet_trip trip = { .reg = -1, .like = -1 };
	uint8_t place;

	*ret = (struct snippet){ .trip = -1 };
	ret->walks = q->memory_bytes > 0;
	ret->room = ret->walks ? q->memory_bytes : PACK_MAX_MEMORY;
	if (snippet_gather(a, q, ret, e) != ERR_OK ||
	    snippet_encode(a, q, ret, e) != ERR_OK)
		return e->code;
	snippet_follow(q, ret);
	if (ret->own_loop && snippet_find_trip(a, q, ret, &trip, e) != ERR_OK)
		return e->code;
	if (snippet_begin(a, q, ret, e) != ERR_OK ||
	    check_begin(a, q, ret, &trip, e) != ERR_OK)
		return e->code;
	set_lengths(ret, &trip, choose_bodies(q, ret, &trip));
	if (snippet_copy(a, q, ret, e) != ERR_OK)
		return e->code;
	if (snippet_values(a, q, ret, &trip, e) != ERR_OK ||
	    snippet_place_data(a, q, ret, e) != ERR_OK)
		return e->code;
	place = snippet_place_in_line(q);
	/* With functions the code begins at a line. */
	ret->gen.frame.offset = ret->n_called > 0 ? 0 : place;
	if (place % q->program->c->isa->padding.n != 0)
		return err_set(e, ERR_INPUT,
			       "%s: code of %s begins at a multiple of %u "
			       "bytes, not at byte %u of a line",
			       q->name, q->program->c->isa->name,
			       (unsigned)q->program->c->isa->padding.n, place);
	ret->gen.instructions = retired(ret);
	return name_it(a, q, ret, e);
}
