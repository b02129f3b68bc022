/* x86-64: state of registers that one form of a kernel needs and another must
 * not have: upper halves of vectors, and the x87 stack, which MMX overlaps. */
#include "host/isa/instance.h"
#include "host/isa/variant.h"
#include "host/isa/x86_64.h"

bool x86_64_is_legacy_sse(const struct catalogue *c, const struct form *f)
{
	return f->name[0] != 'V' && form_uses(c, f, BANK_VECTOR);
}

static const char *clash_of(const struct catalogue *c, const struct form *a,
			    const struct form *b)
{
	bool legacy =
		form_family(b) != FAMILY_DIRTY && x86_64_is_legacy_sse(c, b);

	/* Where a kernel uses upper halves, a form of legacy SSE is its variant
	 * `dirty`.  On a Granite Rapids server each change between it and VEX
	 * forms then costs 195 cycles. */
	if (legacy && (form_family(a) == FAMILY_DIRTY || form_is_wide(c, a)))
		return "upper halves in use";
	if (form_family(a) == FAMILY_X87 && form_uses(c, b, BANK_FP))
		return "a full x87 stack";
	return NULL;
}

const char *x86_64_clash(const struct catalogue *c, const struct form *a,
			 const struct form *b)
{
	const char *why = clash_of(c, a, b);

	return why ? why : clash_of(c, b, a);
}

size_t x86_64_prologue(const struct catalogue *c, const struct instance *i,
		       size_t n, unsigned char *code, size_t room)
{
	size_t bytes = x86_64_stack_prologue(i, code, room);

	return bytes > 0 ? bytes : x86_64_x87_prologue(c, i, n, code, room);
}
