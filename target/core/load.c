/* Chunks into a pack; see load.h. */
#include "target/core/load.h"

#include "common/pack.h"
#include "common/squeeze.h"

enum { WORD = 64 };

static struct {
	unsigned char *bytes; /* stays from one load to the next */
	size_t room;
	bool active;
	size_t n;
	uint32_t chunk, n_chunks;
	uint64_t have[LOAD_MAX_CHUNKS / WORD];
	unsigned char squeezed[LOAD_CHUNK];
} load;

const char *load_begin(const struct wire_record *r, void *(*alloc)(size_t n))
{
	uint64_t n, chunk;

	if (!wire_get_u64(r, "bytes", &n) || !wire_get_u64(r, "chunk", &chunk))
		return "load: expected numbers bytes, chunk";
	if (n == 0 || n > PACK_MAX_BYTES || chunk == 0 || chunk > LOAD_CHUNK ||
	    (n - 1) / chunk >= LOAD_MAX_CHUNKS)
		return "load: expected bytes and chunk within their limits";
	load.active = false;
	if (n > load.room) {
		load.room = 0;
		load.bytes = alloc(n);
		if (!load.bytes)
			return "no memory for a pack of this size";
		load.room = n;
	}
	load.n = n;
	load.chunk = (uint32_t)chunk;
	load.n_chunks = (uint32_t)((n - 1) / chunk + 1);
	for (size_t i = 0; i < ARRAY_LEN(load.have); i++)
		load.have[i] = 0;
	load.active = true;
	return NULL;
}

bool load_active(void)
{
	return load.active;
}

static bool have(uint32_t chunk)
{
	return load.have[chunk / WORD] >> chunk % WORD & 1;
}

/* The bytes of a chunk, as they are or squeezed. */
static bool read_chunk(const struct wire_record *r, unsigned char *bytes,
		       size_t n)
{
	uint64_t n_squeezed;

	if (!wire_get_u64(r, "n", &n_squeezed))
		return wire_get_bytes(r, "b", bytes, n);
	return n_squeezed <= sizeof(load.squeezed) &&
	       wire_get_bytes(r, "b", load.squeezed, (size_t)n_squeezed) &&
	       unsqueeze(load.squeezed, (size_t)n_squeezed, bytes, n);
}

void load_data(const struct wire_record *r)
{
	uint64_t at;
	size_t n, from;

	if (!load.active || !wire_get_u64(r, "at", &at) || at >= load.n_chunks)
		return;
	from = (size_t)at * load.chunk;
	n = load.n - from < load.chunk ? load.n - from : load.chunk;
	if (read_chunk(r, load.bytes + from, n))
		load.have[at / WORD] |= UINT64_C(1) << at % WORD;
	else
		load.have[at / WORD] &= ~(UINT64_C(1) << at % WORD);
}

bool load_sync(const struct wire_record *r, struct load_state *ret)
{
	uint64_t from, to;

	if (!load.active || !wire_get_u64(r, "from", &from) ||
	    !wire_get_u64(r, "to", &to) || from > to || to > load.n_chunks ||
	    to - from > LOAD_WINDOW)
		return false;
	*ret = (struct load_state){
		.from = (uint32_t)from,
		.to = (uint32_t)to,
	};
	for (uint32_t i = ret->from; i < ret->to; i++)
		if (!have(i))
			ret->missing[ret->n_missing++] = i;
	return true;
}

const void *load_finish(size_t *ret_bytes)
{
	if (!load.active)
		return NULL;
	for (uint32_t i = 0; i < load.n_chunks; i++)
		if (!have(i))
			return NULL;
	load.active = false;
	*ret_bytes = load.n;
	return load.bytes;
}
