/* anechoic time --hex FILE or FOLDER: many pieces of code, each measured and
 * predicted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/csv.h"
#include "host/base/monotonic.h"
#include "host/campaign/shard.h"
#include "host/cli/progress.h"
#include "host/cli/time_blocks.h"
#include "host/isa/isa.h"

enum {
	/* Blocks of a pack: what a stop loses at most, some seconds. */
	PACK_BLOCKS = 512,
	/* Each is measured once, after a fault once more, and if it is a loop of
	 * another length than assumed, too. */
	MOST_ROUNDS = 3,
};

/* ---- measuring --------------------------------------------------------------- */

/* The blocks of a pack, as lists that the campaign takes. */
struct batch {
	struct block *blocks[PACK_BLOCKS];
	struct snippet snippets[PACK_BLOCKS];
	struct code_result results[PACK_BLOCKS];
	size_t n;
};

/* The paths of all blocks of a batch; those whose path varies leave it. */
static int find_paths(struct corpus *w, struct batch *t, struct err *e)
{
	struct code_watched *list =
		ARENA_ARRAY(w->a, struct code_watched, t->n);
	struct snippet *varying = ARENA_ARRAY(w->a, struct snippet, t->n);
	struct code_run run = { .campaign = &w->j->c,
				.store = w->j->s,
				.list = varying };
	const char *reason = "";
	size_t kept = 0;

	for (size_t i = 0; i < t->n; i++)
		list[i] = (struct code_watched){ .request =
							 &t->blocks[i]->request,
						 .snippet = &t->snippets[i] };
	if (code_paths(&w->j->c, w->j->in.parser, list, t->n, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < t->n; i++) {
		struct block *b = t->blocks[i];

		b->path = list[i].path;
		b->snippet = t->snippets[i];
		if (b->known)
			continue;
		if (time_take_path(&b->result, &b->path)) {
			reason = b->result.claim.detail;
			varying[run.n++] = t->snippets[i];
			continue;
		}
		t->blocks[kept] = b;
		t->snippets[kept++] = t->snippets[i];
	}
	t->n = kept;
	return code_store_varying(&run, w->j->in.parser, reason, e);
}

static int measure_batch(struct corpus *w, struct batch *t, struct progress *p,
			 struct err *e)
{
	struct timing_job *j = w->j;
	struct code_run run = { .campaign = &j->c,
				.store = j->s,
				.list = t->snippets,
				.n = t->n,
				.report = progress_of_session,
				.context = p };

	if (t->n == 0 || find_paths(w, t, e) != ERR_OK || t->n == 0)
		return e->code;
	if (code_pack(&j->c, j->in.parser, t->snippets, t->n, e) != ERR_OK)
		return e->code;
	p->estimated = true;
	if (code_measure(&run, t->results, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < t->n; i++) {
		t->blocks[i]->snippet = t->snippets[i];
		t->blocks[i]->result = t->results[i];
	}
	t->n = 0;
	return ERR_OK;
}

static int plan_block(struct corpus *w, struct block *b, struct batch *t)
{
	struct err why = { .code = ERR_OK, .message = "" };
	struct snippet *s = &t->snippets[t->n];

	if (snippet_plan(w->a, &b->request, s, &why) != ERR_OK) {
		b->error = arena_strdup(w->a, why.message);
		return why.code;
	}
	t->blocks[t->n++] = b;
	return ERR_OK;
}

/* All blocks that are wanted, in packs. */
static int measure_wanted(struct corpus *w, const char *what, struct err *e)
{
	struct batch *t = ARENA_NEW(w->a, struct batch);
	struct progress p;

	progress_start(&p, stderr, what, "visits");
	for (size_t i = 0; i < w->n && e->code == ERR_OK; i++) {
		if (w->blocks[i].wanted)
			(void)plan_block(w, &w->blocks[i], t);
		if (t->n == PACK_BLOCKS)
			(void)measure_batch(w, t, &p, e);
	}
	if (e->code == ERR_OK)
		(void)measure_batch(w, t, &p, e);
	progress_end(&p);
	return e->code;
}

static int measure_blocks(struct corpus *w, struct err *e)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++) {
		w->blocks[i].wanted =
			!w->blocks[i].error && !w->blocks[i].known;
		n += w->blocks[i].wanted;
	}
	for (int round = 0; n > 0 && round < MOST_ROUNDS; round++) {
		if (measure_wanted(w, round == 0 ? "time" : "time, again", e) !=
		    ERR_OK)
			return e->code;
		n = 0;
		for (size_t i = 0; i < w->n; i++) {
			struct block *b = &w->blocks[i];

			b->wanted = b->wanted && !b->error &&
				    time_revise(&b->request, &b->snippet,
						&b->result);
			n += b->wanted;
		}
	}
	return ERR_OK;
}

