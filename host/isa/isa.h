/* Instruction sets: `struct isa` is half data, half functions, one file per
 * instruction set; no other code names an ISA. */
#ifndef ISA_ISA_H
#define ISA_ISA_H

#include "common/pack.h"
#include "host/isa/catalogue.h"

struct isa_guest;
struct mc; /* host/isa/mc.h */
struct variant_list;
struct instance;
struct isa_carrier;
struct isa_decoding;
struct isa_flags;
struct isa_frame;
struct isa_loop;
struct isa_memory;
struct isa_spelling;
struct typed_names;
struct isa_stream;
struct isa_surround;
struct isa_value_words; /* host/isa/variant.h */
struct variant_rule;
struct isa_windows;
struct surround;

enum { ISA_COUNT_BYTES = 4 }; /* of loop_end() */

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

/* Short loops of no-operations in a line of code (64 bytes). */
struct isa_iteration {
	const char *form; /* of the no-operation */
	uint16_t most;    /* that fit into a line with the rest of the loop */
	uint16_t behind; /* instructions of the loop after them; one precedes */
	bool crossing;   /* the branch may begin at any byte of a line */
};

/* The measured number of forms: the first of `values` that survives encoding
 * and decoding.  Only the first immediate of a form counts. */
struct isa_usual_numbers {
	const char *const *names; /* of host/isa/match.h; NULL ends a table */
	int64_t values[4];
	size_t n;
};

/* What a family of variants does to its forms beyond its rows in isa.rules.
 * NULL: nothing. */
struct isa_family {
	/* Set the form's classes, kinds and n_explicit from the opcode's
	 * operands, before its status is decided. */
	void (*shape)(const struct catalogue *c, struct form *form,
		      struct operand *operands);
	/* As isa_surround.around and isa.operand_value. */
	void (*around)(const struct catalogue *c, const struct instance *i,
		       size_t n, struct surround *ret);
	bool (*value)(const struct form *form, int operand, enum reg_bank bank,
		      uint8_t ret[VALUE_BYTES]);
};

struct isa {
	const char *name;       /* x86_64 aarch64 riscv64 */
	const char *osaca_name; /* in OSACA's files */
	const struct isa_register_file *register_files; /* NULL pattern ends */
	/* Letters of width at the end of mnemonics that may be left out. */
	const char *width_suffixes;
	const struct isa_spelling *spellings; /* a NULL line ends */
	/* Names of operands (host/isa/typed.h); a NULL name ends. */
	const struct typed_names *typed_names;
	const char *used;    /* forms that programs use most, one a line */
	const char *renamed; /* names in other versions of LLVM, renamed.h */
	const char *triple;
	enum pack_isa pack_isa;
	const char *default_cpu; /* for boards that do not name one */
	const char *usual_cpu;   /* whose tables stand for an unnamed core */
	/* Features that together encode everything, and the same without
	 * those whose forms need machine state of their own (streaming mode):
	 * what only the first can decode is FORM_MATRIX. */
	const char *features;
	const char *plain_features;
	/* Features with which assembly is read first: without those for which
	 * an assembler would choose other encodings than compilers of the usual
	 * features do.  NULL: `features`. */
	const char *assembler_features;
	/* Features of single vendors (",+a,+b", or ""): a CPU has them only if
	 * it is named with them. */
	const char *vendor_features;
	/* The feature of forms that need a state of their own, removed from a
	 * CPU: "-sme"; "": there is none.  And the register classes that only
	 * they have (LLVM's names, patterns); NULL: none.  state_features: the
	 * one that every FORM_MATRIX form needs, without which it is
	 * unsupported; NULL: not checked. */
	const char *taken_features;
	const char *state_features;
	const char *const *state_classes;
	const char *pointer_class; /* of memory bases LLVM leaves open, or "" */
	uint8_t stack_pointer;     /* its GPR number */
	uint8_t counter;           /* GPR of the loop counter */
	uint8_t counter_flagless;  /* its number when flags must survive */
	uint32_t max_issue_width;  /* no core issues more in a cycle */
	struct isa_calibration calibration;
	const char *const *widest; /* begin_width() has them; NULL ends */
	struct isa_iteration iteration;
	const char *filler; /* a no-operation like any; NULL: the probe */
	/* Patterns of LLVM's names of CPUs (host/isa/match.h) whose uops get
	 * their port when they are dispatched; NULL-terminated, or NULL. */
	const char *const *binding_cpus;
	/* Mnemonics without the suffix of a width, in the order of their
	 * frequency in compiled programs; NULL-terminated, or NULL. */
	const char *const *common;
	/* Patterns of forms that no compiler writes any more, which a port search
	 * finishes last and whose times stand for no others; NULL: none. */
	const char *const *seldom;
	/* Forms of common instructions; NULL-terminated. */
	const char *const *familiar;
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
	 * "PATTERN:NAME" is for chains from forms that match the pattern only.
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
	/* Bits of vectors whose instructions close a port to other vectors: one
	 * that forms of narrower vectors use and theirs do not
	 * (host/effect/closed_ports.c).  0: none. */
	uint16_t closing_bits;
	/* FORM@source>destination of each form's own chain: "VADDPDrr@2>0".
	 * Every form is measured as a reader of every other's result (kind
	 * `written`).  Forms with one source are writers only.
	 * NULL-terminated, or NULL. */
	const char *const *written;
	const struct isa_windows *windows; /* NULL: none */
	/* Some cores of this ISA start instructions in program order.  Two
	 * steps of a latency cycle, FORM@source>destination joined by '+',
	 * which each read a second register: their controls show whether a
	 * core is one of these (docs/method/program-order.md).  NULL: there are no such
	 * cores. */
	const char *in_order;
	/* Experiments on what waits in the queue of a unit of such a core
	 * (host/effect/decoupled.c): FORM@source>destination of a producer and
	 * its consumer, and what stands behind them,
	 * "MUL@1>0+ADD@1>0+~9xADDI"; NULL-terminated, or NULL. */
	const char *const *decoupled;
	/* An instruction that waits for all before it. */
	struct isa_code barrier;
	/* The shortest instruction without an effect. */
	struct isa_code padding;

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

