/* RISC-V V: features that a vector type needs in addition to its opcode's. */
#include "host/isa/match.h"
#include "host/isa/riscv64_vector.h"
#include "host/isa/variant.h"

/* Features that a vector unit may lack: elements of 64 bits, or floats of a
 * width.  LLVM checks the opcode's own extension.  The first match counts;
 * NULL: none. */
static const struct {
	const char *pattern;
	const char *feature;
} needs[] = {
	{ "VFIRST_M/*", NULL },
	{ "VF*BF16*", NULL },
	{ "VF*/e64*", "zve64d" },
	{ "VMF*/e64*", "zve64d" },
	{ "VFW*/e32*", "zve64d" },
	{ "VFNCVT_*/e32*", "zve64d" },
	{ "VFWCVT_F_F*/e16*", "zvfhmin" },
	{ "VFNCVT_F_F*/e16*", "zvfhmin" },
	{ "VFWCVT_F_X*/e16*", NULL },
	{ "VFNCVT_X*/e16*", NULL },
	{ "VFNCVT_RTZ*/e16*", NULL },
	{ "VF*/e16*", "zvfh" },
	{ "VF*/e8*", "zvfh" },
	{ "VMF*/e16*", "zvfh" },
	{ "VSHA2*/e64*", "zvknhb" },
	{ "VMULH*/e64*", "v" },
	{ "VSMUL*/e64*", "v" },
	{ "VW*/e32*", "zve64x" },
	{ "VNSR*/e32*", "zve64x" },
	{ "VNCLIP*/e32*", "zve64x" },
};

const char *riscv64_variant_features(const struct form *f)
{
	enum {
		ZVE32_RATIO = 5, /* SEW up to 32 times LMUL */
		SEW_64 = 6,
	};

	const char *need = NULL;
	size_t i = 0;

	if (!f->variant || !f->variant->vector_type)
		return NULL;
	while (i < ARRAY_LEN(needs) && !name_matches(needs[i].pattern, f->name))
		i++;
	if (i < ARRAY_LEN(needs))
		need = needs[i].feature;
	if (!need &&
	    (riscv64_sew(f->variant) == SEW_64 ||
	     riscv64_sew(f->variant) - riscv64_lmul(f->variant) > ZVE32_RATIO))
		need = "zve64x";
	return need;
}
