/* Instructions that wait for the register that they overwrite, although the
 * result does not depend on it: as published, because a chain through the
 * destination is measured only where the form reads it.
 *
 * The facts name their sources.  bsf and bsr keep the register if their
 * source is zero. */
#include <math.h>
#include <string.h>

#include "host/effect/effect.h"
#include "host/isa/isa.h"
#include "host/model/complete_read.h"
#include "host/predict/body.h"

extern const struct effect effect_false_dependencies;

/* ---- model --------------------------------------------------------------- */

enum { MOST_WORDS = 8, WORD_ROOM = 12 };

/* The first letters of mnemonics. */
struct false_dependencies {
	uint32_t n;
	char words[MOST_WORDS][WORD_ROOM];
};

static void complete(const struct completion *k, void *ret)
{
	const char *at = completed_fact(k, "waits_for_destination");
	struct false_dependencies *x = ret;

	while (at && *at != '\0' && x->n < MOST_WORDS) {
		size_t n = strcspn(at, " ");

		if (n < WORD_ROOM)
			memcpy(x->words[x->n++], at, n);
		at += n + strspn(at + n, " ");
	}
}

/* ---- loops --------------------------------------------------------------- */

static bool waits(const struct false_dependencies *x, const struct op *o)
{
	const struct form *f = o->insn->instance.form;

	for (uint32_t i = 0; f && i < x->n; i++)
		if (*f->mnemonic == *x->words[i] &&
		    strncmp(f->mnemonic, x->words[i], strlen(x->words[i])) == 0)
			return true;
	return false;
}

/* The result waits for its register as for the source, after a load. */
static void add_read(const struct body *b, struct op *o)
{
	size_t columns = o->n_writes + 1, bytes = columns * sizeof(double);
	struct reg_span x;
	double *l;

	if (o->n_writes == 0 || o->n_reads == BODY_MAX_SPANS)
		return;
	x = o->writes[0];
	for (size_t r = 0; r < o->n_reads; r++)
		if (o->reads[r].unit == x.unit && !o->reads[r].address)
			return;
	l = ARENA_ARRAY(b->a, double, (o->n_reads + 3) * columns);
	memcpy(l, o->latency, o->n_reads * bytes);
	memcpy(l + (o->n_reads + 1) * columns,
	       o->latency + o->n_reads * columns, 2 * bytes);
	for (size_t w = 0; w < columns; w++)
		l[o->n_reads * columns + w] =
			o->load ? fmax(1, completed_compute(o->costs))
				: op_latency(o, 0, w);
	o->reads[o->n_reads++] = x;
	o->latency = l;
}

static void bind(struct body *b)
{
	const struct false_dependencies *x =
		b->completion
			->effects[effect_number(&effect_false_dependencies)];

	for (size_t i = 0; x->n > 0 && i < b->n; i++)
		if (waits(x, &b->ops[i]) && b->ops[i].costs &&
		    (b->ops[i].n_reads > 0 || b->ops[i].load))
			add_read(b, &b->ops[i]);
}

const struct effect effect_false_dependencies = {
	.name = "false_dependencies",
	.completed_bytes = sizeof(struct false_dependencies),
	.complete = complete,
	.bind = bind,
	.when = BIND_AFTER_COSTS,
};
