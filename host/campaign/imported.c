/* See imported.h.  The generator makes the image's kernels again from the
 * fields of INFO.  If their pack has the id of the log's, the run is the one
 * that a live session would have made.  Otherwise - the log is of an earlier
 * version, or of a board that is not known here - each kernel is made from its
 * label. */
#include "host/campaign/imported.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/board_places.h"
#include "host/base/list.h"
#include "host/campaign/about.h"
#include "host/campaign/port_search.h"
#include "host/campaign/runs.h"
#include "host/campaign/workspace.h"
#include "host/isa/isa.h"
#include "host/plan/plan.h"

/* ---- the log ------------------------------------------------------------- */

/* Make the image's kernels again; what is in the way is a remark, no error. */
static void make_again(struct imported *m, struct err *why)
{
	const struct campaign_request *q = &m->request;
	const struct pack_header *h;

	if (board_get(&m->arena, q->share, q->board, q->isa, &m->board, why) !=
		    ERR_OK ||
	    !link_log_fact(&m->log, "image_board") ||
	    (q->what && strcmp(q->what, "ports") == 0) ||
	    campaign_open(q, &m->campaign, why) != ERR_OK)
		return;
	h = pack_header(m->campaign.pack.bytes);
	m->is_whole = m->campaign.pack.n > 0 && h->id == m->log.pack_id &&
		      h->n_kernels == m->log.n_pack;
	if (!m->is_whole)
		(void)err_set(why, ERR_INPUT,
			      "this anechoic makes another pack of the image's "
			      "options");
}

int imported_open(const struct imported_request *q, const unsigned char *bytes,
		  size_t n, struct imported *ret, struct err *e)
{
	struct err why = { .code = ERR_OK, .message = "" };
	struct imported *m = ret;

	*m = (struct imported){ .run = 0 };
	if (link_log_scan(&m->arena, q->path, bytes, n, &m->log, e) != ERR_OK)
		return e->code;
	if (!isa_find(m->log.isa))
		return err_set(e, ERR_INPUT,
			       "%s: the log is of an unknown instruction set "
			       "'%s'",
			       q->path, m->log.isa);
	(void)about_read(&m->arena, &m->log, q->share, q->board, &m->request,
			 &why);
	if (q->board && why.code == ERR_USAGE)
		return err_set(e, why.code, "%s", why.message);
	if (why.code == ERR_OK && m->request.board)
		make_again(m, &why);
	if (why.code != ERR_OK)
		m->why = arena_strdup(&m->arena, why.message);
	return e->code;
}

void imported_close(struct imported *m)
{
	campaign_close(&m->campaign);
	arena_free(&m->arena);
}

/* ---- earlier logs -------------------------------------------------------- */

/* Of each log a run's environment has "log HASH", and how many bytes it has. */
#define LOG_KEY "log 0x"

/* FNV-1a of 64 bits. */
static uint64_t hash_bytes(const unsigned char *bytes, size_t n)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static char *log_key(struct imported *m, size_t n)
{
	return arena_printf(&m->arena, LOG_KEY "%016" PRIx64,
			    hash_bytes(m->log.bytes, n));
}

struct old_run {
	struct imported *m;
	/* Bytes of a log of the run with which this one begins. */
	size_t n_known;
	bool has_pack; /* it is of the same pack */
	bool is_other; /* on another core */
};

/* Keys that tell cores apart. */
static const char core_keys[] = "core family marchid midr mimpid model machine "
				"serial mvendorid stepping";

static int compare_old(void *context, const char *key, const char *value,
		       struct err *e)
{
	struct old_run *o = context;
	struct imported *m = o->m;
	const char *own = link_log_fact(&m->log, key);

	(void)e;
	if (strncmp(key, LOG_KEY, strlen(LOG_KEY)) == 0) {
		size_t n = strtoull(value, NULL, 10);

		if (n > o->n_known && n <= m->log.n_bytes &&
		    strcmp(key, log_key(m, n)) == 0)
			o->n_known = n;
	}
	o->has_pack |= strcmp(key, "pack") == 0 &&
		       strtoull(value, NULL, 0) == m->log.pack_id;
	o->is_other |=
		own && list_has(core_keys, ' ', key) && strcmp(own, value) != 0;
	return 0;
}

