/* Lists of features of a CPU, as LLVM writes them: "+a,-b". */
#ifndef ISA_MC_FEATURES_H
#define ISA_MC_FEATURES_H

#include "host/isa/mc_inst.h"

/* Those features of a list of this program that this LLVM knows, by its names: LLVM 22
 * knows the `experimental-zacas` of LLVM 19 as `zacas`. */
std::string known_features(const llvm::MCSubtargetInfo &s,
			   llvm::StringRef list);

/* Split "NAME,+a,-b" and resolve "native" into a name and features.  Without a
 * name, keep those that are there.  ERR_INPUT: LLVM knows no such CPU or feature. */
int resolve_cpu(const llvm::MCSubtargetInfo &s, const llvm::Triple &triple,
		llvm::StringRef spec, std::string &name, std::string &features,
		struct err *e);

#endif
