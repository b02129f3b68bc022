/* LLVM 19's MC layer as the plain C of mc.h.  The C++ of the project is this
 * file, mc_sched.cpp and the other mc*.cpp.  No decision is made here. */
extern "C" {
#include "host/isa/mc.h"
}

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCCodeEmitter.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCExpr.h>
#include <llvm/MC/MCFixup.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "host/isa/mc_features.h"

using namespace llvm;

/* Order matters: later members refer to earlier ones. */
struct mc {
	struct hold hold;
	Triple triple;
	std::string cpu;
	MCTargetOptions options;
	std::unique_ptr<MCRegisterInfo> regs;
	std::unique_ptr<MCAsmInfo> asm_info;
	std::unique_ptr<MCInstrInfo> instrs;
	std::unique_ptr<MCSubtargetInfo> subtarget[MC_N_VIEWS];
	std::unique_ptr<MCContext> context;
	std::unique_ptr<MCCodeEmitter> emitter;
	std::unique_ptr<MCDisassembler> disassembler[MC_N_VIEWS];
	std::unique_ptr<MCInstPrinter> printer;
	std::unique_ptr<MCInstPrinter> other_printer;
	std::string mnemonic;
};

static int open_subtargets(struct mc *m, const Target *target,
			   const struct mc_config *c, struct err *e)
{
	std::string name = c->all_cpu;
	std::unique_ptr<MCSubtargetInfo> none(
		target->createMCSubtargetInfo(triple_of(c->triple), name, ""));
	if (!none)
		return err_set(e, ERR_SYSTEM, "LLVM: no subtarget for %s",
			       c->triple);
	std::string features = known_features(*none, c->plain_features);
	std::string all = known_features(*none, c->all_features);
	std::string vendor = known_features(*none, c->vendor_features);
	if (!vendor.empty())
		vendor.insert(0, ",");
	m->subtarget[MC_ALL].reset(target->createMCSubtargetInfo(
		triple_of(c->triple), name, all + vendor));
	m->subtarget[MC_PLAIN].reset(target->createMCSubtargetInfo(
		triple_of(c->triple), name, features + vendor));
	if (c->cpu) {
		int status = resolve_cpu(*m->subtarget[MC_ALL], m->triple,
					 c->cpu, name, features, e);
		if (status != ERR_OK)
			return status;
	}
	m->subtarget[MC_STATE].reset(target->createMCSubtargetInfo(
		triple_of(c->triple), name, c->cpu ? features : all));
	if (*c->taken_features)
		features += (features.empty() ? "" : ",") +
			    std::string(c->taken_features);
	m->cpu = c->cpu ? c->cpu : "any";
	if (m->cpu == "native" || m->cpu.compare(0, 7, "native,") == 0)
		m->cpu.replace(0, 6, name);
	m->subtarget[MC_CPU].reset(target->createMCSubtargetInfo(
		triple_of(c->triple), name, features));
	return ERR_OK;
}

static int open_coders(struct mc *m, const Target *target, struct err *e)
{
	m->context = std::make_unique<MCContext>(
		m->triple, m->asm_info.get(), m->regs.get(),
		m->subtarget[MC_ALL].get(), nullptr, &m->options);
	m->emitter.reset(target->createMCCodeEmitter(*m->instrs, *m->context));
	for (int v = 0; v < MC_N_VIEWS; v++)
		m->disassembler[v].reset(target->createMCDisassembler(
			*m->subtarget[v], *m->context));
	m->printer.reset(target->createMCInstPrinter(
		m->triple, m->asm_info->getAssemblerDialect(), *m->asm_info,
		*m->instrs, *m->regs));
	m->other_printer.reset(target->createMCInstPrinter(
		m->triple, 1, *m->asm_info, *m->instrs, *m->regs));
	if (!m->emitter || !m->disassembler[MC_ALL] ||
	    !m->disassembler[MC_CPU] || !m->printer)
		return err_set(e, ERR_SYSTEM,
			       "LLVM: no encoder or disassembler for %s",
			       m->triple.str().c_str());
	return ERR_OK;
}

static void release_mc(void *object)
{
	mc_close(static_cast<struct mc *>(object));
}

static int open_mc(const struct mc_config *c, struct mc **ret_mc, struct err *e)
{
	const Target *target = find_target(c->triple);
	if (!target)
		return err_set(e, ERR_SYSTEM, "LLVM: no target for %s",
			       c->triple);
	auto m = std::make_unique<struct mc>();
	m->triple = Triple(c->triple);
	m->regs.reset(target->createMCRegInfo(triple_of(c->triple)));
	m->asm_info.reset(target->createMCAsmInfo(
		*m->regs, triple_of(c->triple), m->options));
	m->instrs.reset(target->createMCInstrInfo());
	int status = open_subtargets(m.get(), target, c, e);
	if (status == ERR_OK)
		status = open_coders(m.get(), target, e);
	if (status == ERR_OK) {
		guard_hold(&m->hold, release_mc, m.get());
		*ret_mc = m.release();
	}
	return status;
}

