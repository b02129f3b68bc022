/* Random loops of a few forms, with chains through memory and branches inside; of
 * x86-64 also pushes and pops, and results in parts of registers. */
#ifndef TESTS_RANDOM_LOOP_H
#define TESTS_RANDOM_LOOP_H

#include "host/base/random.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "tests/unit/unit.h"

enum {
	MAX_LENGTH = 30,
	MAX_INSNS = 3 * MAX_LENGTH, /* with branches and what these skip */
	MAX_INSN = 16,
	MAX_BODY = MAX_INSN * MAX_INSNS,
	MAX_NAMES = 28,
};

/* Forms in the order of strcmp(); the registers that loops compute with (the
 * first of their class), and those used only in addresses. */
struct set {
	const char *isa;
	const char *names[MAX_NAMES];
	const char *store, *load;
	unsigned first_base, unit; /* displacements that do not overlap */
	/* Names of branches, and code of one that is not taken. */
	const char *branches;
	size_t n_branch;
	unsigned char branch[4];
	/* A jump over n bytes, and one back by n bytes that may be not taken;
	 * return their own bytes. */
	size_t (*jump)(unsigned char *code, size_t n);
	size_t (*back)(unsigned char *code, size_t n);
	/* A store and a load of the stack, or NULL. */
	const char *push, *pop;
	const char *merges; /* forms that keep the rest of their register */
};

static size_t put(unsigned char *code, uint64_t word, size_t n)
{
	for (size_t i = 0; i < n; i++)
		code[i] = (unsigned char)(word >> 8 * i);
	return n;
}

static size_t x86_jump(unsigned char *code, size_t n)
{
	return put(code, 0xeb | (uint64_t)n << 8, 2);
}

/* jo */
static size_t x86_back(unsigned char *code, size_t n)
{
	return put(code, 0x800f | (uint64_t)(uint32_t) - (n + 6) << 16, 6);
}

static size_t riscv_jump(unsigned char *code, size_t n)
{
	return put(code, 0x6f | (uint64_t)(n + 4) << 20, 4);
}

/* beq a0, a1 */
static size_t riscv_back(unsigned char *code, size_t n)
{
	uint32_t to = (uint32_t)-n;

	return put(code,
		   0x00b50063 | (to >> 12 & 1) << 31 | (to >> 5 & 63) << 25 |
			   (to >> 1 & 15) << 8 | (to >> 11 & 1) << 7,
		   4);
}

static size_t arm_jump(unsigned char *code, size_t n)
{
	return put(code, 0x14000000 | (uint32_t)(n / 4 + 1), 4);
}

/* cbz x0 */
static size_t arm_back(unsigned char *code, size_t n)
{
	return put(code, 0xb4000000 | ((uint32_t) - (n / 4) & 0x7ffff) << 5, 4);
}

static const struct set sets[] = {
	{ .isa = "riscv64",
	  .names = { "ADD",      "ADDI",    "BEQ",     "DIVU",   "FADD_D",
		     "FCVT_D_L", "FDIV_D",  "FMADD_D", "FMUL_D", "FMV_D_X",
		     "FMV_X_D",  "FSGNJ_D", "JAL",     "LD",     "MUL",
		     "SD",       "SH1ADD",  "SLLI",    "SUB",    "XOR" },
	  .store = "SD",
	  .load = "LD",
	  .first_base = 12,
	  .unit = 8,
	  .branches = "BEQ|JAL",
	  .n_branch = 4,
	  .branch = { 0x63, 0x04, 0xb5, 0x00 }, /* beq a0, a1, . + 8 */
	  .jump = riscv_jump,
	  .back = riscv_back },
	{ .isa = "x86_64",
	  .names = { "ADC64rr",      "ADD16rr",      "ADD64rr",  "ADD8rr",
		     "CMOV64rr",     "CMP64rr",      "IMUL64rr", "INC64r",
		     "JCC_1",        "JCC_4",        "JMP_1",    "MOV16rr",
		     "MOV64mr",      "MOV64rm",      "MOV8rr",   "MOVZX32rr8",
		     "OR64rr",       "POP16r/alone", "POP64r",   "PUSH64r",
		     "SBB64rr",      "SETCCr",       "TEST64rr", "VADDPDrr",
		     "VFMADD231PDr", "VMULPDrr" },
	  .store = "MOV64mr",
	  .load = "MOV64rm",
	  .first_base = 10,
	  .unit = 8,
	  .branches = "JCC_1|JCC_4|JMP_1",
	  .n_branch = 2,
	  .branch = { 0x70, 0x02 }, /* jo . + 4 */
	  .jump = x86_jump,
	  .back = x86_back,
	  .push = "PUSH64r",
	  .pop = "POP64r",
	  .merges = "MOV8rr|MOV16rr|SETCCr" },
	{ .isa = "aarch64",
	  .names = { "ADCXr", "ADDSXrs", "ADDXrs", "B", "CBZX", "CSELXr",
		     "EORXrs", "FADDDrr", "FMADDDrrr", "FMULDrr", "LDRXui",
		     "MADDXrrr", "SBCSXr", "STRXui", "SUBSXrs", "UDIVXr" },
	  .store = "STRXui",
	  .load = "LDRXui",
	  .first_base = 12,
	  .unit = 1,
	  .branches = "B|CBZX",
	  .n_branch = 4,
	  .branch = { 0x40, 0x00, 0x00, 0xb4 }, /* cbz x0, . + 8 */
	  .jump = arm_jump,
	  .back = arm_back },
};

