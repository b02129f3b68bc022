/* Boards whose output is hostile: each row of `kinds` sends the records of a
 * good board in its own way.  Whatever arrives, every kernel has its true
 * sample at the end and nothing else is stored. */
#include "common/crc32.h"
#include "host/link/intake.h"
#include "tests/unit/session_board.h"
#include "tests/unit/session_fixture.h"

enum {
	ENDLESS_BYTES = 1 << 20,
	EVERY = 40,    /* results between two costly misdeeds */
	HALF_AT = 120, /* the result that is cut by a reset */
	N_LATE = 8,    /* results that arrive in reverse */
	FIELD_MAX = 64,
	CHECKSUM = 10,    /* bytes of "*", eight digits and the newline */
	TEXT_LINES = 200, /* of TEXT_BYTES before each result: 3.5 MB in all */
	TEXT_BYTES = 60,
};

static void put(const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t took = write(STDOUT_FILENO, bytes, n);

		if (took <= 0)
			_exit(9);
		bytes += took;
		n -= (size_t)took;
	}
}

static bool is_result(const char *text)
{
	return strstr(text, " sample ") != NULL;
}

/* Send the record with another value for `key`, and a correct checksum. */
static void put_forged(const char *text, size_t n, const char *key,
		       const char *value)
{
	char line[2 * WIRE_LINE_MAX], field[FIELD_MAX];
	const char *at;
	size_t head, rest, length;

	(void)snprintf(field, sizeof(field), " %s=", key);
	at = strstr(text, field);
	if (!at)
		return;
	head = (size_t)(at - text) + strlen(field);
	rest = head + strcspn(text + head, " ");
	length = (size_t)snprintf(line, sizeof(line), "%.*s%s%.*s", (int)head,
				  text, value, (int)(n - rest - CHECKSUM),
				  text + rest);
	length += (size_t)snprintf(line + length, sizeof(line) - length,
				   "*%08x\n",
				   (unsigned)crc32_update(0, line, length));
	put(line, length);
}

/* ---- the kinds -------------------------------------------------------- */

static void nuls(struct child *c, const char *text, size_t n)
{
	static const char zeros[64];

	(void)c;
	put(zeros, sizeof(zeros));
	put(text, n / 2);
	put(zeros, 1);
	put(text + n / 2, n - n / 2);
	put(zeros, 3);
	put("\n", 1);
	put(text, n);
}

static void endless_lines(struct child *c, const char *text, size_t n)
{
	static char line[ENDLESS_BYTES];

	if (is_result(text) && ++c->n_results % (4 * EVERY) == 0) {
		memset(line, c->n_results / EVERY % 2 ? '@' : 'x',
		       sizeof(line));
		put(line, sizeof(line));
		put("\n", 1);
	}
	put(text, n);
}

static void invalid_lengths(struct child *c, const char *text, size_t n)
{
	static const char *const rows[] = { "0", "1", "7", "4294967296",
					    "18446744073709551615" };
	static const char *const lists[] = { "-",    "1",      "1,2,3,4,5", ",",
					     "1,,2", "1,2,3,", "-1,2,3" };

	(void)c;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		put_forged(text, n, "row", rows[i]);
	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		put_forged(text, n, "d", lists[i]);
	put_forged(text, n, "u", "1,2");
	put(text, n);
}

static void duplicates(struct child *c, const char *text, size_t n)
{
	(void)c;
	for (int i = 0; i < 3; i++)
		put(text, n);
}

/* Results in reverse, in groups; what is no result ends a group. */
static void out_of_order(struct child *c, const char *text, size_t n)
{
	static struct {
		char text[WIRE_LINE_MAX + 2];
		size_t n;
	} late[N_LATE];
	static int waiting;

	(void)c;
	if (is_result(text)) {
		memcpy(late[waiting].text, text, n);
		late[waiting++].n = n;
		if (waiting < N_LATE)
			return;
		n = 0;
	}
	while (waiting > 0) {
		waiting--;
		put(late[waiting].text, late[waiting].n);
	}
	put(text, n);
}

