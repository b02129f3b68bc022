/* LLVM 19's scheduling tables as the plain C of mc_sched.h.  No decision is
 * made here.  Its handle shares nothing with the encoder's, so this file is
 * separate from mc.cpp. */
extern "C" {
#include "host/isa/mc_sched.h"
#include "host/isa/mc.h"
}

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstrAnalysis.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCSchedule.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <memory>
#include <string>

#include "host/isa/mc_inst.h"

using namespace llvm;

/* Order matters: later members refer to earlier ones. */
struct mc_sched {
	struct hold hold;
	std::string cpu;
	std::string same_as;
	std::unique_ptr<MCInstrInfo> instrs;
	std::unique_ptr<MCSubtargetInfo> subtarget;
	std::unique_ptr<MCInstrAnalysis> analysis;
	const MCSchedModel *model;
	bool free_moves;
};

static std::string cpu_name(StringRef spec)
{
	StringRef head = spec.split(',').first;

	if (head != "native")
		return head.str();
	return host_cpu_name();
}

static std::unique_ptr<MCSubtargetInfo> open_any(const char *triple)
{
	const Target *target = find_target(triple);
	return std::unique_ptr<MCSubtargetInfo>(
		target ? target->createMCSubtargetInfo(triple_of(triple), "",
						       "")
		       : nullptr);
}

extern "C" bool mc_sched_knows(const char *triple, const char *cpu)
{
	return or_shortage([&] {
		auto any = open_any(triple);
		return any && any->isCPUStringValid(cpu_name(cpu));
	});
}

static std::string others(const MCSubtargetInfo &s, StringRef cpu)
{
	std::string list;
	for (const SubtargetSubTypeKV &d : s.getAllProcessorDescriptions()) {
		if (d.SchedModel != &s.getSchedModel() || cpu == d.Key)
			continue;
		list += (list.empty() ? "" : ", ") + std::string(d.Key);
	}
	return list;
}

/* One CPU of each scheduling model. */
static std::string modelled(const MCSubtargetInfo &s)
{
	std::vector<const MCSchedModel *> seen;
	std::string list;
	for (const SubtargetSubTypeKV &d : s.getAllProcessorDescriptions()) {
		if (!d.SchedModel->hasInstrSchedModel() ||
		    std::find(seen.begin(), seen.end(), d.SchedModel) !=
			    seen.end())
			continue;
		seen.push_back(d.SchedModel);
		list += (list.empty() ? "" : ", ") + std::string(d.Key);
	}
	return list;
}

/* A move is free only if a register file declares it so. */
static bool has_free_moves(const MCSchedModel &m)
{
	if (!m.hasExtraProcessorInfo())
		return false;
	const MCExtraProcessorInfo &x = m.getExtraProcessorInfo();
	for (unsigned i = 0; i < x.NumRegisterCostEntries; i++)
		if (x.RegisterCostTable[i].AllowMoveElimination)
			return true;
	return false;
}

static void release_sched(void *object)
{
	mc_sched_close(static_cast<struct mc_sched *>(object));
}

static int open_sched(const char *triple, const char *cpu,
		      struct mc_sched **ret, struct err *e)
{
	const Target *target = find_target(triple);
	auto any = open_any(triple);
	if (!any)
		return err_set(e, ERR_SYSTEM, "LLVM: no tables for %s", triple);
	if (!any->isCPUStringValid(cpu_name(cpu)))
		return unknown_cpu(*any, cpu, triple, e);
	/* The tables are those of the CPU; its features may be given. */
	std::string features;
	if (add_features(*any, StringRef(cpu).split(',').second, features, e) !=
	    ERR_OK)
		return e->code;
	auto s = std::make_unique<struct mc_sched>();
	s->cpu = cpu_name(cpu);
	s->instrs.reset(target->createMCInstrInfo());
	s->subtarget.reset(
		target->createMCSubtargetInfo(triple_of(triple), s->cpu, ""));
	s->analysis.reset(target->createMCInstrAnalysis(s->instrs.get()));
	if (!s->instrs || !s->subtarget || !s->analysis)
		return err_set(e, ERR_SYSTEM, "LLVM: no tables for %s", triple);
	s->model = &s->subtarget->getSchedModel();
	if (!s->model->hasInstrSchedModel())
		return err_set(e, ERR_INPUT,
			       "CPU '%.100s': LLVM has no scheduling model of "
			       "it; it has some of %.300s",
			       s->cpu.c_str(), modelled(*s->subtarget).c_str());
	s->free_moves = has_free_moves(*s->model);
	s->same_as = others(*s->subtarget, s->cpu);
	guard_hold(&s->hold, release_sched, s.get());
	*ret = s.release();
	return ERR_OK;
}

extern "C" int mc_sched_open(const char *triple, const char *cpu,
			     struct mc_sched **ret, struct err *e)
{
	return or_shortage([&] { return open_sched(triple, cpu, ret, e); });
}

extern "C" int mc_sched_open_any(const char *triple, struct mc_sched **ret,
				 struct err *e)
{
	return or_shortage([&] {
		std::string cpu;
		auto any = open_any(triple);
		if (any)
			cpu = StringRef(modelled(*any)).split(',').first.str();
		if (cpu.empty())
			return err_set(e, ERR_INPUT,
				       "LLVM has no scheduling model for %s",
				       triple);
		return open_sched(triple, cpu.c_str(), ret, e);
	});
}

