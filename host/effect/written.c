/* Instructions that are slower because another unit wrote one of their sources.
 * A core may delay all sources of such an instruction by the same cycles, in
 * every iteration until the register is overwritten. */
#include "host/effect/written.h"

#include <math.h>
#include <string.h>

#include "host/isa/isa.h"
#include "host/model/claims_read.h"
#include "host/model/complete_read.h"
#include "host/model/fields.h"
#include "host/plan/forward.h"
#include "host/predict/body.h"
#include "host/solve/judging.h"

extern const struct effect effect_written;

/* ---- experiments --------------------------------------------------------- */

/* Does it read another register of the chain's class? */
static bool has_second_source(const struct experiment_step *s)
{
	const struct operand *source = &s->form->operands[s->src];

	for (int i = 0; i < s->form->n_explicit; i++) {
		const struct operand *o = &s->form->operands[i];

		if (i != s->src && o->read && o->tied_to < 0 &&
		    o->kind == OPERAND_REG && !o->implicit &&
		    o->reg_class == source->reg_class)
			return true;
	}
	return false;
}

bool written_chain(const struct catalogue *c, const struct experiment *a,
		   const struct experiment *b, struct experiment *ret)
{
	if (a->steps[0].form == b->steps[0].form ||
	    !has_second_source(&a->steps[0]) || !forward_pair(c, a, b, ret))
		return false;
	ret->kind = effect_kind(&effect_written);
	return true;
}

static void plan(const struct effect_plan *p)
{
	struct experiment list[FORWARD_MAX_FORMS], x;
	size_t n = forward_forms(p->catalogue, p->catalogue->isa->written, list,
				 0);

	if (!p->thorough || !p->latencies)
		return;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			if (p->is_chosen(p->choice, list[i].steps[0].form) &&
			    p->is_chosen(p->choice, list[k].steps[0].form) &&
			    written_chain(p->catalogue, &list[i], &list[k], &x))
				p->add(p->context, &x);
}

/* ---- claims -------------------------------------------------------------- */

static int judge(const struct judge *j, const struct record *r, size_t n)
{
	double u;
	struct claim c = judging_latency(j, r, &u);
	struct judge_end ends[2];

	(void)n;
	if (!judging_ends(j, &r->label, ends))
		return 0;
	if (c.has_value && ends[0].alone <= 0) {
		c.verdict = VERDICT_NO_CONTROL;
	} else if (c.has_value) {
		judging_say(j, &c, "its own chain %.4g", ends[0].alone);
		if (c.high_cycles > ends[0].alone + judging_most_extra) {
			c.has_value = false;
			c.verdict = VERDICT_IMPLAUSIBLE;
		}
	}
	c.low_cycles *= 1 - u;
	c.high_cycles *= 1 + u;
	c.form = ends[0].part->form;
	c.source = ends[0].pair;
	c.destination = ends[1].part->text;
	return j->sink->each(j->sink->context, &c, j->e);
}

/* ---- model --------------------------------------------------------------- */

IMAGE_TYPE(written_type, struct written, 24);

static const struct model_field fields[] = {
	MODEL_FIELD(written, form, "form", FIELD_FORM, .required = true),
	MODEL_FIELD(written, writer, "writer", FIELD_FORM, .required = true),
	MODEL_FIELD(written, cycles, "cycles", FIELD_NUMBER, .required = true,
		    .always = true, .most = WRITTEN_MOST_CYCLES),
};
static const struct written blank = { .cycles = -1 };
static const struct model_record record =
	MODEL_RECORD(fields, .image = &written_type, .blank = &blank,
		     .expected = "a form, a writer, and 0 to 100 cycles");

/* In cycles.  Wider spans are bounds and are not used; a chain faster than the
 * form's own by more than this is an error of measurement. */
static const double narrow = 0.25;