/* ---- what the database has ----------------------------------------------------- */

struct finder {
	struct corpus *w;
	struct block **by_key; /* of those that have a plan, sorted */
	size_t n;
};

static int by_key(const void *a, const void *b)
{
	const struct block *const *x = a, *const *y = b;

	return strcmp((*x)->snippet.key, (*y)->snippet.key);
}

static int key_order(const void *key, const void *b)
{
	const struct block *const *y = b;

	return strcmp(key, (*y)->snippet.key);
}

static int take_known(void *context, const struct claim *c, struct err *e)
{
	struct finder *f = context;
	struct block **at;

	(void)e;
	if (strcmp(c->kind, "code") != 0 || f->n == 0 ||
	    strcmp(c->board, f->w->j->c.board->name) != 0 ||
	    strcmp(c->isa, f->w->j->c.isa->name) != 0)
		return ERR_OK;
	at = bsearch(c->form, f->by_key, f->n, sizeof(*f->by_key), key_order);
	if (at && (c->has_value || c->verdict == VERDICT_FAULT ||
		   c->verdict == VERDICT_PATH_VARIES)) {
		(*at)->known = true;
		(*at)->result.claim = *c;
		(*at)->result.claim.detail = arena_strdup(f->w->a, c->detail);
		(*at)->result.claim.verdict_text =
			c->verdict_text ? arena_strdup(f->w->a, c->verdict_text)
					: NULL;
	}
	return ERR_OK;
}

/* Blocks whose values are stored are not measured again: --resume. */
static int find_known(struct corpus *w, struct err *e)
{
	struct finder f = { .w = w };

	f.by_key = ARENA_ARRAY(w->a, struct block *, w->n + 1);
	for (size_t i = 0; i < w->n; i++) {
		struct block *b = &w->blocks[i];
		struct err why = { .code = ERR_OK, .message = "" };

		if (!b->error && snippet_plan(w->a, &b->request, &b->snippet,
					      &why) == ERR_OK)
			f.by_key[f.n++] = b;
	}
	qsort(f.by_key, f.n, sizeof(*f.by_key), by_key);
	return store_claims(w->j->s, 0, NULL, take_known, &f, e);
}

/* Their paths decide what is predicted. */
static int find_known_paths(struct corpus *w, struct err *e)
{
	struct batch *t = ARENA_NEW(w->a, struct batch);

	for (size_t i = 0; i < w->n && e->code == ERR_OK; i++) {
		if (w->blocks[i].known) {
			t->snippets[t->n] = w->blocks[i].snippet;
			t->blocks[t->n++] = &w->blocks[i];
		}
		if (t->n == PACK_BLOCKS || (t->n > 0 && i + 1 == w->n)) {
			(void)find_paths(w, t, e);
			t->n = 0;
		}
	}
	return e->code;
}

/* ---- results ------------------------------------------------------------------- */

static void predict_block(struct corpus *w, struct block *b)
{
	struct err why = { .code = ERR_OK, .message = "" };
	const struct predict_options how = { .columns = 0 };
	struct arena a = { 0 };
	struct time_predicted on;
	struct prediction p;

	if (b->error)
		return;
	on = time_predicted(&a, &(struct time_code){ &b->program, &b->loop,
						     &b->snippet, &b->path });
	if (w->j->model && !on.unknown &&
	    predict(&a, &(struct loop_on){ &on.program, &on.loop, w->j->model },
		    &how, &p, &why) == ERR_OK) {
		b->scored->predicted = p.cycles / (double)on.n_iterations;
		b->limit = arena_strdup(w->a, p.why);
	}
	b->scored->measured = time_block_value(b);
	if (b->scored->measured > 0)
		time_ask_peers(w, b, &on);
	arena_free(&a);
}

