/* Text histograms: nothing lost, nothing wider than a terminal. */
#include "host/view/samples.h"
#include "tests/unit/unit.h"

enum { MAX = 1000, MAX_COLUMNS = 80, MAX_LINES = 14, HEAD = 2 };

/* Check the lines' width, and return the sum of their counts. */
static size_t sum_of(const struct buffer *b)
{
	char *text = malloc(b->n + 1);
	size_t sum = 0, n_lines = 0;

	assert_non_null(text);
	memcpy(text, b->bytes, b->n);
	text[b->n] = '\0';
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		assert_true(strlen(line) <= MAX_COLUMNS);
		if (n_lines++ >= HEAD)
			sum += strtoul(strrchr(line, ' '), NULL, 10);
	}
	assert_true(n_lines <= HEAD + MAX_LINES);
	free(text);
	return sum;
}

static struct view_point point(double cycles, uint32_t visit)
{
	return (struct view_point){ .cycles = cycles, .visit = visit };
}

static void counted(struct view_point *p, size_t n)
{
	SCOPED(buffer_free) struct buffer b = { 0 };

	view_histogram(&b, p, n);
	assert_int_equal(sum_of(&b), n);
}

TEST(every_row_is_in_a_bin)
{
	static const double scales[] = { 1e-3, 0.25, 1, 3.9, 123456.7 };
	static struct view_point p[MAX];
	uint64_t seed = 1;

	for (size_t s = 0; s < ARRAY_LEN(scales); s++)
		for (size_t n = 1; n < MAX; n += n / 3 + 1) {
			for (size_t i = 0; i < n; i++) {
				seed = seed * 6364136223846793005ull + 1;
				p[i].cycles = scales[s] *
					      (1 + (double)(seed >> 40) / 1e9);
				p[i].visit = (uint32_t)(i % 13);
			}
			counted(p, n);
			p[0].cycles *= 1000;
			p[n / 2].cycles = -3;
			counted(p, n);
		}
}

TEST(equal_rows_are_one_line)
{
	struct view_point p[] = { point(4, 0), point(4, 2), point(4, 1) };
	SCOPED(buffer_free) struct buffer b = { 0 };

	view_histogram(&b, p, ARRAY_LEN(p));
	buffer_add(&b, "", 1);
	assert_part((char *)b.bytes, "4 |012 ");
	assert_int_equal(sum_of(&b), 3);
}

TEST(two_states_are_two_heaps)
{
	struct view_point p[20];
	SCOPED(buffer_free) struct buffer b = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(p); i++)
		p[i] = point(i < 10 ? 1.001 : 2.001, i < 10 ? 0 : 7);
	view_histogram(&b, p, ARRAY_LEN(p));
	buffer_add(&b, "", 1);
	assert_part((char *)b.bytes, "1 |0000000000 ");
	assert_part((char *)b.bytes, "2 |7777777777 ");
}

TEST(zeros_and_nothing)
{
	struct view_point p[] = { point(0, 0), point(0, 1), point(0, 1),
				  point(1, 2), point(0, 0) };
	struct buffer b = { 0 };

	view_histogram(&b, p, 0);
	assert_int_equal(b.n, 0);
	counted(p, ARRAY_LEN(p));
}
