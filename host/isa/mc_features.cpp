/* Lists of features of a CPU: "+a,-b". */
#include "host/isa/mc_features.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/TargetParser/Host.h>

using namespace llvm;

static bool known_feature(const MCSubtargetInfo &s, StringRef name)
{
	for (const SubtargetFeatureKV &f : s.getAllProcessorFeatures())
		if (name == f.Key)
			return true;
	return false;
}

static void add_feature(std::string &features, char sign, StringRef name)
{
	if (!features.empty())
		features += ',';
	features += sign;
	features += name;
}

/* Append the features that this machine's CPU has and lacks. */
static void add_host_features(const MCSubtargetInfo &s, std::string &features)
{
	for (const auto &f : sys::getHostCPUFeatures()) {
		if (!known_feature(s, f.getKey()))
			continue;
		add_feature(features, f.getValue() ? '+' : '-', f.getKey());
	}
}

static int unknown_feature(const MCSubtargetInfo &s, StringRef feature,
			   struct err *e)
{
	bool sign = feature.starts_with("+") || feature.starts_with("-");
	std::string name = feature.drop_front(sign).take_front(100).str();
	std::string given = feature.take_front(100).str();
	struct nearest near = {};
	near.wanted = name.c_str();
	for (const SubtargetFeatureKV &f : s.getAllProcessorFeatures())
		nearest_offer(&near, f.Key);
	if (near.best)
		return err_set(e, ERR_INPUT,
			       "unknown CPU feature '%s'; did you mean "
			       "'%c%s'?",
			       given.c_str(), sign ? given[0] : '+', near.best);
	return err_set(e, ERR_INPUT,
		       "unknown CPU feature '%s'; expected +NAME or -NAME of a "
		       "feature that LLVM knows",
		       given.c_str());
}

/* A feature loses the prefix when its extension is ratified. */
static std::string name_here(const MCSubtargetInfo &s, StringRef name)
{
	static const char experimental[] = "experimental-";

	if (known_feature(s, name))
		return name.str();
	std::string other = experimental + name.str();
	if (name.consume_front(experimental))
		other = name.str();
	return known_feature(s, other) ? other : "";
}

std::string known_features(const MCSubtargetInfo &s, StringRef list)
{
	std::string features;

	while (!list.empty()) {
		auto [head, rest] = list.split(',');
		list = rest;
		if (head.empty())
			continue;
		std::string name = name_here(s, head.drop_front());
		if (!name.empty())
			add_feature(features, head[0], name);
	}
	return features;
}

int add_features(const MCSubtargetInfo &s, StringRef list,
		 std::string &features, struct err *e)
{
	while (!list.empty()) {
		auto [head, rest] = list.split(',');
		list = rest;
		bool sign = head.starts_with("+") || head.starts_with("-");
		StringRef name = head.drop_front(sign);
		bool all = name.consume_back("*"), any = false;
		for (const SubtargetFeatureKV &f :
		     s.getAllProcessorFeatures()) {
			StringRef key(f.Key);
			if (!sign ||
			    !(all ? key.starts_with(name) : key == name))
				continue;
			add_feature(features, head[0], key);
			any = true;
		}
		if (!any)
			return unknown_feature(s, head, e);
	}
	return ERR_OK;
}

int resolve_cpu(const MCSubtargetInfo &s, const Triple &triple, StringRef spec,
		std::string &name, std::string &features, struct err *e)
{
	if (spec.starts_with("+") || spec.starts_with("-"))
		return add_features(s, spec, features, e);
	auto [head, extra] = spec.split(',');
	name = head.str();
	features.clear();
	if (head == "native") {
		Triple host(sys::getProcessTriple());
		if (host.getArch() != triple.getArch())
			return err_set(e, ERR_INPUT,
				       "CPU 'native': this machine is not %s",
				       triple.getArchName().str().c_str());
		name = host_cpu_name();
		/* If the CPU is unknown, its features are still used. */
		if (!s.isCPUStringValid(name))
			name = "generic";
		add_host_features(s, features);
	}
	if (name.empty() || !s.isCPUStringValid(name))
		return unknown_cpu(s, name.c_str(),
				   triple.getArchName().str().c_str(), e);
	return add_features(s, extra, features, e);
}
