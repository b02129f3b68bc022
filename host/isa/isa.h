/* Instruction sets and their catalogues of forms.
 *
 * `struct isa` is half data, half functions, one file per instruction set; no
 * other code names an ISA.  A catalogue holds what LLVM MC knows of one ISA as
 * plain tables: registers, classes, forms, operands.  It is immutable after
 * loading and owned by the arena it was loaded into. */
#ifndef ISA_ISA_H
#define ISA_ISA_H

#include "common/pack.h"
#include "host/base/arena.h"
#include "host/base/err.h"
#include "host/isa/carrier.h"
#include "host/isa/decoding.h"
#include "host/isa/flags.h"
#include "host/isa/loop.h"
#include "host/isa/memory.h"
#include "host/isa/numbers.h"
#include "host/isa/surround.h"
#include "host/isa/value_words.h"
#include "host/isa/variant.h"

struct isa_guest;
struct mc; /* host/isa/mc.h */
struct mc_inst;
struct instance;

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
	BANK_STATE, /* vl, vtype, FPCR, MXCSR, fcsr ... */
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
	bool flag;      /* one of several */
	bool constant;  /* a flag that always becomes the same */
	bool keeps;     /* a flag that keeps its value, always or sometimes */
	bool unchained; /* a flag whose latency has no chain of its own */
	bool apart;     /* a result that may be no source's register */
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
#define FORM_STATUS_LIST(X)                                                \
	X(MEASURABLE, "measurable", "runs in a kernel")                    \
	X(PSEUDO, "pseudo", "no encoding of its own, or a prefix")         \
	X(MEMORY, "memory", "an access to memory that is not measured")    \
	X(CONTROL_FLOW, "control-flow", "branches, calls, returns, traps") \
	X(SYSTEM, "system", "privileged, or changes the machine's state")  \
	X(STACK, "stack", "uses the stack pointer")                        \
	X(X87, "x87", "x87 stack")                                         \
	X(UNSUPPORTED, "unsupported-by-cpu", "the named CPU lacks it")     \
	X(DUPLICATE, "duplicate-encoding", "same bytes as another form")   \
	X(ENCODING_MISMATCH, "encoding-mismatch",                          \
	  "bytes do not come back as this form")                           \
	X(NO_REGISTER, "no-register", "a class has no usable register")    \
	X(NO_IMMEDIATE, "no-immediate", "no legal immediate is known")     \
	X(UNKNOWN_OPERAND, "unknown-operand", "an operand kind not understood")

enum form_status {
#define X(id, word, meaning) FORM_##id,
	FORM_STATUS_LIST(X)
#undef X
		FORM_N_STATUS,
};

/* The type of values that a form computes on; chooses the register image. */
enum form_domain {
	DOMAIN_INT,
	DOMAIN_FP16,
	DOMAIN_FP32,
	DOMAIN_FP64,
	DOMAIN_N,
};

struct form {
	const char *name; /* LLVM opcode name: "ADD64rr", "/" and a variant */
	const struct variant *variant; /* NULL: the opcode is one form */
	const char *mnemonic;
	const char *example; /* disassembly of the encoded example */
	uint32_t opcode;
	uint8_t status; /* enum form_status */
	uint8_t domain; /* enum form_domain */
	uint8_t access; /* enum memory_access; 0: its address is not known */
	/* Upper bound of the bytes of an access; an address that is a
	 * multiple of it is aligned.  0 when access is 0. */
	uint16_t access_bytes;
	/* Bytes that the address moves if the displacement grows by one. */
	uint8_t unit_bytes;
	/* Exact access size, and the size after a broadcast. */
	uint8_t text_bytes, data_bytes;
	uint8_t n_explicit;
	uint8_t n_operands;
	uint8_t flags;     /* enum mc_flags of host/isa/mc.h */
	bool vector_state; /* touches a bank other than GPR and FLAGS */
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

/* Two 1-cycle chains and a probe for calibration; names of forms. */
struct isa_calibration {
	const char *chain_a; /* e.g. "ADD64rr@2>0" is written "ADD64rr" */
	const char *chain_b;
	const char *probe;
	const char *wake[PACK_N_WAKE], *loads; /* core/probes.h; or NULL */
};

/* An instruction as it stands in memory. */
struct isa_code {
	uint8_t n;
	unsigned char bytes[7];
};

/* A register file in assembly; the first pattern that matches a
 * register counts: OSACA's name, and the key in OSACA's files. */
struct isa_register_file {
	const char *pattern; /* of host/isa/match.h */
	const char *key;     /* name | prefix */
	const char *word;
};

/* If consecutive instances must differ, an operand rotates through this many
 * registers: more than the operands that a core remembers. */
enum { ISA_VARIED = 4 };

struct isa {
	const char *name;       /* x86_64 aarch64 riscv64 */
	const char *osaca_name; /* in OSACA's files */
	const struct isa_register_file *register_files; /* NULL pattern ends */
	/* Letters of width at the end of mnemonics that may be left out. */
	const char *width_suffixes;
	const char *triple;
	enum pack_isa pack_isa;
	const char *default_cpu; /* for boards that do not name one */
	/* Features that together encode everything, and the same without
	 * those whose forms need machine state of their own (streaming mode):
	 * what only the first can decode is FORM_SYSTEM. */
	const char *features;
	const char *plain_features;
	const char *taken_features; /* features removed from a CPU: "-sme" */
	const char *pointer_class; /* of memory bases LLVM leaves open, or "" */
	uint8_t stack_pointer;     /* its GPR number */
	uint8_t counter;           /* GPR of the loop counter */
	uint8_t counter_flagless;  /* its number when flags must survive */
	uint32_t max_issue_width;  /* no core issues more in a cycle */
	struct isa_calibration calibration;
	const char *const *widest; /* begin_width() has them; NULL ends */
	const char *filler; /* a no-operation like any; NULL: the probe */
	/* Mnemonics without the suffix of a width, in the order of their
	 * frequency in compiled programs; NULL-terminated, or NULL. */
	const char *const *common;
	/* Forms that write flags, or one GPR, and read neither: placed between
	 * instances, they cut a dependency; NULL when none is needed. */
	const char *breaker_flags;
	const char *breaker_gpr;
	const char *breaker_mask;  /* of a mask that is not chosen */
	const char *breaker_stack; /* of the top of a stack of registers */
	/* The same for a register whose value matters: a move from another
	 * register with the starting value. */
	const char *breaker_copy;
	/* Forms that move a value from one bank of registers to another and
	 * close chains between classes, those of least cost first;
	 * NULL-terminated. */
	const char *const *bridges;
	/* The same within a bank; NULL where no form has a source and a result
	 * in registers of its own choice. */
	const struct isa_carrier *carriers;
	/* Forms between which forwarding may depend on the reader, each with
	 * the pair that is chained: "VADDPDrr@2>0"; NULL-terminated, or
	 * NULL. */
	const char *const *forwarding;
	/* The same for forms on a type of numbers that is not on this list:
	 * they alternate with two of these; NULL-terminated, or NULL. */
	const char *const *forwarding_types;
	const struct isa_windows *windows; /* NULL: none */
	/* An instruction that waits for all before it. */
	struct isa_code barrier;

