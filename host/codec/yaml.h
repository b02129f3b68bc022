/* YAML reader on libyaml's document tree.  The files are untrusted: every
 * function checks the type of a node. */
#ifndef CODEC_YAML_H
#define CODEC_YAML_H

#include <yaml.h>

#include "host/base/err.h"
#include "host/base/guard.h"

struct yaml {
	const char *path;
	struct err *e;
	/* Of yaml.c alone. */
	yaml_parser_t parser;
	yaml_document_t document;
	bool has_document;
	struct hold parser_hold, document_hold;
};

/* Begin to read n bytes.  ERR_INPUT with path and line: a value is nested too
 * deeply, or there are too many directives, anchors or values that aliases
 * repeat, which would take libyaml more than time in proportion to the text.
 * After ERR_OK, call yaml_close() in the end. */
int yaml_open(struct yaml *y, const char *text, size_t n);
void yaml_close(struct yaml *y);

/* Load the next document, in the place of the one before; *ret_root is NULL
 * behind the last.  ERR_INPUT with path and line. */
int yaml_next(struct yaml *y, const yaml_node_t **ret_root);

/* "PATH:LINE: expected ...": ERR_INPUT. */
int yaml_bad(struct yaml *y, const yaml_node_t *node, const char *expected);

/* The value of a key of a map; NULL if it is no map or has no such key. */
const yaml_node_t *yaml_below(struct yaml *y, const yaml_node_t *map,
			      const char *key);

/* Text of a scalar; NULL if the node is no scalar or has a NUL byte. */
const char *yaml_text(const yaml_node_t *node);

/* Is the node missing or null? */
bool yaml_is_null(const yaml_node_t *node);

/* Number of items; 0 if the node is no list. */
size_t yaml_length(const yaml_node_t *list);
const yaml_node_t *yaml_item(struct yaml *y, const yaml_node_t *list,
			     size_t index);

/* Read a number >= 0.  False and *ret unchanged for null or a missing node.
 * ERR_INPUT for anything else. */
bool yaml_number(struct yaml *y, const yaml_node_t *node, double *ret);

#endif
