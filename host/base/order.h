/* Order by texts. */
#ifndef BASE_ORDER_H
#define BASE_ORDER_H

#include <stdlib.h>
#include <string.h>

#include "common/types.h"

/* -1, 0 or 1 by two numbers. */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* Compare items that begin with a name (const char *), for qsort(). */
static inline int order_by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* qsort(), also of no items, for which there may be no list. */
static inline void order_sort(void *list, size_t n, size_t size,
			      int (*compare)(const void *a, const void *b))
{
	if (n > 0)
		qsort(list, n, size, compare);
}

/* strcmp() of the first of n pairs that differ; 0 if none does. */
static inline int order_texts(const char *const (*pairs)[2], size_t n)
{
	int order = 0;

	for (size_t i = 0; i < n && order == 0; i++)
		order = strcmp(pairs[i][0], pairs[i][1]);
	return order;
}

/* Of n items of this size that begin with a name (const char *) and are sorted
 * by it: the index of the first whose name is not below `name`. */
static inline size_t order_find_name(const char *name, const void *list,
				     size_t n, size_t size)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const char *const *its =
			(const void *)((const char *)list + middle * size);

		if (strcmp(*its, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
