/* Fuzzes the decoder of records, with the bytes as they are and with a valid
 * checksum after them; records that decode must encode again. */
#include <stdlib.h>
#include <string.h>

#include "common/crc32.h"
#include "common/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void must(bool condition)
{
	if (!condition)
		abort();
}

/* Read every field with every accessor. */
static void read_fields(const struct wire_record *r)
{
	for (size_t i = 0; i < r->n_fields; i++) {
		const struct wire_span *key = &r->fields[i].key;
		char name[WIRE_LINE_MAX * 2 + 1];
		char word[64];
		uint64_t values[16];
		uint64_t number;

		must(key->length < sizeof(name));
		memcpy(name, key->at, key->length);
		name[key->length] = '\0';
		if (wire_get_word(r, name, word, sizeof(word)))
			must(strlen(word) < sizeof(word));
		must(wire_get_list(r, name, values, 16) <= 16);
		(void)!wire_get_u64(r, name, &number);
		(void)!wire_get_bytes(r, name, word, key->length % 64);
	}
}

static void parse(const char *line, size_t n)
{
	struct wire_record r;

	if (wire_parse(line, n, &r) != WIRE_OK)
		return;
	must(r.start < n && line[r.start] == '@');
	must(r.end > r.start && r.end <= n);
	must(r.n_fields <= WIRE_FIELDS_MAX);
	must(strlen(r.kind) <= WIRE_KIND_MAX);
	read_fields(&r);
}

/* "@" data " *crc" */
static void parse_sealed(const uint8_t *data, size_t n)
{
	char *line = malloc(n + 11);
	uint32_t crc;

	if (!line)
		return;
	line[0] = '@';
	if (n)
		memcpy(line + 1, data, n);
	line[n + 1] = ' ';
	crc = crc32_update(0, line, n + 2);
	line[n + 2] = '*';
	for (int i = 0; i < 8; i++)
		line[n + 3 + (size_t)i] =
			"0123456789abcdef"[crc >> (28 - 4 * i) & 15];
	parse(line, n + 11);
	free(line);
}

/* A word of any bytes must survive the trip in its safe form. */
static void round_trip(const uint8_t *data, size_t n)
{
	static char word[WIRE_LINE_MAX];
	static char back[WIRE_LINE_MAX];
	struct wire_line w;
	struct wire_record r;
	size_t length;

	if (n >= sizeof(word))
		n = sizeof(word) - 1;
	if (n)
		memcpy(word, data, n);
	word[n] = '\0';
	wire_begin(&w, n, "text");
	wire_word(&w, "m", word);
	length = wire_end(&w);
	if (length == 0)
		return;
	must(wire_parse(w.text, length - 1, &r) == WIRE_OK);
	must(wire_get_word(&r, "m", back, sizeof(back)));
	must(strlen(back) == (*word ? strlen(word) : 1));
}

/* Bytes in armor come back unchanged, and nothing after them changes. */
static void round_trip_bytes(const uint8_t *data, size_t n)
{
	static struct wire_line w;
	static uint8_t back[WIRE_LINE_MAX];
	struct wire_record r;
	size_t length;

	if (n == 0)
		return;
	wire_begin(&w, 1, "data");
	wire_bytes(&w, "b", data, n);
	length = wire_end(&w);
	if (length == 0)
		return;
	must(wire_parse(w.text, length - 1, &r) == WIRE_OK);
	back[n] = 0x55;
	must(wire_get_bytes(&r, "b", back, n));
	must(memcmp(back, data, n) == 0 && back[n] == 0x55);
	must(!wire_get_bytes(&r, "b", back, n + 2));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *line = malloc(n ? n : 1);

	if (!line)
		return 0;
	if (n)
		memcpy(line, data, n);
	parse(line, n);
	free(line);
	parse_sealed(data, n);
	round_trip(data, n);
	round_trip_bytes(data, n);
	return 0;
}
