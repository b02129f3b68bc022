/* See mc_guard.h.
 *
 * LLVM decides a statement's kind in AsmParser::parseStatement(): labels
 * first, then conditions by its own table, assignments if the target has them,
 * macros, and for names with a dot the target's parseDirective(), handlers of
 * extensions, and its own table, in this order.  The rest goes to the target's
 * ParseInstruction().  So a target that takes all directives and no assignments
 * decides all of it, once conditions are gone from the table. */
#include "host/isa/mc_guard.h"

#include "host/isa/mc_expression.h"
#include "host/isa/mc_versions.h"

extern "C" {
#include "host/isa/directive.h"
}

#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCParser/MCAsmParser.h>
#include <llvm/MC/MCStreamer.h>
#include <llvm/MC/MCSubtargetInfo.h>

#include <string>

using namespace llvm;

/* LLVM 22 begins these names in lower case. */
#if !LLVM_22_OR_LATER
#define parseInstruction             ParseInstruction
#define matchAndEmitInstruction      MatchAndEmitInstruction
#define omitRegisterFromClobberLists OmitRegisterFromClobberLists
#endif

namespace
{

class Guard : public MCTargetAsmParser
{
	std::unique_ptr<MCTargetAsmParser> target;

	/* The current token and those behind it, up to the statement's end;
	 * true: there are too many. */
	bool statement(SmallVectorImpl<AsmToken> &tokens)
	{
		size_t n = 0, room = 16;

		for (;; room *= 2) {
			tokens.assign(room, AsmToken());
			tokens[0] = getTok();
			n = 1 + getLexer().peekTokens(
					MutableArrayRef<AsmToken>(tokens)
						.drop_front());
			for (size_t i = 0; i < n; i++)
				if (tokens[i].is(AsmToken::EndOfStatement) ||
				    tokens[i].is(AsmToken::Eof)) {
					tokens.resize(i);
					return i > EXPRESSION_TOKENS;
				}
			if (n < room || room > EXPRESSION_TOKENS)
				return true;
		}
	}

	/* Report what LLVM must not evaluate. */
	bool refuse_expressions()
	{
		bool intel = getSTI().getTargetTriple().isX86() &&
			     getParser().getAssemblerDialect() == 1;
		SmallVector<AsmToken, 16> tokens;
		struct expression_fault fault;

		if (statement(tokens))
			return TokError("the statement has more than 1024 "
					"tokens");
		return !tokens.empty() &&
		       expressions_fault(tokens, intel, &fault) &&
		       Error(fault.where, fault.what);
	}

	/* The numbers of a directive; false: something else is among them. */
	static bool numbers_of(ArrayRef<AsmToken> tokens,
			       SmallVectorImpl<uint64_t> &numbers)
	{
		bool minus = false, expected = true;

		for (const AsmToken &t : tokens) {
			if (t.is(AsmToken::Comma) && !expected) {
				expected = true;
				continue;
			}
			if (t.is(AsmToken::Minus) && expected && !minus) {
				minus = true;
				continue;
			}
			if (t.isNot(AsmToken::Integer) || !expected)
				return false;
			uint64_t n = (uint64_t)t.getIntVal();
			numbers.push_back(minus ? 0 - n : n);
			minus = expected = false;
		}
		return !expected;
	}

	/* Machine code as numbers.  Other operands are data (a table of
	 * addresses) or, of .insn, formats that the target knows. */
	ParseStatus parse_code(AsmToken id, StringRef name)
	{
		const Triple &triple = getSTI().getTargetTriple();
		unsigned word = triple.isX86() ? 2 : 4;
		unsigned size =
			directive_code_bytes(name.data(), name.size(), word);
		SmallVector<AsmToken, 16> tokens;
		SmallVector<uint64_t, 16> numbers;
		std::string bytes;

		if (statement(tokens))
			return TokError("the statement has more than 1024 "
					"tokens");
		if (!numbers_of(tokens, numbers)) {
			if (size == 0 && triple.isRISCV())
				return refuse_expressions()
					       ? ParseStatus(
							 ParseStatus::Failure)
					       : target->parseDirective(id);
			skip();
			return ParseStatus::Success;
		}
		if (size == 0 && numbers.size() == 1)
			size = (numbers[0] & 3) == 3 ? 4 : 2;
		if (size == 0) {
			size = (unsigned)numbers[0];
			numbers.erase(numbers.begin());
			if (size != 2 && size != 4)
				return Error(id.getLoc(),
					     name + " of this length is not "
						    "supported: expected 2 or "
						    "4");
		}
		for (uint64_t n : numbers)
			for (unsigned i = 0; i < size; i++)
				bytes.push_back((char)(n >> 8 * i));
		skip();
		getStreamer().emitBytes(bytes);
		return ParseStatus::Success;
	}

	void skip()
	{
		getParser().eatToEndOfStatement();
	}

      public:
	Guard(std::unique_ptr<MCTargetAsmParser> t, const MCSubtargetInfo &s,
	      const MCInstrInfo &i, const MCTargetOptions &o)
	    : MCTargetAsmParser(o, s, i), target(std::move(t))
	{
	}

	/* ---- what is decided here ------------------------------------- */

	bool equalIsAsmAssignment() override
	{
		return false;
	}

