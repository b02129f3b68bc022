/* LLVM's scheduling model of one CPU behind plain C: resources, and how an
 * instruction uses them.
 *
 * The numbers are LLVM's own: a use of a unit is also charged to every group
 * that contains the unit and to the resource that it is a part of. Instructions
 * are those of struct mc, with the same opcodes.  Pointers live as long as the
 * handle.  A handle may be used by one thread at a time. */
#ifndef ISA_MC_SCHED_H
#define ISA_MC_SCHED_H

#include "host/isa/mc.h"

struct mc_sched;

/* `cpu`: an LLVM name, or "native"; a comma and the text after it are ignored.
 * ERR_INPUT when LLVM does not know the CPU or has no model of it. */
int mc_sched_open(const char *triple, const char *cpu, struct mc_sched **ret,
		  struct err *e);
void mc_sched_close(struct mc_sched *s);

/* The first of LLVM's CPUs that has a model: for what all models of a target
 * share, the names of classes.  ERR_INPUT if there is none. */
int mc_sched_open_any(const char *triple, struct mc_sched **ret, struct err *e);

/* Does LLVM know a CPU of this name for the triple? */
bool mc_sched_knows(const char *triple, const char *cpu);

struct mc_sched_core {
	const char *cpu; /* "native" resolved */
	unsigned width;  /* uops into the back end, each cycle */
	/* Uops in flight; at most 1: in order. */
	unsigned uop_buffer;
	/* 0: not specified */
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
	unsigned super; /* the resource that its units are a part of, 0: none */
	/* Of a group: n_units resources, those of several units repeated;
	 * NULL: no group. */
	const unsigned *members;
};
void mc_sched_get_resource(const struct mc_sched *s, unsigned index,
			   struct mc_resource *ret);

/* The scheduling class of an instruction, resolved by its operands; 0: LLVM has
 * none.  If the cost of an opcode does not depend on operands, the instruction
 * needs none. */
unsigned mc_sched_find(const struct mc_sched *s, const struct mc_inst *i);

/* The class that the definition of the opcode has, which is not resolved; 0:
 * none.  It is the same in all models of a target. */
unsigned mc_sched_defined(const struct mc_sched *s, unsigned opcode);

/* Does the class of this opcode depend on the operands? */
bool mc_sched_varies(const struct mc_sched *s, unsigned opcode);

enum { MC_SCHED_MAX_USES = 64 };

struct mc_sched_use {
	unsigned resource;
	unsigned cycles; /* units times the cycles that they are occupied */
};

struct mc_sched_class {
	const char *name; /* "" in a LLVM that leaves names out */
	unsigned n_uops;
	unsigned n_latencies;
	unsigned n_advances;
	size_t n_uses;
	struct mc_sched_use uses[MC_SCHED_MAX_USES];
};
/* False when it uses more than MC_SCHED_MAX_USES resources. */
bool mc_sched_get_class(const struct mc_sched *s, unsigned sched_class,
			struct mc_sched_class *ret);

/* Cycles until the definition with this index can be read: explicit ones first,
 * then implicit ones; -1: not known.  *ret_writer: the writer's name in read
 * advances, 0: none. */
int mc_sched_latency(const struct mc_sched *s, unsigned sched_class,
		     unsigned definition, unsigned *ret_writer);

/* Cycles by which operand `use` is read late (explicit uses, numbers too, then
 * implicit ones), for results of `writer`; 0: of any writer. */
struct mc_advance {
	unsigned use;
	unsigned writer;
	int cycles;
};
void mc_sched_advance(const struct mc_sched *s, unsigned sched_class,
		      unsigned index, struct mc_advance *ret);

/* Is the result zero for all values of the registers? */
bool mc_sched_zero_idiom(const struct mc_sched *s, const struct mc_inst *i);

/* Can renaming execute this move? */
bool mc_sched_free_move(const struct mc_sched *s, const struct mc_inst *i);

#endif