extern "C" int mc_open(const struct mc_config *c, struct mc **ret_mc,
		       struct err *e)
{
	return or_shortage([&] { return open_mc(c, ret_mc, e); });
}

extern "C" void mc_close(struct mc *m)
{
	if (m)
		guard_drop(&m->hold);
	delete m;
}

extern "C" const char *mc_version(void)
{
	return LLVM_VERSION_STRING;
}

extern "C" const void *mc_code(void)
{
	return reinterpret_cast<const void *>(&sys::getHostCPUName);
}

extern "C" const char *mc_cpu(const struct mc *m)
{
	return m->cpu.c_str();
}

extern "C" bool mc_has(const struct mc *m, enum mc_view view,
		       const char *features)
{
	const MCSubtargetInfo &s = *m->subtarget[view];
	StringRef list(features);
	while (!list.empty()) {
		auto [head, rest] = list.split(',');
		list = rest;
		bool found = false;
		for (const SubtargetFeatureKV &f : s.getAllProcessorFeatures())
			if (head == f.Key)
				found = s.getFeatureBits().test(f.Value);
		if (!found)
			return false;
	}
	return true;
}

extern "C" size_t mc_n_regs(const struct mc *m)
{
	return m->regs->getNumRegs();
}

extern "C" void mc_get_reg(const struct mc *m, size_t reg, struct mc_reg *ret)
{
	MCRegister r((unsigned)reg);
	ret->name = m->regs->getName(r);
	ret->encoding = m->regs->getEncodingValue(r);
}

extern "C" size_t mc_n_classes(const struct mc *m)
{
	return m->regs->getNumRegClasses();
}

extern "C" void mc_get_class(const struct mc *m, size_t index,
			     struct mc_class *ret)
{
	const MCRegisterClass &c = m->regs->getRegClass((unsigned)index);
	ret->name = m->regs->getRegClassName(&c);
	ret->regs = c.begin();
	ret->n_regs = c.getNumRegs();
	ret->bits = c.getSizeInBits();
}

extern "C" size_t mc_n_opcodes(const struct mc *m)
{
	return m->instrs->getNumOpcodes();
}

static unsigned opcode_flags(const MCInstrDesc &d)
{
	unsigned flags = 0;
	if (d.isPseudo() || d.isPreISelOpcode() || d.isMetaInstruction())
		flags |= MC_PSEUDO;
	if (d.mayLoad())
		flags |= MC_MAY_LOAD;
	if (d.mayStore())
		flags |= MC_MAY_STORE;
	if (d.isBranch() || d.isCall() || d.isReturn() || d.isTrap() ||
	    d.isBarrier() || d.isTerminator() || d.isIndirectBranch())
		flags |= MC_CONTROL_FLOW;
	if (d.hasUnmodeledSideEffects())
		flags |= MC_SIDE_EFFECTS;
	if (d.isVariadic())
		flags |= MC_VARIADIC;
	if (d.isMoveReg())
		flags |= MC_MOVE;
	return flags;
}

extern "C" void mc_get_opcode(const struct mc *m, size_t opcode,
			      struct mc_opcode *ret)
{
	const MCInstrDesc &d = m->instrs->get((unsigned)opcode);
	/* LLVM's names are NUL-terminated in one table. */
	ret->name = m->instrs->getName((unsigned)opcode).data();
	ret->flags = opcode_flags(d);
	ret->target_flags = d.TSFlags;
	ret->sched_class = d.getSchedClass();
	ret->n_operands = d.getNumOperands();
	ret->n_defs = d.getNumDefs();
	ret->uses = d.implicit_uses().data();
	ret->n_uses = d.implicit_uses().size();
	ret->defs = d.implicit_defs().data();
	ret->n_implicit_defs = d.implicit_defs().size();
}

static enum mc_operand_kind operand_kind(const MCOperandInfo &o)
{
	if (o.OperandType == MCOI::OPERAND_MEMORY)
		return MC_OPERAND_MEM;
	if (o.OperandType == MCOI::OPERAND_PCREL)
		return MC_OPERAND_PCREL;
	if (class_by_mode(o))
		return MC_OPERAND_MEM;
	return o.RegClass >= 0 ? MC_OPERAND_REG : MC_OPERAND_IMM;
}

extern "C" void mc_get_operand(const struct mc *m, size_t opcode,
			       unsigned operand, struct mc_operand *ret)
{
	const MCInstrDesc &d = m->instrs->get((unsigned)opcode);
	const MCOperandInfo &o = d.operands()[operand];
	ret->kind = (uint8_t)operand_kind(o);
	ret->pointer = class_by_mode(o);
	ret->reg_class = ret->pointer ? -1 : o.RegClass;
	ret->tied_to = d.getOperandConstraint(operand, MCOI::TIED_TO);
	ret->apart = d.getOperandConstraint(operand, MCOI::EARLY_CLOBBER) >= 0;
}

