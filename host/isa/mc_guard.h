/* Between LLVM's statement parser and its parser of one instruction set
 * (C++): each directive and each instruction comes here before LLVM executes or
 * evaluates any of it.
 *
 * Directives are executed, refused or skipped as directive.h says.  Names are
 * never assigned.  Expressions are checked token by token, because LLVM's
 * parsers divide by any number, take operators without operands and recurse
 * without limit. */
#ifndef ISA_MC_GUARD_H
#define ISA_MC_GUARD_H

#include <llvm/MC/MCParser/MCTargetAsmParser.h>

#include <memory>

/* Give `parser` the parser `target` of an instruction set behind a guard, and
 * remove the refused directives from its own table.  The result must live as
 * long as `parser`. */
std::unique_ptr<llvm::MCTargetAsmParser> guard_target(
	llvm::MCAsmParser &parser,
	std::unique_ptr<llvm::MCTargetAsmParser> target,
	const llvm::MCSubtargetInfo &subtarget, const llvm::MCInstrInfo &instrs,
	const llvm::MCTargetOptions &options);

#endif
