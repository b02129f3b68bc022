/* Which writes of a source others take, too; see tdfile_read(). */
#include <ctype.h>
#include <string.h>

#include "host/codec/llvm/tdfile.h"

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool in_comment(const struct tdfile *s, const char *p)
{
	const char *line = p;

	while (line > s->text && line[-1] != '\n')
		line--;
	for (; line < p; line++)
		if (line[0] == '/' && line[1] == '/')
			return true;
	return false;
}

/* Is this the first write of an InstRW? */
static bool begins_instrw(const struct tdfile *s, size_t i)
{
	for (size_t k = 0; k < s->n_instrws; k++)
		if (s->instrws[k].write_at == i)
			return true;
	return false;
}

/* Does the name stand where a write is taken that is not polled with `w`? */
static bool is_mentioned(const struct tdfile *s, const char *name,
			 const struct tdfile_write *w)
{
	size_t n = strlen(name);

	for (const char *p = strstr(s->text, name); p;
	     p = strstr(p + n, name)) {
		size_t i = (size_t)(p - s->text);

		if ((i > 0 && is_word(p[-1])) || is_word(p[n]) ||
		    i == w->name_at || (w->own && begins_instrw(s, i)) ||
		    in_comment(s, p))
			continue;
		return true;
	}
	return false;
}

const struct tdfile_write *tdfile_find(const struct tdfile *s, const char *name)
{
	for (size_t i = 0; i < s->n_writes; i++)
		if (strcmp(s->writes[i].name, name) == 0)
			return &s->writes[i];
	return NULL;
}

/* Does the name stand in a ReadAdvance<...> or SchedReadAdvance<...>?  A copy of
 * the write would not have that advance. */
static bool is_advanced(const struct tdfile *s, const char *name)
{
	static const char word[] = "ReadAdvance<";
	size_t n = strlen(name);

	for (const char *p = strstr(s->text, word); p;
	     p = strstr(p + 1, word)) {
		const char *end = p + strcspn(p, ";");

		for (const char *q = strstr(p, name); q && q < end;
		     q = strstr(q + n, name))
			if (!is_word(q[-1]) && !is_word(q[n]))
				return true;
	}
	return false;
}

/* Is there a write among these names?  LLVM's own begin so. */
static bool has_write(struct arena *a, const struct tdfile *s,
		      const char *names)
{
	for (const char *p = names; *p != '\0';) {
		size_t n = strcspn(p, " ");

		if (strncmp(p, "Write", 5) == 0 ||
		    tdfile_find(s, arena_printf(a, "%.*s", (int)n, p)))
			return true;
		p += n + (p[n] == ' ');
	}
	return false;
}

/* InstRWs of several writes: one number of one of them is not their latency. */
static void find_several(struct arena *a, struct tdfile *s)
{
	for (size_t i = 0; i < s->n_instrws; i++) {
		struct tdfile_instrw *w = &s->instrws[i];

		w->several = has_write(a, s, w->rest);
		for (size_t k = 0; w->several && k < s->n_writes; k++)
			if (strcmp(s->writes[k].name, w->write) == 0)
				s->writes[k].shared = true;
	}
}

void tdfile_find_shared(struct arena *a, struct tdfile *s)
{
	for (size_t i = 0; i < s->n_writes; i++) {
		struct tdfile_write *w = &s->writes[i];

		w->advanced = is_advanced(s, w->name);
		w->shared =
			is_mentioned(s, w->name, w) ||
			(w->pair &&
			 is_mentioned(s, arena_printf(a, "%sLd", w->name), w));
	}
	find_several(a, s);
}
