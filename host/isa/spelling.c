/* Other spellings of instructions: the assemblers' manuals of each ISA. */
#include "host/isa/spelling.h"

#include <stddef.h>

/* ---- x86-64 ------------------------------------------------------------- */

#define CONDITIONS                                                     \
	"o no b c nae ae nb nc e z ne nz be na a nbe s ns p pe np po " \
	"l nge ge nl le ng g nle"
#define COMPARISONS "eq lt le unord neq nlt nle ord"
#define WIDE_COMPARISONS                                                     \
	COMPARISONS " eq_uq nge ngt false neq_oq ge gt true eq_os lt_oq "    \
		    "le_oq unord_s neq_us nlt_uq nle_uq ord_s eq_us nge_uq " \
		    "ngt_uq false_os neq_os ge_oq gt_oq true_us"
#define INTEGER_COMPARISONS "lt le neq nlt nle"

const struct isa_spelling x86_64_spellings[] = {
	{ "j? x", CONDITIONS },
	{ "set? %al", CONDITIONS },
	{ "set? (%rax)", CONDITIONS },
	{ "cmov? %rax, %rbx", CONDITIONS },
	{ "cmov? (%rax), %rbx", CONDITIONS },
	{ "cmp?ps %xmm0, %xmm1", COMPARISONS },
	{ "cmp?pd %xmm0, %xmm1", COMPARISONS },
	{ "cmp?ss %xmm0, %xmm1", COMPARISONS },
	{ "cmp?sd %xmm0, %xmm1", COMPARISONS },
	{ "vcmp?ps %xmm0, %xmm1, %xmm2", WIDE_COMPARISONS },
	{ "vcmp?pd %xmm0, %xmm1, %xmm2", WIDE_COMPARISONS },
	{ "vcmp?ss %xmm0, %xmm1, %xmm2", WIDE_COMPARISONS },
	{ "vcmp?sd %xmm0, %xmm1, %xmm2", WIDE_COMPARISONS },
	{ "vcmp?ps %ymm0, %ymm1, %ymm2", WIDE_COMPARISONS },
	{ "vcmp?pd %ymm0, %ymm1, %ymm2", WIDE_COMPARISONS },
	{ "vcmp?ps %zmm0, %zmm1, %k1", WIDE_COMPARISONS },
	{ "vcmp?pd %zmm0, %zmm1, %k1", WIDE_COMPARISONS },
	{ "vpcmp?d %zmm0, %zmm1, %k1", INTEGER_COMPARISONS },
	{ "vpcmp?q %zmm0, %zmm1, %k1", INTEGER_COMPARISONS },
	{ "vpcmp?d %ymm0, %ymm1, %k1", INTEGER_COMPARISONS },
	{ "vpcmp?q %ymm0, %ymm1, %k1", INTEGER_COMPARISONS },
	{ "sal $3, %rax", NULL },
	{ "sal %rax", NULL },
	{ "sal %cl, %rax", NULL },
	{ "movabs $1, %rax", NULL },
	{ NULL, NULL },
};

/* ---- AArch64 ------------------------------------------------------------ */

#define ARM_CONDITIONS "eq ne cs hs cc lo mi pl vs vc hi ls ge lt gt le"

const struct isa_spelling aarch64_spellings[] = {
	{ "b.? x", ARM_CONDITIONS },
	{ "b? x", ARM_CONDITIONS },
	{ "b x", NULL },
	{ "?z x0, x", "cb cbn" },
	{ "?z w0, x", "cb cbn" },
	{ "?z x0, #3, x", "tb tbn" },
	{ "?z w0, #3, x", "tb tbn" },
	{ "mov x0, x1", NULL },
	{ "mov w0, w1", NULL },
	{ "mov x0, #1", NULL },
	{ "mov w0, #1", NULL },
	{ "mov x0, sp", NULL },
	{ "mov v0.16b, v1.16b", NULL },
	{ "mov v0.8b, v1.8b", NULL },
	{ "mov d0, v1.d[1]", NULL },
	{ "mov s0, v1.s[1]", NULL },
	{ "dup d0, v1.d[1]", NULL },
	{ "dup s0, v1.s[1]", NULL },
	{ "mov v0.d[1], v1.d[0]", NULL },
	{ "mov v0.s[1], v1.s[0]", NULL },
	{ "ins v0.d[1], v1.d[0]", NULL },
	{ "mov v0.d[1], x1", NULL },
	{ "mov x0, v1.d[1]", NULL },
	{ "mov w0, v1.s[1]", NULL },
	{ "umov x0, v1.d[1]", NULL },
	{ "mvn v0.16b, v1.16b", NULL },
	{ "? x0, x1", "cmp cmn tst mvn neg negs ngc" },
	{ "? w0, w1", "cmp cmn tst mvn neg negs ngc" },
	{ "? x0, #1", "cmp cmn tst" },
	{ "? w0, #1", "cmp cmn tst" },
	{ "? x0, x1, lsl #2", "cmp cmn tst neg" },
	{ "? x0, x1, #3", "lsl lsr asr ror" },
	{ "? w0, w1, #3", "lsl lsr asr ror" },
	{ "? x0, x1, x2", "lsl lsr asr ror mul mneg" },
	{ "? w0, w1, w2", "lsl lsr asr ror mul mneg" },
	{ "? x0, w1, w2", "smull umull smnegl umnegl" },
	{ "? x0, w1", "sxtb sxth sxtw" },
	{ "? w0, w1", "sxtb sxth uxtb uxth" },
	{ "? x0, x1, #3, #4", "ubfx sbfx ubfiz sbfiz bfi bfxil" },
	{ "? w0, w1, #3, #4", "ubfx sbfx ubfiz sbfiz bfi bfxil" },
	{ "? x0, eq", "cset csetm" },
	{ "? w0, eq", "cset csetm" },
	{ "? x0, x1, eq", "cinc cinv cneg" },
	{ "? w0, w1, eq", "cinc cinv cneg" },
	{ NULL, NULL },
};

/* ---- RISC-V ------------------------------------------------------------- */

const struct isa_spelling riscv64_spellings[] = {
	{ "b?z a0, x", "eq ne le ge lt gt" },
	{ "b? a0, a1, x", "gt le gtu leu" },
	{ "j x", NULL },
	{ "? a0, a1", "mv not neg negw sext.w seqz snez sltz sgtz" },
	{ "li a0, 1", NULL },
	{ "f?.s fa0, fa1", "mv abs neg" },
	{ "f?.d fa0, fa1", "mv abs neg" },
	{ NULL, NULL },
};