/* Write the distance of a branch, counted from the end of the field. */
static bool resolve(const MCFixup &fixup, SmallVectorImpl<char> &bytes)
{
	int64_t value;
	size_t n = pcrel_bytes(fixup);
	size_t at = fixup.getOffset();
	if (n == 0 || at + n > bytes.size() ||
	    !fixup.getValue()->evaluateAsAbsolute(value))
		return false;
	value += PCREL_FROM_FIELD ? (int64_t)n : 0;
	for (size_t i = 0; i < n; i++)
		bytes[at + i] = (char)(value >> (8 * i));
	return true;
}

/* With the operands at the end that have one register alone to be, which a form has
 * as implicit: the V0 of VADC_VVM. */
static MCInst whole_inst(const struct mc *m, const struct mc_inst *i)
{
	MCInst inst = to_inst(i);
	const MCInstrDesc &d = m->instrs->get(i->opcode);
	for (unsigned k = i->n; k < d.getNumOperands(); k++) {
		const MCOperandInfo &o = d.operands()[k];
		if (class_by_mode(o) || o.RegClass < 0)
			break;
		const MCRegisterClass &c =
			m->regs->getRegClass((unsigned)o.RegClass);
		if (c.getNumRegs() != 1)
			break;
		inst.addOperand(MCOperand::createReg(*c.begin()));
	}
	return inst;
}

static size_t encode(struct mc *m, const struct mc_inst *i, unsigned char *code,
		     size_t room)
{
	SmallVector<char, MC_MAX_CODE> bytes;
	SmallVector<MCFixup, 4> fixups;
	m->emitter->encodeInstruction(whole_inst(m, i), bytes, fixups,
				      *m->subtarget[MC_ALL]);
	for (const MCFixup &fixup : fixups)
		if (!resolve(fixup, bytes))
			return 0;
	if (bytes.empty() || bytes.size() > room)
		return 0;
	memcpy(code, bytes.data(), bytes.size());
	return bytes.size();
}

extern "C" size_t mc_encode(struct mc *m, const struct mc_inst *i,
			    unsigned char *code, size_t room)
{
	return or_shortage([&] { return encode(m, i, code, room); });
}

/* A decoded instruction with too many operands is rejected. */
static bool from_inst(const MCInst &inst, struct mc_inst *ret)
{
	if (inst.getNumOperands() > MC_MAX_OPERANDS)
		return false;
	ret->opcode = inst.getOpcode();
	ret->n = inst.getNumOperands();
	for (uint32_t k = 0; k < ret->n; k++) {
		const MCOperand &o = inst.getOperand(k);
		ret->kind[k] = MC_VALUE_OTHER;
		ret->value[k] = 0;
		if (o.isReg()) {
			ret->kind[k] = MC_VALUE_REG;
			ret->value[k] = o.getReg();
		} else if (o.isImm()) {
			ret->kind[k] = MC_VALUE_IMM;
			ret->value[k] = o.getImm();
		}
	}
	return true;
}

static size_t decode(struct mc *m, enum mc_view view, const unsigned char *code,
		     size_t n, struct mc_inst *ret)
{
	MCInst inst;
	uint64_t size = 0;
	/* SoftFail marks unpredictable encodings, which are not well-formed. */
	if (m->disassembler[view]->getInstruction(
		    inst, size, ArrayRef<uint8_t>(code, n), 0, nulls()) !=
		    MCDisassembler::Success ||
	    size == 0 || size > n || !from_inst(inst, ret))
		return 0;
	return (size_t)size;
}

extern "C" size_t mc_decode(struct mc *m, enum mc_view view,
			    const unsigned char *code, size_t n,
			    struct mc_inst *ret)
{
	return or_shortage([&] { return decode(m, view, code, n, ret); });
}

static void print_with(struct mc *m, MCInstPrinter *printer,
		       const struct mc_inst *i, char *text, size_t room)
{
	SmallString<128> out;
	raw_svector_ostream stream(out);
	MCInst inst = whole_inst(m, i);
	printer->printInst(&inst, 0, "", *m->subtarget[MC_ALL], stream);
	size_t n = 0;
	for (char c : out) {
		if (c == '\t' || c == '\n')
			c = ' ';
		bool blank = c == ' ' && (n == 0 || text[n - 1] == ' ');
		if (!blank && n + 1 < room)
			text[n++] = c;
	}
	while (n > 0 && text[n - 1] == ' ')
		n--;
	text[n] = '\0';
}

extern "C" void mc_print(struct mc *m, const struct mc_inst *i, char *text,
			 size_t room)
{
	or_shortage([&] { print_with(m, m->printer.get(), i, text, room); });
}

extern "C" void mc_print_other(struct mc *m, const struct mc_inst *i,
			       char *text, size_t room)
{
	if (m->other_printer)
		or_shortage([&] {
			print_with(m, m->other_printer.get(), i, text, room);
		});
	else if (room > 0)
		text[0] = '\0';
}

extern "C" const char *mc_mnemonic(struct mc *m, const struct mc_inst *i)
{
	return or_shortage([&] {
		MCInst inst = whole_inst(m, i);
		const char *s = mnemonic_of(*m->printer, inst);
		m->mnemonic = s ? StringRef(s).trim().str() : "";
		return m->mnemonic.c_str();
	});
}
