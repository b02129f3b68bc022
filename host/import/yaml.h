/* YAML through libyaml's tree, walked by key: somebody else's files, where
 * every node is checked before it is used. */
#ifndef IMPORT_YAML_H
#define IMPORT_YAML_H

#include <yaml.h>

#include "host/base/err.h"

struct yaml {
	const char *path;
	yaml_document_t document;
	struct err *e;
};

/* Load the first document of n bytes; ERR_INPUT names path and line, or that
 * there is none.  After ERR_OK, yaml_document_delete(&y->document). */
int yaml_load(struct yaml *y, const char *text, size_t n,
	      const yaml_node_t **ret_root);

int yaml_bad(struct yaml *y, const yaml_node_t *node, const char *expected);

/* The node below a key of a map, NULL if it is no map or there is none. */
const yaml_node_t *yaml_below(struct yaml *y, const yaml_node_t *map,
			      const char *key);

/* Text of a scalar without NUL, NULL if it is none. */
const char *yaml_text(const yaml_node_t *node);

/* Missing, or null. */
bool yaml_is_null(const yaml_node_t *node);

/* Items of a list; 0 if it is none. */
size_t yaml_length(const yaml_node_t *list);
const yaml_node_t *yaml_item(struct yaml *y, const yaml_node_t *list,
			     size_t index);

/* A number from zero on; false and *ret left alone when there is none.
 * Anything but a number or null is ERR_INPUT. */
bool yaml_number(struct yaml *y, const yaml_node_t *node, double *ret);

#endif
