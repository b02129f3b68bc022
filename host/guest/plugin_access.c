/* Accesses of the guest: merges the pieces of one execution of an instruction
 * into distinct lines.
 *
 * QEMU reports an access in pieces: an element, 8 or 16 bytes, or single bytes.
 * An execution is recognised by the instruction and the count of its block, as
 * an instruction runs at most once in a block. */
#include "host/guest/plugin.h"

static void add(uint64_t *counter, uint64_t n)
{
	if (plugin.parallel)
		__atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
	else
		*counter += n;
}

static void simulate(struct vcpu *v, const struct site *s,
		     const uint64_t *lines, size_t n, bool store)
{
	if (plugin.parallel)
		(void)pthread_mutex_lock(&plugin.accessing);
	cache_access(v->cache, lines, n, store, s->place, v->now - s->behind);
	if (plugin.parallel)
		(void)pthread_mutex_unlock(&plugin.accessing);
}

void plugin_flush(struct vcpu *v)
{
	if (v->n_lines > 0 && v->cache)
		simulate(v, v->site, v->lines, v->n_lines, v->store);
	v->n_lines = 0;
	v->store = false;
}

/* False if the line is a member already. */
static bool join(struct vcpu *v, uint64_t line)
{
	size_t i = line & (2 * PLUGIN_LINES - 1);

	while (v->marks[i] == v->mark) {
		if (v->members[i] == line)
			return false;
		i = (i + 1) & (2 * PLUGIN_LINES - 1);
	}
	v->marks[i] = v->mark;
	v->members[i] = line;
	return true;
}

/* A next execution; forgets what the last one accessed. */
static void begin(struct vcpu *v, const struct site *s, uint64_t stamp)
{
	plugin_flush(v);
	v->site = s;
	v->stamp = stamp;
	v->size[0] = v->size[1] = 0;
	add(&s->record->executions, 1);
	if (++v->mark == 0) {
		__builtin_memset(v->marks, 0, sizeof(v->marks));
		v->mark = 1;
	}
}

/* One of several pieces. */
static void add_piece(struct vcpu *v, const struct site *s, uint64_t first,
		      uint64_t last, bool store)
{
	v->store |= store;
	for (uint64_t line = first; line <= last; line++) {
		if (v->n_lines > 0 && v->lines[v->n_lines - 1] == line)
			continue;
		if (v->n_lines == PLUGIN_LINES || !join(v, line))
			continue;
		v->lines[v->n_lines++] = line;
		add(&s->record->lines, 1);
	}
}

/* All that the execution accesses. */
static void add_whole(struct vcpu *v, const struct site *s, uint64_t first,
		      uint64_t last, bool store)
{
	enum { MOST = 64 };
	uint64_t lines[MOST];
	size_t n = 0;

	for (uint64_t line = first; line <= last && n < MOST; line++)
		lines[n++] = line;
	add(&s->record->lines, n);
	if (v->cache)
		simulate(v, s, lines, n, store || s->modifies);
}

static inline void access(unsigned vcpu, qemu_plugin_meminfo_t info,
			  uint64_t at, const struct site *s, bool store)
{
	struct vcpu *v = plugin_vcpu(vcpu);
	uint64_t stamp = plugin.parallel ? v->blocks : *s->count;
	unsigned shift = plugin.line_shift;
	uint64_t size = s->bytes;

	if (v->site != s || v->stamp != stamp)
		begin(v, s, stamp);
	else if (size)
		return;
	if (size == 0)
		size = (uint64_t)1 << qemu_plugin_mem_size_shift(info);
	if (at - v->begin[store] < v->size[store])
		return;
	v->begin[store] = at;
	v->size[store] = size;
	add(&s->record->bytes, size);
	(s->bytes ? add_whole : add_piece)(v, s, at >> shift,
					   (at + size - 1) >> shift, store);
}

void plugin_on_load(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address,
		    void *data)
{
	access(vcpu, info, address, data, false);
}

void plugin_on_store(unsigned vcpu, qemu_plugin_meminfo_t info,
		     uint64_t address, void *data)
{
	access(vcpu, info, address, data, true);
}
