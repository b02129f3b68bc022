/* x86-64: programs under an emulator. */
#include "host/isa/guest.h"
#include "host/isa/isa.h"
#include "host/isa/match.h"
#include "host/isa/x86_64.h"

/* The operand's size is not that of one access from its address on: elements
 * that a mask chooses or that lie apart, two places, ten bytes. */
static const char *const in_pieces[] = {
	"*MASKMOV*", "*GATHER*", "*SCATTER*", "MOVSB", "MOVSW",
	"MOVSL",     "MOVSQ",    "CMPSB",     "CMPSW", "CMPSL",
	"CMPSQ",     "PUSH*",    "POP*",      "CALL*", NULL,
};

static const char *const stops[] = { "JMP*",  "RET*",    "LRET*",
				     "IRET*", "FARJMP*", "TRAP",
				     "UD*",   "INT3",    NULL };

/* The stack, and strings: LLVM does not mark all of them. */
static const char *const accessing[] = {
	"PUSH*",  "POP*",  "CALL*",  "RET*",    "LEAVE*",
	"ENTER*", "LODS*", "STOS*",  "MOVS*",   "CMPS*",
	"SCAS*",  "XLAT*", "*SAVE*", "*RSTOR*", NULL,
};

static unsigned bytes(const struct catalogue *c, const struct instance *i)
{
	const struct form *f = i->form;

	(void)c;
	if (!f->access || form_family(f) == FAMILY_X87)
		return 0;
	for (size_t k = 0; in_pieces[k]; k++)
		if (name_matches(in_pieces[k], f->name))
			return 0;
	return f->text_bytes;
}

static bool call(const struct catalogue *c, const struct instance *i,
		 size_t n_code, int64_t *ret_offset)
{
	(void)c;
	if (!name_matches("CALL*", i->form->name))
		return false;
	*ret_offset = name_matches("CALL64pcrel32*", i->form->name)
			      ? i->imm[0] + (int64_t)n_code
			      : 0;
	return true;
}

const struct isa_guest x86_64_guest = {
	.emulator = "qemu-x86_64",
	.cpu = "max",
	.sysroot = "/usr/x86_64-linux-gnu",
	.elf_machine = 62,
	.exec_calls = { 59, 322 },
	.bytes = bytes,
	.call = call,
	.stops = stops,
	.accessing = accessing,
};
