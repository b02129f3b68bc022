/* Accesses of the guest: merges the pieces of one execution of an instruction
 * into distinct lines.
 *
 * QEMU reports an access in pieces: an element, 8 or 16 bytes, or single bytes.
 * An execution is recognised by the instruction and the count of its block, as
 * an instruction runs at most once in a block. */
#include "host/guest/plugin.h"

static void access_add(const struct vcpu *v, uint64_t *counter, uint64_t n)
{
	if (!v->idle)
		plugin_count(counter, n);
}

static void simulate(struct vcpu *v, const struct access_site *s,
		     const uint64_t *lines, size_t n, bool store)
{
	if (plugin.parallel)
		(void)pthread_mutex_lock(&plugin.accessing);
	cache_access(v->cache, lines, n, store, s->place, v->at);
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

void plugin_flush_all(void)
{
	for (unsigned k = 0; k < PLUGIN_VCPUS; k++)
		if (plugin.vcpus[k])
			plugin_flush(plugin.vcpus[k]);
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
static void begin(struct vcpu *v, const struct access_site *s, uint64_t stamp)
{
	plugin_flush(v);
	v->site = s;
	v->stamp = stamp;
	v->size = 0;
	v->at = v->now - s->behind;
	access_add(v, &s->record->executions, 1);
	if (++v->mark == 0) {
		__builtin_memset(v->marks, 0, sizeof(v->marks));
		v->mark = 1;
	}
}

/* One of several pieces. */
static void add_piece(struct vcpu *v, const struct access_site *s,
		      uint64_t first, uint64_t last)
{
	for (uint64_t line = first; line <= last; line++) {
		if (v->n_lines > 0 && v->lines[v->n_lines - 1] == line)
			continue;
		if (v->n_lines == PLUGIN_LINES || !join(v, line))
			continue;
		v->lines[v->n_lines++] = line;
		access_add(v, &s->record->lines, 1);
	}
}

/* All that the execution accesses. */
static void add_whole(struct vcpu *v, const struct access_site *s,
		      uint64_t first, uint64_t last, bool store)
{
	enum { MOST = 64 };
	uint64_t lines[MOST];
	size_t n = 0;

	for (uint64_t line = first; line <= last && n < MOST; line++)
		lines[n++] = line;
	access_add(v, &s->record->lines, n);
	if (v->cache)
		simulate(v, s, lines, n, store || s->modifies);
}

static uint64_t stamp_of(const struct vcpu *v, const struct access_site *s)
{
	return plugin.parallel || plugin.x->functions ? v->blocks : *s->count;
}

void plugin_piece(struct vcpu *v, const struct access_site *s, uint64_t at,
		  uint64_t size, bool store)
{
	unsigned shift = plugin.line_shift;

	if (v->site != s || v->stamp != stamp_of(v, s))
		begin(v, s, stamp_of(v, s));
	v->store |= store;
	/* It modifies what it loaded. */
	if (store && at - v->begin < v->size)
		return;
	if (!store) {
		v->begin = at;
		v->size = size;
	}
	access_add(v, &s->record->bytes, size);
	add_piece(v, s, at >> shift, (at + size - 1) >> shift);
}

/* QEMU 7.2 ignores whether a callback asked for loads or for stores, so that
 * one callback takes both. */
void plugin_on_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t at,
		      void *data)
{
	enum { NEAR = 64 };
	const struct access_site *s = data;
	struct vcpu *v = plugin_vcpu(vcpu);
	unsigned shift = plugin.line_shift;
	bool store = s->stores;

	if (s->loads == s->stores)
		store = qemu_plugin_mem_is_store(info);
	if (!s->bytes) {
		plugin_piece(v, s, at,
			     UINT64_C(1) << qemu_plugin_mem_size_shift(info),
			     store);
		return;
	}
	if (v->site == s && v->stamp == stamp_of(v, s)) {
		/* QEMU 7.2 reads 16 bytes for a scalar FMA. */
		if (at - v->begin >= NEAR)
			atomic_fetch_add(&plugin.x->stray_accesses, 1);
		return;
	}
	begin(v, s, stamp_of(v, s));
	v->begin = at;
	access_add(v, &s->record->bytes, s->bytes);
	add_whole(v, s, at >> shift, (at + s->bytes - 1) >> shift, store);
}
