/* XML reader; see xml.h. */
#include "host/import/xml.h"

#include <errno.h>
#include <expat.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK = 1 << 16, MAX_DEPTH = 32 };

struct xml_state {
	struct xml *x;
	XML_Parser p;
	size_t depth;
};

bool xml_bad(struct xml *x, const char *expected)
{
	(void)err_set(x->e, ERR_INPUT, "%s:%zu: expected %s", x->path, x->line,
		      expected);
	return false;
}

const char *xml_get(const struct xml_tag *t, const char *name)
{
	for (const char *const *at = t->attributes; at && *at; at += 2)
		if (strcmp(at[0], name) == 0)
			return at[1];
	return NULL;
}

static void give(struct xml_state *s, const struct xml_tag *t)
{
	struct xml *x = s->x;

	x->line = XML_GetCurrentLineNumber(s->p);
	if (s->depth > MAX_DEPTH)
		(void)xml_bad(x, "at most 32 nested elements");
	if (x->e->code == ERR_OK && !x->done)
		x->tag(x, t);
	if (x->e->code != ERR_OK || x->done)
		(void)XML_StopParser(s->p, XML_FALSE);
}

static void on_start(void *context, const char *name, const char **attributes)
{
	struct xml_state *s = context;

	s->depth++;
	give(s, &(struct xml_tag){ name, true, attributes });
}

static void on_end(void *context, const char *name)
{
	struct xml_state *s = context;

	s->depth--;
	give(s, &(struct xml_tag){ name, false, NULL });
}

static void on_doctype(void *context, const char *name, const char *system_id,
		       const char *public_id, int has_subset)
{
	struct xml_state *s = context;

	(void)name;
	(void)system_id;
	(void)public_id;
	(void)has_subset;
	s->x->line = XML_GetCurrentLineNumber(s->p);
	(void)xml_bad(s->x, "no document type");
	(void)XML_StopParser(s->p, XML_FALSE);
}

static int xml_open(struct xml *x, struct xml_state *s)
{
	*s = (struct xml_state){ .x = x, .p = XML_ParserCreate(NULL) };
	if (!s->p)
		return err_set(x->e, ERR_SYSTEM, "out of memory");
	XML_SetUserData(s->p, s);
	XML_SetElementHandler(s->p, on_start, on_end);
	XML_SetStartDoctypeDeclHandler(s->p, on_doctype);
	return ERR_OK;
}

static bool xml_feed(struct xml_state *s, const char *text, size_t n, bool last)
{
	struct xml *x = s->x;
	bool ok = XML_Parse(s->p, text, (int)n, last) == XML_STATUS_OK;

	if (!ok && x->e->code == ERR_OK && !x->done)
		(void)err_set(x->e, ERR_INPUT,
			      "%s:%lu: expected well-formed XML: %s", x->path,
			      (unsigned long)XML_GetCurrentLineNumber(s->p),
			      XML_ErrorString(XML_GetErrorCode(s->p)));
	return ok;
}

int xml_read(struct xml *x, const char *text, size_t n)
{
	struct xml_state s;
	size_t at = 0;

	if (xml_open(x, &s) != ERR_OK)
		return x->e->code;
	for (; n - at > CHUNK && xml_feed(&s, text + at, CHUNK, false);)
		at += CHUNK;
	if (n - at <= CHUNK)
		(void)xml_feed(&s, text + at, n - at, true);
	XML_ParserFree(s.p);
	return x->e->code;
}

int xml_read_file(struct xml *x)
{
	FILE *f = fopen(x->path, "rb");
	struct xml_state s;
	char bytes[CHUNK];
	size_t n = CHUNK;

	if (!f)
		return err_set(x->e, ERR_INPUT, "cannot open %s: %s", x->path,
			       strerror(errno));
	if (xml_open(x, &s) == ERR_OK) {
		while (n == CHUNK) {
			n = fread(bytes, 1, CHUNK, f);
			if (!xml_feed(&s, bytes, n, n < CHUNK))
				break;
		}
		if (ferror(f))
			(void)err_set(x->e, ERR_SYSTEM, "cannot read %s",
				      x->path);
		XML_ParserFree(s.p);
	}
	(void)fclose(f);
	return x->e->code;
}
