/* LLVM's assembly parser; see mc_parse.h.  The streamer writes nothing.  It
 * encodes each parsed instruction and passes the bytes on.  The decoder finds
 * their form, so text and object file give the same form. */
extern "C" {
#include "host/isa/mc_parse.h"
}
#include "host/isa/mc_guard.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCCodeEmitter.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCExpr.h>
#include <llvm/MC/MCFixup.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCObjectFileInfo.h>
#include <llvm/MC/MCParser/AsmLexer.h>
#include <llvm/MC/MCParser/MCAsmParser.h>
#include <llvm/MC/MCParser/MCTargetAsmParser.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSection.h>
#include <llvm/MC/MCStreamer.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCSymbol.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/TargetParser/Triple.h>

#include <cstring>
#include <memory>
#include <string>

#include "host/isa/mc_features.h"

using namespace llvm;

struct mc_parser {
	struct hold hold;
	const Target *target;
	Triple triple;
	MCTargetOptions options;
	std::unique_ptr<MCRegisterInfo> regs;
	std::unique_ptr<MCAsmInfo> asm_info;
	std::unique_ptr<MCInstrInfo> instrs;
	std::unique_ptr<MCSubtargetInfo> subtarget;
};

static void release_parser(void *object)
{
	mc_parser_close(static_cast<struct mc_parser *>(object));
}

static int open_parser(const char *triple, const char *cpu,
		       const char *features, struct mc_parser **ret_parser,
		       struct err *e)
{
	const Target *target = find_target(triple);
	if (!target)
		return err_set(e, ERR_SYSTEM, "LLVM: no target for %s", triple);
	auto p = std::make_unique<struct mc_parser>();
	p->target = target;
	p->triple = Triple(triple);
	p->regs.reset(target->createMCRegInfo(triple_of(triple)));
	p->asm_info.reset(target->createMCAsmInfo(*p->regs, triple_of(triple),
						  p->options));
	p->instrs.reset(target->createMCInstrInfo());
	std::unique_ptr<MCSubtargetInfo> none(
		target->createMCSubtargetInfo(triple_of(triple), cpu, ""));
	if (none)
		p->subtarget.reset(target->createMCSubtargetInfo(
			triple_of(triple), cpu,
			known_features(*none, features)));
	if (!p->subtarget)
		return err_set(e, ERR_SYSTEM, "LLVM: no subtarget for %s",
			       triple);
	guard_hold(&p->hold, release_parser, p.get());
	*ret_parser = p.release();
	return ERR_OK;
}

extern "C" int mc_parser_open(const char *triple, const char *cpu,
			      const char *features,
			      struct mc_parser **ret_parser, struct err *e)
{
	return or_shortage([&] {
		return open_parser(triple, cpu, features, ret_parser, e);
	});
}

extern "C" void mc_parser_close(struct mc_parser *p)
{
	if (p)
		guard_drop(&p->hold);
	delete p;
}

namespace
{

const MCSymbol *symbol_of(const MCExpr *x)
{
	/* The line length is bounded, and so is the depth of expressions. */
	switch (x->getKind()) {
	case MCExpr::SymbolRef:
		return &cast<MCSymbolRefExpr>(x)->getSymbol();
	case MCExpr::Unary:
		return symbol_of(cast<MCUnaryExpr>(x)->getSubExpr());
	case MCExpr::Binary: {
		const auto *b = cast<MCBinaryExpr>(x);
		const MCSymbol *s = symbol_of(b->getLHS());
		return s ? s : symbol_of(b->getRHS());
	}
	default:
		return nullptr;
	}
}

/* The symbol of the first operand that is not a number.  AArch64 and RISC-V
 * wrap symbols in expressions of their own. */
void name_operand(const MCInst &inst, const MCAsmInfo &info, std::string &name)
{
	for (const MCOperand &o : inst) {
		if (!o.isExpr())
			continue;
		const MCSymbol *s = symbol_of(o.getExpr());
		if (s && o.getExpr()->getKind() == MCExpr::SymbolRef) {
			name = s->getName().str();
			return;
		}
		raw_string_ostream out(name);
		print_expression(out, *o.getExpr(), info);
		return;
	}
}

/* The end of the parsing, at the first error or when the sink wants no more:
 * nothing is left to lex.  LLVM would go on behind errors. */
class Rest
{
	AsmLexer *lexer = nullptr;
	StringRef end;

      public:
	explicit Rest(StringRef text) : end(text.take_back(0))
	{
	}

	/* LLVM's assembly parser has no other lexer. */
	void of(MCAsmParser &parser)
	{
		lexer = static_cast<AsmLexer *>(&parser.getLexer());
	}

	void drop()
	{
		if (lexer)
			lexer->setBuffer(end);
	}
};

class Sink : public MCStreamer
{
	SourceMgr &sources;
	Rest &rest;
	const MCInstrInfo &instrs;
	const MCAsmInfo &info;
	MCCodeEmitter &emitter;
	mc_sink sink;
	void *sink_context;

	void pass(struct mc_statement &s, const std::string &name)
	{
		s.name = name.c_str();
		s.line = sources.FindLineNumber(getStartTokLoc());
		if (status != 0)
			return;
		/* The parser ends as usual, so that it frees what it has. */
		try {
			status = call_back(
				[&] { return sink(sink_context, &s); });
		} catch (const std::bad_alloc &) {
			shortage = true;
			status = -1;
		}
		if (status != 0)
			rest.drop();
	}

      public:
	int status = 0;
	bool shortage = false;

	Sink(MCContext &context, SourceMgr &m, Rest &r, const MCInstrInfo &i,
	     MCCodeEmitter &c, mc_sink f, void *f_context)
	    : MCStreamer(context), sources(m), rest(r), instrs(i),
	      info(*context.getAsmInfo()), emitter(c), sink(f),
	      sink_context(f_context)
	{
	}

