/* CPU features that x86-64 forms need.
 *
 * LLVM's x86 assembler and disassembler accept everything on every CPU, so this
 * file lists the manuals' CPUID columns (Intel SDM volume 2, AMD APM volumes 3
 * to 6): rules over opcode names for each of the encodings, legacy, VEX, XOP
 * and EVEX.  The first matching rule counts. */
#include "host/isa/x86_64.h"

#include <string.h>

#include "host/isa/match.h"

struct feature_rule {
	const char *pattern;
	const char *features;
};

static const struct feature_rule legacy[] = {
	{ "CMOV#r*", "cmov" },
	{ "FCMOV*", "cmov" },
	{ "MOVBE#*", "movbe" },
	{ "MOVDIRI*", "movdiri" },
	{ "CMPXCHG16B", "cx16" },
	{ "LCMPXCHG16B", "cx16" },
	{ "PREFETCHW", "prfchw" },
	{ "PREFETCH", "prfchw" },
	{ "AADD#*", "raoint" },
	{ "AAND#*", "raoint" },
	{ "AOR#*", "raoint" },
	{ "AXOR#*", "raoint" },
	{ "MOVNTSD*", "sse4a" },
	{ "MOVNTSS*", "sse4a" },
	{ "MOVNTDQA*", "sse4.1" },
	{ "LDDQU*", "sse3" },
	{ "POPCNT#r*", "popcnt" },
	{ "LZCNT#r*", "lzcnt" },
	{ "TZCNT#r*", "bmi" },
	{ "ADCX#*", "adx" },
	{ "ADOX#*", "adx" },
	{ "CRC32*", "crc32" },
	{ "RDRAND*", "rdrnd" },
	{ "RDSEED*", "rdseed" },
	{ "LAHF", "sahf" },
	{ "SAHF", "sahf" },
	{ "AES*", "aes" },
	{ "PCLMUL*", "pclmul" },
	{ "SHA1*", "sha" },
	{ "SHA256*", "sha" },
	{ "GF2P8*", "gfni,sse2" },
	{ "EXTRQ*", "sse4a" },
	{ "INSERTQ*", "sse4a" },
	{ "MMX_PABS*", "mmx,ssse3" },
	{ "MMX_PALIGNR*", "mmx,ssse3" },
	{ "MMX_PH*", "mmx,ssse3" },
	{ "MMX_PMADDUBSW*", "mmx,ssse3" },
	{ "MMX_PMULHRSW*", "mmx,ssse3" },
	{ "MMX_PSHUFB*", "mmx,ssse3" },
	{ "MMX_PSIGN*", "mmx,ssse3" },
	{ "MMX_PADDQ*", "mmx,sse2" },
	{ "MMX_PSUBQ*", "mmx,sse2" },
	{ "MMX_PMULUDQ*", "mmx,sse2" },
	{ "MMX_*CVT*PD*", "mmx,sse2" },
	{ "MMX_*CVT*", "mmx,sse" },
	{ "MMX_MOV*2*", "mmx,sse2" },
	{ "MMX_PAVG*", "mmx,sse" },
	{ "MMX_P*TRW*", "mmx,sse" },
	{ "MMX_PINSRW*", "mmx,sse" },
	{ "MMX_PM*SW*", "mmx,sse" },
	{ "MMX_PM*UB*", "mmx,sse" },
	{ "MMX_PMOVMSKB*", "mmx,sse" },
	{ "MMX_PMULHUW*", "mmx,sse" },
	{ "MMX_PSADBW*", "mmx,sse" },
	{ "MMX_PSHUFW*", "mmx,sse" },
	{ "MMX_*", "mmx" },
	{ "ADDSUBP*", "sse3" },
	{ "HADDP*", "sse3" },
	{ "HSUBP*", "sse3" },
	{ "MOVDDUP*", "sse3" },
	{ "MOVSHDUP*", "sse3" },
	{ "MOVSLDUP*", "sse3" },
	{ "PABS*", "ssse3" },
	{ "PALIGNR*", "ssse3" },
	{ "PHADD*", "ssse3" },
	{ "PHSUB*", "ssse3" },
	{ "PMADDUBSW*", "ssse3" },
	{ "PMULHRSW*", "ssse3" },
	{ "PSHUFB*", "ssse3" },
	{ "PSIGN*", "ssse3" },
	{ "PCMPESTR*", "sse4.2" },
	{ "PCMPISTR*", "sse4.2" },
	{ "PCMPGTQ*", "sse4.2" },
	{ "BLEND*", "sse4.1" },
	{ "DPP*", "sse4.1" },
	{ "EXTRACTPS*", "sse4.1" },
	{ "INSERTPS*", "sse4.1" },
	{ "MPSADBW*", "sse4.1" },
	{ "PACKUSDW*", "sse4.1" },
	{ "PBLEND*", "sse4.1" },
	{ "PCMPEQQ*", "sse4.1" },
	{ "PEXTRB*", "sse4.1" },
	{ "PEXTRD*", "sse4.1" },
	{ "PEXTRQ*", "sse4.1" },
	{ "PEXTRWrr_REV", "sse4.1" },
	{ "PHMINPOSUW*", "sse4.1" },
	{ "PINSRB*", "sse4.1" },
	{ "PINSRD*", "sse4.1" },
	{ "PINSRQ*", "sse4.1" },
	{ "PMAXSB*", "sse4.1" },
	{ "PMAXSD*", "sse4.1" },
	{ "PMAXUD*", "sse4.1" },
	{ "PMAXUW*", "sse4.1" },
	{ "PMINSB*", "sse4.1" },
	{ "PMINSD*", "sse4.1" },
	{ "PMINUD*", "sse4.1" },
	{ "PMINUW*", "sse4.1" },
	{ "PMOVSX*", "sse4.1" },
	{ "PMOVZX*", "sse4.1" },
	{ "PMULDQ*", "sse4.1" },
	{ "PMULLD*", "sse4.1" },
	{ "PTEST*", "sse4.1" },
	{ "ROUND*", "sse4.1" },
	/* Every x86-64 core has SSE2. */
	{ "*", "" },
};

