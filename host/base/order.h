/* Order by several texts. */
#ifndef BASE_ORDER_H
#define BASE_ORDER_H

#include <string.h>

#include "common/types.h"

/* strcmp() of the first of n pairs that differ; 0 if none does. */
static inline int order_texts(const char *const (*pairs)[2], size_t n)
{
	int order = 0;

	for (size_t i = 0; i < n && order == 0; i++)
		order = strcmp(pairs[i][0], pairs[i][1]);
	return order;
}

#endif
