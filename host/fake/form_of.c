/* The form of an instruction; see op.h.
 *
 * The bytes give the opcode.  The code before the loop decides among
 * variants of one opcode. */
#include <string.h>

#include "host/fake/op.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"

enum { MAX_CODE = 128 };

/* ---- variants --------------------------------------------------------- */

static bool operands_fit(const struct form *f, const struct instance *i)
{
	for (int k = 0; k < f->n_explicit; k++) {
		if (f->operands[k].kind == OPERAND_OTHER &&
		    i->reg[k] != REG_NONE)
			return false;
		if (f->operands[k].kind == OPERAND_REG && i->reg[k] == REG_NONE)
			return false;
	}
	return true;
}

/* Does the prologue contain each of these instructions? */
static bool stands(const struct fake_op_decoder *d, const unsigned char *bytes,
		   size_t n, const struct fake_place *place)
{
	struct instance in;

	for (size_t at = 0, size; at < n; at += size) {
		size = instance_decode(d->c, bytes + at, n - at, &in);
		if (size == 0 || place->prologue_bytes == 0 ||
		    !memmem(place->prologue, place->prologue_bytes, bytes + at,
			    size))
			return false;
	}
	return true;
}

/* The code before the loop serves all forms of a kernel.  With several forms
 * it has more than each needs alone, and lacks what they do not share. */
static bool prologue_fits(const struct fake_op_decoder *d, const struct form *f,
			  const struct instance *i,
			  const struct fake_place *place)
{
	struct instance as = *i;
	unsigned char bytes[MAX_CODE];
	size_t n, least;

	as.form = f;
	n = d->c->isa->prologue
		    ? d->c->isa->prologue(d->c, &as, 1, bytes, sizeof(bytes))
		    : 0;
	least = n < place->prologue_bytes ? n : place->prologue_bytes;
	if (n == 0 || (least > 0 && memcmp(bytes, place->prologue, least) == 0))
		return true;
	return stands(d, bytes, n, place);
}

bool fake_is_measured(const struct fake_place *place, const struct form *f)
{
	for (size_t s = 0; s < place->experiment.n_steps; s++)
		if (place->experiment.steps[s].form == f)
			return true;
	return false;
}

/* The variant that an instance of an opcode is, the measured one if
 * possible; NULL if the state of the core suits none. */
static const struct form *find_variant(const struct fake_op_decoder *d,
				       const struct fake_place *place,
				       const struct instance *i)
{
	const struct form *end = d->c->forms + d->c->n_forms;
	const struct form *found = NULL;
	const struct form *f = i->form;

	if (f + 1 == end || f[1].opcode != f->opcode)
		return f;
	for (; f < end && f->opcode == i->form->opcode; f++) {
		if (!operands_fit(f, i) || !prologue_fits(d, f, i, place))
			continue;
		if (fake_is_measured(place, f))
			return f;
		if (!found)
			found = f;
	}
	return found;
}

size_t fake_find_instance(struct fake_op_decoder *d,
			  const struct fake_place *place,
			  const unsigned char *code, size_t n,
			  struct instance *ret)
{
	size_t size = instance_decode_whole(d->c, code, n, ret);

	if (size > 0 && ret->form)
		ret->form = find_variant(d, place, ret);
	return size;
}
