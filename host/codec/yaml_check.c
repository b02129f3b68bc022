/* Checks YAML before it is loaded; see yaml_check.h.
 *
 * libyaml looks at all open brackets for each token, and at all anchors for each
 * alias; 100 KB of brackets take it half a minute. Its events come one by one,
 * so this reads them only as far as they keep within the limits. */
#include "host/codec/yaml_check.h"

#include <string.h>

#include "host/base/arena.h"
#include "host/base/guard.h"

/* Chosen: the formats nest 6 levels, and files of other tools have some dozens
 * of anchors. A million repeated values are read in a few seconds. */
enum {
	MAX_DEPTH = 32,
	MAX_DIRECTIVES = 64,
	MAX_ANCHORS = 1024,
	MAX_REPEATED = 1 << 20,
};

struct yaml_anchor {
	const char *name;
	size_t n; /* values that it stands for */
};

struct yaml_checker {
	struct arena *a;
	const char *path;
	struct err *e;
	size_t n;        /* values so far, with those that aliases repeat */
	size_t repeated; /* of them, in all documents */
	size_t depth;
	struct {
		size_t before;              /* values before it */
		struct yaml_anchor *anchor; /* NULL: none */
	} open[MAX_DEPTH];
	size_t n_anchors;
	struct yaml_anchor anchors[MAX_ANCHORS];
};

static void check_bad(struct yaml_checker *k, size_t line, const char *what,
		      size_t most)
{
	(void)err_set(k->e, ERR_INPUT, "%s:%zu: expected at most %zu %s",
		      k->path, line + 1, most, what);
}

static struct yaml_anchor *add_anchor(struct yaml_checker *k,
				      const yaml_event_t *x,
				      const yaml_char_t *name)
{
	struct yaml_anchor *ret = &k->anchors[k->n_anchors];

	if (!name)
		return NULL;
	if (k->n_anchors == MAX_ANCHORS) {
		check_bad(k, x->start_mark.line, "anchors (&name)",
			  MAX_ANCHORS);
		return NULL;
	}
	*ret = (struct yaml_anchor){
		.name = arena_strdup(k->a, (const char *)name), .n = 1
	};
	k->n_anchors++;
	return ret;
}

static void check_alias(struct yaml_checker *k, const yaml_event_t *x)
{
	const char *name = (const char *)x->data.alias.anchor;

	for (size_t i = k->n_anchors; i-- > 0;)
		if (strcmp(k->anchors[i].name, name) == 0) {
			k->n += k->anchors[i].n;
			k->repeated += k->anchors[i].n;
			break;
		}
	if (k->repeated > MAX_REPEATED)
		check_bad(k, x->start_mark.line,
			  "values that aliases (*name) repeat", MAX_REPEATED);
}

static void check_start(struct yaml_checker *k, const yaml_event_t *x,
			const yaml_char_t *anchor)
{
	if (k->depth == MAX_DEPTH) {
		check_bad(k, x->start_mark.line, "nested lists and maps",
			  MAX_DEPTH);
		return;
	}
	k->open[k->depth].before = k->n++;
	k->open[k->depth++].anchor = add_anchor(k, x, anchor);
}

static void check_end(struct yaml_checker *k)
{
	k->depth--;
	if (k->open[k->depth].anchor)
		k->open[k->depth].anchor->n = k->n - k->open[k->depth].before;
}

static void check_event(struct yaml_checker *k, const yaml_event_t *x)
{
	switch (x->type) {
	case YAML_DOCUMENT_START_EVENT:
		k->n_anchors = 0;
		break;
	case YAML_ALIAS_EVENT:
		check_alias(k, x);
		break;
	case YAML_SCALAR_EVENT:
		k->n++;
		(void)add_anchor(k, x, x->data.scalar.anchor);
		break;
	case YAML_SEQUENCE_START_EVENT:
		check_start(k, x, x->data.sequence_start.anchor);
		break;
	case YAML_MAPPING_START_EVENT:
		check_start(k, x, x->data.mapping_start.anchor);
		break;
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		check_end(k);
		break;
	default:
		break;
	}
}

/* libyaml compares each directive with all before it, in one step. */
static void check_directives(struct yaml_checker *k, const char *text, size_t n)
{
	const char *end = text + n, *at = text;
	size_t found = 0;

	for (size_t line = 0; at && at < end; line++) {
		if (*at == '%' && ++found > MAX_DIRECTIVES) {
			check_bad(k, line, "directives (%)", MAX_DIRECTIVES);
			return;
		}
		at = memchr(at, '\n', (size_t)(end - at));
		at = at ? at + 1 : NULL;
	}
}

bool yaml_is_shortage(const yaml_parser_t *p)
{
	return p->error == YAML_MEMORY_ERROR || !p->problem;
}

static void release_parser(void *object)
{
	yaml_parser_delete(object);
}

static void release_event(void *object)
{
	yaml_event_delete(object);
}

/* Take one event.  False: it was the last, or the text is no YAML. */
static bool check_next(struct yaml_checker *k, yaml_parser_t *p)
{
	yaml_event_t x;
	struct hold h;
	bool more;

	if (!yaml_parser_parse(p, &x)) {
		if (yaml_is_shortage(p))
			guard_shortage();
		return false;
	}
	guard_hold(&h, release_event, &x);
	check_event(k, &x);
	more = x.type != YAML_STREAM_END_EVENT;
	guard_drop(&h);
	yaml_event_delete(&x);
	return more && k->e->code == ERR_OK;
}

int yaml_check(const char *path, const char *text, size_t n, struct err *e)
{
	struct arena a = { 0 };
	struct yaml_checker *k = ARENA_NEW(&a, struct yaml_checker);
	yaml_parser_t p;
	struct hold h;

	k->a = &a;
	k->path = path;
	k->e = e;
	check_directives(k, text, n);
	if (e->code != ERR_OK) {
		arena_free(&a);
		return e->code;
	}
	if (!yaml_parser_initialize(&p))
		guard_shortage();
	guard_hold(&h, release_parser, &p);
	yaml_parser_set_input_string(&p, (const unsigned char *)text, n);
	while (check_next(k, &p))
		;
	guard_drop(&h);
	yaml_parser_delete(&p);
	arena_free(&a);
	return e->code;
}
