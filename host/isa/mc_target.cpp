/* LLVM's targets, and its memory shortage; see mc_inst.h.  Only the
 * initialisers here name an instruction set. */
#include "host/isa/mc_inst.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

#include <llvm-c/Target.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/ErrorHandling.h>

using namespace llvm;

/* Depth of nested calls into LLVM. */
static thread_local unsigned depth;

throwing::throwing()
{
	depth++;
}

throwing::~throwing()
{
	depth--;
}

/* LLVM's default ends the process.  LLVM, whose functions have no exceptions
 * but can be unwound, allows a handler to throw. */
static void on_shortage(void *, const char *, bool)
{
	static const char text[] = "LLVM ERROR: out of memory\n";

	if (depth > 0)
		throw std::bad_alloc();
	(void)!write(STDERR_FILENO, text, sizeof(text) - 1);
	abort();
}

static bool register_targets()
{
	install_bad_alloc_error_handler(on_shortage);
	LLVMInitializeX86TargetInfo();
	LLVMInitializeX86TargetMC();
	LLVMInitializeX86AsmParser();
	LLVMInitializeX86Disassembler();
	LLVMInitializeAArch64TargetInfo();
	LLVMInitializeAArch64TargetMC();
	LLVMInitializeAArch64AsmParser();
	LLVMInitializeAArch64Disassembler();
	LLVMInitializeRISCVTargetInfo();
	LLVMInitializeRISCVTargetMC();
	LLVMInitializeRISCVAsmParser();
	LLVMInitializeRISCVDisassembler();
	return true;
}

const Target *find_target(const char *triple)
{
	/* LLVM's registry has no lock.  The language initialises a static
	 * variable once, whatever the number of threads. */
	static const bool registered = register_targets();
	std::string why;

	return registered ? TargetRegistry::lookupTarget(triple_of(triple), why)
			  : nullptr;
}
