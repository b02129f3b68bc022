/* One question for each form: which assignment of its uops to ports explains
 * all that was measured of it?
 *
 * The assignments that agree with the kernels so far are listed, those with the
 * fewest cycles first.  The next kernel is the one that tells most of them
 * apart.  One left: its uses are known.  Several left that no kernel tells apart: the only one that explains the time
 * alone, else the claim is open.  None left: the kernels are measured again, as
 * longer ones, then one or two of them may show more; after that no whole uops
 * explain the form.
 *
 * Forms with the same published uses may be alike.  If just one list of uses that was
 * found for such forms agrees with all kernels, with PUBLISHED_CHECKS at least, and
 * these cover its ports, no more kernels are measured.
 *
 * All forms are asked at the same time, a kernel each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/ports/question.h"

enum {
	LISTED = 48,     /* assignments to tell apart */
	MAX_ROUNDS = 64, /* kernels of a form */
	/* Times that kernels which contradict each other are measured again, as
	 * longer ones. */
	ATTEMPTS = 1,
};

/* Kernels that contradict each other become longer by this factor. */
static const double longer = 1.6;

/* The sets that uops may have, by the classes and the targets. */
static void list_sets(struct question *q)
{
	const struct saturation *w = q->w;
	model_ports rows[PORTS_MAX_CLASSES];
	size_t n = 0;

	for (size_t r = 0; r < w->in->n_classes; r++)
		if (!w->in->classes[r].out)
			rows[n++] = w->in->solution.row[r];
	for (size_t t = 0; t < w->n_targets; t++)
		q->targets[t] = w->targets[t].ports;
	q->n_sets = assignments_sets(rows, n, q->targets, w->n_targets, q->sets,
				     &q->cut);
}

/* ---- what is known of a form --------------------------------------------- */

static size_t list_assignments(const struct question *q, size_t i,
			       struct assignment list[LISTED], bool *ret_all)
{
	const struct saturation *w = q->w;
	const struct saturation_result *seen = question_seen(q, i);
	const struct form_state *f = &w->in->f[w->forms[i]];
	struct assignments_kernel kernels[SATURATION_MAX_TARGETS];
	struct assignments_problem p = {
		.n_sets = q->n_sets,
		.sets = q->sets,
		.kernels = kernels,
		.n_targets = w->n_targets,
		.targets = q->targets,
		.slots = question_slots(f),
		.uops = question_slots(f) + infer_shared(w->in, w->forms[i]),
		.width = w->in->width,
		.alone = f->alone.cycles,
		.above = infer_tolerance(&f->alone),
		.slower = q->asking[i].slower,
	};

	size_t n;

	for (size_t t = 0; t < w->n_targets; t++) {
		if (!isfinite(seen[t].u))
			continue;
		kernels[p.n_kernels].ports = w->targets[t].ports;
		(void)question_shows(&seen[t], &kernels[p.n_kernels++]);
	}
	n = assignments_list(&p, list, LISTED, ret_all);
	*ret_all &= !q->cut;
	return n;
}

/* ---- the next kernel ----------------------------------------------------- */

/* Of n assignments, the most that agree on what the target's kernel shows. */
static size_t most_alike(const struct saturation *w, size_t target,
			 const struct assignment *list, size_t n)
{
	unsigned cycles[LISTED];
	size_t most = 0;

	for (size_t i = 0; i < n; i++) {
		size_t alike = 0;

		cycles[i] =
			assignments_within(&list[i], w->targets[target].ports);
		for (size_t k = 0; k <= i; k++)
			alike += cycles[k] == cycles[i];
		most = alike > most ? alike : most;
	}
	return most;
}

/* Would the kernel show nothing that is not known? */
static bool is_implied(const struct question *q, size_t i, size_t target)
{
	const struct saturation_result *seen = question_seen(q, i);

	for (size_t t = 0; t < q->w->n_targets; t++)
		if (saturation_lies_in(&q->w->targets[target],
				       &q->w->targets[t]) &&
		    seen[t].u < assignments_some)
			return true;
	return false;
}

