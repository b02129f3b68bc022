/* Short loops and the lines of code that they are in.
 *
 * Loops of no-operations, in one line of code and across two, show how long the
 * front end takes for an iteration; fit.c finds the rule that they follow.  A
 * branch that lies in two lines may take longer. */
#include <math.h>
#include <stdlib.h>

#include "host/effect/effect.h"
#include "host/effect/lines/fit.h"
#include "host/experiment/experiment.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/model/claims_read.h"
#include "host/predict/body.h"
#include "host/solve/judging.h"

/* ---- experiments --------------------------------------------------------- */

/* `first` instances, and `second` in the next line unless 0. */
static void add_loop(const struct effect_plan *p, enum experiment_kind kind,
		     const struct form *f, uint16_t first, uint16_t second)
{
	struct experiment x = experiment_of(kind, f, -1, -1);

	x.steps[0].count = first;
	x.steps[1] = x.steps[0];
	x.steps[1].count = second;
	x.n_steps = second > 0 ? 2 : 1;
	p->add(p->context, &x);
}

/* Loops of isa.iteration's no-operations: in one line, in two, and some whose
 * branch lies in two lines. */
static void plan(const struct effect_plan *p)
{
	/* Chosen: parts of a line from which a core may go on to the next
	 * without losing a cycle, and parts that take several cycles. */
	static const uint16_t parts[] = { 2, 5, 6, 8, 11 };
	/* Chosen: dispatched in a cycle. */
	static const uint16_t few[] = { 2, 4 };
	const struct isa_iteration *i = &p->catalogue->isa->iteration;
	const struct form *f = catalogue_form(p->catalogue, i->form);

	if (!p->throughputs || p->core_clock || !f ||
	    f->status != FORM_MEASURABLE)
		return;
	for (uint16_t n = 2; n <= i->most; n++)
		add_loop(p, EXPERIMENT_ITERATION, f, n, 0);
	for (size_t a = 0; a < ARRAY_LEN(parts); a++)
		for (size_t b = 0; b < ARRAY_LEN(parts); b++)
			add_loop(p, EXPERIMENT_ITERATION, f, parts[a],
				 parts[b]);
	for (size_t k = 0; i->crossing && k < ARRAY_LEN(few); k++)
		add_loop(p, EXPERIMENT_CROSSING, f, few[k], 0);
}

/* ---- claims -------------------------------------------------------------- */

/* Cycles of an iteration of the shortest length. */
static struct claim iteration_claim(const struct judge *j,
				    const struct record *r, const char *detail)
{
	const struct estimate *m = &r->estimate;
	struct claim c = judging_base(j, r);

	c.form = c.source = c.destination = "";
	c.has_value = true;
	/* Not of a line.  A core clock has no levels: all visits count. */
	c.residual = 0;
	if (m->n_shortest > 0)
		c.visits = m->n_shortest;
	c.low_cycles = m->shortest * (1 - m->uncertainty);
	c.high_cycles = m->shortest * (1 + m->uncertainty);
	c.verdict = VERDICT_OK;
	c.detail = detail;
	if (m->shortest_slow > 0) {
		c.high_cycles = m->shortest_slow * (1 + m->uncertainty);
		c.verdict = VERDICT_TWO_STATES;
		c.detail = arena_printf(j->a,
					"%s; some visits share %.4g cycles, "
					"others %.4g",
					detail, m->shortest, m->shortest_slow);
	}
	return c;
}

/* Instructions in the first line of the loop, and in the second. */
static struct claim lines_claim(const struct judge *j, const struct record *r)
{
	struct claim c = iteration_claim(
		j, r,
		r->label.kind == EXPERIMENT_CROSSING
			? "cycles of an iteration whose branch crosses the end "
			  "of a line, by its instructions"
			: "cycles of an iteration, by its instructions in a "
			  "line");
	unsigned behind = j->sink->loop_behind;
	unsigned n = r->label.instances, first;

