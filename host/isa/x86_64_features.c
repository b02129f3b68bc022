/* CPU features that x86-64 forms need.
 *
 * LLVM's x86 assembler and disassembler accept everything on every CPU, so this
 * file lists the manuals' CPUID columns (Intel SDM volume 2, AMD APM volumes 3
 * to 6): rules over opcode names for each of the encodings, legacy, VEX, XOP
 * and EVEX.  The first matching rule counts. */
#include "host/isa/x86_64.h"

#include "host/isa/match.h"

struct feature_rule {
	const char *const *names;
	const char *features;
};

static const struct feature_rule legacy[] = {
	{ NAMES("CMOV#r*", "FCMOV*"), "cmov" },
	{ NAMES("MOVBE#*"), "movbe" },
	{ NAMES("MOVDIRI*"), "movdiri" },
	{ NAMES("CMPXCHG16B", "LCMPXCHG16B"), "cx16" },
	{ NAMES("PREFETCHW", "PREFETCH"), "prfchw" },
	{ NAMES("AADD#*", "AAND#*", "AOR#*", "AXOR#*"), "raoint" },
	{ NAMES("MOVNTSD*", "MOVNTSS*", "EXTRQ*", "INSERTQ*"), "sse4a" },
	{ NAMES("MOVNTDQA*", "BLEND*", "DPP*", "EXTRACTPS*", "INSERTPS*",
		"MPSADBW*", "PACKUSDW*", "PBLEND*", "PCMPEQQ*", "PEXTRB*",
		"PEXTRD*", "PEXTRQ*", "PEXTRWrr_REV", "PHMINPOSUW*", "PINSRB*",
		"PINSRD*", "PINSRQ*", "PMAXSB*", "PMAXSD*", "PMAXUD*",
		"PMAXUW*", "PMINSB*", "PMINSD*", "PMINUD*", "PMINUW*",
		"PMOVSX*", "PMOVZX*", "PMULDQ*", "PMULLD*", "PTEST*", "ROUND*"),
	  "sse4.1" },
	{ NAMES("LDDQU*", "ADDSUBP*", "HADDP*", "HSUBP*", "MOVDDUP*",
		"MOVSHDUP*", "MOVSLDUP*"),
	  "sse3" },
	{ NAMES("POPCNT#r*"), "popcnt" },
	{ NAMES("LZCNT#r*"), "lzcnt" },
	{ NAMES("TZCNT#r*"), "bmi" },
	{ NAMES("ADCX#*", "ADOX#*"), "adx" },
	{ NAMES("CRC32*"), "crc32" },
	{ NAMES("RDRAND*"), "rdrnd" },
	{ NAMES("RDSEED*"), "rdseed" },
	{ NAMES("LAHF", "SAHF"), "sahf" },
	{ NAMES("LOADIWKEY", "ENCODEKEY*", "AES*KL"), "kl" },
	{ NAMES("AES*"), "aes" },
	{ NAMES("PCLMUL*"), "pclmul" },
	{ NAMES("SHA1*", "SHA256*"), "sha" },
	{ NAMES("GF2P8*"), "gfni,sse2" },
	{ NAMES("MMX_PABS*", "MMX_PALIGNR*", "MMX_PH*", "MMX_PMADDUBSW*",
		"MMX_PMULHRSW*", "MMX_PSHUFB*", "MMX_PSIGN*"),
	  "mmx,ssse3" },
	{ NAMES("MMX_PADDQ*", "MMX_PSUBQ*", "MMX_PMULUDQ*", "MMX_*CVT*PD*"),
	  "mmx,sse2" },
	{ NAMES("MMX_*CVT*", "MMX_PAVG*", "MMX_P*TRW*", "MMX_PINSRW*",
		"MMX_PM*SW*", "MMX_PM*UB*", "MMX_PMOVMSKB*", "MMX_PMULHUW*",
		"MMX_PSADBW*", "MMX_PSHUFW*"),
	  "mmx,sse" },
	{ NAMES("MMX_MOV*2*"), "mmx,sse2" },
	{ NAMES("MMX_*"), "mmx" },
	{ NAMES("PABS*", "PALIGNR*", "PHADD*", "PHSUB*", "PMADDUBSW*",
		"PMULHRSW*", "PSHUFB*", "PSIGN*"),
	  "ssse3" },
	{ NAMES("PCMPESTR*", "PCMPISTR*", "PCMPGTQ*"), "sse4.2" },
	{ NAMES("CLFLUSHOPT"), "clflushopt" },
	{ NAMES("CLWB"), "clwb" },
	{ NAMES("CLDEMOTE"), "cldemote" },
	{ NAMES("CLZERO*"), "clzero" },
	{ NAMES("SERIALIZE"), "serialize" },
	{ NAMES("RDPID*"), "rdpid" },
	{ NAMES("RDPRU"), "rdpru" },
	{ NAMES("RDPKRU*", "WRPKRU*"), "pku" },
	{ NAMES("RDFSBASE*", "RDGSBASE*", "WRFSBASE*", "WRGSBASE*"),
	  "fsgsbase" },
	{ NAMES("INVPCID*"), "invpcid" },
	{ NAMES("TPAUSE", "UMONITOR*", "UMWAIT"), "waitpkg" },
	{ NAMES("MONITORX*", "MWAITX*"), "mwaitx" },
	{ NAMES("XBEGIN*", "XEND", "XABORT*", "XTEST"), "rtm" },
	{ NAMES("XSUSLDTRK", "XRESLDTRK"), "tsxldtrk" },
	{ NAMES("ENCL*"), "sgx" },
	{ NAMES("PTWRITE*"), "ptwrite" },
	{ NAMES("PCONFIG"), "pconfig" },
	{ NAMES("HRESET"), "hreset" },
	{ NAMES("CLUI", "STUI", "TESTUI", "UIRET", "SENDUIPI"), "uintr" },
	{ NAMES("ENQCMD*"), "enqcmd" },
	{ NAMES("XSAVEC*"), "xsavec" },
	{ NAMES("XSAVEOPT*"), "xsaveopt" },
	{ NAMES("XSAVES*", "XRSTORS*"), "xsaves" },
	{ NAMES("XSAVE*", "XRSTOR*", "XGETBV", "XSETBV"), "xsave" },
	{ NAMES("LLWPCB*", "SLWPCB*", "LWPINS*", "LWPVAL*"), "lwp" },
	{ NAMES("WBNOINVD"), "wbnoinvd" },
	{ NAMES("*SSP*", "WRSS*", "WRUSS*", "*SSBSY"), "shstk" },
	/* Every x86-64 core has SSE2. */
	{ NAMES("*"), "" },
};

