/* RISC-V V: features that a vector type needs in addition to its opcode's. */
#include "host/isa/match.h"
#include "host/isa/riscv64_vector.h"
#include "host/isa/variant.h"

/* Features that a vector unit may lack: elements of 64 bits, or floats of a
 * width.  LLVM checks the opcode's own extension.  The first match counts;
 * NULL: none. */
static const struct need {
	const char *const *names;
	const char *feature;
} needs[] = {
	{ NAMES("VFIRST_M/*", "VF*BF16*"), NULL },
	{ NAMES("VF*/e64*", "VMF*/e64*", "VFW*/e32*", "VFNCVT_*/e32*"),
	  "zve64d" },
	{ NAMES("VFWCVT_F_F*/e16*", "VFNCVT_F_F*/e16*"), "zvfhmin" },
	{ NAMES("VFWCVT_F_X*/e16*", "VFNCVT_X*/e16*", "VFNCVT_RTZ*/e16*"),
	  NULL },
	{ NAMES("VF*/e16*", "VF*/e8*", "VMF*/e16*"), "zvfh" },
	{ NAMES("VSHA2*/e64*"), "zvknhb" },
	{ NAMES("VMULH*/e64*", "VSMUL*/e64*"), "v" },
	{ NAMES("VW*/e32*", "VNSR*/e32*", "VNCLIP*/e32*"), "zve64x" },
};

const char *riscv64_variant_features(const struct form *f)
{
	enum {
		ZVE32_RATIO = 5, /* SEW up to 32 times LMUL */
		SEW_64 = 6,
	};
	const struct need *need;

	if (!f->variant || !f->variant->vector_type)
		return NULL;
	need = NAME_ROW(needs, f->name);
	if (need && need->feature)
		return need->feature;
	return riscv64_sew(f->variant) == SEW_64 ||
			       riscv64_sew(f->variant) -
					       riscv64_lmul(f->variant) >
				       ZVE32_RATIO
		       ? "zve64x"
		       : NULL;
}