	/* Further variants of a form, on top of the variant that it may be;
	 * those of floats are common to all (host/isa/values.h). */
	const struct variant_rule *rules;
	/* The family `system`: the system instructions that may be measured
	 * (host/isa/system.h). */
	const struct variant_rule *system;
	/* Add those that no row can have.  NULL: none. */
	void (*derive)(const struct catalogue *c, const struct form *form,
		       struct variant_list *ret);
	/* By enum variant_family. */
	const struct isa_family *const *families;
	/* Bytes of an access that may lie across the end of a line; 0: the
	 * form's must be aligned, or it has none. */
	unsigned (*straddles)(const struct form *form);

	/* Status of an opcode by name and LLVM flags, FORM_MEASURABLE by
	 * default; sets form->domain, and may pin an immediate with
	 * operand_pin() or correct LLVM's flags and kinds. */
	enum form_status (*classify_form)(struct form *form,
					  struct operand *operands);

	const struct isa_memory *memory;
	const struct isa_loop *loop;
	const struct isa_stream *stream;     /* host/isa/stream.h */
	const struct isa_guest *guest;       /* host/isa/guest.h */
	const struct isa_flags *flags;       /* NULL: no flags of their own */
	const struct isa_decoding *decoding; /* NULL: all take as long */
	const struct isa_usual_numbers *usual_numbers; /* NULL: none */
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

	/* The inverse of behind_prefix: the name of the form of n bytes, which
	 * the decoder decodes as `behind`, without some of their prefixes.
	 * There may be no form of that name.  Returns NULL if the prefixes make
	 * no other form.  No function: the ISA has no prefixes. */
	const char *(*whole_form)(const struct form *behind,
				  const unsigned char *code, size_t n,
				  char name[ISA_NAME_ROOM]);

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
	 * `flagless`: do not write arithmetic flags.  The first ISA_COUNT_BYTES
	 * decrement.  Returns bytes or 0. */
	size_t (*loop_end)(size_t body_bytes, bool flagless,
			   unsigned char *code, size_t room);

	/* host/isa/frame.h */
	const struct isa_frame *frame;

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

/* Registry, NULL-terminated; generated by the build. */
extern const struct isa *const isas[];

/* ISA by name or pack number; NULL if unknown. */
const struct isa *isa_find(const char *name);
const struct isa *isa_by_pack(uint32_t pack_isa);
/* The ISA of the machine this program runs on; NULL if it is not supported. */
const struct isa *isa_native(void);

#endif
