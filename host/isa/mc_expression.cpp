/* Check expressions; see mc_expression.h.
 *
 * LLVM folds constants while it parses.  Its evaluators (MCExpr, and
 * InfixCalculator of the x86 parser) divide by zero and overflow, so divisors
 * must be positive numbers that are written out; a name can be none of a
 * constant's value, because names are never assigned.  InfixCalculator also
 * takes an operator without operands or behind a sign from an empty stack, so
 * Intel's operators must stand between operands.  Both recurse, so nesting is
 * limited. */
#include "host/isa/mc_expression.h"

#include <llvm/ADT/StringRef.h>

using namespace llvm;

namespace
{

enum class Kind {
	VALUE, /* a name, a number, or what only the parser knows */
	OPENS,
	CLOSES,
	SEPARATES, /* operands or parts of them: no expression crosses it */
	SIGN,      /* before one operand only */
	EITHER,    /* between two operands or before one */
	BINARY,
	DIVIDES,
};

bool is_word(const AsmToken &t, std::initializer_list<StringRef> words)
{
	if (t.isNot(AsmToken::Identifier))
		return false;
	for (StringRef w : words)
		if (t.getString().equals_insensitive(w))
			return true;
	return false;
}

Kind kind_of(const AsmToken &t, bool intel)
{
	switch (t.getKind()) {
	case AsmToken::LParen:
	case AsmToken::LBrac:
		return Kind::OPENS;
	case AsmToken::RParen:
	case AsmToken::RBrac:
		return Kind::CLOSES;
	case AsmToken::Comma:
	case AsmToken::Colon:
	case AsmToken::LCurly:
	case AsmToken::RCurly:
	case AsmToken::Hash:
	case AsmToken::Dollar:
		return Kind::SEPARATES;
	case AsmToken::Tilde:
	case AsmToken::Exclaim:
		return Kind::SIGN;
	case AsmToken::Plus:
	case AsmToken::Minus:
		return Kind::EITHER;
	case AsmToken::Slash:
	case AsmToken::Percent:
		return Kind::DIVIDES;
	case AsmToken::Star:
	case AsmToken::Amp:
	case AsmToken::AmpAmp:
	case AsmToken::Pipe:
	case AsmToken::PipePipe:
	case AsmToken::Caret:
	case AsmToken::EqualEqual:
	case AsmToken::ExclaimEqual:
	case AsmToken::Less:
	case AsmToken::LessEqual:
	case AsmToken::LessLess:
	case AsmToken::LessGreater:
	case AsmToken::Greater:
	case AsmToken::GreaterEqual:
	case AsmToken::GreaterGreater:
		return Kind::BINARY;
	default:
		break;
	}
	if (!intel)
		return Kind::VALUE;
	if (is_word(t, { "not" }))
		return Kind::SIGN;
	if (is_word(t, { "mod" }))
		return Kind::DIVIDES;
	if (is_word(t, { "and", "or", "xor", "shl", "shr", "eq", "ne", "lt",
			 "le", "gt", "ge" }))
		return Kind::BINARY;
	return Kind::VALUE;
}

class Checker
{
	ArrayRef<AsmToken> tokens;
	bool intel;
	struct expression_fault *fault;
	Kind before = Kind::SEPARATES;
	unsigned depth = 0, signs = 0, length = 0;

	bool bad(const AsmToken &t, const char *what)
	{
		*fault = { what, t.getLoc() };
		return true;
	}

	/* Is there no left operand at a token? */
	bool begins() const
	{
		return before != Kind::VALUE && before != Kind::CLOSES;
	}

	const AsmToken *next(size_t i) const
	{
		return i + 1 < tokens.size() ? &tokens[i + 1] : nullptr;
	}

	/* "1f" is two tokens, with or without a blank. */
	bool is_label(size_t i) const
	{
		const AsmToken *t = next(i);

		if (tokens[i].isNot(AsmToken::Integer) || !t ||
		    t->isNot(AsmToken::Identifier))
			return false;
		StringRef suffix = t->getString().split('@').first;
		return suffix == "f" || suffix == "b";
	}

	bool is_divisor(size_t i) const
	{
		return tokens[i].is(AsmToken::Integer) &&
		       tokens[i].getIntVal() > 0 && !is_label(i);
	}

	bool divides(size_t i)
	{
		const AsmToken *by = next(i);
		bool percent = tokens[i].is(AsmToken::Percent);

		/* A prefix's end, "%rax" and "%lo(x)", "p0/z". */
		if (begins() && (percent || i == 0))
			return false;
		if (by && !intel && kind_of(*by, intel) == Kind::VALUE &&
		    by->is(AsmToken::Identifier))
			return false;
		/* A register's prefix.  In Intel's syntax it may be the
		 * operator, with "not" behind it. */
		if (by && percent && !intel && by->is(AsmToken::Identifier))
			return false;
		if (by && is_divisor(i + 1))
			return false;
		return bad(tokens[i],
			   "the divisor must be a number above 0, as in x/8");
	}

	/* Only one sign, and only before an operand. */
	bool intel_order(const AsmToken &t, Kind k)
	{
		bool operand_ends = k == Kind::CLOSES || k == Kind::SEPARATES ||
				    k == Kind::BINARY || k == Kind::DIVIDES;

		if (operand_ends && waits())
			return bad(
				t,
				"an operand is missing before this operator");
		if ((k == Kind::SIGN || k == Kind::EITHER) &&
		    before == Kind::SIGN)
			return bad(t, "more than one sign before an operand");
		return false;
	}

	bool waits() const
	{
		return before == Kind::SIGN || before == Kind::EITHER ||
		       before == Kind::BINARY || before == Kind::DIVIDES;
	}

	bool nested(const AsmToken &t, Kind k)
	{
		if (k == Kind::OPENS)
			depth++;
		else if (k == Kind::CLOSES && depth > 0)
			depth--;
		signs = begins() && (k == Kind::SIGN || k == Kind::EITHER)
				? signs + 1
				: 0;
		return depth + signs > EXPRESSION_DEPTH &&
		       bad(t, "more than 32 parentheses or signs around an "
			      "operand");
	}

	bool token(size_t i)
	{
		const AsmToken &t = tokens[i];
		Kind k = kind_of(t, intel);

		if (t.is(AsmToken::Comma))
			length = depth = 0;
		else
			length++;
		if (length > EXPRESSION_OPERAND)
			return bad(t, "an operand has more than 128 tokens");
		if (is_label(i) && !label_number_fits(t))
			return bad(t, LABEL_NUMBER);
		if (nested(t, k) || (k == Kind::DIVIDES && divides(i)) ||
		    (intel && intel_order(t, k)))
			return true;
		/* "+" before an operand is a sign. */
		before = k == Kind::EITHER && begins() ? Kind::SIGN : k;
		return false;
	}

      public:
	Checker(ArrayRef<AsmToken> t, bool i, struct expression_fault *f)
	    : tokens(t), intel(i), fault(f)
	{
	}

	bool run()
	{
		for (size_t i = 0; i < tokens.size(); i++)
			if (token(i))
				return true;
		return intel && waits() &&
		       bad(tokens.back(),
			   "an operand is missing behind this operator");
	}
};

} // namespace

bool label_number_fits(const AsmToken &t)
{
	return t.getIntVal() >= 0 && t.getIntVal() <= INT32_MAX;
}

bool expressions_fault(ArrayRef<AsmToken> tokens, bool intel,
		       struct expression_fault *ret)
{
	return Checker(tokens, intel, ret).run();
}