/* The target whose kernel tells most of the assignments apart; If none does, but
 * the list is not complete, or an assignment does not explain the time alone, or
 * no kernel was measured yet: the widest target whose kernel is neither measured
 * nor implied.  n_targets: there is none. */
static size_t choose_target(const struct question *q, size_t i,
			    const struct assignment *list, size_t n, bool all)
{
	const struct saturation *w = q->w;
	const struct saturation_result *seen = question_seen(q, i);
	size_t best = w->n_targets, least = n;
	bool more = !all || question_n_shown(q, i) == 0;

	for (size_t t = w->n_targets; t-- > 0;) {
		size_t alike;

		if (!isnan(seen[t].u))
			continue;
		alike = most_alike(w, t, list, n);
		if (alike >= least)
			continue;
		least = alike;
		best = t;
	}
	for (size_t k = 0; k < n; k++)
		more |= !list[k].explains;
	for (size_t t = w->n_targets; more && best == w->n_targets && t-- > 0;)
		if (isnan(seen[t].u) && !is_implied(q, i, t))
			best = t;
	return best;
}

/* ---- the answer ---------------------------------------------------------- */

static void forget_all(struct question *q, size_t i)
{
	struct saturation_result *seen = question_seen(q, i);

	for (size_t t = 0; t < q->w->n_targets; t++)
		if (isfinite(seen[t].u))
			seen[t] = (struct saturation_result){ .u = NAN };
}

/* Is there an assignment without a uop that holds several ports, which differs from
 * this one in no kernel? */
static bool is_spare(const struct question *q, const struct assignment *list,
		     size_t n, size_t i)
{
	for (size_t k = 0; assignments_has_whole(&list[i]) && k < n; k++) {
		bool alike = !assignments_has_whole(&list[k]) &&
			     list[k].explains == list[i].explains;

		for (size_t t = 0; t < q->w->n_targets && alike; t++)
			alike = assignments_within(&list[i], q->targets[t]) ==
				assignments_within(&list[k], q->targets[t]);
		if (alike)
			return true;
	}
	return false;
}

/* Prefer assignments that explain the time alone; of these the first one. */
static void take_best(struct question *q, struct asking *a,
		      const struct assignment *list, size_t n)
{
	size_t best = 0, n_alike = 0;

	while (best < n && !list[best].explains)
		best++;
	if (best == n)
		best = 0;
	for (size_t i = 0; i < n; i++)
		n_alike += list[i].explains == list[best].explains &&
			   !is_spare(q, list, n, i);
	a->best = list[best];
	a->open = n_alike > 1;
}

/* No assignment is left: measure again, or let kernels be slower. */
static bool ask_otherwise(struct question *q, size_t i)
{
	struct asking *a = &q->asking[i];

	if (a->attempts < ATTEMPTS) {
		a->attempts++;
		q->w->cycles[i] *= longer;
		forget_all(q, i);
		return true;
	}
	return ++a->slower <= QUESTION_MOST_SLOWER;
}

/* Set what the kernels say of the forms that may be alike. */
static void confirm_alike(struct question *q, size_t i)
{
	struct asking *a = &q->asking[i];
	size_t n_agree = 0;

	a->like = PORTS_NONE;
	a->confirmed = false;
	for (size_t k = 0; k < a->n_alike; k++) {
		unsigned n;
		bool all;

		if (!published_agrees(q->w, i, a->alike[k], &n, &all) || n == 0)
			continue;
		n_agree++;
		a->like = (int32_t)a->alike[k];
		a->n_checks = n;
		a->confirmed = all && n >= PUBLISHED_CHECKS;
	}
	if (n_agree > 1) {
		a->like = PORTS_NONE;
		a->confirmed = false;
	}
}

/* Uses to guess the time of the next kernel by, if it is measured later: those
 * that take_best() would take, in later passes of ports_ahead() the others. */
