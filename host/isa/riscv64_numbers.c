/* RISC-V: the measured immediates of forms, and those that cores treat
 * specially. */
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
	{ "DIV*/slow", "numbers near the largest, divided by 3" },
	{ "REM*/slow", "numbers near the largest, divided by 3" },
	{ "DIV*", "4 to 7, divided by themselves" },
	{ "REM*", "4 to 7, divided by themselves" },
	{ "FDIV_*/slow", "full mantissas" },
	{ "FSQRT_*/slow", "full mantissas" },
	{ "FDIV_*/normal", "full mantissas" },
	{ "FSQRT_*/normal", "full mantissas" },
	{ "FDIV_*/fast", "powers of four" },
	{ "FSQRT_*/fast", "powers of four" },
	{ "FDIV_H", "powers of four" },
	{ "FDIV_S", "powers of four" },
	{ "FDIV_D", "powers of four" },
	{ "FSQRT_H", "powers of four" },
	{ "FSQRT_S", "powers of four" },
	{ "FSQRT_D", "powers of four" },
	{ NULL, NULL },
};
