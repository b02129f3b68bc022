/* Experiments: what to measure, in a form that is at once a struct, a label in
 * a log and a column of the store.
 *
 *	latency:ADD64rr@2>0		chain from operand 2 to operand 0
 *	latency:MUL64r@RAX>RAX		chain through an implicit register
 *	latency:ADC64rr@EFLAGS.CF>0	from a flag
 *	joint:VPADDDZrrk@3>0		the same, and at once through the
 *					operand tied to the destination
 *	short:VPADDDrr@2>0		a chain closed after a few instances
 *	forward:VADDPDrr@2>0+VMULPDrr@2>0	there and back between two
 *	queue:VADDPDrr@2>0		chains of EXPERIMENT_QUEUE_OPS, one
 *					behind the other
 *	window:4xVSQRTSDr_Int@2>0+~9xMOV64rm	chains of so many groups of
 *					these, one behind the other
 *	merge:INC64r@EFLAGS.CF>EFLAGS.CF	does one that keeps a flag wait
 *					for it?
 *	control:ADD64rr@2>0		the same kernel with the chain broken
 *	throughput:ADD64rr		independent instances
 *	loop:ADD64rr			the same in a loop of a few instances
 *	dependent:ADC64rr		instances that depend on each other
 *					through an implicit register
 *	mix:3xADD64rr+IMUL64rr		independent instances of several forms
 *	latency:MOV64mr+MOV64rm		through memory: a store and the load
 *					of what it stored
 *	calibrate:ADD64rr		calibration chain of the pack
 *	probe:NOOP			calibration probe
 *
 * Steps are joined by '+' (a chain through several forms, or a mix), each may
 * carry a count ("3xADD64rr").  A helper that only breaks a dependency is a
 * step of a throughput experiment marked '~': throughput:ADC64rr+~TEST64rr. */
#ifndef EXPERIMENT_EXPERIMENT_H
#define EXPERIMENT_EXPERIMENT_H

#include "common/pack.h"
#include "host/base/err.h"
#include "host/experiment/kinds.h"
#include "host/isa/isa.h"

enum {
	EXPERIMENT_MAX_STEPS = 8,
	/* Three times as many as may wait: of fewer each runs beside two. */
	EXPERIMENT_QUEUE_OPS = 384,
	/* Of a chain: where half of them are held at once a chain runs beside
	 * another one all the time, and no more shows. */
	EXPERIMENT_WINDOW_GROUPS = 20,
};

/* src and dst are indices into form->operands; -1 where they do not apply, and
 * for the end of a chain's step that is memory. */
struct step {
	const struct form *form;
	int16_t src, dst;
	uint16_t count;
	/* Of a mix: cycles until an instance can overwrite the register of
	 * another, 0: not known.  Not part of a label. */
	uint16_t latency;
	bool helper;
};

struct experiment {
	enum experiment_kind kind;
	size_t n_steps;
	struct step steps[EXPERIMENT_MAX_STEPS];
};

/* Write the label (at most PACK_MAX_LABEL with NUL); ERR_INPUT if too long. */
int experiment_label(const struct catalogue *c, const struct experiment *x,
		     char label[PACK_MAX_LABEL], struct err *e);

/* Parse a label against a catalogue; ERR_INPUT naming the part that is not
 * understood. */
int experiment_parse(const struct catalogue *c, const char *label,
		     struct experiment *ret_experiment, struct err *e);

/* Set the ends of a chain's two steps that is a store of a register and a load
 * into one; false when it is no such chain. */
bool experiment_forwards(struct experiment *x);

/* Name of an operand as it stands in labels, CSV and claims: its index, or
 * the register's name when it is implicit. */
void operand_name(const struct catalogue *c, const struct form *form,
		  int operand, char *name, size_t room);

/* Operand of a form that is read (or written) by its name; -1 if there is none.
 * The register of all flags stands for the first of them. */
int operand_find(const struct catalogue *c, const struct form *form,
		 const char *name, bool source);

/* All operands that a name stands for: that one, or each flag that is a result
 * (or read) where the name is that of the register of all of them, as claims
 * had before flags were operands of their own.  Returns how many. */
size_t operand_find_all(const struct catalogue *c, const struct form *form,
			const char *name, bool source,
			int ret[FORM_MAX_OPERANDS]);

/* Do two registers overlap? */
bool reg_overlap(const struct reg *a, const struct reg *b);

/* Implicit registers through which an instance of the form depends on the one
 * before: written, and read again; of several flags the first.  Leaves out what
 * overlaps `keep` (NULL: nothing).  Fills regs[0..room), returns how many there
 * are, room + 1 at most.  A throughput or latency experiment cuts them with
 * helpers, in this order. */
size_t form_carried(const struct catalogue *c, const struct form *form,
		    const struct reg *keep, uint16_t *regs, size_t room);

/* Steps that are no helpers; these come first. */
size_t experiment_measured(const struct experiment *x);

/* Is it a chain whose steps behind the first are the ISA's carriers, or the
 * control of one?  Such a control has the registers of its chain, but the last
 * step reads a constant. */
bool experiment_is_carried(const struct catalogue *c,
			   const struct experiment *x);

/* Is it a chain from an address whose last steps make one of whatever came:
 * those of isa_memory.close? */
bool experiment_is_closed(const struct catalogue *c,
			  const struct experiment *x);

/* The registers that helpers of an experiment cut, in order: what its first
 * form carries on, but for what the chain itself goes through and what carriers
 * overwrite.  As form_carried(). */
size_t experiment_cuts(const struct catalogue *c, const struct experiment *x,
		       uint16_t *regs, size_t room);

/* Is it a chain through a source and through the destination it is read in? */
bool experiment_is_joint(const struct catalogue *c, const struct experiment *x);

/* Do instances wait for each other through the ends of their steps? */
bool experiment_is_chain(const struct experiment *x);

/* Does the chain go through arithmetic flags? */
bool experiment_chains_flags(const struct catalogue *c,
			     const struct experiment *x);

#endif
