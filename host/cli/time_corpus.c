/* anechoic time --hex: blocks of a file, each measured and predicted. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/csv.h"
#include "host/base/hex.h"
#include "host/base/monotonic.h"
#include "host/campaign/shard.h"
#include "host/cli/progress.h"
#include "host/cli/time_blocks.h"
#include "host/isa/isa.h"

enum {
	MAX_FILE = 1 << 30,
	MAX_BYTES = 1 << 12, /* of a block */
	/* Blocks of a pack: what a stop loses at most, some seconds. */
	PACK_BLOCKS = 512,
};

/* ---- reading ----------------------------------------------------------------- */

/* The bytes of hexadecimal digits; NULL: they are none. */
static unsigned char *hex_bytes(struct arena *a, const char *hex, size_t *ret_n)
{
	size_t n = strlen(hex);
	unsigned char *ret;

	if (n == 0 || n % 2 != 0 || n / 2 > MAX_BYTES)
		return NULL;
	ret = arena_alloc(a, n / 2, 1);
	for (size_t i = 0; i < n; i++) {
		int d = hex_digit(hex[i]);

		if (d < 0)
			return NULL;
		ret[i / 2] = (unsigned char)(ret[i / 2] << 4 | d);
	}
	*ret_n = n / 2;
	return ret;
}

static bool is_number(const char *text, double *ret)
{
	char *end;

	*ret = strtod(text, &end);
	return end != text && *end == '\0' && *ret > 0 && isfinite(*ret);
}

static void decode_block(struct corpus *w, struct block *b, size_t line)
{
	struct err why = { .code = ERR_OK, .message = "" };
	struct code code = { .name = arena_printf(w->a, "line %zu", line) };

	code.bytes = hex_bytes(w->a, b->hex, &code.n);
	if (!code.bytes) {
		b->error = "not an even number of hexadecimal digits, at most "
			   "8192";
		return;
	}
	b->program = (struct program){ .c = w->j->c.catalogue };
	if (program_add_bytes(w->a, &b->program, &code, 0, DATA_REFUSED,
			      &why) != ERR_OK) {
		b->error = arena_strdup(w->a, why.message);
		return;
	}
	program_link(w->a, &b->program);
	b->loop = (struct loop){ .label = "",
				 .function = "",
				 .last = b->program.n - 1 };
	b->request = w->j->request;
	b->request.program = &b->program;
	b->request.loop = &b->loop;
	b->request.name = b->name;
	b->request.mode = SNIPPET_UNROLL;
}

/* HEX[,NAME][,CYCLES]; a number alone behind HEX is CYCLES. */
static void read_line(struct corpus *w, char *line, size_t number)
{
	char *fields[3] = { line, NULL, NULL };
	struct block *b;

	for (size_t i = 1; i < 3 && fields[i - 1]; i++) {
		fields[i] = strchr(fields[i - 1], ',');
		if (fields[i])
			*fields[i]++ = '\0';
	}
	b = &w->blocks[w->n++];
	*b = (struct block){ .hex = fields[0] };
	b->name = arena_printf(w->a, "line%zu", number);
	if (fields[1] && (fields[2] || !is_number(fields[1], &b->given))) {
		/* Blocks of one name stay apart. */
		if (*fields[1] != '\0')
			b->name =
				arena_printf(w->a, "%s.%zu", fields[1], number);
		if (!fields[2] || !is_number(fields[2], &b->given))
			b->given = 0;
	}
	decode_block(w, b, number);
}

static int read_blocks(struct corpus *w, const char *path, struct err *e)
{
	unsigned char *text;
	size_t n, n_lines = 1, number = 0, n_blocks = 0;
	char *next;

	if (file_read(w->a, path, MAX_FILE, &text, &n, e) != ERR_OK)
		return e->code;
	if (memchr(text, '\0', n))
		return err_set(e, ERR_INPUT,
			       "%s is not a text file: it contains a NUL byte",
			       path);
	for (size_t i = 0; i < n; i++)
		n_lines += text[i] == '\n';
	w->blocks = ARENA_ARRAY(w->a, struct block, n_lines + 1);
	for (char *line = (char *)text; *line != '\0'; line = next) {
		size_t length = strcspn(line, "\r\n");

		next = line + length;
		next += *next == '\r';
		next += *next == '\n';
		line[length] = '\0';
		number++;
		if (length > 0 && n_blocks++ % w->n_shards == w->shard - 1)
			read_line(w, line, number);
	}
	return w->n > 0 ? ERR_OK
			: err_set(e, ERR_INPUT, "%s has no blocks", path);
}

/* ---- measuring --------------------------------------------------------------- */