	if (r->label.n_parts > 0) {
		first = r->label.parts[0].count;
		c.source = arena_printf(j->a, "%u", first + 1);
		c.destination = arena_printf(j->a, "%u", n - first + behind);
	} else {
		c.source = arena_printf(j->a, "%u", 1 + n + behind);
	}
	return c;
}

/* Cycles of an iteration of short loops: of the shortest if it is below a
 * cycle, of those in one line of code and in two, and of those whose branch
 * crosses the end of a line. */
static int judge_core(const struct judge *j)
{
	/* Chosen: a loop of one cycle never measures below this. */
	const double whole = 0.95;

	for (size_t i = 0; i < j->n; i++) {
		const struct record *r = &j->records[i];
		const struct estimate *m = &r->estimate;
		bool is_shortest = r->label.instances == 1;
		struct claim c;

		if (!experiment_kind_is(r->label.kind, EXPERIMENT_WHOLE) ||
		    m->shortest <= 0 ||
		    (is_shortest ? m->shortest >= whole : !m->without_reading))
			continue;
		c = is_shortest
			    ? iteration_claim(
				      j, r,
				      "cycles of an iteration of the shortest "
				      "loop: the core executes more than one "
				      "taken branch in a cycle")
			    : lines_claim(j, r);
		if (j->sink->each(j->sink->context, &c, j->e) != 0)
			return j->e->code;
	}
	return 0;
}

/* ---- model --------------------------------------------------------------- */

/* Slots per cycle; 0: unknown. */
static double width_of(const struct claim_reader *r)
{
	const struct model_span *known = &r->m->width;
	double width = known->has_value ? known->high : 0;

	for (size_t i = 0; i < r->values.n && width == 0; i++) {
		const struct claim *c = &r->values.list[i];

		if (*c->form != '\0')
			break;
		if (claim_is(c, "issue-width") && c->has_value)
			width = c->high_cycles;
	}
	return width;
}

/* Of two states the slower: it needs no fortunate place. */
static double slower(const struct claim *c)
{
	return claim_two_values(c) ? c->high_cycles : claim_middle(c);
}

/* The shortest loop, or one with so many slots in its lines of code. */
static void read_iteration(struct model *m, const struct claim *c,
			   struct buffer *loops)
{
	unsigned long first = strtoul(c->source, NULL, 10);
	unsigned long second = strtoul(c->destination, NULL, 10);
	struct lines_loop loop = { .first = (uint32_t)first,
				   .second = (uint32_t)second };

	loop.cycles = slower(c);
	if (*c->source == '\0' && c->low_cycles > 0)
		m->taken_branches = 1 / loop.cycles;
	if (first > 0 && first <= MODEL_MAX_LINE && second <= MODEL_MAX_LINE)
		buffer_add(loops, &loop, sizeof(loop));
}

static void read_claims(struct claim_reader *r)
{
	struct buffer loops = { 0 };
	double width = width_of(r), crossing = 0;

	for (size_t i = 0; i < r->values.n; i++) {
		const struct claim *c = &r->values.list[i];

		/* Claims on the core come first. */
		if (*c->form != '\0')
			break;
		if (!c->has_value)
			continue;
		if (claim_is(c, "iteration"))
			read_iteration(r->m, c, &loops);
		if (claim_is(c, "crossing") &&
		    (crossing == 0 || slower(c) < crossing))
			crossing = fmax(0, slower(c));
	}
	if (width > 0)
		r->m->lines =
			lines_fit((const void *)loops.bytes,
				  loops.n / sizeof(struct lines_loop), width);
	r->m->lines.crossing = crossing;
	buffer_free(&loops);
}

/* ---- loops --------------------------------------------------------------- */

static double middle(struct model_span s)
{
	double x = (s.low + s.high) / 2, whole = round(x);

	return fabs(x - whole) < 0.1 ? whole : x;
}

