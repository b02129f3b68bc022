/* See pairs.h. If class i lies inside class a, three rules hold for any class
 * j:
 *
 *	i and j share no more than a and j do
 *	a and j share no less than i and j do
 *	i and j share no less than a and j do without the rest of a */
#include "host/ports/pairs.h"

void pairs_start(struct pair_bounds *b)
{
	for (size_t i = 0; i < b->n; i++)
		for (size_t j = 0; j < b->n; j++) {
			unsigned x = b->size[i], y = b->size[j];

			b->low[i][j] = x > y ? x : y;
			b->high[i][j] = i == j ? x : x + y;
		}
}

static bool raise_low(struct pair_bounds *b, size_t i, size_t j, unsigned low)
{
	if (low <= b->low[i][j] || low > b->high[i][j])
		return false;
	b->low[i][j] = b->low[j][i] = low;
	return true;
}

static bool lower_high(struct pair_bounds *b, size_t i, size_t j, unsigned high)
{
	if (high >= b->high[i][j] || high < b->low[i][j])
		return false;
	b->high[i][j] = b->high[j][i] = high;
	return true;
}

bool pairs_note(struct pair_bounds *b, size_t i, size_t j, unsigned low,
		unsigned high)
{
	if (low > b->high[i][j] || high < b->low[i][j] || low > high)
		return false;
	(void)raise_low(b, i, j, low);
	(void)lower_high(b, i, j, high);
	return true;
}

static bool pairs_propagate(struct pair_bounds *b, size_t i, size_t a, size_t j)
{
	unsigned x = b->size[i], y = b->size[j], z = b->size[a];
	unsigned shared_most = z + y - b->low[a][j];
	unsigned shared_least = x + y - b->high[i][j];
	unsigned rest = z - x;
	unsigned kept = z + y - b->high[a][j];
	bool moved = false;

	if (x + y > shared_most)
		moved |= raise_low(b, i, j, x + y - shared_most);
	moved |= lower_high(b, a, j, z + y - shared_least);
	if (kept > rest)
		moved |= lower_high(b, i, j, x + y - (kept - rest));
	return moved;
}

void pairs_settle(struct pair_bounds *b)
{
	bool moved = true;

	while (moved) {
		moved = false;
		for (size_t i = 0; i < b->n; i++)
			for (size_t a = 0; a < b->n; a++) {
				if (i == a || b->out[i] || b->out[a] ||
				    b->high[i][a] != b->size[a])
					continue;
				for (size_t j = 0; j < b->n; j++)
					if (j != i && j != a && !b->out[j])
						moved |= pairs_propagate(b, i,
									 a, j);
			}
	}
}

bool pairs_known(const struct pair_bounds *b, size_t i, size_t j)
{
	return b->low[i][j] >= b->cap || b->low[i][j] == b->high[i][j];
}
