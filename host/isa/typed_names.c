/* Names of operands: registers of the assemblers' manuals, and the words of
 * instruction manuals and tables of instructions ("r64", "xmm/m128",
 * "imm8"). */
#include "host/isa/typed_names.h"

#include <stddef.h>

const struct typed_names typed_common_names[] = {
	{ "imm i immediate", "imm" },
	{ "imm8 i8 uimm8 simm8", "imm8" },
	{ "imm16 i16", "imm16" },
	{ "imm32 i32", "imm32" },
	{ "imm64 i64", "imm64" },
	{ "rel rel8 rel32 label", "imm" },
	{ "m mem memory", "m" },
	{ "m8", "m8" },
	{ "m16", "m16" },
	{ "m32", "m32" },
	{ "m64", "m64" },
	{ "m128", "m128" },
	{ "m256", "m256" },
	{ "m512", "m512" },
	{ NULL, NULL },
};

const struct typed_names x86_64_typed_names[] = {
	{ "rax rbx rcx rdx rsi rdi rbp rsp r# r64", "r64" },
	{ "eax ebx ecx edx esi edi ebp esp r#d r32", "r32" },
	{ "ax bx cx dx si di bp sp r#w r16", "r16" },
	{ "al bl cl dl ah bh ch dh sil dil bpl spl r#b", "r8" },
	{ "r8", "r8 r64" },
	{ "r reg gpr", "r" },
	{ "r/m8 rm8 r8/m8", "r8 m8" },
	{ "r/m16 rm16 r16/m16", "r16 m16" },
	{ "r/m32 rm32 r32/m32", "r32 m32" },
	{ "r/m64 rm64 r64/m64", "r64 m64" },
	{ "mm# mm", "mm" },
	{ "xmm# xmm", "xmm" },
	{ "ymm# ymm", "ymm" },
	{ "zmm# zmm", "zmm" },
	{ "mm/m64", "mm m64" },
	{ "xmm/m32", "xmm m32" },
	{ "xmm/m64", "xmm m64" },
	{ "xmm/m128", "xmm m128" },
	{ "ymm/m256", "ymm m256" },
	{ "zmm/m512", "zmm m512" },
	{ "k# k", "k" },
	{ "st st#", "st" },
	{ "cs ds es fs gs ss sreg", "sreg" },
	{ "cr#", "cr" },
	{ "dr#", "dr" },
	{ "z", "z" },
	{ "1to2 1to4 1to8 1to16 1to32 bcst", "bcst" },
	{ "sae rn-sae rd-sae ru-sae rz-sae er", "sae" },
	{ "byte", "m8" },
	{ "word", "m16" },
	{ "dword", "m32" },
	{ "qword mmword", "m64" },
	{ "tbyte m80", "m80" },
	{ "xmmword", "m128" },
	{ "ymmword", "m256" },
	{ "zmmword", "m512" },
	{ "ptr short near far offset", "" },
	{ NULL, NULL },
};

const struct typed_names aarch64_typed_names[] = {
	{ "x# xzr sp x xd xn xm r64", "x" },
	{ "w# wzr wsp w wd wn wm r32", "w" },
	{ "b#", "b" },
	{ "h#", "h" },
	{ "s#", "s" },
	{ "d#", "d" },
	{ "q#", "q" },
	{ "v# v vd vn vm", "v" },
	{ "z# z zd zn zm", "z" },
	{ "p# p pd pg", "p" },
	{ "r reg gpr", "x w" },
	{ NULL, NULL },
};

const struct typed_names riscv64_typed_names[] = {
	{ "a# s# t# x# zero ra sp gp tp x r reg gpr r64", "x" },
	{ "fa# fs# ft# f# f freg", "f" },
	{ "v# v vd vs1 vs2 vs3", "v" },
	{ "rd rs1 rs2 rs3", "x f" },
	{ NULL, NULL },
};
