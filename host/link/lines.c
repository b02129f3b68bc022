/* Lines of a console; see lines.h. */
#include "host/link/lines.h"

#include <string.h>

static int finish_line(struct lines *l, lines_each *each, void *context,
		       struct err *e)
{
	size_t n = l->n;

	while (n > 0 && l->text[n - 1] == '\r')
		n--;
	l->n = 0;
	return each(context, l->text, n, e);
}

int lines_end(struct lines *l, lines_each *each, void *context, struct err *e)
{
	return l->n > 0 ? finish_line(l, each, context, e) : ERR_OK;
}

int lines_feed(struct lines *l, const char *bytes, size_t n, lines_each *each,
	       void *context, struct err *e)
{
	while (n > 0) {
		const char *newline = memchr(bytes, '\n', n);
		size_t take = newline ? (size_t)(newline - bytes) : n;
		size_t room = sizeof(l->text) - l->n;
		bool whole = newline && take <= room;

		if (take > room)
			take = room;
		memcpy(l->text + l->n, bytes, take);
		l->n += take;
		bytes += take + whole;
		n -= take + whole;
		if (whole || l->n == sizeof(l->text)) {
			int ret = finish_line(l, each, context, e);

			if (ret != ERR_OK)
				return ret;
		}
	}
	return ERR_OK;
}