	/* Opcodes without an encoding that LLVM does not mark as pseudo,
	 * recognised by its private flags; NULL: none. */
	bool (*is_pseudo)(uint64_t target_flags);

	/* (bank, index) of a register by LLVM name and encoding; bank NONE
	 * keeps it away from the allocator.  Reserved registers (stack
	 * pointer, link, counters, zero) get `reserved`. */
	void (*classify_reg)(const char *llvm_name, unsigned encoding,
			     struct reg *ret_reg, bool *ret_reserved);

	/* Add the variants of an opcode; without variants the opcode is one
	 * form.  NULL: no opcode has variants. */
	void (*variants)(const struct mc *mc, size_t opcode,
			 struct variant_list *ret);

	/* Add further variants of a form, on top of the variant that it may
	 * be.  shape_form is called again for each that reshapes.  NULL:
	 * none. */
	void (*derive)(const struct catalogue *c, const struct form *form,
		       struct variant_list *ret);

	/* Set the form's classes, kinds and n_explicit from the opcode's
	 * operands, before its status is decided; NULL. */
	void (*shape_form)(const struct catalogue *c, struct form *form,
			   struct operand *operands);

	/* Status of an opcode by name and LLVM flags, FORM_MEASURABLE by
	 * default; sets form->domain, and may pin an immediate with
	 * operand_pin() or correct LLVM's flags and kinds. */
	enum form_status (*classify_form)(struct form *form,
					  struct operand *operands);

	const struct isa_memory *memory;
	const struct isa_loop *loop;
	const struct isa_guest *guest;       /* host/isa/guest.h */
	const struct isa_flags *flags;       /* NULL: no flags of their own */
	const struct isa_decoding *decoding; /* NULL: all take as long */
	const struct isa_numbers *numbers;   /* NULL: all are alike */
	const struct isa_value_words *value_words; /* NULL: none of its own */

	/* For a form that accesses memory: set the roles and legal numbers
	 * of the parts of its address and form->access, and allow its side
	 * effects.  False if the address is of an unknown kind. */
	bool (*open_address)(const struct catalogue *c, struct form *form,
			     struct operand *operands);

	/* Exact access size, at most 64, and the size after a broadcast,
	 * parsed from the text of an example in the second dialect; 0 if the
	 * text does not give it.  NULL: no second dialect. */
	unsigned (*access_bytes)(const char *text, unsigned *ret_data);

	/* For a form whose prefix LLVM's decoder returns as an instruction: the
	 * bytes of prefix, and the name of the form after it; NULL for every
	 * other form.  NULL: no form has one. */
	const char *(*behind_prefix)(const struct form *form,
				     const unsigned char *code, size_t n,
				     char name[ISA_NAME_ROOM],
				     size_t *ret_skip);

	/* LLVM features that a form needs, comma-separated, if the disassembler
	 * does not check them; NULL if it does. */
	const char *(*required_features)(const struct form *form,
					 const unsigned char *code, size_t n);

