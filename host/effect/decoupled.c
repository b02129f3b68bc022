/* Units of cores in program order that have a queue of their own: an instruction
 * that waits for a register of the unit waits there, and the front end goes on
 * with instructions of other units.
 *
 * Of a product and a sum that waits for it, with other instructions behind: if
 * they start during the wait, the whole takes no longer than with a sum that
 * does not wait.  An instruction between the sum and the others holds them up
 * if it belongs to the unit and finds the queue full. */
#include "host/effect/decoupled.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/effect/effect.h"
#include "host/experiment/experiment.h"
#include "host/isa/isa.h"
#include "host/model/claims_read.h"
#include "host/model/complete_read.h"
#include "host/model/fields.h"
#include "host/predict/body.h"
#include "host/solve/judging.h"

extern const struct effect effect_decoupled;

/* ---- experiments --------------------------------------------------------- */

/* The producer, the consumer, which waits for it or not, and what stands behind
 * them. */
static bool parse(const struct effect_plan *p, const char *steps, bool waits,
		  struct experiment *ret)
{
	struct err ignored = { .code = ERR_OK };
	char label[PACK_MAX_LABEL];
	const char *second = strchr(steps, '+');

	(void)snprintf(label, sizeof(label), "decoupled:!%.*s%s%s",
		       (int)(second + 1 - steps), steps, waits ? "" : "!",
		       second + 1);
	if (experiment_parse(p->catalogue, label, ret, &ignored) != ERR_OK)
		return false;
	for (size_t s = 0; s < ret->n_steps; s++)
		if (ret->steps[s].form->status != FORM_MEASURABLE)
			return false;
	return p->is_chosen(p->choice, ret->steps[0].form) &&
	       p->is_chosen(p->choice, ret->steps[1].form);
}

static void plan(const struct effect_plan *p)
{
	const char *const *at = p->catalogue->isa->decoupled;
	struct experiment waits, none;

	for (; p->thorough && p->latencies && at && *at; at++) {
		if (!parse(p, *at, true, &waits) ||
		    !parse(p, *at, false, &none))
			continue;
		p->add(p->context, &waits);
		p->add(p->context, &none);
	}
}

/* ---- claims -------------------------------------------------------------- */

/* The wait is visible if a result takes so many cycles. */
static const double visible = 3;

/* Instructions behind the wait are held up if they are later by this, in cycles:
 * half of the shortest visible wait. */
static const double held = 1;

/* A wait of a load is seen from so many cycles on: half of the shortest. */
static const double seen = 0.5;

static bool is_broken(const struct label_part *p)
{
	return *p->text == '!';
}

static bool has_helpers_of(const struct label *a, const struct label *b)
{
	bool same = a->n_helpers == b->n_helpers;

	for (size_t h = 0; same && h < a->n_helpers; h++)
		same = a->helpers[h].count == b->helpers[h].count &&
		       strcmp(a->helpers[h].form, b->helpers[h].form) == 0;
	return same;
}

/* The same instructions without the wait; NULL: it was not measured. */
static const struct record *without_wait(const struct judge *j,
					 const struct record *r)
{
	const struct label_part *waits = r->label.parts;

	for (size_t i = 0; i < j->n; i++) {
		const struct label *l = &j->records[i].label;

		if (l->kind == r->label.kind && l->n_parts == 2 &&
		    is_broken(&l->parts[1]) &&
		    strcmp(l->parts[0].text, waits[0].text) == 0 &&
		    strcmp(l->parts[1].text + 1, waits[1].text) == 0 &&
		    has_helpers_of(l, &r->label))
			return &j->records[i];
	}
	return NULL;
}

