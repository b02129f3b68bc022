/* AArch64: programs under an emulator. */
#include "host/isa/aarch64.h"
#include "host/isa/guest.h"
#include "host/isa/guest_lanes.h"
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

	if (name_matches("LD1R*_IMM", i->form->name))
		return aarch64_broadcast_bytes(i->form->name);
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

static bool returns(const struct catalogue *c, const struct instance *i)
{
	(void)c;
	return name_matches("RET*", i->form->name);
}

const struct isa_guest aarch64_guest = {
	.emulator = "qemu-aarch64",
	.cpu = "max",
	.sysroot = "/usr/aarch64-linux-gnu",
	.elf_machine = 183,
	.exec_calls = { 221, 281 },
	.bytes = bytes,
	.call = call,
	.returns = returns,
	.lanes = aarch64_guest_lanes,
	.stops = stops,
	.accessing = accessing,
	.state = aarch64_guest_state,
	.state_program = "guest-state-aarch64",
	.state_mark = { 0x5f, 0x2f, 0x03, 0xd5 }, /* hint #122 */
	.n_state_mark = 4,
	.n_gprs = 31,
	.n_vectors = 32,
	.n_masks = 16,
	.other_gpr = GUEST_NONE,
};
