/* What file_write() does with what is there: permissions, links, devices. */
#include <sys/stat.h>
#include <unistd.h>

#include "host/base/file.h"
#include "tests/unit/unit.h"

/* The current folder of each test is an empty one. */
static int enter(void **state)
{
	static char path[] = "/tmp/unit-file-write-XXXXXX";

	(void)memcpy(path + sizeof(path) - 7, "XXXXXX", 6);
	*state = path;
	return mkdtemp(path) && chdir(path) == 0 ? 0 : -1;
}

static int leave(void **state)
{
	char command[64];

	(void)snprintf(command, sizeof(command), "rm -rf %s",
		       (const char *)*state);
	return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

EACH(enter, leave);

static int write_text(const char *path, const char *text)
{
	struct err e = { 0 };

	return file_write(path, text, strlen(text), &e);
}

static void assert_text(const char *path, const char *text)
{
	SCOPED(arena_free) struct arena a = { 0 };
	struct err e = { 0 };
	unsigned char *bytes;
	size_t n;

	assert_int_equal(file_read(&a, path, 1000, &bytes, &n, &e), ERR_OK);
	assert_string_equal((const char *)bytes, text);
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	return st.st_mode;
}

TEST(modes_are_kept)
{
	static const mode_t modes[] = { 0600, 0640, 0666, 0755, 0200 };

	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		assert_int_equal(write_text("f", "old"), ERR_OK);
		assert_int_equal(chmod("f", modes[i]), 0);
		assert_int_equal(write_text("f", "new"), ERR_OK);
		assert_int_equal(mode_of("f") & 07777, modes[i]);
		assert_int_equal(unlink("f"), 0);
	}
}

TEST(new_files_have_the_umask)
{
	mode_t mask = umask(027);

	assert_int_equal(write_text("f", "new"), ERR_OK);
	(void)umask(mask);
	assert_int_equal(mode_of("f") & 07777, 0640);
}

TEST(owners_are_kept)
{
	struct stat st;

	assert_int_equal(write_text("f", "old"), ERR_OK);
	assert_int_equal(chmod("f", 0660), 0);
	if (chown("f", 12345, 23456) != 0)
		skip(); /* not root */
	assert_int_equal(write_text("f", "new"), ERR_OK);
	assert_int_equal(stat("f", &st), 0);
	assert_int_equal(st.st_uid, 12345);
	assert_int_equal(st.st_gid, 23456);
	assert_int_equal(st.st_mode & 07777, 0660);
}

TEST(links_are_kept)
{
	assert_int_equal(mkdir("d", 0777), 0);
	assert_int_equal(write_text("d/f", "old"), ERR_OK);
	assert_int_equal(chmod("d/f", 0600), 0);
	assert_int_equal(symlink("f", "d/one"), 0);
	assert_int_equal(symlink("d/one", "two"), 0);
	assert_int_equal(write_text("two", "new"), ERR_OK);
	assert_true(S_ISLNK(mode_of("two")));
	assert_true(S_ISLNK(mode_of("d/one")));
	assert_int_equal(mode_of("d/f") & 07777, 0600);
	assert_text("d/f", "new");
}

TEST(a_dangling_link_makes_its_target)
{
	assert_int_equal(mkdir("d", 0777), 0);
	assert_int_equal(symlink("d/f", "link"), 0);
	assert_int_equal(write_text("link", "new"), ERR_OK);
	assert_true(S_ISLNK(mode_of("link")));
	assert_text("d/f", "new");
	assert_int_equal(symlink("none/f", "lost"), 0);
	assert_int_equal(write_text("lost", "new"), ERR_INPUT);
	assert_true(S_ISLNK(mode_of("lost")));
}

TEST(a_circle_of_links_is_refused)
{
	assert_int_equal(symlink("b", "a"), 0);
	assert_int_equal(symlink("a", "b"), 0);
	assert_int_equal(write_text("a", "new"), ERR_INPUT);
	assert_true(S_ISLNK(mode_of("a")));
	assert_true(S_ISLNK(mode_of("b")));
}

TEST(a_folder_is_refused)
{
	assert_int_equal(mkdir("d", 0777), 0);
	assert_int_equal(write_text("d", "new"), ERR_INPUT);
	assert_true(S_ISDIR(mode_of("d")));
}

/* As of a shell's `{ echo one; anechoic ... -o /dev/stdout; } >f`. */
TEST(a_standard_stream_is_continued)
{
	static const char *const paths[] = { "/dev/stdout", "/dev/fd/1",
					     "/proc/self/fd/1" };
	int was = dup(STDOUT_FILENO);

	assert_true(was >= 0);
	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		bool good = false;

		(void)fflush(stdout);
		if (freopen("f", "w", stdout)) {
			good = printf("one ") == 4 &&
			       write_text(paths[i], "two ") == ERR_OK &&
			       printf("three") == 5 && fflush(stdout) == 0;
			assert_true(dup2(was, STDOUT_FILENO) >= 0);
		}
		assert_true(good);
		assert_text("f", "one two three");
	}
	assert_int_equal(close(was), 0);
	assert_false(S_ISREG(mode_of("/dev/stdout")));
}

TEST(a_pipe_is_written)
{
	int ends[2];
	char path[64], got[8] = "";

	assert_int_equal(pipe(ends), 0);
	(void)snprintf(path, sizeof(path), "/dev/fd/%d", ends[1]);
	assert_int_equal(write_text(path, "new"), ERR_OK);
	assert_int_equal(read(ends[0], got, sizeof(got)), 3);
	assert_string_equal(got, "new");
	assert_int_equal(close(ends[0]), 0);
	assert_int_equal(close(ends[1]), 0);
}

/* A name that is gone: the file of the descriptor is written. */
TEST(a_removed_file_is_written)
{
	struct stat st;
	FILE *f = fopen("f", "w+");
	char path[64];

	assert_non_null(f);
	assert_int_equal(unlink("f"), 0);
	(void)snprintf(path, sizeof(path), "/dev/fd/%d", fileno(f));
	assert_int_equal(write_text(path, "new"), ERR_OK);
	assert_int_equal(fstat(fileno(f), &st), 0);
	assert_int_equal(st.st_size, 3);
	assert_int_not_equal(access("f", F_OK), 0);
	assert_int_not_equal(access("f (deleted)", F_OK), 0);
	assert_int_equal(fclose(f), 0);
}
