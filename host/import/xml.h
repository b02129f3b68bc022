/* XML one tag after the other: elements and attributes, text between them
 * passed over.  No entities but the five of XML itself, no DTD, no recursion.
 */
#ifndef IMPORT_XML_H
#define IMPORT_XML_H

#include "host/base/arena.h"
#include "host/base/err.h"

enum { XML_MAX_DEPTH = 32, XML_MAX_ATTRIBUTES = 64 };

struct xml_attribute {
	const char *name, *value;
};

/* A tag just read. */
struct xml_tag {
	const char *name;
	bool open;  /* <a> or <a/> */
	bool close; /* </a> or <a/> */
	size_t n;
	struct xml_attribute attributes[XML_MAX_ATTRIBUTES];
};

struct xml {
	struct arena *a; /* of strings */
	const char *path;
	const char *at, *end;
	size_t line;
	size_t depth;
	const char *open[XML_MAX_DEPTH]; /* elements around `at` */
	struct err *e;
};

/* The next tag; false at the end, or with ERR_INPUT, path and line when the
 * text is not well-formed. */
bool xml_next(struct xml *x, struct xml_tag *ret);

/* Value of an attribute, NULL if there is none. */
const char *xml_get(const struct xml_tag *t, const char *name);

/* Always false, and ERR_INPUT. */
bool xml_bad(struct xml *x, const char *expected);

#endif
