/* Records of a line, as console programs print it.  The lines are recorded
 * ones, of a board that sent
 *
 *	@2 ready *2e213f2f<CR><LF>
 *	@58 bye *76e7eec8<CR><LF>
 */
#include "host/link/records.h"
#include "tests/unit/unit.h"

#define READY "@2 ready *2e213f2f"
#define BYE   "@58 bye *76e7eec8"
#define SAMPLE                                                             \
	"@6 sample k=6 id=0x1a34183c986537ee x=mix:2xADD+LD visit=0 n=30 " \
	"u=8,16,24 c=0,0,"
#define SAMPLE_END                                                           \
	"0 o=0 row=3 d=818,1538,2258,818,1538,2258,818,1538,2258 i=821,1541" \
	",2261 *a3f29cb"

/* What a program added before the first record and behind the last. */
struct recorded {
	const char *program, *line;
	uint64_t first;   /* number of the first record */
	size_t n_records; /* in the line */
	const char *before, *behind;
};

static const struct recorded lines[] = {
	{ "ser2net 4.3 raw", READY "\r", 2, 1, "", "\r" },
	{ "microcom, script -c", READY "\r\r", 2, 1, "", "\r\r" },
	{ "picocom 3.1 --imap crhex", READY "[0d]", 2, 1, "", "[0d]" },
	{ "picocom 3.1 --imap crhex,lfhex", READY "[0d][0a]" BYE "[0d][0a]", 2,
	  2, "", "[0d][0a]" },
	{ "tio 2.5 -t", "\x1b[1m[23:45:42.812] \x1b[0m" READY "\r", 2, 1,
	  "\x1b[1m[23:45:42.812] \x1b[0m", "\r" },
	{ "tio 2.5 -t -c 12",
	  "\x1b[1;38;5;12m[23:45:54.025] \x1b[0m" READY "\r", 2, 1,
	  "\x1b[1;38;5;12m[23:45:54.025] \x1b[0m", "\r" },
	{ "minicom 2.8 with times, -C", "[2026-11-29 23:50:49] " READY, 2, 1,
	  "[2026-11-29 23:50:49] ", "" },
	{ "minicom 2.8 -w", SAMPLE "\x1b[18;1H" SAMPLE_END "\x1b[19;1H7\r", 6,
	  1, "", "" },
	{ "minicom 2.8, the start",
	  "\x1b[!p\x1b[?3;4l\x1b[4l\x1b>\x1b[0m\x1b(B\x1b[?1h\x1b=" READY "\r",
	  2, 1,
	  "\x1b[!p\x1b[?3;4l\x1b[4l\x1b>\x1b[0m\x1b(B\x1b[?1h\x1b=", "\r" },
	{ "screen 4.9, the start", "\x1b[H\x1b[2J" READY "\r", 2, 1,
	  "\x1b[H\x1b[2J", "\r" },
	{ "grabserial 2.1 -t", "[0.108632 0.050135] " READY "\r", 2, 1,
	  "[0.108632 0.050135] ", "\r" },
	{ "grabserial 2.1 -T", "[23:48:01.862408 0.050149] " READY "\r", 2, 1,
	  "[23:48:01.862408 0.050149] ", "\r" },
	{ "conserver 8.2 timestamp 1lab",
	  "[Sun Nov 29 23:47:37 2026]" READY "\r", 2, 1,
	  "[Sun Nov 29 23:47:37 2026]", "\r" },
	{ "conserver 8.2, a mark behind it",
	  READY "\r[-- Console down -- Sun Nov 29 23:47:39 2026]\r", 2, 1, "",
	  "\r[-- Console down -- Sun Nov 29 23:47:39 2026]\r" },
	{ "labgrid 26 -vv",
	  "CONSOLE SerialLogger.be: SerialDriver(bench) < " READY "␍␤", 2, 1,
	  "CONSOLE SerialLogger.be: SerialDriver(bench) < ", "␍␤" },
	{ "labgrid 0.4 with debugging",
	  "Read 39 bytes: b'" READY "\\r\\n" BYE "\\r\\n', timeout 0.02, "
	  "requested size 4096",
	  2, 2, "Read 39 bytes: b'",
	  "\\r\\n', timeout 0.02, requested size 4096" },
	{ "none, a lost newline", READY BYE, 2, 2, "", "" },
	{ "none, a star in what stands before", "* 3*3 @1 *" READY "\r", 2, 1,
	  "* 3*3 @1 *", "\r" },
};

static void check(const struct recorded *w)
{
	static struct records r;
	struct records_piece p;
	const char *before = NULL, *behind = "";
	size_t n_before = 0, n_behind = 0, n = 0;

	records_open(&r, w->line, strlen(w->line));
	while (records_next(&r, &p)) {
		assert_true(p.shares_line);
		if (!p.is_record) {
			behind = p.text;
			n_behind = p.n_text;
			continue;
		}
		if (n++ == 0) {
			assert_int_equal(p.record.seq, w->first);
			before = p.text;
			n_before = p.n_text;
		}
		assert_int_equal(*p.bytes, '@');
	}
	assert_int_equal(n, w->n_records);
	assert_int_equal(n_before, strlen(w->before));
	assert_memory_equal(before, w->before, n_before);
	assert_int_equal(n_behind, strlen(w->behind));
	assert_memory_equal(behind, w->behind, n_behind);
}

TEST(each_program_leaves_the_records)
{
	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		print_message("%s\n", lines[i].program);
		check(&lines[i]);
	}
}

TEST(a_line_without_a_record_is_one_piece)
{
	static const char *const texts[] = { "\x1b[1mU-Boot 2024.01\x1b[0m\r",
					     "@2 ready *2e213f2",
					     "* Starting kernel *",
					     "mail a@b.c *12345678" };
	static const bool damaged[] = { false, false, false, true };
	static struct records r;
	struct records_piece p;

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		records_open(&r, texts[i], strlen(texts[i]));
		assert_true(records_next(&r, &p));
		assert_false(p.is_record || p.shares_line);
		assert_int_equal(p.is_damaged, damaged[i]);
		assert_ptr_equal(p.text, texts[i]);
		assert_int_equal(p.n_text, strlen(texts[i]));
		assert_false(records_next(&r, &p));
	}
	records_open(&r, "", 0);
	assert_false(records_next(&r, &p));
}

TEST(control_sequences_are_removed)
{
	static const struct {
		const char *text, *plain;
	} rows[] = {
		{ "a\x1b[1;31mb\x1b[0mc", "abc" },
		{ "\x1b(Ba\x1b=b", "ab" },
		{ "a\rb\tc\x7f", "abc" },
		{ "a\x1b[12", "a" },
		{ "a\x1b", "a" },
		{ "\x1b[\x1b[mA", "A" },
	};
	char plain[64];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		size_t n = records_plain(rows[i].text, strlen(rows[i].text),
					 plain);

		assert_int_equal(n, strlen(rows[i].plain));
		assert_memory_equal(plain, rows[i].plain, n);
	}
}
