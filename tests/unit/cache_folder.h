/* A directory of the test's own in place of the user's caches. */
#ifndef TESTS_UNIT_CACHE_FOLDER_H
#define TESTS_UNIT_CACHE_FOLDER_H

#include "tests/unit/unit.h"

struct folder {
	char path[64];
};

static inline struct folder folder_make(void)
{
	struct folder f = { "/tmp/anechoic-cache-XXXXXX" };

	assert_non_null(mkdtemp(f.path));
	assert_int_equal(setenv("XDG_CACHE_HOME", f.path, 1), 0);
	return f;
}

static inline void folder_remove(const struct folder *f)
{
	char command[128];

	(void)snprintf(command, sizeof(command), "rm -rf '%s'", f->path);
	assert_int_equal(system(command), 0);
}

#endif
