/* Reader of files of caches; see caches.h. */
#include "host/cache/caches.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "host/base/conf.h"
#include "host/cache/caches_keys.h"

enum {
	MAX_VALUES = 64, /* of a list */
	USUAL_LINE = 64,
	USUAL_HISTORY = 128,
	USUAL_PATTERNS = 4096, /* chosen: of no core */
};

static const char level_names[CACHE_MAX_LEVELS][3] = { "l1", "l2", "l3", "l4" };

/* A key with several values, and that of each combination. */
struct axis {
	const struct caches_key *k;
	unsigned level;
	const char *key;
	size_t n, at;
	const char *values[MAX_VALUES];
};

struct reading {
	struct arena *a;
	struct conf conf;
	struct cache_hierarchy base; /* what all combinations share */
	size_t n_axes;
	struct axis *axes;
	struct err *e;
};

/* ---- keys ---------------------------------------------------------- */

/* line 0: the whole file is meant. */
static int PRINTF_LIKE(4, 5)
	caches_bad(struct reading *r, int line, const char *key,
		   const char *format, ...)
{
	char place[16] = "", expected[160];
	va_list args;

	if (line > 0)
		(void)snprintf(place, sizeof(place), ":%d", line);
	va_start(args, format);
	(void)vsnprintf(expected, sizeof(expected), format, args);
	va_end(args);
	return err_set(r->e, ERR_INPUT, "%s%s: %s: expected %s", r->conf.path,
		       place, key, expected);
}

/* The next value of a list, without the blanks around it; *list: the rest, or
 * NULL. */
static char *take_value(char **list)
{
	char *text = *list + strspn(*list, " \t"), *end;

	*list = strchr(text, ',');
	if (*list)
		*(*list)++ = '\0';
	for (end = text + strlen(text);
	     end > text && (end[-1] == ' ' || end[-1] == '\t');)
		*--end = '\0';
	return text;
}

/* Read each value, so that all are checked. */
static int read_values(struct reading *r, const struct conf_entry *x,
		       struct axis *ret)
{
	char *list = arena_strdup(r->a, x->value);

	do {
		char *value = ret->k->lists ? take_value(&list) : list;

		if (ret->n == MAX_VALUES)
			return caches_bad(r, x->line, x->key,
					  "at most 64 values");
		if (!caches_key_read(ret->k, ret->level, value, &r->base))
			return caches_bad(r, x->line, x->key, "%s",
					  caches_key_expected(r->a, ret->k));
		ret->values[ret->n++] = value;
	} while (ret->k->lists && list);
	return ERR_OK;
}

static int read_key(struct reading *r, const struct conf_entry *x)
{
	struct axis axis = { .key = x->key };

	axis.k = caches_key_find(x->key, &axis.level);
	if (!axis.k)
		return err_set(r->e, ERR_INPUT,
			       "%s:%d: unknown key '%s' (see "
			       "examples/caches/README.md)",
			       r->conf.path, x->line, x->key);
	if (axis.k->lists && r->base.n_levels <= axis.level)
		r->base.n_levels = axis.level + 1;
	if (read_values(r, x, &axis) != ERR_OK)
		return r->e->code;
	if (axis.n > 1)
		r->axes[r->n_axes++] = axis;
	return ERR_OK;
}

/* ---- keys that need others ----------------------------------------- */

static const char *key_of(struct reading *r, const char *kind, size_t level,
			  const char *name)
{
	return arena_printf(r->a, "%s%zu.%s", kind, level + 1, name);
}

static int need(struct reading *r, const char *key)
{
	if (conf_get(&r->conf, key))
		return ERR_OK;
	return err_set(r->e, ERR_INPUT, "%s: expected a key '%s'", r->conf.path,
		       key);
}

/* If there is `key`, `other` must be there, too. */
static int need_with(struct reading *r, const char *key, const char *other)
{
	return conf_get(&r->conf, key) ? need(r, other) : ERR_OK;
}

