/* Reader of files of caches; see caches.h. */
#include "host/cache/caches_inner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/conf.h"

enum {
	MAX_VALUES = 64, /* of a list */
	MAX_BYTES_BITS = 32,
	MAX_MSHR = 4096,
	MAX_BANDWIDTH = 4096,
	USUAL_LINE = 64,
};

enum field {
	FIELD_SIZE,
	FIELD_LINE,
	FIELD_WAYS,
	FIELD_LATENCY,
	FIELD_MSHR,
	FIELD_BANDWIDTH,
	FIELD_KEEP,
	FIELD_SHARING,
	FIELD_REPLACEMENT,
	N_FIELDS,
};

static const char *const field_names[N_FIELDS] = {
	[FIELD_SIZE] = "size",
	[FIELD_LINE] = "line",
	[FIELD_WAYS] = "ways",
	[FIELD_LATENCY] = "latency",
	[FIELD_MSHR] = "mshr",
	[FIELD_BANDWIDTH] = "bandwidth",
	[FIELD_KEEP] = "keep",
	[FIELD_SHARING] = "sharing",
	[FIELD_REPLACEMENT] = "replacement",
};

static const char *const expectations[N_FIELDS] = {
	[FIELD_SIZE] = "a size like 48K or 2M, at most 4G",
	[FIELD_LINE] = "a power of two from 16 to 4096",
	[FIELD_WAYS] = "a number from 1 to 4096, or full",
	[FIELD_LATENCY] = "cycles from 1 to 100000",
	[FIELD_MSHR] = "a number from 1 to 4096",
	[FIELD_BANDWIDTH] = "bytes per cycle from 1 to 4096",
	[FIELD_KEEP] = "percent from 1 to 100",
	[FIELD_SHARING] = "private or shared",
	[FIELD_REPLACEMENT] = "lru",
};

static const char *const level_names[CACHE_MAX_LEVELS] = { "l1", "l2", "l3",
							   "l4" };

/* A key of a level, with the value of each combination. */
struct axis {
	int line;
	const char *key;
	size_t level;
	enum field field;
	size_t n, at;
	uint64_t values[MAX_VALUES];
	const char *words[MAX_VALUES];
};

struct reading {
	struct arena *a;
	struct conf conf;
	struct cache_hierarchy base; /* what all combinations share */
	size_t n_axes;
	struct axis *axes;
	/* Line of each key in the file; 0: absent. */
	int lines[CACHE_MAX_LEVELS][N_FIELDS];
	struct err *e;
};

static int caches_bad(struct reading *r, int line, const char *key,
		      const char *expected)
{
	return err_set(r->e, ERR_INPUT, "%s:%d: %s: expected %s", r->conf.path,
		       line, key, expected);
}

/* ---- values -------------------------------------------------------- */

static bool read_value(enum field field, const char *s, uint64_t *ret)
{
	static const struct {
		uint64_t min, max;
		bool units;
	} limits[N_FIELDS] = {
		[FIELD_SIZE] = { 16, UINT64_C(1) << MAX_BYTES_BITS, true },
		[FIELD_LINE] = { CACHE_MIN_LINE, CACHE_MAX_LINE, false },
		[FIELD_WAYS] = { 1, CACHE_MAX_WAYS, false },
		[FIELD_LATENCY] = { 1, CACHES_MAX_LATENCY, false },
		[FIELD_MSHR] = { 1, MAX_MSHR, false },
		[FIELD_BANDWIDTH] = { 1, MAX_BANDWIDTH, false },
		[FIELD_KEEP] = { 1, 100, false },
	};

	switch (field) {
	case FIELD_SHARING:
		*ret = strcmp(s, "shared") == 0;
		return *ret || strcmp(s, "private") == 0;
	case FIELD_REPLACEMENT:
		*ret = 0;
		return strcmp(s, "lru") == 0;
	case FIELD_WAYS:
		*ret = 0; /* full */
		if (strcmp(s, "full") == 0)
			return true;
		break;
	case FIELD_LINE:
	default:
		break;
	}
	return caches_number(s, limits[field].units, limits[field].min,
			     limits[field].max, ret) &&
	       (field != FIELD_LINE || (*ret & (*ret - 1)) == 0);
}

