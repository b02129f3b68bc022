/* XML by expat, tag by tag: from memory, or from a file of any size, of which
 * only a part is in memory.  A document type is refused, so no entities but
 * XML's own are read. */
#ifndef CODEC_XML_H
#define CODEC_XML_H

#include <stddef.h>

#include "host/base/err.h"

/* Bytes of an element's text that are kept. */
enum { XML_TEXT_ROOM = 32 };

/* A tag.  Its strings are valid during the call only. */
struct xml_tag {
	const char *name;
	bool open;                     /* else it ends an element */
	const char *const *attributes; /* name, value, ..., NULL */
	/* At the end: the beginning of the text since the tag before, "" if
	 * there is none. */
	const char *text;
};

struct xml {
	const char *path; /* for messages */
	size_t line;      /* of the tag */
	struct err *e;
	/* Called for every tag, as long as there is no error. */
	void (*tag)(struct xml *x, const struct xml_tag *t);
	void *context;
	bool done; /* set by tag(): read no more */
};

/* Read n bytes, or the file x->path.  ERR_INPUT with path and line, also if the
 * text is not well-formed; ERR_SYSTEM if the file cannot be read. */
int xml_read(struct xml *x, const char *text, size_t n);
int xml_read_file(struct xml *x);

/* Value of an attribute; NULL if there is none. */
const char *xml_get(const struct xml_tag *t, const char *name);

/* Set ERR_INPUT "PATH:LINE: expected ..."; returns false. */
bool xml_bad(struct xml *x, const char *expected);

#endif
