/* RISC-V: programs under an emulator, and which lanes of vectors they use. */
#include <string.h>

#include "host/isa/guest.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"
#include "host/isa/riscv64.h"

/* ---- lanes ------------------------------------------------------------- */

/* Lanes in use, from encodings ("The RISC-V Instruction Set Manual",
 * vector extension, instruction formats). */

enum { LOAD = 0x07, STORE = 0x27, OP_V = 0x57 };

/* Bits [low, low + n) of an instruction. */
static unsigned field(uint32_t x, unsigned low, unsigned n)
{
	return x >> low & ((1u << n) - 1);
}

/* vsetvli and vsetivli have the type as a number; vsetvl has it in a
 * register. */
static struct guest_lanes sets_length(uint32_t x)
{
	enum { FRACTIONS = 4, EIGHTH = 5 };
	struct guest_lanes ret = { .kind = LANES_SETS_LENGTH };
	unsigned group = field(x, 20, 3), size = field(x, 23, 3);

	if ((field(x, 31, 1) && field(x, 30, 2) != 3) || size > 3 ||
	    group == FRACTIONS)
		return ret;
	ret.element_bytes = (uint8_t)(1u << size);
	ret.used = (uint8_t)(group < FRACTIONS ? 1u << group : 1);
	ret.room = (uint8_t)(group < EIGHTH ? 1 : 1u << (8 - group));
	return ret;
}

static struct guest_lanes access_lanes(uint32_t x)
{
	enum { WHOLE = 8, FIRST_FAULT = 16, INDEXED = 1 };
	unsigned width = field(x, 12, 3), mode = field(x, 26, 2);
	unsigned kind = mode == 0 ? field(x, 20, 5) : 0;
	struct guest_lanes ret = {
		.kind = field(x, 25, 1) ? LANES_LENGTH : LANES_LENGTH_MASKED,
		.fields = (uint8_t)(field(x, 29, 3) + 1),
	};

	/* Widths 1 to 4 are scalars. */
	if ((width > 0 && width < 5) || field(x, 28, 1) ||
	    (kind != 0 && kind != WHOLE && kind != FIRST_FAULT))
		return lanes_fixed(0, 1);
	/* It may end early and set vl to less. */
	if (kind == FIRST_FAULT)
		return (struct guest_lanes){ .kind = LANES_SETS_LENGTH,
					     .fields = 1 };
	if (kind == WHOLE)
		return lanes_fixed(1, 1);
	if (!(mode & INDEXED))
		ret.element_bytes = (uint8_t)(width ? 1u << (width - 4) : 1);
	return ret;
}

/* Does it compute each element up to vl? */
static bool is_plain(unsigned category, unsigned function)
{
	/* Bit i: function i.  Categories: by integers (0, 3, 4), by floating
	 * point (1, 5), by multiplication and division (2, 6). */
	const uint64_t integers = UINT64_C(1) << 0 | UINT64_C(1) << 2 |
				  UINT64_C(1) << 3 | UINT64_C(0xf) << 4 |
				  UINT64_C(7) << 9 | UINT64_C(1) << 23 |
				  UINT64_C(1) << 37 | UINT64_C(3) << 40;
	const uint64_t floats = UINT64_C(1) << 0 | UINT64_C(1) << 2 |
				UINT64_C(1) << 4 | UINT64_C(1) << 6 |
				UINT64_C(7) << 8 | UINT64_C(1) << 23 |
				UINT64_C(3) << 32 | UINT64_C(1) << 36 |
				UINT64_C(1) << 39 | UINT64_C(0xff) << 40;
	const uint64_t products = UINT64_C(0xff) << 32 | UINT64_C(1) << 41 |
				  UINT64_C(1) << 43 | UINT64_C(1) << 45 |
				  UINT64_C(1) << 47;
	const uint64_t of[] = { integers, floats, products, integers,
				integers, floats, products };

	return of[category] >> function & 1;
}

static struct guest_lanes lanes(const struct instance *i,
				const unsigned char *code, size_t n)
{
	enum { CONFIGURES = 7 };
	uint32_t x;
	unsigned opcode;

	(void)i;
	if (n != 4)
		return lanes_fixed(0, 1);
	x = (uint32_t)code[0] | (uint32_t)code[1] << 8 |
	    (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
	opcode = field(x, 0, 7);
	if (opcode == LOAD || opcode == STORE)
		return access_lanes(x);
	if (opcode != OP_V)
		return lanes_fixed(0, 1);
	if (field(x, 12, 3) == CONFIGURES)
		return sets_length(x);
	if (!field(x, 25, 1) || !is_plain(field(x, 12, 3), field(x, 26, 6)))
		return lanes_fixed(0, 1);
	return (struct guest_lanes){ .kind = LANES_LENGTH };
}

/* ---- instructions -------------------------------------------------------- */

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
	.lanes = lanes,
	.stops = NAMES("JAL", "JALR", "C_J", "C_JR", "EBREAK", "C_EBREAK",
		       "C_UNIMP", "UNIMP"),
	.accessing = NAMES("AMO*", "LR_*", "SC_*"),
};