/* The mean of instances that differ is a value, too. */
static bool is_narrow(const struct claim *c)
{
	return c->has_value &&
	       (c->verdict == VERDICT_OK || c->verdict == VERDICT_MIXTURE) &&
	       c->high_cycles - c->low_cycles < narrow;
}

static void read_claims(struct claim_reader *r)
{
	struct buffer found = { 0 };

	for (size_t i = 0; i < r->values.n; i++) {
		const struct claim *c = &r->values.list[i];
		struct written x;
		struct claim_pair f;

		if (!claim_is(c, "written") || !is_narrow(c) ||
		    !claims_pair(r, c, &f) || !f.own.has_value ||
		    f.own.high - f.own.low >= narrow)
			continue;
		x = (struct written){
			.form = f.form->name,
			.writer = f.other->name,
			.cycles = model_cycles(claim_span(c)) -
				  model_cycles(f.own),
		};
		if (x.cycles < -narrow || x.cycles > WRITTEN_MOST_CYCLES)
			continue;
		x.cycles = fmax(0, x.cycles);
		buffer_add(&found, &x, sizeof(x));
	}
	claims_give(r, &effect_written, &found, sizeof(struct written));
}

/* ---- forms that are like those measured ---------------------------------- */

/* Forms that were measured as readers and writers.  They stand for other forms
 * of their unit. */
enum { WRITTEN_MAX = 64 };

struct written_table {
	uint32_t n;
	uint32_t forms[WRITTEN_MAX]; /* indices in the catalogue */
	/* Cycles by which the second form's result makes the first form slower;
	 * negative: not known. */
	float cycles[WRITTEN_MAX][WRITTEN_MAX];
};

static const struct written_table *table_of(const struct completion *k)
{
	return k->effects[effect_number(&effect_written)];
}

/* Measured times of the same cost differ by less, in cycles. */
static const double same = 0.15;

/* Narrower registers are parts of vector registers of this width. */
enum { LEAST_BITS = 128 };

static unsigned bits_of(const struct completion *k, const struct form *f)
{
	unsigned bits = class_bits(k->c, f);

	return bits < LEAST_BITS ? LEAST_BITS : bits;
}

/* ---- the table ----------------------------------------------------------- */

/* The number of a form, which is added; WRITTEN_MAX: no room, or the catalogue
 * lacks it. */
static uint32_t add_form(const struct completion *k, struct written_table *t,
			 const char *name)
{
	const struct form *f = catalogue_form(k->c, name);
	uint32_t form = f ? (uint32_t)(f - k->c->forms) : 0, i = 0;

	if (!f)
		return WRITTEN_MAX;
	while (i < t->n && t->forms[i] != form)
		i++;
	if (i == t->n && i < WRITTEN_MAX)
		t->forms[t->n++] = form;
	return i;
}

/* Have both results the same effect, as far as both are known? */
static bool is_same_writer(const struct written_table *t, uint32_t x,
			   uint32_t y)
{
	enum { ENOUGH = 2 };
	uint32_t n = 0;

	for (uint32_t r = 0; r < t->n; r++) {
		float a = t->cycles[r][x], b = t->cycles[r][y];

		if (a < 0 || b < 0 || r == x || r == y)
			continue;
		if (fabsf(a - b) > same)
			return false;
		n++;
	}
	return n >= ENOUGH;
}

/* A pair without a value takes that of another writer whose effects are equal
 * wherever both are known, on at least ENOUGH forms. */
static void fill_gaps(struct written_table *t)
{
	const struct written_table given = *t;

	for (uint32_t r = 0; r < t->n; r++)
		for (uint32_t w = 0; w < t->n; w++)
			for (uint32_t x = 0; x < t->n && t->cycles[r][w] < 0;
			     x++)
				if (given.cycles[r][x] >= 0 &&
				    is_same_writer(&given, w, x))
					t->cycles[r][w] = given.cycles[r][x];
}

