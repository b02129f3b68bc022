/* What the shims (C++) share: targets, conversion between the instructions of
 * mc.h and LLVM's, the message on a CPU that LLVM does not know. */
#ifndef ISA_MC_INST_H
#define ISA_MC_INST_H

#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>

extern "C" {
#include "host/base/nearest.h"
}
#include "host/isa/mc.h"

/* LLVM's target of a triple of the three instruction sets, else NULL.  The first
 * call registers the targets; threads may call it at once. */
const llvm::Target *find_target(const char *triple);

static inline llvm::MCInst to_inst(const struct mc_inst *i)
{
	llvm::MCInst inst;
	inst.setOpcode(i->opcode);
	for (uint32_t k = 0; k < i->n; k++) {
		if (i->kind[k] == MC_VALUE_REG)
			inst.addOperand(llvm::MCOperand::createReg(
				(unsigned)i->value[k]));
		else
			inst.addOperand(
				llvm::MCOperand::createImm(i->value[k]));
	}
	return inst;
}

/* ERR_INPUT; `s` is a subtarget of the instruction set `isa`. */
static inline int unknown_cpu(const llvm::MCSubtargetInfo &s, const char *name,
			      const char *isa, struct err *e)
{
	struct nearest near = {};
	near.wanted = name;
	for (const auto &d : s.getAllProcessorDescriptions())
		nearest_offer(&near, d.Key);
	if (near.best)
		return err_set(e, ERR_INPUT,
			       "unknown CPU '%.100s'; did you mean '%s'?", name,
			       near.best);
	return err_set(e, ERR_INPUT,
		       "unknown CPU '%.100s': LLVM knows no such CPU for %s",
		       name, isa);
}

/* Append the features of a list "+a,-b" to those in `features`; "+a*" is each
 * feature whose name begins with "a".  ERR_INPUT: it names one that LLVM does
 * not know. */
int add_features(const llvm::MCSubtargetInfo &s, llvm::StringRef list,
		 std::string &features, struct err *e);

#endif
