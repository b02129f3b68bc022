/* Claims: written by the solver, read by all other stages. */
#include "host/store/store_claim.h"

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

const char *claim_verdict(const struct claim *c)
{
	bool own = c->verdict == VERDICT_FAULT || c->verdict == VERDICT_UNKNOWN;

	return own ? c->verdict_text : verdict_word(c->verdict);
}

void claim_set_fault(struct claim *c, struct arena *a, const char *cause)
{
	c->verdict = VERDICT_FAULT;
	c->verdict_text = arena_printf(a, "fault:%s", cause);
}

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
	return begin_replacing(s,
			       "DELETE FROM claim WHERE run = ? AND " IS_VALUE
			       "AND kind NOT "
			       "IN ('" CLAIM_STRUCTURE "', '" CLAIM_CURVE "')",
			       run, e);
}

int store_port_claims_begin(struct store *s, int64_t run, struct err *e)
{
	return begin_replacing(
		s, "DELETE FROM claim WHERE run = ? AND " IS_PORTS, run, e);
}

int store_claim(struct store *s, const struct claim *c, struct err *e)
{
	/* It would not be read back. */
	if (!isfinite(c->residual) ||
	    (c->has_value &&
	     (!isfinite(c->low_cycles) || !isfinite(c->high_cycles))))
		return err_set(e, ERR_FAILED,
			       "claim on %s: a value is not a finite number",
			       c->form);

	/* What is not a number is stored as NULL. */
	return store_write(
		s, e, "claim",
		"INSERT INTO claim VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
		"?, ?)",
		"ittttdddittiit", c->run, c->form, c->kind, c->source,
		c->destination, c->has_value ? c->low_cycles : NAN,
		c->has_value ? c->high_cycles : NAN, c->residual,
		(int64_t)c->visits, claim_verdict(c), c->label,
		(int64_t)c->kernel, (int64_t)c->solver_version, c->detail);
}

static struct claim read_claim(struct rows *row)
{
	enum { LOW = 6, HIGH, RESIDUAL };
	bool has[3];
	struct claim c = {
		.board = row_text(row, 0),
		.isa = row_text(row, 1),
		.form = row_text(row, 2),
		.kind = row_text(row, 3),
		.source = row_text(row, 4),
		.destination = row_text(row, 5),
		.low_cycles = row_real(row, LOW, &has[0]),
		.high_cycles = row_real(row, HIGH, &has[1]),
		.residual = row_real(row, RESIDUAL, &has[2]),
		.visits = row_u32(row, 9),
		.verdict_text = row_text(row, 10),
		.label = row_text(row, 11),
		.kernel = row_u32(row, 12),
		.solver_version = (int)row_u32(row, 13),
		.detail = row_text(row, 14),
		.run = (int64_t)row_u64(row, 15),
	};

	row->n_keys = LOW;
	c.has_value = has[0] && has[1];
	c.verdict = verdict_of(c.verdict_text);
	return c;
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

/* Claims of a run, 0: the newest, and of a form; NULL: of all. */
struct claim_query {
	int64_t run;
	const char *form;
	const char *of_run, *of_latest; /* SQL */
};

static int read_claims(struct store *s, const struct claim_query *q,
		       store_each_claim *each, void *context, struct err *e)
{
	const char *sql = q->run == 0 ? q->of_latest : q->of_run;
	struct rows r;

	if (q->run == 0 && store_need_core(s, e) != ERR_OK)
		return e->code;
	r = store_rows(s, e, "claim", sql, "it", q->run, q->form);
	while (rows_next(&r)) {
		struct claim c = read_claim(&r);

		if (rows_good(&r))
			r.status = each(context, &c, e);
	}
	return rows_end(&r);
}

int store_claims(struct store *s, int64_t run, const char *form,
		 store_each_claim *each, void *context, struct err *e)
{
	const struct claim_query q = {
		.run = run,
		.form = form,
		.of_run = OF_RUN IS_VALUE "AND " CLAIM_ORDER,
		.of_latest = OF_LATEST IS_VALUE "AND " CLAIM_ORDER,
	};

	return read_claims(s, &q, each, context, e);
}

int store_port_claims(struct store *s, int64_t run, const char *form,
		      store_each_claim *each, void *context, struct err *e)
{
	const struct claim_query q = {
		.run = run,
		.form = form,
		.of_run = OF_RUN IS_PORTS "AND " CLAIM_ORDER,
		.of_latest = OF_LATEST IS_PORTS "AND " CLAIM_ORDER,
	};

	return read_claims(s, &q, each, context, e);
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

static struct claim read_model_claim(struct rows *row, int64_t run)
{
	enum { LOW = 4, HIGH };
	bool has[2];
	struct claim c = {
		.run = run,
		.board = "",
		.isa = "",
		.form = row_text(row, 0),
		.kind = row_text(row, 1),
		.source = row_text(row, 2),
		.destination = row_text(row, 3),
		.low_cycles = row_real(row, LOW, &has[0]),
		.high_cycles = row_real(row, HIGH, &has[1]),
		.verdict_text = row_text(row, 6),
		.label = "",
		.detail = row_text(row, 7),
	};

	row->n_keys = LOW;
	c.has_value = has[0] && has[1];
	c.verdict = verdict_of(c.verdict_text);
	return c;
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
	struct rows r = store_rows(s, e, "claim", sql, "i", run);

	while (rows_next(&r)) {
		struct claim c = read_model_claim(&r, run);

		if (rows_good(&r))
			r.status = each(context, &c, is_ports(c.kind), e);
	}
	return rows_end(&r);
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
