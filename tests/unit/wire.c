/* The wire: records that are written are read back, and damaged records are
 * refused. */
#include "common/wire.h"
#include "common/crc32.h"
#include "tests/unit/unit.h"

/* Add the mark and the checksum to `body`. */
static size_t seal(char *line, size_t room, const char *body)
{
	int n = snprintf(line, room, "@%s ", body);
	uint32_t crc = crc32_update(0, line, (size_t)n);

	return (size_t)(n + snprintf(line + n, room - (size_t)n, "*%08x", crc));
}

static int parse_body(const char *body, struct wire_record *r)
{
	static char line[WIRE_LINE_MAX * 2];
	size_t n = seal(line, sizeof(line), body);

	return wire_parse(line, n, r);
}

static size_t sample_line(struct wire_line *w)
{
	const uint64_t d[] = { 0, 1, 10, UINT64_MAX };

	wire_begin(w, 42, "sample");
	wire_u64(w, "k", 7);
	wire_hex(w, "id", 0xfeedfacecafebeefu);
	wire_word(w, "x", "latency:ADD64rr@2>0");
	wire_u64(w, "big", UINT64_MAX);
	wire_list(w, "d", d, ARRAY_LEN(d));
	wire_list(w, "none", NULL, 0);
	return wire_end(w);
}

TEST(a_record_round_trips)
{
	struct wire_line w;
	struct wire_record r;
	size_t n = sample_line(&w);
	uint64_t v;
	uint64_t d[4];
	char word[32];

	assert_true(n > 0);
	assert_int_equal(w.text[n - 1], '\n');
	assert_int_equal(wire_parse(w.text, n - 1, &r), WIRE_OK);
	assert_int_equal(r.seq, 42);
	assert_true(wire_is(&r, "sample"));
	assert_int_equal(r.start, 0);
	assert_true(wire_get_u64(&r, "k", &v));
	assert_int_equal(v, 7);
	assert_true(wire_get_u64(&r, "id", &v));
	assert_true(v == 0xfeedfacecafebeefu);
	assert_true(wire_get_u64(&r, "big", &v));
	assert_true(v == UINT64_MAX);
	assert_true(wire_get_word(&r, "x", word, sizeof(word)));
	assert_string_equal(word, "latency:ADD64rr@2>0");
	assert_int_equal(wire_get_list(&r, "d", d, 4), 4);
	assert_true(d[0] == 0 && d[2] == 10 && d[3] == UINT64_MAX);
	assert_int_equal(wire_get_list(&r, "none", d, 4), 0);
}

TEST(every_changed_byte_is_noticed)
{
	struct wire_line w;
	size_t n = sample_line(&w) - 1;

	for (size_t i = 0; i < n; i++) {
		char good = w.text[i];

		for (int c = 0; c < 256; c++) {
			struct wire_record r;

			if ((char)c == good)
				continue;
			w.text[i] = (char)c;
			assert_int_not_equal(wire_parse(w.text, n, &r),
					     WIRE_OK);
		}
		w.text[i] = good;
	}
}

TEST(every_missing_byte_is_noticed)
{
	struct wire_line w;
	size_t n = sample_line(&w) - 1;

	for (size_t i = 0; i < n; i++) {
		char part[WIRE_LINE_MAX];
		struct wire_record r;

		memcpy(part, w.text, i);
		memcpy(part + i, w.text + i + 1, n - i - 1);
		assert_int_not_equal(wire_parse(part, n - 1, &r), WIRE_OK);
	}
}

TEST(every_prefix_is_refused)
{
	struct wire_line w;
	size_t n = sample_line(&w) - 1;

	for (size_t cut = 0; cut < n; cut++) {
		char *part = malloc(cut ? cut : 1);
		struct wire_record r;

		memcpy(part, w.text, cut);
		assert_int_not_equal(wire_parse(part, cut, &r), WIRE_OK);
		free(part);
	}
}

TEST(damage_is_told_from_text)
{
	struct wire_line w;
	struct wire_record r;
	size_t n = sample_line(&w) - 1;

	w.text[10] ^= 1;
	assert_int_equal(wire_parse(w.text, n, &r), WIRE_BAD_CRC);
	assert_int_equal(wire_parse("U-Boot 2023.01", 14, &r),
			 WIRE_NOT_A_RECORD);
	assert_int_equal(wire_parse("mail a@b.c soon *", 17, &r),
			 WIRE_NOT_A_RECORD);
	assert_int_equal(wire_parse("", 0, &r), WIRE_NOT_A_RECORD);
	/* No record has a star but its own. */
	assert_int_equal(parse_body("0 text key=a*b ", &r), WIRE_NOT_A_RECORD);
}

