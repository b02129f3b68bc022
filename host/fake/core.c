/* Reader of .core files: header lines.  See core.h. */
#include "host/fake/core.h"

#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"

enum { CORE_LIMIT = 1 << 20 };

/* ---- keys ------------------------------------------------------------- */

enum value_kind {
	VALUE_WORD,
	VALUE_REAL,
	VALUE_COUNT,
	VALUE_CHOICE,
	VALUE_CLOCK,
};

/* A `key = value` line.  Choices: `words[0]` sets the flag, `words[1]` clears
 * it. */
struct key {
	const char *name;
	enum value_kind kind;
	size_t at; /* offset in struct core */
	double min, max;
	const char *words[2];
};

#define AT(field) offsetof(struct core, field)
#define PERCENT(field)                                               \
	{                                                            \
		.name = #field, .kind = VALUE_REAL, .at = AT(field), \
		.max = 100                                           \
	}

#define COUNT(field, least, most)                                     \
	{                                                             \
		.name = #field, .kind = VALUE_COUNT, .at = AT(field), \
		.min = least, .max = most                             \
	}

static const struct key keys[] = {
	{ .name = "isa", .kind = VALUE_WORD, .at = AT(isa) },
	{ .name = "cpu", .kind = VALUE_WORD, .at = AT(cpu) },
	{ .name = "clock", .kind = VALUE_CLOCK, .at = AT(clock) },
	{ .name = "order",
	  .kind = VALUE_CHOICE,
	  .at = AT(in_order),
	  .words = { "in", "out" } },
	{ .name = "scheduler",
	  .kind = VALUE_CHOICE,
	  .at = AT(least_loaded),
	  .words = { "least-loaded", "optimal" } },
	{ .name = "hz",
	  .kind = VALUE_REAL,
	  .at = AT(hz),
	  .min = 1e6,
	  .max = 1e10 },
	{ .name = "ghz",
	  .kind = VALUE_REAL,
	  .at = AT(ghz),
	  .min = 0.01,
	  .max = 10 },
	COUNT(width, 1, 32),
	COUNT(window, 1, CORE_MAX_WINDOW),
	COUNT(loop_buffer, 1, 100000),
	COUNT(decode, 1, 32),
	COUNT(decoded_cache, 1, 100000),
	COUNT(load_buffer, 0, CORE_MAX_WINDOW),
	COUNT(store_buffer, 0, CORE_MAX_WINDOW),
	COUNT(vector_registers, 0, CORE_MAX_WINDOW),
	COUNT(general_queue, 0, CORE_MAX_WINDOW),
	COUNT(general_release, 0, 60),
	COUNT(refill, 0, 100),
	COUNT(targets, 1, 100000),
	COUNT(retarget, 0, 100),
	COUNT(taken, 0, 100),
	COUNT(stack_engine, 0, 1),
	COUNT(queue, 0, CORE_MAX_QUEUE),
	{ .name = "queue_registers",
	  .kind = VALUE_CHOICE,
	  .at = AT(queue_general),
	  .words = { "general", "vector" } },
	COUNT(overhead, 0, 10000),
	COUNT(bend, 0, 100),
	COUNT(seed, 0, 4294967295.0),
	PERCENT(noise),
	PERCENT(drift),
	PERCENT(storms),
	PERCENT(outliers),
	PERCENT(sibling),
	PERCENT(drop),
	PERCENT(corrupt),
	PERCENT(uncached),
	PERCENT(misses),
};

struct parser {
	struct arena *a;
	struct core core;
	struct buffer forms; /* struct core_form */
	int line;
	int pair_line; /* the first */
	int values_line;
	bool seen[ARRAY_LEN(keys)];
};

static int expected(const struct parser *p, const char *what, struct err *e)
{
	return err_set(e, ERR_INPUT, "%s:%d: expected %s", p->core.path,
		       p->line, what);
}