static void complete(const struct completion *k, void *ret)
{
	struct written_table *t = ret;
	size_t n;
	const struct written *list =
		model_effect(k->given, &effect_written, &n);

	for (uint32_t r = 0; r < WRITTEN_MAX; r++)
		for (uint32_t w = 0; w < WRITTEN_MAX; w++)
			t->cycles[r][w] = r == w ? 0 : -1;
	for (size_t i = 0; i < n; i++) {
		const struct written *x = &list[i];
		uint32_t r = add_form(k, t, x->form);
		uint32_t w = add_form(k, t, x->writer);

		if (r < WRITTEN_MAX && w < WRITTEN_MAX)
			t->cycles[r][w] =
				x->cycles < same ? 0 : (float)x->cycles;
	}
	fill_gaps(t);
}

/* ---- forms that are like those of the table ------------------------------ */

/* Are both executed by the same unit?  Published tables tell by ports and
 * latency; without them, LLVM's scheduling class and what was measured. */
static bool is_same_unit(const struct completion *k, const struct form *f,
			 const struct form *g)
{
	const struct model_form *x = complete_find(k->tables, f);
	const struct model_form *y = complete_find(k->tables, g);

	if (x && y && x->has_ports && y->has_ports)
		return class_same_ports(x, y) &&
		       fabs(longest_latency(x) - longest_latency(y)) < same;
	x = model_find(k->given, f->name);
	y = model_find(k->given, g->name);
	return class_schedule(k, f) != 0 &&
	       class_schedule(k, f) == class_schedule(k, g) &&
	       (!x || !y ||
		(rates_agree(x->throughput, y->throughput) &&
		 fabs(longest_latency(x) - longest_latency(y)) < same));
}

/* The number of the form in the table that this one is like, from 1; 0:
 * none. */
static uint8_t class_of(const struct completion *k, const struct form *f)
{
	const struct written_table *t = table_of(k);
	const struct form *of = f;

	if (t->n == 0 || !f->vector_state || form_stores(f) ||
	    (form_loads(f) && !form_computes(f)))
		return 0;
	for (uint32_t i = 0; i < t->n; i++)
		if (&k->c->forms[t->forms[i]] == f)
			return (uint8_t)(i + 1);
	for (uint32_t i = 0; i < t->n; i++) {
		const struct form *g = &k->c->forms[t->forms[i]];

		if (strcmp(g->mnemonic, f->mnemonic) == 0 &&
		    bits_of(k, f) == bits_of(k, g))
			return (uint8_t)(i + 1);
	}
	if (form_loads(f))
		of = class_in_registers(k, f, COST_LATENCY);
	for (uint32_t i = 0; of && i < t->n; i++) {
		const struct form *g = &k->c->forms[t->forms[i]];

		if (bits_of(k, of) == bits_of(k, g) && is_same_unit(k, of, g))
			return (uint8_t)(i + 1);
	}
	return 0;
}

double written_cycles(const struct completion *k,
		      const struct completed_form *reader,
		      const struct completed_form *writer)
{
	size_t number = effect_number(&effect_written);
	uint8_t r = reader->class_of[number], w = writer->class_of[number];

	return r == 0 || w == 0 ? 0
				: fmax(0, table_of(k)->cycles[r - 1][w - 1]);
}

/* ---- loops --------------------------------------------------------------- */

enum { NO_OP = -1 };

/* The op that wrote each register last; NO_OP: none of the loop. */
struct writers {
	int32_t of[BODY_UNITS];
};

/* An eliminated move passes the writer of its source on. */
static void note_writer(struct writers *w, const struct body *b, int32_t op)
{
	const struct op *o = &b->ops[op];
	int32_t writer = o->is_zero_idiom ? NO_OP : op;

	if (o->eliminated)
		writer = o->n_reads > 0 ? w->of[o->reads[0].unit] : NO_OP;
	for (size_t i = 0; i < o->n_writes; i++)
		for (unsigned k = 0; k < o->writes[i].span; k++)
			w->of[o->writes[i].unit + k] = writer;
}

