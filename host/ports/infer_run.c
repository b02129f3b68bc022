/* The order of the stages, and the answer; see ports.h. */
#include <assert.h>
#include <math.h>

#include "host/ports/infer.h"

/* Chosen: twice what any of 195 invented cores of five kinds took, three seconds or so. */
enum { STEPS = 30 * 1000 };

/* ---- the answer ---------------------------------------------------------- */

static const void *infer_settle(struct arena *a, struct buffer *b, size_t size,
				size_t *ret_n)
{
	*ret_n = b->n / size;
	return b->n > 0 ? arena_copy(a, b->bytes, b->n) : NULL;
}

static void name_ports(struct infer *in)
{
	for (unsigned i = 0; i < in->n_ports; i++) {
		struct model_port port = {
			.name = arena_printf(in->a, "p%u", i),
		};

		buffer_add(&in->ports, &port, sizeof(port));
	}
}

static struct ports_answer_form answer_form(const struct infer *in,
					    const struct form_state *f)
{
	struct ports_answer_form r = {
		.verdict = f->verdict,
		.class_id = PORTS_NONE,
		.n_uses = f->n_uses,
		.uses = f->uses,
		.n_checks = f->n_checks,
		.how = f->how ? f->how : "",
	};

	if (f->alone.has_value) {
		double off = 4.5 * f->alone.sigma;

		r.throughput = (struct model_span){
			true,
			f->alone.cycles * (1 - off),
			f->alone.cycles * (1 + off),
		};
		r.slots = (struct model_span){
			true, f->slots_low, fmin(f->slots_high, f->slots_most)
		};
	}
	if (f->slots > 0)
		r.slots.low = r.slots.high = f->slots;
	if (!isfinite(r.slots.high) || r.slots.high < r.slots.low)
		r.slots.has_value = false;
	if (f->class_id != PORTS_NONE && !in->classes[f->class_id].out)
		r.class_id = f->class_id;
	return r;
}

static void answer_classes(struct infer *in)
{
	struct ports_answer *w = in->w;

	w->n_classes = in->n_classes;
	for (size_t c = 0; c < in->n_classes; c++) {
		w->classes[c].representative = in->classes[c].form;
		w->classes[c].n_members = 0;
		w->classes[c].ports =
			in->classes[c].out ? 0 : in->solution.row[c];
		for (size_t i = 0; i < in->q->n_forms; i++)
			w->classes[c].n_members +=
				w->forms[i].class_id == (int32_t)c;
	}
}

/* ---- limits of the result -------------------------------------------- */

static void note_hidden(struct infer *in)
{
	size_t n = 0;
	char *example = NULL;

	for (size_t i = 0; i < in->n_classes; i++)
		for (size_t j = i + 1; j < in->n_classes; j++) {
			unsigned x = in->classes[i].size;
			unsigned y = in->classes[j].size;
			model_ports both =
				in->solution.row[i] | in->solution.row[j];

			if (in->classes[i].out || in->classes[j].out ||
			    x + y <= in->cap ||
			    model_ports_count(both) < in->cap)
				continue;
			n++;
			if (!example)
				example = arena_printf(
					in->a, "%s and %s",
					in->q->forms[in->classes[i].form].name,
					in->q->forms[in->classes[j].form].name);
		}
	if (n > 0)
		infer_note(in, arena_printf(
				       in->a,
				       "Whether classes overlap is hidden "
				       "behind the front end, %u wide, for %zu "
				       "pairs of them, as %s.",
				       in->cap, n, example));
}

/* Report port blockers. */
static void infer_note_blockers(struct infer *in)
{
	size_t n = 0, example = 0;

	for (size_t i = 0; i < in->q->n_forms; i++)
		if (in->f[i].blocks_ports > 0 && n++ == 0)
			example = i;
	if (n > 0)
		infer_note(in, arena_printf(in->a,
					    "%zu forms close ports of others "
					    "and have none here: %s, %s.",
					    n, in->q->forms[example].name,
					    in->f[example].how));
}