static const struct feature_rule vex[] = {
	{ NAMES("ANDN#*", "BEXTR#*", "BLSI#*", "BLSMSK#*", "BLSR#*"), "bmi" },
	{ NAMES("BZHI#*", "MULX#*", "PDEP#*", "PEXT#*", "RORX#*", "SARX#*",
		"SHLX#*", "SHRX#*"),
	  "bmi2" },
	{ NAMES("KADDW*", "KTESTW*"), "avx512dq" },
	{ NAMES("KUNPCKBW*"), "avx512f" },
	{ NAMES("KUNPCK*"), "avx512bw" },
	{ NAMES("K*Bk*", "K*Bri*", "K*Brr*", "K*Brk*", "K*Bki*"), "avx512dq" },
	{ NAMES("K*Wk*", "K*Wr*"), "avx512f" },
	{ NAMES("K*"), "avx512bw" },
	{ NAMES("VFM*4Y*", "VFM*4r*", "VFM*4mr*", "VFNM*4Y*", "VFNM*4r*",
		"VFNM*4mr*"),
	  "fma4" },
	{ NAMES("VPERMIL2P*"), "xop" },
	{ NAMES("VFM*", "VFNM*"), "fma" },
	{ NAMES("VCVTPH2PS*", "VCVTPS2PH*"), "f16c" },
	{ NAMES("VPDPBUSD*", "VPDPWSSD*"), "avxvnni" },
	{ NAMES("VPDPB*"), "avxvnniint8" },
	{ NAMES("VPDPW*"), "avxvnniint16" },
	{ NAMES("VPMADD52*"), "avxifma" },
	{ NAMES("VCVTNE*", "VBCSTNE*"), "avxneconvert" },
	{ NAMES("CMPCCXADD*"), "cmpccxadd" },
	{ NAMES("VMOVNTDQAY*", "VBROADCASTI128*"), "avx2" },
	{ NAMES("VSHA512*"), "sha512" },
	{ NAMES("VSM3*"), "sm3" },
	{ NAMES("VSM4*"), "sm4" },
	{ NAMES("VAES*Yr*"), "vaes,avx" },
	{ NAMES("VAES*"), "aes,avx" },
	{ NAMES("VPCLMULQDQY*"), "vpclmulqdq,avx" },
	{ NAMES("VPCLMULQDQ*"), "pclmul,avx" },
	{ NAMES("VGF2P8*"), "gfni,avx" },
	{ NAMES("VPERMILP*", "VPERM2F128*", "VPTESTY*"), "avx" },
	{ NAMES("VPERM*", "VINSERTI128*", "VEXTRACTI128*", "VPBLENDD*",
		"VPBROADCAST*", "VBROADCASTSS*r", "VBROADCASTSD*r", "VPSLLVDr*",
		"VPSLLVQr*", "VPSRLVDr*", "VPSRLVQr*", "VPSRAVDr*",
		"VMPSADBWY*", "VP*Y*"),
	  "avx2" },
	{ NAMES("*"), "avx" },
};