static int set_number(struct parser *p, const struct key *k, const char *value,
		      struct err *e)
{
	char *at = (char *)&p->core + k->at;
	double number;
	bool whole = k->kind == VALUE_COUNT;

	if (!core_number(value, k->max, &number) || number < k->min ||
	    (whole && strchr(value, '.')))
		return err_set(e, ERR_INPUT,
			       "%s:%d: '%s' must be a %snumber from %g to %g",
			       p->core.path, p->line, k->name,
			       whole ? "whole " : "", k->min, k->max);
	if (k->at == AT(seed))
		p->core.seed = (uint64_t)number;
	else if (whole)
		*(uint32_t *)(void *)at = (uint32_t)number;
	else
		*(double *)(void *)at = number;
	return ERR_OK;
}

static int set_clock(struct parser *p, const struct key *k, const char *value,
		     struct err *e)
{
	enum clock clock = clock_of(value);

	if (clock != CLOCK_CORE && clock != CLOCK_REF)
		return err_set(e, ERR_INPUT, "%s:%d: '%s' must be %s or %s",
			       p->core.path, p->line, k->name,
			       clock_word(CLOCK_REF), clock_word(CLOCK_CORE));
	p->core.clock = clock;
	return ERR_OK;
}

static int set_key(struct parser *p, const struct key *k, char *value,
		   struct err *e)
{
	char *at = (char *)&p->core + k->at;

	switch (k->kind) {
	case VALUE_WORD:
		if (*value == '\0' || strpbrk(value, " \t*"))
			return err_set(e, ERR_INPUT,
				       "%s:%d: '%s' must be one word",
				       p->core.path, p->line, k->name);
		*(const char **)(void *)at = arena_strdup(p->a, value);
		if (k->at == AT(isa))
			p->core.isa_line = p->line;
		return ERR_OK;
	case VALUE_CHOICE:
		if (strcmp(value, k->words[0]) != 0 &&
		    strcmp(value, k->words[1]) != 0)
			return err_set(e, ERR_INPUT,
				       "%s:%d: '%s' must be %s or %s",
				       p->core.path, p->line, k->name,
				       k->words[0], k->words[1]);
		*(bool *)at = strcmp(value, k->words[0]) == 0;
		return ERR_OK;
	case VALUE_CLOCK:
		return set_clock(p, k, value, e);
	default:
		return set_number(p, k, value, e);
	}
}

/* ports = p0 p1 ... */
static int set_ports(struct parser *p, char *value, struct err *e)
{
	struct core *c = &p->core;
	char *save = NULL;

	if (c->n_ports)
		return err_set(e, ERR_INPUT,
			       "%s:%d: key 'ports' is given twice", c->path,
			       p->line);
	for (char *word = strtok_r(value, " \t", &save); word;
	     word = strtok_r(NULL, " \t", &save)) {
		if (c->n_ports == CORE_MAX_PORTS ||
		    strlen(word) >= CORE_NAME_ROOM ||
		    strpbrk(word, "|+*,=[]>:"))
			return err_set(e, ERR_INPUT,
				       "%s:%d: expected at most %d ports with "
				       "plain, short names",
				       c->path, p->line, CORE_MAX_PORTS);
		memcpy(c->ports[c->n_ports++], word, strlen(word) + 1);
	}
	return c->n_ports ? ERR_OK : expected(p, "names of ports", e);
}

/* The classes of "FIRST>SECOND"; `form` says how the line should look. */
static int two_classes(struct parser *p, char *pair, const char *form,
		       int ret[2], struct err *e)
{
	char *arrow = strchr(pair, '>');

	if (!arrow)
		return expected(p, form, e);
	*arrow = '\0';
	ret[0] = core_class(&p->core, core_trim(pair));
	ret[1] = core_class(&p->core, core_trim(arrow + 1));
	if (ret[0] <= 0 || ret[1] <= 0)
		return expected(p, "names of at most 31 classes", e);
	return ERR_OK;
}

/* forward PRODUCER>CONSUMER = [-]CYCLES, or written PRODUCER>CONSUMER =
 * CYCLES */
