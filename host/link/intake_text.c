/* Transactions, and the text of a console; see intake_text.h. */
#include "host/link/intake_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/base/monotonic.h"
#include "host/store/store_run.h"

enum { COMMIT_NS = 250 * 1000 * 1000 };

int intake_begin(struct intake *in, struct err *e)
{
	if (in->joint->in_transaction)
		return ERR_OK;

	int ret = store_begin(in->store, e);

	in->joint->in_transaction = ret == ERR_OK;
	in->joint->since_ns = monotonic_ns();
	return ret;
}

int intake_commit(struct intake *in, bool now, struct err *e)
{
	if (!in->joint->in_transaction ||
	    (!now && monotonic_ns() - in->joint->since_ns < COMMIT_NS))
		return ERR_OK;
	in->joint->in_transaction = false;
	return store_commit(in->store, e);
}

void intake_tail(const struct intake *in, char *text, size_t room)
{
	size_t first = in->n_tail > INTAKE_TAIL_LINES
			       ? in->n_tail - INTAKE_TAIL_LINES
			       : 0;
	size_t at = 0;

	text[0] = '\0';
	for (size_t i = first; i < in->n_tail && at < room; i++) {
		int n = snprintf(text + at, room - at, "%s%s",
				 i > first ? " | " : "",
				 in->tail[i % INTAKE_TAIL_LINES]);

		at += n > 0 ? (size_t)n : 0;
	}
}

/* A board that babbles would fill the disk: keep the last text only. */
static int drop_old_text(struct intake *in, struct err *e)
{
	char number[24];
	uint64_t dropped;

	if (in->n_stored <= 2 * (uint64_t)INTAKE_TEXT_KEPT)
		return ERR_OK;
	if (store_text_trim(in->store, in->run, in->text_from, INTAKE_TEXT_KEPT,
			    &dropped, e) != ERR_OK)
		return e->code;
	in->n_stored = INTAKE_TEXT_KEPT;
	in->counts.n_dropped += dropped;
	(void)snprintf(number, sizeof(number), "%" PRIu64,
		       in->counts.n_dropped);
	return store_env(in->store, in->run, "console_bytes_dropped", number,
			 e);
}

static int store_line(struct intake *in, const char *line, size_t n,
		      struct err *e)
{
	if (in->is_known)
		return ERR_OK;
	if (!in->has_text &&
	    store_text_last(in->store, &in->text_from, e) != ERR_OK)
		return e->code;
	in->has_text = true;
	in->n_stored += n;
	return store_text(in->store, in->run, line, n, e) == ERR_OK
		       ? drop_old_text(in, e)
		       : e->code;
}

int intake_text(struct intake *in, const char *line, size_t n, struct err *e)
{
	char *tail = in->tail[in->n_tail % INTAKE_TAIL_LINES];
	size_t at = 0;

	for (size_t i = 0; i < n && at + 1 < INTAKE_TAIL_BYTES; i++)
		if (line[i] >= ' ' && line[i] <= '~')
			tail[at++] = line[i];
	tail[at] = '\0';
	if (at > 0)
		in->n_tail++;
	in->counts.n_text++;

	int ret = intake_begin(in, e);

	return ret == ERR_OK ? store_line(in, line, n, e) : ret;
}

/* The printable characters, with 0 for each number. */
static void shape_of(const char *text, size_t n, char ret[INTAKE_SHAPE_BYTES])
{
	size_t at = 0;

	for (size_t i = 0; i < n && at + 1 < INTAKE_SHAPE_BYTES; i++) {
		bool digit = text[i] >= '0' && text[i] <= '9';

		if (digit && at > 0 && ret[at - 1] == '0')
			continue;
		if (text[i] > ' ')
			ret[at++] = digit ? '0' : text[i];
	}
	ret[at] = '\0';
}

int intake_around(struct intake *in, int side, const struct records_piece *p,
		  struct err *e)
{
	char plain[LINES_ROOM], shape[INTAKE_SHAPE_BYTES];
	size_t n = records_plain(p->text, p->n_text, plain);

	shape_of(plain, n, shape);
	if (strcmp(shape, in->shape[side]) == 0)
		return ERR_OK;
	memcpy(in->shape[side], shape, sizeof(shape));
	if (!*shape)
		return ERR_OK;
	in->counts.n_text++;
	return intake_begin(in, e) == ERR_OK ? store_line(in, plain, n, e)
					     : e->code;
}
