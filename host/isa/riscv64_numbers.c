/* RISC-V: the immediates that forms are measured with, and those that cores
 * treat apart. */
#include "host/isa/numbers.h"
#include "host/isa/riscv64_memory.h"

/* 12 bits; more than a byte. */
static const char *const arithmetic[] = {
	"ADDI", "ADDIW", "ANDI", "ORI", "XORI", "SLTI", "SLTIU", NULL,
};

static const int64_t twelve_bits[] = { 0x123 };

static const char *const counts[] = {
	"SLLI",  "SRLI",  "SRAI",   "SLLIW",  "SRLIW",  "SRAIW",
	"RORI",  "RORIW", "C_SLLI", "C_SRLI", "C_SRAI", "SLLI_UW",
	"BCLRI", "BEXTI", "BINVI",  "BSETI",  NULL,
};

static const int64_t five[] = { 5 };

static const struct isa_usual_number usual[] = {
	{ arithmetic, twelve_bits, ARRAY_LEN(twelve_bits) },
	{ counts, five, ARRAY_LEN(five) },
	{ NULL, NULL, 0 },
};

static const struct isa_number_class classes[] = {
	/* `mv` of the assembler: a move, which renamers may take away (RISC-V
	 * Unprivileged ISA, 2.4.1). */
	NUMBER_CLASS("ADDI", "zero", 0, 0, 0),
};

const struct isa_numbers riscv64_numbers = {
	.usual = usual,
	.classes = classes,
	.n_classes = ARRAY_LEN(classes),
};
