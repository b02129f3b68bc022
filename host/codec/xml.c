/* XML reader; see xml.h. */
#include "host/codec/xml.h"

#include <errno.h>
#include <expat.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "host/base/file.h"

enum { CHUNK = 1 << 16, MAX_DEPTH = 32 };

struct xml_state {
	struct xml *x;
	XML_Parser p;
	struct hold hold;
	size_t depth, n_text;
	char text[XML_TEXT_ROOM];
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
	give(s, &(struct xml_tag){ name, true, attributes, "" });
	s->n_text = 0;
}

static void on_end(void *context, const char *name)
{
	struct xml_state *s = context;

	s->depth--;
	s->text[s->n_text] = '\0';
	give(s, &(struct xml_tag){ name, false, NULL, s->text });
	s->n_text = 0;
}

static void on_text(void *context, const char *text, int n)
{
	struct xml_state *s = context;

	for (int i = 0; i < n && s->n_text + 1 < sizeof(s->text); i++)
		s->text[s->n_text++] = text[i];
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

static void free_parser(void *object)
{
	XML_ParserFree(object);
}

static void xml_open(struct xml *x, struct xml_state *s)
{
	*s = (struct xml_state){ .x = x, .p = XML_ParserCreate(NULL) };
	if (!s->p)
		guard_shortage();
	guard_hold(&s->hold, free_parser, s->p);
	XML_SetUserData(s->p, s);
	XML_SetElementHandler(s->p, on_start, on_end);
	XML_SetCharacterDataHandler(s->p, on_text);
	XML_SetStartDoctypeDeclHandler(s->p, on_doctype);
}

static void xml_close(struct xml_state *s)
{
	guard_drop(&s->hold);
	XML_ParserFree(s->p);
}

static bool xml_feed(struct xml_state *s, const char *text, size_t n, bool last)
{
	struct xml *x = s->x;
	bool ok = XML_Parse(s->p, text, (int)n, last) == XML_STATUS_OK;

	if (!ok && XML_GetErrorCode(s->p) == XML_ERROR_NO_MEMORY)
		guard_shortage();
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

	xml_open(x, &s);
	for (; n - at > CHUNK && xml_feed(&s, text + at, CHUNK, false);)
		at += CHUNK;
	if (n - at <= CHUNK)
		(void)xml_feed(&s, text + at, n - at, true);
	xml_close(&s);
	return x->e->code;
}

static void close_file(void *object)
{
	(void)close(*(const int *)object);
}

int xml_read_file(struct xml *x)
{
	int fd = open(x->path, O_RDONLY | O_CLOEXEC);
	struct xml_state s;
	struct hold h;
	size_t n;
	char *bytes;

	if (fd < 0)
		return err_set(x->e, ERR_INPUT, "cannot open %s: %s", x->path,
			       strerror(errno));
	guard_hold(&h, close_file, &fd);
	bytes = held_realloc(NULL, CHUNK, 1);
	xml_open(x, &s);
	do {
		if (!file_get(fd, bytes, CHUNK, &n))
			(void)err_set(x->e, ERR_SYSTEM, "cannot read %s: %s",
				      x->path, strerror(errno));
	} while (xml_feed(&s, bytes, n, n < CHUNK) && n == CHUNK);
	xml_close(&s);
	held_free(bytes);
	guard_drop(&h);
	(void)close(fd);
	return x->e->code;
}
