/* RISC-V: system instructions: why each is no ordinary form, and those that can be
 * measured all the same (host/isa/system.h).  RISC-V Unprivileged ISA 20240411:
 * Zicsr, Zifencei, CMO; Privileged Architecture 20240411; T-Head extension
 * specification 2.3. */
#include "host/isa/instance.h"
#include "host/isa/mc.h"
#include "host/isa/riscv64.h"
#include "host/isa/surround.h"
#include "host/isa/system.h"
#include "host/isa/values.h"

/* The first row that matches counts. */
static const struct name_rule reasons[] = {
	{ NAMES("CSR*"), FORM_REGISTER },
	{ NAMES("FENCE*", "TH_SYNC*"), FORM_BARRIER },
	{ NAMES("HFENCE*", "HINVAL*", "HLV*", "HSV_*"), FORM_VIRTUALIZATION },
	{ NAMES("SFENCE*", "SINVAL*", "CBO_*", "TH_DCACHE_*", "TH_ICACHE_*",
		"TH_L2CACHE_*", "TH_SFENCE_*"),
	  FORM_CACHE },
	{ NAMES("WFI", "WRS_*"), FORM_WAIT },
	{ NAMES("SS*", "C_SS*"), FORM_PROTECTION },
};

enum form_status riscv64_system_status(const char *name)
{
	return (enum form_status)name_rule(reasons, ARRAY_LEN(reasons), name,
					   FORM_MEASURABLE);
}

/* What is ordered before, and what behind: I, O, R, W. */
enum { W = 1, R = 2, RW = R | W, IORW = 15 };
#define FENCE(before, behind) ((before) << 4 | (behind))

const struct variant_rule riscv64_system[] = {
	SYSTEM("FENCE", "rw,rw", FENCE(RW, RW)),
	SYSTEM("FENCE", "r,rw", FENCE(R, RW)),
	SYSTEM("FENCE", "rw,w", FENCE(RW, W)),
	SYSTEM("FENCE", "iorw,iorw", FENCE(IORW, IORW)),
	SYSTEM("FENCE_TSO", "system", 0),
	SYSTEM("FENCE_I", "system", 0),
	SYSTEM("TH_SYNC", "system", 0),
	SYSTEM("CSRRS", "cycle", 0xc00),
	SYSTEM("CSRRS", "time", 0xc01),
	SYSTEM("CSRRS", "instret", 0xc02),
	SYSTEM("CSRRS", "fcsr", 0x003),
	SYSTEM("CSRRS", "vlenb", 0xc22),
	SYSTEM("CSRRS", "sstatus", 0x100),
	SYSTEM("CSRRS", "mcycle", 0xb00),
	/* Zero, as in every kernel: round to nearest, no flag. */
	SYSTEM("CSRRW", "fcsr", 0x003),
	/* CBO_INVAL would lose what is not written back yet. */
	SYSTEM_LINES("CBO_CLEAN", "", 0),
	SYSTEM_LINES("CBO_FLUSH", "", 0),
	SYSTEM_LINES("TH_DCACHE_CVA", "", 0),
	SYSTEM_LINES("TH_DCACHE_CIVA", "", 0),
	/* Entries of the page: the next access reads them again. */
	SYSTEM_SHAPED("SFENCE_VMA", "page", SYSTEM_AGAIN, 0),
	{ .names = NULL },
};

/* Always x0. */
static void fix_zero(const struct catalogue *c, struct operand *o)
{
	o->read = o->write = false;
	o->fixed_reg = catalogue_register(c, "X0");
}

/* A CSR is read with x0 as the source, which writes nothing (Zicsr), or written from
 * x0 with the old value dropped. */
static void shape_csr(const struct catalogue *c, struct form *f,
		      struct operand *ops)
{
	enum { RESULT, NUMBER, SOURCE };

	operand_pin(&ops[NUMBER], f->variant->number);
	fix_zero(c, &ops[SOURCE]);
	if (name_matches("CSRRW/*", f->name))
		fix_zero(c, &ops[RESULT]);
}

static void shape(const struct catalogue *c, struct form *f,
		  struct operand *ops)
{
	enum { BEFORE_SHIFT = 4 };
	int64_t number = f->variant->number;

	f->flags = 0;
	if (name_matches("CSR*", f->name)) {
		shape_csr(c, f, ops);
	} else if (name_matches("FENCE/*", f->name)) {
		operand_pin(&ops[0], number >> BEFORE_SHIFT);
		operand_pin(&ops[1], number & IORW);
	} else if (f->variant->shape != SYSTEM_PLAIN) {
		operand_part(&ops[0], ROLE_BASE);
		f->access = ACCESS_LOAD;
		if (f->n_explicit > 1) /* the address space of sfence.vma */
			fix_zero(c, &ops[1]);
	}
}

/* lb x0, 0(base) or sb x0, 0(base) */
static void around(const struct catalogue *c, const struct instance *i,
		   size_t n, struct surround *ret)
{
	enum { BASE_SHIFT = 15 };
	const struct variant *v = i->form->variant;
	uint32_t opcode = v->shape == SYSTEM_READ ? 0x00000003 : 0x00000023;
	int base = form_part(i->form, ROLE_BASE);

	(void)n;
	if (v->shape != SYSTEM_READ && v->shape != SYSTEM_DIRTY)
		return;
	opcode |= (uint32_t)c->regs[i->reg[base]].index << BASE_SHIFT;
	values_put32(ret->before, opcode);
	ret->n_before = sizeof(opcode);
	ret->n_instructions = 1;
}

const struct isa_family riscv64_system_family = { shape, around, NULL };
