/* anechoic time --explain: a small part of a piece of code whose prediction is still
 * off.  Instructions are left out one by one, as delta debugging does
 * (Zeller, "Yesterday, my program worked. Today, it does not. Why?", 1999). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/cli/progress.h"
#include "host/cli/time_command.h"
#include "host/isa/isa.h"

enum { MOST_INSNS = 64 };

/* A prediction is off by more than a tenth, and what is left is off by at least
 * three quarters of what the whole is. */
static const double off = 0.1, kept = 0.75;

/* The code without one instruction. */
struct part {
	struct program program;
	struct loop loop;
	struct snippet_request request;
	struct snippet snippet;
	struct snippet_path path;
	struct code_result result;
	double predicted; /* cycles of an iteration */
	bool measurable;
};

struct explanation {
	struct timing_job *j;
	struct arena *a;
	struct part *parts;
	size_t n;
	struct part best;
	double error; /* of the whole */
};

/* The program of a loop, without instruction `without` of it.  What else the program
 * has stays if the loop calls it. */
static void leave_out(struct arena *a, const struct part *whole, size_t without,
		      struct part *ret)
{
	bool calls = whole->snippet.n_called > 0;
	const struct program *p =
		calls ? &whole->snippet.program : &whole->program;
	const struct loop *l = calls ? &whole->snippet.loop : &whole->loop;
	size_t from = calls ? 0 : l->first, gone = l->first - from + without;
	size_t n = l->last - from + 1, to = 0;
	struct insn *insns = ARENA_ARRAY(a, struct insn, n);

	*ret = (struct part){ .program = *p, .loop = *l };
	for (size_t k = 0; k < n; k++) {
		struct insn i = p->insns[from + k];
		int64_t target = i.target - (int64_t)from;

		if (k == gone)
			continue;
		if (target < 0 || target >= (int64_t)n)
			i.target = -1;
		else
			i.target = (int32_t)(target - (target > (int64_t)gone));
		insns[to++] = i;
	}
	ret->program.insns = insns;
	ret->program.n = to;
	ret->program.n_labels = 0;
	ret->program.placed = false;
	ret->loop.first = l->first - from;
	ret->loop.last = to - 1;
}

static double measured(const struct part *t)
{
	const struct claim *c = &t->result.claim;

	return t->measurable && c->has_value &&
			       (c->verdict == VERDICT_OK ||
				c->verdict == VERDICT_NOT_LINEAR)
		       ? (c->low_cycles + c->high_cycles) / 2
		       : 0;
}

static double error_of(const struct part *t)
{
	double x = measured(t);

	return x > 0 && t->predicted > 0 ? fabs(t->predicted / x - 1) : 0;
}

static void predict_part(struct explanation *x, struct part *t)
{
	struct err why = { .code = ERR_OK, .message = "" };
	const struct predict_options how = { .columns = 0 };
	struct arena a = { 0 };
	struct time_predicted on = time_predicted(
		&a, &(struct time_code){ &t->program, &t->loop, &t->snippet,
					 &t->path });
	struct prediction p;

	if (!on.unknown &&
	    predict(&a, &(struct loop_on){ &on.program, &on.loop, x->j->model },
		    &how, &p, &why) == ERR_OK)
		t->predicted = p.cycles / (double)on.n_iterations;
	arena_free(&a);
}

/* Plan all parts of the best one so far; those that have no plan, as without
 * what ends the loop, are no parts. */
static size_t plan_parts(struct explanation *x, struct snippet *list)
{
	const struct part *whole = &x->best;
	size_t n = whole->loop.last - whole->loop.first + 1, planned = 0;

	x->n = 0;
	for (size_t k = 0; k + whole->loop.closed < n && n > 1; k++) {
		struct part *t = &x->parts[x->n];
		struct err why = { .code = ERR_OK, .message = "" };

		leave_out(x->a, whole, k, t);
		t->request = x->j->request;
		t->request.program = &t->program;
		t->request.loop = &t->loop;
		if (snippet_plan(x->a, &t->request, &t->snippet, &why) !=
		    ERR_OK)
			continue;
		t->measurable = true;
		list[planned++] = t->snippet;
		x->n++;
	}
	return planned;
}

