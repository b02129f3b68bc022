/* LLVM's scheduling model of one CPU behind plain C: resources, and what an
 * instruction uses of them.
 *
 * The numbers are LLVM's own, not interpreted: what is charged to a unit is
 * charged to every group that contains it and to the resource it is a part of
 * as well.  Instructions are those of struct mc, by the same opcodes.  Pointers
 * live as long as the handle; a handle may be used by one thread at a time. */
#ifndef ISA_MC_SCHED_H
#define ISA_MC_SCHED_H

#include "host/isa/mc.h"

struct mc_sched;

/* `cpu`: an LLVM name, or "native"; what follows a comma is left out.
 * ERR_INPUT when LLVM does not know the CPU or has no model of it. */
int mc_sched_open(const char *triple, const char *cpu, struct mc_sched **ret,
		  struct err *e);
void mc_sched_close(struct mc_sched *s);

/* Does LLVM know a CPU of this name for the triple? */
bool mc_sched_knows(const char *triple, const char *cpu);

struct mc_sched_core {
	const char *cpu; /* "native" resolved */
	unsigned width;  /* uops into the back end, each cycle */
	/* Uops in flight; at most 1: in order. */
	unsigned uop_buffer;
	/* 0: not said. */
	unsigned reorder_buffer, load_queue, store_queue;
	unsigned n_resources; /* [0] is none */
	unsigned n_classes;
	/* Other CPUs that share all of this, ", " between, "" for none. */
	const char *same_as;
};
void mc_sched_get_core(const struct mc_sched *s, struct mc_sched_core *ret);

struct mc_resource {
	const char *name;
	unsigned n_units;
	unsigned super; /* what its units are a part of, 0: of none */
	/* Of a group: n_units resources, those of several units repeated;
	 * NULL: no group. */
	const unsigned *members;
};
void mc_sched_get_resource(const struct mc_sched *s, unsigned index,
			   struct mc_resource *ret);

/* What an instruction belongs to, once its operands are known; 0: LLVM has
 * nothing to say of it.  An instruction without operands will do for an opcode
 * whose cost does not depend on them. */
unsigned mc_sched_find(const struct mc_sched *s, const struct mc_inst *i);

/* Does the class of this opcode depend on the operands? */
bool mc_sched_varies(const struct mc_sched *s, unsigned opcode);

enum { MC_SCHED_MAX_USES = 64 };

struct mc_sched_use {
	unsigned resource;
	unsigned cycles; /* units times cycles they are kept */
};

struct mc_sched_class {
	unsigned n_uops;
	unsigned n_latencies;
	unsigned n_advances;
	size_t n_uses;
	struct mc_sched_use uses[MC_SCHED_MAX_USES];
};
/* False when it uses more than MC_SCHED_MAX_USES resources. */
bool mc_sched_get_class(const struct mc_sched *s, unsigned sched_class,
			struct mc_sched_class *ret);

/* Cycles until the definition with this index can be read: explicit ones
 * first, then implicit ones; -1: not known.  *ret_writer: what read advances
 * call it, 0: nothing. */
int mc_sched_latency(const struct mc_sched *s, unsigned sched_class,
		     unsigned definition, unsigned *ret_writer);

/* Reads of operand `use` (explicit uses, numbers too, then implicit ones) are
 * so many cycles late for results of `writer`, 0: of any. */
struct mc_advance {
	unsigned use;
	unsigned writer;
	int cycles;
};
void mc_sched_advance(const struct mc_sched *s, unsigned sched_class,
		      unsigned index, struct mc_advance *ret);

/* Is the result zero whatever the registers hold? */
bool mc_sched_zero_idiom(const struct mc_sched *s, const struct mc_inst *i);

/* May renaming do this move alone? */
bool mc_sched_free_move(const struct mc_sched *s, const struct mc_inst *i);

#endif
