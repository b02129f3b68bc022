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
 * All forms are asked at the same time, a kernel each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/ports/assignments.h"
#include "host/ports/saturation.h"

enum {
	LISTED = 48,     /* assignments to tell apart */
	MAX_ROUNDS = 64, /* kernels of a form */
	/* Times that kernels which contradict each other are measured again, as
	 * longer ones. */
	ATTEMPTS = 1,
	MOST_SLOWER = 2, /* kernels that may show more than the uops take */
	MAX_SLOTS = 8,
};

/* Kernels that contradict each other become longer by this factor. */
static const double longer = 1.6;

struct asking {
	bool done;
	unsigned attempts, slower;
	/* When it is done: the assignments that are left.  n is at most LISTED; all: the list is complete. */
	bool all;
	size_t n;
	struct assignment best;
	bool open; /* others are as good */
};

struct question {
	struct saturation *w;
	size_t n_sets;
	model_ports sets[ASSIGNMENTS_MAX_SETS];
	bool cut;              /* there are more */
	struct asking *asking; /* of each form of w */
};

/* The sets that uops may have, by the classes and the targets. */
static void list_sets(struct question *q)
{
	const struct saturation *w = q->w;
	model_ports rows[PORTS_MAX_CLASSES], unions[SATURATION_MAX_TARGETS];
	size_t n = 0;

	for (size_t r = 0; r < w->in->n_classes; r++)
		if (!w->in->classes[r].out)
			rows[n++] = w->in->solution.row[r];
	for (size_t t = 0; t < w->n_targets; t++)
		unions[t] = w->targets[t].ports;
	q->n_sets = assignments_sets(rows, n, unions, w->n_targets, q->sets,
				     &q->cut);
}

/* ---- what is known of a form --------------------------------------------- */

static struct saturation_result *seen_of(const struct question *q, size_t i)
{
	return &q->w->seen[i * q->w->n_targets];
}

static unsigned slots_of(const struct form_state *f)
{
	return f->slots > 0 ? f->slots
			    : (unsigned)fmin(f->slots_high, MAX_SLOTS);
}

/* Uops that cycles are divided among: the least where fillers showed them. */
static unsigned least_uops(const struct infer *in, const struct form_state *f)
{
	if (f->slots == 0 && in->filler != PORTS_NONE)
		return (unsigned)f->slots_low;
	return slots_of(f);
}

/* Whole cycles that a kernel may show, within its error.  False: none. */
static bool cycles_shown(const struct saturation_result *x,
			 struct assignments_kernel *ret)
{
	double off = fmax(assignments_some, x->off);
	double least = fmax(0, ceil(x->u - off));

	ret->most = (unsigned)floor(x->u + off);
	ret->least = x->at_most || least > ret->most ? 0 : (unsigned)least;
	return x->at_most || least <= ret->most;
}

static size_t list_assignments(const struct question *q, size_t i,
			       struct assignment list[LISTED], bool *ret_all)
{
	const struct saturation *w = q->w;
	const struct saturation_result *seen = seen_of(q, i);
	const struct form_state *f = &w->in->f[w->forms[i]];
	struct assignments_kernel kernels[SATURATION_MAX_TARGETS];
	struct assignments_problem p = {
		.n_sets = q->n_sets,
		.sets = q->sets,
		.kernels = kernels,
		.slots = slots_of(f),
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
		(void)cycles_shown(&seen[t], &kernels[p.n_kernels++]);
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
	const struct saturation_result *seen = seen_of(q, i);

