/* YAML reader; see yaml.h. */
#include "host/codec/yaml.h"

#include <stdlib.h>
#include <string.h>

#include "host/base/arena.h"
#include "host/model/model.h"

/* ---- what takes libyaml too long ----------------------------------------
 *
 * libyaml looks at all open brackets for each token, and at all anchors for
 * each alias; 100 KB of brackets take it half a minute. Its events come one by
 * one, so this reads them only as far as they keep within the limits. */

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
	struct yaml *y;
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
	(void)err_set(k->y->e, ERR_INPUT, "%s:%zu: expected at most %zu %s",
		      k->y->path, line + 1, most, what);
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
		k->depth--;
		if (k->open[k->depth].anchor)
			k->open[k->depth].anchor->n =
				k->n - k->open[k->depth].before;
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

static void release_parser(void *object)
{
	yaml_parser_delete(object);
}

static void begin_parser(struct yaml *y, const char *text, size_t n)
{
	if (!yaml_parser_initialize(&y->parser))
		guard_shortage();
	guard_hold(&y->parser_hold, release_parser, &y->parser);
	yaml_parser_set_input_string(&y->parser, (const unsigned char *)text,
				     n);
}

static void end_parser(struct yaml *y)
{
	guard_drop(&y->parser_hold);
	yaml_parser_delete(&y->parser);
}

/* The parser stopped: because memory is short?  libyaml does not always say so:
 * its other errors have a description. */
static void check_shortage(const yaml_parser_t *p)
{
	if (p->error == YAML_MEMORY_ERROR || !p->problem)
		guard_shortage();
}

static void release_event(void *object)
{
	yaml_event_delete(object);
}

/* Take one event.  False: it was the last, or the text is no YAML, which is an
 * error when it is loaded. */
static bool check_next(struct yaml_checker *k)
{
	yaml_event_t x;
	struct hold h;
	bool more;

	if (!yaml_parser_parse(&k->y->parser, &x)) {
		check_shortage(&k->y->parser);
		return false;
	}
	guard_hold(&h, release_event, &x);
	check_event(k, &x);
	more = x.type != YAML_STREAM_END_EVENT;
	guard_drop(&h);
	yaml_event_delete(&x);
	return more && k->y->e->code == ERR_OK;
}

static int check_text(struct yaml *y, const char *text, size_t n)
{
	struct arena a = { 0 };
	struct yaml_checker *k = ARENA_NEW(&a, struct yaml_checker);

	k->a = &a;
	k->y = y;
	check_directives(k, text, n);
	if (y->e->code == ERR_OK) {
		begin_parser(y, text, n);
		while (check_next(k))
			;
		end_parser(y);
	}
	arena_free(&a);
	return y->e->code;
}

/* ---- documents ---------------------------------------------------------- */

int yaml_open(struct yaml *y, const char *text, size_t n)
{
	y->has_document = false;
	if (check_text(y, text, n) == ERR_OK)
		begin_parser(y, text, n);
	return y->e->code;
}

static void release_document(void *object)
{
	yaml_document_delete(object);
}

static void unload(struct yaml *y)
{
	if (!y->has_document)
		return;
	guard_drop(&y->document_hold);
	yaml_document_delete(&y->document);
	y->has_document = false;
}

int yaml_next(struct yaml *y, const yaml_node_t **ret_root)
{
	const yaml_parser_t *p = &y->parser;

	unload(y);
	if (!yaml_parser_load(&y->parser, &y->document)) {
		check_shortage(p);
		return err_set(y->e, ERR_INPUT, "%s:%zu: not valid YAML: %s",
			       y->path, p->problem_mark.line + 1, p->problem);
	}
	guard_hold(&y->document_hold, release_document, &y->document);
	y->has_document = true;
	*ret_root = yaml_document_get_root_node(&y->document);
	return ERR_OK;
}

void yaml_close(struct yaml *y)
{
	unload(y);
	end_parser(y);
}

/* ---- nodes -------------------------------------------------------------- */

int yaml_bad(struct yaml *y, const yaml_node_t *node, const char *expected)
{
	return err_set(y->e, ERR_INPUT, "%s:%zu: expected %s", y->path,
		       node ? node->start_mark.line + 1 : 1, expected);
}

const char *yaml_text(const yaml_node_t *node)
{
	if (!node || node->type != YAML_SCALAR_NODE ||
	    strlen((const char *)node->data.scalar.value) !=
		    node->data.scalar.length)
		return NULL;
	return (const char *)node->data.scalar.value;
}

const yaml_node_t *yaml_below(struct yaml *y, const yaml_node_t *map,
			      const char *key)
{
	if (!map || map->type != YAML_MAPPING_NODE)
		return NULL;
	for (const yaml_node_pair_t *p = map->data.mapping.pairs.start;
	     p < map->data.mapping.pairs.top; p++) {
		const char *name =
			yaml_text(yaml_document_get_node(&y->document, p->key));

		if (name && strcmp(name, key) == 0)
			return yaml_document_get_node(&y->document, p->value);
	}
	return NULL;
}

bool yaml_is_null(const yaml_node_t *node)
{
	static const char *const nulls[] = { "null", "~", "", "Null", "NULL" };
	const char *text = yaml_text(node);

	if (!node)
		return true;
	if (!text || node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(nulls); i++)
		if (strcmp(text, nulls[i]) == 0)
			return true;
	return false;
}

size_t yaml_length(const yaml_node_t *list)
{
	if (!list || list->type != YAML_SEQUENCE_NODE)
		return 0;
	return (size_t)(list->data.sequence.items.top -
			list->data.sequence.items.start);
}

const yaml_node_t *yaml_item(struct yaml *y, const yaml_node_t *list,
			     size_t index)
{
	return yaml_document_get_node(&y->document,
				      list->data.sequence.items.start[index]);
}

bool yaml_number(struct yaml *y, const yaml_node_t *node, double *ret)
{
	const char *text = yaml_text(node);
	char *end;
	double value;

	if (yaml_is_null(node))
		return false;
	if (!text || strspn(text, "0123456789.eE+-") != strlen(text)) {
		(void)yaml_bad(y, node, "a number or null");
		return false;
	}
	value = strtod(text, &end);
	/* Not a number fails, too. */
	if (*end != '\0' || !(value >= 0 && value <= MODEL_MOST)) {
		(void)yaml_bad(y, node, "a number from 0 to 1e9 or null");
		return false;
	}
	*ret = value;
	return true;
}
