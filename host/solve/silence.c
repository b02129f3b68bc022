#include "host/solve/silence.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { ROW = PACK_LENGTHS };

/* For reports only. */
const uint64_t silence_steps[SILENCE_STEPS] = { 0, 2, 10, UINT64_MAX };
const double silence_shares[SILENCE_STEPS] = { 0.005, 0.02, 0.1, INFINITY };

struct silence_rule silence_rule(const struct kernel_row *k,
				 const struct sample *m)
{
	struct silence_rule r = {
		.instructions = k->instructions,
		.fewest = { UINT64_MAX, UINT64_MAX, UINT64_MAX },
	};

	memcpy(r.unroll, k->unroll, sizeof(r.unroll));
	for (size_t at = 0; m->retired && at < (size_t)m->n_rows * m->row; at++)
		if (m->retired[at] < r.fewest[at % ROW])
			r.fewest[at % ROW] = m->retired[at];
	return r;
}

/* Two lengths differ by n iterations of their extra bodies.  False also for
 * counts that are not sorted or too large. */
static bool lies_on_line(const struct silence_rule *k, const struct sample *m,
			 const uint64_t *i)
{
	uint64_t first = k->unroll[1] - (uint64_t)k->unroll[0];
	uint64_t both = k->unroll[2] - (uint64_t)k->unroll[0];
	uint64_t small = i[1] - i[0], large = i[2] - i[0];
	uint64_t expected, bodies;

	if (i[1] < i[0] || i[2] < i[1] || large > UINT32_MAX)
		return false;
	if (k->instructions == 0)
		return small * both == large * first;
	if (__builtin_mul_overflow(m->n_iterations, both, &bodies) ||
	    __builtin_mul_overflow(bodies, k->instructions, &expected))
		return false;
	return large == expected && small * both == large * first;
}

bool silence_interference(const struct silence_rule *k, const struct sample *m,
			  size_t row)
{
	const uint64_t *i;

	if (!m->retired || m->row != ROW || k->unroll[0] >= k->unroll[1] ||
	    k->unroll[1] >= k->unroll[2])
		return false;
	i = m->retired + row * ROW;
	for (size_t length = 0; length < ROW; length++)
		if (i[length] != k->fewest[length])
			return true;
	return !lies_on_line(k, m, i);
}

static void add_sample(struct silence *s, const struct kernel_row *k,
		       const struct sample *m)
{
	struct silence_rule rule = silence_rule(k, m);
	uint64_t least[ROW] = { UINT64_MAX, UINT64_MAX, UINT64_MAX };
	uint64_t most[ROW] = { 0 };

	for (size_t row = 0; row < m->n_rows; row++) {
		s->n_rows++;
		s->n_counted += m->retired != NULL;
		if (silence_interference(&rule, m, row)) {
			s->n_interfered++;
			continue;
		}
		for (size_t i = 0; i < ROW; i++) {
			uint64_t v = m->values[row * ROW + i];

			least[i] = v < least[i] ? v : least[i];
			most[i] = v > most[i] ? v : most[i];
			if (most[i] - least[i] > s->spread_cycles)
				s->spread_cycles = most[i] - least[i];
		}
	}
}

void silence_add(struct silence *s, const struct kernel_row *k,
		 const struct sample *m, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (m[i].row == ROW)
			add_sample(s, k, &m[i]);
}

void silence_add_ref(struct silence *s, const struct visit *visits, size_t n)
{
	s->ref = true;
	for (size_t i = 0; i < n; i++) {
		const struct visit *v = &visits[i];

		s->n_rows += v->n_rows;
		s->n_with_marks += (size_t)v->n_rows - v->n_unmarked;
		s->n_bent += v->n_bent;
		s->spread = fmax(s->spread, v->spread);
		for (int mark = 0; mark < N_MARKS; mark++)
			s->n_marked[mark] += v->n_marked[mark];
	}
}

/* Append "; 3 of a reason" and similar. */
__attribute__((format(printf, 4, 5))) static void add_text(
	char *text, size_t room, size_t *at, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text + *at, room - *at, format, args);
	va_end(args);
	if (n > 0)
		*at += (size_t)n < room - *at ? (size_t)n : room - *at - 1;
}

const char *const silence_marks[N_MARKS] = {
	[MARK_CHAINS] = "chains disagree", [MARK_SLOW] = "chains slow",
	[MARK_SIBLING] = "sibling busy",   [MARK_WIDE] = "wide units slow",
	[MARK_LOADS] = "loads slow",
};

static void ref_text(const struct silence *s, char *text, size_t room,
		     size_t *at)
{
	bool first = true;

	add_text(text, room, at, "%zu with flags", s->n_with_marks);
	for (int i = 0; i < N_MARKS; i++) {
		if (s->n_marked[i] == 0)
			continue;
		add_text(text, room, at, "%s%s: %zu", first ? " (" : ", ",
			 silence_marks[i], s->n_marked[i]);
		first = false;
	}
	add_text(text, room, at, "%s, %zu not on a line; traps not counted",
		 first ? "" : ")", s->n_bent);
}

void silence_text(const struct silence *s, char *text, size_t n)
{
	size_t at = 0;

	add_text(text, n, &at, "%zu rows, ", s->n_rows);
	if (s->ref)
		ref_text(s, text, n, &at);
	else if (s->n_counted == 0)
		add_text(text, n, &at,
			 "instructions not counted: silence not provable");
	else if (s->n_interfered == 0)
		add_text(text, n, &at, "0 discarded, 0 traps seen");
	else
		/* A trap makes a core retire instructions of other code. */
		add_text(text, n, &at,
			 "%zu discarded (other instructions ran: %zu), at "
			 "least %zu traps seen",
			 s->n_interfered, s->n_interfered, s->n_interfered);
}

void silence_summarise(struct silence_summary *sum, const struct silence *s)
{
	size_t step = 0;

	if (s->n_rows == 0)
		return;
	sum->all.n_rows += s->n_rows;
	sum->all.n_counted += s->n_counted;
	sum->all.n_interfered += s->n_interfered;
	sum->all.ref = s->ref;
	sum->all.n_with_marks += s->n_with_marks;
	sum->all.n_bent += s->n_bent;
	for (size_t i = 0; i < N_MARKS; i++)
		sum->all.n_marked[i] += s->n_marked[i];
	if (s->spread_cycles > sum->all.spread_cycles)
		sum->all.spread_cycles = s->spread_cycles;
	if (s->spread > sum->all.spread)
		sum->all.spread = s->spread;
	while (s->ref ? s->spread > silence_shares[step]
		      : s->spread_cycles > silence_steps[step])
		step++;
	sum->kernels[step]++;
}
