/* A Feistel network over the numbers of pieces (Luby and Rackoff, "How to
 * construct pseudorandom permutations from pseudorandom functions", SIAM J.
 * Comput. 17, 1988): whatever the round function is, no two pieces get the same
 * number. */
#include "host/cache/physical.h"

/* Two halves of 22 bits: pieces of 4K in 56 bits of address.  Bits of a number
 * above these 44 stay. */
enum { HALF = 22, ROUNDS = 4 };

static const uint64_t half_mask = ((uint64_t)1 << HALF) - 1;

static uint64_t mixed(uint64_t half, uint64_t round)
{
	uint64_t x = (half + round + 1) * UINT64_C(0x9e3779b97f4a7c15);

	return (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 40 & half_mask;
}

static uint64_t permuted(uint64_t piece)
{
	uint64_t left = piece >> HALF & half_mask, right = piece & half_mask;

	for (uint64_t i = 0; i < ROUNDS; i++) {
		uint64_t next = left ^ mixed(right, i);

		left = right;
		right = next;
	}
	return (piece >> 2 * HALF << HALF | left) << HALF | right;
}

/* Is this piece scattered? */
static bool is_scattered(uint64_t piece, uint32_t percent)
{
	return mixed(piece, ROUNDS) % 100 < percent;
}

uint64_t physical_line(uint64_t line, uint32_t shift, uint32_t percent)
{
	uint64_t piece = line >> shift;

	/* Permute until the number is that of a scattered piece, so scattered
	 * pieces change places among themselves.  A permutation comes back to
	 * its start, so this ends (J. Black and P. Rogaway, "Ciphers with
	 * arbitrary finite domains", CT-RSA 2002: cycle walking). */
	if (!is_scattered(piece, percent))
		return line;
	do
		piece = permuted(piece);
	while (!is_scattered(piece, percent));
	return piece << shift | (line & (((uint64_t)1 << shift) - 1));
}