static int read_axis(struct reading *r, const struct conf_entry *x,
		     size_t level, enum field field)
{
	struct axis *axis = &r->axes[r->n_axes++];
	char *text = arena_strdup(r->a, x->value);

	*axis = (struct axis){
		.line = x->line,
		.key = x->key,
		.level = level,
		.field = field,
	};
	r->lines[level][field] = x->line;
	while (text) {
		char *comma = strchr(text, ',');
		char *end;

		if (comma)
			*comma = '\0';
		text += strspn(text, " \t");
		end = text + strlen(text);
		while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
			*--end = '\0';
		if (axis->n == MAX_VALUES)
			return caches_bad(r, x->line, x->key,
					  "at most 64 values");
		if (!read_value(field, text, &axis->values[axis->n]))
			return caches_bad(r, x->line, x->key,
					  expectations[field]);
		axis->words[axis->n++] = text;
		text = comma ? comma + 1 : NULL;
	}
	return ERR_OK;
}

/* ---- keys ---------------------------------------------------------- */

static bool level_key(const char *key, size_t *ret_level, enum field *ret)
{
	for (size_t l = 0; l < CACHE_MAX_LEVELS; l++)
		for (int f = 0; f < N_FIELDS; f++)
			if (strncmp(key, level_names[l], 2) == 0 &&
			    key[2] == '.' &&
			    strcmp(key + 3, field_names[f]) == 0) {
				*ret_level = l;
				*ret = (enum field)f;
				/* The core's model has the bandwidth of l1,
				 * which keeps everything. */
				return l > 0 || (f != FIELD_BANDWIDTH &&
						 f != FIELD_KEEP);
			}
	return false;
}

static int read_key(struct reading *r, const struct conf_entry *x)
{
	size_t level;
	enum field field;

	if (caches_other_key(x->key))
		return caches_read_other(&r->conf, x, &r->base, r->e);
	if (!level_key(x->key, &level, &field))
		return err_set(r->e, ERR_INPUT,
			       "%s:%d: unknown key '%s' (see "
			       "docs/estimate-model.md)",
			       r->conf.path, x->line, x->key);
	if (r->base.n_levels <= level)
		r->base.n_levels = (uint32_t)level + 1;
	return read_axis(r, x, level, field);
}

static int caches_missing(struct reading *r, const char *level,
			  const char *field)
{
	return err_set(r->e, ERR_INPUT, "%s: expected a key '%s%s%s'",
		       r->conf.path, level, *level ? "." : "", field);
}

static int check_present(struct reading *r)
{
	static const enum field needed[] = { FIELD_SIZE, FIELD_WAYS,
					     FIELD_LATENCY };
	size_t n = r->base.n_levels ? r->base.n_levels : 1;

	for (size_t l = 0; l < n; l++)
		for (size_t i = 0; i < ARRAY_LEN(needed); i++)
			if (!r->lines[l][needed[i]])
				return caches_missing(r, level_names[l],
						      field_names[needed[i]]);
	if (!r->base.memory_latency)
		return caches_missing(r, "", "memory.latency");
	return caches_check_others(r->conf.path, &r->base, r->e);
}

/* ---- hierarchies --------------------------------------------------- */

static void set_field(struct cache_level *l, enum field field, uint64_t value)
{
	switch (field) {
	case FIELD_SIZE:
		l->bytes = value;
		break;
	case FIELD_LINE:
		l->line_bytes = (uint32_t)value;
		break;
	case FIELD_WAYS:
		l->ways = (uint32_t)value;
		break;
	case FIELD_LATENCY:
		l->latency = (uint32_t)value;
		break;
	case FIELD_MSHR:
		l->mshr = (uint32_t)value;
		break;
	case FIELD_BANDWIDTH:
		l->bandwidth = (uint32_t)value;
		break;
	case FIELD_KEEP:
		l->keep = (uint32_t)value;
		break;
	case FIELD_SHARING:
		l->shared = value != 0;
		break;
	default: /* there is one replacement */
		break;
	}
}