/* Parts whose path varies are left out of the list. */
static int find_paths(struct explanation *x, struct snippet *list, size_t *n,
		      struct err *e)
{
	struct code_watched watched[MOST_INSNS];
	size_t left = 0;

	for (size_t i = 0; i < *n; i++)
		watched[i] =
			(struct code_watched){ .request = &x->parts[i].request,
					       .snippet =
						       &x->parts[i].snippet };
	if (code_paths(&x->j->c, x->j->in.parser, watched, *n, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < *n; i++) {
		struct part *t = &x->parts[left];

		if (watched[i].path.state == SNIPPET_PATH_VARIES)
			continue;
		if (i != left) {
			*t = x->parts[i];
			t->request.program = &t->program;
			t->request.loop = &t->loop;
		}
		t->path = watched[i].path;
		list[left++] = t->snippet;
	}
	x->n = *n = left;
	return ERR_OK;
}

static int measure_parts(struct explanation *x, struct err *e)
{
	struct snippet *list = ARENA_ARRAY(x->a, struct snippet, MOST_INSNS);
	struct code_result *results =
		ARENA_ARRAY(x->a, struct code_result, MOST_INSNS);
	struct timing_job *j = x->j;
	struct progress p;
	struct code_run run = { .campaign = &j->c,
				.store = j->s,
				.list = list,
				.report = progress_of_session,
				.context = &p };

	run.n = plan_parts(x, list);
	if (run.n == 0 || find_paths(x, list, &run.n, e) != ERR_OK ||
	    run.n == 0 ||
	    code_pack(&j->c, j->in.parser, list, run.n, e) != ERR_OK)
		return e->code;
	progress_start(&p, stderr, "explain", "visits");
	p.estimated = true;
	(void)code_measure(&run, results, e);
	progress_end(&p);
	for (size_t i = 0; i < run.n && e->code == ERR_OK; i++) {
		x->parts[i].result = results[i];
		predict_part(x, &x->parts[i]);
	}
	return e->code;
}

/* Of the parts the one that is off most. */
static struct part *worst_part(struct explanation *x)
{
	struct part *ret = NULL;

	for (size_t i = 0; i < x->n; i++)
		if (!ret || error_of(&x->parts[i]) > error_of(ret))
			ret = &x->parts[i];
	return ret;
}

static void print_part(const struct explanation *x, struct buffer *b)
{
	const struct part *t = &x->best;

	buffer_printf(b,
		      "without any more of its instructions the error is lost: "
		      "measured %.4g, predicted %.4g\n",
		      measured(t), t->predicted);
	for (size_t k = t->loop.first; k <= t->loop.last; k++) {
		const struct insn *i = &t->program.insns[k];

		buffer_printf(b, "    %s\n", i->text ? i->text : "");
	}
}

int time_explain(struct timing_job *j, struct buffer *b, struct err *e)
{
	struct explanation x = { .j = j, .a = j->a };
	const struct loop *l = j->request.loop;

	if (!j->model)
		return ERR_OK;
	x.best = (struct part){ .program = j->in.program,
				.loop = *l,
				.snippet = j->snippet,
				.result = j->result,
				.predicted = j->predicted,
				.measurable = true };
	x.error = error_of(&x.best);
	if (x.error <= off) {
		buffer_printf(b, "nothing to explain: the prediction is off by "
				 "10 %% at most, or there is no value\n");
		return ERR_OK;
	}
	if (l->last - l->first >= MOST_INSNS)
		return err_set(e, ERR_INPUT,
			       "--explain: the code has more than %d "
			       "instructions",
			       MOST_INSNS);
	x.parts = ARENA_ARRAY(j->a, struct part, MOST_INSNS);
	for (;;) {
		struct part *worst;

		if (measure_parts(&x, e) != ERR_OK)
			return e->code;
		worst = worst_part(&x);
		if (!worst || error_of(worst) < kept * x.error ||
		    error_of(worst) <= off)
			break;
		x.best = *worst;
	}
	print_part(&x, b);
	return ERR_OK;
}
