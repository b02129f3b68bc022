/* The user's cache directory where it, or the one above it, is not the user's. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/base/cache.h"
#include "tests/unit/unit.h"

struct folder {
	char path[64];
};

static struct folder folder_make(void)
{
	struct folder f = { "/tmp/anechoic-cache-XXXXXX" };

	assert_non_null(mkdtemp(f.path));
	assert_int_equal(setenv("XDG_CACHE_HOME", f.path, 1), 0);
	return f;
}

static void folder_remove(const struct folder *f)
{
	char command[128];

	(void)snprintf(command, sizeof(command), "rm -rf '%s'", f->path);
	assert_int_equal(system(command), 0);
}

/* Nothing is made in a directory of another user, and nothing is read from one that
 * others can write. */
TEST(foreign_directory)
{
	enum { OTHER_USER = 12345 };
	struct folder f = folder_make();
	struct arena a = { 0 };
	const char *cache = arena_printf(&a, "%s/cache", f.path);
	const char *own = arena_printf(&a, "%s/anechoic", cache);

	assert_int_equal(setenv("XDG_CACHE_HOME", cache, 1), 0);
	/* Only root can give a directory away, and only root can write one that
	 * is another's. */
	if (geteuid() == 0) {
		assert_int_equal(chown(f.path, OTHER_USER, OTHER_USER), 0);
		assert_null(cache_path(&a, "model x"));
		assert_int_equal(access(cache, F_OK), -1);
		assert_int_equal(mkdir(cache, 0700), 0);
		assert_int_equal(chown(cache, OTHER_USER, OTHER_USER), 0);
		assert_null(cache_path(&a, "model x"));
		assert_int_equal(rmdir(cache), 0); /* it is empty */
		assert_int_equal(chown(f.path, 0, 0), 0);
	}
	assert_non_null(cache_path(&a, "model x"));
	assert_int_equal(access(own, F_OK), 0);
	assert_int_equal(chmod(own, 0770), 0);
	assert_null(cache_path(&a, "model x"));
	assert_int_equal(chmod(own, 0707), 0);
	assert_null(cache_path(&a, "model x"));
	assert_int_equal(chmod(own, 0700), 0);
	assert_non_null(cache_path(&a, "model x"));
	if (geteuid() == 0) {
		assert_int_equal(chown(own, OTHER_USER, OTHER_USER), 0);
		assert_null(cache_path(&a, "model x"));
	}
	arena_free(&a);
	folder_remove(&f);
}