/* "FLD+9xADDI": what stands behind the consumer. */
static const char *behind_of(const struct judge *j, const struct label *l)
{
	const char *ret = "";

	for (size_t h = 0; h < l->n_helpers; h++) {
		ret = arena_printf(j->a, "%s%s", ret, h ? "+" : "");
		if (l->helpers[h].count > 1)
			ret = arena_printf(j->a, "%s%ux", ret,
					   l->helpers[h].count);
		ret = arena_printf(j->a, "%s%s", ret, l->helpers[h].form);
	}
	return ret;
}

/* How much later all is because of the wait.  A load's latency may be unknown:
 * then only a wait that is seen says something. */
static void set_delay(const struct judge *j, const struct record *r,
		      struct claim *c)
{
	const struct record *none = without_wait(j, r);
	const struct record *chain = judging_own(j, &r->label.parts[0]);
	const struct estimate *w = &r->estimate, *f;
	bool known = judging_is_usable(chain);

	if (!judging_is_usable(none)) {
		c->has_value = false;
		c->verdict = VERDICT_NO_CONTROL;
		return;
	}
	f = &none->estimate;
	c->low_cycles = fmax(0, w->low * (1 - w->uncertainty) -
					f->high * (1 + f->uncertainty));
	c->high_cycles = fmax(0, w->high * (1 + w->uncertainty) -
					 f->low * (1 - f->uncertainty));
	judging_say(j, c, "%.4g cycles with a wait for %s, %.4g without",
		    w->high, r->label.parts[0].form, f->high);
	if (known ? chain->estimate.low < visible : c->low_cycles < seen) {
		c->has_value = false;
		c->verdict =
			known ? VERDICT_THROUGHPUT_BOUND : VERDICT_NO_CONTROL;
	} else if (known && c->high_cycles > chain->estimate.high + held) {
		c->has_value = false;
		c->verdict = VERDICT_IMPLAUSIBLE;
	} else {
		/* It is a question of yes or no. */
		c->verdict = !known || (c->low_cycles < held) ==
						     (c->high_cycles < held)
				     ? VERDICT_OK
				     : VERDICT_NOISY;
	}
}

/* A claim of each record whose consumer waits. */
static int judge(const struct judge *j, const struct record *r, size_t n)
{
	int ret = 0;

	if (!j->in_order || r->label.n_parts != 2 ||
	    is_broken(&r->label.parts[1]))
		return 0;
	for (size_t i = 0; i < n && ret == 0; i++) {
		const struct label_part *parts = r[i].label.parts;
		struct claim c = judging_base(j, &r[i]);

		c.form = parts[1].form;
		c.source = parts[0].text + 1;
		c.destination = behind_of(j, &r[i].label);
		c.has_value &= judging_is_usable(&r[i]);
		if (c.has_value)
			set_delay(j, &r[i], &c);
		ret = j->sink->each(j->sink->context, &c, j->e);
	}
	return ret;
}

/* ---- model --------------------------------------------------------------- */

IMAGE_TYPE(decoupled_type, struct decoupled, 40);

static const struct model_field fields[] = {
	MODEL_FIELD(decoupled, producer, "producer", FIELD_FORM,
		    .required = true),
	MODEL_FIELD(decoupled, form, "form", FIELD_FORM, .required = true),
	MODEL_FIELD(decoupled, behind, "behind", FIELD_FORM),
	MODEL_FIELD(decoupled, n, "n", FIELD_SIZE, .most = DECOUPLED_MAX),
	MODEL_FIELD(decoupled, cycles, "cycles", FIELD_NUMBER, .required = true,
		    .always = true, .most = 1000),
};
static const struct decoupled blank = { .cycles = -1 };
static const struct model_record record =
	MODEL_RECORD(fields, .image = &decoupled_type, .blank = &blank,
		     .expected = "a producer, a form, and 0 to 1000 cycles");

static const char *name_of(const struct claim_reader *r, const char *form)
{
	const struct form *f = catalogue_form(r->c, form);

	return f ? f->name : NULL;
}

/* Read "FMUL_D@1>0" and "FLD+FLD+9xADDI", of which all but the last are of one
 * form. */