static int check_tlb_level(struct reading *r, size_t i)
{
	struct cache_tlb_level *l = &r->base.tlb.levels[i];
	const char *key = key_of(r, "tlb", i, "entries");

	if (need(r, key) != ERR_OK ||
	    need(r, key_of(r, "tlb", i, "ways")) != ERR_OK)
		return r->e->code;
	if (l->ways == CACHES_FULL && l->entries <= CACHE_MAX_WAYS)
		l->ways = l->entries;
	if (l->ways == CACHES_FULL)
		return caches_bad(r, 0, key,
				  "at most 4096 entries with ways = full");
	if (l->entries % l->ways != 0)
		return caches_bad(r, 0, key, "a multiple of %u ways", l->ways);
	return ERR_OK;
}

static bool has_tlb_level(const struct cache_tlb_level *l)
{
	return l->entries || l->ways || l->latency;
}

static int check_tlb(struct reading *r)
{
	struct cache_tlb *t = &r->base.tlb;

	if (has_tlb_level(&t->levels[1]))
		t->n_levels = 2;
	else if (has_tlb_level(&t->levels[0]) || t->walk || t->walkers ||
		 t->interval || t->page_bytes)
		t->n_levels = 1;
	for (size_t i = 0; i < t->n_levels; i++)
		if (check_tlb_level(r, i) != ERR_OK)
			return r->e->code;
	if ((t->n_levels > 1 && need(r, "tlb2.latency") != ERR_OK) ||
	    (t->n_levels > 0 && need(r, "page.walk") != ERR_OK))
		return r->e->code;
	if (t->walk && t->walk < t->levels[1].latency)
		return caches_bad(r, 0, "page.walk", "at least tlb2.latency");
	if (t->n_levels > 0 && !t->page_bytes)
		t->page_bytes = CACHE_MIN_PAGE;
	return ERR_OK;
}

static int check_pages(struct reading *r)
{
	const struct cache_pages *p = &r->base.pages;

	if (!p->contiguous && (p->scattered || p->first))
		return caches_bad(r, 0,
				  p->first ? "l1.index = physical"
					   : "page.scattered",
				  "a key 'page.contiguous', too");
	if (p->contiguous && p->contiguous < r->base.tlb.page_bytes)
		return caches_bad(r, 0, "page.contiguous",
				  "at least page.size, and that at most 2M");
	return ERR_OK;
}

static int check_branches(struct reading *r)
{
	static const char *const keys[] = { "branch.history", "branch.patterns",
					    "branch.loop" };
	struct cache_core *core = &r->base.core;

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (need_with(r, keys[i], "branch.penalty") != ERR_OK)
			return r->e->code;
	if (r->base.branch_penalty && !core->history)
		core->history = USUAL_HISTORY;
	if (r->base.branch_penalty && !core->patterns)
		core->patterns = USUAL_PATTERNS;
	return ERR_OK;
}

/* Check what one key requires of others, and set the defaults of absent
 * keys. */
static int check_keys(struct reading *r)
{
	static const char *const needed[] = { "size", "ways", "latency" };
	size_t n = r->base.n_levels ? r->base.n_levels : 1;

	for (size_t l = 0; l < n; l++)
		for (size_t i = 0; i < ARRAY_LEN(needed); i++)
			if (need(r, key_of(r, "l", l, needed[i])) != ERR_OK)
				return r->e->code;
	if (need(r, "memory.latency") != ERR_OK || check_tlb(r) != ERR_OK ||
	    check_pages(r) != ERR_OK || check_branches(r) != ERR_OK)
		return r->e->code;
	return ERR_OK;
}

/* ---- hierarchies --------------------------------------------------- */

/* Line of a level's key or, if it is absent, of the level's size. */
static int line_of(struct reading *r, const char *key, size_t level)
{
	int line = conf_line(&r->conf, key);

	return line ? line : conf_line(&r->conf, key_of(r, "l", level, "size"));
}

static int check_size(struct reading *r, struct cache_level *l, size_t i)
{
	const char *key = key_of(r, "l", i, "size");
	uint64_t lines = l->bytes / l->line_bytes, set;

	if (l->ways == CACHES_FULL)
		l->ways = lines <= CACHE_MAX_WAYS ? (uint32_t)lines : 0;
	set = (uint64_t)l->line_bytes * l->ways;
	if (set == 0)
		return caches_bad(r, line_of(r, key, i), key,
				  "at least one and at most 4096 lines in a "
				  "cache with ways = full");
	if (l->bytes % set != 0)
		return caches_bad(r, line_of(r, key, i), key,
				  "a multiple of a line of %u bytes times %u "
				  "ways",
				  l->line_bytes, l->ways);
	return ERR_OK;
}