extern "C" void mc_sched_close(struct mc_sched *s)
{
	if (s)
		guard_drop(&s->hold);
	delete s;
}

extern "C" void mc_sched_get_core(const struct mc_sched *s,
				  struct mc_sched_core *ret)
{
	const MCSchedModel &m = *s->model;
	*ret = {};
	ret->cpu = s->cpu.c_str();
	ret->width = m.IssueWidth;
	ret->uop_buffer = m.MicroOpBufferSize;
	ret->n_resources = m.getNumProcResourceKinds();
	ret->n_classes = m.NumSchedClasses;
	ret->same_as = s->same_as.c_str();
	if (!m.hasExtraProcessorInfo())
		return;
	const MCExtraProcessorInfo &x = m.getExtraProcessorInfo();
	ret->reorder_buffer = x.ReorderBufferSize;
	auto size = [&](unsigned id) {
		int n = id ? m.getProcResource(id)->BufferSize : 0;
		return n > 0 ? (unsigned)n : 0;
	};
	ret->load_queue = size(x.LoadQueueID);
	ret->store_queue = size(x.StoreQueueID);
}

extern "C" void mc_sched_get_resource(const struct mc_sched *s, unsigned index,
				      struct mc_resource *ret)
{
	const MCProcResourceDesc &r = *s->model->getProcResource(index);
	ret->name = r.Name;
	ret->n_units = r.NumUnits;
	ret->super = r.SuperIdx;
	ret->members = r.SubUnitsIdxBegin;
}

extern "C" bool mc_sched_varies(const struct mc_sched *s, unsigned opcode)
{
	unsigned c = s->instrs->get(opcode).getSchedClass();
	return s->model->getSchedClassDesc(c)->isVariant();
}

extern "C" unsigned mc_sched_defined(const struct mc_sched *s, unsigned opcode)
{
	return s->instrs->get(opcode).getSchedClass();
}

static unsigned find_class(const struct mc_sched *s, const struct mc_inst *i)
{
	const MCInstrDesc &d = s->instrs->get(i->opcode);
	unsigned c = d.getSchedClass();
	/* Predicates look at operands, so the expected operands must exist. */
	if (s->model->getSchedClassDesc(c)->isVariant() &&
	    i->n < d.getNumOperands())
		return 0;
	MCInst inst = to_inst(i);
	while (c && s->model->getSchedClassDesc(c)->isVariant())
		c = s->subtarget->resolveVariantSchedClass(
			c, &inst, s->instrs.get(), s->model->getProcessorID());
	return s->model->getSchedClassDesc(c)->isValid() ? c : 0;
}

extern "C" unsigned mc_sched_find(const struct mc_sched *s,
				  const struct mc_inst *i)
{
	return or_shortage([&] { return find_class(s, i); });
}

extern "C" bool mc_sched_get_class(const struct mc_sched *s,
				   unsigned sched_class,
				   struct mc_sched_class *ret)
{
	const MCSchedClassDesc *d = s->model->getSchedClassDesc(sched_class);
	ret->name = sched_class_name(*s->model, sched_class);
	ret->n_uops = d->NumMicroOps;
	ret->n_latencies = d->NumWriteLatencyEntries;
	ret->n_advances = d->NumReadAdvanceEntries;
	ret->n_uses = 0;
	for (const MCWriteProcResEntry *
		     w = s->subtarget->getWriteProcResBegin(d),
		    *end = s->subtarget->getWriteProcResEnd(d);
	     w != end; w++) {
		if (w->ReleaseAtCycle <= w->AcquireAtCycle)
			continue;
		if (ret->n_uses == MC_SCHED_MAX_USES)
			return false;
		ret->uses[ret->n_uses++] = { w->ProcResourceIdx,
					     (unsigned)(w->ReleaseAtCycle -
							w->AcquireAtCycle) };
	}
	return true;
}

extern "C" int mc_sched_latency(const struct mc_sched *s, unsigned sched_class,
				unsigned definition, unsigned *ret_writer)
{
	const MCSchedClassDesc *d = s->model->getSchedClassDesc(sched_class);
	*ret_writer = 0;
	if (d->NumWriteLatencyEntries == 0)
		return -1;
	if (definition >= d->NumWriteLatencyEntries)
		return MCSchedModel::computeInstrLatency(*s->subtarget, *d);
	const MCWriteLatencyEntry *w =
		s->subtarget->getWriteLatencyEntry(d, definition);
	*ret_writer = w->WriteResourceID;
	return w->Cycles < 0 ? -1 : w->Cycles;
}

extern "C" void mc_sched_advance(const struct mc_sched *s, unsigned sched_class,
				 unsigned index, struct mc_advance *ret)
{
	const MCSchedClassDesc *d = s->model->getSchedClassDesc(sched_class);
	const MCReadAdvanceEntry &a =
		s->subtarget->getReadAdvanceEntries(*d)[index];
	*ret = { a.UseIdx, a.WriteResourceID, a.Cycles };
}

extern "C" bool mc_sched_zero_idiom(const struct mc_sched *s,
				    const struct mc_inst *i)
{
	return or_shortage([&] {
		APInt mask;
		return s->analysis->isZeroIdiom(to_inst(i), mask,
						s->model->getProcessorID());
	});
}

extern "C" bool mc_sched_free_move(const struct mc_sched *s,
				   const struct mc_inst *i)
{
	return s->free_moves && or_shortage([&] {
		       return s->analysis->isOptimizableRegisterMove(
			       to_inst(i), s->model->getProcessorID());
	       });
}