	void emitInstruction(const MCInst &inst,
			     const MCSubtargetInfo &subtarget) override
	{
		struct mc_statement s = {};
		SmallVector<char, MC_MAX_CODE> bytes;
		SmallVector<MCFixup, 4> fixups;
		std::string name;
		if (status != 0)
			return;
		name_operand(inst, info, name);
		const MCInstrDesc &d = instrs.get(inst.getOpcode());
		s.branch = d.isBranch() && !name.empty();
		emitter.encodeInstruction(inst, bytes, fixups, subtarget);
		if (bytes.size() <= MC_MAX_CODE) {
			s.n_code = bytes.size();
			memcpy(s.code, bytes.data(), bytes.size());
		}
		pass(s, name);
	}

	void emitBytes(StringRef data) override
	{
		for (size_t at = 0; at < data.size() && status == 0;
		     at += MC_MAX_CODE) {
			struct mc_statement s = {};
			StringRef part = data.substr(at, MC_MAX_CODE);

			s.is_raw = true;
			s.n_code = part.size();
			memcpy(s.code, part.data(), part.size());
			pass(s, "");
		}
	}

	void emitLabel(MCSymbol *symbol, SMLoc) override
	{
		struct mc_statement s = {};
		s.is_label = true;
		/* The parser requires definitions of numeric labels. */
		if (symbol->isUndefined() && !symbol->isVariable())
			symbol->setFragment(
				&getCurrentSectionOnly()->getDummyFragment());
		pass(s, symbol->getName().str());
	}

	bool emitSymbolAttribute(MCSymbol *, MCSymbolAttr) override
	{
		return true;
	}
	void emitCommonSymbol(MCSymbol *, uint64_t, Align) override
	{
	}
	void emitZerofill(MCSection *, MCSymbol *, uint64_t, Align,
			  SMLoc) override
	{
	}
};

struct first_error {
	struct err *e;
	const char *name;
	Rest rest;
};

void on_diagnostic(const SMDiagnostic &d, void *context)
{
	auto *f = static_cast<struct first_error *>(context);
	if (d.getKind() != SourceMgr::DK_Error)
		return;
	(void)err_set(f->e, ERR_INPUT, "%s:%d:%d: %s", f->name, d.getLineNo(),
		      d.getColumnNo() + 1, d.getMessage().str().c_str());
	f->rest.drop();
}

} // namespace

namespace
{

/* What LLVM needs to parse one text.  Order matters: later members refer to
 * earlier ones.  The constructor leaves all that LLVM allocates in the context
 * to run(): an object whose constructor throws has its members destroyed. */
struct parsing {
	struct first_error error;
	SourceMgr sources;
	MCContext context;
	std::unique_ptr<MCObjectFileInfo> files;
	std::unique_ptr<MCCodeEmitter> emitter;
	std::unique_ptr<Sink> out;
	std::unique_ptr<MCAsmParser> parser;
	std::unique_ptr<MCTargetAsmParser> guard;

	parsing(const struct mc_parser *p, const struct first_error &e)
	    : error(e), context(p->triple, p->asm_info.get(), p->regs.get(),
				p->subtarget.get(), &sources, &p->options)
	{
	}

	int run(const struct mc_parser *p, StringRef text, unsigned dialect,
		mc_sink sink, void *sink_context)
	{
		struct err *e = error.e;
		sources.AddNewSourceBuffer(
			MemoryBuffer::getMemBuffer(text, error.name, true),
			SMLoc());
		sources.setDiagHandler(on_diagnostic, &error);
		files.reset(p->target->createMCObjectFileInfo(context, false));
		context.setObjectFileInfo(files.get());
		emitter.reset(
			p->target->createMCCodeEmitter(*p->instrs, context));
		out = std::make_unique<Sink>(context, sources, error.rest,
					     *p->instrs, *emitter, sink,
					     sink_context);
		p->target->createNullTargetStreamer(*out);
		parser.reset(createMCAsmParser(sources, context, *out,
					       *p->asm_info));
		std::unique_ptr<MCTargetAsmParser> target(
			p->target->createMCAsmParser(*p->subtarget, *parser,
						     *p->instrs, p->options));
		if (!target)
			return err_set(e, ERR_SYSTEM,
				       "LLVM: no assembly parser");
		guard = guard_target(*parser, std::move(target), *p->subtarget,
				     *p->instrs, p->options);
		parser->setAssemblerDialect(dialect);
		error.rest.of(*parser);
		bool failed = parser->Run(false, true);
		if (out->status != 0)
			return out->status;
		if (e->code != ERR_OK)
			return e->code;
		if (failed)
			return err_set(e, ERR_INPUT,
				       "assembly: LLVM cannot parse it");
		return ERR_OK;
	}
};

} // namespace

static int parse(struct mc_parser *p, const struct mc_text *t, mc_sink sink,
		 void *context, struct err *e)
{
	StringRef text(t->text, t->n);
	auto x = std::make_unique<parsing>(
		p, first_error{ e, t->name, Rest(text) });
	int status;
	try {
		status = x->run(p, text, t->dialect, sink, context);
	} catch (const std::bad_alloc &) {
		/* LLVM was interrupted: a table may have its new size and still
		 * its old memory, and must not be freed. */
		(void)x.release();
		throw;
	}
	if (x->out->shortage)
		throw std::bad_alloc();
	return status;
}

extern "C" int mc_parse(struct mc_parser *p, const struct mc_text *x,
			mc_sink sink, void *context, struct err *e)
{
	return or_shortage([&] { return parse(p, x, sink, context, e); });
}
