/* Shared by the files that build a catalogue; internal to the room. */
#ifndef ISA_BUILD_H
#define ISA_BUILD_H

#include "host/isa/instance.h"
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

/* registers.c: fill c->regs and c->classes. */
void build_registers(struct build *b);

/* operands.c: describe the operands of f->opcode in `ops`, which has room for
 * FORM_MAX_OPERANDS.  False if there are more, or if one is unknown; then `ops`
 * holds those before it. */
bool build_operands(struct build *b, struct form *f, struct operand *ops);

/* flags.c: add a register for each flag after those of LLVM; regs[n_regs...]
 * has room for them.  Once immediates are pinned, replace LLVM's operand for
 * all flags by one operand per flag.  False if there are too many. */
size_t flags_count(const struct isa *isa);
void build_flag_registers(struct build *b, struct reg *regs, size_t n_regs);
bool build_flags(const struct build *b, struct form *f, struct operand *ops);

/* flags.c: give a form with a condition the first one, `equal`. */
void build_condition(const struct build *b, const struct form *f,
		     struct operand *ops);

/* flags.c: the form of an opcode with the condition of the instruction;
 * `first` is the opcode's first form. */
const struct form *flags_condition_form(const struct catalogue *c,
					const struct form *first,
					const struct mc_inst *m);

/* immediates.c: find immediates with which the example survives encoding and
 * decoding; sets imm, imm_min and imm_max of the operands and the example.
 * False if there are none. */
bool build_immediates(const struct build *b, const struct form *f,
		      struct operand *ops, struct instance *example);

/* build.c: open LLVM's machine-code layer for an ISA. */
int catalogue_open_mc(const struct isa *isa, const char *cpu, struct mc **ret,
		      struct err *e);

/* example.c: the text of all instructions in the code of an instance.  The
 * decoder may return a prefix as an instruction of its own.  False if there is
 * no text. */
bool build_text(const struct build *b, const struct instance *x, char *text,
		size_t room);

/* example.c: the form's mnemonic.  The mnemonic of its example may be longer
 * than that of LLVM's table. */
const char *build_mnemonic(const struct build *b, const struct form *f);

/* example.c: does an example of the form survive encoding and decoding, and
 * does the CPU support it?  Finds immediates for its operands `ops`; *ret is
 * the example. */
enum form_status build_prove(const struct build *b, const struct form *f,
			     struct operand *ops, struct instance *ret);

/* example.c: does the form need a state of its own that the CPU has not?  Then its
 * status is that. */
bool build_lacks_state(const struct build *b, struct form *f);

/* example.c: the status of a system instruction, of which `x` is an example, for this
 * CPU: it may lack it, or its effects may be those of a state of its own. */
void build_settle(const struct build *b, struct form *f,
		  const struct instance *x);

/* access.c: set the width of the form's access, from an example, and the
 * places that its displacement reaches. */
void build_access(const struct build *b, const struct instance *x,
		  struct form *f, struct operand *ops);

/* derive.c: what the family of a form's variant does to its operands. */
void build_shape(const struct build *b, struct form *f, struct operand *ops);

/* derive.c: add the forms that the ISA derives from those in c->forms. */
void build_derived(struct build *b);

/* instance.c: do the instance's bytes decode to the same instance in this view?
 */
bool instance_survives(const struct catalogue *c, const struct instance *i,
		       enum mc_view view);

#endif