TEST(text_may_stand_before_a_record)
{
	struct wire_line w;
	struct wire_record r;
	size_t n = sample_line(&w) - 1;
	char line[WIRE_LINE_MAX + 64];
	int before = snprintf(line, sizeof(line), "boot@loader @1 x *: ");

	memcpy(line + before, w.text, n);
	assert_int_equal(wire_parse(line, (size_t)before + n, &r), WIRE_OK);
	assert_int_equal(r.start, before);
	assert_int_equal(r.seq, 42);
}

TEST(text_may_stand_behind_a_record)
{
	static const char *const texts[] = { "\r", "x", "[0d]", " *12345678",
					     "\x1b[0m" };
	char line[WIRE_LINE_MAX + 64];
	struct wire_line w;
	struct wire_record r;
	size_t n = sample_line(&w) - 1;

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		memcpy(line, w.text, n);
		strcpy(line + n, texts[i]);
		assert_int_equal(wire_parse(line, strlen(line), &r), WIRE_OK);
		assert_int_equal(r.seq, 42);
		assert_int_equal(r.end, n);
	}
}

TEST(the_first_record_of_a_line_is_read)
{
	char line[2 * WIRE_LINE_MAX];
	struct wire_record r;
	size_t n = seal(line, sizeof(line), "1 text m=damaged ");

	line[5] ^= 1;
	n += seal(line + n, sizeof(line) - n, "2 ready ");
	n += seal(line + n, sizeof(line) - n, "3 bye ");
	assert_int_equal(wire_parse(line, n, &r), WIRE_OK);
	assert_int_equal(r.seq, 2);
	assert_int_equal(wire_parse(line, r.start, &r), WIRE_BAD_CRC);
	assert_int_equal(wire_parse(line + r.end, n - r.end, &r), WIRE_OK);
	assert_int_equal(r.seq, 3);
}

TEST(an_overfull_line_is_refused)
{
	struct wire_line w;
	uint64_t d[1000];

	memset(d, 0xff, sizeof(d));
	wire_begin(&w, 0, "sample");
	wire_list(&w, "d", d, ARRAY_LEN(d));
	assert_true(w.overflow);
	assert_int_equal(wire_end(&w), 0);
}

TEST(the_longest_line_fits_and_one_more_does_not)
{
	static char word[WIRE_LINE_MAX];
	size_t longest = 0;

	for (size_t n = WIRE_LINE_MAX - 64; n < WIRE_LINE_MAX; n++) {
		struct wire_line w;
		struct wire_record r;

		memset(word, 'a', n);
		word[n] = '\0';
		wire_begin(&w, 1, "text");
		wire_word(&w, "m", word);

		size_t bytes = wire_end(&w);

		if (bytes == 0)
			continue;
		longest = bytes;
		assert_true(bytes <= WIRE_LINE_MAX + 1);
		assert_int_equal(wire_parse(w.text, bytes - 1, &r), WIRE_OK);
	}
	assert_int_equal(longest, WIRE_LINE_MAX + 1);
}

TEST(a_word_that_may_be_missing_is_left_out)
{
	static char word[WIRE_LINE_MAX];
	struct wire_line w;
	struct wire_record r;
	char got[8];
	size_t n;

	memset(word, 'a', sizeof(word) - 1);
	wire_begin(&w, 1, "info");
	wire_word_if_fits(&w, "long", word);
	wire_word_if_fits(&w, "x", "y");
	n = wire_end(&w);
	assert_int_equal(wire_parse(w.text, n - 1, &r), WIRE_OK);
	assert_int_equal(r.n_fields, 1);
	assert_true(wire_get_word(&r, "x", got, sizeof(got)));
	assert_true(wire_has(&r, "x"));
	assert_false(wire_has(&r, "long"));
	/* It does not make good what another field broke. */
	wire_begin(&w, 1, "info");
	wire_word(&w, "long", word);
	wire_word_if_fits(&w, "x", "y");
	assert_int_equal(wire_end(&w), 0);
}

TEST(words_are_made_safe)
{
	struct wire_line w;
	struct wire_record r;
	char word[32];

	wire_begin(&w, 0, "text");
	wire_word(&w, "m", "a b*c\n\x80@");
	wire_word(&w, "e", "");

	size_t n = wire_end(&w);

	assert_int_equal(wire_parse(w.text, n - 1, &r), WIRE_OK);
	assert_true(wire_get_word(&r, "m", word, sizeof(word)));
	assert_string_equal(word, "a_b_c__@");
	assert_true(wire_get_word(&r, "e", word, sizeof(word)));
	assert_string_equal(word, "-");
}