	bool isLabel(AsmToken &token) override
	{
		return (token.isNot(AsmToken::Integer) ||
			label_number_fits(token)) &&
		       target->isLabel(token);
	}

	ParseStatus parseDirective(AsmToken id) override
	{
		/* A quoted name is one as well. */
		StringRef name = id.getIdentifier();
		const char *what = directive_refused(name.data(), name.size());

		if (what)
			return Error(id.getLoc(),
				     name + " is not supported, because it " +
					     what +
					     "; give the compiler's assembly");
		if (directive_code(name.data(), name.size()))
			return parse_code(id, name);
		if (!directive_executed(name.data(), name.size())) {
			skip();
			return ParseStatus::Success;
		}
		if (refuse_expressions())
			return ParseStatus::Failure;
		return target->parseDirective(id);
	}

	bool parseInstruction(ParseInstructionInfo &info, StringRef name,
			      AsmToken token, OperandVector &operands) override
	{
		if (getTok().is(AsmToken::Equal)) {
			skip();
			return false;
		}
		if (token.is(AsmToken::Integer))
			return Error(token.getLoc(), LABEL_NUMBER);
		return refuse_expressions() ||
		       target->parseInstruction(info, name, token, operands);
	}

	bool parseInstruction(ParseInstructionInfo &info, StringRef name,
			      SMLoc where, OperandVector &operands) override
	{
		return target->parseInstruction(info, name, where, operands);
	}

	bool matchAndEmitInstruction(SMLoc where, unsigned &opcode,
				     OperandVector &operands, MCStreamer &out,
				     uint64_t &error, bool inlined) override
	{
		/* Nothing of an assignment. */
		return !operands.empty() &&
		       target->matchAndEmitInstruction(where, opcode, operands,
						       out, error, inlined);
	}

	/* ---- what the target does ------------------------------------- */

	void Initialize(MCAsmParser &p) override
	{
		MCTargetAsmParser::Initialize(p);
		target->Initialize(p);
		for (const struct refused_directives *d = refused_directives;
		     d->names; d++)
			for (const char *const *x = d->names; *x; x++)
				p.addAliasForDirective(*x, ".none");
	}

	bool parsePrimaryExpr(const MCExpr *&result, SMLoc &end) override
	{
		return target->parsePrimaryExpr(result, end);
	}

	bool parseRegister(MCRegister &reg, SMLoc &start, SMLoc &end) override
	{
		return target->parseRegister(reg, start, end);
	}

	ParseStatus tryParseRegister(MCRegister &reg, SMLoc &start,
				     SMLoc &end) override
	{
		return target->tryParseRegister(reg, start, end);
	}

#if LLVM_22_OR_LATER
	using any_register = MCRegister;
#else
	using any_register = unsigned;
#endif
	bool omitRegisterFromClobberLists(any_register reg) override
	{
		return target->omitRegisterFromClobberLists(reg);
	}

	void convertToMapAndConstraints(unsigned kind,
					const OperandVector &operands) override
	{
		target->convertToMapAndConstraints(kind, operands);
	}

	/* What follows '@' or '*', and data that may have such. */
#if LLVM_22_OR_LATER
	bool tokenIsStartOfStatement(AsmToken::TokenKind kind) override
	{
		return target->tokenIsStartOfStatement(kind);
	}

	const MCExpr *applySpecifier(const MCExpr *e, uint32_t kind,
				     MCContext &context) override
	{
		return target->applySpecifier(e, kind, context);
	}

	bool parseDataExpr(const MCExpr *&result) override
	{
		return target->parseDataExpr(result);
	}
#else
	bool starIsStartOfStatement() override
	{
		return target->starIsStartOfStatement();
	}

	MCSymbolRefExpr::VariantKind getVariantKindForName(
		StringRef name) const override
	{
		return target->getVariantKindForName(name);
	}

	const MCExpr *applyModifierToExpr(const MCExpr *e,
					  MCSymbolRefExpr::VariantKind kind,
					  MCContext &context) override
	{
		return target->applyModifierToExpr(e, kind, context);
	}

	const MCExpr *createTargetUnaryExpr(const MCExpr *e,
					    AsmToken::TokenKind kind,
					    MCContext &context) override
	{
		return target->createTargetUnaryExpr(e, kind, context);
	}
#endif

	void doBeforeLabelEmit(MCSymbol *symbol, SMLoc where) override
	{
		target->doBeforeLabelEmit(symbol, where);
	}

	void onLabelParsed(MCSymbol *symbol) override
	{
		target->onLabelParsed(symbol);
	}

	void flushPendingInstructions(MCStreamer &out) override
	{
		target->flushPendingInstructions(out);
	}

	void onBeginOfFile() override
	{
		target->onBeginOfFile();
	}

	void onEndOfFile() override
	{
		target->onEndOfFile();
	}
};

} // namespace

std::unique_ptr<MCTargetAsmParser> guard_target(
	MCAsmParser &parser, std::unique_ptr<MCTargetAsmParser> target,
	const MCSubtargetInfo &subtarget, const MCInstrInfo &instrs,
	const MCTargetOptions &options)
{
	auto guard = std::make_unique<Guard>(std::move(target), subtarget,
					     instrs, options);

	parser.setTargetParser(*guard);
	return guard;
}
