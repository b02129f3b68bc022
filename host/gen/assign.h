/* Register assignment: an experiment becomes a short period of concrete
 * instructions.  Op j of the period is one instance of every step; op j + 1
 * continues the chain or stays independent of it. */
#ifndef GEN_ASSIGN_H
#define GEN_ASSIGN_H

#include "host/experiment/experiment.h"
#include "host/isa/instance.h"

enum { ASSIGN_MAX_PERIOD = 32 };

/* The contents of address registers and of the memory behind them. */
struct assigned_memory {
	uint32_t pointers;   /* bit i: GPR i points into the memory */
	uint32_t zeros;      /* bit i: GPR i is an index and holds 0 */
	uint16_t offset[32]; /* of the pointers, in bytes */
	/* The chain goes through an index: memory and registers are zero,
	 * and so is everything computed from them. */
	bool all_zero;
	bool self; /* the chain goes through a pointer: PACK_FILL_SELF */
};

struct assigned {
	size_t period;  /* distinct ops before registers repeat */
	size_t n_steps; /* instances per op */
	bool helper[EXPERIMENT_MAX_STEPS];
	/* Instances of a step that stand together. */
	uint16_t together[EXPERIMENT_MAX_STEPS];
	/* In a mix: ops until a step's own registers repeat. */
	size_t periods[EXPERIMENT_MAX_STEPS];
	/* Do a step's instances wait for the previous one on the same
	 * registers? */
	bool waits[EXPERIMENT_MAX_STEPS];
	struct instance instances[ASSIGN_MAX_PERIOD][EXPERIMENT_MAX_STEPS];
	/* Chains through operands that are written and read again, or through
	 * places of memory, run in parallel: the number of registers that these
	 * use, or of places.  In a latency kernel, if less than four: instances
	 * until a register that another operand also reads is written again.
	 * 1 also where an ISA has cores in program order and each instance
	 * writes the same register.  0: none of these. */
	size_t chains;
	/* A new chain starts every cut_ops ops: there, this operand of the
	 * first step reads that register.  0: one endless chain. */
	size_t cut_ops;
	uint8_t cut_operand;
	uint16_t cut_reg;
	/* Executed once at the beginning of each iteration, before the ops. */
	bool has_writer;
	struct instance writer;
	bool barrier;  /* every iteration waits for the one before */
	bool flagless; /* the loop must leave arithmetic flags alone */
	struct assigned_memory memory;
};

/* Assign registers, for at most `max_period` distinct ops.  The chain of a
 * latency experiment alternates between two or more registers (one if the
 * ISA ties source to destination).  Every other register that is read is a
 * constant of its own, and every other register that is written rotates
 * through the free ones.  ERR_INPUT when a class runs out of registers. */
int assign_registers(const struct catalogue *c, const struct experiment *x,
		     size_t max_period, struct assigned *ret, struct err *e);

/* Is an operand of a step a constant that consecutive instances must not
 * share (isa.vary)?  It then has different registers in ISA_VARIED
 * consecutive instances. */
bool assign_is_varied(const struct catalogue *c, const struct experiment *x,
		      size_t step, int operand);

#endif