static void note_forms(struct infer *in)
{
	size_t n_wide = 0, n_out = 0;

	for (size_t i = 0; i < in->q->n_forms; i++)
		n_wide += in->f[i].wide;
	for (size_t c = 0; c < in->n_classes; c++)
		n_out += in->classes[c].out;
	if (n_wide > 0)
		infer_note(in, arena_printf(
				       in->a,
				       "%zu forms are as fast as the front "
				       "end: whether they use %u ports or more "
				       "or none makes no difference.",
				       n_wide, in->cap));
	if (in->filler == PORTS_NONE)
		infer_note(in, "No form is free of ports: slots are not known, "
			       "and the width is that of the fastest mix.");
	if (in->n_replaced > 0)
		infer_note(in,
			   arena_printf(in->a,
					"%zu representatives of classes were "
					"slower in mixes than other members, "
					"for a reason other than the class's "
					"ports (the last one: %s). Another "
					"member replaced each.",
					in->n_replaced,
					in->q->forms[in->replaced].name));
	if (n_out > 0)
		infer_note(in,
			   arena_printf(in->a,
					"%zu kinds of forms look like one uop "
					"and are not in the matrix of ports.",
					n_out));
	if (in->n_classes > 0 && !in->w->all_matrices)
		infer_note(in, "Another matrix of ports may agree with all "
			       "that was measured.");
	infer_note(in, "Names of ports are arbitrary, and so is any matrix "
		       "among those with the same unions below the width.");
}

static void fill_answer(struct infer *in)
{
	struct ports_answer *w = in->w;
	double width;

	for (size_t i = 0; i < in->q->n_forms; i++)
		if (infer_in_batch(in, i))
			in->answers[i] = answer_form(in, &in->f[i]);
	w->forms = in->answers;
	/* What fillers lose is not lost by other forms. */
	width = in->filler == PORTS_NONE ? in->width : in->cap;
	w->width = (struct model_span){ true, width, width };
	w->uneven = in->filler == PORTS_NONE;
	w->ports =
		infer_settle(in->a, &in->ports, sizeof(*w->ports), &w->n_ports);
	answer_classes(in);
}

/* The solver had too few steps to exclude other matrices, or classes that are
 * none, and random mixes of classes speak against the matrix: each claim depends on
 * it. */
static void leave_unsolved(struct infer *in)
{
	if (in->steps > 0 || in->confirmed)
		return;
	infer_note(in, "The matrix of ports takes the solver too long: which "
		       "classes belong in it, and which other matrices fit, is "
		       "not known, so all ports are open.");
	for (size_t i = 0; i < in->q->n_forms; i++)
		if (in->answers[i].verdict == PORTS_OK &&
		    in->answers[i].n_uses > 0)
			in->answers[i].verdict = PORTS_OPEN;
}

/* A stage: the state it requires, and the state it leads to. */
struct infer_step {
	enum infer_stage requires;
	int (*run)(struct infer *in);
	enum infer_stage reached;
};

static int infer_run_steps(struct infer *in, const struct infer_step *steps,
			   size_t n)
{
	for (size_t i = 0; i < n; i++) {
		assert(in->stage == steps[i].requires);
		if (steps[i].run(in) != ERR_OK)
			return in->e->code;
		in->stage = steps[i].reached;
	}
	return ERR_OK;
}

/* Ports have names before units can add theirs. */
static int infer_saturate(struct infer *in)
{
	name_ports(in);
	return infer_saturation(in);
}

/* Begin the next batch; false when there is none, or no time for it. */
static bool infer_next_batch(struct infer *in)
{
	const struct ports_oracle *o = in->q->oracle;
	uint16_t last = 0;

	for (size_t i = 0; i < in->q->n_forms; i++)
		if (in->q->forms[i].batch > last)
			last = in->q->forms[i].batch;
	if (in->batch == last ||
	    (o->begin_batch && !o->begin_batch(o->context, in->batch + 1)))
		return false;
	in->batch++;
	return true;
}

/* Units that are not pipelined, in three steps. */
static int run_units(struct infer *in)
{
	return infer_units(in) != ERR_OK || infer_hidden_units(in) != ERR_OK
		       ? in->e->code
		       : infer_leave_units(in);
}

