/* YAML from elsewhere: what would take libyaml more than time in proportion to
 * the text is refused before it is loaded. */
#ifndef CODEC_YAML_CHECK_H
#define CODEC_YAML_CHECK_H

#include <stdbool.h>
#include <yaml.h>

#include "host/base/err.h"

/* Check all documents of n bytes.  ERR_INPUT with path and line: a value is
 * nested too deeply, or there are too many directives, anchors or values that
 * aliases repeat.  Text that is no YAML is not an error here: loading it
 * is. */
int yaml_check(const char *path, const char *text, size_t n, struct err *e);

/* Did the parser stop because memory is short?  libyaml does not always say so:
 * its other errors have a description. */
bool yaml_is_shortage(const yaml_parser_t *p);

#endif