static void take_guess(struct question *q, size_t i,
		       const struct assignment *list, size_t n)
{
	struct infer *in = q->w->in;
	struct form_state *f = &in->f[q->w->forms[i]];
	size_t best = 0;

	while (best < n && !list[best].explains)
		best++;
	f->n_guess = n == 0 ? 0
			    : assignments_uses(
				      &list[(best % n + in->q->pass) % n],
				      question_least_uops(in, q->w->forms[i]),
				      f->guess);
}

/* The next kernel of a form; n_targets: it is done. */
static size_t next_target(struct question *q, size_t i)
{
	struct asking *a = &q->asking[i];
	struct assignment list[LISTED];
	size_t target;

	for (;;) {
		confirm_alike(q, i);
		if (a->confirmed)
			break;
		a->n = list_assignments(q, i, list, &a->all);
		if (a->n == 0 && a->all && ask_otherwise(q, i))
			continue;
		if (a->n == 0 && a->all)
			break;
		target = choose_target(q, i, list, a->n, a->all);
		take_guess(q, i, list, a->n);
		if (target < q->w->n_targets)
			return target;
		if (a->n == 0)
			break;
		take_best(q, a, list, a->n);
		if (a->attempts >= ATTEMPTS ||
		    question_n_wrong(q, i, &a->best, true) == 0)
			break;
		a->attempts++;
		q->w->cycles[i] =
			fmax(q->w->cycles[i], a->best.cycles) * longer;
	}
	a->done = true;
	return q->w->n_targets;
}

/* ---- asking -------------------------------------------------------------- */

/* A kernel that cannot be measured shows nothing: ask for another one. */
static bool plan_next(struct question *q, size_t i, struct saturation_job *ret)
{
	while (!q->asking[i].done) {
		*ret = (struct saturation_job){ .form = i,
						.target = next_target(q, i) };
		if (!q->asking[i].done && saturation_plan(q->w, ret))
			return true;
	}
	return false;
}

/* A kernel without a value shows nothing.  One that nearly fills a front end of
 * varying width, and shows no whole number, may be slower for that reason. */
static void settle_jobs(struct saturation *w, const struct saturation_job *jobs,
			size_t n)
{
	const struct infer *in = w->in;

	for (size_t i = 0; i < n; i++) {
		struct saturation_result *x =
			&w->seen[jobs[i].form * w->n_targets + jobs[i].target];
		double n_ports = w->targets[jobs[i].target].n_ports;

		if (isnan(x->u)) {
			x->u = HUGE_VAL;
			x->lost = true;
		} else {
			x->at_most |= in->filler == PORTS_NONE && !x->sure &&
				      n_ports > infer_nearly_full * in->width;
		}
	}
}

static int ask_round(struct question *q, struct saturation_job *jobs,
		     size_t *ret_n)
{
	struct saturation *w = q->w;
	size_t n = 0;

	for (size_t i = 0; i < w->n_forms; i++)
		n += plan_next(q, i, &jobs[n]);
	*ret_n = n;
	if (saturation_run(w, jobs, n) != ERR_OK)
		return w->in->e->code;
	settle_jobs(w, jobs, n);
	return ERR_OK;
}

/* ---- all forms -------------------------------------------------------- */

int question_ask(struct saturation *w)
{
	struct question q = { .w = w };
	struct saturation_job *jobs =
		ARENA_ARRAY(w->in->a, struct saturation_job, w->n_forms + 1);
	size_t n = 1;

	q.asking = ARENA_ARRAY(w->in->a, struct asking, w->n_forms + 1);
	list_sets(&q);
	for (size_t i = 0; i < w->n_forms; i++)
		q.asking[i].n_alike =
			published_list(w->in, w->forms[i], q.asking[i].alike);
	for (int round = 0; round < MAX_ROUNDS && n > 0; round++)
		if (ask_round(&q, jobs, &n) != ERR_OK)
			return w->in->e->code;
	for (size_t i = 0; i < w->n_forms; i++)
		question_judge(&q, i);
	return ERR_OK;
}

int infer_saturation(struct infer *in)
{
	struct saturation w = { .in = in };

	saturation_begin(&w);
	return question_ask(&w);
}