/* Other numbers with the checksum of the true ones, and other checksums. */
static void wrong_checksums(struct child *c, const char *text, size_t n)
{
	char line[WIRE_LINE_MAX + 2];
	char *digit;

	(void)c;
	memcpy(line, text, n);
	digit = memchr(line, '=', n);
	if (digit) {
		digit[1] = (char)(digit[1] == '1' ? '2' : '1');
		put(line, n);
	}
	put(text, n - CHECKSUM);
	put("*\n", 2);
	put(text, n - CHECKSUM);
	put("*0000000\n", 9);
	put(text, n - 2);
	put("g\n", 2);
	put(text, n - 1);
	put("00\n", 3);
	put(text, n);
}

static void giant_counts(struct child *c, const char *text, size_t n)
{
	static const char *const numbers[] = {
		"18446744073709551615",
		"18446744073709551616",
		"9223372036854775808",
		"4294967296",
		"4294967295",
		"99999999999999999999999999999999",
		"0xffffffffffffffffff",
		"-1",
		"1e9",
		"",
	};
	static const char *const keys[] = { "k", "visit", "length", "o" };

	(void)c;
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		for (size_t k = 0; k < ARRAY_LEN(keys) - 1; k++)
			put_forged(text, n, keys[k], numbers[i]);
	put_forged(text, n, keys[3], "18446744073709551616");
	put(text, n);
}

/* UTF-8, valid, overlong and cut; escape sequences that move, clear, name
 * windows and ask for answers. */
static void escapes(struct child *c, const char *text, size_t n)
{
	static const char junk[] =
		"\xe2\x80\xae\xc0\xaf\xf0\x9f\x92\xa9\xed\xa0\x80\xff\xfe"
		"\x1b[2J\x1b[1;1H\x1b]0;title\a\x1b[6n\x1bP+q\x1b\\\x9b"
		"31m\r\b\b\t\v\f";

	(void)c;
	put(junk, sizeof(junk) - 1);
	put("\n", 1);
	put(junk, sizeof(junk) - 1);
	put_forged(text, n, "x", "\x1b[2J\xe2\x80\xae");
	put(junk, sizeof(junk) - 1);
	put(text, n);
}

/* Each start ends in the middle of a record, once. */
static void half_lines(struct child *c, const char *text, size_t n)
{
	if (c->wrong && is_result(text) && ++c->n_results == HALF_AT) {
		put(text, n / 2);
		c->wrong = false;
		c->seq = 0;
		put("\r\nOpenSBI\r\n", 11);
		introduce(c);
		return;
	}
	put(text, n);
}

/* Whole commands, halves, and records of a host that talks to another. */
static void echoes(struct child *c, const char *text, size_t n)
{
	static const char bye[] = "@0 bye *";
	static const char run[] = "@1 run from=0 to=300 visit=0 ";
	char line[128];
	int length = snprintf(line, sizeof(line), "%s%08x\n%s*%08x\n", bye,
			      (unsigned)crc32_update(0, bye, 7), run,
			      (unsigned)crc32_update(0, run, sizeof(run) - 1));

	if (is_result(text) && ++c->n_results % EVERY == 0) {
		put(line + strlen(bye) + 9, (size_t)length - strlen(bye) - 9);
		put(line + strlen(bye) + 9, 12);
	}
	put(text, n);
}

/* The clock of the board and the numbers of its records run backwards. */
static void backwards(struct child *c, const char *text, size_t n)
{
	static uint64_t seq = UINT64_C(1) << 62;
	char line[2 * WIRE_LINE_MAX];
	size_t mark = strcspn(text, " ");
	size_t length;

	(void)c;
	length = (size_t)snprintf(line, sizeof(line), "@%llu%.*s",
				  (unsigned long long)seq--,
				  (int)(n - mark - CHECKSUM), text + mark);
	length += (size_t)snprintf(line + length, sizeof(line) - length,
				   "*%08x\n",
				   (unsigned)crc32_update(0, line, length));
	put(line, length);
}

