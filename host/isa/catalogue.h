/* Catalogues: what LLVM MC knows of one instruction set as plain tables.
 *
 * A catalogue has registers, classes of registers, forms and their operands.
 * It is immutable after loading and owned by the arena it was loaded into. */
#ifndef ISA_CATALOGUE_H
#define ISA_CATALOGUE_H

#include "common/types.h"
#include "host/base/arena.h"
#include "host/base/err.h"

struct isa;     /* host/isa/isa.h */
struct mc;      /* host/isa/mc.h */
struct variant; /* host/isa/variant.h */

/* A register as the allocator sees it.  Two registers clash when they share a
 * bank and their [index, index + span) ranges meet: al, ax, eax and rax are
 * all (GPR, 0); v8m2 is (VECTOR, 8) with span 2. */
enum reg_bank {
	BANK_NONE,
	BANK_GPR,
	BANK_VECTOR,
	BANK_FP,    /* separate FP file: RISC-V f, x86 MMX */
	BANK_MASK,  /* x86 k, SVE predicates */
	BANK_FLAGS, /* EFLAGS, NZCV */
	BANK_X87,
	BANK_MATRIX, /* SME's tiles */
	BANK_STATE,  /* vl, vtype, FPCR, MXCSR, fcsr ... */
	BANK_N,
};

struct reg {
	const char *name; /* LLVM's name, e.g. "RAX", "V8M2" */
	uint8_t bank;     /* enum reg_bank */
	uint8_t index;    /* hardware number within the bank */
	uint8_t span;     /* consecutive indices it covers */
	bool high_byte;   /* ah, bh, ch, dh */
};

/* Members in allocation order: reserved registers are left out. */
struct reg_class {
	const char *name;
	uint32_t n_regs;
	const uint16_t *regs; /* indices into catalogue.regs */
	uint16_t bits;        /* register width */
	uint8_t bank;
};

enum operand_kind {
	OPERAND_REG,
	OPERAND_IMM,
	OPERAND_MEM,   /* part of a memory operand: base, index, scale ... */
	OPERAND_LABEL, /* branch target */
	OPERAND_OTHER, /* stays empty: register 0 or immediate 0 */
};

/* The role of an operand in the address of a memory access.  Every part is an
 * OPERAND_MEM.  The base of a form that writes it back is tied to the
 * definition of the new base, which is an OPERAND_REG. */
enum memory_role {
	ROLE_NONE,
	ROLE_BASE,
	ROLE_INDEX,          /* a register, always there */
	ROLE_OPTIONAL_INDEX, /* a register or none */
	ROLE_DISPLACEMENT,   /* a number of bytes; may vary */
	/* A vector of whole addresses; the prologue computes it from the
	 * base of the kernel's memory. */
	ROLE_ADDRESSES,
	ROLE_OTHER, /* scale, segment, extension: stays as it is */
};

enum memory_access {
	ACCESS_LOAD = 1 << 0,
	ACCESS_STORE = 1 << 1,
};

enum {
	FORM_MAX_OPERANDS = 16,
	ISA_NAME_ROOM = 64,
	VALUE_BYTES = 16, /* a vector's pattern in struct pack_image */
	OPERAND_MEMORY = -1,
	REG_NONE = 0,
	CLASS_NONE = 0xffff,
};

/* One operand of a form.  Explicit operands have the index of the MCInst
 * operand; implicit ones follow. */
struct operand {
	uint8_t kind; /* enum operand_kind */
	uint8_t role; /* enum memory_role */
	bool read;
	bool write;
	bool implicit;
	bool flag;      /* one flag of the flags register */
	bool constant;  /* a flag that the form sets to a constant */
	bool keeps;     /* a flag that keeps its value, always or sometimes */
	bool unchained; /* a flag whose latency has no chain of its own */
	bool apart;     /* its register must not be a source's */
	int8_t tied_to; /* a use that must equal operand `tied_to`, or -1 */
	/* OPERAND_REG and register parts of OPERAND_MEM: index into
	 * catalogue.classes; CLASS_NONE for parts that are numbers. */
	uint16_t reg_class;
	uint16_t fixed_reg;       /* the only register possible, or REG_NONE */
	int64_t imm;              /* OPERAND_IMM: the value to use */
	int64_t imm_min, imm_max; /* legal range where known, else equal */
};