	/* Features that a form needs in addition to those of its opcode,
	 * comma-separated; NULL: none, or no form needs any. */
	const char *(*variant_features)(const struct form *form);

	/* Opcodes that tables.h tries, most likely first; returns how many. 
	 * NULL: the form's own. */
	size_t (*table_names)(const struct form *f, char (*ret)[ISA_NAME_ROOM]);

	/* Machine code after the bodies: decrement the counter, branch back
	 * `body_bytes` before this code unless it is zero, return.
	 * `flagless`: do not write arithmetic flags.  Returns bytes or 0. */
	size_t (*loop_end)(size_t body_bytes, bool flagless,
			   unsigned char *code, size_t room);

	/* Code to run before the first body of a kernel that starts with these
	 * instances, n of one form or of several that do not clash, e.g. set a
	 * vector type; may return 0 bytes. */
	size_t (*prologue)(const struct catalogue *c, const struct instance *i,
			   size_t n, unsigned char *code, size_t room);

	/* Why two forms cannot share a kernel: one needs state before the loop
	 * that the other must not have; NULL: they can.  NULL: all forms
	 * can. */
	const char *(*clash)(const struct catalogue *c, const struct form *a,
			     const struct form *b);

	/* Does the form preserve the upper bits of the wider register of the
	 * same number, if a kernel writes them (legacy SSE against VEX)? NULL:
	 * no form does. */
	bool (*keeps_above)(const struct catalogue *c, const struct form *f);

	const struct isa_surround *surround; /* NULL: no form needs any */

	/* Fill an image with normal values for the domain. */
	void (*init_image)(enum form_domain domain, struct pack_image *image);

	/* The starting value of an operand of the form, in a register of
	 * this bank, if it differs from the image's: 16 bytes for a vector,
	 * 8 for others.  OPERAND_MEMORY, of no bank, is the content of
	 * memory.  False: the image's. */
	bool (*operand_value)(const struct form *form, int operand,
			      enum reg_bank bank, uint8_t ret[VALUE_BYTES]);

	/* Must consecutive instances have different operands?  This is the case
	 * if cores may remember the last operands, or if the results of a chain
	 * would become other operands.  Then the operand is a constant in
	 * ISA_VARIED registers, in turn; *value, the starting value, becomes
	 * that of the k-th register; and a chain through the operand needs a
	 * carrier.  NULL: no form needs it. */
	bool (*vary)(const struct form *form, int operand, unsigned k,
		     uint64_t *value);
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

/* Registry, NULL-terminated; generated by the build. */
extern const struct isa *const isas[];

/* ISA by name or pack number; NULL if unknown. */
const struct isa *isa_find(const char *name);
const struct isa *isa_by_pack(uint32_t pack_isa);
/* The ISA of the machine this program runs on; NULL if it is not supported. */
const struct isa *isa_native(void);

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

/* Form by exact name, NULL if there is none. */
const struct form *catalogue_form(const struct catalogue *c, const char *name);

/* The explicit operand with this role, -1 if there is none. */
int form_part(const struct form *form, enum memory_role role);

/* Does the instruction write its base back? */
bool form_writes_base(const struct form *form);

/* Can a chain from `src` to `dst` run through the register that the form
 * also reads as its destination, so that it is the only chain?  The form
 * must also read another register: with a single one some cores know the
 * result. */
bool form_joins(const struct catalogue *c, const struct form *form, int src,
		int dst);

/* The family of a form: that of its variant. */
enum variant_family form_family(const struct form *form);

/* Is the form among the chosen families (bit i: family i)? */
bool form_chosen(const struct form *form, uint32_t families);

/* Word of a status, e.g. "measurable". */
const char *form_status_word(enum form_status status);

/* An instruction: a form and its explicit operands: registers (index into
 * catalogue.regs) or immediates. */
struct instance {
	const struct form *form;
	uint16_t reg[FORM_MAX_OPERANDS];
	int64_t imm[FORM_MAX_OPERANDS];
};

/* Make an instance with a different register for every operand if the form
 * allows it, and the immediates of its operands; `turn` chooses other
 * registers.  False when a class has no usable register. */
bool form_example(const struct catalogue *c, const struct form *f, size_t turn,
		  struct instance *ret);

/* The same for LLVM. */
void instance_to_mc(const struct instance *i, struct mc_inst *ret);

/* Encode; returns the number of bytes (<= 16) or 0 when LLVM refuses. */
size_t instance_encode(const struct catalogue *c, const struct instance *i,
		       unsigned char *code, size_t room);

/* Decode one instruction at code[0..n).  Returns its size, or 0 when these
 * bytes are no instruction.  *ret_form is NULL when the opcode is not in the
 * catalogue; registers and immediates as far as they map. */
size_t instance_decode(const struct catalogue *c, const unsigned char *code,
		       size_t n, struct instance *ret);

/* Do the instance's bytes decode to the same instance? */
bool instance_round_trips(const struct catalogue *c, const struct instance *i);

/* Disassembly text of one instruction (tabs become spaces); returns its size
 * in bytes or 0. */
size_t instance_text(const struct catalogue *c, const unsigned char *code,
		     size_t n, char *text, size_t room);

#endif
