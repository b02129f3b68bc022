/* RISC-V: programs under an emulator. */
#include <string.h>

#include "host/isa/guest.h"
#include "host/isa/guest_lanes.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"
#include "host/isa/riscv64_memory.h"

static const char *const stops[] = { "JAL",     "JALR",   "C_J",
				     "C_JR",    "EBREAK", "C_EBREAK",
				     "C_UNIMP", "UNIMP",  NULL };
static const char *const accessing[] = { "AMO*", "LR_*", "SC_*", NULL };

static unsigned bytes(const struct catalogue *c, const struct instance *i)
{
	struct isa_address a;

	return i->form->name[0] != 'V' && c->isa->loop->address(c, i, &a)
		       ? a.bytes
		       : 0;
}

/* JAL and JALR that write a return address. */
static bool call(const struct catalogue *c, const struct instance *i,
		 size_t n_code, int64_t *ret_offset)
{
	const char *name = i->form->name;
	bool links = strcmp(name, "JAL") == 0 || strcmp(name, "JALR") == 0;

	(void)n_code;
	if (strcmp(name, "C_JALR") != 0 &&
	    !(links && c->regs[i->reg[0]].index != 0))
		return false;
	*ret_offset = strcmp(name, "JAL") == 0 ? i->imm[1] : 0;
	return true;
}

/* Jumps that write no return address, to one in ra or t0: unprivileged
 * specification, table "Return-address stack prediction hints". */
static bool returns(const struct catalogue *c, const struct instance *i)
{
	enum { RA = 1, T0 = 5 };
	const char *name = i->form->name;
	bool plain = strcmp(name, "C_JR") == 0;
	unsigned from;

	if (!plain &&
	    (strcmp(name, "JALR") != 0 || c->regs[i->reg[0]].index != 0))
		return false;
	from = c->regs[i->reg[plain ? 0 : 1]].index;
	return from == RA || from == T0;
}

const struct isa_guest riscv64_guest = {
	.emulator = "qemu-riscv64",
	.cpu = "rv64,v=true,vext_spec=v1.0,vlen=256,elen=64",
	.sysroot = "/usr/riscv64-linux-gnu",
	.elf_machine = 243,
	.exec_calls = { 221, 281 },
	.bytes = bytes,
	.call = call,
	.returns = returns,
	.lanes = riscv64_guest_lanes,
	.stops = stops,
	.accessing = accessing,
};