static size_t n_names(const struct set *set)
{
	size_t n = 0;

	while (n < MAX_NAMES && set->names[n])
		n++;
	return n;
}

struct rng {
	uint64_t state;
	/* Of the load that was drawn last. */
	uint32_t load_latency, load_memory;
	bool queues_loads; /* of the core that was drawn last */
};

static uint32_t draw(struct rng *r, uint32_t n)
{
	return (uint32_t)(random_next(&r->state) % n);
}

/* Is the name one of this list, "A|B|C"? */
static bool is_one_of(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = list; at; at = strchr(at, '|')) {
		at += *at == '|';
		if (strncmp(at, name, n) == 0 && strcspn(at, "|") == n)
			return true;
	}
	return false;
}

static bool is_branch(const struct set *set, const char *name)
{
	return is_one_of(set->branches, name);
}

static bool is_named(const char *name, const char *one)
{
	return one && strcmp(name, one) == 0;
}

/* ---- a loop ------------------------------------------------------------ */

static bool is_high(const struct catalogue *c, uint16_t reg)
{
	const char *name = c->regs[reg].name;

	return strlen(name) == 2 && (name[1] == 'H' || name[1] == 'h');
}

static void draw_operand(struct rng *r, const struct set *set,
			 const struct catalogue *c, struct instance *x,
			 unsigned k)
{
	enum { FEW = 10, BASES = 2, PLACES = 3, CONDITIONS = 6 };
	const struct operand *o = &x->form->operands[k];
	bool base = o->role == ROLE_BASE;

	x->imm[k] = o->imm;
	if (o->role == ROLE_DISPLACEMENT)
		x->imm[k] = set->unit * draw(r, PLACES);
	else if (instance_condition(c->isa, x) == (int)k)
		x->imm[k] = draw(r, CONDITIONS);
	if ((o->kind != OPERAND_REG && !base) || o->reg_class == CLASS_NONE)
		return;
	/* Few registers create many dependencies.  Those with a high half, such
	 * as ah, are left out. */
	do
		x->reg[k] =
			c->classes[o->reg_class]
				.regs[base ? set->first_base + draw(r, BASES)
					   : draw(r, FEW)];
	while (is_high(c, x->reg[k]));
	if (o->tied_to >= 0)
		x->reg[k] = x->reg[o->tied_to];
}

/* A loop, and which of its instructions are executed. */
struct drawn {
	struct rng *r;
	const struct set *set;
	const struct catalogue *c;
	unsigned char code[MAX_BODY];
	size_t n;
	uint32_t n_insns, order[MAX_INSNS];
	size_t n_executed;
	int depth; /* of the stack */
	struct instance last;
};

static void add_executed(struct drawn *d, size_t n_bytes)
{
	(void)instance_decode(d->c, d->code + d->n, n_bytes, &d->last);
	d->order[d->n_executed++] = d->n_insns++;
	d->n += n_bytes;
}

static size_t encode(const struct drawn *d, const char *name,
		     unsigned char *code)
{
	struct instance x = { .form = form(d->c, name) };

	for (unsigned k = 0; k < x.form->n_explicit; k++)
		draw_operand(d->r, d->set, d->c, &x, k);
	return instance_encode(d->c, &x, code, MAX_INSN);
}

static const char *draw_name(const struct drawn *d)
{
	const char *name;

	do
		name = d->set->names[draw(d->r, (uint32_t)n_names(d->set))];
	while (strchr(name, '/'));
	return name;
}

/* Would a core execute a branch as one with the instruction before it? */
static bool is_fused(const struct drawn *d, const unsigned char *code, size_t n)
{
	struct instance i;

	return d->c->isa->loop->fuses && instance_decode(d->c, code, n, &i) &&
	       d->n_executed > 0 && d->c->isa->loop->fuses(&d->last, &i);
}

static void add_plain(struct drawn *d, const char *name)
{
	add_executed(d, encode(d, name, d->code + d->n));
	d->depth += is_named(name, d->set->push);
	d->depth -= is_named(name, d->set->pop);
}

/* One that is not taken, or a jump over another instruction. */
static void add_branch(struct drawn *d)
{
	unsigned char skipped[MAX_INSN];
	const char *name = d->set->store;
	size_t n;

	if (draw(d->r, 2) == 0) {
		if (is_fused(d, d->set->branch, d->set->n_branch))
			return;
		memcpy(d->code + d->n, d->set->branch, d->set->n_branch);
		add_executed(d, d->set->n_branch);
		return;
	}
	n = encode(d, name, skipped);
	add_executed(d, d->set->jump(d->code + d->n, n));
	memcpy(d->code + d->n, skipped, n);
	d->n += n;
	d->n_insns++;
}

static void draw_loop(struct drawn *d)
{
	uint32_t length = 2 + draw(d->r, MAX_LENGTH - 1);

	for (uint32_t i = 0; i < length; i++) {
		const char *name = draw_name(d);

		if (is_branch(d->set, name))
			add_branch(d);
		else
			add_plain(d, name);
	}
	while (d->depth != 0)
		add_plain(d, d->depth > 0 ? d->set->pop : d->set->push);
	(void)d->set->back(d->code + d->n, d->n);
	if (is_fused(d, d->code + d->n, MAX_INSN)) {
		add_plain(d, d->set->store);
		(void)d->set->back(d->code + d->n, d->n);
	}
	add_executed(d, d->set->back(d->code + d->n, d->n));
}

#endif