static int check_level(struct reading *r, struct cache_hierarchy *h, size_t i)
{
	struct cache_level *l = &h->levels[i];
	const struct cache_level *before = i ? &h->levels[i - 1] : NULL;
	const int *lines = r->lines[i];
	char key[CACHE_LEVEL_NAME + 16];
	uint64_t set;

	if (l->ways == 0 && l->bytes / l->line_bytes <= CACHE_MAX_WAYS)
		l->ways = (uint32_t)(l->bytes / l->line_bytes);
	set = (uint64_t)l->line_bytes * l->ways;
	(void)snprintf(key, sizeof(key), "%s.size", l->name);
	if (set == 0)
		return caches_bad(r, lines[FIELD_SIZE], key,
				  "at least one and at most 4096 lines in a "
				  "cache with ways = full");
	if (l->bytes % set != 0)
		return caches_bad(r, lines[FIELD_SIZE], key,
				  arena_printf(r->a,
					       "a multiple of a line of %u "
					       "bytes times %u ways",
					       (unsigned)l->line_bytes,
					       (unsigned)l->ways));
	if (before && l->line_bytes < before->line_bytes)
		return err_set(r->e, ERR_INPUT,
			       "%s:%d: %s.line: expected at least the line of "
			       "%s, %u bytes",
			       r->conf.path,
			       lines[FIELD_LINE] ? lines[FIELD_LINE]
						 : lines[FIELD_SIZE],
			       l->name, before->name,
			       (unsigned)before->line_bytes);
	if (before && l->latency < before->latency)
		return err_set(r->e, ERR_INPUT,
			       "%s:%d: %s.latency: expected at least that of "
			       "%s, %u cycles",
			       r->conf.path, lines[FIELD_LATENCY], l->name,
			       before->name, (unsigned)before->latency);
	if (before && before->shared && !l->shared)
		return err_set(r->e, ERR_INPUT,
			       "%s:%d: %s.sharing: expected shared, as %s is",
			       r->conf.path,
			       lines[FIELD_SHARING] ? lines[FIELD_SHARING]
						    : lines[FIELD_SIZE],
			       l->name, before->name);
	return ERR_OK;
}

static int build(struct reading *r, const char *stem,
		 struct cache_hierarchy *ret)
{
	char *name = arena_strdup(r->a, stem);

	*ret = r->base;
	for (size_t i = 0; i < r->n_axes; i++) {
		const struct axis *x = &r->axes[i];

		set_field(&ret->levels[x->level], x->field, x->values[x->at]);
		if (x->n > 1)
			name = arena_printf(r->a, "%s %s=%s", name, x->key,
					    x->words[x->at]);
	}
	if (strlen(name) >= sizeof(ret->name))
		return err_set(r->e, ERR_INPUT,
			       "%s: expected fewer lists: the name '%s' is too "
			       "long",
			       r->conf.path, name);
	memcpy(ret->name, name, strlen(name) + 1);
	for (size_t i = 0; i < ret->n_levels; i++)
		if (check_level(r, ret, i) != ERR_OK)
			return r->e->code;
	if (ret->memory_latency < ret->levels[ret->n_levels - 1].latency)
		return err_set(r->e, ERR_INPUT,
			       "%s: memory.latency: expected at least that of "
			       "the last level",
			       r->conf.path);
	return ERR_OK;
}

/* The hierarchy with parts of its last level, from all of it on: 1, 3/4, 1/2,
 * 3/8 ...  A part has at least one set, so that parts of a small level may be
 * equal.  Returns ERR_OK or an error. */
static int add_parts(struct reading *r, const struct cache_hierarchy *whole,
		     struct cache_hierarchy *ret)
{
	const uint32_t last = whole->n_levels - 1;
	const struct cache_level *l = &whole->levels[last];
	const uint64_t set = (uint64_t)l->line_bytes * l->ways;