/* The blocks of a pack, as lists that the campaign takes. */
struct batch {
	struct block *blocks[PACK_BLOCKS];
	struct snippet snippets[PACK_BLOCKS];
	struct code_result results[PACK_BLOCKS];
	size_t n;
};

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

	if (t->n == 0)
		return ERR_OK;
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

/* Is it to be measured, now that earlier ones were? */
static bool is_wanted(const struct block *b, bool again)
{
	if (b->error)
		return false;
	if (!again)
		return !b->known;
	return (b->result.claim.verdict == VERDICT_FAULT &&
		b->request.fill == SNIPPET_FILL_AUTO);
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

/* All blocks; then those that faulted, on memory that holds addresses instead of
 * numbers, or numbers instead of addresses. */
static int measure_blocks(struct corpus *w, bool again, struct err *e)
{
	struct batch *t = ARENA_NEW(w->a, struct batch);
	struct progress p;

	progress_start(&p, stderr, again ? "time, again" : "time", "visits");
	for (size_t i = 0; i < w->n && e->code == ERR_OK; i++) {
		struct block *b = &w->blocks[i];

		if (!is_wanted(b, again))
			continue;
		if (again)
			b->request.fill = b->snippet.self ? SNIPPET_FILL_ONES
							  : SNIPPET_FILL_SELF;
		(void)plan_block(w, b, t);
		if (t->n == PACK_BLOCKS)
			(void)measure_batch(w, t, &p, e);
	}
	if (e->code == ERR_OK)
		(void)measure_batch(w, t, &p, e);
	progress_end(&p);
	return e->code;
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
	if (at && (c->has_value || c->verdict == VERDICT_FAULT)) {
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

/* ---- results ------------------------------------------------------------------- */

static void predict_block(struct corpus *w, struct block *b)
{
	struct err why = { .code = ERR_OK, .message = "" };
	const struct predict_options how = { .columns = 0 };
	struct arena a = { 0 };
	struct prediction p;

	if (b->error || !w->j->model)
		return;
	if (predict(&a, &(struct loop_on){ &b->program, &b->loop, w->j->model },
		    &how, &p, &why) == ERR_OK)
		b->predicted = p.cycles;
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

	csv_add(out, b->hex);
	buffer_printf(out, ",");
	csv_add(out, b->name);
	put_value(out, has, c->low_cycles);
	put_value(out, has, c->high_cycles);
	buffer_printf(out, ",%s", b->error ? "refused" : claim_verdict(c));
	put_value(out, b->predicted > 0, b->predicted);
	put_value(out, b->given > 0, b->given);
	buffer_printf(out, ",");
	csv_add(out, b->error ? b->error : has ? "" : c->detail);
	for (size_t i = 0; i < w->n_against; i++)
		put_value(out, b->against[i] > 0, b->against[i]);
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

static void print_scores(const struct corpus *w)
{
	struct buffer text = { 0 };
	size_t n;
	const struct corpus_score *list = time_scores(w, &n);

	for (size_t i = 0; i < n; i++)
		score_text(&text, list[i].what, &list[i].score);
	(void)fputs(buffer_text(&text), stderr);
	buffer_free(&text);
}

int time_corpus(struct timing_job *j, struct buffer *out, struct err *e)
{
	struct corpus w = { .j = j, .a = j->a, .shard = 1, .n_shards = 1 };
	double start;

	if ((j->o->shard &&
	     shard_parse(j->o->shard, &w.shard, &w.n_shards, e) != ERR_OK) ||
	    read_blocks(&w, j->o->hex, e) != ERR_OK)
		return e->code;
	if (time_against(&w, e) != ERR_OK)
		return e->code;
	if (j->o->r.q.resume && find_known(&w, e) != ERR_OK)
		return e->code;
	start = monotonic_s();
	if (measure_blocks(&w, false, e) != ERR_OK ||
	    measure_blocks(&w, true, e) != ERR_OK)
		return e->code;
	print_counts(&w, monotonic_s() - start);
	if (!j->model)
		(void)fprintf(stderr, "no predictions: %s\n",
			      j->no_prediction ? j->no_prediction : "");
	buffer_printf(out, "block,name,low_cycles,high_cycles,verdict,"
			   "predicted_cycles,given_cycles,detail");
	for (size_t i = 0; i < w.n_against; i++)
		buffer_printf(out, ",%s_cycles", w.against[i]);
	buffer_printf(out, "\n");
	for (size_t i = 0; i < w.n; i++) {
		predict_block(&w, &w.blocks[i]);
		put_block(&w, out, &w.blocks[i]);
	}
	print_scores(&w);
	return time_write_html(j, &w, e);
}