/* Does level i go with the one before it? */
static int check_order(struct reading *r, const struct cache_level *l, size_t i)
{
	const struct cache_level *before = l - 1;
	const char *line = key_of(r, "l", i, "line");
	const char *latency = key_of(r, "l", i, "latency");
	const char *sharing = key_of(r, "l", i, "sharing");

	if (l->line_bytes < before->line_bytes)
		return caches_bad(r, line_of(r, line, i), line,
				  "at least the line of %s, %u bytes",
				  before->name, before->line_bytes);
	if (l->latency < before->latency)
		return caches_bad(r, line_of(r, latency, i), latency,
				  "at least that of %s, %u cycles",
				  before->name, before->latency);
	if (before->shared && !l->shared)
		return caches_bad(r, line_of(r, sharing, i), sharing,
				  "shared, as %s is", before->name);
	return ERR_OK;
}

static int set_name(struct reading *r, const char *name,
		    struct cache_hierarchy *h)
{
	if (strlen(name) >= sizeof(h->name))
		return err_set(r->e, ERR_INPUT,
			       "%s: expected fewer lists: the name '%s' is too "
			       "long",
			       r->conf.path, name);
	memcpy(h->name, name, strlen(name) + 1);
	return ERR_OK;
}

static int build(struct reading *r, const char *stem,
		 struct cache_hierarchy *ret)
{
	const char *name = stem;

	*ret = r->base;
	for (size_t i = 0; i < r->n_axes; i++) {
		const struct axis *x = &r->axes[i];
		const char *value = x->values[x->at];

		(void)caches_key_read(x->k, x->level, value, ret);
		name = arena_printf(r->a, "%s %s=%s", name, x->key, value);
	}
	if (set_name(r, name, ret) != ERR_OK)
		return r->e->code;
	for (size_t i = 0; i < ret->n_levels; i++)
		if (check_size(r, &ret->levels[i], i) != ERR_OK ||
		    (i > 0 && check_order(r, &ret->levels[i], i) != ERR_OK))
			return r->e->code;
	if (ret->memory_latency < ret->levels[ret->n_levels - 1].latency)
		return caches_bad(r, 0, "memory.latency",
				  "at least that of the last level");
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
		return caches_bad(r, 0, "others.bandwidth",
				  "%s.sharing = shared", l->name);
	for (unsigned i = 0; i < CACHES_PARTS; i++) {
		uint64_t quarters = i % 2 == 0 ? 4 : 3;
		uint64_t bytes = (l->bytes / 4 * quarters >> i / 2) / set * set;

		ret[i] = *whole;
		ret[i].shared_bytes = l->bytes;
		ret[i].levels[last].bytes = bytes ? bytes : set;
		if (set_name(r,
			     arena_printf(r->a, "%s, %.3gM left", whole->name,
					  (double)ret[i].levels[last].bytes /
						  (1 << 20)),
			     &ret[i]) != ERR_OK)
			return r->e->code;
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

/* All of a file whose lines are in r->conf. */
static int take_conf(struct reading *r, struct caches *list)
{
	r->axes = ARENA_ARRAY(r->a, struct axis, r->conf.n);
	for (size_t i = 0; i < CACHE_MAX_LEVELS; i++) {
		memcpy(r->base.levels[i].name, level_names[i],
		       sizeof(level_names[i]));
		r->base.levels[i].line_bytes = USUAL_LINE;
	}
	for (size_t i = 0; i < r->conf.n; i++)
		if (read_key(r, &r->conf.entries[i]) != ERR_OK)
			return r->e->code;
	if (check_keys(r) != ERR_OK)
		return r->e->code;
	return build_all(r, list);
}

int caches_read(struct arena *a, const char *path, struct caches *list,
		struct err *e)
{
	struct reading r = { .a = a, .e = e };

	if (conf_read(a, path, &r.conf, e) != ERR_OK)
		return e->code;
	return take_conf(&r, list);
}

int caches_parse(struct arena *a, const char *path, const char *text,
		 struct caches *list, struct err *e)
{
	struct reading r = { .a = a, .e = e };

	if (conf_parse(a, path, text, &r.conf, e) != ERR_OK)
		return e->code;
	return take_conf(&r, list);
}
