/* x86-64 forms between which forwarding may depend on the reader: additions,
 * products, fused products and sums, integers, shuffles, logic, of each width.
 * The doubles that they leave are neither denormal nor made of halves of
 * others. */
#include "host/isa/carrier.h"
#include "host/isa/windows.h"
#include "host/isa/x86_64.h"

#define FORMS(suffix, fma)                                              \
	"VADDPD" suffix "rr@2>0", "VMULPD" suffix "rr@2>0",             \
		"VFMADD231PD" fma "@1>0", "VFMADD231PD" fma "@2>0",     \
		"VPADDD" suffix "rr@2>0", "VPADDQ" suffix "rr@2>0",     \
		"VPMULUDQ" suffix "rr@2>0", "VSHUFPD" suffix "rri@2>0", \
		"VPSLLD" suffix "ri@1>0", "VANDPD" suffix "rr@2>0"

const char *const x86_64_forwarding[] = {
	FORMS("", "r"), "VPANDrr@2>0",    FORMS("Y", "Yr"),
	"VPANDYrr@2>0", FORMS("Z", "Zr"), "VPANDQZrr@2>0",
	NULL,
};

#define WRITTEN(suffix, fma, logic)                                     \
	"VADDPD" suffix "rr@2>0", "VMULPD" suffix "rr@2>0",             \
		"VFMADD231PD" fma "@1>0", "VADDPS" suffix "rr@2>0",     \
		"VMULPS" suffix "rr@2>0", "VFMADD231PS" fma "@1>0",     \
		"VANDPD" suffix "rr@2>0", "VSHUFPD" suffix "rri@2>0",   \
		"VPADDD" suffix "rr@2>0", "VPMINSD" suffix "rr@2>0",    \
		"VPMULUDQ" suffix "rr@2>0", "VPMULLD" suffix "rr@2>0",  \
		"VPUNPCKLDQ" suffix "rr@2>0", "VPSLLD" suffix "ri@1>0", \
		"VCVTDQ2PS" suffix "rr@1>0", "VPAND" logic "rr@2>0"

/* Forms whose effects differ on a Golden Cove: additions and products of floats, products
 * of integers, and operations on integers and shuffles by the ports that they may use. */
const char *const x86_64_written[] = {
	WRITTEN("", "r", ""),
	WRITTEN("Y", "Yr", "Y"),
	WRITTEN("Z", "Zr", "QZ"),
	NULL,
};

const char *const x86_64_forwarding_types[] = {
	"VADDPSrr@2>0",
	"VMULPSrr@2>0",
	"VADDPSYrr@2>0",
	"VMULPSYrr@2>0",
	"VADDPSZrr@2>0",
	"VMULPSZrr@2>0",
	NULL,
};

/* A legacy SSE move between VEX instructions takes 400 cycles on a Granite Rapids
 * if the upper halves of registers are in use. */
const char *const x86_64_bridges[] = {
	"V*:VMOV64toPQIrr",
	"V*:VMOVPQIto64rr",
	"MOV64toPQIrr",
	"MOVPQIto64rr",
	"CMOV64rr",
	"CMOV64rr/b",
	"CMOV64rr/o",
	"CMOV64rr/s",
	"CMOV64rr/p",
	"TEST64rr",
	"BT64rr",
	"CMP64rr",
	"KMOVQkr",
	"KMOVQrk",
	"KMOVWkr",
	"KMOVWrk",
	"VPMOVQ2MZ128rr",
	"VPMOVM2QZ128rr",
	"MMX_MOVD64to64rr",
	"MMX_MOVD64from64rr",
	"MMX_MOVQ2DQrr",
	"MMX_MOVDQ2Qrr",
	NULL,
};

/* CMOV and XCHG would read the register that they replace, and moves cost
 * nothing. */
const struct isa_carrier x86_64_carriers[] = {
	{ BANK_GPR, "AND64rr@1>0+LEA64r/r64,r64@3>0", 0 },
	{ BANK_VECTOR, "PSHUFDri@1>0", 0 },
	{ BANK_NONE, NULL, 0 },
};

/* Intel's cores, without Atom cores: Abel and Reineke, "uiCA: Accurate
 * Throughput Prediction of Basic Blocks on Recent Intel Microarchitectures",
 * ICS 2022, section 4.1.  Assumed for those that are later than the paper. */
const char *const x86_64_binding_cpus[] = {
	"sandybridge",
	"ivybridge",
	"haswell",
	"broadwell",
	"skylake*",
	"cascadelake",
	"cooperlake",
	"cannonlake",
	"icelake*",
	"rocketlake",
	"tigerlake",
	"alderlake",
	"raptorlake",
	"meteorlake",
	"sapphirerapids",
	"emeraldrapids",
	"graniterapids*",
	"arrowlake*",
	"lunarlake",
	"pantherlake",
	"core-avx-i",
	"core-avx2",
	"corei7-avx",
	"skx",
	NULL,
};

const char *const x86_64_widest[] = {
	"mix:NOOP",
	"mix:NOOPLr",
	"mix:XOR32rr/same",
	"mix:MOV64rr",
	"mix:MOV32ri",
	"mix:MOV32ri+NOOPLr",
	"mix:4xMOV32ri+2xMOV64rm",
	"mix:4xMOV32ri+2xMOV64rm+2xPORrr",
	"mix:5xMOV32ri+3xMOV64rm+2xPORrr+2xNOOPLr",
	"iteration:NOOP",
	NULL,
};

/* Two no-operations may be fused, and idioms may need a register. */
static const struct isa_window windows[] = {
	{ ISA_LOAD_BUFFER, "MOV64rm" },
	{ ISA_LOAD_BUFFER, "VMOVAPSrm" },
	{ ISA_VECTOR_REGISTERS, "VPORrr" },
	{ ISA_VECTOR_REGISTERS, "VPADDDrr" },
	{ ISA_VECTOR_REGISTERS, "VORPSrr" },
	{ ISA_REORDER_BUFFER, "NOOPLr" },
	{ ISA_REORDER_BUFFER, "XOR32rr/same" },
	{ ISA_REORDER_BUFFER, "XOR32rr/same+NOOPLr" },
	{ NULL, NULL },
};

const struct isa_windows x86_64_windows = {
	.chain = "VSQRTSDr_Int@2>0",
	.list = windows,
};
