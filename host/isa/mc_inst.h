/* What the shims (C++) share: targets, conversion between the instructions of
 * mc.h and LLVM's, the message on a CPU that LLVM does not know. */
#ifndef ISA_MC_INST_H
#define ISA_MC_INST_H

#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>

#include <new>

extern "C" {
#include "host/base/guard.h"
#include "host/base/nearest.h"
#include "host/isa/identity.h"
}
#include "host/isa/mc.h"
#include "host/isa/mc_versions.h"

/* LLVM's target of a triple of the three instruction sets, else NULL.  The
 * first call registers the targets; threads may call it at once. */
const llvm::Target *find_target(const char *triple);

/* While one is alive, memory that LLVM cannot allocate is std::bad_alloc. */
struct throwing {
	throwing();
	~throwing();
};

/* f(), and guard_shortage() if memory is short in it. */
template <typename F> static auto or_shortage(F f) -> decltype(f())
{
	try {
		throwing here;
		return f();
		/* NOLINTNEXTLINE(bugprone-empty-catch): handled below */
	} catch (const std::bad_alloc &) {
		/* guard_shortage() does not return, and a handler that is never
		 * left would keep its exception. */
	}
	guard_shortage();
}

/* Call back into C.  A shortage there ends in C, and goes on in C++ as an
 * exception. */
template <typename F> static int call_back(F f)
{
	struct call {
		F *f;
		int status;
	} c = { &f, 0 };

	if (!guard_call(
		    [](void *context) {
			    auto *k = static_cast<struct call *>(context);
			    k->status = (*k->f)();
		    },
		    &c))
		throw std::bad_alloc();
	return c.status;
}

/* LLVM's name of the CPU that this runs on. */
static inline std::string host_cpu_name()
{
	char name[100];

	(void)call_back([&] {
		host_cpu(name, sizeof(name));
		return 0;
	});
	return name;
}

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
