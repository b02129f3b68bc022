/* An iteration is what is executed from one time at the first instruction of the
 * loop to the next.  Iterations that differ are a path if they repeat with a
 * period. */
#include "tests/validate/executed.h"

#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"

enum {
	MAX_PERIOD = 16,  /* iterations */
	REPEATS = 3,      /* of a period that counts */
	MAX_INSNS = 1024, /* of a path */
};

/* Iterations begin at order[starts[i]], n of them; the last one has no end. */
struct iterations {
	const uint32_t *order;
	const size_t *starts;
	size_t n;
};

static bool is_same(const struct iterations *l, size_t a, size_t b)
{
	size_t n = l->starts[a + 1] - l->starts[a];

	return l->starts[b + 1] - l->starts[b] == n &&
	       memcmp(l->order + l->starts[a], l->order + l->starts[b],
		      n * sizeof(*l->order)) == 0;
}

/* The least period of the last whole iterations; 0: none. */
static size_t period_of(const struct iterations *l)
{
	for (size_t period = 1; period <= MAX_PERIOD; period++) {
		size_t n = (REPEATS - 1) * period, i = 0;

		if (l->n < n + period + 1)
			return 0;
		while (i < n && is_same(l, l->n - 2 - i, l->n - 2 - i - period))
			i++;
		if (i == n)
			return period;
	}
	return 0;
}

static bool is_plain(const struct loop *loop, const struct executed *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->insns[i] != loop->first + i)
			return false;
	return p->n_iterations == 1 && p->n == loop->last - loop->first + 1;
}

struct executed executed_find(struct arena *a, const struct loop *loop,
			      const uint32_t *order, size_t n)
{
	size_t *starts = ARENA_ARRAY(a, size_t, n + 1);
	struct iterations l = { .order = order, .starts = starts };
	struct executed p = { 0 };
	size_t from;

	for (size_t i = 0; i < n; i++)
		if (order[i] == loop->first)
			starts[l.n++] = i;
	p.n_iterations = period_of(&l);
	if (p.n_iterations == 0)
		return (struct executed){ 0 };
	from = starts[l.n - 1 - p.n_iterations];
	p.n = starts[l.n - 1] - from;
	p.insns = order + from;
	if (p.n > MAX_INSNS || is_plain(loop, &p))
		return (struct executed){ 0 };
	for (size_t i = 0; i < p.n; i++)
		if (p.insns[i] == UINT32_MAX)
			return (struct executed){ 0 };
	p.insns = arena_copy(a, p.insns, p.n * sizeof(*p.insns));
	return p;
}

/* ---- text -------------------------------------------------------------- */

const char *executed_text(struct arena *a, const struct executed *p)
{
	struct buffer out = { 0 };
	const char *text;

	for (size_t i = 0, end; i < p->n; i = end) {
		for (end = i + 1;
		     end < p->n && p->insns[end] == p->insns[end - 1] + 1;)
			end++;
		buffer_printf(&out, "%s%u-%u", i > 0 ? "," : "", p->insns[i],
			      p->insns[end - 1]);
	}
	if (p->n > 0)
		buffer_printf(&out, "/%zu", p->n_iterations);
	buffer_add(&out, "", 1);
	text = p->n > 0 ? arena_copy(a, out.bytes, out.n) : "-";
	buffer_free(&out);
	return text;
}

bool executed_parse(struct arena *a, const char *text, size_t n_insns,
		    struct executed *ret)
{
	uint32_t *insns = ARENA_ARRAY(a, uint32_t, MAX_INSNS);
	char *end = (char *)(uintptr_t)text;

	*ret = (struct executed){ .insns = insns };
	if (strcmp(text, "-") == 0)
		return true;
	do {
		unsigned long first = strtoul(end, &end, 10), last = first;

		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		if (last < first || last >= n_insns ||
		    last - first >= MAX_INSNS - ret->n)
			return false;
		while (first <= last)
			insns[ret->n++] = (uint32_t)first++;
	} while (*end++ == ',');
	if (end[-1] != '/')
		return false;
	ret->n_iterations = strtoul(end, &end, 10);
	return *end == '\0' && ret->n_iterations > 0 &&
	       ret->n_iterations <= MAX_PERIOD;
}

/* ---- a program --------------------------------------------------------- */

/* A branch is taken if the next instruction is not behind it; the last one goes
 * back to the first. */
static uint32_t count_taken(const struct program *p)
{
	uint32_t n = 1;

	for (size_t i = 1; i < p->n; i++)
		n += p->insns[i].address !=
		     p->insns[i - 1].address + p->insns[i - 1].n_code;
	return n;
}

void executed_program(struct arena *a, const struct program *from,
		      const struct executed *p, struct program *ret,
		      struct loop *ret_loop)
{
	*ret = (struct program){ .c = from->c,
				 .placed = from->placed,
				 .n = p->n,
				 .insns = ARENA_ARRAY(a, struct insn, p->n) };
	for (size_t i = 0; i < p->n; i++)
		ret->insns[i] = from->insns[p->insns[i]];
	*ret_loop = (struct loop){ .last = p->n - 1,
				   .label = "",
				   .closed = true,
				   .n_taken = count_taken(ret) };
}
