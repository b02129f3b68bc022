/* Shared by the files that assign registers; internal to the room. */
#ifndef GEN_ASSIGNER_H
#define GEN_ASSIGNER_H

#include "host/gen/assign.h"

enum {
	MAX_BASES = 8,
	/* the worst case: RISC-V's groups of eight */
	ASSIGN_FEW_REGS = 4,
};

/* Registers of each operand that rotates, of links and pools. */
struct rotation {
	size_t n;
	uint16_t regs[ASSIGN_MAX_PERIOD];
};

struct assigner {
	const struct catalogue *c;
	const struct experiment *x;
	struct err *e;
	uint64_t used[BANK_N]; /* bit i: index i of the bank is taken */
	bool chained;
	/* A chain in which a step reads a constant, or another place. */
	bool broken;
	size_t broken_step;
	bool apart; /* the broken step loads from another place */
	/* links[i] carries the chain out of step i. */
	struct rotation links[EXPERIMENT_MAX_STEPS];
	size_t link_of[EXPERIMENT_MAX_STEPS]; /* ties make steps share one */
	struct rotation pools[EXPERIMENT_MAX_STEPS][FORM_MAX_OPERANDS];
	uint16_t constants[EXPERIMENT_MAX_STEPS][FORM_MAX_OPERANDS];
	/* The registers of constants that differ between consecutive
	 * instances: ISA_VARIED of them, or none. */
	struct rotation varied[EXPERIMENT_MAX_STEPS][FORM_MAX_OPERANDS];
	/* Base registers of each step's address, in turn. */
	struct rotation bases[EXPERIMENT_MAX_STEPS];
	/* In a mix: the base differs from those of earlier steps. */
	bool has_own_base[EXPERIMENT_MAX_STEPS];
	/* In a mix: a store in the line of all stores (places.h). */
	bool in_line[EXPERIMENT_MAX_STEPS];
};

/* assigner.c */
bool assign_is_link(const struct assigner *a, size_t step, int operand);
bool assign_is_free(const struct assigner *a, const struct reg *r);
void assign_take(struct assigner *a, const struct reg *r);
int assign_no_register(const struct assigner *a, size_t step, int operand);

const struct reg_class *assign_class_of(const struct assigner *a,
					const struct operand *o);
/* The register of a class with the same number as `r`, or REG_NONE. */
uint16_t assign_member_at(const struct assigner *a, const struct reg_class *cls,
			  const struct reg *r);

/* The explicit definition that a tied use repeats, else the operand; -1 for
 * none, as in a store, whose result is in memory. */
int assign_root(const struct form *f, int operand);

/* The step that hands its result to this one. */
size_t assign_previous(const struct assigner *a, size_t step);

/* Take a free register from the end of a class.  Narrow classes start with
 * the same registers and keep these for what rotates.  REG_NONE when there
 * is none. */
uint16_t assign_pick(struct assigner *a, uint16_t reg_class);

/* links.c: registers for the links of the chain; nothing without a chain.
 * ERR_INPUT if no register is free. */
int assign_links(struct assigner *a);

/* If another operand depends on the old value of the register that is written,
 * a chain rotates through four registers, or fewer if not enough are free.
 * Returns their number if it is 2 or 3; else, and for other chains, 0. */
size_t assign_turns(const struct assigner *a);

/* pools.c: registers for each result that is not in a chain.  ERR_INPUT when
 * there is none. */
int assign_pools(struct assigner *a, size_t max_period);

/* constants.c: a register for each operand that is read and never written, or
 * several.  ERR_INPUT when there is none. */
int assign_constants(struct assigner *a);

/* A new chain starts where the chain's source is replaced by another source, a
 * constant: sets ret->cut_*.  ERR_INPUT when the form has none. */
int assign_cut(const struct assigner *a, struct assigned *ret);

/* The result of step 1 becomes the constant of step 0.  ERR_INPUT when step 0
 * has none. */
int assign_written(struct assigner *a);

/* counter.c: reserve the loop's counter, which flags may decide.  ERR_INPUT
 * when it is in use. */
int assign_counter(struct assigner *a, bool *ret_flagless);

/* address.c: reserve the base of the memory; then assign the bases and the
 * index that are not in a chain.  ERR_INPUT when there is none. */
int address_reserve(struct assigner *a);
int address_choose(struct assigner *a);

/* Register of a part of an address that is neither tied nor a link. */
uint16_t address_reg(const struct assigner *a, size_t step, int operand,
		     size_t op);

/* The immediate of an operand: displacements rotate. */
int64_t address_imm(const struct assigner *a, size_t step, int operand,
		    size_t op);

/* Each instance reads and writes the place that it comes from, and waits for
 * the one that did so before: how many places there are, if bases name them; 0:
 * other instances. */
size_t address_chains(const struct assigner *a);

/* Ops until addresses repeat. */
size_t address_period(const struct assigner *a);

/* The register image that the finished instances need. */
void address_describe(const struct assigner *a, struct assigned *ret);

#endif
