/* Variants: forms that share an opcode and differ in their setup, in families
 * that a user chooses from. */
#ifndef ISA_VARIANT_H
#define ISA_VARIANT_H

#include "common/types.h"
#include "host/base/arena.h"
#include "host/base/err.h"

struct form; /* host/isa/catalogue.h */

/* Families of variants, which --variants chooses from.  X(enumerator, word,
 * measured by default, meaning). */
#define FAMILY_LIST(X)                                                        \
	X(PLAIN, "plain", true, "the opcode as it is, values 1")              \
	X(VECTOR, "vector", true, "RISC-V vector types: SEW, LMUL, masked")   \
	X(ADDRESS, "address", true, "lea by the parts of its address")        \
	X(SAME, "same", true, "idioms: all sources one register")             \
	X(SAME_REGISTER, "same-register", true,                               \
	  "sums and products in the register of a source")                    \
	X(BRANCH, "branch", true, "branches by where they go, calls")         \
	X(FUSED, "fused", true, "comparisons with the branch behind them")    \
	X(CONDITION, "condition", true, "conditions other than equal")        \
	X(PAIR, "pair", true, "conditional stores with their reservation")    \
	X(STACK, "stack", true, "push, pop alone, and with what moves back")  \
	X(STRING, "string", true, "string instructions with their pointers")  \
	X(LAYOUT, "layout", true,                                             \
	  "accesses in one line, in others, in a place")                      \
	X(HIGH, "high", true, "bytes in ah, bh, ch, dh")                      \
	X(NUMBER, "number", true, "immediates that cores treat apart")        \
	X(DECODED, "decoded", true, "code that no cache of decoded holds")    \
	X(FAST, "fast", true, "divisions, roots of values that end early")    \
	X(SLOW, "slow", true, "divisions, roots of values that take longest") \
	X(WIDE, "wide", true, "products of numbers of 64 bits")               \
	X(NORMAL, "normal", false, "floats with full mantissas")              \
	X(ZERO, "zero", false, "floats of zero")                              \
	X(DENORMAL, "denormal", false, "floats below the smallest normal")    \
	X(DIRTY, "dirty", false, "legacy SSE while upper halves are in use")  \
	X(ONE_ELEMENT, "vl1", false, "RISC-V vectors with vl = 1")            \
	X(TAIL, "tu", false, "RISC-V vectors, tail undisturbed")              \
	X(INACTIVE, "mu", false, "RISC-V vectors, inactive undisturbed")      \
	X(NO_LANES, "false", false, "SVE with predicates false everywhere")   \
	X(X87, "x87", true, "the x87 stack, alone or with what keeps it")     \
	X(LINE, "line", false, "loads, stores across two cache lines")        \
	X(PAGE, "page", false, "loads, stores across two pages")              \
	X(INDEX, "index", false, "addresses with an index")                   \
	X(SCALED, "scaled", true, "loads with an index times 2, 4, 8")

enum variant_family {
#define X(id, word, chosen, meaning) FAMILY_##id,
	FAMILY_LIST(X)
#undef X
		FAMILY_N,
};

/* One of the forms that share an opcode: the setup that it needs.  Its suffix
 * follows the opcode's name, VADD_VV/e32,m2,masked. */
struct variant {
	const char *suffix;
	uint8_t family;       /* enum variant_family */
	uint8_t shape;        /* the ISA's own number, for shape_form */
	uint16_t vector_type; /* RISC-V vtype; vl is VLMAX */
	bool masked;          /* by a mask that is true everywhere */
	bool reshapes;        /* its operands differ from the opcode's */
	/* Every access starts `head` bytes before a multiple of `boundary`
	 * bytes and ends behind it; boundary 0: accesses are aligned. */
	uint8_t head;
	uint16_t boundary;
	int64_t number;   /* FAMILY_NUMBER, FAMILY_SCALED: the immediate */
	uint8_t layout;   /* enum layout of host/isa/layout.h */
	uint8_t distance; /* bytes from a branch to its target; 0: none */
	/* Why no chain is measured, NULL: chains are. */
	const char *unchained;
};

/* Families that are measured by default; bit i: family i. */
uint64_t families_default(void);

/* Parse "slow,denormal" (`plain` is always among them), "all" or "default";
 * NULL is the default.  ERR_USAGE lists the words. */
int families_parse(const char *words, uint64_t *ret_families, struct err *e);

/* The words of these families, which families_parse() reads; in `a`. */
char *families_words(struct arena *a, uint64_t chosen);

/* Variants of a form, collected by the hooks of struct isa.  Zero-initialise
 * before use, held_free(list) after it. */
struct variant_list {
	const struct variant **list;
	size_t n, room;
};

/* The variants outlive the list. */
void variant_add(struct variant_list *l, const struct variant *v);

/* Add n variants, or those before the first NULL. */
void variant_add_all(struct variant_list *l, const struct variant *const *v,
		     size_t n);

/* The family of a form: that of its variant. */
enum variant_family form_family(const struct form *form);

/* Is the form among the chosen families (bit i: family i)? */
bool form_chosen(const struct form *form, uint64_t families);

#endif