static bool read_parts(const struct claim_reader *r, const struct claim *c,
		       struct decoupled *ret)
{
	const struct label_part *first, *parts;
	size_t n = label_parts(r->a, c->destination, &parts);

	if (label_parts(r->a, c->source, &first) != 1 || n == 0 ||
	    n > DECOUPLED_MAX)
		return false;
	for (size_t i = 0; i + 1 < n; i++)
		if (strcmp(parts[i].form, parts[0].form) != 0)
			return false;
	*ret = (struct decoupled){
		.producer = name_of(r, first[0].form),
		.form = name_of(r, c->form),
		.behind = n > 1 ? name_of(r, parts[0].form) : NULL,
		.n = (uint32_t)(n - 1),
		.cycles = claim_middle(c),
	};
	return ret->producer && ret->form && (n == 1 || ret->behind);
}

static void read_claims(struct claim_reader *r)
{
	struct buffer found = { 0 };

	for (size_t i = 0; i < r->values.n; i++) {
		const struct claim *c = &r->values.list[i];
		struct decoupled x;

		if (claim_is(c, "decoupled") && claim_taken(c) &&
		    read_parts(r, c, &x))
			buffer_add(&found, &x, sizeof(x));
	}
	claims_give(r, &effect_decoupled, &found, sizeof(struct decoupled));
}

/* ---- which forms belong to the unit -------------------------------------- */

enum { MAX_KINDS = 16 };

/* The unit with a queue; no instructions: there is none. */
struct decoupled_unit {
	uint32_t n; /* instructions that wait in its queue */
	uint8_t bank;
	bool late_data; /* stores leave the queue before their data is there */
	/* Kinds of forms that were measured: do they belong to it? */
	uint32_t n_kinds;
	struct {
		uint32_t kind;
		bool belongs;
	} kinds[MAX_KINDS];
};

static uint8_t bank_of(const struct catalogue *c, const struct operand *o)
{
	return o->kind != OPERAND_REG     ? BANK_NONE
	       : o->fixed_reg != REG_NONE ? c->regs[o->fixed_reg].bank
					  : c->classes[o->reg_class].bank;
}

/* How a form accesses memory and registers of the bank: forms of one kind go
 * the same way. */
static uint32_t kind_of(const struct catalogue *c, const struct form *f,
			uint8_t bank)
{
	enum { READS = 4, WRITES = 8, READS_OTHER = 16, WRITES_OTHER = 32 };
	uint32_t kind = f->access;

	for (int i = 0; i < f->n_explicit; i++) {
		const struct operand *o = &f->operands[i];
		uint8_t of = bank_of(c, o);

		if (of == BANK_NONE || o->role != ROLE_NONE)
			continue;
		kind |= (o->read ? of == bank ? READS : READS_OTHER : 0u) |
			(o->write ? of == bank ? WRITES : WRITES_OTHER : 0u);
	}
	return kind;
}

static bool uses_bank(const struct catalogue *c, const struct form *f,
		      uint8_t bank)
{
	for (int i = 0; i < f->n_explicit; i++)
		if (f->operands[i].role == ROLE_NONE &&
		    bank_of(c, &f->operands[i]) == bank)
			return true;
	return false;
}

static bool is_held(const struct decoupled *x)
{
	return x->cycles >= held;
}

/* Is it a measurement of the same wait as that of `base`? */
static bool is_same_wait(const struct decoupled *x,
			 const struct decoupled *base)
{
	return strcmp(x->form, base->form) == 0 &&
	       strcmp(x->producer, base->producer) == 0;
}

/* How many instructions may wait in the queue: behind the first, so many of its
 * own form hold up nothing. */
