/* Unpacks xz with liblzma; see unpack.h. */
#include "host/codec/unpack.h"

#include <lzma.h>
#include <string.h>

#include "host/base/file.h"

static const char magic[] = "\xfd"
			    "7zXZ";

static int unpack_all(lzma_stream *s, const char *path, size_t limit,
		      struct buffer *ret, struct err *e)
{
	enum { ROOM = 1 << 16 };
	lzma_ret code = LZMA_OK;

	while (code == LZMA_OK) {
		s->next_out = buffer_reserve(ret, ROOM);
		s->avail_out = ROOM;
		code = lzma_code(s, LZMA_FINISH);
		if (code == LZMA_MEM_ERROR)
			guard_shortage();
		if (code != LZMA_OK && code != LZMA_STREAM_END)
			break;
		ret->n += ROOM - s->avail_out;
		if (ret->n > limit)
			return err_set(e, ERR_INPUT,
				       "%s holds more than %zu bytes", path,
				       limit);
	}
	if (code != LZMA_STREAM_END)
		return err_set(e, ERR_INPUT,
			       "%s: its xz data is damaged or cut short", path);
	return ERR_OK;
}

static void end_stream(void *object)
{
	lzma_end(object);
}

int unpack(struct arena *a, const char *path, size_t limit, const char **text,
	   size_t *n, struct err *e)
{
	enum { MAX_MEMORY = 256 << 20 };
	lzma_stream s = LZMA_STREAM_INIT;
	struct buffer b = { 0 };
	struct hold h;

	if (*n < sizeof(magic) || memcmp(*text, magic, sizeof(magic)) != 0)
		return ERR_OK;
	if (lzma_stream_decoder(&s, MAX_MEMORY, 0) != LZMA_OK)
		guard_shortage();
	guard_hold(&h, end_stream, &s);
	s.next_in = (const uint8_t *)*text;
	s.avail_in = *n;
	if (unpack_all(&s, path, limit, &b, e) == ERR_OK) {
		*n = b.n;
		buffer_add(&b, "", 1);
		*text = arena_copy(a, b.bytes, b.n);
	}
	guard_drop(&h);
	lzma_end(&s);
	buffer_free(&b);
	return e->code;
}