	for (size_t t = 0; t < q->w->n_targets; t++)
		if (saturation_lies_in(&q->w->targets[target],
				       &q->w->targets[t]) &&
		    seen[t].u < assignments_some)
			return true;
	return false;
}

/* Kernels of the form that showed something. */
static size_t n_shown(const struct question *q, size_t i)
{
	const struct saturation_result *seen = seen_of(q, i);
	size_t n = 0;

	for (size_t t = 0; t < q->w->n_targets; t++)
		n += isfinite(seen[t].u);
	return n;
}

/* The target whose kernel tells most of the assignments apart; If none does, but
 * the list is not complete, or an assignment does not explain the time alone, or
 * no kernel was measured yet: the widest target whose kernel is neither measured
 * nor implied.  n_targets: there is none. */
static size_t choose_target(const struct question *q, size_t i,
			    const struct assignment *list, size_t n, bool all)
{
	const struct saturation *w = q->w;
	const struct saturation_result *seen = seen_of(q, i);
	size_t best = w->n_targets, least = n;
	bool more = !all || n_shown(q, i) == 0;

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

/* Kernels that these uses do not explain.  `forget`: they are to be measured
 * again. */
static size_t n_wrong(struct question *q, size_t i, const struct assignment *a,
		      bool forget)
{
	struct saturation *w = q->w;
	struct saturation_result *seen = seen_of(q, i);
	struct model_use uses[ASSIGNMENTS_MAX_PARTS + 1];
	size_t n_uses = assignments_uses(
		a, least_uops(w->in, &w->in->f[w->forms[i]]), uses);
	size_t n = 0;

	for (size_t t = 0; t < w->n_targets; t++) {
		struct assignments_kernel shown;
		double off = fmax(assignments_some, seen[t].off);

		if (seen[t].grains == 0 || !isfinite(seen[t].u) ||
		    seen[t].at_most || !cycles_shown(&seen[t], &shown) ||
		    fabs(saturation_expected(w, i, t, uses, n_uses) -
			 seen[t].u) <= off)
			continue;
		n++;
		if (forget)
			seen[t] = (struct saturation_result){ .u = NAN };
	}
	return n;
}

static void forget_all(struct question *q, size_t i)
{
	struct saturation_result *seen = seen_of(q, i);

	for (size_t t = 0; t < q->w->n_targets; t++)
		if (isfinite(seen[t].u))
			seen[t] = (struct saturation_result){ .u = NAN };
}

/* Prefer assignments that explain the time alone; of these the first one. */
static void take_best(struct asking *a, const struct assignment *list, size_t n)
{
	size_t best = 0, n_alike = 0;

	while (best < n && !list[best].explains)
		best++;
	if (best == n)
		best = 0;
	for (size_t i = 0; i < n; i++)
		n_alike += list[i].explains == list[best].explains;
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
	return ++a->slower <= MOST_SLOWER;
}

/* The next kernel of a form; n_targets: it is done. */
static size_t next_target(struct question *q, size_t i)
{
	struct asking *a = &q->asking[i];
	struct assignment list[LISTED];
	size_t target;

	for (;;) {
		a->n = list_assignments(q, i, list, &a->all);
		if (a->n == 0 && a->all && ask_otherwise(q, i))
			continue;
		if (a->n == 0 && a->all)
			break;
		target = choose_target(q, i, list, a->n, a->all);
		if (target < q->w->n_targets)
			return target;
		if (a->n == 0)
			break;
		take_best(a, list, a->n);
		if (a->attempts >= ATTEMPTS ||
		    n_wrong(q, i, &a->best, true) == 0)
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
			x->at_most = in->filler == PORTS_NONE && !x->sure &&
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

/* ---- verdicts ------------------------------------------------------------ */

static bool has_lost(const struct question *q, size_t i)
{
	const struct saturation_result *seen = seen_of(q, i);

	for (size_t t = 0; t < q->w->n_targets; t++)
		if (seen[t].lost)
			return true;
	return false;
}

/* May a uop be missing that only an impossible kernel would show? */
static bool may_miss_uops(const struct question *q, size_t i)
{
	const struct saturation_result *seen = seen_of(q, i);
	const struct form_state *f = &q->w->in->f[q->w->forms[i]];
	const struct assignment *a = &q->asking[i].best;

	if (f->slots > 0 && a->cycles >= f->slots && a->explains)
		return false;
	for (size_t t = 0; t < q->w->n_targets; t++)
		if (seen[t].apart)
			return true;
	return false;
}

/* Kernels that showed no whole number. */
static size_t n_vague(const struct question *q, size_t i)
{
	const struct saturation_result *seen = seen_of(q, i);
	struct assignments_kernel shown;
	size_t n = 0;

	for (size_t t = 0; t < q->w->n_targets; t++)
		n += isfinite(seen[t].u) && !cycles_shown(&seen[t], &shown);
	return n;
}

/* A form whose stores do not go to the line of all others
 * (ports_form.stores_apart).  On some cores a store to another line than that
 * of the store before keeps all store ports busy for a cycle.  In a kernel that
 * saturates two of them it looks like two uops. */
static bool may_change_lines(const struct infer *in, uint32_t form)
{
	const struct form_state *f = &in->f[form];

	if (!in->q->forms[form].stores_apart)
		return false;
	for (size_t k = 0; k < f->n_uses; k++)
		for (size_t c = 0; c < in->n_classes; c++)
			if (!in->classes[c].out &&
			    in->q->forms[in->classes[c].form].stores &&
			    in->solution.row[c] == f->uses[k].ports &&
			    f->uses[k].n_uops * f->uses[k].cycles > 1)
				return true;
	return false;
}

/* A member of a class that has other uops than it is none. */
static void leave_class(const struct infer *in, struct form_state *f)
{
	if (f->class_id != PORTS_NONE &&
	    (f->n_uses != 1 || f->uses[0].n_uops != 1 ||
	     f->uses[0].cycles != 1 ||
	     f->uses[0].ports != in->solution.row[f->class_id]))
		f->class_id = PORTS_NONE;
}

/* Lower the verdict of a form if something speaks against its uses. */
static void doubt_uses(struct question *q, size_t i, struct form_state *f)
{
	struct infer *in = q->w->in;
	const struct asking *a = &q->asking[i];
	size_t slower = a->slower + n_vague(q, i);

	if (!a->all || a->open || may_miss_uops(q, i)) {
		f->verdict = PORTS_OPEN;
		f->how = "from saturation kernels; other ports may "
			 "explain them as well";
	}
	if (slower > 0) {
		f->slower = f->verdict == PORTS_OK;
		f->verdict = PORTS_OPEN;
		f->how = slower > MOST_SLOWER
				 ? "from saturation kernels, several of which "
				   "show more"
				 : "from most saturation kernels: one or two "
				   "of them show more";
	}
	if (may_change_lines(in, q->w->forms[i])) {
		f->slower = false;
		f->verdict = PORTS_OPEN;
		f->how = arena_printf(in->a,
				      "%s; its stores go to another line than "
				      "the kernel's, which may look like one "
				      "more uop",
				      f->how);
	}
	if (slower > MOST_SLOWER ||
	    (a->slower == 0 && n_wrong(q, i, &a->best, false) > 0))
		f->verdict = PORTS_UNSURE;
}

static void judge_form(struct question *q, size_t i)
{
	struct infer *in = q->w->in;
	struct form_state *f = &in->f[q->w->forms[i]];
	const struct asking *a = &q->asking[i];

	f->n_uses = 0;
	f->how = "from saturation kernels";
	if (!a->done || a->n == 0 || (a->slower > 0 && !a->best.explains)) {
		f->verdict = has_lost(q, i) ? PORTS_UNFINISHED : PORTS_UNSURE;
		f->how = "no uops of whole cycles explain its saturation "
			 "kernels";
	} else if ((!a->all || a->open || n_shown(q, i) == 0) &&
		   has_lost(q, i)) {
		f->verdict = PORTS_UNFINISHED;
	} else {
		f->n_uses =
			assignments_uses(&a->best, least_uops(in, f), f->uses);
		f->verdict = PORTS_OK;
		doubt_uses(q, i, f);
	}
	leave_class(in, f);
}

int saturation_ask(struct saturation *w)
{
	struct question q = { .w = w };
	struct saturation_job *jobs =
		ARENA_ARRAY(w->in->a, struct saturation_job, w->n_forms + 1);
	size_t n = 1;

	q.asking = ARENA_ARRAY(w->in->a, struct asking, w->n_forms + 1);
	list_sets(&q);
	for (int round = 0; round < MAX_ROUNDS && n > 0; round++)
		if (ask_round(&q, jobs, &n) != ERR_OK)
			return w->in->e->code;
	for (size_t i = 0; i < w->n_forms; i++)
		judge_form(&q, i);
	return ERR_OK;
}
