/* Variants: forms that share an opcode and differ in their setup, in families
 * that a user chooses from. */
#ifndef ISA_VARIANT_H
#define ISA_VARIANT_H

#include "common/types.h"
#include "host/base/arena.h"
#include "host/base/err.h"
#include "host/isa/catalogue.h"
#include "host/isa/match.h"

struct instance; /* host/isa/instance.h */
struct isa;      /* host/isa/isa.h */

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
	X(SCALED, "scaled", true, "loads with an index times 2, 4, 8")        \
	X(SYSTEM, "system", false, "barriers, cleaned lines, system registers")

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
	uint8_t shape;        /* what the family's struct isa_family means */
	uint16_t vector_type; /* RISC-V vtype; vl is VLMAX */
	bool masked;          /* by a mask that is true everywhere */
	bool reshapes;        /* its operands differ from the opcode's */
	/* Every access starts `head` bytes before a multiple of `boundary`
	 * bytes and ends behind it; boundary 0: accesses are aligned. */
	uint8_t head;
	uint16_t boundary;
	/* The class of numbers that the variant stands for. */
	int16_t low, high;
	uint8_t scale; /* FAMILY_SCALED: what the index is multiplied by */
	/* FAMILY_NUMBER, FAMILY_CONDITION, FAMILY_SCALED: what `operand` of
	 * the form is; operand 0: its first immediate. */
	uint8_t operand;
	int64_t number;
	uint8_t layout;   /* enum layout of host/isa/layout.h */
	uint8_t distance; /* bytes from a branch to its target; 0: none */
	/* Why no chain is measured, NULL: chains are. */
	const char *unchained;
};

/* Forms that have a variant, by their names and, unless it is NULL, by `when`.
 * Tables end with NULL names.
 *
 * Some cores execute an addition of a small constant in the renamer, or a
 * rotation by one on another unit.  So a form is measured with a number that
 * none treats specially (struct isa, usual_numbers), and has a variant for each
 * class of numbers that some core does (FAMILY_NUMBER). */
struct variant_rule {
	const char *const *names; /* patterns of host/isa/match.h */
	struct variant variant;
	bool (*when)(const struct catalogue *c, const struct form *form,
		     const struct variant *v);
};

/* A row of a table: patterns, a condition or NULL, the suffix, the family
 * without FAMILY_, and other members of the variant. */
#define VARIANT(patterns, condition, word, kind, ...) \
	{                                             \
		.names = patterns, .when = condition, \
		.variant = { .suffix = word,          \
			     .family = FAMILY_##kind, \
			     __VA_ARGS__ },           \
	}

/* A class of numbers, from `least` to `most`, of which `what` is measured; the
 * names follow. */
#define NUMBER_CLASS(word, what, least, most, ...)                        \
	VARIANT(NAMES(__VA_ARGS__), NULL, word, NUMBER, .reshapes = true, \
		.number = what, .low = least, .high = most)

/* Other conditions than `equal`. */
#define CONDITION_CODE(word, code, ...)                                      \
	VARIANT(NAMES(__VA_ARGS__), NULL, word, CONDITION, .reshapes = true, \
		.number = code)

/* A load with a scaled index: `encoded` in the operand `at`. */
#define SCALED_INDEX(load, word, by, at, encoded)                  \
	VARIANT(NAMES(load), NULL, word, SCALED, .reshapes = true, \
		.scale = by, .operand = at, .number = encoded)

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

/* The family of a form: that of its variant. */
enum variant_family form_family(const struct form *form);

/* Is the form among the chosen families (bit i: family i)? */
bool form_chosen(const struct form *form, uint64_t families);

/* The form of an instruction: the variant of its number's class if the
 * catalogue has it, else the plain form. */
const struct form *numbers_form(const struct catalogue *c,
				const struct instance *i);

/* Forms whose operands hold something else than what their suffix says
 * everywhere; the first that matches.  NULL names end a table. */
struct isa_value_words {
	const char *const *names;
	const char *words;
};

enum { VALUE_WORDS_ROOM = 96 };

/* Words for the values of a form's operands, from its name alone, for tables
 * that have no catalogue: of a form, or of the first form of a label
 * ("DIV@1>0+AND@1>0"); "ones" if no class applies.  `isa` may be NULL. */
void value_words(const struct isa *isa, const char *form,
		 char ret[VALUE_WORDS_ROOM]);

#endif