	if (!l->shared)
		return err_set(r->e, ERR_INPUT,
			       "%s: others.bandwidth: expected %s.sharing = "
			       "shared",
			       r->conf.path, l->name);
	for (unsigned i = 0; i < CACHES_PARTS; i++) {
		uint64_t quarters = i % 2 == 0 ? 4 : 3;
		uint64_t bytes = (l->bytes / 4 * quarters >> i / 2) / set * set;
		const char *name;

		ret[i] = *whole;
		ret[i].shared_bytes = l->bytes;
		ret[i].levels[last].bytes = bytes ? bytes : set;
		name = arena_printf(r->a, "%s, %.3gM left", whole->name,
				    (double)ret[i].levels[last].bytes /
					    (1 << 20));
		if (strlen(name) >= sizeof(ret[i].name))
			return err_set(r->e, ERR_INPUT,
				       "%s: expected fewer lists: the name "
				       "'%s' is too long",
				       r->conf.path, name);
		memcpy(ret[i].name, name, strlen(name) + 1);
	}
	return ERR_OK;
}

static int add_hierarchy(struct reading *r, const char *stem,
			 struct caches *list)
{
	struct cache_hierarchy whole;

	if (build(r, stem, &whole) != ERR_OK)
		return r->e->code;
	if (!(whole.others_bytes > 0)) {
		list->at[list->n++] = whole;
		return ERR_OK;
	}
	if (add_parts(r, &whole, &list->at[list->n]) != ERR_OK)
		return r->e->code;
	list->n += CACHES_PARTS;
	return ERR_OK;
}

/* Step to the next combination; false after the last. */
static bool next_combination(struct reading *r)
{
	for (size_t i = r->n_axes; i-- > 0;) {
		if (++r->axes[i].at < r->axes[i].n)
			return true;
		r->axes[i].at = 0;
	}
	return false;
}

static const char *stem_of(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *stem = arena_strdup(a, slash ? slash + 1 : path);
	char *dot = strrchr(stem, '.');

	if (dot && dot > stem)
		*dot = '\0';
	return stem;
}

static int build_all(struct reading *r, struct caches *list)
{
	const char *stem = stem_of(r->a, r->conf.path);
	struct caches grown = { .n = list->n };
	uint64_t n = r->base.others_bytes > 0 ? CACHES_PARTS : 1;

	for (size_t i = 0; i < r->n_axes && n <= CACHE_MAX_HIERARCHIES; i++)
		n *= r->axes[i].n;
	if (n + list->n > CACHE_MAX_HIERARCHIES)
		return err_set(r->e, ERR_INPUT,
			       "%s: expected at most %d hierarchies in all",
			       r->conf.path, CACHE_MAX_HIERARCHIES);
	grown.at = ARENA_ARRAY(r->a, struct cache_hierarchy, n + list->n);
	if (list->n)
		memcpy(grown.at, list->at, list->n * sizeof(*grown.at));
	do {
		if (add_hierarchy(r, stem, &grown) != ERR_OK)
			return r->e->code;
	} while (next_combination(r));
	*list = grown;
	return ERR_OK;
}

int caches_read(struct arena *a, const char *path, struct caches *list,
		struct err *e)
{
	struct reading r = { .a = a, .e = e };

	if (conf_read(a, path, &r.conf, e) != ERR_OK)
		return e->code;
	r.axes = ARENA_ARRAY(a, struct axis, r.conf.n);
	for (size_t i = 0; i < CACHE_MAX_LEVELS; i++) {
		memcpy(r.base.levels[i].name, level_names[i],
		       strlen(level_names[i]) + 1);
		r.base.levels[i].line_bytes = USUAL_LINE;
	}
	for (size_t i = 0; i < r.conf.n; i++)
		if (read_key(&r, &r.conf.entries[i]) != ERR_OK)
			return e->code;
	if (check_present(&r) != ERR_OK)
		return e->code;
	return build_all(&r, list);
}
