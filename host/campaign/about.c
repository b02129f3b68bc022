/* See about.h.  Values of INFO are printable words without blanks and stars.
 * Other bytes, and '%', are written as %XX. */
#include "host/campaign/about.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/board_places.h"
#include "host/base/version.h"
#include "host/campaign/shard.h"
#include "host/isa/isa.h"
#include "host/isa/variant.h"

/* ---- writing ------------------------------------------------------------- */

/* Other texts are refused when they are read. */
static bool is_printable(const char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			return false;
	return true;
}

static bool is_plain(char c)
{
	return c > ' ' && c <= '~' && c != '*' && c != '%';
}

/* Append a field unless it is empty, not ASCII, or does not fit before the
 * end's 0. */
static void put(struct buffer *b, size_t room, const char *key,
		const char *value)
{
	size_t before = b->n;

	if (*value == '\0' || !is_printable(value))
		return;
	buffer_printf(b, "%s", key);
	buffer_add(b, "", 1);
	for (const char *at = value; *at; at++)
		buffer_printf(b, is_plain(*at) ? "%c" : "%%%02X",
			      (unsigned char)*at);
	buffer_add(b, "", 1);
	if (b->n + 1 > room)
		b->n = before;
}

void about_write(const struct campaign *c, size_t room, struct buffer *ret)
{
	const struct campaign_request *q = c->request;
	struct arena a = { 0 };
	const char *cpu = campaign_cpu(&a, c->board, q->cpu);

	put(ret, room, "image_board", c->board->name);
	put(ret, room, "image_tool", anechoic_version);
	put(ret, room, "image_what", q->what ? q->what : "latency,throughput");
	if (q->families != families_default())
		put(ret, room, "image_variants",
		    families_words(&a, q->families));
	if (q->kernel_cycles)
		put(ret, room, "image_kernel_cycles",
		    arena_printf(&a, "%" PRIu32, q->kernel_cycles));
	if (q->shard)
		put(ret, room, "image_shard",
		    arena_printf(&a, "%" PRIu32 "/%" PRIu32, q->shard,
				 q->n_shards));
	put(ret, room, "image_forms", q->forms ? q->forms : "");
	put(ret, room, "image_cpu", cpu ? cpu : "any");
	buffer_add(ret, "", 1);
	arena_free(&a);
}

/* ---- reading ------------------------------------------------------------- */

/* The text of a value; NULL if it is malformed or not printable. */
static const char *decode(struct arena *a, const char *value)
{
	char *text = arena_strdup(a, value), *to = text;

	for (const char *at = value; *at; at++) {
		unsigned c = (unsigned char)*at;

		if (c == '%') {
			if (strspn(at + 1, "0123456789ABCDEF") < 2 ||
			    sscanf(at + 1, "%2X", &c) != 1 || c < ' ' ||
			    c > '~')
				return NULL;
			at += 2;
		}
		*to++ = (char)c;
	}
	*to = '\0';
	return text;
}

/* A field of the log, in clear; NULL: it has none. */
static int get(struct arena *a, const struct link_log *log, const char *key,
	       const char **ret, struct err *e)
{
	const char *value = link_log_fact(log, key);

	*ret = value ? decode(a, value) : NULL;
	if (value && !*ret)
		return err_set(e, ERR_INPUT,
			       "info record: %s has an invalid %%XX", key);
	return ERR_OK;
}

static int read_number(const char *key, const char *text, uint32_t *ret,
		       struct err *e)
{
	char *end;
	unsigned long n = text ? strtoul(text, &end, 10) : 0;

	if (!text)
		return ERR_OK;
	if (*text < '0' || *text > '9' || *end || n > UINT32_MAX)
		return err_set(e, ERR_INPUT, "info record: %s is not a number",
			       key);
	*ret = (uint32_t)n;
	return ERR_OK;
}

/* The image of a board that was given by its path, `--board ./desk`, has the
 * name of the folder, which may lie here. */
static void find_here(struct arena *a, const struct link_log *log,
		      struct campaign_request *q, const char *logged,
		      struct err *why)
{
	const char *path = arena_printf(a, "./%s", logged);
	struct err none = { .code = ERR_OK, .message = "" };
	const struct board *board;

	if (board_get(a, q->share, path, log->isa, &board, &none) != ERR_OK)
		return;
	*why = none;
	q->board = path;
}

/* The board must be one that this program knows.  A name with a slash would be
 * a folder, which only the user may name. */
static int find_board(struct arena *a, const struct link_log *log,
		      struct campaign_request *q, const char *logged,
		      struct err *e)
{
	struct err why = { .code = ERR_OK, .message = "" };
	const struct board *board;

	if (q->board)
		return board_get(a, q->share, q->board, log->isa, &board, e) ==
					       ERR_OK &&
				       logged &&
				       strcmp(logged, board->name) != 0
			       ? err_set(e, ERR_USAGE,
					 "--board %s: the image of the log "
					 "was made for board '%s'",
					 q->board, logged)
			       : e->code;
	if (!logged)
		return ERR_OK;
	q->board = logged;
	if (strchr(logged, '/') || *logged == '.')
		(void)err_set(&why, ERR_INPUT, "'%s'", logged);
	else if (board_get(a, q->share, logged, log->isa, &board, &why) !=
		 ERR_OK)
		find_here(a, log, q, logged, &why);
	if (why.code != ERR_OK)
		return err_set(e, ERR_INPUT,
			       "the image was made for a board that this "
			       "anechoic does not know (%s)",
			       why.message);
	return ERR_OK;
}

/* A CPU other than that of the board's file was asked for. */
static int find_cpu(struct arena *a, struct campaign_request *q,
		    const char *cpu, struct err *e)
{
	const struct board *board;
	const char *own;

	if (!cpu)
		return ERR_OK;
	if (board_get(a, q->share, q->board, q->isa, &board, e) != ERR_OK)
		return e->code;
	own = campaign_cpu(a, board, NULL);
	if (strcmp(cpu, own ? own : "any") != 0)
		q->cpu = cpu;
	return ERR_OK;
}

int about_read(struct arena *a, const struct link_log *log, const char *share,
	       const char *board, struct campaign_request *ret, struct err *e)
{
	struct campaign_request q = { .share = share,
				      .isa = log->isa,
				      .board = board };
	const char *logged, *cpu, *variants, *cycles, *shard;

	if (get(a, log, "image_board", &logged, e) != ERR_OK ||
	    find_board(a, log, &q, logged, e) != ERR_OK)
		return e->code;
	if (!logged) {
		*ret = q;
		return ERR_OK;
	}
	if (get(a, log, "image_what", &q.what, e) != ERR_OK ||
	    get(a, log, "image_forms", &q.forms, e) != ERR_OK ||
	    get(a, log, "image_cpu", &cpu, e) != ERR_OK ||
	    get(a, log, "image_variants", &variants, e) != ERR_OK ||
	    get(a, log, "image_kernel_cycles", &cycles, e) != ERR_OK ||
	    get(a, log, "image_shard", &shard, e) != ERR_OK ||
	    families_parse(variants, &q.families, e) != ERR_OK ||
	    read_number("image_kernel_cycles", cycles, &q.kernel_cycles, e) !=
		    ERR_OK ||
	    (shard && shard_parse(shard, &q.shard, &q.n_shards, e) != ERR_OK) ||
	    find_cpu(a, &q, cpu, e) != ERR_OK)
		return e->code;
	*ret = q;
	return ERR_OK;
}
