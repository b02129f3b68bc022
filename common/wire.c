/* Encoder and decoder of wire records; see wire.h for the grammar. */
#include "common/wire.h"

#include "common/armor.h"
#include "common/crc32.h"

enum {
	CRC_DIGITS = 8,
	TRAILER = 1 + CRC_DIGITS, /* star and checksum */
};

/* What a field may use: a space and the trailer follow. */
enum { ROOM = WIRE_LINE_MAX - TRAILER - 1 };

/* The next n bytes of the line, for the caller to fill; NULL if it has no
 * more. */
static char *take(struct wire_line *w, size_t n)
{
	char *at = w->text + w->length;

	if (n > ROOM - w->length) {
		w->overflow = true;
		return NULL;
	}
	w->length += n;
	return at;
}

/* May this byte stand in a value? */
static bool is_value_byte(char c)
{
	return c > ' ' && c <= '~' && c != '*';
}

/* In one pass: simple cores write records, too.  value: with '_' for bytes that
 * a value must not have. */
static void put_bytes(struct wire_line *w, const char *s, bool value)
{
	char *from = w->text + w->length, *to = from;
	const char *end = w->text + ROOM;

	for (; *s != '\0' && to < end; s++)
		*to++ = !value || is_value_byte(*s) ? *s : '_';
	if (*s != '\0')
		w->overflow = true;
	else
		w->length += (size_t)(to - from);
}

static void put_string(struct wire_line *w, const char *s)
{
	put_bytes(w, s, false);
}

static size_t n_digits(uint64_t value)
{
	enum { MOST = 20 };
	size_t n = 1;

	for (uint64_t power = 10; value >= power && n < MOST; power *= 10)
		n++;
	return n;
}

/* Division by a constant is a multiplication, and one of 32 bits where the
 * number is small: simple cores multiply these in half the time. */
static void put_decimal(struct wire_line *w, uint64_t value)
{
	enum { TEN = 10, SMALL = 1 << 16, TENTH = 52429, TENTH_SHIFT = 19 };
	size_t n = n_digits(value);
	char *at = take(w, n);
	uint32_t small;

	if (!at)
		return;
	at += n;
	while (value >= SMALL) {
		uint64_t rest = value / TEN;

		*--at = (char)('0' + (value - TEN * rest));
		value = rest;
	}
	small = (uint32_t)value;
	do {
		uint32_t rest = small * TENTH >> TENTH_SHIFT;

		*--at = (char)('0' + (small - TEN * rest));
		small = rest;
	} while (small != 0);
}

static void put_hex(struct wire_line *w, uint64_t value)
{
	enum { BITS = 4, MASK = 15 };
	size_t n = 1;
	char *at;

	while (n < 2 * sizeof(value) && value >> (BITS * n) != 0)
		n++;
	at = take(w, n);
	for (; at && n > 0; value >>= BITS)
		at[--n] = "0123456789abcdef"[value & MASK];
}

static void put_byte(struct wire_line *w, char byte)
{
	char *at = take(w, 1);

	if (at)
		*at = byte;
}

static void put_key(struct wire_line *w, const char *key)
{
	put_byte(w, ' ');
	put_string(w, key);
	put_byte(w, '=');
}

void wire_begin(struct wire_line *w, uint64_t seq, const char *kind)
{
	w->length = 0;
	w->overflow = false;
	put_byte(w, '@');
	put_decimal(w, seq);
	put_byte(w, ' ');
	put_string(w, kind);
}

void wire_u64(struct wire_line *w, const char *key, uint64_t value)
{
	put_key(w, key);
	put_decimal(w, value);
}

void wire_hex(struct wire_line *w, const char *key, uint64_t value)
{
	put_key(w, key);
	put_string(w, "0x");
	put_hex(w, value);
}

void wire_word(struct wire_line *w, const char *key, const char *value)
{
	put_key(w, key);
	put_bytes(w, *value == '\0' ? "-" : value, true);
}