static void put_value(struct buffer *b, bool has, double x)
{
	buffer_printf(b, ",");
	if (has)
		buffer_printf(b, "%.5g", x);
}

static void put_block(const struct corpus *w, struct buffer *out,
		      const struct block *b)
{
	const struct claim *c = &b->result.claim;
	bool has = !b->error && c->has_value;

	csv_add(out, b->hex ? b->hex : "");
	buffer_printf(out, ",");
	csv_add(out, b->name);
	put_value(out, has, c->low_cycles);
	put_value(out, has, c->high_cycles);
	buffer_printf(out, ",%s", b->error ? "refused" : claim_verdict(c));
	put_value(out, b->scored->predicted > 0, b->scored->predicted);
	put_value(out, b->scored->given > 0, b->scored->given);
	buffer_printf(out, ",");
	csv_add(out, b->error ? b->error : has ? "" : c->detail);
	for (size_t i = 0; i < w->scored.n_against; i++)
		put_value(out, b->scored->against[i] > 0,
			  b->scored->against[i]);
	buffer_printf(out, "\n");
}

static void print_counts(const struct corpus *w, double seconds)
{
	size_t values = 0, faults = 0, refused = 0, measured = 0;

	for (size_t i = 0; i < w->n; i++) {
		const struct block *b = &w->blocks[i];

		values += time_block_value(b) > 0;
		faults += !b->error && b->result.claim.verdict == VERDICT_FAULT;
		refused += b->error != NULL;
		measured += !b->error && !b->known;
	}
	(void)fprintf(stderr,
		      "%zu blocks: %zu with a value, %zu faults, %zu refused; "
		      "%zu measured in %.1f s, %.0f a second\n",
		      w->n, values, faults, refused, measured, seconds,
		      (double)measured / seconds);
}

int time_corpus(struct timing_job *j, struct buffer *out, struct err *e)
{
	struct corpus w = { .j = j,
			    .a = j->a,
			    .shard = 1,
			    .n_shards = 1,
			    .scored = { .a = j->a } };
	double start;

	if ((j->o->shard &&
	     shard_parse(j->o->shard, &w.shard, &w.n_shards, e) != ERR_OK) ||
	    (j->o->hex ? time_read_lines(&w, j->o->hex, e)
		       : time_read_folder(&w, j->o->file, e)) != ERR_OK)
		return e->code;
	w.scored.n = w.n;
	if (scored_against(&w.scored, &j->o->against, j->o->peers.n, e) !=
		    ERR_OK ||
	    time_peers(&w, e) != ERR_OK)
		return e->code;
	if (j->o->r.q.resume &&
	    (find_known(&w, e) != ERR_OK || find_known_paths(&w, e) != ERR_OK))
		return e->code;
	start = monotonic_s();
	if (measure_blocks(&w, e) != ERR_OK)
		return e->code;
	print_counts(&w, monotonic_s() - start);
	if (!j->model)
		(void)fprintf(stderr, "no predictions: %s\n",
			      j->no_prediction ? j->no_prediction : "");
	buffer_printf(out, "block,name,low_cycles,high_cycles,verdict,"
			   "predicted_cycles,given_cycles,detail");
	for (size_t i = 0; i < w.scored.n_against; i++)
		buffer_printf(out, ",%s_cycles", w.scored.against[i]);
	buffer_printf(out, "\n");
	for (size_t i = 0; i < w.n; i++) {
		predict_block(&w, &w.blocks[i]);
		put_block(&w, out, &w.blocks[i]);
	}
	scored_print(&w.scored);
	return time_write_loops(&w, e) == ERR_OK ? time_write_html(j, &w, e)
						 : e->code;
}
