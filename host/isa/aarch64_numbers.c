/* AArch64: the measured immediates of forms, and those that cores treat
 * specially. */
#include "host/isa/aarch64.h"
#include "host/isa/numbers.h"

/* 12 bits; more than a byte. */
static const char *const arithmetic[] = {
	"ADDXri", "ADDWri",  "ADDSXri", "ADDSWri", "SUBXri",
	"SUBWri", "SUBSXri", "SUBSWri", NULL,
};

static const int64_t twelve_bits[] = { 0x123 };

static const char *const constants[] = {
	"MOVZXi", "MOVZWi", "MOVNXi", "MOVNWi", "MOVKXi", "MOVKWi", NULL,
};

static const int64_t sixteen_bits[] = { 0x1235 };

static const struct isa_usual_number usual[] = {
	{ arithmetic, twelve_bits, ARRAY_LEN(twelve_bits) },
	{ constants, sixteen_bits, ARRAY_LEN(sixteen_bits) },
	{ NULL, NULL, 0 },
};

/* Shifted operands: LSL up to 63, then the other shifts.  On some cores LSL by
 * up to 4 costs as little as no shift; all others take a cycle more and another
 * unit (Arm Neoverse V2 Software Optimization Guide, 3.3, arithmetic).  The
 * plain form has no shift. */
#define SHIFTED(form)                         \
	NUMBER_CLASS(form, "small", 3, 1, 4), \
		NUMBER_CLASS(form, "large", 12, 5, 255)

/* One width represents both. */
static const struct isa_number_class classes[] = {
	SHIFTED("ADDXrs"),
	SHIFTED("ADDSXrs"),
	SHIFTED("SUBXrs"),
	SHIFTED("SUBSXrs"),
	SHIFTED("ANDXrs"),
	/* Zeroed in the renamer (the same, 4.14: zero-latency moves). */
	NUMBER_CLASS("MOVZXi", "zero", 0, 0, 0),
	/* A move from or to the stack pointer, by its usual name. */
	NUMBER_CLASS("ADDXri", "zero", 0, 0, 0),
};

const struct isa_numbers aarch64_numbers = {
	.usual = usual,
	.classes = classes,
	.n_classes = ARRAY_LEN(classes),
};
