/* Features of CPUs and of this machine; see mc.h. */
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

/* Beginnings of the features that are instruction sets for data, as opposed to
 * those of systems, caches and security, which LLVM's tables have for some of
 * the CPUs that have them: real Zen 3 have shadow stacks, znver3 has not.  Nor
 * has haswell AES, which makers switch off in some of their cores. */
static const char *const instruction_sets[] = {
	"sse",  "ssse", "avx",  "amx",    "fma",     "xop",  "bmi",
	"tbm",  "adx",  "vaes", "pclmul", "vpclmul", "gfni", "sha",
	"sm3",  "sm4",  "f16c", "popcnt", "sve",     "sme",  "dotprod",
	"bf16", "i8mm", "v",    "zv",
};

static bool is_instruction_set(StringRef feature)
{
	for (const char *begin : instruction_sets)
		/* "v" of RISC-V stands for itself. */
		if (std::strlen(begin) > 1 ? feature.starts_with(begin)
					   : feature == begin)
			return true;
	return false;
}

static void compare(const MCSubtargetInfo &cpu, StringRef features,
		    struct mc_difference &d)
{
	enum { INSTRUCTION_SET_WEIGHT = 4 };
	SmallVector<StringRef, 64> list;

	features.split(list, ',', -1, false);
	for (StringRef f : list)
		for (const SubtargetFeatureKV &known :
		     cpu.getAllProcessorFeatures()) {
			if (f.drop_front() != known.Key)
				continue;
			bool there = f.starts_with("+");
			bool data = is_instruction_set(known.Key);
			if (cpu.getFeatureBits()[known.Value] == there)
				continue;
			d.refutes += there && data;
			d.all += data ? INSTRUCTION_SET_WEIGHT : 1;
		}
}

extern "C" bool mc_compare_cpu(const char *triple, const char *cpu,
			       const char *features, struct mc_difference *ret)
{
	return or_shortage([&] {
		const Target *target = find_target(triple);
		std::unique_ptr<MCSubtargetInfo> s(
			target ? target->createMCSubtargetInfo(
					 triple_of(triple), "", "")
			       : nullptr);
		if (!s || !s->isCPUStringValid(cpu))
			return false;
		s.reset(target->createMCSubtargetInfo(triple_of(triple), cpu,
						      ""));
		*ret = {};
		compare(*s, features, *ret);
		return true;
	});
}

/* The text that make() returns, in the arena. */
template <typename F> static const char *kept(struct arena *a, F make)
{
	return or_shortage([&] {
		std::string text = make();
		const char *copy = nullptr;

		(void)call_back([&] {
			copy = arena_strdup(a, text.c_str());
			return 0;
		});
		return copy;
	});
}

extern "C" const char *mc_host_features(struct arena *a)
{
	return kept(a, [] {
		std::string all;
		for (const auto &f : sys::getHostCPUFeatures()) {
			all += all.empty() ? "" : ",";
			all += f.getValue() ? "+" : "-";
			all += f.getKey().str();
		}
		return all;
	});
}

extern "C" const char *mc_host_triple(struct arena *a)
{
	return kept(a, [] { return sys::getProcessTriple(); });
}

extern "C" const char *mc_host_name(struct arena *a)
{
	return kept(a, [] { return sys::getHostCPUName().str(); });
}