static const struct feature_rule vex[] = {
	{ "ANDN#*", "bmi" },
	{ "BEXTR#*", "bmi" },
	{ "BLSI#*", "bmi" },
	{ "BLSMSK#*", "bmi" },
	{ "BLSR#*", "bmi" },
	{ "BZHI#*", "bmi2" },
	{ "MULX#*", "bmi2" },
	{ "PDEP#*", "bmi2" },
	{ "PEXT#*", "bmi2" },
	{ "RORX#*", "bmi2" },
	{ "SARX#*", "bmi2" },
	{ "SHLX#*", "bmi2" },
	{ "SHRX#*", "bmi2" },
	{ "KADDW*", "avx512dq" },
	{ "KTESTW*", "avx512dq" },
	{ "KUNPCKBW*", "avx512f" },
	{ "KUNPCK*", "avx512bw" },
	{ "K*Bk*", "avx512dq" },
	{ "K*Bri*", "avx512dq" },
	{ "K*Brr*", "avx512dq" },
	{ "K*Brk*", "avx512dq" },
	{ "K*Bki*", "avx512dq" },
	{ "K*Wk*", "avx512f" },
	{ "K*Wr*", "avx512f" },
	{ "K*", "avx512bw" },
	{ "VFM*4Y*", "fma4" },
	{ "VFM*4r*", "fma4" },
	{ "VFM*4mr*", "fma4" },
	{ "VFNM*4Y*", "fma4" },
	{ "VFNM*4r*", "fma4" },
	{ "VFNM*4mr*", "fma4" },
	{ "VPERMIL2P*", "xop" },
	{ "VFM*", "fma" },
	{ "VFNM*", "fma" },
	{ "VCVTPH2PS*", "f16c" },
	{ "VCVTPS2PH*", "f16c" },
	{ "VPDPBUSD*", "avxvnni" },
	{ "VPDPWSSD*", "avxvnni" },
	{ "VPDPB*", "avxvnniint8" },
	{ "VPDPW*", "avxvnniint16" },
	{ "VPMADD52*", "avxifma" },
	{ "VCVTNE*", "avxneconvert" },
	{ "VBCSTNE*", "avxneconvert" },
	{ "CMPCCXADD*", "cmpccxadd" },
	{ "VMOVNTDQAY*", "avx2" },
	{ "VBROADCASTI128*", "avx2" },
	{ "VSHA512*", "sha512" },
	{ "VSM3*", "sm3" },
	{ "VSM4*", "sm4" },
	{ "VAES*Yr*", "vaes,avx" },
	{ "VAES*", "aes,avx" },
	{ "VPCLMULQDQY*", "vpclmulqdq,avx" },
	{ "VPCLMULQDQ*", "pclmul,avx" },
	{ "VGF2P8*", "gfni,avx" },
	{ "VPERMILP*", "avx" },
	{ "VPERM2F128*", "avx" },
	{ "VPTESTY*", "avx" },
	{ "VPERM*", "avx2" },
	{ "VINSERTI128*", "avx2" },
	{ "VEXTRACTI128*", "avx2" },
	{ "VPBLENDD*", "avx2" },
	{ "VPBROADCAST*", "avx2" },
	{ "VBROADCASTSS*r", "avx2" },
	{ "VBROADCASTSD*r", "avx2" },
	{ "VPSLLVDr*", "avx2" },
	{ "VPSLLVQr*", "avx2" },
	{ "VPSRLVDr*", "avx2" },
	{ "VPSRLVQr*", "avx2" },
	{ "VPSRAVDr*", "avx2" },
	{ "VMPSADBWY*", "avx2" },
	{ "VP*Y*", "avx2" },
	{ "*", "avx" },
};

