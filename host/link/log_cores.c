/* Takes a log apart by the cores that wrote it: each core's part is a log of
 * its own.  An info record begins a core's lines.  Results carry their core
 * unless it is the one that booted, so that none goes astray where the console
 * lost an info record. */
#include "host/link/link.h"

#include <string.h>

#include "host/base/file.h"
#include "host/link/records.h"

enum { MOST_PARTS = 1024 };

struct part {
	struct link_log_part log;
	bool has_info;
	size_t n_results;
	struct buffer text;
};

struct split {
	struct part *parts; /* MOST_PARTS */
	size_t n_parts;
	struct buffer before; /* lines before the first info record */
	size_t now;           /* the part of lines that name no core */
	/* The core that booted, if the boot's info record names it. */
	bool has_first;
	uint64_t first;
};

static int find_part(struct split *s, bool has_core, uint64_t core, size_t *ret,
		     struct err *e)
{
	size_t i = 0;

	while (i < s->n_parts && (s->parts[i].log.has_core != has_core ||
				  s->parts[i].log.core != core))
		i++;
	if (i == MOST_PARTS)
		return err_set(e, ERR_INPUT, "the log is of more than %d cores",
			       MOST_PARTS);
	if (i == s->n_parts)
		s->parts[s->n_parts++] = (struct part){
			.log = { .has_core = has_core, .core = core },
		};
	*ret = i;
	return ERR_OK;
}

/* The part that the record belongs to. */
static int place(struct split *s, const struct wire_record *r, size_t *ret,
		 struct err *e)
{
	bool is_result = wire_is(r, "sample") || wire_is(r, "fault");
	uint64_t core = 0;
	bool has_core = wire_get_u64(r, "core", &core);

	if (wire_is(r, "info")) {
		if (find_part(s, has_core, has_core ? core : 0, &s->now, e) !=
		    ERR_OK)
			return e->code;
		s->parts[s->now].has_info = true;
		s->has_first = has_core;
		if (!wire_get_u64(r, "first_core", &s->first))
			s->first = core;
		*ret = s->now;
	} else if (is_result && (has_core || s->has_first)) {
		if (find_part(s, true, has_core ? core : s->first, ret, e) !=
		    ERR_OK)
			return e->code;
	}
	if (is_result && s->n_parts > 0)
		s->parts[*ret].n_results++;
	return ERR_OK;
}

/* A line with its end, or as much of it as the reader of lines takes at
 * once. */
static int take_line(struct split *s, const char *line, size_t n, struct err *e)
{
	struct records records;
	struct records_piece p;
	size_t at = s->now;

	records_open(&records, line, n - (line[n - 1] == '\n'));
	while (records_next(&records, &p))
		if (p.is_record && place(s, &p.record, &at, e) != ERR_OK)
			return e->code;
	buffer_add(s->n_parts ? &s->parts[at].text : &s->before, line, n);
	return ERR_OK;
}

static int take_lines(struct split *s, const char *bytes, size_t n,
		      struct err *e)
{
	for (size_t from = 0; from < n;) {
		size_t most = n - from < LINES_ROOM ? n - from : LINES_ROOM;
		const char *end = memchr(bytes + from, '\n', most);
		size_t length = end ? (size_t)(end - (bytes + from)) + 1 : most;

		if (take_line(s, bytes + from, length, e) != ERR_OK)
			return e->code;
		from += length;
	}
	return ERR_OK;
}

static void keep(struct arena *a, struct split *s, struct link_log_parts *ret)
{
	for (size_t i = 0; i < s->n_parts; i++) {
		struct part *p = &s->parts[i];

		if (!p->has_info) {
			ret->n_lost += p->n_results;
			continue;
		}
		if (ret->n == 0)
			buffer_add(&s->before, p->text.bytes, p->text.n);
		p->log.n = ret->n ? p->text.n : s->before.n;
		p->log.bytes = arena_copy(
			a, ret->n ? p->text.bytes : s->before.bytes, p->log.n);
		ret->parts[ret->n++] = p->log;
	}
}

int link_log_split(struct arena *a, const unsigned char *bytes, size_t n,
		   struct link_log_parts *ret, struct err *e)
{
	struct split s = {
		.parts = ARENA_ARRAY(a, struct part, MOST_PARTS),
	};

	*ret = (struct link_log_parts){
		.parts = ARENA_ARRAY(a, struct link_log_part, MOST_PARTS),
	};
	if (take_lines(&s, (const char *)bytes, n, e) == ERR_OK)
		keep(a, &s, ret);
	/* A log of one core stays as it is. */
	if ((s.n_parts < 2 || ret->n == 0) && e->code == ERR_OK) {
		ret->parts[0].bytes = bytes;
		ret->parts[0].n = n;
		ret->n = 1;
		ret->n_lost = 0;
	}
	for (size_t i = 0; i < s.n_parts; i++)
		buffer_free(&s.parts[i].text);
	buffer_free(&s.before);
	return e->code;
}