void wire_word_if_fits(struct wire_line *w, const char *key, const char *value)
{
	size_t before = w->length;
	bool overflow = w->overflow;

	wire_word(w, key, value);
	if (!w->overflow || overflow)
		return;
	w->length = before;
	w->overflow = false;
}

void wire_list(struct wire_line *w, const char *key, const uint64_t *values,
	       size_t n)
{
	put_key(w, key);
	if (n == 0)
		put_byte(w, '-');
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			put_byte(w, ',');
		put_decimal(w, values[i]);
	}
}

void wire_bytes(struct wire_line *w, const char *key, const void *p, size_t n)
{
	char *at;

	put_key(w, key);
	at = take(w, armor_length(n));
	if (at)
		armor_encode(p, n, at);
}

size_t wire_end(struct wire_line *w)
{
	if (w->overflow)
		return 0;
	w->text[w->length++] = ' ';

	uint32_t crc = crc32_update(0, w->text, w->length);

	w->text[w->length++] = '*';
	for (int i = CRC_DIGITS - 1; i >= 0; i--)
		w->text[w->length++] =
			"0123456789abcdef"[(crc >> (4 * i)) & 15];
	w->text[w->length++] = '\n';
	w->text[w->length] = '\0';
	return w->length;
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* Parse all n bytes as one number; false on overflow and empty input. */
static bool parse_digits(const char *s, size_t n, unsigned base,
			 uint64_t *ret_value)
{
	uint64_t value = 0;

	if (n == 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		int d = digit_of(s[i]);

		if (d < 0 || (unsigned)d >= base)
			return false;
		if (value > (UINT64_MAX - (unsigned)d) / base)
			return false;
		value = value * base + (unsigned)d;
	}
	*ret_value = value;
	return true;
}

static bool parse_number(const char *s, size_t n, uint64_t *ret_value)
{
	if (n > 2 && s[0] == '0' && s[1] == 'x')
		return parse_digits(s + 2, n - 2, 16, ret_value);
	return parse_digits(s, n, 10, ret_value);
}

/* Read the next space-separated word of *at..end; false at the end. */
static bool next_word(const char **at, const char *end,
		      struct wire_span *ret_word)
{
	const char *s = *at;

	while (s < end && *s == ' ')
		s++;
	if (s == end)
		return false;
	ret_word->at = s;
	while (s < end && *s != ' ')
		s++;
	ret_word->length = (size_t)(s - ret_word->at);
	*at = s;
	return true;
}

static bool parse_field(const struct wire_span *word, struct wire_field *f)
{
	size_t i = 0;

	while (i < word->length && word->at[i] != '=')
		i++;
	if (i == 0 || i + 1 >= word->length)
		return false;
	f->key.at = word->at;
	f->key.length = i;
	f->value.at = word->at + i + 1;
	f->value.length = word->length - i - 1;
	return true;
}

/* Decode the bytes between '@' and the star; the checksum is right. */
static int parse_body(const char *at, const char *end,
		      struct wire_record *ret_record)
{
	struct wire_record r = { .n_fields = 0 };
	struct wire_span word;

	/* Fields must not contain control characters. */
	for (const char *c = at; c < end; c++)
		if (*c != ' ' && !is_value_byte(*c))
			return WIRE_BAD_SYNTAX;
	if (!next_word(&at, end, &word) ||
	    !parse_digits(word.at, word.length, 10, &r.seq))
		return WIRE_BAD_SYNTAX;
	if (!next_word(&at, end, &word) || word.length > WIRE_KIND_MAX)
		return WIRE_BAD_SYNTAX;
	for (size_t i = 0; i < word.length; i++)
		r.kind[i] = word.at[i];
	while (next_word(&at, end, &word)) {
		if (r.n_fields == WIRE_FIELDS_MAX ||
		    !parse_field(&word, &r.fields[r.n_fields]))
			return WIRE_BAD_SYNTAX;
		r.n_fields++;
	}
	*ret_record = r;
	return WIRE_OK;
}

/* Decode a record that ends at the star, whose checksum is `crc`.  `from` is
 * behind the star before it: no record contains a star. */
static int parse_to_star(const char *line, size_t from, size_t star,
			 uint64_t crc, struct wire_record *ret_record)
{
	int ret = WIRE_NOT_A_RECORD;

	/* Text may precede the record and may contain '@'.  The record starts
	 * at the '@' for which the checksum is right. */
	for (size_t i = from; i < star; i++) {
		if (line[i] != '@')
			continue;
		ret = WIRE_BAD_CRC;
		if (crc32_update(0, line + i, star - i) != crc)
			continue;
		ret = parse_body(line + i + 1, line + star, ret_record);
		if (ret == WIRE_OK) {
			ret_record->start = i;
			ret_record->end = star + TRAILER;
		}
		return ret;
	}
	return ret;
}

int wire_parse(const char *line, size_t n, struct wire_record *ret_record)
{
	int worst = WIRE_NOT_A_RECORD;
	size_t from = 0;

	for (size_t i = 0; i + TRAILER <= n; i++) {
		uint64_t crc;
		int ret;

		if (line[i] != '*')
			continue;
		if (parse_digits(line + i + 1, CRC_DIGITS, 16, &crc)) {
			ret = parse_to_star(line, from, i, crc, ret_record);
			if (ret == WIRE_OK)
				return ret;
			worst = ret < worst ? ret : worst;
		}
		from = i + 1;
	}
	return worst;
}

static bool span_is(const struct wire_span *s, const char *word)
{
	size_t i = 0;

	while (i < s->length && word[i] != '\0' && s->at[i] == word[i])
		i++;
	return i == s->length && word[i] == '\0';
}

static const struct wire_span *find_field(const struct wire_record *r,
					  const char *key)
{
	for (size_t i = 0; i < r->n_fields; i++)
		if (span_is(&r->fields[i].key, key))
			return &r->fields[i].value;
	return NULL;
}

bool wire_has(const struct wire_record *r, const char *key)
{
	return find_field(r, key) != NULL;
}

bool wire_get_u64(const struct wire_record *r, const char *key,
		  uint64_t *ret_value)
{
	const struct wire_span *v = find_field(r, key);

	return v && parse_number(v->at, v->length, ret_value);
}

bool wire_get_word(const struct wire_record *r, const char *key, char *buf,
		   size_t room)
{
	const struct wire_span *v = find_field(r, key);

	if (!v || v->length >= room)
		return false;
	for (size_t i = 0; i < v->length; i++)
		buf[i] = v->at[i];
	buf[v->length] = '\0';
	return true;
}

int wire_get_list(const struct wire_record *r, const char *key,
		  uint64_t *values, size_t room)
{
	const struct wire_span *v = find_field(r, key);
	size_t n = 0;

	if (!v)
		return -1;
	if (v->length == 1 && v->at[0] == '-')
		return 0;
	for (size_t from = 0, to = 0; to <= v->length; to++) {
		if (to < v->length && v->at[to] != ',')
			continue;
		if (n == room ||
		    !parse_digits(v->at + from, to - from, 10, &values[n]))
			return -1;
		n++;
		from = to + 1;
	}
	return (int)n;
}

bool wire_get_bytes(const struct wire_record *r, const char *key,
		    void *ret_bytes, size_t n)
{
	const struct wire_span *v = find_field(r, key);

	return v && armor_decode(v->at, v->length, ret_bytes, n);
}

bool wire_is(const struct wire_record *r, const char *kind)
{
	size_t i = 0;

	while (kind[i] != '\0' && r->kind[i] == kind[i])
		i++;
	return kind[i] == r->kind[i];
}
