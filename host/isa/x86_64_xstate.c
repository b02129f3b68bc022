/* x86-64: instructions that save and restore the state of units (Intel SDM volume 1,
 * chapters 10.5 and 13, and their pages in volume 2).
 *
 * The area is the kernel's own memory, in the middle of two pages, and begins as
 * zeros: a saving instruction leaves most of the header as it is, and a restoring one
 * wants zeros there.  What is restored was saved before the loop, so that registers
 * keep what every kernel begins with. */
#include <string.h>

#include "host/isa/instance.h"
#include "host/isa/match.h"
#include "host/isa/mc.h"
#include "host/isa/system.h"
#include "host/isa/values.h"
#include "host/isa/x86_64.h"

static bool restores(const struct form *f)
{
	return name_matches_any(NAMES("XRSTOR*", "FXRSTOR*"), f->name);
}

/* Vectors of the state that the row names are in use: the runtime loads so many
 * bytes of each. */
static unsigned bytes_in_use(const struct form *f)
{
	enum { XMM = 16, YMM = 32, ZMM = 64 };
	const char *suffix = f->variant->suffix;

	return strcmp(suffix, "avx512") == 0 ? ZMM
	       : strcmp(suffix, "avx") == 0  ? YMM
					     : XMM;
}

bool x86_64_has_state(const struct catalogue *c, const struct form *form,
		      const struct variant *v)
{
	(void)form;
	return mc_has(c->mc, MC_CPU,
		      v->number == XSTATE_AVX512 ? "avx512f" : "avx");
}

void x86_64_xstate_shape(struct form *f)
{
	f->flags |= restores(f) ? MC_MAY_LOAD : MC_MAY_STORE;
	f->vector_state = true;
	f->access_bytes = f->data_bytes = (uint8_t)bytes_in_use(f);
}

/* Save the area of the first instance, if that restores it. */
size_t x86_64_xstate_prologue(const struct catalogue *c,
			      const struct instance *i, unsigned char *code,
			      size_t room)
{
	enum {
		BYTES = 9,
		REX_B = 0x41,
		REX_W = 0x48,
		LOW = 7,
		TWO_BYTES = 0x0f,
		MODRM_DISP32 = 0x80,
	};
	/* FXSAVE is 0F AE /0, XSAVE 0F AE /4, XSAVES 0F C7 /5. */
	static const struct {
		const char *names;
		unsigned char opcode, extension;
	} saves[] = {
		{ "FXRSTOR*", 0xae, 0 },
		{ "XRSTORS*", 0xc7, 5 },
		{ "XRSTOR*", 0xae, 4 },
	};
	const struct form *f = i->form;
	size_t k = 0, n = 0;
	unsigned base;

	if (!system_is(f) || !restores(f) || room < BYTES)
		return 0;
	while (!name_matches(saves[k].names, f->name))
		k++;
	base = c->regs[i->reg[form_part(f, ROLE_BASE)]].index;
	code[n] = (unsigned char)((base > LOW ? REX_B : 0) |
				  (name_matches("*64/*", f->name) ? REX_W : 0));
	n += code[n] != 0;
	code[n++] = TWO_BYTES;
	code[n++] = saves[k].opcode;
	code[n++] = (unsigned char)(MODRM_DISP32 | saves[k].extension << 3 |
				    (base & LOW));
	values_put32(code + n,
		     (uint32_t)i->imm[form_part(f, ROLE_DISPLACEMENT)]);
	return n + sizeof(uint32_t);
}