/* Results of other images: their kernels' ids and labels. */
static void other_images(struct child *c, const char *text, size_t n)
{
	(void)c;
	if (is_result(text)) {
		put_forged(text, n, "id", "0x0");
		put_forged(text, n, "id", "0x123456789abcdef");
		put_forged(text, n, "id", "0xffffffffffffffff");
		put_forged(text, n, "x", "throughput:OTHER");
	}
	put(text, n);
}

/* More text than is kept. */
static void too_much_text(struct child *c, const char *text, size_t n)
{
	char line[TEXT_BYTES];

	(void)c;
	memset(line, 'x', sizeof(line));
	line[sizeof(line) - 1] = '\n';
	for (int i = 0; is_result(text) && i < TEXT_LINES; i++)
		put(line, sizeof(line));
	put(text, n);
}

static const struct scenario kinds[] = {
	{ .name = "nuls", .spoil = nuls },
	{ .name = "endless lines", .spoil = endless_lines },
	{ .name = "invalid lengths", .spoil = invalid_lengths },
	{ .name = "duplicates", .spoil = duplicates },
	{ .name = "out of order", .spoil = out_of_order },
	{ .name = "wrong checksums", .spoil = wrong_checksums },
	{ .name = "giant counts", .spoil = giant_counts },
	{ .name = "escapes", .spoil = escapes },
	{ .name = "half lines", .spoil = half_lines, .times = 2 },
	{ .name = "echoes", .spoil = echoes, .echoes = true },
	{ .name = "backwards", .spoil = backwards },
	{ .name = "other images", .spoil = other_images },
	{ .name = "too much text", .spoil = too_much_text },
};

/* ---- the tests -------------------------------------------------------- */

static int find_dropped(void *context, const char *key, const char *value,
			struct err *e)
{
	(void)e;
	if (strcmp(key, "console_bytes_dropped") == 0)
		*(uint64_t *)context = strtoull(value, NULL, 10);
	return ERR_OK;
}

/* The last text of a run is kept, the rest is counted. */
static void assert_text_is_bounded(struct fixture *f, bool too_much)
{
	uint64_t kept, dropped = 0;

	check(f,
	      store_envs(f->store, f->run.id, find_dropped, &dropped, &f->err));
	check(f, store_begin(f->store, &f->err));
	check(f, store_text_trim(f->store, f->run.id, 0, 0, &kept, &f->err));
	check(f, store_commit(f->store, &f->err));
	assert_true(kept <= 2 * (uint64_t)INTAKE_TEXT_KEPT + ENDLESS_BYTES);
	if (too_much)
		assert_true(kept >= INTAKE_TEXT_KEPT - TEXT_BYTES &&
			    dropped > 0);
}

TEST(every_kernel_has_its_true_sample)
{
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		void *own = NULL;
		struct fixture *f;
		int ret;

		assert_int_equal(set_up(&own), 0);
		f = own;
		f->board.command = arena_printf(
			&f->arena, "/proc/self/exe board %zu @PACK@", i);
		ret = session_run(&f->session, &f->err);
		if (ret != ERR_OK) {
			print_error("%s: %s\n", kinds[i].name, f->err.message);
			failed++;
		} else {
			print_message("%s\n", kinds[i].name);
			assert_stored(f, 1, NOT, NULL);
			assert_text_is_bounded(f,
					       kinds[i].spoil == too_much_text);
		}
		assert_int_equal(tear_down(&own), 0);
	}
	assert_int_equal(failed, 0);
}

int main(int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], "board") == 0)
		return board_serve(
			&kinds[strtoul(argv[2], NULL, 10) % ARRAY_LEN(kinds)],
			argv[3]);
	return unit_run(NULL);
}