/* Why a form is measured or not.  X(enumerator, word in the table, meaning).
 * This is the closed list of docs/forms.md. */
#define FORM_STATUS_LIST(X)                                                   \
	X(MEASURABLE, "measurable", "runs in a kernel")                       \
	X(PSEUDO, "pseudo", "no encoding of its own, or a prefix")            \
	X(MEMORY, "memory", "an access to memory that is not measured")       \
	X(CONTROL_FLOW, "control-flow", "branches, calls, returns, traps")    \
	X(PRIVILEGED, "privileged", "for operating systems, or devices")      \
	X(VIRTUALIZATION, "virtualization", "for guests and enclaves")        \
	X(REGISTER, "system-register", "reads or writes system registers")    \
	X(BARRIER, "barrier", "orders accesses, instructions, or traces")     \
	X(CACHE, "cache-maintenance", "cleans lines, drops translations")     \
	X(WAIT, "wait", "waits for an event or a time")                       \
	X(PROTECTION, "protection", "signs or tags addresses; shadow stacks") \
	X(TRANSACTION, "transaction", "begins, ends or tests transactions")   \
	X(MATRIX, "matrix-state", "SME2's tuples and ZT0; AMX's tiles")       \
	X(EFFECTS, "unknown-effects",                                         \
	  "LLVM marks effects, no table says which")                          \
	X(STACK, "stack", "uses the stack pointer")                           \
	X(X87, "x87", "x87 stack")                                            \
	X(UNSUPPORTED, "unsupported-by-cpu", "the named CPU lacks it")        \
	X(DUPLICATE, "duplicate-encoding", "same bytes as another form")      \
	X(ENCODING_MISMATCH, "encoding-mismatch",                             \
	  "bytes do not come back as this form")                              \
	X(NO_REGISTER, "no-register", "a class has no usable register")       \
	X(NO_IMMEDIATE, "no-immediate", "no legal immediate is known")        \
	X(UNKNOWN_OPERAND, "unknown-operand", "an operand kind not understood")

enum form_status {
#define X(id, word, meaning) FORM_##id,
	FORM_STATUS_LIST(X)
#undef X
		FORM_N_STATUS,
};

/* Is it one of the reasons against system instructions?  The family `system` of
 * variants has those that can be measured (host/isa/system.h). */
static inline bool status_is_system(enum form_status s)
{
	return s >= FORM_PRIVILEGED && s <= FORM_EFFECTS;
}

/* The type of values that a form computes on; chooses the register image. */
enum form_domain {
	DOMAIN_INT,
	DOMAIN_FP16,
	DOMAIN_FP32,
	DOMAIN_FP64,
	DOMAIN_N,
};

struct form {
	const char *name;              /* LLVM opcode name, or "NAME/VARIANT" */
	const struct variant *variant; /* NULL: the opcode is one form */
	const char *mnemonic;
	const char *example; /* disassembly of the encoded example */
	uint32_t opcode;
	uint8_t status; /* enum form_status */
	uint8_t domain; /* enum form_domain */
	uint8_t access; /* enum memory_access; 0: its address is not known */
	/* Upper bound of the access size in bytes; an address that is a
	 * multiple of it is aligned.  0 when access is 0. */
	uint16_t access_bytes;
	/* Bytes that the address moves if the displacement grows by one. */
	uint8_t unit_bytes;
	/* Exact access size, 0: not known; and the size after broadcast. */
	uint8_t text_bytes, data_bytes;
	uint8_t n_explicit;
	uint8_t n_operands;
	uint8_t flags;     /* enum mc_flags of host/isa/mc.h */
	bool vector_state; /* touches a bank other than GPR and FLAGS */
	bool streaming;    /* is measured in SME's streaming mode */
	const struct operand *operands;
};

