#include "host/store/kernel_class.h"

#include <string.h>

static const char *const words[] = {
#define X(id, word) [KERNEL_##id] = word,
	KERNEL_CLASS_LIST(X)
#undef X
};

const char *kernel_class_word(enum kernel_class group)
{
	return words[group];
}

enum kernel_class kernel_class_of(const char *word)
{
	for (int i = 0; i < KERNEL_N_CLASSES; i++)
		if (strcmp(words[i], word) == 0)
			return (enum kernel_class)i;
	return KERNEL_UNKNOWN;
}

enum row_level kernel_class_level(enum kernel_class group)
{
	return group >= KERNEL_BITS_512   ? ROW_64_BYTES
	       : group >= KERNEL_BITS_256 ? ROW_32_BYTES
					  : ROW_NARROW;
}