static const struct feature_rule xop[] = {
	{ "BEXTRI#*", "tbm" }, { "BLC*", "tbm" },    { "BLSFILL*", "tbm" },
	{ "BLSIC*", "tbm" },   { "T1MSKC*", "tbm" }, { "TZMSK*", "tbm" },
	{ "LLWPCB*", "lwp" },  { "SLWPCB*", "lwp" }, { "*", "xop" },
};

static const struct feature_rule evex[] = {
	{ "*_EVEX*", "egpr" },
	{ "*_ND*", "egpr" },
	{ "*_NF*", "egpr" },
	{ "VPOPCNTB*", "avx512bitalg" },
	{ "VPOPCNTW*", "avx512bitalg" },
	{ "VPSHUFBITQMB*", "avx512bitalg" },
	{ "VPOPCNT*", "avx512vpopcntdq" },
	{ "VPDP*", "avx512vnni" },
	{ "VPMADD52*", "avx512ifma" },
	{ "VPCONFLICT*", "avx512cd" },
	{ "VPLZCNT*", "avx512cd" },
	{ "VPBROADCASTM*", "avx512cd" },
	{ "VP2INTERSECT*", "avx512vp2intersect" },
	{ "VGF2P8*", "gfni,avx512f" },
	{ "VAES*", "vaes,avx512f" },
	{ "VPCLMULQDQ*", "vpclmulqdq,avx512f" },
	{ "VCVTNE*BF16*", "avx512bf16" },
	{ "VDPBF16PS*", "avx512bf16" },
	{ "VPCOMPRESSB*", "avx512vbmi2" },
	{ "VPCOMPRESSW*", "avx512vbmi2" },
	{ "VPEXPANDB*", "avx512vbmi2" },
	{ "VPEXPANDW*", "avx512vbmi2" },
	{ "VPSHLD*", "avx512vbmi2" },
	{ "VPSHRD*", "avx512vbmi2" },
	{ "VPERMB*", "avx512vbmi" },
	{ "VPERMI2B*", "avx512vbmi" },
	{ "VPERMT2B*", "avx512vbmi" },
	{ "VPMULTISHIFTQB*", "avx512vbmi" },
	{ "VCVTPH2PSZ*", "avx512f" },
	{ "VCVTPS2PHZ*", "avx512f" },
	{ "VCVT*PH*", "avx512fp16" },
	{ "VCVT*SH*", "avx512fp16" },
	{ "VMOVSHDUP*", "avx512f" },
	{ "V*PHZ*", "avx512fp16" },
	{ "V*SHZ*", "avx512fp16" },
	{ "V*CPH*", "avx512fp16" },
	{ "V*CSH*", "avx512fp16" },
	{ "VMOVW*", "avx512fp16" },
	{ "VMOVSH*", "avx512fp16" },
	{ "VPMULLQ*", "avx512dq" },
	{ "VAND*P*", "avx512dq" },
	{ "VORP*", "avx512dq" },
	{ "VXORP*", "avx512dq" },
	{ "VCVT*QQ*", "avx512dq" },
	{ "VRANGE*", "avx512dq" },
	{ "VREDUCE*", "avx512dq" },
	{ "VFPCLASS*", "avx512dq" },
	{ "VINSERT*64x2*", "avx512dq" },
	{ "VINSERT*32x8*", "avx512dq" },
	{ "VEXTRACT*64x2*", "avx512dq" },
	{ "VEXTRACT*32x8*", "avx512dq" },
	{ "VINSERT*64X2*", "avx512dq" },
	{ "VINSERT*32X8*", "avx512dq" },
	{ "VEXTRACT*64X2*", "avx512dq" },
	{ "VEXTRACT*32X8*", "avx512dq" },
	{ "VBROADCASTF32X2*", "avx512dq" },
	{ "VBROADCASTI32X2*", "avx512dq" },
	{ "VPMOVM2D*", "avx512dq" },
	{ "VPMOVM2Q*", "avx512dq" },
	{ "VPMOVD2M*", "avx512dq" },
	{ "VPMOVQ2M*", "avx512dq" },
	{ "VPEXTRD*", "avx512dq" },
	{ "VPEXTRQ*", "avx512dq" },
	{ "VPINSRD*", "avx512dq" },
	{ "VPINSRQ*", "avx512dq" },
	{ "VMOVDQU8*", "avx512bw" },
	{ "VMOVDQU16*", "avx512bw" },
	{ "VPMOVM2*", "avx512bw" },
	{ "VPMOVB2M*", "avx512bw" },
	{ "VPMOVW2M*", "avx512bw" },
	{ "VPMOV*WB*", "avx512bw" },
	{ "VPMOVSXBW*", "avx512bw" },
	{ "VPMOVZXBW*", "avx512bw" },
	{ "VPABSB*", "avx512bw" },
	{ "VPABSW*", "avx512bw" },
	{ "VPACK*", "avx512bw" },
	{ "VPADDB*", "avx512bw" },
	{ "VPADDW*", "avx512bw" },
	{ "VPADDS*", "avx512bw" },
	{ "VPADDUS*", "avx512bw" },
	{ "VPSUBB*", "avx512bw" },
	{ "VPSUBW*", "avx512bw" },
	{ "VPSUBS*", "avx512bw" },
	{ "VPSUBUS*", "avx512bw" },
	{ "VPALIGNR*", "avx512bw" },
	{ "VPAVG*", "avx512bw" },
	{ "VPBLENDMB*", "avx512bw" },
	{ "VPBLENDMW*", "avx512bw" },
	{ "VPBROADCASTB*", "avx512bw" },
	{ "VPBROADCASTW*", "avx512bw" },
	{ "VPCMPB*", "avx512bw" },
	{ "VPCMPW*", "avx512bw" },
	{ "VPCMPUB*", "avx512bw" },
	{ "VPCMPUW*", "avx512bw" },
	{ "VPCMPEQB*", "avx512bw" },
	{ "VPCMPEQW*", "avx512bw" },
	{ "VPCMPGTB*", "avx512bw" },
	{ "VPCMPGTW*", "avx512bw" },
	{ "VPERMW*", "avx512bw" },
	{ "VPERMI2W*", "avx512bw" },
	{ "VPERMT2W*", "avx512bw" },
	{ "VPEXTRB*", "avx512bw" },
	{ "VPEXTRW*", "avx512bw" },
	{ "VPINSRB*", "avx512bw" },
	{ "VPINSRW*", "avx512bw" },
	{ "VPMADDUBSW*", "avx512bw" },
	{ "VPMADDWD*", "avx512bw" },
	{ "VPMAXSB*", "avx512bw" },
	{ "VPMAXSW*", "avx512bw" },
	{ "VPMAXUB*", "avx512bw" },
	{ "VPMAXUW*", "avx512bw" },
	{ "VPMINSB*", "avx512bw" },
	{ "VPMINSW*", "avx512bw" },
	{ "VPMINUB*", "avx512bw" },
	{ "VPMINUW*", "avx512bw" },
	{ "VPMULH*", "avx512bw" },
	{ "VPMULLW*", "avx512bw" },
	{ "VPSADBW*", "avx512bw" },
	{ "VDBPSADBW*", "avx512bw" },
	{ "VPSHUFB*", "avx512bw" },
	{ "VPSHUFHW*", "avx512bw" },
	{ "VPSHUFLW*", "avx512bw" },
	{ "VPSLLDQ*", "avx512bw" },
	{ "VPSRLDQ*", "avx512bw" },
	{ "VPSLLW*", "avx512bw" },
	{ "VPSRLW*", "avx512bw" },
	{ "VPSRAW*", "avx512bw" },
	{ "VPSLLVW*", "avx512bw" },
	{ "VPSRLVW*", "avx512bw" },
	{ "VPSRAVW*", "avx512bw" },
	{ "VPTEST*MB*", "avx512bw" },
	{ "VPTEST*MW*", "avx512bw" },
	{ "VPUNPCKHBW*", "avx512bw" },
	{ "VPUNPCKLBW*", "avx512bw" },
	{ "VPUNPCKHWD*", "avx512bw" },
	{ "VPUNPCKLWD*", "avx512bw" },
	{ "*", "avx512f" },
};

