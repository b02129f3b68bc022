/* Loads and stores across the end of a cache line or a page: half an access
 * lies before it. */
#include "host/isa/straddle.h"
#include "common/types.h"
#include "host/isa/variant.h"

/* X(bytes before the boundary) */
#define HEAD_LIST(X) X(1) X(2) X(4) X(8) X(16) X(32)

void straddle_variants(unsigned bytes, struct variant_list *ret)
{
	static const struct variant variants[][STRADDLE_MAX_VARIANTS] = {
#define X(n)                             \
	{ { .suffix = "line",            \
	    .family = FAMILY_LINE,       \
	    .head = n,                   \
	    .boundary = STRADDLE_LINE }, \
	  { .suffix = "page",            \
	    .family = FAMILY_PAGE,       \
	    .head = n,                   \
	    .boundary = STRADDLE_PAGE } },
		HEAD_LIST(X)
#undef X
	};

	for (size_t i = 0; i < ARRAY_LEN(variants); i++) {
		if (2u * variants[i][0].head != bytes)
			continue;
		for (size_t k = 0; k < STRADDLE_MAX_VARIANTS; k++)
			variant_add(ret, &variants[i][k]);
	}
}
