/* Cells of the tables in docs/: what they say must be so. */
#ifndef UNIT_DOCS_TABLE_H
#define UNIT_DOCS_TABLE_H

#include "tests/unit/unit.h"

enum { DOCS_CELL = 256 };

/* The second cell of the row `key`, without the marks around code. */
static inline void docs_cell(const char *path, const char *key,
			     char ret[DOCS_CELL])
{
	FILE *f = fopen(path, "r");
	char line[4096], begin[64];
	size_t n = 0;

	assert_non_null(f);
	(void)snprintf(begin, sizeof(begin), "| `%s` | ", key);
	ret[0] = '\0';
	while (fgets(line, sizeof(line), f))
		if (strncmp(line, begin, strlen(begin)) == 0) {
			for (const char *at = line + strlen(begin);
			     *at && *at != '|' && n + 1 < DOCS_CELL; at++)
				if (*at != '`')
					ret[n++] = *at;
			ret[n] = '\0';
			break;
		}
	(void)fclose(f);
	if (n == 0)
		fail_msg("%s has no row of %s", path, key);
}

/* The number with which the cell begins. */
static inline unsigned long docs_number(const char *path, const char *key)
{
	char cell[DOCS_CELL];
	unsigned long n;

	docs_cell(path, key, cell);
	if (sscanf(cell, "%lu", &n) != 1)
		fail_msg("%s: the default of %s is '%s'", path, key, cell);
	return n;
}

#endif