static const struct model_form *find_line_branch(const struct body *b)
{
	const char *const *name = b->program->c->isa->loop->line_branches;
	const struct model_form *f = NULL;

	for (; name && *name && !f; name++)
		f = model_find(b->model, *name);
	return f;
}

/* The branch of the loop, with what is fused with it, may end in another line than
 * it begins in, and takes slots of both.  Measured on a Zen 5: 6 to 9 others and
 * a pair that crosses the end of their line take 2.0.  Returns the number of
 * lines. */
static size_t add_end(const struct body *b, uint64_t from, double *slots,
		      size_t n)
{
	const struct op *last = &b->ops[b->n - 1];
	const struct op *first = last->fused ? last - 1 : last;
	uint64_t end = last->insn->address + last->insn->n_code - 1;
	uint64_t line = (end - from) / PROGRAM_LINE;

	while (n <= line)
		slots[n++] = 0;
	if (line != (first->insn->address - from) / PROGRAM_LINE)
		slots[line] += first->slots;
	return n;
}

/* The slots in each line of code of the loop; returns how many lines it has, 0
 * if there are more than `room`.  In text the loop begins at a line. */
static size_t slots_of_lines(const struct body *b, double *slots, size_t room)
{
	const struct program *program = b->program;
	const struct insn *first = &program->insns[b->loop->first];
	uint64_t from = program->placed
				? first->address / PROGRAM_LINE * PROGRAM_LINE
				: first->address;
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++) {
		const struct op *o = &b->ops[i];
		uint64_t line = (o->insn->address - from) / PROGRAM_LINE;

		if (o->insn->address < from || line >= room)
			return 0;
		while (n <= line)
			slots[n++] = 0;
		slots[line] += o->slots;
	}
	return n > 0 && n < room ? add_end(b, from, slots, n) : n;
}

/* Each additional line of code costs as much as a branch to the next line.
 * Applies only to linked code, where the position within a line is known, and
 * to cores that fetch the lines of a loop again: one that takes several
 * branches in a cycle repeats short loops from decoded instructions. */
static double fetch_by_branches(const struct body *b, size_t n_lines)
{
	const struct model_form *f = find_line_branch(b);

	if (!b->program->placed || n_lines < 2 ||
	    b->model->taken_branches > 1 || !f || !f->throughput.has_value)
		return 0;
	return (double)n_lines * middle(f->throughput);
}

static bool crosses_line(const struct insn *i)
{
	return i->n_code > 0 &&
	       i->address / PROGRAM_LINE !=
		       (i->address + i->n_code - 1) / PROGRAM_LINE;
}

/* Does the branch of the loop, or the instruction that is fused with it, lie in
 * two lines?  Only linked code has known addresses. */
static bool branch_crosses_line(const struct body *b)
{
	const struct op *branch = &b->ops[b->n - 1];

	return b->program->placed &&
	       (crosses_line(branch->insn) ||
		(branch->fused && crosses_line(branch[-1].insn)));
}

static double bound_cycles(const struct body *b)
{
	enum { MOST = 256 };
	const struct model_lines *m = &b->model->lines;
	double slots[MOST], cycles;
	size_t n;

	if (!b->loop->closed)
		return 0;
	n = slots_of_lines(b, slots, MOST);
	cycles = lines_cycles(m, slots, n);
	if (cycles == 0)
		cycles = fetch_by_branches(b, n);
	return branch_crosses_line(b) ? fmax(cycles, m->crossing) : cycles;
}

static const struct effect_bound bound = {
	.text = "lines of code",
	.html = "Fetch",
	.json = "fetch_bound",
	.reason = "fetching code from several lines",
	.cycles = bound_cycles,
};

const struct effect effect_lines = {
	.name = "lines",
	.plan = plan,
	.plan_when = PLAN_FIRST,
	.judge_core = judge_core,
	.read_claims = read_claims,
	.bound = &bound,
};
