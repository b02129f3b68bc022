/* Experiments: descriptions of what a kernel measures, as a struct and as a
 * label in logs and in the store.
 *
 *	latency:ADD64rr@2>0		chain from operand 2 to operand 0
 *	latency:MUL64r@RAX>RAX		chain through an implicit register
 *	latency:ADC64rr@EFLAGS.CF>0	from a flag
 *	joint:VPADDDZrrk@3>0		the same, and at once through the
 *					operand tied to the destination
 *	short:VPADDDrr@2>0		a chain closed after a few instances
 *	forward:VADDPDrr@2>0+VMULPDrr@2>0	chain that alternates two forms
 *	written:VPADDDrr@2>0+VPMULUDQrr@2>0	chain of the first form; its other
 *					source is a result of the second, which
 *					is no part of the chain
 *	queue:VADDPDrr@2>0		consecutive chains of
 *					EXPERIMENT_QUEUE_OPS instances
 *	window:4xVSQRTSDr_Int@2>0+~9xMOV64rm	consecutive chains of
 *					EXPERIMENT_WINDOW_GROUPS such groups
 *	chains:3xLEA64r/r64,r64@3>0	the same without fillers, of one cycle
 *	decoupled:!FMUL_D@1>0+FADD_D@1>0+~9xADDI	two forms, the second of
 *					which waits for the first, and others
 *					behind them; with "!" it does not wait
 *	decoupled:!FMUL_D@1>0+FSD+~9xADDI	the same with a store of the
 *					result
 *	merge:INC64r@EFLAGS.CF>EFLAGS.CF	does an instance that keeps a
 *					flag wait for it?
 *	control:ADD64rr@2>0		the same kernel with the chain broken
 *	throughput:ADD64rr		independent instances
 *	loop:ADD64rr			independent instances in a short loop
 *	dependent:ADC64rr		instances that depend on each other
 *					through an implicit register; if the
 *					form has none, through their place in
 *					memory
 *	mix:3xADD64rr+IMUL64rr		independent instances of several forms
 *	latency:MOV64mr+MOV64rm		through memory: a store and the load
 *					of what it stored
 *	control:SD+!LD			the same chain, but the load reads
 *					another place
 *	latency:MOV64mr+MOV64rm+ADD64rr@1>0	the same with an operation on
 *					what was loaded
 *	calibrate:ADD64rr		calibration chain of the pack
 *	probe:NOOP			calibration probe
 *
 * Steps are joined by '+' (a chain through several forms, or a mix), each may
 * carry a count ("3xADD64rr").  A step of a control that is marked '!' does not
 * wait for the step before it: it reads a constant, or another place in memory.
 * A helper is a step marked '~': it only breaks a dependency, of a chain or of
 * independent instances (throughput:ADC64rr+~TEST64rr); in a window it is a filler.
 * kinds.h lists all kinds. */
#ifndef EXPERIMENT_EXPERIMENT_H
#define EXPERIMENT_EXPERIMENT_H

#include "common/pack.h"
#include "host/base/err.h"
#include "host/experiment/kinds.h"
#include "host/isa/catalogue.h"

enum {
	EXPERIMENT_MAX_STEPS = 12,
	/* Three times the size of known schedulers: shorter chains would
	 * overlap with two others. */
	EXPERIMENT_QUEUE_OPS = 384,
	/* Groups of a chain.  A window that holds half of them overlaps two
	 * chains all the time; larger windows cannot be distinguished. */
	EXPERIMENT_WINDOW_GROUPS = 20,
	/* Instances of a body with EXPERIMENT_BEHIND. */
	EXPERIMENT_MAX_BEHIND = 24,
};

/* src and dst are indices into form->operands.  They are -1 if they do not
 * apply, or if the chain goes through memory. */
struct experiment_step {
	const struct form *form;
	int16_t src, dst;
	uint16_t count;
	/* Mixes: cycles until an instance may overwrite the register of
	 * another; 0: unknown.  Not part of the label. */
	uint16_t latency;
	bool helper;
	bool broken; /* of a control: it does not wait for the step before */
};

struct experiment {
	enum experiment_kind kind;
	size_t n_steps;
	struct experiment_step steps[EXPERIMENT_MAX_STEPS];
};

/* One instance of a form; src and dst are -1 if it is independent. */
static inline struct experiment experiment_of(enum experiment_kind kind,
					      const struct form *form, int src,
					      int dst)
{
	return (struct experiment){ .kind = kind,
				    .n_steps = 1,
				    .steps[0] = { .form = form,
						  .src = (int16_t)src,
						  .dst = (int16_t)dst,
						  .count = 1 } };
}

/* Write the label (at most PACK_MAX_LABEL bytes with NUL).  ERR_INPUT if too
 * long. */
int experiment_label(const struct catalogue *c, const struct experiment *x,
		     char label[PACK_MAX_LABEL], struct err *e);

/* Parse a label, with forms of a catalogue.  ERR_INPUT names the part that
 * cannot be parsed. */
