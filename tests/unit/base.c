/* Tests of host/base: memory, files, errors and .conf files, also with hostile
 * input. */
#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/base/arena.h"
#include "host/base/board.h"
#include "host/base/conf.h"
#include "host/base/err.h"
#include "host/base/file.h"
#include "host/base/qemu.h"
#include "host/base/random.h"
#include "tests/unit/unit.h"

/* A scratch folder and an arena per test. */
struct scratch {
	struct arena arena;
	struct err err;
	char folder[64];
};

static int set_up(void **state)
{
	struct scratch *s = calloc(1, sizeof(*s));

	if (!s)
		return -1;
	(void)strcpy(s->folder, "/tmp/anechoic-base-XXXXXX");
	*state = s;
	return mkdtemp(s->folder) ? 0 : -1;
}

static int tear_down(void **state)
{
	struct scratch *s = *state;
	char *command = arena_printf(&s->arena, "rm -rf '%s'", s->folder);
	int ret = system(command);

	arena_free(&s->arena);
	free(s);
	return ret;
}

EACH(set_up, tear_down);

static char *in_scratch(struct scratch *s, const char *name)
{
	return arena_printf(&s->arena, "%s/%s", s->folder, name);
}

/* Write a file without the code under test. */
static char *put(struct scratch *s, const char *name, const char *bytes,
		 size_t n)
{
	char *path = in_scratch(s, name);
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
	return path;
}

static void assert_message(const struct err *e, int code, const char *part)
{
	assert_int_equal(e->code, code);
	assert_part(e->message, part);
}

static size_t n_files(const char *folder)
{
	DIR *dir = opendir(folder);
	size_t n = 0;

	assert_non_null(dir);
	for (struct dirent *d = readdir(dir); d; d = readdir(dir))
		n += d->d_name[0] != '.';
	(void)closedir(dir);
	return n;
}

/* ---- arena ------------------------------------------------------------ */

TEST_ON(arena_memory_is_zeroed_and_aligned, struct scratch *s)
{
	for (size_t n = 1; n < 300000; n = n * 3 + 1) {
		unsigned char *p = arena_alloc(&s->arena, n, 1);

		assert_int_equal((uintptr_t)p % 16, 0);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xff, n);
	}
}

TEST_ON(arena_blocks_do_not_overlap, struct scratch *s)
{
	unsigned char *parts[200];

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		parts[i] = arena_alloc(&s->arena, 1 + i * 31, 1);
		memset(parts[i], (int)i, 1 + i * 31);
	}
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		for (size_t k = 0; k < 1 + i * 31; k++)
			assert_int_equal(parts[i][k], i);
}

TEST_ON(arena_can_be_used_after_free, struct scratch *s)
{
	(void)arena_alloc(&s->arena, 100, 1000);
	arena_free(&s->arena);
	assert_string_equal(arena_strdup(&s->arena, "again"), "again");
}

TEST_ON(arena_product_overflow_ends_the_program, struct scratch *s)
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0) {
		(void)freopen("/dev/null", "w", stderr);
		(void)arena_alloc(&s->arena, SIZE_MAX / 2, 4);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
}

/* ---- random ----------------------------------------------------------- */

/* The first numbers of the authors' splitmix64.c. */
TEST(random_is_splitmix64)
{
	uint64_t seed = 0;

	assert_true(random_next(&seed) == 0xe220a8397b1dcdafull);
	assert_true(random_next(&seed) == 0x6e789e6aa1b965f4ull);
	assert_true(random_unit(&seed) < 1);
}

/* ---- err -------------------------------------------------------------- */

TEST(err_keeps_the_first_message)
{
	struct err e = { 0 };

	assert_int_equal(err_set(&e, ERR_INPUT, "first"), ERR_INPUT);
	assert_int_equal(err_set(&e, ERR_FAILED, "second"), ERR_FAILED);
	assert_message(&e, ERR_INPUT, "first");
}