/* Does the log go on with this run? It does if its board began behind a kernel,
 * or if the log was shorter when it was imported. */
static bool goes_on(const struct imported *m, const struct old_run *o,
		    const struct run *run)
{
	return m->is_whole && !run->finished && o->has_pack && !o->is_other &&
	       strcmp(run->isa, m->log.isa) == 0 &&
	       (o->n_known > 0 || link_log_fact(&m->log, "option_from"));
}

static int find_old(struct imported *m, struct store *s, struct err *e)
{
	int64_t *ids;
	size_t n = 0;

	if (store_runs(s, &m->arena, &ids, &n, e) != ERR_OK)
		return e->code;
	while (n-- > 0 && !m->is_known && !m->is_continued) {
		struct old_run o = { .m = m };
		struct run run;

		if (store_run_get(s, &m->arena, ids[n], &run, e) != ERR_OK ||
		    store_envs(s, ids[n], compare_old, &o, e) != ERR_OK)
			return e->code;
		m->is_known = o.n_known == m->log.n_bytes;
		m->is_continued = !m->is_known && goes_on(m, &o, &run);
		m->log.n_known = m->is_continued ? o.n_known : 0;
		if (m->is_known || m->is_continued)
			m->run = ids[n];
	}
	return ERR_OK;
}

/* ---- storing ------------------------------------------------------------- */

/* The run of a live session, except that its id is that of the log: a copy of
 * it in another database is recognised. */
static int new_whole_run(struct imported *m, struct store *s, struct err *e)
{
	struct campaign *c = &m->campaign;
	struct run run = runs_describe(c, plan_what_words(c->what));

	run.clock = m->log.clock;
	run.clock_text = m->log.clock_text;
	run.ref_hz = m->log.ref_hz;
	if (runs_new(c, s, &run, e) != ERR_OK)
		store_rollback(s);
	m->run = run.id;
	return e->code;
}

static int name_log(struct imported *m, struct store *s, bool is_new,
		    struct err *e)
{
	char *key = log_key(m, m->log.n_bytes);
	char *bytes = arena_printf(&m->arena, "%zu", m->log.n_bytes);

	if (is_new &&
	    store_env(s, m->run, "id", key + strlen("log "), e) != ERR_OK)
		return e->code;
	return store_env(s, m->run, key, bytes, e);
}

/* Find the run that the log belongs to, or make it. */
static int start_run(const struct imported_request *q, struct imported *m,
		     struct store *s, struct err *e)
{
	const char *what = m->request.what;

	if (m->is_search || m->is_continued)
		return ERR_OK;
	if (what && strcmp(what, "ports") == 0)
		return err_set(e, ERR_INPUT,
			       "%s: the log is of an image of a port search "
			       "that %s does not have; import it into the "
			       "database that 'anechoic image --what ports' "
			       "was given",
			       q->path, q->db);
	return m->is_whole ? new_whole_run(m, s, e) : imported_new_run(m, s, e);
}

int imported_store(const struct imported_request *q, struct imported *m,
		   struct store *s, struct err *e)
{
	uint32_t first = 0;

	if (find_old(m, s, e) != ERR_OK || m->is_known)
		return e->code;
	if (!m->is_continued) {
		if (port_search_imaged(s, m->log.pack_id, &m->run, &first, e) !=
		    ERR_OK)
			return e->code;
		m->is_search = m->run > 0;
	}
	if (start_run(q, m, s, e) != ERR_OK ||
	    link_log_store(s, m->run, first, &m->log, &m->counts, e) !=
		    ERR_OK ||
	    name_log(m, s, !m->is_search && !m->is_continued, e) != ERR_OK ||
	    imported_find_stop(m, s, first, e) != ERR_OK)
		return e->code;
	if (m->log.is_complete && !m->is_search)
		(void)store_run_finish(s, m->run, e);
	return e->code;
}
