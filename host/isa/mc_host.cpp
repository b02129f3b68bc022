/* The CPU this runs on; see mc.h.
 *
 * LLVM uses family and model, which a hypervisor may replace: if the machine has a
 * feature that the CPU of this name lacks, the name is wrong. */
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

extern "C" {
#include "host/isa/mc.h"
}

#include <llvm/ADT/StringMap.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>

using namespace llvm;

static bool known_feature(const MCSubtargetInfo &s, StringRef name)
{
	for (const SubtargetFeatureKV &f : s.getAllProcessorFeatures())
		if (name == f.Key)
			return true;
	return false;
}

/* The number of features in which a CPU of LLVM's table and the machine differ;
 * *ret_lacks: does the CPU lack one that the machine has? */
static unsigned distance_of(const MCSubtargetInfo &cpu, bool *ret_lacks)
{
	unsigned n = 0;

	*ret_lacks = false;
	for (const auto &f : sys::getHostCPUFeatures()) {
		std::string name = "+" + f.getKey().str();
		bool has = known_feature(cpu, f.getKey()) &&
			   cpu.checkFeatures(name);
		if (!known_feature(cpu, f.getKey()) || has == f.getValue())
			continue;
		n++;
		*ret_lacks |= f.getValue();
	}
	return n;
}

/* `named` if it lacks no feature of the machine, else the CPU with the fewest
 * differences. */
static std::string nearest_cpu(const Target &target, const std::string &triple,
			       const MCSubtargetInfo &named)
{
	bool lacks;
	std::string best = named.getCPU().str();
	unsigned least = distance_of(named, &lacks);

	if (!lacks)
		return best;
	for (const SubtargetSubTypeKV &d :
	     named.getAllProcessorDescriptions()) {
		std::unique_ptr<MCSubtargetInfo> s(
			target.createMCSubtargetInfo(triple, d.Key, ""));
		unsigned n = distance_of(*s, &lacks);
		if (n < least) {
			least = n;
			best = d.Key;
		}
	}
	return best;
}

static std::string find_host_cpu()
{
	std::string name = sys::getHostCPUName().str();
	std::string triple = sys::getProcessTriple();
	std::string why;
	const Target *target;

	InitializeNativeTarget();
	target = TargetRegistry::lookupTarget(triple, why);

	std::unique_ptr<MCSubtargetInfo> named(
		target ? target->createMCSubtargetInfo(triple, name, "")
		       : nullptr);

	if (!named || !named->isCPUStringValid(name))
		return name;
	return nearest_cpu(*target, triple, *named);
}

static const std::string &host_cpu()
{
	static const std::string name = find_host_cpu();

	return name;
}

extern "C" void mc_host_cpu(char *name, size_t room)
{
	size_t n = std::min(host_cpu().size(), room - 1);

	std::memcpy(name, host_cpu().data(), n);
	name[n] = '\0';
}
