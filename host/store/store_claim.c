/* Claims: written by the solver, read by all other stages. */
#include <math.h>
#include <string.h>

#include "host/store/store_db.h"

/* The kinds of host/model/claims.h.  All other kinds are values. */
#define PORT_KINDS(X) \
	X(width)      \
	X(port)       \
	X(note)       \
	X(fit)        \
	X(error)      \
	X(uops)       \
	X(ports) X(alone) X(class) X(matrix) X(order) X(pairing) X(pair)
#define QUOTED(kind) ", '" #kind "'"
#define IS_PORTS     "(kind IN (''" PORT_KINDS(QUOTED) ")) "
#define IS_VALUE     "NOT " IS_PORTS

static int begin_replacing(struct store *s, const char *delete_old, int64_t run,
			   struct err *e)
{
	if (store_begin(s, e) != ERR_OK)
		return e->code;
	if (store_write(s, e, "old claims", delete_old, "i", run) != ERR_OK)
		store_rollback(s);
	return e->code;
}

int store_claims_begin(struct store *s, int64_t run, struct err *e)
{
	return begin_replacing(
		s, "DELETE FROM claim WHERE run = ? AND " IS_VALUE, run, e);
}

int store_port_claims_begin(struct store *s, int64_t run, struct err *e)
{
	return begin_replacing(
		s, "DELETE FROM claim WHERE run = ? AND " IS_PORTS, run, e);
}

int store_claim(struct store *s, const struct claim *c, struct err *e)
{
	/* SQLite stores NaN as NULL, so it would not be read back. */
	if (!isfinite(c->residual) ||
	    (c->has_value &&
	     (!isfinite(c->low_cycles) || !isfinite(c->high_cycles))))
		return err_set(e, ERR_FAILED,
			       "claim on %s: a value is not a finite number",
			       c->form);

	static const char with_value[] =
		"INSERT INTO claim VALUES (?1, ?2, ?3, ?4, ?5, ?13, ?14, ?6, "
		"?7, ?8, ?9, ?10, ?11, ?12)";
	static const char without_value[] =
		"INSERT INTO claim VALUES (?1, ?2, ?3, ?4, ?5, NULL, NULL, ?6, "
		"?7, ?8, ?9, ?10, ?11, ?12)";

	return store_write(
		s, e, "claim", c->has_value ? with_value : without_value,
		c->has_value ? "ittttdittiitdd" : "ittttdittiit", c->run,
		c->form, c->kind, c->source, c->destination, c->residual,
		(int64_t)c->visits, c->verdict, c->label, (int64_t)c->kernel,
		(int64_t)c->solver_version, c->detail, c->low_cycles,
		c->high_cycles);
}

int store_claims_commit(struct store *s, struct err *e)
{
	return store_commit(s, e);
}

static int read_claim(struct store *s, sqlite3_stmt *q, struct claim *ret,
		      struct err *e)
{
	enum { LOW = 6, HIGH, RESIDUAL };
	struct store_row row = { .q = q, .n_keys = LOW };
	bool has[3];

	*ret = (struct claim){
		.board = row_text(&row, 0),
		.isa = row_text(&row, 1),
		.form = row_text(&row, 2),
		.kind = row_text(&row, 3),
		.source = row_text(&row, 4),
		.destination = row_text(&row, 5),
		.low_cycles = row_real(&row, LOW, &has[0]),
		.high_cycles = row_real(&row, HIGH, &has[1]),
		.residual = row_real(&row, RESIDUAL, &has[2]),
		.visits = row_u32(&row, 9),
		.verdict = row_text(&row, 10),
		.label = row_text(&row, 11),
		.kernel = row_u32(&row, 12),
		.solver_version = (int)row_u32(&row, 13),
		.detail = row_text(&row, 14),
		.run = (int64_t)row_u64(&row, 15),
	};
	ret->has_value = has[0] && has[1];
	return row.bad ? store_bad_row(s, &row, "claim", e) : ERR_OK;
}

#define CLAIM_COLUMNS                                               \
	"board, isa, form, kind, source, destination, low_cycles, " \
	"high_cycles, residual, visits, verdict, label, kernel, "   \
	"solver_version, detail, run "
#define CLAIM_ORDER                                                    \
	"(?2 IS NULL OR form = ?2) ORDER BY isa, form, kind, source, " \
	"destination, board"