/* If the name has Z128 or Z256: the same, and avx512vl. */
static const char *const vl_features[][2] = {
	{ "avx512f", "avx512vl" },
	{ "avx512bw", "avx512bw,avx512vl" },
	{ "avx512dq", "avx512dq,avx512vl" },
	{ "avx512cd", "avx512cd,avx512vl" },
	{ "avx512bitalg", "avx512bitalg,avx512vl" },
	{ "avx512vpopcntdq", "avx512vpopcntdq,avx512vl" },
	{ "avx512vnni", "avx512vnni,avx512vl" },
	{ "avx512ifma", "avx512ifma,avx512vl" },
	{ "avx512vp2intersect", "avx512vp2intersect,avx512vl" },
	{ "avx512bf16", "avx512bf16,avx512vl" },
	{ "avx512vbmi", "avx512vbmi,avx512vl" },
	{ "avx512vbmi2", "avx512vbmi2,avx512vl" },
	{ "avx512fp16", "avx512fp16,avx512vl" },
	{ "gfni,avx512f", "gfni,avx512vl" },
	{ "vaes,avx512f", "vaes,avx512vl" },
	{ "vpclmulqdq,avx512f", "vpclmulqdq,avx512vl" },
};

enum encoding {
	LEGACY,
	VEX,
	XOP,
	EVEX,
	APX,
};

