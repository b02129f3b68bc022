/* The CPU this runs on; see mc.h.
 *
 * LLVM uses family and model, which a hypervisor may replace: if the machine
 * has features that the CPU of this name lacks and another CPU has, the name
 * is wrong. */
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

extern "C" {
#include "host/isa/mc.h"
}

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/TargetParser/Host.h>

#include "host/isa/mc_inst.h"

using namespace llvm;

/* A feature, and whether the machine has it. */
using FeatureList = std::vector<std::pair<std::string, bool>>;

/* How a CPU of LLVM's table and the machine differ. */
struct Difference {
	unsigned lacked; /* features that only the machine has */
	unsigned all;
};

/* The features that LLVM knows, as their bits in a subtarget. */
using FeatureBitList = std::vector<std::pair<unsigned, bool>>;

static FeatureBitList bits_of(const MCSubtargetInfo &s,
			      const FeatureList &machine)
{
	FeatureBitList list;

	for (const SubtargetFeatureKV &f : s.getAllProcessorFeatures())
		for (const auto &[name, there] : machine)
			if (name == f.Key)
				list.emplace_back(f.Value, there);
	return list;
}

static Difference difference_of(const MCSubtargetInfo &cpu,
				const FeatureBitList &machine)
{
	Difference d = { 0, 0 };

	for (const auto &[bit, there] : machine) {
		if (cpu.getFeatureBits()[bit] == there)
			continue;
		d.all++;
		d.lacked += there;
	}
	return d;
}

/* A hypervisor hides features of a core.  So a feature that only the CPU
 * has merely breaks ties, and never against the CPU that LLVM named. */
static std::string nearest_cpu(const Target &target, const std::string &triple,
			       const std::string &name,
			       const FeatureList &features)
{
	std::unique_ptr<MCSubtargetInfo> named(
		target.createMCSubtargetInfo(triple, name, ""));

	if (!named || !named->isCPUStringValid(name))
		return name;

	FeatureBitList machine = bits_of(*named, features);
	Difference least = difference_of(*named, machine);
	unsigned lacked_by_named = least.lacked;
	std::string best = name;

	if (lacked_by_named == 0)
		return name;
	for (const SubtargetSubTypeKV &k :
	     named->getAllProcessorDescriptions()) {
		std::unique_ptr<MCSubtargetInfo> s(
			target.createMCSubtargetInfo(triple, k.Key, ""));
		Difference d = difference_of(*s, machine);
		if (d.lacked < least.lacked ||
		    (d.lacked == least.lacked && d.lacked < lacked_by_named &&
		     d.all < least.all)) {
			least = d;
			best = k.Key;
		}
	}
	return best;
}

static std::string find_host_cpu()
{
	std::string triple = sys::getProcessTriple();
	const Target *target = find_target(triple.c_str());
	FeatureList machine;

	for (const auto &f : sys::getHostCPUFeatures())
		machine.emplace_back(f.getKey().str(), f.getValue());
	return target ? nearest_cpu(*target, triple,
				    sys::getHostCPUName().str(), machine)
		      : sys::getHostCPUName().str();
}

static const std::string &host_cpu()
{
	static const std::string name = find_host_cpu();

	return name;
}

static void put_name(const std::string &from, char *name, size_t room)
{
	size_t n = std::min(from.size(), room - 1);

	std::memcpy(name, from.data(), n);
	name[n] = '\0';
}

extern "C" void mc_host_cpu(char *name, size_t room)
{
	or_shortage([&] { put_name(host_cpu(), name, room); });
}

static void find_nearest(const char *triple, const char *named,
			 const char *features, char *name, size_t room)
{
	const Target *target = find_target(triple);
	SmallVector<StringRef, 64> list;
	FeatureList machine;

	StringRef(features).split(list, ',', -1, false);
	for (StringRef f : list)
		machine.emplace_back(f.drop_front().str(), f.starts_with("+"));
	put_name(target ? nearest_cpu(*target, triple, named, machine) : named,
		 name, room);
}

extern "C" void mc_nearest_cpu(const char *triple, const char *named,
			       const char *features, char *name, size_t room)
{
	or_shortage([&] { find_nearest(triple, named, features, name, room); });
}
