/* The user's cache directory where it, or the one above it, is not the
 * user's. */
#include <sys/stat.h>
#include <unistd.h>

#include "host/base/cache.h"
#include "tests/unit/cache_folder.h"

/* Nothing is made in a directory of another user, and nothing is read from one
 * that others can write. */
TEST(foreign_directory)
{
	enum { OTHER_USER = 12345 };
	SCOPED(folder_remove) struct folder f = folder_make();
	SCOPED(arena_free) struct arena a = { 0 };
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
}
