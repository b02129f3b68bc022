/* YAML reader; see yaml.h. */
#include "host/codec/yaml.h"

#include <stdlib.h>
#include <string.h>

#include "host/codec/yaml_check.h"
#include "host/model/model.h"

int yaml_bad(struct yaml *y, const yaml_node_t *node, const char *expected)
{
	return err_set(y->e, ERR_INPUT, "%s:%zu: expected %s", y->path,
		       node ? node->start_mark.line + 1 : 1, expected);
}

static void release_document(void *object)
{
	yaml_document_delete(object);
}

int yaml_load(struct yaml *y, const char *text, size_t n,
	      const yaml_node_t **ret_root)
{
	yaml_parser_t p;

	if (yaml_check(y->path, text, n, y->e) != ERR_OK)
		return y->e->code;
	if (!yaml_parser_initialize(&p))
		guard_shortage();
	yaml_parser_set_input_string(&p, (const unsigned char *)text, n);
	if (!yaml_parser_load(&p, &y->document)) {
		bool shortage = yaml_is_shortage(&p);

		if (!shortage)
			(void)err_set(y->e, ERR_INPUT,
				      "%s:%zu: not valid YAML: %s", y->path,
				      p.problem_mark.line + 1, p.problem);
		yaml_parser_delete(&p);
		if (shortage)
			guard_shortage();
		return y->e->code;
	}
	yaml_parser_delete(&p);
	guard_hold(&y->hold, release_document, &y->document);
	*ret_root = yaml_document_get_root_node(&y->document);
	if (!*ret_root) {
		yaml_unload(y);
		return err_set(y->e, ERR_INPUT,
			       "%s: the file has no YAML document", y->path);
	}
	return ERR_OK;
}

void yaml_unload(struct yaml *y)
{
	guard_drop(&y->hold);
	yaml_document_delete(&y->document);
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
