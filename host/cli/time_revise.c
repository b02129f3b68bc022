/* What one piece of code and a corpus of them have in common: is it measured once
 * more, and which of its instructions are predicted. */
#include <string.h>

#include "host/cli/time_command.h"
#include "host/predict/calls.h"

/* May a fault come from what the code loads?  An instruction that the core does
 * not have, or a call of the system, does not. */
static bool is_of_memory(const struct claim *c)
{
	static const char *const causes[] = { "fault:access", "fault:align",
					      "fault:fpe", "fault:hang" };

	for (size_t i = 0; i < ARRAY_LEN(causes); i++)
		if (c->verdict == VERDICT_FAULT &&
		    strcmp(claim_verdict(c), causes[i]) == 0)
			return true;
	return false;
}

static bool refill(struct snippet_request *q, const struct snippet *s,
		   const struct claim *c)
{
	if (!is_of_memory(c) || q->fill != SNIPPET_FILL_AUTO)
		return false;
	q->fill = s->self ? SNIPPET_FILL_ONES : SNIPPET_FILL_SELF;
	return true;
}

static bool change_trips(struct snippet_request *q, const struct snippet *s,
			 const struct claim *c)
{
	enum { OFF = 3, PER_CYCLE = 2 };
	double assumed = (double)s->n_insns / PER_CYCLE;

	if (!c->has_value || !s->own_loop || q->cycles > 0)
		return false;
	q->cycles = c->high_cycles;
	return c->high_cycles < assumed / OFF || c->high_cycles > assumed * OFF;
}

bool time_revise(struct snippet_request *q, const struct snippet *s,
		 const struct code_result *r)
{
	return refill(q, s, &r->claim) || change_trips(q, s, &r->claim);
}

bool time_take_path(struct code_result *r, const struct snippet_path *path)
{
	if (path->state != SNIPPET_PATH_VARIES)
		return false;
	*r = (struct code_result){
		.claim = { .verdict = VERDICT_PATH_VARIES,
			   .detail = "the jumps inside follow no pattern that "
				     "repeats within 16 iterations" },
		.insn = -1,
	};
	return true;
}

/* Does a jump inside go back, so that an iteration executes some of it again? */
static bool repeats(const struct snippet *s)
{
	size_t first = s->loop.first, last = first + s->n_insns - 1;

	for (size_t k = first; k + s->own_loop <= last; k++) {
		const struct insn *i = &s->program.insns[k];

		if (i->jumps && i->target <= (int64_t)k &&
		    i->target >= (int64_t)first + s->own_loop)
			return true;
	}
	return false;
}

struct time_predicted time_predicted(struct arena *a, const struct time_code *x)
{
	const struct snippet *s = x->snippet;
	const struct loop region = { .first = s->loop.first,
				     .last = s->loop.first + s->n_insns - 1 };
	struct calls_path called = { .lost_at = -1, .loops_at = -1 };
	struct executed path = { .n = 0 };
	struct time_predicted ret = { .program = *x->program,
				      .loop = *x->loop,
				      .n_iterations = 1 };

	if (ret.loop.closed && !s->own_loop) {
		ret.loop.last--;
		ret.loop.closed = false;
	}
	if (x->path->state == SNIPPET_PATH_VARIES) {
		ret.unknown =
			"the jumps inside follow no pattern that repeats: "
			"how often each is taken is not known";
		return ret;
	}
	if (x->path->state == SNIPPET_PATH_FOUND)
		path = x->path->executed;
	else if (s->n_called > 0)
		called = calls_path(a, &s->program, &region);
	if (called.loops_at >= 0 ||
	    (x->path->state != SNIPPET_PATH_FOUND && repeats(s))) {
		ret.unknown = "a jump goes back inside the code or a function "
			      "that it calls: how often is not known";
		return ret;
	}
	if (path.n == 0)
		path = called.executed;
	if (path.n == 0) {
		if (s->n_called > 0)
			ret.unknown = "the way through the functions that the "
				      "code calls is not known";
		return ret;
	}
	ret.n_iterations = path.n_iterations;
	executed_program(a, &s->program, &path, &ret.program, &ret.loop);
	if (!s->own_loop) {
		ret.loop.closed = false;
		ret.loop.n_taken--;
	}
	return ret;
}
