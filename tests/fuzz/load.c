/* Fuzzes the receiver of packs: each line of the input is a record with a valid
 * checksum.  For any sequence, writes stay in the requested memory, and the
 * returned pack is inside it. */
#include <stdlib.h>
#include <string.h>

#include "common/crc32.h"
#include "common/squeeze.h"
#include "target/core/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum {
	MOST = 1 << 20, /* a board's memory is limited */
	MAX_BLOCKS = 64,
};

/* As on a board, allocated memory is never freed. */
static struct {
	size_t n;
	void *at[MAX_BLOCKS];
	size_t bytes[MAX_BLOCKS];
} blocks;

static void must(bool condition)
{
	if (!condition)
		abort();
}

static void *allocate(size_t n)
{
	void *p;

	if (n > MOST || blocks.n == MAX_BLOCKS)
		return NULL;
	p = malloc(n);
	if (!p)
		return NULL;
	blocks.bytes[blocks.n] = n;
	blocks.at[blocks.n++] = p;
	return p;
}

static void finish(void)
{
	size_t n = 0;
	const uint8_t *pack = load_finish(&n);

	if (!pack)
		return;
	must(blocks.n > 0 && pack == blocks.at[blocks.n - 1]);
	must(n > 0 && n <= blocks.bytes[blocks.n - 1]);
	must(!load_active());
}

static void take(const struct wire_record *r)
{
	struct load_state state;

	if (wire_is(r, "load")) {
		must((load_begin(r, allocate) == NULL) <= load_active());
	} else if (wire_is(r, "data")) {
		load_data(r);
	} else if (wire_is(r, "sync")) {
		if (!load_sync(r, &state))
			return;
		must(state.n_missing <= LOAD_WINDOW);
		for (size_t i = 0; i < state.n_missing; i++)
			must(state.missing[i] >= state.from &&
			     state.missing[i] < state.to);
	} else {
		finish();
	}
}

static void take_line(const uint8_t *text, size_t n)
{
	static char line[WIRE_LINE_MAX];
	struct wire_record r;
	uint32_t crc;

	if (n + 11 > sizeof(line))
		return;
	line[0] = '@';
	memcpy(line + 1, text, n);
	line[n + 1] = ' ';
	crc = crc32_update(0, line, n + 2);
	line[n + 2] = '*';
	for (int i = 0; i < 8; i++)
		line[n + 3 + (size_t)i] =
			"0123456789abcdef"[crc >> (28 - 4 * i) & 15];
	if (wire_parse(line, n + 11, &r) == WIRE_OK)
		take(&r);
}

/* Compressed data comes back unchanged; other data stays in its bounds. */
static void squeeze_and_back(const uint8_t *data, size_t n)
{
	static uint8_t squeezed[2 * LOAD_CHUNK + 2];
	uint8_t *back = malloc(n + 1);
	size_t length;

	if (!back)
		return;
	if (n <= LOAD_CHUNK) {
		length = squeeze(data, n, squeezed, sizeof(squeezed));
		must(unsqueeze(squeezed, length, back, n));
		must(n == 0 || memcmp(back, data, n) == 0);
		must(squeeze(data, n, squeezed, n) <= n);
	}
	(void)!unsqueeze(data, n, back, n);
	free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	squeeze_and_back(data, n);
	for (size_t from = 0; from < n;) {
		const uint8_t *end = memchr(data + from, '\n', n - from);
		size_t length = end ? (size_t)(end - data) - from : n - from;

		take_line(data + from, length);
		from += length + 1;
	}
	/* Restart: the receiver keeps the last block. */
	for (size_t i = 0; i + 1 < blocks.n; i++)
		free(blocks.at[i]);
	if (blocks.n > 1) {
		blocks.at[0] = blocks.at[blocks.n - 1];
		blocks.bytes[0] = blocks.bytes[blocks.n - 1];
		blocks.n = 1;
	}
	return 0;
}
