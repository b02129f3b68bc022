/* What LLVM 19 and LLVM 22 say in different ways, under one name each.  The shims
 * use these names; only mc_guard.cpp, which overrides methods of LLVM, asks for the
 * version itself. */
#ifndef ISA_MC_VERSIONS_H
#define ISA_MC_VERSIONS_H

#include <llvm/Config/llvm-config.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCExpr.h>
#include <llvm/MC/MCFixup.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCSchedule.h>
#include <llvm/TargetParser/Triple.h>

#define LLVM_22_OR_LATER (LLVM_VERSION_MAJOR >= 22)

#if LLVM_22_OR_LATER
#include <llvm/MC/MCParser/AsmLexer.h>
#else
#include <llvm/MC/MCParser/MCAsmLexer.h>
#endif

/* A triple as the functions of llvm::Target take it. */
#if LLVM_22_OR_LATER
static inline llvm::Triple triple_of(const char *triple)
{
	return llvm::Triple(triple);
}
#else
static inline llvm::StringRef triple_of(const char *triple)
{
	return triple;
}
#endif

/* Bytes of a distance that is counted from the instruction; 0: the fixup is of
 * another kind. */
static inline unsigned pcrel_bytes(const llvm::MCFixup &fixup)
{
#if LLVM_22_OR_LATER
	if (!fixup.isPCRel())
		return 0;
	return fixup.getKind() == llvm::FK_Data_1   ? 1
	       : fixup.getKind() == llvm::FK_Data_4 ? 4
						    : 0;
#else
	return fixup.getKind() == llvm::FK_PCRel_1   ? 1
	       : fixup.getKind() == llvm::FK_PCRel_4 ? 4
						     : 0;
#endif
}

/* Is the distance counted from the begin of its field, not from the end? */
enum { PCREL_FROM_FIELD = !LLVM_22_OR_LATER };

/* Does the mode of the processor choose the operand's class of registers, as that
 * of an address?  RegClass is no class then. */
static inline bool class_by_mode(const llvm::MCOperandInfo &o)
{
#if LLVM_22_OR_LATER
	return o.isLookupRegClassByHwMode();
#else
	return o.isLookupPtrRegClass();
#endif
}

/* The name of a scheduling class; "" if this LLVM was built without names. */
static inline const char *sched_class_name(const llvm::MCSchedModel &model,
					   unsigned sched_class)
{
#if defined(NDEBUG) && !defined(LLVM_ENABLE_DUMP)
	(void)model;
	(void)sched_class;
	return "";
#elif LLVM_22_OR_LATER
	return model.getSchedClassName(sched_class).data();
#else
	return model.getSchedClassDesc(sched_class)->Name;
#endif
}

static inline const char *mnemonic_of(const llvm::MCInstPrinter &printer,
				      const llvm::MCInst &inst)
{
#if LLVM_22_OR_LATER
	return printer.getMnemonic(inst).first;
#else
	/* It does not change the printer. */
	return const_cast<llvm::MCInstPrinter &>(printer)
		.getMnemonic(&inst)
		.first;
#endif
}

static inline void print_expression(llvm::raw_ostream &out,
				    const llvm::MCExpr &expression,
				    const llvm::MCAsmInfo &info)
{
#if LLVM_22_OR_LATER
	info.printExpr(out, expression);
#else
	expression.print(out, &info);
#endif
}

#endif
