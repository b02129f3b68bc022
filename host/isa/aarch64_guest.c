/* AArch64: programs under an emulator. */
#include "host/isa/aarch64.h"
#include "host/isa/guest.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"

static const char *const stops[] = { "B",   "BR*", "RET*", "BRK",
				     "HLT", "UDF", NULL };
/* DC ZVA, and atomic instructions. */
static const char *const accessing[] = { "SYSxt", "LD*",  "ST*",
					 "CAS*",  "SWP*", NULL };

static unsigned bytes(const struct catalogue *c, const struct instance *i)
{
	struct isa_address a;

	return c->isa->loop->address(c, i, &a) ? a.bytes : 0;
}

static bool call(const struct catalogue *c, const struct instance *i,
		 size_t n_code, int64_t *ret_offset)
{
	enum { WORD = 4 };

	(void)c;
	(void)n_code;
	if (!name_matches("BL*", i->form->name))
		return false;
	*ret_offset = name_matches("BL", i->form->name) ? i->imm[0] * WORD : 0;
	return true;
}

const struct isa_guest aarch64_guest = {
	.emulator = "qemu-aarch64",
	.cpu = "max",
	.sysroot = "/usr/aarch64-linux-gnu",
	.elf_machine = 183,
	.exec_calls = { 221, 281 },
	.bytes = bytes,
	.call = call,
	.stops = stops,
	.accessing = accessing,
};
