/* Examples: does a form survive encoding and decoding, what is its text, and
 * does the CPU have it? */
#include "host/isa/build.h"
#include "host/isa/isa.h"

#include <string.h>

/* Append the rest of the example's first word to LLVM's mnemonic: LLVM's is
 * "cmov", the text's "cmoveq". */
const char *build_mnemonic(const struct build *b, const struct form *f)
{
	struct mc_inst bare = { .opcode = f->opcode };
	const char *word = mc_mnemonic(b->mc, &bare);
	size_t n = strcspn(word, " \t");
	size_t longer = strcspn(f->example, " ");

	if (longer > n && strncmp(f->example, word, n) == 0)
		return arena_printf(b->arena, "%.*s", (int)longer, f->example);
	return arena_printf(b->arena, "%.*s", (int)n, word);
}

bool build_text(const struct build *b, const struct instance *x, char *text,
		size_t room)
{
	unsigned char code[MC_MAX_CODE];
	size_t n = instance_encode(b->c, x, code, sizeof(code));
	size_t used = 0;

	for (size_t at = 0; at < n;) {
		size_t one;

		if (at > 0 && used + 1 < room)
			text[used++] = ' ';
		one = instance_text(b->c, code + at, n - at, text + used,
				    room - used);
		if (one == 0)
			return false;
		used += strlen(text + used);
		at += one;
	}
	return n > 0;
}

/* The bytes did not decode to this form: which form do they decode to? */
static enum form_status mismatch(const struct build *b,
				 const struct instance *x)
{
	unsigned char code[MC_MAX_CODE], again[MC_MAX_CODE];
	struct mc_inst m;
	size_t n = instance_encode(b->c, x, code, sizeof(code));

	if (n == 0 || mc_decode(b->mc, MC_ALL, code, n, &m) != n)
		return FORM_ENCODING_MISMATCH;
	if (m.opcode == x->form->opcode)
		return form_has(x->form, OPERAND_IMM) ? FORM_NO_IMMEDIATE
						      : FORM_ENCODING_MISMATCH;
	if (b->c->by_opcode[m.opcode] != UINT32_MAX &&
	    mc_encode(b->mc, &m, again, sizeof(again)) == n &&
	    memcmp(code, again, n) == 0)
		return FORM_DUPLICATE;
	return FORM_ENCODING_MISMATCH;
}

/* Does the CPU have the features that the ISA's table names? */
static bool has_required(const struct build *b, const struct instance *x)
{
	unsigned char code[MC_MAX_CODE];
	size_t n = instance_encode(b->c, x, code, sizeof(code));

	return mc_has(b->mc, MC_CPU,
		      b->c->isa->required_features(x->form, code, n));
}

bool build_lacks_state(const struct build *b, struct form *f)
{
	const char *features = b->c->isa->state_features;

	if (f->status != FORM_MATRIX || !features ||
	    mc_has(b->mc, MC_STATE, features))
		return false;
	f->status = FORM_UNSUPPORTED;
	return true;
}

void build_settle(const struct build *b, struct form *f,
		  const struct instance *x)
{
	bool lacks = b->c->isa->required_features
			     ? !has_required(b, x)
			     : instance_survives(b->c, x, MC_ALL) &&
				       !instance_survives(b->c, x, MC_STATE);

	if (lacks)
		f->status = FORM_UNSUPPORTED;
	else if (f->status == FORM_EFFECTS &&
		 instance_survives(b->c, x, MC_ALL) &&
		 !instance_survives(b->c, x, MC_PLAIN))
		f->status = FORM_MATRIX;
}

/* Does the CPU support it, and does it run without special machine state? */
static enum form_status check_cpu(const struct build *b,
				  const struct instance *x)
{
	const struct isa *isa = b->c->isa;

	if (isa->required_features)
		return has_required(b, x) ? FORM_MEASURABLE : FORM_UNSUPPORTED;
	if (x->form->streaming)
		return instance_survives(b->c, x, MC_STATE) ? FORM_MEASURABLE
							    : FORM_UNSUPPORTED;
	if (!instance_survives(b->c, x, MC_PLAIN))
		return instance_survives(b->c, x, MC_STATE) ? FORM_MATRIX
							    : FORM_UNSUPPORTED;
	if (!instance_survives(b->c, x, MC_CPU))
		return FORM_UNSUPPORTED;

	const char *more =
		isa->variant_features ? isa->variant_features(x->form) : NULL;

	if (more && !mc_has(b->mc, MC_CPU, more))
		return FORM_UNSUPPORTED;
	return FORM_MEASURABLE;
}

enum form_status build_prove(const struct build *b, const struct form *f,
			     struct operand *ops, struct instance *x)
{
	if (!form_example(b->c, f, 0, x))
		return FORM_NO_REGISTER;
	if (!build_immediates(b, f, ops, x))
		return mismatch(b, x);
	return check_cpu(b, x);
}
