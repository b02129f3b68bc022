/* Temporary folders: what killed processes left is removed, nothing else. */
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/base/folder.h"
#include "tests/unit/unit.h"

static char tmp[] = "/tmp/unit-folder-XXXXXX";

static int make_tmp(void **state)
{
	(void)state;
	return mkdtemp(tmp) ? setenv("TMPDIR", tmp, 1) : -1;
}

static int remove_tmp(void **state)
{
	char command[64];

	(void)state;
	(void)snprintf(command, sizeof(command), "rm -r %s", tmp);
	return system(command);
}

GROUP(make_tmp, remove_tmp);

static bool exists(const char *name)
{
	char path[256];
	struct stat st;

	(void)snprintf(path, sizeof(path), "%s/%s", tmp, name);
	return lstat(path, &st) == 0;
}

static void make_folder(const char *name)
{
	char path[256];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s", tmp, name);
	assert_int_equal(mkdir(path, 0700), 0);
	(void)snprintf(path, sizeof(path), "%s/%s/kernels.pack", tmp, name);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fclose(f), 0);
}

/* The number of a process that has ended. */
static long dead(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	return (long)pid;
}

TEST(left_folders_are_removed)
{
	SCOPED(arena_free) struct arena a = { 0 };
	struct err e = { 0 };
	char left[64], link[64], live[64];
	const char *own;

	(void)snprintf(left, sizeof(left), "anechoic-%ld-abcdef", dead());
	(void)snprintf(link, sizeof(link), "anechoic-%ld-ghijkl", dead());
	(void)snprintf(live, sizeof(live), "anechoic-%ld-abcdef",
		       (long)getpid());
	make_folder(left);
	make_folder(live);
	make_folder("anechoic-notes");
	make_folder("other");
	{
		char path[256];

		(void)snprintf(path, sizeof(path), "%s/%s", tmp, link);
		assert_int_equal(symlink("other", path), 0);
	}
	own = folder_open(&a, &e);
	assert_non_null(own);
	assert_false(exists(left));
	assert_true(exists(link));
	assert_true(exists(live));
	assert_true(exists("anechoic-notes/kernels.pack"));
	assert_true(exists("other/kernels.pack"));
	folder_close(own);
	assert_int_not_equal(access(own, F_OK), 0);
}

TEST(no_place_says_what_to_do)
{
	SCOPED(arena_free) struct arena a = { 0 };
	struct err e = { 0 };

	assert_int_equal(setenv("TMPDIR", "/proc/none", 1), 0);
	assert_null(folder_open(&a, &e));
	assert_int_equal(e.code, ERR_SYSTEM);
	assert_part(e.message, "TMPDIR");
}