/* As the view `latest`, of the chosen core. */
#define OF_LATEST                                                            \
	"SELECT " CLAIM_COLUMNS "FROM (SELECT run.board, run.isa, claim.*, " \
	"rank() OVER (PARTITION BY run.board, run.isa, claim.form, "         \
	"claim.kind ORDER BY run.finished DESC, run.id DESC) AS age "        \
	"FROM claim JOIN run ON run.id = claim.run "                         \
	"WHERE claim.run IN (SELECT run FROM temp.chosen)) "                 \
	"WHERE age = 1 AND ?1 = 0 AND "
#define OF_RUN                                            \
	"SELECT " CLAIM_COLUMNS "FROM claim JOIN run ON " \
	"run.id = claim.run WHERE claim.run = ?1 AND "

static int read_claims(struct store *s, const char *sql, int64_t run,
		       const char *form, store_each_claim *each, void *context,
		       struct err *e)
{
	sqlite3_stmt *q;
	int step;

	if (run == 0 && store_need_core(s, e) != ERR_OK)
		return e->code;
	q = store_cursor(s, e, sql, "it", run, form);
	if (!q)
		return e->code;
	while ((step = store_step(s, q, e)) == 1) {
		struct claim c;

		step = read_claim(s, q, &c, e);
		if (step == ERR_OK)
			step = each(context, &c, e);
		if (step != 0)
			break;
	}
	(void)sqlite3_finalize(q);
	return step;
}

int store_claims(struct store *s, int64_t run, const char *form,
		 store_each_claim *each, void *context, struct err *e)
{
	return read_claims(s,
			   run == 0 ? OF_LATEST IS_VALUE "AND " CLAIM_ORDER
				    : OF_RUN IS_VALUE "AND " CLAIM_ORDER,
			   run, form, each, context, e);
}

int store_port_claims(struct store *s, int64_t run, const char *form,
		      store_each_claim *each, void *context, struct err *e)
{
	return read_claims(s,
			   run == 0 ? OF_LATEST IS_PORTS "AND " CLAIM_ORDER
				    : OF_RUN IS_PORTS "AND " CLAIM_ORDER,
			   run, form, each, context, e);
}

/* As IS_PORTS.  Faster than the SQL expression, for which SQLite searches an
 * index for each row. */
static bool is_ports(const char *kind)
{
#define NAME(kind) #kind,
	static const char *const kinds[] = { PORT_KINDS(NAME) };

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (kinds[i][0] == kind[0] && strcmp(kinds[i], kind) == 0)
			return true;
	return false;
}

static int read_model_claim(struct store *s, sqlite3_stmt *q, int64_t run,
			    struct claim *ret, struct err *e)
{
	enum { LOW = 4, HIGH };
	struct store_row row = { .q = q, .n_keys = LOW };
	bool has[2];

	*ret = (struct claim){
		.run = run,
		.board = "",
		.isa = "",
		.form = row_text(&row, 0),
		.kind = row_text(&row, 1),
		.source = row_text(&row, 2),
		.destination = row_text(&row, 3),
		.low_cycles = row_real(&row, LOW, &has[0]),
		.high_cycles = row_real(&row, HIGH, &has[1]),
		.verdict = row_text(&row, 6),
		.label = "",
		.detail = row_text(&row, 7),
	};
	ret->has_value = has[0] && has[1];
	return row.bad ? store_bad_row(s, &row, "claim", e) : ERR_OK;
}

/* Ordered like the table's key, so SQLite need not sort. */
#define MODEL_CLAIMS(detail, form)                                        \
	"SELECT form, kind, source, destination, low_cycles, "            \
	"high_cycles, verdict, " detail " FROM claim WHERE run = ?1 AND " \
	"form " form " ORDER BY form, kind, source, destination"

static int read_model_claims(struct store *s, const char *sql, int64_t run,
			     store_each_model_claim *each, void *context,
			     struct err *e)
{
	sqlite3_stmt *q = store_cursor(s, e, sql, "i", run);
	int step;

	if (!q)
		return e->code;
	while ((step = store_step(s, q, e)) == 1) {
		struct claim c;

		step = read_model_claim(s, q, run, &c, e);
		if (step == ERR_OK)
			step = each(context, &c, is_ports(c.kind), e);
		if (step != 0)
			break;
	}
	(void)sqlite3_finalize(q);
	return step;
}

/* Two queries: testing in one query whether each claim has a form costs more
 * than reading the claims. */
int store_model_claims(struct store *s, int64_t run,
		       store_each_model_claim *each, void *context,
		       struct err *e)
{
	int step = read_model_claims(s, MODEL_CLAIMS("detail", "= ''"), run,
				     each, context, e);

	if (step != ERR_OK)
		return step;
	return read_model_claims(s, MODEL_CLAIMS("''", "> ''"), run, each,
				 context, e);
}
