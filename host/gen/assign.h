/* Register assignment: an experiment becomes a short period of concrete
 * instructions.  Op j of the period is one instance of every step; op j + 1
 * continues the chain or stays independent of it. */
#ifndef GEN_ASSIGN_H
#define GEN_ASSIGN_H

#include "host/experiment/experiment.h"

enum { ASSIGN_MAX_PERIOD = 32 };

/* What the registers of addresses hold, and the memory behind them. */
struct assigned_memory {
	uint32_t pointers;   /* bit i: GPR i points into the memory */
	uint32_t zeros;      /* bit i: GPR i is an index and holds 0 */
	uint16_t offset[32]; /* of the pointers, in bytes */
	/* The chain runs through an index: memory and registers are zero, and
	 * so is everything computed from them. */
	bool all_zero;
	bool self; /* the chain runs through a pointer: PACK_FILL_SELF */
};

struct assigned {
	size_t period;  /* distinct ops before registers repeat */
	size_t n_steps; /* instances per op */
	bool helper[EXPERIMENT_MAX_STEPS];
	/* Of a mix: ops until each step's own registers repeat. */
	size_t periods[EXPERIMENT_MAX_STEPS];
	/* Do a step's instances wait for the one before on the same
	 * registers? */
	bool waits[EXPERIMENT_MAX_STEPS];
	struct instance instances[ASSIGN_MAX_PERIOD][EXPERIMENT_MAX_STEPS];
	/* Chains through operands that are written and read again run in
	 * parallel: the number of registers that these use.  0: there are
	 * none. */
	size_t chains;
	/* A new chain starts every cut_ops ops: there, this operand of the
	 * first step reads that register.  0: one endless chain. */
	size_t cut_ops;
	uint8_t cut_operand;
	uint16_t cut_reg;
	bool barrier;  /* every iteration waits for the one before */
	bool flagless; /* the loop must leave arithmetic flags alone */
	struct assigned_memory memory;
};

/* Assign registers.  `max_period`: at most so many distinct ops.  The chain
 * of a latency experiment runs through two or more registers in turn (through
 * one where the ISA ties source to destination); every other register read is
 * a constant of its own, every other register written rotates through as many
 * registers as are free.  ERR_INPUT when a class runs out of registers. */
int assign_registers(const struct catalogue *c, const struct experiment *x,
		     size_t max_period, struct assigned *ret, struct err *e);

/* Is an operand of a step a constant that neighbours must not share (isa.vary)?
 * It then has another register in each of ISA_VARIED neighbours. */
bool assign_is_varied(const struct catalogue *c, const struct experiment *x,
		      size_t step, int operand);

#endif