struct catalogue {
	const struct isa *isa;
	struct mc *mc; /* owned; catalogue_free() releases it */
	const char *cpu;
	size_t n_regs, n_classes, n_forms;
	const struct reg *regs; /* [REG_NONE] is no register */
	const struct reg_class *classes;
	const struct form *forms; /* sorted by name, non-pseudo only */
	uint16_t flags;           /* register of flag 0, or REG_NONE */
	size_t n_pseudo;          /* opcodes left out as pseudo */
	size_t n_opcodes;
	/* Index into forms, of the first variant if there are several;
	 * UINT32_MAX: none. */
	const uint32_t *by_opcode;
};

/* Use only this immediate. */
static inline void operand_pin(struct operand *o, int64_t imm)
{
	o->imm = o->imm_min = o->imm_max = imm;
}

/* A part of an address. */
static inline void operand_part(struct operand *o, enum memory_role role)
{
	o->kind = OPERAND_MEM;
	o->role = (uint8_t)role;
}

/* Load the catalogue.  cpu NULL: the ISA's default with every feature LLVM
 * can encode ("everything"); "native": the CPU this program runs on; else an
 * LLVM CPU name.  Forms the CPU lacks get FORM_UNSUPPORTED.  ERR_INPUT on an
 * unknown CPU.  Everything is owned by `a`, but for the LLVM handles that
 * catalogue_free() releases. */
int catalogue_load(struct arena *a, const struct isa *isa, const char *cpu,
		   struct catalogue **ret_catalogue, struct err *e);
void catalogue_free(struct catalogue *c);

/* Class by LLVM's name, CLASS_NONE if there is none. */
uint16_t catalogue_class(const struct catalogue *c, const char *name);

/* Register by LLVM's name, REG_NONE if there is none. */
uint16_t catalogue_register(const struct catalogue *c, const char *name);

/* Form by exact name, or by the name that another version of LLVM gives it; NULL if
 * there is none. */
const struct form *catalogue_form(const struct catalogue *c, const char *name);

/* The next form of the same opcode, NULL if it is the last. */
const struct form *form_next(const struct catalogue *c,
			     const struct form *form);

/* The bank of the registers that an operand may be, BANK_NONE: it is none. */
enum reg_bank operand_reg_bank(const struct catalogue *c,
			       const struct operand *o);

/* Is one of the form's operands in this bank? */
bool form_uses(const struct catalogue *c, const struct form *form,
	       enum reg_bank bank);

/* Is one of the form's explicit operands of this kind? */
bool form_has(const struct form *form, enum operand_kind kind);

/* The explicit operand with this role, -1 if there is none. */
int form_part(const struct form *form, enum memory_role role);

/* The first explicit register operand that the form writes, or reads; -1 if
 * there is none. */
int form_register(const struct form *form, bool write);

/* The first explicit immediate, -1 if there is none. */
int form_immediate(const struct form *form);

/* Does the instruction write its base back? */
bool form_writes_base(const struct form *form);

/* The bits of the widest register that the form names. */
unsigned form_bits(const struct catalogue *c, const struct form *form);

/* Does the form use more than the lowest 128 bits of a vector register? */
bool form_is_wide(const struct catalogue *c, const struct form *form);

/* Can a chain from `src` to `dst` run through the register that the form
 * also reads as its destination, so that it is the only chain?  The form
 * must also read another register: with a single one some cores know the
 * result. */
bool form_joins(const struct catalogue *c, const struct form *form, int src,
		int dst);

/* Word of a status, e.g. "measurable". */
const char *form_status_word(enum form_status status);

#endif
