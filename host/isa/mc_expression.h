/* The expressions of one statement, before LLVM parses them (C++). */
#ifndef ISA_MC_EXPRESSION_H
#define ISA_MC_EXPRESSION_H

#include <llvm/ADT/ArrayRef.h>
#include <llvm/MC/MCAsmMacro.h>

/* Limits of a statement. */
enum {
	EXPRESSION_TOKENS = 1024, /* tokens of a statement */
	EXPRESSION_OPERAND = 128, /* tokens of an operand */
	EXPRESSION_DEPTH = 32,    /* parentheses and signs around a value */
};

/* LLVM counts the labels of a number in a table whose keys have 32 bits, and
 * two of them are its own. */
bool label_number_fits(const llvm::AsmToken &integer);
#define LABEL_NUMBER "a label's number must be below 2147483648"

struct expression_fault {
	const char *what;
	llvm::SMLoc where;
};

/* Check the tokens behind a statement's name.  `intel`: the x86 dialect,
 * whose operators are words as well.  A fault has a message. */
bool expressions_fault(llvm::ArrayRef<llvm::AsmToken> tokens, bool intel,
		       struct expression_fault *ret);

#endif