/* Intel SDM volume 2 section 2.1: 66, F2, F3, segments and REX may stand
 * before; C4, C5 and 62 are prefixes of their own in 64-bit mode, 8F is XOP
 * where its map is 8 or more, D5 is REX2 (APX). */
static enum encoding encoding_of(const unsigned char *code, size_t n)
{
	size_t i = 0;

	while (i + 2 < n &&
	       (code[i] == 0x66 || code[i] == 0x67 || code[i] == 0xf2 ||
		code[i] == 0xf3 || (code[i] & 0xf0) == 0x40))
		i++;
	if (i + 2 >= n)
		return LEGACY;
	switch (code[i]) {
	case 0xc4:
	case 0xc5:
		return VEX;
	case 0x62:
		/* EVEX map 4 and the EGPR bits of the others are APX. */
		return (code[i + 1] & 7) == 4 ? APX : EVEX;
	case 0x8f:
		return (code[i + 1] & 0x1f) >= 8 ? XOP : LEGACY;
	case 0xd5:
		return APX;
	default:
		return LEGACY;
	}
}

static const char *x86_64_features_find(const struct feature_rule *rules,
					const char *name)
{
	while (!name_matches(rules->pattern, name))
		rules++;
	return rules->features;
}

static const char *with_vl(const char *features, const char *name)
{
	if (!name_matches("*Z128*", name) && !name_matches("*Z256*", name))
		return features;
	for (size_t i = 0; i < ARRAY_LEN(vl_features); i++)
		if (strcmp(features, vl_features[i][0]) == 0)
			return vl_features[i][1];
	return "avx512vl";
}

const char *x86_64_required_features(const struct form *form,
				     const unsigned char *code, size_t n)
{
	switch (encoding_of(code, n)) {
	case VEX:
		return x86_64_features_find(vex, form->name);
	case XOP:
		return x86_64_features_find(xop, form->name);
	case EVEX:
		return with_vl(x86_64_features_find(evex, form->name),
			       form->name);
	case APX:
		return "egpr";
	case LEGACY:
		break;
	}
	return x86_64_features_find(legacy, form->name);
}