TEST(err_cuts_long_messages)
{
	struct err e = { 0 };
	char word[2000];

	memset(word, 'x', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	(void)err_set(&e, ERR_INPUT, "%s", word);
	assert_int_equal(strlen(e.message), sizeof(e.message) - 1);
}

TEST(err_codes_have_exit_statuses)
{
	assert_int_equal(err_exit_status(ERR_OK), 0);
	assert_int_equal(err_exit_status(ERR_USAGE), 2);
	assert_int_equal(err_exit_status(ERR_INPUT), 2);
	assert_int_equal(err_exit_status(ERR_FAILED), 1);
	assert_int_equal(err_exit_status(ERR_SYSTEM), 1);
	assert_int_equal(err_exit_status(ERR_INTERRUPTED), 1);
}

/* ---- files ------------------------------------------------------------ */

TEST_ON(file_round_trips, struct scratch *s)
{
	char *path = in_scratch(s, "f");
	unsigned char *bytes;
	size_t n;

	assert_int_equal(file_write(path, "a\0b", 3, &s->err), ERR_OK);
	assert_ok(file_read(&s->arena, path, 3, &bytes, &n, &s->err), &s->err);
	assert_int_equal(n, 3);
	assert_memory_equal(bytes, "a\0b\0", 4);
	assert_int_equal(n_files(s->folder), 1);
}

TEST_ON(file_read_refuses_what_is_too_long, struct scratch *s)
{
	char *path = put(s, "f", "1234", 4);
	unsigned char *bytes = NULL;
	size_t n = 77;

	assert_int_equal(file_read(&s->arena, path, 3, &bytes, &n, &s->err),
			 ERR_INPUT);
	assert_message(&s->err, ERR_INPUT, "larger than 3 bytes");
	assert_null(bytes);
	assert_int_equal(n, 77);
}

TEST_ON(file_read_names_a_missing_file, struct scratch *s)
{
	char *path = in_scratch(s, "absent");
	unsigned char *bytes;
	size_t n;

	assert_int_equal(file_read(&s->arena, path, 9, &bytes, &n, &s->err),
			 ERR_INPUT);
	assert_message(&s->err, ERR_INPUT, path);
}

TEST_ON(file_write_replaces_the_old_file, struct scratch *s)
{
	char *path = put(s, "f", "old and longer", 14);
	unsigned char *bytes;
	size_t n;

	assert_int_equal(file_write(path, "new", 3, &s->err), ERR_OK);
	assert_ok(file_read(&s->arena, path, 99, &bytes, &n, &s->err), &s->err);
	assert_int_equal(n, 3);
	assert_memory_equal(bytes, "new", 3);
}

/* A file size limit refuses the write the way a full disk does. */
TEST_ON(file_write_on_a_full_disk_keeps_the_old_file, struct scratch *s)
{
	char *path = put(s, "f", "old", 3);
	struct rlimit before;
	static char big[100000];
	unsigned char *bytes;
	size_t n;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);

	struct rlimit small = { 4096, before.rlim_max };

	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);

	int ret = file_write(path, big, sizeof(big), &s->err);

	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(ret, ERR_SYSTEM);
	assert_message(&s->err, ERR_SYSTEM, path);
	assert_int_equal(n_files(s->folder), 1);
	assert_int_equal(
		file_read(&s->arena, path, 99, &bytes, &n, &(struct err){ 0 }),
		ERR_OK);
	assert_int_equal(n, 3);
	assert_memory_equal(bytes, "old", 3);
}

TEST_ON(file_write_to_a_full_device_fails, struct scratch *s)
{
	assert_int_equal(file_write("/dev/full", "x", 1, &s->err), ERR_SYSTEM);
	assert_message(&s->err, ERR_SYSTEM, "/dev/full");
}

TEST_ON(file_write_needs_a_folder, struct scratch *s)
{
	char *path = in_scratch(s, "no/such/folder");

	assert_int_equal(file_write(path, "x", 1, &s->err), ERR_INPUT);
	assert_message(&s->err, ERR_INPUT, path);
}

TEST_ON(qemu_values_have_double_commas, struct scratch *s)
{
	assert_string_equal(qemu_value(&s->arena, "/a b/c"), "/a b/c");
	assert_string_equal(qemu_value(&s->arena, ",/a,,b,"), ",,/a,,,,b,,");
	assert_string_equal(qemu_value(&s->arena, ""), "");
}

