/* Conversion between the instructions of mc.h and LLVM's, for the shims
 * (C++). */
#ifndef ISA_MC_INST_H
#define ISA_MC_INST_H

#include <llvm/MC/MCInst.h>

#include "host/isa/mc.h"

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

#endif
