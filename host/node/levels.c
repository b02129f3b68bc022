#include "host/node/levels.h"

#include <stdlib.h>
#include <string.h>

#include "host/link/cores.h"
#include "host/machine/machine.h"

enum {
	MAX_LINE = 4096,
	USUAL_LINE = 64,
	MAX_INDEX = 16,
	MAX_CPUS = 4096,
	/* Memory: this many times the last cache. */
	TIMES_CACHE = 4,
	/* Kernels on a cache fill this part of it: streams replace lines early
	 * where a cache is not LRU, and tables of pages use it too. */
	PART = 2,
};

static const char *const names[] = { "L1", "L2", "L3", "L4" };

/* A file of a CPU's cache; NULL: there is none. */
struct cache_files {
	struct arena *a;
	const char *root;
	uint32_t cpu;
};

static const char *cache_file(const struct cache_files *c, unsigned index,
			      const char *name)
{
	return machine_text(c->a, c->root,
			    arena_printf(c->a,
					 "/sys/devices/system/cpu/cpu%u/cache/"
					 "index%u/%s",
					 (unsigned)c->cpu, index, name));
}

/* "48K", "1M", "2G" or bytes; 0: another syntax. */
static uint64_t parse_size(const char *text, char **end)
{
	static const char units[] = "KMG";
	uint64_t n = strtoull(text, end, 10);
	const char *unit = **end ? strchr(units, **end) : NULL;

	if (*end == text || n > UINT32_MAX)
		return 0;
	if (unit) {
		n <<= 10 * (unit - units + 1);
		(*end)++;
	}
	return n;
}

static uint32_t count_sharers(const char *list)
{
	uint32_t n = 0;

	for (uint32_t cpu = 0; cpu < MAX_CPUS; cpu++)
		n += (uint32_t)cores_listed(list, cpu);
	return n ? n : 1;
}

static void add_index(const struct cache_files *c, unsigned index,
		      struct node_levels *l)
{
	const char *type = cache_file(c, index, "type");
	const char *number = cache_file(c, index, "level");
	const char *size = cache_file(c, index, "size");
	const char *cpus = cache_file(c, index, "shared_cpu_list");
	const char *line = cache_file(c, index, "coherency_line_size");
	unsigned long level = number ? strtoul(number, NULL, 10) : 0;
	struct node_level *x;
	char *end;

	if (!type || *type == 'I' || level == 0 || level > ARRAY_LEN(names) ||
	    !size || *size == '\0')
		return;
	x = &l->at[level - 1];
	*x = (struct node_level){
		.name = names[level - 1],
		.bytes = parse_size(size, &end),
		.sharers = cpus ? count_sharers(cpus) : 1,
	};
	if (line)
		l->line = strtoul(line, NULL, 10);
	if (x->bytes > 0 && level > l->n)
		l->n = level;
}

static int parse_list(struct node_levels *l, const char *list, struct err *e)
{
	uint64_t before = 0;

	for (const char *at = list; *at;) {
		char *end;
		uint64_t bytes = parse_size(at, &end);

		if (bytes <= before || l->n == ARRAY_LEN(names) ||
		    (*end && (*end != ',' || !end[1])))
			return err_set(e, ERR_USAGE,
				       "--levels: expected up to %zu growing "
				       "sizes, e.g. 48K,1M,32M",
				       ARRAY_LEN(names));
		l->at[l->n] = (struct node_level){ .name = names[l->n],
						   .bytes = bytes,
						   .sharers = 1 };
		l->n++;
		before = bytes;
		at = *end ? end + 1 : end;
	}
	if (l->n > 1)
		l->at[l->n - 1].sharers = MAX_CPUS;
	return ERR_OK;
}

int node_levels_find(struct arena *a, const char *root, const char *list,
		     uint32_t cpu, struct node_levels *ret, struct err *e)
{
	struct node_levels l = { .source = "given" };

	if (list && parse_list(&l, list, e) != ERR_OK)
		return e->code;
	if (!list) {
		const struct cache_files c = { a, root, cpu };

		l.source = "sysfs";
		for (unsigned i = 0; i < MAX_INDEX; i++)
			add_index(&c, i, &l);
	}
	for (size_t i = 0; i < l.n; i++)
		if (l.at[i].bytes == 0)
			l.n = 0;
	if (l.n == 0)
		return err_set(e, ERR_INPUT,
			       "the system does not tell the sizes of its "
			       "caches; give them by --levels, e.g. 32K,1M");
	if (l.line < sizeof(uint64_t) || l.line > MAX_LINE)
		l.line = USUAL_LINE;
	l.at[l.n++] =
		(struct node_level){ .name = "memory", .sharers = MAX_CPUS };
	*ret = l;
	return ERR_OK;
}

static uint64_t power_below(uint64_t n)
{
	uint64_t p = 1;

	while (p <= n / 2)
		p *= 2;
	return n ? p : 0;
}

/* What the active cores have of a level each. */
static uint64_t share_of(const struct node_level *x, size_t n_cores)
{
	size_t sharers = x->sharers < n_cores ? x->sharers : n_cores;

	return x->bytes / (sharers ? sharers : 1);
}

uint64_t node_array_bytes(const struct node_levels *l, size_t i, size_t n_cores,
			  unsigned n_arrays)
{
	enum { LEAST = 4096 };
	uint64_t below = i > 0 ? share_of(&l->at[i - 1], n_cores) : 0;
	uint64_t n;

	if (l->at[i].bytes == 0)
		n = 2 * power_below(TIMES_CACHE * below / n_arrays);
	else
		n = power_below(share_of(&l->at[i], n_cores) / PART / n_arrays);
	if (n < LEAST || (l->at[i].bytes && n * n_arrays < PART * below))
		return 0;
	return n;
}
