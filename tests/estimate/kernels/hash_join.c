/* Probes of a hash table with linear probing: keys that are all there. */
#include "kernel.h"

enum { LEAST_PROBES = 1 << 14 };

struct entry {
	uint32_t key;
	float value;
};

static size_t mask, n_probes;
static struct entry *table;
static uint32_t *keys;

static size_t hash(uint32_t key)
{
	return (key * UINT32_C(2654435769)) >> 7 & mask;
}

/* n: entries of the table, a power of two; half of them are used. */
void kernel_setup(size_t n, size_t rows)
{
	uint32_t x = 1;

	(void)rows;
	mask = n - 1;
	n_probes = n / 8 > LEAST_PROBES ? n / 8 : LEAST_PROBES;
	table = calloc(n, sizeof(*table));
	keys = malloc(n_probes * sizeof(*keys));
	if (!table || !keys)
		abort();
	for (size_t i = 0; i < n / 2; i++) {
		uint32_t key = (uint32_t)i * 7 + 1;
		size_t at = hash(key);

		while (table[at].key != 0)
			at = (at + 1) & mask;
		table[at] = (struct entry){ key, (float)i };
	}
	for (size_t i = 0; i < n_probes; i++) {
		x = x * UINT32_C(1664525) + UINT32_C(1013904223);
		keys[i] = (uint32_t)((uint64_t)x * (n / 2) >> 32) * 7 + 1;
	}
}

float kernel_run(void)
{
	float sum = 0;

	for (size_t i = 0; i < n_probes; i++) {
		size_t at = hash(keys[i]);

		while (table[at].key != keys[i])
			at = (at + 1) & mask;
		sum += table[at].value;
	}
	return sum;
}
