/* See redo.h. */
#include "host/campaign/redo.h"

#include <regex.h>
#include <string.h>

#include "host/base/expression.h"
#include "host/base/file.h"
#include "host/campaign/rounds.h"
#include "host/experiment/label.h"
#include "host/store/store_claim.h"

struct redo {
	struct arena a;
	struct store *s;
	int64_t run;
	enum { REDO_NOISY, REDO_MISSING, REDO_FORMS } what;
	size_t n;
	bool *wanted;
	bool *settled;    /* of noisy */
	uint32_t *visits; /* of missing: as store_progress() */
	regex_t forms;
};

static int compile_forms(const char *what, regex_t *ret, struct err *e)
{
	char why[120];

	if (expression_compile(what, ret, why, sizeof(why)))
		return ERR_OK;
	return err_set(
		e, ERR_USAGE,
		"--redo: '%.80s'%s is neither noisy, nor missing, nor an "
		"extended regular expression (%s)",
		what, strlen(what) > 80 ? "..." : "", why);
}

int redo_check(const char *what, struct err *e)
{
	regex_t expression;

	if (compile_forms(what, &expression, e) != ERR_OK)
		return e->code;
	regfree(&expression);
	return ERR_OK;
}

/* ---- noisy --------------------------------------------------------------- */

static int want_claim(void *context, const struct claim *c, struct err *e)
{
	struct redo *r = context;

	(void)e;
	if (c->kernel < r->n && verdict_is(c->verdict, VERDICT_REPEATED))
		r->settled[c->kernel] = false;
	return 0;
}

/* ---- all of them --------------------------------------------------------- */

static bool is_wanted(struct redo *r, const struct kernel_result *k)
{
	struct label l;

	if (r->what == REDO_NOISY)
		return !k->fault && !r->settled[k->index] &&
		       r->visits[k->index] > 0;
	if (r->what == REDO_MISSING)
		return k->fault ? strcmp(k->fault->cause, "lost") == 0
				: r->visits[k->index] == 0;
	return label_split(&r->a, k->kernel.label, &l) &&
	       regexec(&r->forms, label_first_form(&r->a, &l), 0, NULL, 0) == 0;
}

static int want_kernel(void *context, const struct kernel_result *k,
		       struct err *e)
{
	struct redo *r = context;

	(void)e;
	if (k->index < r->n && !k->kernel.calib)
		r->wanted[k->index] = is_wanted(r, k);
	return 0;
}

static int walk(struct redo *r, struct err *e)
{
	const struct store_part labels = { .labels_only = true };

	return store_kernels_of(r->s, r->run, &labels, want_kernel, r, e);
}

static int choose_matching(struct redo *r, const char *what, struct err *e)
{
	if (compile_forms(what, &r->forms, e) != ERR_OK)
		return e->code;
	(void)walk(r, e);
	regfree(&r->forms);
	return e->code;
}

static int choose(struct redo *r, const char *what, struct err *e)
{
	if (store_progress(r->s, r->run, 0, r->n, r->visits, e) != ERR_OK)
		return e->code;
	if (r->what == REDO_FORMS)
		return choose_matching(r, what, e);
	if (r->what == REDO_NOISY &&
	    (rounds_settled(r->s, r->run, r->settled, r->n, e) != ERR_OK ||
	     store_claims(r->s, r->run, NULL, want_claim, r, e) != ERR_OK))
		return e->code;
	return walk(r, e);
}

int redo_choose(struct store *s, int64_t run, const char *what,
		struct redo_kernels *k, struct err *e)
{
	struct redo r = { .s = s,
			  .run = run,
			  .what = strcmp(what, "noisy") == 0     ? REDO_NOISY
				  : strcmp(what, "missing") == 0 ? REDO_MISSING
								 : REDO_FORMS,
			  .n = k->n,
			  .wanted = k->wanted };

	memset(k->wanted, 0, k->n * sizeof(*k->wanted));
	k->n_wanted = 0;
	r.settled = ARENA_ARRAY(&r.a, bool, k->n);
	r.visits = ARENA_ARRAY(&r.a, uint32_t, k->n);
	if (choose(&r, what, e) == ERR_OK)
		for (size_t i = 0; i < k->n; i++)
			k->n_wanted += k->wanted[i];
	if (e->code == ERR_OK && k->n_wanted == 0 && r.what == REDO_FORMS)
		(void)err_set(e, ERR_INPUT,
			      "--redo: run %lld has no kernel of a form that "
			      "matches '%s' (names are case-sensitive; see "
			      "'anechoic forms')",
			      (long long)run, what);
	arena_free(&r.a);
	return e->code;
}

int redo_forget_faults(struct store *s, int64_t run,
		       const struct redo_kernels *k, struct err *e)
{
	if (store_begin(s, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < k->n; i++)
		if (k->wanted[i] &&
		    store_fault_remove(s, run, (uint32_t)i, e) != ERR_OK) {
			store_rollback(s);
			return e->code;
		}
	return store_commit(s, e);
}