/* The writers before the first instruction, in a late iteration.  Each pass
 * carries a value through one more move at least. */
static void find_writers(struct writers *w, const struct body *b)
{
	enum { MOST_PASSES = 16 };
	size_t n_passes = 1;

	memset(w->of, 0xff, sizeof(w->of));
	for (size_t i = 0; i < b->n; i++)
		n_passes += b->ops[i].eliminated;
	for (size_t k = 0; k < n_passes && k < MOST_PASSES; k++)
		for (size_t i = 0; i < b->n; i++)
			note_writer(w, b, (int32_t)i);
}

/* Most loops have no instruction whose form was measured so. */
static bool has_readers(const struct body *b)
{
	size_t number = effect_number(&effect_written);

	for (size_t i = 0; i < b->n; i++)
		if (b->ops[i].costs && b->ops[i].costs->class_of[number] != 0)
			return true;
	return false;
}

static double longest_wait(const struct writers *w, const struct body *b,
			   const struct op *o)
{
	double most = 0;

	for (size_t r = 0; r < o->n_reads; r++)
		for (unsigned k = 0; k < o->reads[r].span; k++) {
			int32_t writer = w->of[o->reads[r].unit + k];

			if (o->reads[r].address || writer == NO_OP ||
			    !b->ops[writer].costs)
				continue;
			most = fmax(most,
				    written_cycles(b->completion, o->costs,
						   b->ops[writer].costs));
		}
	return most;
}

/* Of the registers that it computes with: an access does not wait for these. */
static void add_wait(struct body *b, struct op *o, double cycles)
{
	size_t columns = o->n_writes + 1;
	double *l = arena_copy(b->a, o->latency,
			       (o->n_reads + 2) * columns * sizeof(*l));

	for (size_t r = 0; r < o->n_reads; r++)
		for (size_t w = 0; w < columns && !o->reads[r].address; w++)
			if (l[r * columns + w] >= 0)
				l[r * columns + w] += cycles;
	o->latency = l;
}

static void bind(struct body *b)
{
	struct writers w;
	size_t n;

	(void)model_effect(b->model, &effect_written, &n);
	if (n == 0 || !has_readers(b))
		return;
	find_writers(&w, b);
	for (size_t i = 0; i < b->n; i++) {
		struct op *o = &b->ops[i];
		double cycles = op_is_executed(o) ? longest_wait(&w, b, o) : 0;

		if (cycles > 0)
			add_wait(b, o, cycles);
		note_writer(&w, b, (int32_t)i);
	}
}

/* A bypass is the sum of both directions.  What bind() adds in either is part
 * of it. */
static double link_cycles(const struct body *b, const struct op *from,
			  const struct op *to, const struct reg_span *source,
			  double cycles)
{
	if (source->address || cycles <= 0)
		return cycles;
	return fmax(
		0,
		cycles - written_cycles(b->completion, to->costs, from->costs) -
			written_cycles(b->completion, from->costs, to->costs));
}

static const struct experiment_row kind = {
	"written", "written", 2,
	EXPERIMENT_WAITS | EXPERIMENT_TIMES_CHAIN | EXPERIMENT_JUDGED |
		EXPERIMENT_CLAIMED | EXPERIMENT_PAIRED | EXPERIMENT_WRITER |
		EXPERIMENT_NO_EVIDENCE
};

static const struct effect_pairs pairs = {
	"Written sources",
	"A chain of this form, whose other source is a result of the "
	"partner: cycles of an instance, and how much longer that is than "
	"its latency",
	false,
};

static const struct effect_list list = { "written", &record };

const struct effect effect_written = {
	.name = "written",
	.kind = &kind,
	.pairs = &pairs,
	.plan = plan,
	.judge = judge,
	.list = &list,
	.read_claims = read_claims,
	.completed_bytes = sizeof(struct written_table),
	.complete = complete,
	.class_of = class_of,
	.bind = bind,
	.when = BIND_AFTER_ACCESS,
	.link = link_cycles,
};
