/* x86-64: string instructions and XLAT, whose addresses are in fixed registers.
 *
 * A string instruction moves its pointers, after many instances out of the
 * kernel's memory.  So instructions before each set its pointers from a
 * register that is never written: `LODSB/mov` is a load after `mov %r14,
 * %rsi`.  Stores go to other lines than loads.  XLAT's table is the kernel's
 * memory. */
#include <string.h>

#include "host/isa/mc.h"
#include "host/isa/surround.h"
#include "host/isa/variant.h"
#include "host/isa/x86_64.h"

enum {
	FROM_RSI = 1, /* mov %r14, %rsi */
	TO_RDI = 2,   /* lea 1024(%r14), %rdi */
};

static const struct {
	const char *name; /* followed by a letter for the width */
	uint8_t pointers, access;
} strings[] = {
	{ "LODS", FROM_RSI, ACCESS_LOAD },
	{ "STOS", TO_RDI, ACCESS_STORE },
	{ "SCAS", TO_RDI, ACCESS_LOAD },
	{ "MOVS", FROM_RSI | TO_RDI, ACCESS_LOAD | ACCESS_STORE },
	{ "CMPS", FROM_RSI | TO_RDI, ACCESS_LOAD },
};

/* Index of the string instruction, -1: none. */
static int x86_64_string_find(const char *name)
{
	enum { LETTERS = 4 };

	for (size_t i = 0; i < ARRAY_LEN(strings); i++)
		if (strncmp(name, strings[i].name, LETTERS) == 0 &&
		    name[LETTERS] && strchr("BWLQ", name[LETTERS]) &&
		    (name[LETTERS + 1] == '\0' || name[LETTERS + 1] == '/'))
			return (int)i;
	return -1;
}

struct operand x86_64_pointer(const struct catalogue *c, const char *reg)
{
	return (struct operand){ .kind = OPERAND_MEM,
				 .role = ROLE_BASE,
				 .implicit = true,
				 .read = true,
				 .tied_to = -1,
				 .reg_class = CLASS_NONE,
				 .fixed_reg = catalogue_register(c, reg) };
}

/* A part that is always the same register, set before the instance. */
static void fix(const struct catalogue *c, struct operand *o, const char *reg)
{
	o->kind = OPERAND_REG;
	o->read = false;
	o->fixed_reg = catalogue_register(c, reg);
}

static bool is_pointer(const struct catalogue *c, const struct operand *o)
{
	const char *name = c->regs[o->fixed_reg].name;

	return strcmp(name, "ESI") == 0 || strcmp(name, "EDI") == 0;
}

/* LLVM lists the destination before the source, and the source's segment
 * last. */
static void shape(const struct catalogue *c, struct form *f,
		  struct operand *ops)
{
	unsigned pointers = strings[x86_64_string_find(f->name)].pointers;
	uint8_t n = f->n_explicit;

	for (uint8_t i = 0; i < f->n_explicit; i++) {
		if (pointers & TO_RDI) {
			fix(c, &ops[i], "RDI");
			pointers &= ~(unsigned)TO_RDI;
		} else if (pointers & FROM_RSI) {
			fix(c, &ops[i], "RSI");
			pointers &= ~(unsigned)FROM_RSI;
		} else {
			ops[i].kind = OPERAND_OTHER;
			ops[i].read = false;
		}
	}
	for (uint8_t i = f->n_explicit; i < f->n_operands; i++)
		if (!is_pointer(c, &ops[i]))
			ops[n++] = ops[i];
	ops[n++] = x86_64_pointer(c, "R14");
	f->n_operands = n;
}

bool x86_64_open_string(const struct catalogue *c, struct form *f,
			struct operand *ops)
{
	int string = x86_64_string_find(f->name);

	if (form_family(f) == FAMILY_STRING && string >= 0) {
		f->access = strings[string].access;
		return true;
	}
	if (strcmp(f->name, "XLAT") != 0)
		return false;
	for (int i = f->n_explicit; i < f->n_operands; i++)
		if (strcmp(c->regs[ops[i].fixed_reg].name, "EBX") == 0)
			ops[i] = x86_64_pointer(c, "RBX");
	f->access = ACCESS_LOAD;
	f->flags &= (uint8_t)~MC_SIDE_EFFECTS;
	return true;
}

static void around(const struct catalogue *c, const struct instance *i,
		   size_t n, struct surround *ret)
{
	static const unsigned char from_rsi[] = { 0x4c, 0x89, 0xf6 };
	static const unsigned char to_rdi[] = {
		0x49, 0x8d, 0xbe, 0, 0x04, 0, 0
	};
	unsigned pointers = strings[x86_64_string_find(i->form->name)].pointers;

	(void)c, (void)n;
	if (pointers & FROM_RSI) {
		memcpy(ret->before, from_rsi, sizeof(from_rsi));
		ret->n_before = sizeof(from_rsi);
		ret->n_instructions++;
	}
	if (pointers & TO_RDI) {
		memcpy(ret->before + ret->n_before, to_rdi, sizeof(to_rdi));
		ret->n_before += sizeof(to_rdi);
		ret->n_instructions++;
	}
}

const struct isa_family x86_64_string = { shape, around, NULL };
