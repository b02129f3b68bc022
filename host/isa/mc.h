/* LLVM's machine-code layer behind plain C.
 *
 * mc*.cpp are the only C++ files of the project; no C++ type and no
 * exception crosses this header.  A handle is one instruction set in four
 * views: with every feature (MC_ALL: what can be encoded), without features
 * that need machine state of their own (MC_PLAIN), as one CPU without these
 * (MC_CPU), and as this CPU with them (MC_STATE).
 * Returned pointers live as long as the handle.  A handle may be used by one
 * thread at a time. */
#ifndef ISA_MC_H
#define ISA_MC_H

#include "common/types.h"
#include "host/base/arena.h"
#include "host/base/err.h"

struct mc;

enum mc_view {
	MC_ALL,
	MC_PLAIN,
	MC_CPU,
	MC_STATE,
	MC_N_VIEWS,
};

struct mc_config {
	const char *triple;
	/* CPU and features ("+a,-b", "" for none) of MC_ALL. */
	const char *all_cpu;
	const char *all_features;
	const char *plain_features;
	/* In addition in MC_ALL and MC_PLAIN; "": none. */
	const char *vendor_features;
	const char *taken_features; /* removed from MC_CPU, "": none */
	/* "NAME", "native" or either followed by ",+feature,-feature"; these
	 * alone add to `plain_features`; "+begin*" is every feature whose name
	 * begins so.  NULL: MC_CPU has `plain_features`, MC_STATE
	 * `all_features`. */
	const char *cpu;
};

/* ERR_INPUT on an unknown CPU or feature, or "native" elsewhere. */
int mc_open(const struct mc_config *config, struct mc **ret_mc, struct err *e);
void mc_close(struct mc *m);

/* LLVM's version, and an address in its code. */
const char *mc_version(void);
const void *mc_code(void);

/* Features of this machine, "+a,-b": what it has and has not.  Owned by `a`. */
const char *mc_host_features(struct arena *a);
/* LLVM's own name of the CPU that this runs on, and its triple.  Owned by
 * `a`. */
const char *mc_host_name(struct arena *a);
const char *mc_host_triple(struct arena *a);

/* How a CPU of LLVM's and a machine differ. */
struct mc_difference {
	/* Instruction sets that only the machine has: it is not this CPU. */
	unsigned refutes;
	/* All features that only one of them has; an instruction set counts
	 * as four others, because whole tables of instructions depend on it. */
	unsigned all;
};

/* False: LLVM does not know the CPU.  Features that LLVM does not know do not
 * count. */
bool mc_compare_cpu(const char *triple, const char *cpu, const char *features,
		    struct mc_difference *ret);

/* The name of the CPU, with "native" resolved; "any" for NULL. */
const char *mc_cpu(const struct mc *m);

/* Does the view have every feature of the comma-separated list? */
bool mc_has(const struct mc *m, enum mc_view view, const char *features);

/* Registers: numbers 1..mc_n_regs()-1, 0 is no register. */
struct mc_reg {
	const char *name;
	unsigned encoding;
};
size_t mc_n_regs(const struct mc *m);
void mc_get_reg(const struct mc *m, size_t reg, struct mc_reg *ret);

struct mc_class {
	const char *name;
	const uint16_t *regs;
	size_t n_regs;
	unsigned bits;
};
size_t mc_n_classes(const struct mc *m);
void mc_get_class(const struct mc *m, size_t index, struct mc_class *ret);

enum mc_flags {
	MC_PSEUDO = 1 << 0,
	MC_MAY_LOAD = 1 << 1,
	MC_MAY_STORE = 1 << 2,
	/* Branch, call, return, trap, barrier or other terminator. */
	MC_CONTROL_FLOW = 1 << 3,
	MC_SIDE_EFFECTS = 1 << 4, /* LLVM has no model of its side effects */
	MC_VARIADIC = 1 << 5,
	MC_MOVE = 1 << 6, /* copies a register to another one */
};

struct mc_opcode {
	const char *name;
	unsigned flags;        /* enum mc_flags */
	uint64_t target_flags; /* LLVM's TSFlags, a private code per ISA */
	/* LLVM's scheduling class; 0: none. The same for all CPUs. */
	unsigned sched_class;
	unsigned n_operands, n_defs;
	const uint16_t *uses; /* implicit */
	const uint16_t *defs;
	size_t n_uses, n_implicit_defs;
};
size_t mc_n_opcodes(const struct mc *m);
void mc_get_opcode(const struct mc *m, size_t opcode, struct mc_opcode *ret);

/* The same for every instruction set.  LLVM's other operand types are
 * immediates if they have no register class. */
enum mc_operand_kind {
	MC_OPERAND_REG,
	MC_OPERAND_IMM,
	MC_OPERAND_MEM,
	MC_OPERAND_PCREL,
};

struct mc_operand {
	uint8_t kind;
	int reg_class; /* -1: none */
	int tied_to;   /* -1: not tied */
	bool pointer;  /* a register of the ISA's pointer class */
	bool apart;    /* a result that must share no register with a source */
};
void mc_get_operand(const struct mc *m, size_t opcode, unsigned operand,
		    struct mc_operand *ret);

enum {
	MC_MAX_OPERANDS = 24,
	MC_MAX_CODE = 32,
};

enum mc_value_kind {
	MC_VALUE_REG,
	MC_VALUE_IMM,
	MC_VALUE_OTHER, /* an expression or a nested instruction */
};

struct mc_inst {
	uint32_t opcode;
	uint32_t n;
	uint8_t kind[MC_MAX_OPERANDS]; /* enum mc_value_kind */
	int64_t value[MC_MAX_OPERANDS];
};

/* Encode with every feature.  Returns the size, or 0 when LLVM refuses,
 * leaves a fixup other than a branch's distance open or the code does not fit.
 */
size_t mc_encode(struct mc *m, const struct mc_inst *i, unsigned char *code,
		 size_t room);

/* Decode the first of n bytes.  Returns the size, or 0 when these bytes are
 * no well-formed instruction of that view. */
size_t mc_decode(struct mc *m, enum mc_view view, const unsigned char *code,
		 size_t n, struct mc_inst *ret);

/* Assembly text, always NUL-terminated, blanks squeezed. */
void mc_print(struct mc *m, const struct mc_inst *i, char *text, size_t room);

/* The same in the assembler's second dialect, "" when there is none. */
void mc_print_other(struct mc *m, const struct mc_inst *i, char *text,
		    size_t room);

/* The mnemonic, "" when the printer has none. */
const char *mc_mnemonic(struct mc *m, const struct mc_inst *i);

#endif
