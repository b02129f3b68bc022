#include "tests/qemu/records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/pack.h"

void fail(const char *what, const char *detail)
{
	fprintf(stderr, "FAILED: %s: %s\n", what, detail);
	exit(1);
}

bool find(const struct console *c, const char *kind, size_t n,
	  struct wire_record *ret)
{
	for (size_t i = 0; i < c->n; i++) {
		struct wire_record r;

		if (wire_parse(c->lines[i], strlen(c->lines[i]), &r) != WIRE_OK)
			continue;
		if (wire_is(&r, kind) && n-- == 0) {
			*ret = r;
			return true;
		}
	}
	return false;
}

struct wire_record about(const struct console *c, const char *kind, uint64_t k)
{
	struct wire_record r;
	char text[32];
	uint64_t is;

	for (size_t i = 0; find(c, kind, i, &r); i++)
		if (wire_get_u64(&r, "k", &is) && is == k)
			return r;
	snprintf(text, sizeof(text), "none for kernel %u", (unsigned)k);
	fail(kind, text);
}

uint64_t number(const struct wire_record *r, const char *key)
{
	uint64_t v = 0;

	if (!wire_get_u64(r, key, &v))
		fail(key, "a number in the record");
	return v;
}

void want_word(const struct wire_record *r, const char *key, const char *want)
{
	char word[64] = "(absent)";

	if (wire_get_word(r, key, word, sizeof(word)) &&
	    strcmp(word, want) == 0)
		return;
	fprintf(stderr, "%s: expected %s, found %s\n", key, want, word);
	fail(r->kind, key);
}

void want_whole(const struct console *c)
{
	struct wire_record r;
	uint64_t seq = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (wire_parse(c->lines[i], strlen(c->lines[i]), &r) != WIRE_OK)
			continue;
		if (r.seq != seq++)
			fail("sequence", c->lines[i]);
	}
	if (!find(c, "bye", 0, &r))
		fail("bye", "the run did not end");
}

void want_slope(const struct wire_record *r, uint64_t cycles)
{
	uint64_t unroll[PACK_LENGTHS], d[3 * 64];
	uint64_t n = number(r, "n"), n_rows;
	int n_d = wire_get_list(r, "d", d, ARRAY_LEN(d));

	/* Equal rows are said once. */
	if (!wire_get_u64(r, "rows", &n_rows))
		n_rows = (uint64_t)n_d / PACK_LENGTHS;
	if (wire_get_list(r, "u", unroll, PACK_LENGTHS) != PACK_LENGTHS ||
	    n_d < PACK_LENGTHS || n_rows < 2 || n_d % PACK_LENGTHS)
		fail("sample", "two rows of three lengths at least");
	for (int row = 0; row < n_d; row += PACK_LENGTHS)
		for (int i = 1; i < PACK_LENGTHS; i++) {
			uint64_t bodies = (unroll[i] - unroll[i - 1]) * n;

			if (d[row + i] - d[row + i - 1] == bodies * cycles)
				continue;
			fprintf(stderr, "%llu ticks for %llu bodies\n",
				(unsigned long long)(d[row + i] -
						     d[row + i - 1]),
				(unsigned long long)bodies);
			fail("slope", "not exact");
		}
}

void want_alone(const struct wire_record *r)
{
	uint64_t unroll[PACK_LENGTHS], i[PACK_LENGTHS];
	uint64_t n = number(r, "n");

	/* One row: all repeats are equal. */
	if (wire_get_list(r, "i", i, PACK_LENGTHS) != PACK_LENGTHS ||
	    wire_get_list(r, "u", unroll, PACK_LENGTHS) != PACK_LENGTHS)
		fail("instructions", "one row for all repeats");
	for (int k = 1; k < PACK_LENGTHS; k++)
		if (i[k] - i[k - 1] != (unroll[k] - unroll[k - 1]) * n)
			fail("instructions", "those of the kernel alone");
}

void want_same(const struct console *one, const struct console *two)
{
	struct wire_record x, y;

	for (size_t i = 0; find(one, "sample", i, &x); i++) {
		size_t n = (size_t)(x.fields[x.n_fields - 1].value.at +
				    x.fields[x.n_fields - 1].value.length -
				    x.fields[0].key.at);

		if (!find(two, "sample", i, &y) ||
		    strncmp(x.fields[0].key.at, y.fields[0].key.at, n) != 0)
			fail("second boot", x.fields[0].key.at);
	}
}
