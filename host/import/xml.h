/* XML pull reader: returns one tag after the other and skips text.  It knows
 * only XML's five predefined entities and no DTD, and does not recurse.
 */
#ifndef IMPORT_XML_H
#define IMPORT_XML_H

#include "host/base/arena.h"
#include "host/base/err.h"

enum { XML_MAX_DEPTH = 32, XML_MAX_ATTRIBUTES = 64 };

struct xml_attribute {
	const char *name, *value;
};

/* A tag. */
struct xml_tag {
	const char *name;
	bool open;  /* <a> or <a/> */
	bool close; /* </a> or <a/> */
	size_t n;
	struct xml_attribute attributes[XML_MAX_ATTRIBUTES];
};

struct xml {
	struct arena *a; /* owns the strings */
	const char *path;
	const char *at, *end;
	size_t line;
	size_t depth;
	const char *open[XML_MAX_DEPTH]; /* open elements at `at` */
	struct err *e;
};

/* Read the next tag.  False at the end; also if the text is not well-formed,
 * with ERR_INPUT, path and line. */
bool xml_next(struct xml *x, struct xml_tag *ret);

/* Value of an attribute; NULL if there is none. */
const char *xml_get(const struct xml_tag *t, const char *name);

/* Set ERR_INPUT "PATH:LINE: expected ..."; returns false. */
bool xml_bad(struct xml *x, const char *expected);

#endif