TEST(a_word_that_does_not_fit_is_refused)
{
	struct wire_record r;
	char word[4] = "old";

	assert_int_equal(parse_body("0 text m=four", &r), WIRE_OK);
	assert_false(wire_get_word(&r, "m", word, sizeof(word)));
	assert_string_equal(word, "old");
}

TEST(an_error_leaves_the_record_alone)
{
	struct wire_record r = { .seq = 77, .n_fields = 5 };

	assert_int_equal(parse_body("0 text =x", &r), WIRE_BAD_SYNTAX);
	assert_int_equal(r.seq, 77);
	assert_int_equal(r.n_fields, 5);
}

/* Right checksum, wrong fields. */
static const struct {
	const char *text;
} bad_syntax[] = {
	{ "" },
	{ "x text" },
	{ "-1 text" },
	{ "1" },
	{ "18446744073709551616 text" },
	{ "0x1 text" },
	{ "0 kind_longer_than_15" },
	{ "0 text word" },
	{ "0 text key=" },
	{ "0 text =value" },
	{ "0 text key=a\tb" },
	{ "0 text key=a\x1b[0m" },
	{ "0 text key=\xc3\xa9" },
	{ "0 te\x7fxt key=1" },
	{ "0 t a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 "
	  "a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 "
	  "a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 "
	  "a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1" },
};

TEST_ROWS(syntax_is_refused, bad_syntax, text, const char *const *text)
{
	struct wire_record r;

	assert_int_equal(parse_body(*text, &r), WIRE_BAD_SYNTAX);
}

TEST(numbers_are_checked)
{
	static const char *const bad[] = { "-1",
					   "1x",
					   "0x",
					   "0xg",
					   "1,2",
					   "+1",
					   "-",
					   "1.5",
					   "18446744073709551616",
					   "0x10000000000000000" };

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct wire_record r;
		char body[64];
		uint64_t v = 77;

		(void)snprintf(body, sizeof(body), "0 t v=%s", bad[i]);
		assert_int_equal(parse_body(body, &r), WIRE_OK);
		assert_false(wire_get_u64(&r, "v", &v));
		assert_false(wire_get_u64(&r, "absent", &v));
		assert_int_equal(v, 77);
	}
}

TEST(lists_are_checked)
{
	static const char *const bad[] = {
		",",   "1,",  ",1",        "1,,2",
		"1,x", "0x1", "1,2,3,4,5", "1,18446744073709551616",
	};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct wire_record r;
		char body[64];
		uint64_t v[4];

		(void)snprintf(body, sizeof(body), "0 t v=%s", bad[i]);
		assert_int_equal(parse_body(body, &r), WIRE_OK);
		assert_int_equal(wire_get_list(&r, "v", v, 4), -1);
		assert_int_equal(wire_get_list(&r, "absent", v, 4), -1);
	}
}

TEST(kinds_and_keys_match_whole)
{
	struct wire_record r;
	uint64_t v;

	assert_int_equal(parse_body("0 sample kk=1 k=2", &r), WIRE_OK);
	assert_true(wire_is(&r, "sample"));
	assert_false(wire_is(&r, "samp"));
	assert_false(wire_is(&r, "samples"));
	assert_true(wire_get_u64(&r, "k", &v));
	assert_int_equal(v, 2);
}

TEST(the_checksum_is_the_ethernet_one)
{
	/* The published check value of CRC-32. */
	assert_int_equal(crc32_update(0, "123456789", 9), 0xcbf43926u);
	assert_int_equal(crc32_update(crc32_update(0, "1234", 4), "56789", 5),
			 0xcbf43926u);
}

/* The CRC does not depend on how the data is split, although large inputs use
 * another algorithm. */
TEST(the_checksum_of_much_is_that_of_its_parts)
{
	enum { N = 200 * 1000 };
	static unsigned char bytes[N];
	uint32_t parts = 0;

	for (size_t i = 0; i < N; i++)
		bytes[i] = (unsigned char)(i * i >> 7 ^ i);
	for (size_t at = 0; at < N; at += 1000)
		parts = crc32_update(parts, bytes + at, 1000);
	assert_int_equal(crc32_update(0, bytes, N), parts);
	/* For any start and end. */
	for (size_t i = 1; i < 9; i++)
		assert_int_equal(crc32_update(crc32_update(0, bytes, i),
					      bytes + i, N - 2 * i),
				 crc32_update(0, bytes, N - i));
	parts = crc32_update(0, bytes, 100 * 1000 + 3);
	assert_int_equal(
		crc32_update(parts, bytes + 100 * 1000 + 3, 100 * 1000 - 3),
		crc32_update(0, bytes, N));
}