static int set_cycles(struct parser *p, char *pair, char *value,
		      int16_t to[CORE_MAX_CLASSES][CORE_MAX_CLASSES],
		      struct err *e)
{
	double cycles;
	bool negative = *value == '-' && to == p->core.forward;
	int id[2];
	int ret = two_classes(p, pair, "PRODUCER>CONSUMER = CYCLES", id, e);

	if (ret != ERR_OK)
		return ret;
	if (!core_number(value + negative, CORE_MAX_LATENCY, &cycles) ||
	    strchr(value, '.'))
		return expected(p, "a whole number of cycles", e);
	to[id[0]][id[1]] = (int16_t)(negative ? -cycles : cycles);
	return ERR_OK;
}

/* pair FIRST>SECOND */
static int take_pair(struct parser *p, char *pair, struct err *e)
{
	int id[2];
	int ret = two_classes(p, pair, "pair FIRST>SECOND", id, e);

	if (ret != ERR_OK)
		return ret;
	p->core.pair[id[0]][id[1]] = true;
	p->core.has_pairs = true;
	p->pair_line = p->pair_line ? p->pair_line : p->line;
	return ERR_OK;
}

static int take_key(struct parser *p, char *name, char *value, struct err *e)
{
	if (strcmp(name, "ports") == 0)
		return set_ports(p, value, e);
	if (strncmp(name, "forward ", 8) == 0)
		return set_cycles(p, name + 8, value, p->core.forward, e);
	if (strncmp(name, "written ", 7) == 0) {
		p->core.has_written = true;
		return set_cycles(p, name + 7, value, p->core.written, e);
	}
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		if (strcmp(keys[i].name, name) != 0)
			continue;
		if (p->seen[i])
			return err_set(e, ERR_INPUT,
				       "%s:%d: key '%s' is given twice",
				       p->core.path, p->line, name);
		p->seen[i] = true;
		return set_key(p, &keys[i], value, e);
	}
	return err_set(e, ERR_INPUT,
		       "%s:%d: unknown key '%s' (see examples/cores/README.md)",
		       p->core.path, p->line, name);
}

/* ---- lines ------------------------------------------------------------ */

/* What depends on operands is simulated in order. */
static bool needs_order(const struct core_form *f)
{
	return f->same_operands || f->wide_occupancy || f->unlinked ||
	       f->idle_latency;
}

static int take_form(struct parser *p, char *rest, struct err *e)
{
	/* Names of forms hold no colon, patterns may. */
	char *colon = strrchr(rest, ':');
	struct core_form f;

	if (p->core.n_ports == 0)
		return expected(p, "`ports = ...` before the first form", e);
	if (!colon)
		return expected(p, "form PATTERN: attribute, ...", e);
	*colon = '\0';

	const struct core_form_text text = {
		.line = p->line,
		.pattern = core_trim(rest),
		.attributes = colon + 1,
	};
	int ret = core_parse_form(p->a, &p->core, &text, &f, e);

	if (ret != ERR_OK)
		return ret;
	if (needs_order(&f)) {
		p->core.has_values = true;
		p->values_line = p->values_line ? p->values_line : p->line;
	}
	buffer_add(&p->forms, &f, sizeof(f));
	p->core.has_numbers |= f.has_number;
	return ERR_OK;
}

static int take_line(struct parser *p, char *line, struct err *e)
{
	char *equals;

	line = core_trim(line);
	if (*line == '\0' || *line == '#')
		return ERR_OK;
	if (strncmp(line, "form ", 5) == 0)
		return take_form(p, line + 5, e);
	if (strncmp(line, "pair ", 5) == 0)
		return take_pair(p, line + 5, e);
	equals = strchr(line, '=');
	if (!equals)
		return expected(p,
				"`key = value`, `form PATTERN: ...`, "
				"`pair FIRST>SECOND` or a comment",
				e);
	*equals = '\0';
	return take_key(p, core_trim(line), core_trim(equals + 1), e);
}

