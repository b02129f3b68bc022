/* Edit distance; see nearest.h. */
#include "host/base/nearest.h"

#include <ctype.h>
#include <string.h>

enum { MAX_WORD = 64, EDIT = 2, CASE = 1 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t replacement(char a, char b, size_t of_case)
{
	if (a == b)
		return 0;
	return tolower((unsigned char)a) == tolower((unsigned char)b) ? of_case
								      : EDIT;
}

/* Twice the number of edits, by rows of the usual table. */
static size_t distance(const char *a, size_t n_a, const char *b, size_t n_b,
		       size_t of_case)
{
	size_t rows[3][MAX_WORD + 1];
	size_t *before = rows[0], *last = rows[1], *row = rows[2];

	for (size_t k = 0; k <= n_b; k++)
		last[k] = EDIT * k;
	for (size_t i = 1; i <= n_a; i++) {
		size_t *spare = before;

		row[0] = EDIT * i;
		for (size_t k = 1; k <= n_b; k++) {
			row[k] = least(last[k], row[k - 1]) + EDIT;
			row[k] = least(row[k],
				       last[k - 1] + replacement(a[i - 1],
								 b[k - 1],
								 of_case));
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] &&
			    a[i - 2] == b[k - 1])
				row[k] = least(row[k], before[k - 2] + EDIT);
		}
		before = last;
		last = row;
		row = spare;
	}
	return last[n_b];
}

void nearest_offer(struct nearest *n, const char *word)
{
	size_t n_wanted = strlen(n->wanted), n_word = strlen(word), far;

	if (n_wanted == 0 || n_wanted > MAX_WORD || n_word > MAX_WORD)
		return;
	far = distance(n->wanted, n_wanted, word, n_word,
		       n->any_case ? 0 : CASE);
	if (3 * far > EDIT * n_wanted || (n->best && far >= n->distance))
		return;
	n->best = word;
	n->distance = far;
}