static const struct feature_rule xop[] = {
	{ NAMES("BEXTRI#*", "BLC*", "BLSFILL*", "BLSIC*", "T1MSKC*", "TZMSK*"),
	  "tbm" },
	{ NAMES("LLWPCB*", "SLWPCB*"), "lwp" },
	{ NAMES("*"), "xop" },
};

/* Features of vectors of 512 bits, and of shorter ones. */
struct evex_rule {
	const char *const *names;
	const char *features, *shorter;
};

#define ALSO_VL(features) features, features ",avx512vl"
#define VL(before)        before "avx512f", before "avx512vl"

static const struct evex_rule evex[] = {
	{ NAMES("*_EVEX*", "*_ND*", "*_NF*"), "egpr", "avx512vl" },
	{ NAMES("VPOPCNTB*", "VPOPCNTW*", "VPSHUFBITQMB*"),
	  ALSO_VL("avx512bitalg") },
	{ NAMES("VPOPCNT*"), ALSO_VL("avx512vpopcntdq") },
	{ NAMES("VPDP*"), ALSO_VL("avx512vnni") },
	{ NAMES("VPMADD52*"), ALSO_VL("avx512ifma") },
	{ NAMES("VPCONFLICT*", "VPLZCNT*", "VPBROADCASTM*"),
	  ALSO_VL("avx512cd") },
	{ NAMES("VP2INTERSECT*"), ALSO_VL("avx512vp2intersect") },
	{ NAMES("VGF2P8*"), VL("gfni,") },
	{ NAMES("VAES*"), VL("vaes,") },
	{ NAMES("VPCLMULQDQ*"), VL("vpclmulqdq,") },
	{ NAMES("VCVTNE*BF16*", "VDPBF16PS*"), ALSO_VL("avx512bf16") },
	{ NAMES("VPCOMPRESSB*", "VPCOMPRESSW*", "VPEXPANDB*", "VPEXPANDW*",
		"VPSHLD*", "VPSHRD*"),
	  ALSO_VL("avx512vbmi2") },
	{ NAMES("VPERMB*", "VPERMI2B*", "VPERMT2B*", "VPMULTISHIFTQB*"),
	  ALSO_VL("avx512vbmi") },
	{ NAMES("VCVTPH2PSZ*", "VCVTPS2PHZ*", "VMOVSHDUP*"), VL("") },
	{ NAMES("VCVT*PH*", "VCVT*SH*", "V*PHZ*", "V*SHZ*", "V*CPH*", "V*CSH*",
		"VMOVW*", "VMOVSH*"),
	  ALSO_VL("avx512fp16") },
	{ NAMES("VPMULLQ*", "VAND*P*", "VORP*", "VXORP*", "VCVT*QQ*", "VRANGE*",
		"VREDUCE*", "VFPCLASS*", "VINSERT*64x2*", "VINSERT*32x8*",
		"VEXTRACT*64x2*", "VEXTRACT*32x8*", "VINSERT*64X2*",
		"VINSERT*32X8*", "VEXTRACT*64X2*", "VEXTRACT*32X8*",
		"VBROADCASTF32X2*", "VBROADCASTI32X2*", "VPMOVM2D*",
		"VPMOVM2Q*", "VPMOVD2M*", "VPMOVQ2M*", "VPEXTRD*", "VPEXTRQ*",
		"VPINSRD*", "VPINSRQ*"),
	  ALSO_VL("avx512dq") },
	{ NAMES("VMOVDQU8*", "VMOVDQU16*", "VPMOVM2*", "VPMOVB2M*", "VPMOVW2M*",
		"VPMOV*WB*", "VPMOVSXBW*", "VPMOVZXBW*", "VPABSB*", "VPABSW*",
		"VPACK*", "VPADDB*", "VPADDW*", "VPADDS*", "VPADDUS*",
		"VPSUBB*", "VPSUBW*", "VPSUBS*", "VPSUBUS*", "VPALIGNR*",
		"VPAVG*", "VPBLENDMB*", "VPBLENDMW*", "VPBROADCASTB*",
		"VPBROADCASTW*", "VPCMPB*", "VPCMPW*", "VPCMPUB*", "VPCMPUW*",
		"VPCMPEQB*", "VPCMPEQW*", "VPCMPGTB*", "VPCMPGTW*", "VPERMW*",
		"VPERMI2W*", "VPERMT2W*", "VPEXTRB*", "VPEXTRW*", "VPINSRB*",
		"VPINSRW*", "VPMADDUBSW*", "VPMADDWD*", "VPMAXSB*", "VPMAXSW*",
		"VPMAXUB*", "VPMAXUW*", "VPMINSB*", "VPMINSW*", "VPMINUB*",
		"VPMINUW*", "VPMULH*", "VPMULLW*", "VPSADBW*", "VDBPSADBW*",
		"VPSHUFB*", "VPSHUFHW*", "VPSHUFLW*", "VPSLLDQ*", "VPSRLDQ*",
		"VPSLLW*", "VPSRLW*", "VPSRAW*", "VPSLLVW*", "VPSRLVW*",
		"VPSRAVW*", "VPTEST*MB*", "VPTEST*MW*", "VPUNPCKHBW*",
		"VPUNPCKLBW*", "VPUNPCKHWD*", "VPUNPCKLWD*"),
	  ALSO_VL("avx512bw") },
	{ NAMES("*"), VL("") },
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

/* The last rule of each table matches every name. */
#define FEATURES(rules, name) \
	(((const struct feature_rule *)NAME_ROW(rules, name))->features)

static const char *evex_features(const char *name)
{
	const struct evex_rule *r = NAME_ROW(evex, name);

	return name_matches_any(NAMES("*Z128*", "*Z256*"), name) ? r->shorter
								 : r->features;
}

const char *x86_64_required_features(const struct form *form,
				     const unsigned char *code, size_t n)
{
	switch (encoding_of(code, n)) {
	case VEX:
		return FEATURES(vex, form->name);
	case XOP:
		return FEATURES(xop, form->name);
	case EVEX:
		return evex_features(form->name);
	case APX:
		return "egpr";
	case LEGACY:
		break;
	}
	return FEATURES(legacy, form->name);
}