TEST(buffer_grows)
{
	struct buffer b = { 0 };
	char word[3000];

	memset(word, 'y', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	for (int i = 0; i < 10; i++)
		buffer_printf(&b, "%d%s", i, word);
	assert_int_equal(b.n, 10 * sizeof(word));
	assert_int_equal(b.bytes[9 * sizeof(word)], '9');
	buffer_free(&b);
	assert_null(b.bytes);
}

/* ---- conf ------------------------------------------------------------- */

TEST_ON(conf_reads_keys_and_values, struct scratch *s)
{
	static const char text[] =
		"# comment\r\n\n  \t\nkey = a value = b \t\r\n"
		"empty =\nlast=1";
	char *path = put(s, "c", text, sizeof(text) - 1);
	struct conf c;

	assert_int_equal(conf_read(&s->arena, path, &c, &s->err), ERR_OK);
	assert_int_equal(c.n, 3);
	assert_string_equal(conf_get(&c, "key"), "a value = b");
	assert_int_equal(c.entries[0].line, 4);
	assert_string_equal(conf_get(&c, "empty"), "");
	assert_string_equal(conf_get(&c, "last"), "1");
	assert_null(conf_get(&c, "absent"));
}

TEST_ON(conf_refuses_unknown_keys, struct scratch *s)
{
	char *path = put(s, "c", "one = 1\nthree = 3\n", 18);
	const char *const known[] = { "one", "two", NULL };
	struct conf c;

	assert_int_equal(conf_read(&s->arena, path, &c, &s->err), ERR_OK);
	assert_int_equal(conf_check_keys(&c, known, &s->err), ERR_INPUT);
	assert_message(&s->err, ERR_INPUT, ":2:");
	assert_message(&s->err, ERR_INPUT, "three");
}

/* Malformed .conf files, and text that the message must contain. */
static const struct bad_conf {
	const char *name, *text;
	size_t n;
	const char *says;
} bad_confs[] = {
	{ "conf_refuses_a_line_without_equals", "a = 1\nnonsense\n", 15,
	  ":2:" },
	{ "conf_refuses_an_empty_key", " = 1\n", 5, ":1:" },
	{ "conf_refuses_an_upper_case_key", "Key = 1\n", 8, ":1:" },
	{ "conf_refuses_a_key_of_two_words", "a b = 1\n", 8, ":1:" },
	{ "conf_refuses_an_indented_key", " a = 1\n", 7, ":1:" },
	{ "conf_refuses_a_key_twice", "a = 1\na = 2\n", 12, ":2:" },
	{ "conf_refuses_zero_bytes", "a = 1\0b\n", 8, "text file" },
	{ "conf_refuses_high_bytes_in_a_key", "\xff\xfe = 1\n", 7, ":1:" },
	{ "conf_refuses_a_lone_carriage_return", "a\r= 1\n", 6, ":1:" },
};

TEST_ROWS(conf_is_refused, bad_confs, name, const struct bad_conf *bad)
{
	void *scratch = NULL;

	assert_int_equal(set_up(&scratch), 0);

	struct scratch *s = scratch;
	char *path = put(s, "c", bad->text, bad->n);
	struct conf c = { .n = 77 };

	assert_int_equal(conf_read(&s->arena, path, &c, &s->err), ERR_INPUT);
	assert_message(&s->err, ERR_INPUT, path);
	assert_message(&s->err, ERR_INPUT, bad->says);
	assert_int_equal(c.n, 77);
	assert_int_equal(tear_down(&scratch), 0);
}

TEST_ON(conf_refuses_a_huge_file, struct scratch *s)
{
	static char big[100000];

	memset(big, '#', sizeof(big));

	char *path = put(s, "c", big, sizeof(big));
	struct conf c;

	assert_int_equal(conf_read(&s->arena, path, &c, &s->err), ERR_INPUT);
	assert_message(&s->err, ERR_INPUT, "is larger than");
}
