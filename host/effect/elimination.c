/* Moves between registers that the renamer executes, as makers and others
 * publish them.  LLVM's tables have ports for most of them; a measured model
 * knows them itself.
 *
 * A. Fog, "The microarchitecture of Intel, AMD and VIA CPUs", on elimination of
 * move instructions.  A move from a register to itself is executed. */
#include <string.h>

#include "host/effect/effect.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"
#include "host/model/complete_read.h"
#include "host/predict/body.h"

extern const struct effect effect_elimination;

/* ---- model --------------------------------------------------------------- */

/* Bit i: moves of isa_loop.moves[i]. */
struct elimination {
	uint32_t kinds;
};

/* Is it one of the words? */
static bool has_word(const char *words, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = words; (at = strstr(at, word)) != NULL; at += n)
		if ((at == words || at[-1] == ' ') &&
		    (at[n] == ' ' || at[n] == '\0'))
			return true;
	return false;
}

static void complete(const struct completion *k, void *ret)
{
	const struct isa_kind *m = k->c->isa->loop->moves;
	const char *published = completed_fact(k, "eliminates");
	struct elimination *x = ret;

	if (!published || !k->given->llvm)
		return;
	for (uint32_t i = 0; m && m[i].word; i++)
		if (has_word(published, m[i].word))
			x->kinds |= (uint32_t)1 << i;
}

/* ---- loops --------------------------------------------------------------- */

static bool is_eliminated(const struct body *b, const struct elimination *x,
			  const struct op *o)
{
	const struct isa_kind *m = b->program->c->isa->loop->moves;
	const struct reg *regs = b->program->c->regs;
	const struct instance *i = &o->insn->instance;

	if (!i->form || o->load || o->store || o->n_reads != 1 ||
	    o->n_writes != 1 || i->form->n_explicit != 2 ||
	    o->reads[0].unit == o->writes[0].unit || regs[i->reg[1]].high_byte)
		return false;
	for (uint32_t k = 0; m[k].word; k++)
		if ((x->kinds >> k & 1) &&
		    name_matches_any(m[k].forms, i->form->name))
			return true;
	return false;
}

static void bind(struct body *b)
{
	const struct elimination *x =
		b->completion->effects[effect_number(&effect_elimination)];

	for (size_t i = 0; x->kinds != 0 && i < b->n; i++) {
		struct op *o = &b->ops[i];

		if (!is_eliminated(b, x, o))
			continue;
		o->eliminated = true;
		o->n_uses = 0;
		o->n_access = 0;
		/* From the one source to the one result. */
		o->latency = ARENA_ARRAY(b->a, double,
					 (o->n_reads + 2) * (o->n_writes + 1));
	}
}

const struct effect effect_elimination = {
	.name = "elimination",
	.completed_bytes = sizeof(struct elimination),
	.complete = complete,
	.bind = bind,
	.when = BIND_AFTER_COSTS,
};