/* A front end of width two hides ports; pairs give more information. */
static int infer_run_narrow(struct infer *in)
{
	static const struct infer_step steps[] = {
		{ INFER_SINGLES, infer_pairing, INFER_PAIRS },
		{ INFER_PAIRS, run_units, INFER_UNITS },
	};
	bool begun;

	while (infer_next_batch(in))
		if (infer_batch_singles(in, &begun) != ERR_OK)
			return in->e->code;
	in->all_batches = true;
	breakers_set_aside(in);
	if (infer_run_steps(in, steps, ARRAY_LEN(steps)) != ERR_OK)
		return in->e->code;
	note_forms(in);
	fill_answer(in);
	in->stage = INFER_DONE;
	return ERR_OK;
}

/* Give a batch its answers, and try them in random mixes.  Uses are final but
 * for those of forms as fast as the front end. */
static int infer_try(struct infer *in)
{
	if (infer_held(in) != ERR_OK || infer_wide(in) != ERR_OK)
		return in->e->code;
	fill_answer(in);
	return infer_trial(in);
}

/* All that a later batch needs, against the classes and the matrix of batch
 * 0. */
static int infer_run_batch(struct infer *in)
{
	bool begun;

	if (infer_batch_singles(in, &begun) != ERR_OK || !begun ||
	    infer_join_classes(in) != ERR_OK ||
	    infer_saturation(in) != ERR_OK || run_units(in) != ERR_OK)
		return in->e->code;
	return infer_try(in);
}

static int infer_run_wide(struct infer *in)
{
	static const struct infer_step steps[] = {
		{ INFER_SINGLES, infer_classes, INFER_CLASSES },
		{ INFER_CLASSES, infer_matrix, INFER_MATRIX },
		{ INFER_MATRIX, infer_memory_classes, INFER_MEMORY_CLASSES },
		{ INFER_MEMORY_CLASSES, infer_matrix, INFER_FULL_MATRIX },
		{ INFER_FULL_MATRIX, infer_matrix_check, INFER_CHECKED },
		{ INFER_CHECKED, infer_saturate, INFER_SATURATED },
		{ INFER_SATURATED, run_units, INFER_UNITS },
		{ INFER_UNITS, infer_try, INFER_ANSWERED },
	};

	if (infer_run_steps(in, steps, ARRAY_LEN(steps)) != ERR_OK)
		return in->e->code;
	while (infer_next_batch(in))
		if (infer_run_batch(in) != ERR_OK)
			return in->e->code;
	in->all_batches = true;
	note_hidden(in);
	infer_note_blockers(in);
	note_forms(in);
	infer_leave_accesses(in);
	if (infer_fit(in) != ERR_OK)
		return in->e->code;
	leave_unsolved(in);
	breakers_take_off(in);
	in->stage = INFER_DONE;
	return ERR_OK;
}

static int infer_run(struct infer *in)
{
	static const struct infer_step first = { INFER_START, infer_singles,
						 INFER_SINGLES };

	if (infer_run_steps(in, &first, 1) != ERR_OK)
		return in->e->code;
	return in->cap <= PORTS_NARROW_WIDTH ? infer_run_narrow(in)
					     : infer_run_wide(in);
}

int ports_infer(struct arena *a, const struct ports_request *q,
		struct ports_answer *ret, struct err *e)
{
	struct ports_answer w = { .n_ports = 0 };
	struct infer in = { .a = a,
			    .q = q,
			    .w = &w,
			    .e = e,
			    .random = q->seed,
			    .steps = STEPS };
	int code;

	in.f = ARENA_ARRAY(a, struct form_state, q->n_forms);
	in.answers = ARENA_ARRAY(a, struct ports_answer_form, q->n_forms);
	for (size_t i = 0; i < q->n_forms; i++) {
		in.f[i] = (struct form_state){ .class_id = PORTS_NONE,
					       .verdict = PORTS_UNFINISHED,
					       .slots_low = 1,
					       .slots_high = HUGE_VAL,
					       .slots_most = HUGE_VAL };
		in.answers[i] = answer_form(&in, &in.f[i]);
	}
	code = infer_run(&in);
	w.notes = infer_settle(a, &in.notes, sizeof(*w.notes), &w.n_notes);
	w.conflicts = infer_settle(a, &in.conflicts, sizeof(*w.conflicts),
				   &w.n_conflicts);
	buffer_free(&in.evidence);
	buffer_free(&in.experiments);
	buffer_free(&in.dropped);
	buffer_free(&in.notes);
	buffer_free(&in.conflicts);
	buffer_free(&in.ports);
	if (code == ERR_OK)
		*ret = w;
	return code;
}