static uint32_t queue_length(const struct decoupled *list, size_t n,
			     const struct decoupled *base)
{
	uint32_t most = 0, least = DECOUPLED_MAX;

	for (size_t i = 0; i < n; i++) {
		const struct decoupled *x = &list[i];

		if (!is_same_wait(x, base) || !x->behind ||
		    strcmp(x->behind, base->form) != 0)
			continue;
		if (is_held(x))
			least = x->n < least ? x->n : least;
		else
			most = x->n > most ? x->n : most;
	}
	return most + 1 < least ? most + 1 : least;
}

/* What was measured behind the form says which kinds wait for room in the
 * queue; of a longer queue one instruction says nothing. */
static void add_kinds(const struct completion *k, const struct decoupled *list,
		      size_t n, const struct decoupled *base,
		      struct decoupled_unit *u)
{
	for (size_t i = 0; u->n == 1 && i < n; i++) {
		const struct decoupled *x = &list[i];
		const struct form *f =
			x->behind && x->n == 1 && is_same_wait(x, base)
				? catalogue_form(k->c, x->behind)
				: NULL;

		if (!f || u->n_kinds == MAX_KINDS)
			continue;
		u->kinds[u->n_kinds].kind = kind_of(k->c, f, u->bank);
		u->kinds[u->n_kinds++].belongs = is_held(x);
	}
}

/* Stores out of the unit. */
static void add_stores(const struct completion *k, const struct decoupled *list,
		       size_t n, struct decoupled_unit *u)
{
	for (size_t i = 0; i < n; i++) {
		const struct form *f = catalogue_form(k->c, list[i].form);

		if (f && list[i].behind && f->access == ACCESS_STORE &&
		    uses_bank(k->c, f, u->bank))
			u->late_data = !is_held(&list[i]);
	}
}

static void complete(const struct completion *k, void *ret)
{
	struct decoupled_unit *u = ret;
	size_t n;
	const struct decoupled *list =
		model_effect(k->given, &effect_decoupled, &n);

	for (size_t i = 0; k->given->in_order && i < n && u->n == 0; i++) {
		const struct form *f = catalogue_form(k->c, list[i].form);

		if (list[i].behind || is_held(&list[i]) || !f)
			continue;
		u->bank = bank_of(k->c, &f->operands[0]);
		u->n = queue_length(list, n, &list[i]);
		add_kinds(k, list, n, &list[i], u);
		add_stores(k, list, n, u);
	}
}

static bool belongs(const struct completion *k, const struct decoupled_unit *u,
		    const struct form *f)
{
	uint32_t kind = kind_of(k->c, f, u->bank);

	for (uint32_t i = 0; i < u->n_kinds; i++)
		if (u->kinds[i].kind == kind)
			return u->kinds[i].belongs;
	return uses_bank(k->c, f, u->bank);
}

/* ---- loops --------------------------------------------------------------- */

static void bind(struct body *b)
{
	const struct decoupled_unit *u =
		b->completion->effects[effect_number(&effect_decoupled)];

	for (size_t i = 0; u->n > 0 && i < b->n; i++) {
		struct op *o = &b->ops[i];
		const struct form *f = o->insn->instance.form;

		if (!f || !op_is_executed(o) || !belongs(b->completion, u, f))
			continue;
		o->decoupled = u->n;
		o->decoupled_bank = u->bank;
		o->late_data = u->late_data && o->store;
	}
}

static const struct experiment_row kind = {
	"decoupled", "decoupled", 2,
	EXPERIMENT_WAITS | EXPERIMENT_JUDGED | EXPERIMENT_CLAIMED |
		EXPERIMENT_BEHIND | EXPERIMENT_NO_EVIDENCE
};

static const struct effect_list list = { "decoupled", &record };

const struct effect effect_decoupled = {
	.name = "decoupled",
	.kind = &kind,
	.plan = plan,
	.judge = judge,
	.list = &list,
	.read_claims = read_claims,
	.completed_bytes = sizeof(struct decoupled_unit),
	.complete = complete,
	.bind = bind,
	.when = BIND_AFTER_ACCESS,
};