static int check_whole(const struct parser *p, struct err *e)
{
	const struct core *c = &p->core;
	const char *missing = !c->isa       ? "isa = ..."
			      : !c->width   ? "width = ..."
			      : !c->n_ports ? "ports = ..."
			      : !p->forms.n ? "form PATTERN: ..."
					    : NULL;

	if (missing)
		return err_set(e, ERR_INPUT, "%s: missing line `%s`", c->path,
			       missing);
	if ((c->loop_buffer == 0) != (c->decode == 0))
		return err_set(
			e, ERR_INPUT,
			"%s: `loop_buffer` needs `decode`, and the reverse",
			c->path);
	if (c->uncached > 0 && c->decoded_cache == 0)
		return err_set(e, ERR_INPUT,
			       "%s: `uncached` needs `decoded_cache`", c->path);
	if (c->queue > 0 && !c->in_order)
		return err_set(e, ERR_INPUT, "%s: `queue` needs `order = in`",
			       c->path);
	if (c->has_values && !c->in_order)
		return err_set(e, ERR_INPUT,
			       "%s:%d: costs that depend on operands need "
			       "`order = in`",
			       c->path, p->values_line);
	if (c->overhead < c->bend)
		return err_set(e, ERR_INPUT,
			       "%s: `overhead` must be at least `bend`",
			       c->path);
	if (c->has_pairs && (!c->in_order || c->width != 2))
		return err_set(e, ERR_INPUT,
			       "%s:%d: pairs need `order = in` and "
			       "`width = 2`",
			       c->path, p->pair_line);
	return ERR_OK;
}

int core_parse(struct arena *a, const char *path, char *text, size_t n,
	       struct core *ret, struct err *e)
{
	struct parser p = { .a = a };
	int r = ERR_OK;

	p.core = (struct core){
		.path = arena_strdup(a, path),
		.cpu = "invented",
		.clock = CLOCK_CORE,
		.hz = 1e9,
		.ghz = 1,
		.window = 64,
		.overhead = 20,
		.seed = 1,
		.n_classes = 1,
	};
	if (memchr(text, '\0', n))
		return err_set(e, ERR_INPUT,
			       "%s is not a text file: it contains a NUL "
			       "byte",
			       path);
	for (char *line = text; line && r == ERR_OK;) {
		char *next = strchr(line, '\n');

		if (next)
			*next++ = '\0';
		p.line++;
		r = take_line(&p, line, e);
		line = next;
	}
	if (r == ERR_OK)
		r = check_whole(&p, e);
	p.core.n_forms = p.forms.n / sizeof(struct core_form);
	p.core.forms = arena_copy(a, p.forms.bytes, p.forms.n);
	buffer_free(&p.forms);
	if (r == ERR_OK)
		*ret = p.core;
	else
		core_free(&p.core);
	return r;
}

int core_read(struct arena *a, const char *path, struct core *ret,
	      struct err *e)
{
	unsigned char *bytes;
	size_t n;
	int r = file_read(a, path, CORE_LIMIT, &bytes, &n, e);

	return r == ERR_OK ? core_parse(a, path, (char *)bytes, n, ret, e) : r;
}

void core_free(struct core *c)
{
	for (size_t i = 0; i < c->n_forms; i++)
		regfree(&c->forms[i].pattern);
	c->n_forms = 0;
}

static bool has_number(const struct core_form *f, const int64_t *number)
{
	return !f->has_number || (number && *number >= f->number_low &&
				  *number <= f->number_high);
}

const struct core_form *core_find_number(const struct core *c, const char *form,
					 const int64_t *number)
{
	for (size_t i = 0; i < c->n_forms; i++)
		if (has_number(&c->forms[i], number) &&
		    regexec(&c->forms[i].pattern, form, 0, NULL, 0) == 0)
			return &c->forms[i];
	return NULL;
}

const struct core_form *core_find(const struct core *c, const char *form)
{
	return core_find_number(c, form, NULL);
}