int experiment_parse(const struct catalogue *c, const char *label,
		     struct experiment *ret_experiment, struct err *e);

/* For a chain of a register store and a register load, and perhaps an operation
 * of registers with named operands, set the operands of the first two steps.
 * False if it is no such chain. */
bool experiment_forwards(struct experiment *x);

/* Do the instances of the form wait for each other through one place in memory
 * that they read and write?  Without a carried register, and although the
 * displacement could choose other places. */
bool experiment_keeps_place(const struct catalogue *c,
			    const struct experiment *x);

/* Must its bodies be as short as compiled loops through one place in memory?
 * How a core renames memory may depend on how many instructions use a place: on
 * a Golden Cove `inc` of a place takes 1.0 cycles in bodies of up to 8 and 7.6
 * from 12 on, and a load, an addition and a store 7.4 up to 8 and 1.0 in a body
 * of 16. */
bool experiment_is_brief(const struct catalogue *c, const struct experiment *x);

/* Name of an operand in labels, CSV and claims: its index, or the register's
 * name if it is implicit. */
void operand_name(const struct catalogue *c, const struct form *form,
		  int operand, char *name, size_t room);

/* "read", "write", "r/w", or "" if the form does neither. */
const char *operand_access_word(const struct operand *o);

/* What an operand may be: a register class, "number", "part of the address",
 * "implicit", "left out", or "". */
const char *operand_kind_word(const struct catalogue *c,
			      const struct operand *o);

/* The operand of this name that the form reads (`source`) or writes; -1 if
 * there is none.  The name of the flags register gives the first flag. */
int operand_find(const struct catalogue *c, const struct form *form,
		 const char *name, bool source);

/* All operands of this name that the form reads (`source`) or writes.  The name
 * of the flags register, as in old databases, gives every flag.  Returns their
 * number. */
size_t operand_find_all(const struct catalogue *c, const struct form *form,
			const char *name, bool source,
			int ret[FORM_MAX_OPERANDS]);

/* Do two registers overlap? */
bool reg_overlap(const struct reg *a, const struct reg *b);

/* Implicit registers that carry a dependency from one instance of the form to
 * the next: it writes and reads them.  Of several flags only the first is
 * listed.  Registers that overlap `keep` (may be NULL) are left out.  Fills
 * regs[0..room); returns their number, or room + 1 if there are more.
 * Experiments break these dependencies with helpers, in this order. */
size_t form_carried(const struct catalogue *c, const struct form *form,
		    const struct reg *keep, uint16_t *regs, size_t room);

/* How many instances of a step stand together in a body that is no mix. */
static inline uint16_t experiment_together(const struct experiment *x, size_t s)
{
	return experiment_kind_is(x->kind, EXPERIMENT_BEHIND)
		       ? x->steps[s].count
		       : 1;
}

/* Is it chains that follow each other? */
static inline bool experiment_is_cut(const struct experiment *x)
{
	return experiment_kind_is(x->kind,
				  EXPERIMENT_CUT | EXPERIMENT_CUT_GROUPS);
}

/* Number of steps that are not helpers; these come first. */
size_t experiment_measured(const struct experiment *x);

/* Write the measured steps from number `first` on, as they stand in a label.
 * False if there are none, it is no latency or control, or they do not fit. */
bool experiment_steps_text(const struct catalogue *c,
			   const struct experiment *x, size_t first,
			   char ret[PACK_MAX_LABEL]);

/* Is it a chain whose first form is followed by carriers of the ISA
 * (instructions that move the result back), or the control of such a chain?
 * The control has the same registers, but its first step reads a constant; or
 * its last step, where the first has no choice of registers. */
bool experiment_is_carried(const struct catalogue *c,
			   const struct experiment *x);

/* The same: the carrier, or NULL. */
const struct isa_carrier *experiment_carrier(const struct catalogue *c,
					     const struct experiment *x);

/* Is the source of the step an explicit register that it only reads? */
bool experiment_is_free_source(const struct experiment_step *s);

/* The step of a chain that does not wait for the step before it: the marked
 * one, or without a mark the one that the ISA's tables imply.  The number of
 * steps: none. */
size_t experiment_broken_step(const struct catalogue *c,
			      const struct experiment *x);

/* Is it a chain from an address that ends with isa_memory.close, which turns
 * any value into the address? */
bool experiment_is_closed(const struct catalogue *c,
			  const struct experiment *x);

/* The registers that helpers of an experiment cut, in order: those that its
 * first form reads and writes, minus that of the chain and those that carriers
 * overwrite.  As form_carried(). */
size_t experiment_cuts(const struct catalogue *c, const struct experiment *x,
		       uint16_t *regs, size_t room);

/* Does the chain go through a source and, in parallel, through the operand tied
 * to the destination? */
bool experiment_is_joint(const struct catalogue *c, const struct experiment *x);

/* Is it a chain: does each step wait for the previous one? */
bool experiment_is_chain(const struct experiment *x);

/* Does the chain go through arithmetic flags? */
bool experiment_chains_flags(const struct catalogue *c,
			     const struct experiment *x);

#endif
