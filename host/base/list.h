/* Lists of words in a text. */
#ifndef BASE_LIST_H
#define BASE_LIST_H

#include <string.h>

#include "common/types.h"

/* Is `word` one of a list, with one separator between any two words? */
static inline bool list_has(const char *list, char separator, const char *word)
{
	const char ends[] = { separator, '\0' };
	size_t n = strlen(word);

	while (*list != '\0') {
		size_t size = strcspn(list, ends);

		if (size == n && strncmp(list, word, n) == 0)
			return true;
		list += size + (list[size] == separator);
	}
	return false;
}

#endif
