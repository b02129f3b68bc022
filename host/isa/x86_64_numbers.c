/* x86-64: the measured immediates of forms, and those that cores treat
 * specially. */
#include "host/isa/numbers.h"
#include "host/isa/x86_64.h"

/* Arithmetic, logic, comparisons and constants on general registers.  The
 * numbers are odd, so that products never become zero, and need all the bytes
 * of their immediate: 8, 4, 2, 1. */
static const char *const arithmetic[] = {
	"ADD#*",      "ADC#*",      "SUB#*",       "SBB#*",      "AND#*",
	"OR#*",       "XOR#*",      "CMP#*",       "TEST#*",     "IMUL#*",
	"MOV#*i*",    "LOCK_ADD#*", "LOCK_*SUB#*", "LOCK_AND#*", "LOCK_OR#*",
	"LOCK_XOR#*", NULL,
};

static const int64_t wide[] = { 0x123456789abcdef, 0x12345679, 0x1235, 101 };

/* Shifts, rotations, numbers of bits: more than four, the most in an address,
 * and fewer than eight. */
static const char *const counts[] = {
	"ROL#*i*", "ROR#*i*", "RCL#*i*",  "RCR#*i*",  "SHL#*i*",
	"SHR#*i*", "SAR#*i*", "SHLD#*i*", "SHRD#*i*", "RORX#*",
	"BT#*i*",  "BTC#*i*", "BTR#*i*",  "BTS#*i*",  NULL,
};

static const int64_t five[] = { 5 };

static const struct isa_usual_number usual[] = {
	{ arithmetic, wide, ARRAY_LEN(wide) },
	{ counts, five, ARRAY_LEN(five) },
	{ NULL, NULL, 0 },
};

#define BY_ONE(form) NUMBER_CLASS(form, "one", 1, 1, 1)

/* One width represents all: 64 bits. */
static const struct isa_number_class classes[] = {
	/* The renamer of a Golden Cove adds 1 at six a cycle, up to 1,023 at
	 * two a cycle, and leaves what is larger to an adder. */
	BY_ONE("ADD64ri8"),
	BY_ONE("SUB64ri8"),
	NUMBER_CLASS("ADD64ri32", "small", 511, 0, 1023),
	NUMBER_CLASS("SUB64ri32", "small", 511, 0, 1023),
	/* Rotations by one take twice as long as others on a Golden Cove; those
	 * through the carry are a few uops for one, more for any other. */
	BY_ONE("ROL64ri"),
	BY_ONE("ROR64ri"),
	BY_ONE("RCL64ri"),
	BY_ONE("RCR64ri"),
	BY_ONE("SHL64ri"),
	BY_ONE("SHR64ri"),
	BY_ONE("SAR64ri"),
};

const struct isa_numbers x86_64_numbers = {
	.usual = usual,
	.classes = classes,
	.n_classes = ARRAY_LEN(classes),
};
