/* RISC-V: the measured immediates of forms, and those that cores treat
 * specially. */
#include "host/isa/match.h"
#include "host/isa/numbers.h"
#include "host/isa/riscv64_memory.h"
#include "host/isa/value_words.h"

/* 12 bits; more than a byte. */
static const char *const arithmetic[] = {
	"ADDI", "ADDIW", "ANDI", "ORI", "XORI", "SLTI", "SLTIU", NULL,
};

static const int64_t twelve_bits[] = { 0x123 };

static const char *const counts[] = {
	"SLLI",  "SRLI",   "SRAI",    "SLLIW",    "SRLIW",   "SRAIW", "RORI",
	"RORIW", "C_SLLI", "C_SRLI",  "C_SRAI",   "SLLI_UW", "BCLRI", "BEXTI",
	"BINVI", "BSETI",  "TH_SRRI", "TH_SRRIW", "TH_TST",  NULL,
};

static const int64_t five[] = { 5 };

static const struct isa_usual_number usual[] = {
	{ arithmetic, twelve_bits, ARRAY_LEN(twelve_bits) },
	{ counts, five, ARRAY_LEN(five) },
	{ NULL, NULL, 0 },
};

static const struct isa_number_class classes[] = {
	/* `mv` of the assembler: a move, which renamers may eliminate (RISC-V
	 * Unprivileged ISA, 2.4.1). */
	NUMBER_CLASS("ADDI", "zero", 0, 0, 0),
};

const struct isa_numbers riscv64_numbers = {
	.usual = usual,
	.classes = classes,
	.n_classes = ARRAY_LEN(classes),
};

/* Operands that differ between neighbouring instances; riscv64_vary(). */
const struct isa_value_words riscv64_value_words[] = {
	{ NAMES("DIV*/slow", "REM*/slow"),
	  "numbers near the largest, divided by 3" },
	{ NAMES("DIV*", "REM*"), "4 to 7, divided by themselves" },
	{ NAMES("FDIV_*/slow", "FSQRT_*/slow", "FDIV_*/normal",
		"FSQRT_*/normal"),
	  "full mantissas" },
	{ NAMES("FDIV_*/fast", "FSQRT_*/fast", "FDIV_H", "FDIV_S", "FDIV_D",
		"FSQRT_H", "FSQRT_S", "FSQRT_D"),
	  "powers of four" },
	{ NULL, NULL },
};
