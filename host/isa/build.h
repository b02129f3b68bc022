/* Shared by the files that build a catalogue; internal to the room. */
#ifndef ISA_BUILD_H
#define ISA_BUILD_H

#include "host/isa/isa.h"
#include "host/isa/mc.h"

/* A catalogue under construction. */
struct build {
	struct arena *arena;
	struct catalogue *c;
	struct mc *mc;
	bool *reserved; /* by register: not for the allocator */
	uint16_t pointer_class;
	struct form *forms;        /* c->forms while they are written */
	struct operand **operands; /* of each form, likewise */
};

/* A form before it is built. */
struct named_opcode {
	const char *name; /* with the variant */
	const struct variant *variant;
	uint32_t opcode;
};

/* variants.c: everything that is a form, sorted by name; sets c->n_forms,
 * n_pseudo and n_opcodes. */
struct named_opcode *build_names(struct build *b);

/* registers.c: fill c->regs and c->classes. */
void build_registers(struct build *b);

/* operands.c: describe the operands of f->opcode in `ops`, which has room
 * for FORM_MAX_OPERANDS.  False when there are more or one is not
 * understood; then as many as were understood are described. */
bool build_operands(struct build *b, struct form *f, struct operand *ops);

/* flags.c: registers for flags behind those of LLVM, which regs[n_regs...]
 * has room for; operands for each flag in place of LLVM's, when immediates
 * are pinned.  False when they are too many. */
size_t flags_count(const struct isa *isa);
void build_flag_registers(struct build *b, struct reg *regs, size_t n_regs);
bool build_flags(const struct build *b, struct form *f, struct operand *ops);

/* flags.c: the form of an opcode, of which `first` is the first, whose
 * condition the instruction has. */
const struct form *flags_condition_form(const struct catalogue *c,
					const struct form *first,
					const struct mc_inst *m);

/* immediates.c: find immediates with which the example comes back from its
 * bytes as itself; sets imm, imm_min and imm_max of the operands and the
 * example.  False when there are none. */
bool build_immediates(const struct build *b, const struct form *f,
		      struct operand *ops, struct instance *example);

/* catalogue.c: text of everything in the code of an instance: a prefix may be
 * an instruction to the decoder.  False when it has none. */
bool build_text(const struct build *b, const struct instance *x, char *text,
		size_t room);

/* catalogue.c: the form's mnemonic, of which its example may say more than LLVM
 * does. */
const char *build_mnemonic(const struct build *b, const struct form *f);

/* catalogue.c: does the form come back from bytes of its own, and does the CPU
 * have it?  Finds immediates for `ops`, its operands; *ret is an example. */
enum form_status build_prove(const struct build *b, const struct form *f,
			     struct operand *ops, struct instance *ret);

/* access.c: how wide the access of a form is that an example shows, and which
 * places its displacement reaches. */
void build_access(const struct build *b, const struct instance *x,
		  struct form *f, struct operand *ops);

/* derive.c: add the forms that the ISA derives from those in c->forms. */
void build_derived(struct build *b);

/* instance.c */
bool instance_equals_mc(const struct catalogue *c, const struct instance *i,
			const struct mc_inst *m);

/* Does the instance come back as itself when decoded in this view? */
bool instance_survives(const struct catalogue *c, const struct instance *i,
		       enum mc_view view);

#endif
